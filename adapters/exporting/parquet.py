"""``parquet``: the tables as typed data sets, each a directory with a directory a day.

A file is called ``DIR/hands/day=2026-01-02/part-0000.parquet``. DuckDB, pandas, Spark and the like
read a data set as one table of which ``day`` is a column. Rows wait in memory until there are many;
then each day gets a file of those that are its own.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Final

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from adapters.exporting.errors import AmountTooLargeError, NotForEyesError
from adapters.exporting.source import Export
from adapters.exporting.tables import COLUMNS, Kind, Row, Table, rows_of, rows_of_wallets
from adapters.exporting.viewers import AUDITOR
from adapters.verifying.parquet_events import stored_rows, write_events
from domain.events import ENDINGS, CardsDealt
from domain.money import MAX_AMOUNT

# Of all that is in the history: the list of hands may not have come so far.
_IN_THE_CLEAR: Final = """
    SELECT substr(originator_id, 6) FROM events AS deal
     WHERE topic = %s AND NOT starts_with(body, '{"sealed":')
       AND NOT EXISTS (SELECT FROM events
                        WHERE originator_id = deal.originator_id AND topic = ANY(%s))
     LIMIT 1
"""

TABLES: Final[tuple[Table, ...]] = ("hands", "seats", "transfers")

WAITING_MAX: Final = 50_000
"""Rows of one table that wait in memory."""

_TYPES: Final[Mapping[Kind, pa.DataType]] = {
    "text": pa.string(),
    "integer": pa.int64(),
    "amount": pa.int64(),
    "time": pa.timestamp("us", tz="UTC"),
    "flag": pa.bool_(),
    "texts": pa.list_(pa.string()),
    "integers": pa.list_(pa.int64()),
}


def write(export: Export, directory: Path, *, raw: bool = False) -> None:
    """Write the data sets into a directory that is there; one without rows is an empty file.

    Args:
        export: What.
        directory: Where.
        raw: The events too, as they are stored: what ``jinhua verify --parquet`` reads.

    Raises:
        NotForEyesError: Events as they are stored are not for this viewer, or not now.
    """
    if raw:
        _check_raw(export)
        write_events(directory, stored_rows(export.conn))
    sets = {table: DataSet(directory / table, table) for table in TABLES}
    for hand in export.hands():
        told = {table: list(rows_of(hand, table)) for table in TABLES}
        if any(_is_beyond(row) for rows in told.values() for row in rows):
            export.refuse(AmountTooLargeError(hand=hand.hand))
            continue
        for table, rows in told.items():
            sets[table].add(rows)
        export.wrote()
    for table, of_table in sets.items():
        for row in rows_of_wallets(export, table):
            of_table.add([row])
        of_table.close()


def schema_of(table: Table) -> pa.Schema:
    """Return a table's columns with their types."""
    return pa.schema([(name, _TYPES[kind]) for name, kind in COLUMNS[table].items()])


class DataSet:
    """A directory with a directory a day."""

    def __init__(self, directory: Path, table: Table) -> None:
        """Begin with no rows."""
        self._directory = directory
        self._schema = schema_of(table)
        self._waiting: defaultdict[date, list[Row]] = defaultdict(list)
        self._count = 0
        self._parts: Counter[date] = Counter()
        directory.mkdir()

    def add(self, rows: list[Row]) -> None:
        """Take rows in."""
        for row in rows:
            self._waiting[row.day].append(row)
        self._count += len(rows)
        if self._count >= WAITING_MAX:
            self._write_waiting()

    def close(self) -> None:
        """Write what is left; a data set without any row says its columns all the same."""
        self._write_waiting()
        if not self._parts:
            pq.write_table(self._schema.empty_table(), self._directory / "empty.parquet")

    def _write_waiting(self) -> None:
        for day, rows in sorted(self._waiting.items()):
            folder = self._directory / f"day={day.isoformat()}"
            folder.mkdir(exist_ok=True)
            columns = zip(*(row.values for row in rows), strict=True)
            arrays = [
                pa.array(column, field.type)
                for column, field in zip(columns, self._schema, strict=True)
            ]
            part = folder / f"part-{self._parts[day]:04}.parquet"
            pq.write_table(
                pa.Table.from_arrays(arrays, schema=self._schema), part, compression="zstd"
            )
            self._parts[day] += 1
        self._waiting.clear()
        self._count = 0


def _check_raw(export: Export) -> None:
    """Refuse to give out events as they are stored to whoever may not see all that is in them.

    Raises:
        NotForEyesError: The viewer is no auditor, the export is of some hands only, or a hand is
            running whose cards lie in the clear.
    """
    if export.choice.viewer != AUDITOR or not export.choice.is_whole:
        raise NotForEyesError("events as they are stored are for an auditor, and of all hands")
    endings = [ending.TOPIC for ending in ENDINGS]
    for (hand,) in export.conn.execute(_IN_THE_CLEAR, [CardsDealt.TOPIC, endings]):
        raise NotForEyesError(f"hand {hand} is running, and its cards are not sealed")


def _is_beyond(row: Row) -> bool:
    """Tell whether a number of a row does not fit its column."""
    return any(type(value) is int and abs(value) > MAX_AMOUNT for value in row.values)
