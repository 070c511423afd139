"""A command from what was asked to what is answered: read, decide, store.

Read downwards; a file imports only files above it.

- ``history``         what a command finds: its stream, its receipt, wallets
- ``standings``       where hands and wallets stood, to go on from unread
- ``execution``       read, decide, store; again where somebody else was faster
- ``deciding``        what each command comes to
- ``naming``          what it comes to, to name a player and to erase one
- ``disputing``       what it comes to, to open a dispute, to note and to rule it
- ``commanding``      a command under its id: who gives it, when, and what is remembered of it
- ``asking_wallets``  what there is to ask for about wallets
- ``asking_hands``    what there is to ask for about hands
- ``asking_disputes`` what there is to ask for about disputes
- ``asking``          all that there is to ask for
- ``foreseen``        the history, and after it what is taken to be stored
- ``imported``        what comes in by an import, and what became of it
- ``deciding_imports`` what that comes to
- ``importing``       finished hands, many a transaction
- ``rehearsing``      what keeps none of them
"""
