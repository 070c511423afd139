"""The store: a PostgreSQL, its shape, and what an event is in it.

Read downwards; a file imports only files above it.

- ``server_account``    which account runs PostgreSQL where root is at work
- ``embedded_postgres`` a private server when none is configured
- ``migrations``        the shape of the store: the files of ``sql/``, in order, forwards only
- ``sealing``           cards at rest, under the application's key
- ``postgres``          connections, and the lock that gives events their order
- ``array_texts``       arrays as PostgreSQL reads them
- ``codec``             what an event is stored as, and back
- ``chain``             a hash of every event and of all before it in its stream

The files of ``sql/`` are never edited, comments included: where they name a file, it is the one of
that time.
"""
