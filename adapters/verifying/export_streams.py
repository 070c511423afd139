"""An export's events laid out by stream, as verification needs them, in memory that does not grow.

An export is in the order of positions, so the events of one wallet, or of a hand that was claimed
late, are all over it. It is read twice. The first time a sample of the streams' ids tells where to
cut them into buckets of so many events each; the second time every event is dealt out to the file
of its bucket, in a scratch directory that gets about as large as the export. A wallet's event that
names a hand goes to that hand's bucket too. So a bucket is checked without looking into another,
wherever that directory can be read; and each is read whole, but for a stream that fills a bucket by
itself: that one is streamed as it lies there.

Nothing is looked up by row group: streams are spread so much that every range of them has events in
nearly every group, and to skip groups would save next to nothing.
"""

import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from pydantic_core import from_json

from adapters.errors import AdapterError
from adapters.store.chain import Linked
from adapters.verifying.parquet_events import SCHEMA, ExportUnusableError, extent_of, part_files
from adapters.verifying.portions import Portion
from adapters.verifying.streams import gap, stranger
from domain.discrepancies import Discrepancy
from domain.events import CarryReleased, CarryReserved
from domain.hand import hand_stream

BUCKET_EVENTS: Final = 10_000
BUCKETS_MAX: Final = 1_000
"""Beyond ten million events buckets get larger instead: each needs a file, and a part of memory."""

SAMPLED: Final = 100
"""One event of so many tells where streams are, at first; of a long history fewer do."""

_SAMPLE_MAX: Final = 200_000
_BATCH_ROWS: Final = 32_768
_ROWS_AT_ONCE: Final = 5_000

_KINDS: Final = ("dispute", "hand", "wallet")
_ENDS: Final = frozenset(f"{kind};" for kind in _KINDS)
_NOWHERE: Final = -1
_COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="lz4")
_CUSTODY: Final = pa.array([CarryReserved.TOPIC, CarryReleased.TOPIC])
_PLAIN: Final = pa.schema(
    pa.field(f.name, pa.string() if pa.types.is_dictionary(f.type) else f.type, nullable=False)
    for f in SCHEMA
)
_BY_STREAM: Final = [("originator_id", "ascending"), ("originator_version", "ascending")]


class ScratchError(AdapterError):
    """What was laid out is not to be found where it is to be checked."""

    code: ClassVar[str] = "scratch_missing"

    def __init__(self, *, file: Path) -> None:
        super().__init__(
            f"{file} is not there, or not whole; whoever shares the work has to reach --scratch"
        )
        self.file = file


@dataclass(frozen=True)
class Bucket(Portion):
    """A portion that is kept in files."""

    number: int = 0
    rows: int = 0
    moves: int = 0
    """Events of wallets that name a hand of it."""


class LaidOut(NamedTuple):
    """An export laid out, and what was found on the way."""

    buckets: list[Bucket]
    found: list[Discrepancy]
    position: int
    link: bytes
    """Of the last event."""


def lay_out(
    directory: Path, scratch: Path, progress: Callable[[int], object] = lambda _events: None
) -> LaidOut:
    """Deal an export out to buckets.

    Args:
        directory: Of the export.
        scratch: An empty directory.
        progress: Told how many events are done.

    Raises:
        ExportUnusableError: It is no export, or was not finished.
        OSError: It cannot be read, or not be laid out.
    """
    extent = extent_of(directory)
    files = part_files(directory)
    order = _Order()
    dealing = _Dealing(scratch, _bounds(files))
    done = 0
    for table in _tables(files):
        order.follow(table)
        dealing.deal(table)
        done += len(table)
        progress(done)
    order.end(extent.last_position)
    found = order.found + dealing.strangers
    return LaidOut(dealing.buckets(), found, order.before, order.link)


