"""Every event as a line that an auditor can read, in PostgreSQL."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final, NamedTuple

from psycopg.rows import TupleRow
from pydantic_core import to_json

from adapters.store.postgres import Conn
from adapters.views.feed import Versions, read_streams
from adapters.views.generation import Difference, Fold, Generation, select
from adapters.views.parking import parked_among
from domain.events import DisputeEvent, WalletEvent
from domain.hand import hand_stream
from domain.money import Transfer
from domain.wallet import wallet_id
from projections import Recorded
from projections.audit_trail.row import (
    Amounts,
    AuditTrailView,
    OperatorColumns,
    Place,
    TrailRow,
    Who,
)
from projections.audit_trail.trail import AuditTrail

_WHO: Final = len(Place._fields)
_AMOUNTS: Final = _WHO + len(Who._fields)
_OPERATOR: Final = _AMOUNTS + len(Amounts._fields)

FIELDS: Final = (*Place._fields, *Who._fields, *Amounts._fields, *OperatorColumns._fields)
"""The columns in the order of a row."""

_TYPES: Final = dict.fromkeys(FIELDS, "text") | {
    **dict.fromkeys(("position", "seat", "compared_with"), "int8"),
    **dict.fromkeys(("version", "round"), "int4"),
    **dict.fromkeys(("happened_at", "recorded_at"), "timestamptz"),
    **dict.fromkeys(("amount_this_round", *Amounts._fields[1:]), "numeric"),
    **dict.fromkeys(("seen", "initiated", "folded"), "bool"),
}
# The binary form has no types of its own and costs a fifth of the text. An int4 that is too large
# would wrap round unseen: both are counted, one by the store and one by the rules.
_COPIED: Final = [*_TYPES.values(), "int4"]
_NAMES: Final = ", ".join(f'"{name}"' for name in FIELDS)
_COPY: Final = f"COPY projected_audit_trail ({_NAMES}, generation) FROM STDIN (FORMAT BINARY)"
_ROWS: Final = f"""
    SELECT {_NAMES.replace('"transfers"', "transfers::jsonb")} FROM projected_audit_trail
     WHERE generation = %s AND position > %s AND position <= %s
"""  # noqa: S608 - names of ours
_KEPT: Final = """
    SELECT position FROM projected_audit_trail
     WHERE generation = %s AND position = ANY(%s::bigint[])
"""
_RETRACT: Final = """
    DELETE FROM projected_audit_trail WHERE generation = %s AND position = ANY(%s::bigint[])
"""
_QUERY: Final = "SELECT * FROM audit_trail WHERE position > %s"
_OF_HAND_ONLY: Final = " AND hand = %s"
_OF_PLAYER_ONLY: Final = " AND player = %s"
_OF_TABLES_ONLY: Final = " AND stream ^@ ANY(%s::text[])"
_BEFORE: Final = " AND position < %s"
_PAGE: Final = " ORDER BY position LIMIT %s"
_PAGE_BACK: Final = " ORDER BY position DESC LIMIT %s"
_STATEMENT: Final = """
    SELECT position, happened_at, topic, hand, seat, balance_after - balance_before, balance_after
      FROM audit_trail WHERE player = %s AND stream = %s AND position > %s
"""


class Movement(NamedTuple):
    """A change of a player's wallet."""

    position: int
    happened_at: datetime
    topic: str
    hand: str | None  # that it paid into or got from
    seat: int | None
    amount: int  # minor units; below zero where chips went out
    balance: int  # minor units, afterwards


class PostgresAuditTrail(Generation, AuditTrailView):
    """One generation of it."""

    table: ClassVar[str] = "projected_audit_trail"

    def __init__(self, conn: Conn, generation: int) -> None:
        super().__init__(conn, generation)
        self.projection = AuditTrail(self)

    def earlier(self, versions: Mapping[str, int]) -> Iterable[Recorded]:
        """Read the beginnings of streams."""
        wanted = {stream: Versions(below=version) for stream, version in versions.items()}
        found = read_streams(self.conn, wanted).recorded
        left_out = parked_among(
            self.conn, AuditTrail.name, self.generation, [event.position for event in found]
        )
        return [event for event in found if event.position not in left_out]

    def append(self, rows: Sequence[TrailRow]) -> None:
        """Copy rows in."""
        with self.conn.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.set_types(_COPIED)
            for place, who, amounts, operator in rows:
                row = [*place, *who, *amounts, *operator, self.generation]
                row[_AMOUNTS] = _json(amounts.transfers)
                copy.write_row(row)

    def dependents(self, late: Sequence[Recorded]) -> list[Recorded]:
        """Return what followed in the same hands: their rows rest on all before them."""
        first: dict[str, Versions] = {}
        for _, entry, _ in late:
            if not isinstance(entry.event, WalletEvent | DisputeEvent):
                first.setdefault(entry.originator_id, Versions(after=entry.originator_version))
        later = read_streams(self.conn, first).recorded
        positions = [event.position for event in later]
        kept = {p for (p,) in select(self.conn, _KEPT, [self.generation, positions])}
        return [event for event in later if event.position in kept]

    def retract(self, events: Sequence[Recorded]) -> None:
        """Delete the rows of events."""
        positions = [event.position for event in events]
        self.conn.execute(_RETRACT, [self.generation, positions])

    def rows(self, after: int, upto: int) -> dict[int, TrailRow]:
        """Read the rows between two positions."""
        found = select(self.conn, _ROWS, [self.generation, after, upto])
        return {row[0]: _trail_row(row) for row in found}

    def fold(self) -> "FoldedAuditTrail":
        """Begin with no row at all."""
        return FoldedAuditTrail(self)


