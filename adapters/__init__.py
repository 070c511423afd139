"""Everything that touches the world: environment, files, PostgreSQL, terminal.

Read downwards; a file or package imports only what stands above it here, and whatever it needs of
``domain`` and ``projections``. Nothing there imports from here.

The surroundings:

- ``build``             which build of the program this is
- ``settings``          what can be configured, and the one place where the environment is read
- ``logs``              one line a use case, on standard error
- ``clock``             the one place where the time of day is read
- ``shuffle``           the one place that draws: decks to play, and chance from a seed
- ``errors``            what can go wrong out here, one class a cause
- ``garbage``           the collector of cyclic garbage, to wait for it less
- ``plain_json``        rows and answers as JSON
- ``lines``             hand records a line at a time, in memory that does not grow
- ``whole_files``       files that take their place when they are complete

The store:

- ``server_account``    which account runs PostgreSQL where root is at work
- ``embedded_postgres`` a private server when none is configured
- ``migrations``        the shape of the store: the files of ``sql/``, in order, forwards only
- ``sealing``           cards at rest, under the application's key
- ``postgres``          connections, and the lock that gives events their order
- ``codec``             what an event is stored as, and back
- ``chain``             a hash of every event and of all before it in its stream

What is known of players and commands:

- ``player_keys``       each player's own key, made and destroyed
- ``names``             what players are called, sealed and read
- ``api_keys``          the keys that callers of the HTTP API hold
- ``commands``          what is remembered of a command, to know it again
- ``refusals``          refused commands, kept beside the history

One command on its way into the store:

- ``array_texts``       arrays as PostgreSQL reads them
- ``appending``         what commands bring to be stored, as the store takes it, and what came of it
- ``subscription``      to be woken as the history grows
- ``recorder``          has the store append; and the history as the base library reads it
- ``group_commit``      many callers share a transaction
- ``append_line``       a connection on which nobody waits for the answer
- ``loop_commit``       group commit on an event loop: the next batch is decided meanwhile
- ``history``           what a command finds: its stream, its receipt, wallets
- ``standings``         where hands and wallets stood, to go on from unread
- ``execution``         read, decide, store; again where somebody else was faster
- ``deciding``          what each command comes to
- ``naming``            what it comes to, to name a player and to erase one
- ``disputing``         what it comes to, to open a dispute, to note and to rule it
- ``asking_disputes``   what there is to ask for about them
- ``asking``            what there is to ask for
- ``foreseen``          the history, and after it what is taken to be stored
- ``importing``         finished hands, many a transaction
- ``rehearsing``        the same without storing any

What is made of the history:

- ``evidence``          checkpoints and proofs, for whoever does not trust the store
- ``parquet_events``    the history as Parquet, a row an event
- ``verifying``         everything decided again: over the store, by many, or over an export
- ``views``             the read models in PostgreSQL
- ``projector``         keeps them up: each event counted once
- ``waiting``           until they have come as far as one's own write

The ways in:

- ``ledger``            every command and every question, for threads
- ``async_ledger``      the same for asyncio
- ``bootstrap``         from the configuration to a ledger that works
- ``show``              a hand as a timeline
- ``exporting``         hands as files of other programs, and as records
- ``dossier``           all that is known of a hand, in one file for a reader outside
- ``foreign``           hands as others keep them, read into records
- ``following``         the history by position, for whoever follows it from outside
- ``investigation``     what an investigator asks: of a hand, a player, balances, a rulebook
- ``http_api``          what game backends, auditors, investigators and players call
- ``desk``              the pages, for people
- ``client_errors``     what a client of it is told, a class per kind of answer
- ``patience``          how long to wait before something is tried again
- ``client_calls``      the commands that a client can give
- ``client_queries``    the questions that it can ask
- ``client``            the client itself, for threads and for asyncio

Copies:

- ``client_programs``   ``pg_dump`` and ``pg_restore``: which, and how they are run
- ``figures``           what two stores are compared by
- ``examination``       receipts, positions and versions held against the events
- ``backup_file``       an archive, and behind it what was in it
- ``backup``            written while others append
- ``restore``           whole or not at all, and held against the original
- ``scratch``           the history in a database to throw away

Hands that are made up:

- ``simulated_deal``    deals, rare cards more often
- ``simulated_table``   tables, and who sits down
- ``simulated_play``    how seats act
- ``simulation``        random legal hands, the same for the same seed

The commands:

- ``console``           a module a group of commands
- ``cli``               ``jinhua``: the commands, and what their exit status means
"""