def rows_of(scratch: Path, bucket: Bucket) -> Iterator[Linked]:
    """Yield the events of a bucket, stream by stream, each in its order.

    Raises:
        ScratchError: They are not there.
    """
    file = _file(scratch, bucket.number, "rows")
    if bucket.streams:  # one alone, and in order of position already
        yield from _linked(_batches(file, bucket.rows))
        return
    tables = list(_batches(file, bucket.rows))
    if tables:
        yield from _linked([pa.concat_tables(tables).sort_by(_BY_STREAM)])


def moves_of(scratch: Path, bucket: Bucket) -> Iterator[Linked]:
    """Yield the events of wallets that name hands of a bucket, by position.

    Raises:
        ScratchError: They are not there.
    """
    yield from _linked(_batches(_file(scratch, bucket.number, "moves"), bucket.moves))


# --- reading the export --------------------------------------------------------------


def _tables(files: Iterable[Path], columns: Sequence[str] = tuple(SCHEMA.names)) -> Iterator[Any]:
    """Yield the rows of files a batch at a time, as tables without dictionaries.

    Raises:
        ExportUnusableError: A file is damaged, or lacks what an export has.
    """
    schema = pa.schema([_PLAIN.field(name) for name in columns])
    for file in files:
        try:
            with pq.ParquetFile(file) as source:
                for batch in source.iter_batches(_BATCH_ROWS, columns=list(columns)):
                    yield pa.Table.from_batches([batch]).select(columns).cast(schema)
        except (pa.ArrowException, KeyError) as error:
            raise ExportUnusableError(where=file, reason=str(error)) from None


