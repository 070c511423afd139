"""Keeps the read models: events by the thousand, each counted exactly once.

Read models that are equally far are given the same stretch of the history, read and decoded once;
each takes it in in a transaction of its own, with its own position, so none waits for another.
The disk is waited for once a stretch, by the last of them, for all; meanwhile the next is read.
Two projectors take turns at a read model; one that is killed leaves its step undone.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Final, NamedTuple, Self

from psycopg.rows import TupleRow

from adapters.errors import StoreUnreachableError
from adapters.garbage import without_collector
from adapters.store.postgres import SNAPSHOT, Conn, Store
from adapters.views.catalogue import FED_BY, READ_MODELS
from adapters.views.feed import Stretch, head, read, read_positions, read_stretch
from adapters.views.generation import Difference, take_in
from adapters.views.parking import (
    ParkedEvent,
    forget_others,
    park,
    parked,
    parked_among,
    parked_positions,
    unpark,
)
from adapters.views.tracking import Tracked, advance, lock, record, take_in_or_park, tracked

ROLE: Final = "jinhua_projector"
BATCH: Final = 5_000  # positions a transaction
_RETRIES: Final = 500  # parked events a transaction

Progress = Callable[[str, int, int], object]
"""Told a projection, the position that it has reached and the one to reach."""

# Any constant will do, so long as it never changes: "rebuild" in ASCII.
_REBUILD: Final = int.from_bytes(b"rebuild") % 2**31
_LOCK_REBUILD: Final = "SELECT pg_advisory_lock(%s, hashtext(%s))"
_UNLOCK_REBUILD: Final = "SELECT pg_advisory_unlock(%s, hashtext(%s))"
_AGES: Final = """
    SELECT name, greatest(extract(epoch FROM clock_timestamp() - coalesce(
                     (SELECT recorded_at FROM events e WHERE e.position = p.position + 1),
                     'infinity')), 0)
      FROM projections p
