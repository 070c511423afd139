"""An event as a line that an auditor can read, one row each. Source events: every one.

Read downwards; a file imports only files above it.

- ``row``        the row, and the port that it is written through
- ``zhajinhua``  the operator's columns of 炸金花; those of the other games will stand beside it
- ``course``     one event -> its row: who, how much, before and after, whatever the game
- ``trail``      the projection: batches of events -> rows

No card is in any row, of a running hand or a finished one.
"""