def _bounds(files: Sequence[Path]) -> list[str]:
    """Return where buckets begin, in order: the kinds of stream, and nothing between them."""
    every, skipped, sample = SAMPLED, 0, list[str]()
    for table in _tables(files, ["originator_id"]):
        places = pa.array(range(skipped, len(table), every), pa.int64())
        sample += table.column(0).take(places).to_pylist()
        skipped = (skipped - len(table)) % every
        if len(sample) > _SAMPLE_MAX:
            sample, every = sample[::2], every * 2
    bounds = set[str]()
    for kind in _KINDS:
        begin, end = f"{kind}:", f"{kind};"
        of_kind = sorted(stream for stream in sample if begin <= stream < end)
        wanted = min(len(of_kind) * every // BUCKET_EVENTS, BUCKETS_MAX // len(_KINDS))
        cuts = [of_kind[n * len(of_kind) // wanted] for n in range(1, wanted)]
        # A stream that would fill several buckets gets one, and nobody else is in it.
        alone = {f"{cut}\0" for cut, following in pairwise(cuts) if cut == following}
        bounds |= {begin, end, *cuts, *alone}
    return sorted(bounds)


class _Order:
    """Follows the positions."""

    def __init__(self) -> None:
        self.before = 0
        self.link = b""
        self.found: list[Discrepancy] = []

    def follow(self, table: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        """Look at the next events."""
        positions = table.column("position")
        first, last = positions[0].as_py(), positions[-1].as_py()
        steps = pc.pairwise_diff(positions.combine_chunks())
        steady = first == self.before + 1 and pc.all(pc.equal(steps, 1), min_count=0).as_py()
        for position in [] if steady else positions.to_pylist():
            if position > self.before + 1:
                self.found.append(gap(self.before + 1, position - 1))
            elif position <= self.before:
                due = f"> {self.before}"
                self.found.append(
                    Discrepancy("ledger", position, "position", position, due, "ledger")
                )
            self.before = max(self.before, position)
        self.before = max(self.before, last)
        self.link = table.column("link")[-1].as_py()

    def end(self, last_position: int) -> None:
        """Hold the last one against what the export should hold."""
        if self.before < last_position:
            self.found.append(gap(self.before + 1, last_position))
        elif self.before > last_position:
            found = Discrepancy(
                "ledger", self.before, "position", self.before, f"<= {last_position}", "ledger"
            )
            self.found.append(found)


# --- dealing out ---------------------------------------------------------------------


class _Dealing:
    """The files of the buckets, as they are filled."""

    def __init__(self, scratch: Path, bounds: Sequence[str]) -> None:
        self._scratch, self._bounds = scratch, bounds
        self._counts = {"rows": Counter[int](), "moves": Counter[int]()}
        self.strangers: list[Discrepancy] = []
        for bucket in self.buckets():
            for what in self._counts:
                _file(scratch, bucket.number, what).touch(exist_ok=False)

    def buckets(self) -> list[Bucket]:
        """Return the buckets, in the order of their streams."""
        rows, moves = self._counts["rows"], self._counts["moves"]
        return [
            Bucket(
                first.partition(":")[0],
                first,
                before,
                (first,) if before == f"{first}\0" else (),
                number,
                rows[number],
                moves[number],
            )
            for number, (first, before) in enumerate(pairwise(self._bounds))
            if first not in _ENDS
        ]

    def deal(self, table: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        """Write each event to where it belongs."""
        streams = table.column("originator_id").combine_chunks().dictionary_encode()
        numbers = [self._number(stream) for stream in streams.dictionary.to_pylist()]
        places = pa.array(numbers, pa.int32()).take(streams.indices)
        self._write("rows", table, places)
        outside = table.filter(pc.equal(places, _NOWHERE)).select(["position", "originator_id"])
        self.strangers += starmap(stranger, zip(*outside.to_pydict().values(), strict=True))
        moves = table.filter(pc.is_in(table.column("topic"), _CUSTODY))
        named = [self._number_of_named(body) for body in moves.column("body").to_pylist()]
        self._write("moves", moves, pa.array(named, pa.int32()))

    def _number(self, stream: str) -> int:
        place = bisect_right(self._bounds, stream) - 1
        outside = place < 0 or self._bounds[place] in _ENDS
        return _NOWHERE if outside else place

    def _number_of_named(self, body: str) -> int:
        """Return the bucket of the hand that an event of a wallet names."""
        try:
            return self._number(hand_stream(from_json(body)["hand"]))
        except (ValueError, LookupError, TypeError):
            return _NOWHERE  # its wallet's check says what is wrong with it

    def _write(self, what: str, table: Any, places: Any) -> None:  # noqa: ANN401 - as above
        dealt = table.take(pc.sort_indices(places))
        counts = {count["values"]: count["counts"] for count in places.value_counts().to_pylist()}
        begin = 0
        for number in sorted(counts):
            if number != _NOWHERE:
                with (
                    _file(self._scratch, number, what).open("ab") as file,
                    pa.ipc.new_stream(file, _PLAIN, options=_COMPRESSED) as stream,
                ):
                    stream.write_table(dealt.slice(begin, counts[number]))
                self._counts[what][number] += counts[number]
            begin += counts[number]


def _file(scratch: Path, number: int, what: str) -> Path:
    return scratch / f"{number:05}.{what}"


def _batches(file: Path, rows: int) -> Iterator[Any]:
    """Yield what was written to a file, in the order in which it was.

    Raises:
        ScratchError: It is not all there.
    """
    try:
        with file.open("rb") as source:
            size = os.fstat(source.fileno()).st_size
            while source.tell() < size:
                with pa.ipc.open_stream(source) as stream:
                    for batch in stream:
                        rows -= len(batch)
                        yield pa.Table.from_batches([batch])
    except (FileNotFoundError, pa.ArrowException):
        raise ScratchError(file=file) from None
    if rows:
        raise ScratchError(file=file)


def _linked(tables: Iterable[Any]) -> Iterator[Linked]:
    """Yield the rows of tables, of which only some are in memory as objects."""
    for table in tables:
        for begin in range(0, len(table), _ROWS_AT_ONCE):
            columns = table.slice(begin, _ROWS_AT_ONCE).to_pydict().values()
            yield from map(Linked, *columns)
