"""The recorder: appends commands to the history, and reads it as the base library does."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, IntegrityError, StoredEvent
from psycopg.rows import TupleRow

from adapters.appending import (
    Append,
    Outcome,
    Plan,
    Prepared,
    Replayed,
    Stored,
    StoredReceipt,
    Tip,
    plan,
    prepare,
)
from adapters.array_texts import binaries, moments, numbers, texts
from adapters.codec import Codec, StoredEntry
from adapters.commands import Keyed, fingerprint
from adapters.postgres import Conn, Runner, Store, alone
from adapters.subscription import Listening
from domain.stream import Cause

RECEIPTS: Final = """
    SELECT command_id, digest, fields, first_position, last_position, answer
      FROM receipts WHERE command_id = ANY(%b::text[])
"""

# What was carried out before; where each stream is; and, of no stream, the last position and the
# server's time.
_FOUND: Final = """
    SELECT NULL AS stream, NULL AS last, NULL::bytea AS link, NULL::timestamptz AS now,
           row(command_id, digest, fields, first_position, last_position, answer) AS receipt
      FROM receipts WHERE command_id = ANY(%s::text[])
    UNION ALL
    SELECT stream, tip.originator_version, tip.link, NULL, NULL
      FROM unnest(%s::text[]) AS stream,
           LATERAL (SELECT originator_version, link FROM events WHERE originator_id = stream
                     ORDER BY originator_version DESC LIMIT 1) AS tip
    UNION ALL
    SELECT NULL, coalesce(max(position), 0), NULL, clock_timestamp(), NULL FROM events
"""

_INSERT: Final = """
    WITH stored AS (
        INSERT INTO events (position, originator_id, originator_version, topic, body,
                            command_id, actor, happened_at, recorded_at, link)
        SELECT %b::bigint + n, stream, version, topic, body, command_id, actor, happened_at,
               %b::timestamptz, link
          FROM unnest(%s::text[], %s::integer[], %s::text[], %s::text[],
                      %s::text[], %s::text[], %s::timestamptz[], %s::bytea[])
               WITH ORDINALITY
               AS row (stream, version, topic, body, command_id, actor, happened_at, link, n)
    ), answered AS (
        INSERT INTO receipts (command_id, kind, digest, fields, first_position, last_position,
                              answer)
        SELECT * FROM unnest(%s::text[], %s::text[], %s::bytea[], %s::text[],
                             %s::bigint[], %s::bigint[], %s::text[])
    )
    SELECT pg_notify('jinhua_events', '')  -- CHANNEL of subscription.py
"""

SELECT_ENTRIES: Final = """
    SELECT originator_id, originator_version, topic, body, position, command_id, actor, happened_at
      FROM events
"""


def append(runner: Runner, batch: Sequence[Append]) -> list[Outcome]:
    """Store many commands in one transaction, each whole or not at all.

    A command that conflicts, or whose id was used, does not fail its neighbours. Where the answer
    of the store is lost, the batch is given again: what had been stored is found by its receipt.

    Returns:
        What became of each, in their order.

    Raises:
        StoreUnreachableError: Whether it was stored is not known; to give the same commands again
            is safe.
    """
    return append_prepared(runner, [prepare(brought, runner.cards) for brought in batch])


def append_prepared(runner: Runner, batch: Sequence[Prepared]) -> list[Outcome]:
    """Store many commands that are made ready: see :func:`append`."""
    return runner.run(lambda conn: _append(conn, batch))


class LedgerRecorder(ApplicationRecorder):
    """Appends to the history, and reads it as the base library does."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        """Store many commands in one transaction: see :func:`append`."""
        return append(self.store, batch)

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: object) -> Sequence[int]:
        """Store the events of one command, as the base library's event store asks for it.

        Raises:
            IntegrityError: A stream has moved on, or the command's id was used for another.
        """
        codec = Codec(self.store.cards)
        entries = [codec.to_domain_event(stored) for stored in stored_events]
        if not entries:
            return []
        (command_id,) = {entry.cause.command_id for entry in entries}
        body: dict[str, Any] = {str(at): row.state.decode() for at, row in enumerate(stored_events)}
        keyed = None
        if any(entry.event.SECRET for entry in entries):
            body, keyed = {"cards": body}, Keyed(self.store.cards, command_id)
        brought = Append(command_id, fingerprint("insert_events", body, keyed), entries, "{}")
        (outcome,) = self.append([brought])
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


def _append(conn: Conn, batch: Sequence[Prepared]) -> list[Outcome]:
    """Ask, decide and insert, in one transaction of four round trips."""
    streams = sorted({stream for prepared in batch for stream in prepared.spans})
    ids = sorted({prepared.append.command_id for prepared in batch})
    with alone(conn):
        asked = [texts(ids), texts(streams)]
        found = conn.execute(_FOUND, asked, prepare=True, binary=True).fetchall()
        tips = {stream: Tip(last, link) for stream, last, link, _, _ in found if stream}
        receipts = {receipt[0]: StoredReceipt(*receipt) for *_, receipt in found if receipt}
        head, at = next((last, now) for _, last, _, now, _ in found if now)
        made = plan(batch, head=head, tips=tips, receipts=receipts, at=at)
        if made.rows:
            conn.execute(_INSERT, [head, at, *_columns(made)], prepare=True)
    return made.outcomes


def _columns(made: Plan) -> list[str]:
    """Return what is to be inserted, column by column."""
    streams, versions, topics, bodies, ids, actors, times = zip(*made.rows, strict=True)
    answered, kinds, digests, fields, first, last, answers = zip(*made.receipts, strict=True)
    return [
        *(texts(streams), numbers(versions), texts(topics), texts(bodies)),
        *(texts(ids), texts(actors), moments(times), binaries(made.links)),
        *(texts(answered), texts(kinds), binaries(digests), texts(fields)),
        *(numbers(first), numbers(last), texts(answers)),
    ]


_INTEGER_MAX: Final = 2**31 - 1
_BIGINT_MAX: Final = 2**63 - 1
