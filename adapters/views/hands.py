"""Every hand, one row each, in PostgreSQL."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Final

from psycopg import DataError
from psycopg.rows import TupleRow

from adapters.store.array_texts import numbers, texts
from adapters.store.postgres import Conn
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

# A hand's players and its place stay as they are; only who won is known later.
_PLAYERS: Final = """
    INSERT INTO projected_hand_players (generation, player, opened_position, won)
    SELECT %s, player, opened_position, won
      FROM unnest(%s::text[], %s::bigint[], %s::boolean[]) AS row (player, opened_position, won)
        ON CONFLICT (generation, player, opened_position) DO UPDATE SET won = excluded.won
     WHERE projected_hand_players.won <> excluded.won
"""
_DISCARDED: Final = "DELETE FROM projected_hand_players WHERE generation <> %s"
_BY_HAND: Final = """
    SELECT opened_position, array_agg(player ORDER BY player),
           coalesce(array_agg(player ORDER BY player) FILTER (WHERE won), '{}')
      FROM projected_hand_players WHERE generation = %s GROUP BY opened_position
"""

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
        seated = [(player, row) for row in rows for player in set(row.players)]
        values = [
            texts([player for player, _ in seated]),
            numbers(row.opened_position for _, row in seated),
            numbers(int(player in (row.winners or ())) for player, row in seated),
        ]
        self.conn.execute(_PLAYERS, [self.generation, *values])

    def by_hand(self) -> dict[int, tuple[list[str], list[str]]]:
        """Read who sat in each hand and who won, as pages of a player's hands have it.

        By the hand's place; players in the order of the alphabet.
        """
        found = self.conn.execute(_BY_HAND, [self.generation])
        return {place: (players, winners) for place, players, winners in found}

    def discard_others(self) -> None:
        """Delete the rows of every other generation."""
        super().discard_others()
        self.conn.execute(_DISCARDED, [self.generation])

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
        by_hand = self._rows.by_hand()
        for hand, row in sorted(self._derived.items()):
            found = by_hand.pop(row.opened_position, None)
            due = sorted(set(row.players)), sorted(set(row.winners or ()))
            if found != due:
                yield Difference(self.projection.name, hand, found, due)
        for place, found in sorted(by_hand.items()):
            yield Difference(self.projection.name, f"position {place}", found, None)


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
