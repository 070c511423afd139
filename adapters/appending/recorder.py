"""The recorder: has the store append commands, and reads the history as the base library does."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, IntegrityError, StoredEvent
from psycopg.rows import TupleRow

from adapters.appending.batches import (
    APPEND,
    APPEND_PARAMETERS,
    Answer,
    Append,
    Batch,
    Conflict,
    Outcome,
    Prepared,
    Replayed,
    Stored,
    StoredReceipt,
    prepare,
)
from adapters.appending.fingerprints import Keyed, fingerprint
from adapters.appending.subscription import Listening
from adapters.store.codec import Codec, StoredEntry
from adapters.store.postgres import Conn, Runner, Store
from domain.stream import Cause

_RECEIPTS: Final = """
    SELECT command_id, digest, fields, first_position, last_position, answer
      FROM receipts WHERE command_id = ANY(%b::text[])
"""

_APPEND: Final = f"{APPEND}({', '.join(['%s'] * APPEND_PARAMETERS)})"

SELECT_ENTRIES: Final = """
    SELECT originator_id, originator_version, topic, body, position, command_id, actor, happened_at
      FROM events
"""


def append(runner: Runner, batch: Sequence[Append]) -> list[Outcome]:
    """Store many commands in one transaction, each whole or not at all.

    A command that conflicts, or whose id was used, does not fail its neighbours; one whose id comes
    twice in the batch is told so in a transaction after it. Where the answer of the store is lost,
    the batch is given again: what had been stored is found by its receipt.

    Returns:
        What became of each, in their order.

    Raises:
        StoreUnreachableError: Whether it was stored is not known; to give the same commands again
            is safe.
    """
    return append_prepared(runner, [prepare(brought, runner.cards) for brought in batch])


def append_prepared(runner: Runner, batch: Sequence[Prepared]) -> list[Outcome]:
    """Store many commands that are made ready: see :func:`append`."""
    return runner.run(lambda conn: _append(conn, batch)) if batch else []


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


def receipts(conn: Conn, command_ids: Sequence[str]) -> dict[str, StoredReceipt]:
    """Read the receipts of those commands that were carried out."""
    found = conn.execute(_RECEIPTS, [list(command_ids)], prepare=True)
    return {row[0]: StoredReceipt(*row) for row in found}


def _append(
    conn: Conn, commands: Sequence[Prepared], answered: frozenset[str] = frozenset()
) -> list[Outcome]:
    """Store commands in one round trip; of one id, the first, and then the others.

    Those that are known to have a receipt are ``answered`` all at once.
    """
    ids = [prepared.append.command_id for prepared in commands]
    first = {id_: at for at, id_ in reversed(list(enumerate(ids))) if id_ not in answered}
    now = [at for at, id_ in enumerate(ids) if first.get(id_, at) == at]
    outcomes = dict(zip(now, _append_once(conn, [commands[at] for at in now]), strict=True))
    if len(now) < len(commands):
        later = [at for at in range(len(commands)) if at not in outcomes]
        answered |= {ids[at] for at, told in outcomes.items() if not isinstance(told, Conflict)}
        others = _append(conn, [commands[at] for at in later], answered)
        outcomes |= zip(later, others, strict=True)
    return [outcomes[at] for at in range(len(commands))]


def _append_once(conn: Conn, commands: Sequence[Prepared]) -> list[Outcome]:
    """Store commands, of which no new id comes twice, in one round trip; one more for receipts."""
    batch = Batch(commands)
    (answer,) = conn.execute(_APPEND, batch.arrays(), prepare=True, binary=True).fetchall()
    outcomes = batch.outcomes(Answer(*answer))
    before = [p.append.command_id for p, o in zip(commands, outcomes, strict=True) if o is None]
    known = receipts(conn, before) if before else {}
    return [
        outcome or known[p.append.command_id].answered(p.append.fingerprint)
        for p, outcome in zip(commands, outcomes, strict=True)
    ]


_INTEGER_MAX: Final = 2**31 - 1
_BIGINT_MAX: Final = 2**63 - 1