"""


class Retried(NamedTuple):
    """What became of the parked events of a projection that were tried again."""

    taken_in: int
    still_parked: int


class Projector:
    """Keeps the read models of a store up to date, rebuilds them, and checks them."""

    def __init__(self, store: Store, *, batch: int = BATCH) -> None:
        """Work on a store, in the role :data:`ROLE`, so many positions a transaction."""
        self._store = store
        self._batch = batch

    def positions(self) -> dict[str, int]:
        """Return the position up to which each projection has taken in everything."""
        return {name: at.position for name, at in self._store.run(tracked).items()}

    def lag(self) -> dict[str, int]:
        """Return how many events each projection is behind."""
        positions, last = self.positions(), self._store.run(head)
        return {name: max(last - position, 0) for name, position in positions.items()}

    def ages(self) -> dict[str, float]:
        """Return for how many seconds the oldest event has been there that a projection lacks.

        0 where it lacks none. By the server's clock, which says when an event was recorded.
        """
        return {name: float(age) for name, age in self._store.run(_ages)}

    def catch_up(
        self, names: Iterable[str] | None = None, progress: Progress | None = None
    ) -> dict[str, int]:
        """Take in every event that is there when this begins.

        Args:
            names: Of projections; all of them if not given.
            progress: Told after every transaction.

        Returns:
            The position that each has reached.

        Raises:
            Exception: Whatever stopped a projection, once the others are there.
        """
        chosen, upto = checked(names), self._store.run(head)
        positions = self.positions()
        course = _Course({name: positions[name] for name in chosen}, upto, progress)
        with _Reading(self._store) as reading:
            while behind := course.behind():
                with without_collector():
                    self._take_further(behind, course, reading)
        for error in course.stopped.values():
            raise error
        return course.reached

    def rebuild(
        self, names: Iterable[str] | None = None, progress: Progress | None = None
    ) -> dict[str, int]:
        """Build projections anew from the first event on, beside the ones that are read.

        Readers see the old rows until the new ones are complete, and never some of each. Killed,
        it leaves the old ones as they were; what it had built goes with the next rebuild.

        Returns:
            The position that each has reached.
        """
        return {name: self._rebuild(name, progress) for name in checked(names)}

    def parked(self) -> list[ParkedEvent]:
        """Return the events that could not be taken in."""
        return self._store.run(parked)

    def retry_parked(
        self, names: Iterable[str] | None = None, progress: Progress | None = None
    ) -> dict[str, Retried]:
        """Try again to take in what was parked, once the program can read it.

        What it still cannot take in stays parked, with the reason of this time.
        """
        return {name: self._retry_parked(name, progress) for name in checked(names)}

    def compare_with_fresh_fold(
        self, names: Iterable[str] | None = None, progress: Progress | None = None
    ) -> Iterator[Difference]:
        """Fold all events anew, and yield where a projection, as far as it has come, differs.

        What it has parked is no difference; :meth:`parked` tells of that. Events come and go
        through memory; accounts with chips in them and rows of bonuses stay.
        """
        for name in checked(names):
            with self._store.connection() as conn, conn.transaction():
                conn.execute(SNAPSHOT)
                yield from _differences(conn, tracked(conn)[name], self._batch, progress)

    def _take_further(
        self, behind: Mapping[str, int], course: "_Course", reading: "_Reading"
    ) -> None:
        """Give the next stretch to the projections that are furthest behind.

        It ends where others are, so that from there on they go together.
        """
        after, upto = min(behind.values()), course.upto
        names = [name for name, at in behind.items() if at == after]
        end = min(after + self._batch, upto, *(at for at in behind.values() if at > after))
        stretch = reading.stretch(_Part(after, end, _topics(names)))
        if end < upto:
            # What comes next, unless one of them stops here or somebody else is faster.
            going_on = [name for name, at in behind.items() if at in (after, end)]
            further = min(end + self._batch, upto, *(at for at in behind.values() if at > end))
            reading.begin(_Part(end, further, _topics(going_on)))
        for name in names:
            step = partial(_step, name=name, stretch=stretch, soon=name != names[-1])
            try:
                position = self._store.run(step)
            except StoreUnreachableError:
                raise
            except Exception as error:  # noqa: BLE001 - the others go on; raised when they are there
                course.stopped[name] = error
            else:
                course.came_to(name, position)

    def _rebuild(self, name: str, progress: Progress | None) -> int:
        """Fill the next generation, catch up with what happened meanwhile, and switch."""
        # One connection from beginning to end: where it breaks off, the rebuild was none.
        with self._store.connection() as conn, _only_rebuild(conn, name):
            live = _discard_others(conn, name)
            building = Tracked(name, live.generation + 1, 0)
            while building.position < (upto := head(conn)):
                building = _fill(conn, building, min(building.position + self._batch, upto))
                if progress:
                    progress(name, building.position, upto)
            with conn.transaction():
                live = lock(conn, name)
                upto = max(live.position, building.position)
                building = advance(conn, building, _next(conn, building, upto))
                record(conn, building)
            _discard_others(conn, name)
        return building.position

    def _retry_parked(self, name: str, progress: Progress | None) -> Retried:
        """Try again in the order of positions, a batch a transaction."""
        upto, tried = self.positions()[name], dict[int, bool]()
        while more := self._store.run(partial(_retry, name=name, after=max(tried, default=0))):
            tried |= more
            if progress:
                progress(name, max(tried), upto)
        return Retried(sum(tried.values()), len(tried) - sum(tried.values()))


class _Course:
    """How far each projection has come on its way to a position, and what stopped it."""

    def __init__(self, reached: dict[str, int], upto: int, progress: Progress | None) -> None:
        self.reached, self.upto = reached, upto
        self.stopped: dict[str, Exception] = {}
        self._progress = progress

    def behind(self) -> dict[str, int]:
        """Return the positions of those that are to go further."""
        reached = self.reached.items()
        return {n: at for n, at in reached if at < self.upto and n not in self.stopped}

    def came_to(self, name: str, position: int) -> None:
        """Note what a projection has reached, once that is committed."""
        self.reached[name] = position
        if self._progress:
            self._progress(name, position, self.upto)


class _Part(NamedTuple):
    """Which stretch of the history, and which topics of it."""

    after: int
    upto: int
    topics: frozenset[str]


class _Reading:
    """Reads stretches, the next one while the last one is being taken in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reader = ThreadPoolExecutor(1)
        self._begun: tuple[_Part, Future[Stretch]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.shutdown()

    def begin(self, part: _Part) -> None:
        """Begin to read what is likely to be asked for next."""
        self._begun = part, self._reader.submit(self._read, part)

    def stretch(self, part: _Part) -> Stretch:
        """Return a stretch; what was begun to be read and is another one is dropped."""
        begun, self._begun = self._begun, None
        return begun[1].result() if begun and begun[0] == part else self._read(part)

    def _read(self, part: _Part) -> Stretch:
        return self._store.run(lambda conn: read_stretch(conn, *part))


def _ages(conn: Conn) -> list[TupleRow]:
    """Read how long each projection's next event has waited; a clock set back is no wait."""
    return conn.execute(_AGES).fetchall()


def checked(names: Iterable[str] | None) -> list[str]:
    """Return the projections asked for.

    Raises:
        KeyError: There is no such projection.
    """
    chosen = list(READ_MODELS) if names is None else list(names)
    for name in chosen:
        READ_MODELS[name]
    return chosen


def _topics(names: Iterable[str]) -> frozenset[str]:
    """Return the topics of the events that feed any of these projections."""
    return frozenset().union(*(FED_BY[name] for name in names))


def _step(conn: Conn, *, name: str, stretch: Stretch, soon: bool) -> int:
    """Take in a stretch, in one transaction. Return the position reached.

    Another projector may have been there first: then nothing is taken in, and the position is
    where that one has come to.
    """
    with conn.transaction():
        at = lock(conn, name)
        if at.position == stretch.after:
            at = advance(conn, at, stretch)
            record(conn, at, soon=soon)
    return at.position


def _fill(conn: Conn, building: Tracked, upto: int) -> Tracked:
    """Take the next events into a generation that nobody reads yet."""
    with without_collector(), conn.transaction():
        return advance(conn, building, _next(conn, building, upto))


def _next(conn: Conn, at: Tracked, upto: int) -> Stretch:
    """Read what a projection takes in next."""
    return read_stretch(conn, at.position, upto, _topics([at.name]))


def _discard_others(conn: Conn, name: str) -> Tracked:
    """Delete every generation but the one that is read, and return that."""
    with conn.transaction():
        live = tracked(conn)[name]
        live.rows(conn).discard_others()
        forget_others(conn, name, live.generation)
    return live


@contextmanager
def _only_rebuild(conn: Conn, name: str) -> Iterator[None]:
    """Wait until no other rebuild of the projection is under way, and let none begin."""
    conn.execute(_LOCK_REBUILD, [_REBUILD, name])
    try:
        yield
    finally:
        if not conn.broken:
            conn.execute(_UNLOCK_REBUILD, [_REBUILD, name])


def _retry(conn: Conn, *, name: str, after: int) -> dict[int, bool]:
    """Try the next parked events again: whether each was taken in, by position."""
    with conn.transaction():
        at = lock(conn, name)
        rows = at.rows(conn)
        positions = parked_positions(conn, name, at.generation, after=after, limit=_RETRIES)
        batch = read_positions(conn, positions)
        late = [r for r in batch.recorded if r.entry.event.TOPIC in rows.projection.topics]
        unprocessed = [*batch.unreadable, *take_in(rows.projection, late, conn.transaction)]
        left_out = {one.position for one in unprocessed}
        unpark(conn, name, at.generation, [p for p in positions if p not in left_out])
        park(conn, name, at.generation, unprocessed)
        again = rows.dependents([r for r in late if r.position not in left_out])
        rows.retract(again)
        take_in_or_park(conn, rows, again)
    return {position: position not in left_out for position in positions}


def _differences(
    conn: Conn, at: Tracked, size: int, progress: Progress | None
) -> Iterator[Difference]:
    """Fold all events that a projection has taken in, and yield where its rows differ."""
    fold = at.rows(conn).fold()
    for after in range(0, at.position, size):
        upto = min(after + size, at.position)
        with without_collector():
            batch = read(conn, after, upto, fold.projection.topics).recorded
            left_out = parked_among(conn, at.name, at.generation, [r.position for r in batch])
            taken_in = [r for r in batch if r.position not in left_out]
            deque(take_in(fold.projection, taken_in, nullcontext), maxlen=0)
            differences = list(fold.reached(after, upto))
        yield from differences
        if progress:
            progress(at.name, upto, at.position)
    yield from fold.differences()
