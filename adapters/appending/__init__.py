"""The way of events into the store, many commands a transaction.

Read downwards; a file imports only files above it.

- ``fingerprints`` what is remembered of a command, to know it again
- ``batches``      what commands bring to be stored, as the store takes it, and what came of it
- ``subscription`` to be woken as the history grows
- ``recorder``     has the store append; and the history as the base library reads it
- ``group_commit`` many callers share a transaction
- ``append_line``  a connection on which nobody waits for the answer
- ``loop_commit``  group commit on an event loop: the next batch is decided meanwhile
"""
