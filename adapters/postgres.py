"""The history in PostgreSQL: connections in the application's role, and the recorder that appends.

Events get their positions under one lock that is held until they are committed. So positions have
no gaps, and their order is the order of commits: nobody ever sees an event before another that
comes earlier.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Self, TypeVar
from uuid import UUID

import psycopg
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, StoredEvent
from psycopg import Connection, IsolationLevel
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolTimeout

from adapters.appending import (
    Append,
    Outcome,
    Prepared,
    Replayed,
    Stored,
    StoredReceipt,
    plan,
    prepare,
)
from adapters.codec import Codec, StoredEntry
from adapters.commands import fingerprint
from adapters.errors import StoreUnreachableError
from adapters.subscription import Listening
from domain.stream import Cause

T = TypeVar("T")
Conn = Connection[TupleRow]

CONNECT_TIMEOUT_S: Final = 10
# A writer that is stopped between two statements would hold everybody else up.
IDLE_IN_TRANSACTION_TIMEOUT_S: Final = 60

# Any constant will do, so long as it never changes: "events" in ASCII.
_LOCK: Final = int.from_bytes(b"events")

_LOCK_APPENDS: Final = f"SELECT pg_advisory_xact_lock({_LOCK})"

# The row without a stream is the last position.
_VERSIONS: Final = """
    SELECT stream, (SELECT max(originator_version) FROM events WHERE originator_id = stream)
      FROM unnest(%b::text[]) AS stream
    UNION ALL
    SELECT NULL, max(position) FROM events
"""

RECEIPTS: Final = """
    SELECT command_id, digest, fields, first_position, last_position, answer
      FROM receipts WHERE command_id = ANY(%b::text[])
"""

_INSERT: Final = """
    WITH stored AS (
        INSERT INTO events (position, originator_id, originator_version, topic, body,
                            command_id, actor, happened_at)
        SELECT %b::bigint + n, stream, version, topic, body, command_id, actor, happened_at
          FROM unnest(%b::text[], %b::integer[], %b::text[], %b::text[],
                      %b::text[], %b::text[], %b::timestamptz[])
               WITH ORDINALITY
               AS row (stream, version, topic, body, command_id, actor, happened_at, n)
    ), answered AS (
        INSERT INTO receipts (command_id, kind, digest, fields, first_position, last_position,
                              answer)
        SELECT * FROM unnest(%b::text[], %b::text[], %b::bytea[], %b::text[],
                             %b::bigint[], %b::bigint[], %b::text[])
    )
    SELECT pg_notify('jinhua_events', '')  -- CHANNEL of subscription.py
"""

SELECT_ENTRIES: Final = """
    SELECT originator_id, originator_version, topic, body, position, command_id, actor, happened_at
      FROM events
"""


class Store:
    """A PostgreSQL and a few connections to it, all in the role that the application may have."""

    def __init__(self, dsn: str, *, role: str = "jinhua_writer", connections_max: int = 4) -> None:
        """Connect at once, so that a store that cannot be reached is told apart from a slow one.

        Raises:
            StoreUnreachableError: No connection can be made, or it may not take the role on.
        """
        self._role = role
        self.where = place(dsn)
        try:
            with psycopg.connect(dsn, connect_timeout=CONNECT_TIMEOUT_S, autocommit=True) as conn:
                self._configure(conn)
        except psycopg.Error as error:
            raise StoreUnreachableError(where=self.where, reason=str(error).strip()) from error
        self._pool = ConnectionPool(
            dsn,
            min_size=1,
            max_size=connections_max,
            kwargs={"autocommit": True, "connect_timeout": CONNECT_TIMEOUT_S},
            configure=self._configure,
            timeout=CONNECT_TIMEOUT_S,
            open=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections up."""
        self._pool.close()

    @contextmanager
    def connection(self) -> Iterator[Conn]:
        """Lend a connection; no transaction is open on it.

        Raises:
            StoreUnreachableError: There is none, or it broke off.
        """
        try:
            with self._pool.connection() as conn:
                yield conn
        except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
            raise StoreUnreachableError(where=self.where, reason=str(error).strip()) from error

    def run(self, work: Callable[[Conn], T]) -> T:
        """Do work that may be done twice: once more where the connection was a dead one.

        Raises:
            StoreUnreachableError: It broke off again.
        """
        try:
            with self.connection() as conn:
                return work(conn)
        except StoreUnreachableError:
            self._pool.check()  # whatever else is dead goes too
            with self.connection() as conn:
                return work(conn)

    def _configure(self, conn: Conn) -> None:
        conn.isolation_level = IsolationLevel.READ_COMMITTED
        conn.execute(f"SET ROLE {self._role}")
        conn.execute(
            f"SET idle_in_transaction_session_timeout = '{IDLE_IN_TRANSACTION_TIMEOUT_S}s'"
        )


