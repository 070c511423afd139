"""Every dispute, one row each, in PostgreSQL; found by state, hand, whose, and whether overdue."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final, NamedTuple

from adapters.store.postgres import Conn
from adapters.views.generation import Difference, Fold, Generation, select
from projections.disputes import DisputeRow, Disputes, DisputesView, State

_COPY: Final = "COPY projected_disputes FROM STDIN"
_REPLACED: Final = """
    DELETE FROM projected_disputes WHERE generation = %s AND dispute = ANY(%s::text[])
"""
_ROWS: Final = "SELECT * FROM projected_disputes WHERE generation = %s"
_SOME: Final = f"{_ROWS} AND dispute = ANY(%s::text[])"


class DisputeFilter(NamedTuple):
    """Which disputes: those that meet every condition. ``None`` leaves a condition out."""

    state: State | None = None
    hand: str | None = None
    overdue: datetime | None = None  # not ruled at that moment, though it was due before it
    by: str | None = None  # whose it is
    tables: tuple[str, ...] | None = None  # about a hand whose id begins with one of them and "/"


EVERY_DISPUTE: Final = DisputeFilter()

_QUERY: Final = "SELECT * FROM disputes WHERE opened_position > %(after)s"
_OF_TABLES: Final = "hand ^@ ANY(SELECT t || '/' FROM unnest(%(tables)s::text[]) AS t)"
_CONDITIONS: Final = {
    "state": " AND state = %(state)s",
    "hand": " AND hand = %(hand)s",
    "overdue": """ AND due < %(overdue)s AND opened_at <= %(overdue)s
        AND (ruled_at IS NULL OR ruled_at > %(overdue)s)""",
    "by": ' AND "by" = %(by)s',
    "tables": f" AND {_OF_TABLES}",
}
_BEFORE: Final = " AND opened_position < %(before)s"
_PAGE: Final = " ORDER BY opened_position LIMIT %(limit)s"
_PAGE_BACK: Final = " ORDER BY opened_position DESC LIMIT %(limit)s"

_OPEN: Final = f"""
    SELECT count(*), count(*) FILTER (WHERE due < %(at)s) FROM disputes
     WHERE state = 'open' AND (%(tables)s::text[] IS NULL OR {_OF_TABLES})
"""  # noqa: S608 - a constant


class PostgresDisputes(Generation, DisputesView):
    """One generation of them."""

    table: ClassVar[str] = "projected_disputes"

    def __init__(self, conn: Conn, generation: int) -> None:
        super().__init__(conn, generation)
        self.projection = Disputes(self)

    def rows(self, disputes: Collection[str] | None = None) -> dict[str, DisputeRow]:
        """Read the rows of some disputes, or all."""
        if disputes is None:
            found = select(self.conn, _ROWS, [self.generation])
        else:
            found = select(self.conn, _SOME, [self.generation, list(disputes)])
        return {row[0]: DisputeRow(*row[:-1]) for row in found}

    def put(self, rows: Sequence[DisputeRow]) -> None:
        """Copy rows in, in the place of those of the same disputes."""
        self.conn.execute(_REPLACED, [self.generation, [row.dispute for row in rows]])
        with self.conn.cursor() as cursor, cursor.copy(_COPY) as copy:
            for row in rows:
                copy.write_row((*row, self.generation))

    def fold(self) -> "FoldedDisputes":
        """Begin with no row at all."""
        return FoldedDisputes(self)


class FoldedDisputes(Fold, DisputesView):
    """Disputes in memory, to compare with."""

    def __init__(self, rows: PostgresDisputes) -> None:
        self.projection = Disputes(self)
        self._rows = rows
        self._derived: dict[str, DisputeRow] = {}

    def rows(self, disputes: Collection[str]) -> Mapping[str, DisputeRow]:
        """Return the rows of those disputes that have one."""
        return {one: self._derived[one] for one in disputes if one in self._derived}

    def put(self, rows: Sequence[DisputeRow]) -> None:
        """Keep rows."""
        self._derived.update((row.dispute, row) for row in rows)

    def differences(self) -> Iterator[Difference]:
        """Yield the rows that differ."""
        recorded = self._rows.rows()
        for dispute in sorted(recorded.keys() | self._derived):
            kept, derived = recorded.get(dispute), self._derived.get(dispute)
            if kept != derived:
                yield Difference(self.projection.name, dispute, kept, derived)


class OpenDisputes(NamedTuple):
    """How many wait for their verdict."""

    waiting: int
    overdue: int  # of these


def disputes(
    conn: Conn,
    wanted: DisputeFilter,
    *,
    after: int = 0,
    before: int | None = None,
    limit: int | None = None,
) -> list[DisputeRow]:
    """Read disputes in the order in which they were opened, or backwards from a position.

    Args:
        conn: Whose role may read views.
        wanted: Which.
        after: The position of an opening to read on from.
        before: The position of an opening to read backwards from; None is not backwards.
        limit: The number of disputes at most.
    """
    given = {name: value for name, value in wanted._asdict().items() if value is not None}
    query = _QUERY + "".join(_CONDITIONS[name] for name in given)
    query += _PAGE if before is None else _BEFORE + _PAGE_BACK
    values = {**given, "tables": _listed(wanted.tables), "after": after, "before": before}
    found = conn.execute(query, {**values, "limit": limit}).fetchall()
    return [DisputeRow(*row) for row in found]


def open_disputes(conn: Conn, at: datetime, tables: Collection[str] | None = None) -> OpenDisputes:
    """Count the disputes that wait for their verdict, and those of them that are overdue.

    Args:
        conn: Whose role may read views.
        at: When.
        tables: Only those about hands of these tables.
    """
    row = conn.execute(_OPEN, {"at": at, "tables": _listed(tables)}).fetchone()
    assert row is not None, "a count is one row"
    return OpenDisputes(*row)


def _listed(tables: Collection[str] | None) -> list[str] | None:
    """Return tables as an array of PostgreSQL is written."""
    return None if tables is None else list(tables)