class FoldedAuditTrail(Fold, AuditTrailView):
    """The rows of one batch in memory, to compare with."""

    def __init__(self, rows: PostgresAuditTrail) -> None:
        self.projection = AuditTrail(self)
        self._rows = rows
        self._derived: dict[int, TrailRow] = {}

    def earlier(self, versions: Mapping[str, int]) -> Iterable[Recorded]:
        """Read the beginnings of streams."""
        return self._rows.earlier(versions)

    def append(self, rows: Sequence[TrailRow]) -> None:
        """Keep rows until they were compared."""
        self._derived.update((row.place.position, row) for row in rows)

    def rows(self) -> list[TrailRow]:
        """Return those that are kept, in the order of positions."""
        return [self._derived[position] for position in sorted(self._derived)]

    def reached(self, after: int, upto: int) -> Iterator[Difference]:
        """Yield the rows that differ, and forget them all."""
        recorded, derived, self._derived = self._rows.rows(after, upto), self._derived, {}
        for position in sorted(recorded.keys() | derived):
            kept, fresh = recorded.get(position), derived.get(position)
            if kept != fresh:
                yield Difference(self.projection.name, str(position), kept, fresh)


def audit_trail(
    conn: Conn,
    *,
    hand: str | None = None,
    player: str | None = None,
    tables: Collection[str] | None = None,
    after: int = 0,
    before: int | None = None,
    limit: int | None = None,
) -> list[TrailRow]:
    """Read the trail in the order of positions: of a hand, of what a player did, or all of it.

    From ``before`` it is read backwards.

    Args:
        conn: Whose role may read views.
        hand: Only what happened in this hand, its reservations and releases included.
        player: Only what this player did, in a seat or to the wallet.
        tables: Only what happened in hands of these tables; nothing that a wallet tells.
        after: The position to read on from.
        before: The position to read backwards from; None is not backwards.
        limit: The number of rows at most.
    """
    query = _QUERY
    values: list[object] = [after]
    streams = None if tables is None else [hand_stream(f"{table}/") for table in tables]
    conditions = ((_OF_HAND_ONLY, hand), (_OF_PLAYER_ONLY, player), (_OF_TABLES_ONLY, streams))
    for condition, value in conditions:
        if value is not None:
            query, values = query + condition, [*values, value]
    if before is not None:
        query, values = query + _BEFORE, [*values, before]
    page = _PAGE if before is None else _PAGE_BACK
    return [_trail_row(row) for row in select(conn, query + page, [*values, limit])]


def statement(
    conn: Conn, player: str, *, after: int = 0, before: int | None = None, limit: int | None = None
) -> list[Movement]:
    """Read the movements of a player's wallet after a position, with the balance after each.

    From ``before`` they are read backwards.
    """
    query, values = _STATEMENT, [player, wallet_id(player), after]
    if before is not None:
        query, values = query + _BEFORE, [*values, before]
    page = _PAGE if before is None else _PAGE_BACK
    return [Movement(*row) for row in select(conn, query + page, [*values, limit])]


def movement(row: TrailRow) -> Movement:
    """Return a line about a wallet as a movement of it."""
    place, who, amounts, _ = row
    before, after = amounts.balance_before, amounts.balance_after
    assert before is not None, row
    assert after is not None, row
    where = (place.position, place.happened_at, place.topic, who.hand, who.seat)
    return Movement(*where, amount=after - before, balance=after)


def _trail_row(row: TupleRow) -> TrailRow:
    """Put the columns of a row into their groups."""
    transfers = tuple(Transfer(*moved) for moved in row[_AMOUNTS])
    return TrailRow(
        Place(*row[:_WHO]),
        Who(*row[_WHO:_AMOUNTS]),
        Amounts(transfers, *row[_AMOUNTS + 1 : _OPERATOR]),
        OperatorColumns(*row[_OPERATOR:]),
    )


def _json(transfers: Sequence[Transfer]) -> str:
    """Return transfers as they are stored.

    Raises:
        ValueError: There is U+0000 in a name, which the view could not give out.
    """
    text = to_json(transfers).decode() if transfers else "[]"
    if "\\u0000" in text and any("\0" in str(field) for one in transfers for field in one):
        raise ValueError("U+0000 in a transfer")
    return text
