"""Copies of the store: written, read back, and held against the original.

Read downwards; a file imports only files above it.

- ``client_programs`` ``pg_dump`` and ``pg_restore``: which, and how they are run
- ``figures``         what two stores are compared by
- ``examination``     receipts, positions and versions held against the events
- ``backup_file``     an archive, and behind it what was in it
- ``backup``          written while others append
- ``restore``         whole or not at all, and held against the original
- ``scratch``         the history in a database to throw away
"""
