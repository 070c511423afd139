"""What the house took and gave, by day and kind of table, in PostgreSQL."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import ClassVar, Final, NamedTuple

from adapters.store.postgres import Conn
from adapters.views.feed import openings
from adapters.views.generation import Difference, Fold, Generation, select
from domain.events import HandOpened
from projections.house import House, HouseKey, HouseRow, HouseView

_ADD: Final = """
    INSERT INTO projected_house AS kept
           (generation, day, rulebook, version, ante, max_stake, rake, bank, bonus, rounding)
    SELECT %s, * FROM unnest(%s::date[], %s::text[], %s::integer[], %s::bigint[], %s::bigint[],
                             %s::numeric[], %s::numeric[], %s::numeric[], %s::numeric[])
    ON CONFLICT (day, rulebook, version, ante, max_stake, generation) DO UPDATE
       SET rake = kept.rake + excluded.rake, bank = kept.bank + excluded.bank,
           bonus = kept.bonus + excluded.bonus, rounding = kept.rounding + excluded.rounding
"""
_ROWS: Final = """
    SELECT day, rulebook, version, ante, max_stake, rake, bank, bonus, rounding
      FROM projected_house WHERE generation = %s
"""
_QUERY: Final = """
    SELECT day, rulebook, version, ante, max_stake, rake, bank, bonus, rounding
      FROM house WHERE true
"""
_FROM: Final = " AND day >= %s"
_BEFORE: Final = " AND day < %s"
_RULEBOOK: Final = " AND rulebook = %s"
_ORDER: Final = """
     ORDER BY day, rulebook, version, ante NULLS FIRST, max_stake NULLS FIRST
"""


class HouseFilter(NamedTuple):
    """Which days and tables; ``None`` leaves a condition out."""

    since: date | None = None  # the first day
    until: date | None = None  # the day after the last
    rulebook: str | None = None

    def admits(self, row: HouseRow) -> bool:
        """Tell whether a row is one of them."""
        return (
            (self.since is None or row.day >= self.since)
            and (self.until is None or row.day < self.until)
            and (self.rulebook is None or row.rulebook == self.rulebook)
        )


EVERY_DAY: Final = HouseFilter()


class PostgresHouse(Generation, HouseView):
    """One generation of it."""

    table: ClassVar[str] = "projected_house"

    def __init__(self, conn: Conn, generation: int) -> None:
        super().__init__(conn, generation)
        self.projection = House(self)

    def openings(self, streams: Collection[str]) -> Mapping[str, HandOpened]:
        """Read the first event of each hand."""
        return openings(self.conn, streams)

    def add(self, rows: Sequence[HouseRow]) -> None:
        """Add to the rows of the same keys, new or not, in one statement."""
        if rows:
            self.conn.execute(_ADD, [self.generation, *map(list, zip(*rows, strict=True))])

    def fold(self) -> "FoldedHouse":
        """Begin with no row at all."""
        return FoldedHouse(self)


class FoldedHouse(Fold, HouseView):
    """The house in memory, to compare with."""

    def __init__(self, rows: PostgresHouse) -> None:
        self.projection = House(self)
        self._rows = rows
        self._derived: dict[HouseKey, HouseRow] = {}

    def openings(self, streams: Collection[str]) -> Mapping[str, HandOpened]:
        """Read the first event of each hand."""
        return self._rows.openings(streams)

    def add(self, rows: Sequence[HouseRow]) -> None:
        """Add to the rows of the same keys, new or not."""
        for row in rows:
            so_far = self._derived.get(row.key)
            self._derived[row.key] = so_far.plus(row) if so_far else row

    def rows(self) -> list[HouseRow]:
        """Return them in the order in which :func:`house` reads them."""
        return sorted(self._derived.values(), key=_place)

    def differences(self) -> Iterator[Difference]:
        """Yield the rows that differ."""
        found = select(self._rows.conn, _ROWS, [self._rows.generation])
        recorded = {row.key: row for row in (HouseRow(*row) for row in found)}
        for key in sorted(recorded.keys() | self._derived, key=str):
            kept, derived = recorded.get(key), self._derived.get(key)
            if kept != derived:
                yield Difference(self.projection.name, "/".join(map(str, key)), kept, derived)


def house(conn: Conn, wanted: HouseFilter) -> list[HouseRow]:
    """Read the rows of some days and tables, in the order of days."""
    query = _QUERY
    values: list[date | str] = []
    for condition, value in zip((_FROM, _BEFORE, _RULEBOOK), wanted, strict=True):
        if value is not None:
            query, values = query + condition, [*values, value]
    return [HouseRow(*row) for row in select(conn, query + _ORDER, values)]


def _place(row: HouseRow) -> tuple[date, str, int, int, int]:
    """Return what rows are sorted by: an amount that there is none of comes before all others."""
    ante, max_stake = (-1 if amount is None else amount for amount in (row.ante, row.max_stake))
    return row.day, row.rulebook, row.version, ante, max_stake
