"""Every hand, one row each, in PostgreSQL."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Final

from psycopg import DataError
from psycopg.rows import TupleRow

from adapters.array_texts import texts
from adapters.postgres import Conn
from adapters.views.feed import read_streams_of
from adapters.views.generation import Difference, Fold, Generation, select
from domain.events import HandSettled, Settlement
from domain.hand import hand_of, hand_stream
from projections.hands.hands import Hands
from projections.hands.row import HandRow, HandsView

_COPY: Final = "COPY projected_hands FROM STDIN"
_REPLACED: Final = "DELETE FROM projected_hands WHERE generation = %s AND hand = ANY(%s::text[])"
_ROWS: Final = "SELECT * FROM projected_hands WHERE generation = %s"
_SOME: Final = f"{_ROWS} AND hand = ANY(%s::text[])"

_ARRAYS: Final = tuple(HandRow._fields.index(name) for name in ("seats", "players", "flags"))
_WINNERS: Final = HandRow._fields.index("winners")


class PostgresHands(Generation, HandsView):
    """One generation of them."""

    table: ClassVar[str] = "projected_hands"

    def __init__(self, conn: Conn, generation: int) -> None:
        super().__init__(conn, generation)
        self.projection = Hands(self)

    def rows(self, hands: Collection[str] | None = None) -> dict[str, HandRow]:
        """Read the rows of some hands, or all."""
        if hands is None:
            found = select(self.conn, _ROWS, [self.generation])
        else:
            found = select(self.conn, _SOME, [self.generation, list(hands)]) if hands else []
        return {row[0]: hand_row(row) for row in found}

    def settlements(self, hands: Collection[str]) -> dict[str, Settlement]:
        """Read them from the history."""
        streams = [hand_stream(hand) for hand in sorted(hands)]
        return {
            hand_of(recorded.entry.originator_id): recorded.entry.event.settlement
            for recorded in read_streams_of(self.conn, streams, HandSettled.TOPIC).recorded
            if isinstance(recorded.entry.event, HandSettled)
        }

    def put(self, rows: Sequence[HandRow]) -> None:
        """Copy rows in, in the place of those of the same hands."""
        self.conn.execute(_REPLACED, [self.generation, [row.hand for row in rows]])
        with self.conn.cursor() as cursor, cursor.copy(_COPY) as copy:
            for row in rows:
                copy.write_row((*map(_written, row), self.generation))

    def fold(self) -> "FoldedHands":
        """Begin with no row at all."""
        return FoldedHands(self)


class FoldedHands(Fold, HandsView):
    """Hands in memory, to compare with."""

    def __init__(self, rows: PostgresHands) -> None:
        self.projection = Hands(self)
        self._rows = rows
        self._derived: dict[str, HandRow] = {}

    def rows(self, hands: Collection[str]) -> Mapping[str, HandRow]:
        """Return the rows of those hands that have one."""
        return {hand: self._derived[hand] for hand in hands if hand in self._derived}

    def settlements(self, hands: Collection[str]) -> Mapping[str, Settlement]:
        """Read them from the history."""
        return self._rows.settlements(hands)

    def put(self, rows: Sequence[HandRow]) -> None:
        """Keep rows."""
        self._derived.update((row.hand, row) for row in rows)

    def differences(self) -> Iterator[Difference]:
        """Yield the rows that differ."""
        recorded = self._rows.rows()
        for hand in sorted(recorded.keys() | self._derived):
            kept, derived = recorded.get(hand), self._derived.get(hand)
            if kept != derived:
                yield Difference(self.projection.name, hand, kept, derived)


def hand_row(row: TupleRow) -> HandRow:
    """Return the columns of a row as a hand."""
    values = list(row[: len(HandRow._fields)])
    for place in _ARRAYS:
        values[place] = tuple(values[place])
    if values[_WINNERS] is not None:
        values[_WINNERS] = tuple(values[_WINNERS])
    return HandRow(*values)


def _written(value: object) -> object:
    """Return a value as it is copied in: an array as one text, which is several times as fast."""
    return _array(value) if type(value) is tuple else value


@lru_cache(maxsize=4096)
def _array(values: tuple[int, ...] | tuple[str, ...]) -> str | list[object]:
    """Return an array; the same seats and flags come with thousands of hands."""
    try:
        return texts(list(map(str, values)))
    except DataError:
        return list(values)  # the driver says what is wrong with it
