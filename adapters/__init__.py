"""Everything that touches the world: environment, files, PostgreSQL, terminal.

Read downwards; a file or package imports only what stands above it here, and whatever it needs of
``domain`` and ``projections``. Nothing there imports from here.

The surroundings:

- ``build``         which build of the program this is
- ``settings``      what can be configured, and the one place where the environment is read
- ``logs``          one line a use case, on standard error
- ``clock``         the one place where the time of day is read
- ``shuffle``       the one place that draws: decks to play, and chance from a seed
- ``errors``        what can go wrong out here, one class a cause
- ``garbage``       the collector of cyclic garbage, to wait for it less
- ``jobs``          work shared among processes
- ``plain_json``    rows and answers as JSON
- ``lines``         hand records a line at a time, in memory that does not grow
- ``whole_files``   files that take their place when they are complete

Into the store:

- ``store``         a PostgreSQL, its shape, and what an event is in it
- ``appending``     the way of events into it, many commands a transaction
- ``registers``     what it holds beside the history: keys, names, refused commands
- ``commands``      a command from what was asked to what is answered

What is made of the history:

- ``evidence``      checkpoints and proofs, for whoever does not trust the store
- ``verifying``     everything decided again: over the store, by many, or over an export
- ``views``         the read models in PostgreSQL, and what keeps them up

The ways in:

- ``ledger``        every command and every question, for threads
- ``async_ledger``  the same for asyncio
- ``bootstrap``     from the configuration to a ledger that works
- ``hand_words``    what is said of a hand, in Chinese and in English
- ``show``          a hand as a timeline
- ``exporting``     hands as files of other programs, and as records
- ``dossier``       all that is known of a hand, in one file for a reader outside
- ``foreign``       hands as others keep them, read into records
- ``following``     the history by position, for whoever follows it from outside
- ``investigation`` what an investigator asks: of a hand, a player, balances, a rulebook
- ``http_api``      what game backends, auditors, investigators and players call
- ``desk``          the pages, for people
- ``client``        the Python client of the API, for threads and for asyncio

Beside them:

- ``copies``        the store written to a file, read back, and held against the original
- ``simulation``    hands that are made up
- ``console``       the commands, a module a group
- ``cli``           ``jinhua``: the commands, and what their exit status means
"""
