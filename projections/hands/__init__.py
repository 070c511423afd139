"""A hand, one row each, to be found and listed. Source events: those of a hand that it tells of.

Read downwards; a file imports only files above it.

- ``row``     the row, and the port that it is written through
- ``flags``   what a hand is marked with for an event of it
- ``course``  a row and the next event -> the row after it
- ``hands``   the projection: batches of events -> rows

No card is in any row, of a running hand or a finished one.
"""