class LedgerRecorder(ApplicationRecorder):
    """Appends to the history, and reads it as the base library does."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        """Store many commands in one transaction, each whole or not at all.

        A command that conflicts, or whose id was used, does not fail its neighbours. Where the
        answer of the store is lost, the batch is given again: what had been stored is found by
        its receipt.

        Returns:
            What became of each, in their order.

        Raises:
            StoreUnreachableError: Whether it was stored is not known; to give the same commands
                again is safe.
        """
        prepared = [prepare(append) for append in batch]
        return self.store.run(lambda conn: _append(conn, prepared))

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: object) -> Sequence[int]:
        """Store the events of one command, as the base library's event store asks for it.

        Raises:
            IntegrityError: A stream has moved on, or the command's id was used for another.
        """
        entries = [Codec().to_domain_event(stored) for stored in stored_events]
        if not entries:
            return []
        (command_id,) = {entry.cause.command_id for entry in entries}
        body = {str(at): stored.state.decode() for at, stored in enumerate(stored_events)}
        append = Append(command_id, fingerprint("insert_events", body), entries, "{}")
        (outcome,) = self.append([append])
        if isinstance(outcome, Stored | Replayed):
            return range(outcome.first, outcome.last + 1)
        raise IntegrityError(str(outcome))

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> list[StoredEntry]:
        """Read a stream, or a part of it by version."""
        bounds = "originator_id = %s AND originator_version > %s AND originator_version <= %s"
        order = f"originator_version {'DESC' if desc else 'ASC'}"
        values = [str(originator_id), gt or 0, _INTEGER_MAX if lte is None else lte, limit]
        return self._select(f"WHERE {bounds} ORDER BY {order} LIMIT %s", values)

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> list[StoredEntry]:
        """Read on from a position. Whoever has read up to N has seen everything up to N."""
        after = (start or 0) - inclusive_of_start
        where = "WHERE position > %s AND position <= %s"
        values: list[object] = [after, _BIGINT_MAX if stop is None else stop]
        if topics:
            where += " AND topic = ANY(%s)"
            values.append(list(topics))
        return self._select(f"{where} ORDER BY position LIMIT %s", [*values, limit])

    def max_notification_id(self) -> int | None:
        """Return the last position, or None in an empty history."""
        found = self.store.run(lambda conn: conn.execute("SELECT max(position) FROM events"))
        (last,) = found.fetchone() or (None,)
        return last if last is None else int(last)

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> "Listening[LedgerRecorder]":
        """Follow the history from a position on, waiting for what is still to come."""
        return Listening(self, self.store.connection, gt=gt, topics=topics)

    def _select(self, rest: str, values: Sequence[object]) -> list[StoredEntry]:
        found = self.store.run(
            lambda conn: conn.execute(SELECT_ENTRIES + rest, values, prepare=True).fetchall()
        )
        return [stored_entry(row) for row in found]


def stored_entry(row: TupleRow) -> StoredEntry:
    """Return a row of :data:`SELECT_ENTRIES`."""
    stream, version, topic, body, position, command_id, actor, happened_at = row
    cause = Cause(command_id, actor, happened_at)
    return StoredEntry(stream, version, topic, body.encode(), position, cause)


def place(dsn: str) -> str:
    """Return which store a DSN leads to, without its password."""
    try:
        given = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        # Its text may hold the password.
        raise StoreUnreachableError(where="JINHUA_DSN", reason="it is no DSN") from None
    return f"{given.get('host', '')}/{given.get('dbname', '')}"


def _append(conn: Conn, batch: Sequence[Prepared]) -> list[Outcome]:
    """Ask, decide and insert, in two round trips and one transaction."""
    streams = sorted({stream for prepared in batch for stream in prepared.spans})
    ids = sorted({prepared.append.command_id for prepared in batch})
    with conn.pipeline(), conn.transaction():
        conn.execute(_LOCK_APPENDS, prepare=True)
        # Each of these sees what the last holder of the lock committed: they come after it.
        found_versions = conn.execute(_VERSIONS, [streams], prepare=True)
        found_receipts = conn.execute(RECEIPTS, [ids], prepare=True)
        versions = {stream: last or 0 for stream, last in found_versions}
        receipts = {row[0]: StoredReceipt(*row) for row in found_receipts}
        head = versions.pop(None)
        made = plan(batch, head=head, versions=versions, receipts=receipts)
        if made.rows:
            columns = [*_columns(made.rows), *_columns(made.receipts)]
            conn.execute(_INSERT, [head, *columns], prepare=True)
    return made.outcomes


def _columns(rows: Sequence[tuple[Any, ...]]) -> Iterator[list[Any]]:
    """Turn rows into columns."""
    return map(list, zip(*rows, strict=True))


_INTEGER_MAX: Final = 2**31 - 1
_BIGINT_MAX: Final = 2**63 - 1
