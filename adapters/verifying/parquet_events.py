"""The history as Parquet: every event as it is stored, by the day it was recorded, in order.

In ``DIR/events/day=YYYY-MM-DD/part-NNNN.parquet`` one row is one event, with exactly what the event
table holds of it: so whoever has these files can check every hash and decide every hand again
(``verifying``). Bodies are as they are stored: sealed ones stay sealed, and where there is
no card key they show the cards of running hands too. ``DIR/events/_events.json`` says how many
there are. It is written last: without it the files are what an interrupted export left. Readers of
data sets pass it over, as they do whatever begins with ``_``.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Self

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from psycopg.rows import TupleRow

from adapters.errors import AdapterError
from adapters.store.postgres import Conn

Progress = Callable[[int], object]
"""Told how many events are done."""

FORMAT: Final = "jinhua-events/1"

SCHEMA: Final = pa.schema(
    [
        pa.field("position", pa.int64(), nullable=False),
        pa.field("originator_id", pa.string(), nullable=False),
        pa.field("originator_version", pa.int32(), nullable=False),
        pa.field("topic", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("body", pa.string(), nullable=False),
        pa.field("command_id", pa.string(), nullable=False),
        pa.field("actor", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("happened_at", pa.timestamp("us", tz="UTC"), nullable=False),
        pa.field("recorded_at", pa.timestamp("us", tz="UTC"), nullable=False),
        pa.field("link", pa.binary(32), nullable=False),
    ]
)
"""The columns, as those of the event table; a row is an ``adapters.store.chain.Linked``."""

GROUP_ROWS: Final = 32_768
GROUP_CHARACTERS: Final = 32_000_000  # of bodies: a few events may be very long
PART_GROUPS: Final = 32
"""A part is a million events, of which a group at a time is in memory."""

_EVENTS: Final = "events"
_WHOLE: Final = "_events.json"
_RECORDED_AT: Final = SCHEMA.get_field_index("recorded_at")
_BODY: Final = SCHEMA.get_field_index("body")

_ROWS: Final = f"SELECT {', '.join(SCHEMA.names)} FROM events ORDER BY position"  # noqa: S608 - constants
_FETCHED: Final = 5_000


class Extent(NamedTuple):
    """How much history there is."""

    events: int
    last_position: int


class ExportUnusableError(AdapterError):
    """Files that should be an export of the history are none, or not the whole of one."""

    code: ClassVar[str] = "export_unusable"

    def __init__(self, *, where: Path, reason: str) -> None:
        super().__init__(f"{where} is no export of a history: {reason}")
        self.where, self.reason = where, reason


def stored_rows(conn: Conn) -> Iterator[TupleRow]:
    """Yield the rows of the history by position, in a snapshot that the caller holds."""
    with conn.cursor(name="parquet_events") as cursor:
        cursor.itersize = _FETCHED
        yield from cursor.execute(_ROWS, binary=True)


def write_events(
    directory: Path, rows: Iterable[Sequence[Any]], progress: Progress = lambda _events: None
) -> Extent:
    """Write ``DIR/events``, in memory that does not grow, and return how much it holds.

    Args:
        directory: ``DIR``; made where there is none. Whatever else is in it is left alone.
        rows: In the order of positions, with the columns of :data:`SCHEMA` in their order:
            :func:`stored_rows`, or any other ``Linked``.
        progress: Told after every group of rows.

    Raises:
        FileExistsError: ``DIR/events`` is there already.
        OSError: It cannot be written.
    """
    events = directory / _EVENTS
    directory.mkdir(parents=True, exist_ok=True)
    events.mkdir()
    written, last_position = 0, 0
    with _Parts(events) as parts:
        for day, group in _groups(rows):
            parts.add(day, group)
            written, last_position = written + len(group), group[-1][0]
            progress(written)
    extent = Extent(written, last_position)
    (events / _WHOLE).write_text(json.dumps({"format": FORMAT, **extent._asdict()}) + "\n")
    return extent


def extent_of(directory: Path) -> Extent:
    """Return how much an export held when it was written.

    Raises:
        ExportUnusableError: There is none, it was not finished, or this program cannot read it.
    """
    file = directory / _EVENTS / _WHOLE
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        found = said.pop("format")
        extent = Extent(**said)
    except FileNotFoundError:
        reason = f"it lacks {_EVENTS}/{_WHOLE}, which is written when everything else is"
        raise ExportUnusableError(where=directory, reason=reason) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        reason = f"{_EVENTS}/{_WHOLE} is not as it was written"
        raise ExportUnusableError(where=directory, reason=reason) from None
    if found != FORMAT:
        raise ExportUnusableError(where=directory, reason=f"it is {found!r}, not {FORMAT!r}")
    return extent


def part_files(directory: Path) -> list[Path]:
    """Return the files of an export in the order of their first positions."""
    firsts = []
    for file in (directory / _EVENTS).glob("day=*/part-*.parquet"):
        try:
            groups = pq.read_metadata(file)
            statistics = groups.row_group(0).column(0).statistics
            firsts.append((statistics.min, file))
        except (pa.ArrowException, AttributeError, IndexError) as error:
            raise ExportUnusableError(where=file, reason=str(error)) from None
    return [file for _, file in sorted(firsts)]


class _Parts:
    """The file that is being written, and the next one where a day ends or the file is full."""

    def __init__(self, events: Path) -> None:
        self._events = events
        self._parts: Counter[date] = Counter()
        self._day: date | None = None
        self._groups = 0
        self._writer: pq.ParquetWriter | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def add(self, day: date, rows: Sequence[Sequence[Any]]) -> None:
        """Write a group of rows, all of one day."""
        if self._writer is None or day != self._day or self._groups == PART_GROUPS:
            self._writer = self._next(day)
        columns = zip(*rows, strict=True)
        arrays = [
            pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA))
        self._groups += 1

    def _next(self, day: date) -> pq.ParquetWriter:
        if self._writer is not None:
            self._writer.close()
        folder = self._events / f"day={day.isoformat()}"
        folder.mkdir(exist_ok=True)
        file = folder / f"part-{self._parts[day]:04}.parquet"
        self._parts[day] += 1
        self._day, self._groups = day, 0
        # Bodies and links hardly ever come twice, so a dictionary of them would only be in the way.
        repeated = ["originator_id", "topic", "command_id", "actor"]
        return pq.ParquetWriter(file, SCHEMA, compression="zstd", use_dictionary=repeated)


def _groups(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[date, list[Sequence[Any]]]]:
    """Cut rows into groups of one day that fit into memory."""
    group: list[Sequence[Any]] = []
    characters, day = 0, date.min
    for row in rows:
        recorded: datetime = row[_RECORDED_AT]
        its_day = recorded.astimezone(UTC).date()
        full = len(group) == GROUP_ROWS or characters >= GROUP_CHARACTERS
        if group and (full or its_day != day):
            yield day, group
            group, characters = [], 0
        day = its_day
        group.append(row)
        characters += len(row[_BODY])
    if group:
        yield day, group
