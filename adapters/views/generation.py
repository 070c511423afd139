"""One generation of a read model: what every one of them can do with its rows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import ClassVar, Final, NamedTuple

import psycopg
from psycopg import sql
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.rows import TupleRow

from adapters.store.postgres import Conn
from adapters.views.feed import Unprocessed
from domain.events import Event
from projections import IMPOSSIBLE, Projection, Recorded

REFUSED: Final = (
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.errors.ProgramLimitExceeded,
    psycopg.errors.StatementTooComplex,
    OverflowError,
)
"""What PostgreSQL raises for a row that it cannot store, as one with U+0000 in a name; and the
driver, for a number that no column holds."""


class Difference(NamedTuple):
    """Where a read model and a fresh fold of the events do not agree."""

    projection: str
    key: str
    recorded: object  # None: the read model has no such row
    derived: object  # None: the events give no such row


class Fold(ABC):
    """A fresh fold of all events, to compare the rows of a generation with."""

    projection: Projection

    def reached(self, after: int, upto: int) -> Iterator[Difference]:
        """Yield what differs between two positions, once the events up to the second are in."""
        del after, upto
        yield from ()

    def differences(self) -> Iterator[Difference]:
        """Yield what differs, once all events are in."""
        yield from ()


class Generation(ABC):
    """Rows of one generation of a read model, written within the caller's transaction."""

    table: ClassVar[str]
    projection: Projection

    def __init__(self, conn: Conn, generation: int) -> None:
        self.conn = conn
        self.generation = generation

    @abstractmethod
    def fold(self) -> Fold:
        """Begin a fresh fold to compare these rows with."""

    def dependents(self, late: Sequence[Recorded]) -> list[Recorded]:
        """Return the events whose rows may change as others before them were taken in late."""
        del late
        return []

    def retract(self, events: Sequence[Recorded]) -> None:
        """Take back the rows of events that are to be taken in again."""
        assert not events, f"{self.table} cannot take back {len(events)} events"

    def discard_others(self) -> None:
        """Delete the rows of every other generation."""
        statement = sql.SQL("DELETE FROM {} WHERE generation <> %s")
        self.conn.execute(statement.format(sql.Identifier(self.table)), [self.generation])


def take_in(
    projection: Projection,
    batch: Sequence[Recorded],
    savepoint: Callable[[], AbstractContextManager[object]],
) -> Iterator[Unprocessed]:
    """Process a batch, all but the events that cannot be; those are found by halving it.

    Args:
        projection: Raises before or after it has written, and never for a reason that will pass.
        batch: Events in the order of their positions.
        savepoint: What is undone where an attempt fails.

    Yields:
        Each event that is left out, before any later one is tried alone.
    """
    if not batch:
        return
    try:
        with savepoint():
            projection.process(batch)
    except (*IMPOSSIBLE, *REFUSED) as error:
        if len(batch) == 1:
            event = batch[0].entry.event
            yield Unprocessed(batch[0].position, event.TOPIC, _reason(error, event))
            return
    else:
        return
    middle = len(batch) // 2
    yield from take_in(projection, batch[:middle], savepoint)
    yield from take_in(projection, batch[middle:], savepoint)


def select(conn: Conn, query: str, values: Sequence[object] = ()) -> list[TupleRow]:
    """Read rows; their amounts are integers."""
    cursor = conn.cursor()
    cursor.adapters.register_loader("numeric", _IntegerLoader)
    return cursor.execute(query, values).fetchall()


class _IntegerLoader(Loader):
    """Loads ``numeric`` as an integer: a sum of amounts has no fraction, and no upper bound."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data))


def _reason(error: Exception, event: Event) -> str:
    """Say why an event was left out, without the detail in which PostgreSQL may quote it."""
    if event.SECRET:
        return type(error).__name__
    if isinstance(error, psycopg.Error) and error.diag.message_primary:
        return f"{error.sqlstate}: {error.diag.message_primary}"
    return f"{type(error).__name__}: {error}"
