"""A connection over which the store is told to append, and on which nobody waits for the answer.

``psycopg`` waits for each answer, in a thread or in a task. An event loop has better things to do,
and is told by the socket when the answer is there.
"""

import os
import select
import socket
from typing import Final, Self

import psycopg
from psycopg.adapt import Transformer
from psycopg.pq import ConnStatus, ExecStatus, Format
from psycopg.pq.abc import PGresult

from adapters.appending.batches import APPEND, APPEND_PARAMETERS, Answer, Batch
from adapters.store.postgres import Conn, Store

_PLACES: Final = ", ".join(f"${n}" for n in range(1, APPEND_PARAMETERS + 1))
_APPEND: Final = f"{APPEND}({_PLACES})".encode()


class AppendLine:
    """One batch at a time goes out on it, and its answer comes back."""

    def __init__(self, conn: Conn) -> None:
        """Use a connection, which is closed with the line.

        Raises:
            psycopg.Error: It is not there, or has no ``append_commands``.
        """
        _check(conn.pgconn.prepare(b"append", _APPEND), ExecStatus.COMMAND_OK)
        self._conn = conn
        # libpq closes its socket as soon as it sees the end; a loop can let go only of an open one.
        self._socket = socket.socket(fileno=os.dup(conn.fileno()))
        self._incoming = select.poll()
        self._incoming.register(self._socket, select.POLLIN)
        self._result: PGresult | None = None

    @classmethod
    def to(cls, store: Store) -> Self:
        """Return a line of its own to a store.

        Raises:
            StoreUnreachableError: No connection can be made.
            psycopg.Error: It has no ``append_commands``.
        """
        conn = store.connect()
        try:
            return cls(conn)
        except psycopg.Error:
            conn.close()
            raise

    def fileno(self) -> int:
        """Return the socket, which stays until the line is closed, whatever breaks."""
        return self._socket.fileno()

    @property
    def is_broken(self) -> bool:
        """Tell whether nothing more can be sent."""
        return self._conn.pgconn.status != ConnStatus.OK

    def close(self) -> None:
        """Give the connection up, with whatever is under way on it."""
        self._conn.close()
        self._socket.close()

    def send(self, batch: Batch) -> bool:
        """Send a batch, and tell whether all of it is out; else :meth:`flush` has to go on.

        Raises:
            psycopg.Error: The connection is gone, or a text is none that can be stored.
            UnicodeError: A text is none.
        """
        values = [text.encode() for text in batch.arrays()]
        self._conn.pgconn.send_query_prepared(b"append", values, result_format=Format.BINARY)
        return self.flush()

    def flush(self) -> bool:
        """Send on, as far as the socket takes it, and tell whether all of it is out.

        Raises:
            psycopg.Error: The connection is gone.
        """
        return self._conn.pgconn.flush() == 0

    def receive(self) -> Answer | None:
        """Return the answer, if by now all of it is there.

        Whatever has come is taken in, to the end: that a socket has broken, uvloop tells once.

        Raises:
            psycopg.Error: The connection is gone, or the store refuses the batch; then the line
                is as good as before.
        """
        pgconn = self._conn.pgconn
        while True:
            pgconn.consume_input()
            while not pgconn.is_busy():
                result = pgconn.get_result()
                if result is None:
                    found, self._result = self._result, None
                    return None if found is None else self._answer(found)
                self._result = result
            if not self._incoming.poll(0):
                return None

    def _answer(self, result: PGresult) -> Answer:
        _check(result, ExecStatus.TUPLES_OK)
        transformer = Transformer(self._conn)
        transformer.set_pgresult(result)
        (answer,) = transformer.load_rows(0, 1, Answer._make)
        return answer


def _check(result: PGresult, wanted: ExecStatus) -> None:
    if result.status != wanted:
        raise psycopg.DatabaseError(result.get_error_message())
