"""Events read in batches by position, and those of them that cannot be read."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import compress
from operator import attrgetter
from typing import Final, NamedTuple

from psycopg.rows import TupleRow

from adapters.errors import UnreadableEventError
from adapters.store.codec import read_event
from adapters.store.postgres import Conn
from adapters.store.sealing import CardKeys
from domain.events import TOPICS, HandOpened
from domain.stream import Cause, Entry
from projections import Recorded

_SELECT: Final = """
    SELECT e.position, e.originator_id, e.originator_version, e.topic, e.body,
           e.command_id, e.actor, e.happened_at, e.recorded_at
      FROM events e
"""
# Whatever this program knows and the projection does not want is left out: an unknown topic is not.
_RANGE: Final = f"""{_SELECT}
     WHERE position > %s AND position <= %s AND topic <> ALL(%s::text[])
     ORDER BY position
"""
_STREAMS: Final = f"""{_SELECT}
      JOIN unnest(%s::text[], %s::integer[], %s::integer[]) AS wanted (stream, after, below)
        ON e.originator_id = wanted.stream AND e.originator_version > wanted.after
           AND e.originator_version < wanted.below
     ORDER BY position
"""
_OF_TOPIC: Final = f"""{_SELECT}
     WHERE originator_id = ANY(%s::text[]) AND topic = %s
     ORDER BY position
"""
_POSITIONS: Final = f"{_SELECT} WHERE e.position = ANY(%s::bigint[]) ORDER BY position"
_HEAD: Final = "SELECT coalesce(max(position), 0) FROM events"

_TOPIC: Final = attrgetter("entry.event.TOPIC")

_NEVER: Final = datetime.max.replace(tzinfo=UTC)

VERSION_MAX: Final = 2**31 - 1


class Unprocessed(NamedTuple):
    """An event that a projection did not take in."""

    position: int
    topic: str
    reason: str


class Batch(NamedTuple):
    """The next events of projections, and those among them that cannot be read."""

    recorded: list[Recorded]
    unreadable: list[Unprocessed]

    def of(self, topics: frozenset[str]) -> "Batch":
        """Return what concerns a projection: its topics, and those that nobody here knows."""
        if topics >= TOPICS.keys():
            return self
        wanted = map(topics.__contains__, map(_TOPIC, self.recorded))
        return Batch(
            list(compress(self.recorded, wanted)),
            [one for one in self.unreadable if one.topic in topics or one.topic not in TOPICS],
        )


class Stretch(NamedTuple):
    """The events after one position and up to another, decoded once for all who want them."""

    after: int
    upto: int
    batch: Batch


class Versions(NamedTuple):
    """A part of a stream: the versions between these two, neither included."""

    after: int = 0
    below: int = VERSION_MAX


def head(conn: Conn) -> int:
    """Return the last position, 0 in an empty history."""
    (position,) = conn.execute(_HEAD).fetchone() or (0,)
    return int(position)


def read(conn: Conn, after: int, upto: int, topics: Collection[str]) -> Batch:
    """Read the events of these topics, and of topics unknown, in the order of their positions."""
    others = sorted(TOPICS.keys() - topics)
    with conn.cursor(binary=True) as cursor:
        return _batch(
            conn.cards, cursor.execute(_RANGE, [after, upto, others], prepare=True).fetchall()
        )


def read_stretch(conn: Conn, after: int, upto: int, topics: Collection[str]) -> Stretch:
    """Read a stretch of the history, of these topics and topics unknown."""
    return Stretch(after, upto, read(conn, after, upto, topics))


def read_streams(conn: Conn, wanted: Mapping[str, Versions]) -> Batch:
    """Read parts of streams, in the order of positions."""
    after, below = [w.after for w in wanted.values()], [w.below for w in wanted.values()]
    with conn.cursor(binary=True) as cursor:
        rows = cursor.execute(_STREAMS, [list(wanted), after, below], prepare=True).fetchall()
    return _batch(conn.cards, rows)


def read_streams_of(conn: Conn, streams: Sequence[str], topic: str) -> Batch:
    """Read what streams hold of one topic, in the order of positions."""
    with conn.cursor(binary=True) as cursor:
        return _batch(
            conn.cards, cursor.execute(_OF_TOPIC, [list(streams), topic], prepare=True).fetchall()
        )


def openings(conn: Conn, streams: Collection[str]) -> dict[str, HandOpened]:
    """Read the first event of each hand, by the id of its stream."""
    first = read_streams(conn, dict.fromkeys(sorted(streams), Versions(below=2)))
    return {
        entry.originator_id: entry.event
        for _, entry, _ in first.recorded
        if isinstance(entry.event, HandOpened)
    }


def read_positions(conn: Conn, positions: Sequence[int]) -> Batch:
    """Read the events at these positions, in their order."""
    with conn.cursor(binary=True) as cursor:
        return _batch(conn.cards, cursor.execute(_POSITIONS, [positions]).fetchall())


def _batch(cards: CardKeys, rows: Iterable[TupleRow]) -> Batch:
    """Decode what can be decoded.

    Raises:
        CardKeyMissingError: Cards are sealed under a key that is not held. That will pass, so
            nothing is left out for it.
    """
    batch = Batch([], [])
    cause = Cause("", "", _NEVER)
    for position, stream, version, topic, body, command_id, actor, happened_at, recorded_at in rows:
        try:
            event = read_event(cards, stream, version, topic, body, position)
        except UnreadableEventError as error:
            batch.unreadable.append(Unprocessed(position, topic, error.reason))
        else:
            if (command_id, actor, happened_at) != (cause.command_id, cause.actor, cause.at):
                cause = Cause(command_id, actor, happened_at)  # which the next events often share
            entry = Entry(stream, version, event, cause)
            batch.recorded.append(Recorded(position, entry, recorded_at))
    return batch
