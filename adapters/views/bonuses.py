"""喜钱 of every player, in PostgreSQL."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from adapters.store.postgres import Conn
from adapters.views.feed import openings
from adapters.views.generation import Difference, Fold, Generation, select
from domain.events import HandOpened
from projections.bonuses import Bonuses, BonusesView, BonusRow

_ADD: Final = """
    INSERT INTO projected_bonuses AS kept
           (generation, player, category, rulebook, version, times, amount)
    SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::text[], %s::integer[],
                             %s::bigint[], %s::numeric[])
    ON CONFLICT (player, category, rulebook, version, generation) DO UPDATE
       SET times = kept.times + excluded.times, amount = kept.amount + excluded.amount
"""
_ROWS: Final = """
    SELECT player, category, rulebook, version, times, amount
      FROM projected_bonuses WHERE generation = %s
"""


class PostgresBonuses(Generation, BonusesView):
    """One generation of them."""

    table: ClassVar[str] = "projected_bonuses"

    def __init__(self, conn: Conn, generation: int) -> None:
        super().__init__(conn, generation)
        self.projection = Bonuses(self)

    def openings(self, streams: Collection[str]) -> Mapping[str, HandOpened]:
        """Read the first event of each hand."""
        return openings(self.conn, streams)

    def add(self, rows: Sequence[BonusRow]) -> None:
        """Add to the rows of the same keys, new or not, in one statement."""
        if rows:
            self.conn.execute(_ADD, [self.generation, *map(list, zip(*rows, strict=True))])

    def fold(self) -> "FoldedBonuses":
        """Begin with no row at all."""
        return FoldedBonuses(self)


class FoldedBonuses(Fold, BonusesView):
    """Bonuses in memory, to compare with."""

    def __init__(self, rows: PostgresBonuses) -> None:
        self.projection = Bonuses(self)
        self._rows = rows
        self._derived: dict[tuple[str, str, str, int], BonusRow] = {}

    def openings(self, streams: Collection[str]) -> Mapping[str, HandOpened]:
        """Read the first event of each hand."""
        return self._rows.openings(streams)

    def add(self, rows: Sequence[BonusRow]) -> None:
        """Add to the rows of the same keys, new or not."""
        for row in rows:
            so_far = self._derived.get(row.key)
            self._derived[row.key] = so_far.plus(row) if so_far else row

    def rows(self) -> list[BonusRow]:
        """Return them in the order of their keys."""
        return [self._derived[key] for key in sorted(self._derived)]

    def differences(self) -> Iterator[Difference]:
        """Yield the rows that differ."""
        found = select(self._rows.conn, _ROWS, [self._rows.generation])
        recorded = {row.key: row for row in (BonusRow(*row) for row in found)}
        for key in sorted(recorded.keys() | self._derived):
            kept, derived = recorded.get(key), self._derived.get(key)
            if kept != derived:
                yield Difference(self.projection.name, "/".join(map(str, key)), kept, derived)


def bonuses(conn: Conn, player: str | None = None) -> list[BonusRow]:
    """Read every row, or those of a player."""
    query, values = "SELECT player, category, rulebook, version, times, amount FROM bonuses", []
    if player is not None:
        query, values = f"{query} WHERE player = %s", [player]
    order = "ORDER BY player, category, rulebook, version"
    found = select(conn, f"{query} {order}", values)
    return [BonusRow(*row) for row in found]


def bonus_total(conn: Conn) -> int:
    """Return the 喜钱 of everybody together, minor units."""
    ((total,),) = select(conn, "SELECT coalesce(sum(amount), 0) FROM bonuses")
    return int(total)
