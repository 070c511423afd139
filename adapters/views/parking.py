"""Events that a read model could not take in: kept aside with the reason, to be tried again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

import structlog

from adapters.store.postgres import Conn
from adapters.views.feed import Unprocessed

log = structlog.get_logger()

_PARK: Final = """
    INSERT INTO parked_events (projection, generation, position, topic, body, reason)
    SELECT %s, %s, position, topic, body, reason
      FROM events JOIN unnest(%s::bigint[], %s::text[]) AS left_out (position, reason)
           USING (position)
    ON CONFLICT (projection, generation, position) DO UPDATE SET reason = excluded.reason
"""
_UNPARK: Final = """
    DELETE FROM parked_events
     WHERE projection = %s AND generation = %s AND position = ANY(%s::bigint[])
"""
_POSITIONS: Final = """
    SELECT position FROM parked_events
     WHERE projection = %s AND generation = %s AND position > %s
     ORDER BY position LIMIT %s
"""
_AMONG: Final = """
    SELECT position FROM parked_events
     WHERE projection = %s AND generation = %s AND position = ANY(%s::bigint[])
"""
_READ: Final = """
    SELECT projection, position, topic, reason, parked_at FROM parked ORDER BY projection, position
"""
_FORGET: Final = "DELETE FROM parked_events WHERE projection = %s AND generation <> %s"


class ParkedEvent(NamedTuple):
    """An event that a read model lacks. Its body is not told: it may hold cards."""

    projection: str
    position: int
    topic: str
    reason: str
    parked_at: datetime


def park(conn: Conn, name: str, generation: int, left_out: Sequence[Unprocessed]) -> None:
    """Keep events aside, with their bytes, and say so in one line, however many they are.

    Of those that are parked already only the reason is written anew. Where the transaction is
    undone they are tried again, and if need be told of again.
    """
    if left_out:
        positions = [one.position for one in left_out]
        reasons = [one.reason for one in left_out]
        conn.execute(_PARK, [name, generation, positions, reasons])
        log.warning(
            "events_parked",
            projection=name,
            generation=generation,
            count=len(positions),
            position=positions[0],
            reason=reasons[0],
        )


def unpark(conn: Conn, name: str, generation: int, positions: Sequence[int]) -> None:
    """Keep events aside no longer."""
    conn.execute(_UNPARK, [name, generation, positions])


def parked_positions(
    conn: Conn, name: str, generation: int, *, after: int, limit: int
) -> list[int]:
    """Read where the next parked events are."""
    rows = conn.execute(_POSITIONS, [name, generation, after, limit])
    return [position for (position,) in rows]


def parked_among(conn: Conn, name: str, generation: int, positions: Sequence[int]) -> set[int]:
    """Tell which of these events are parked."""
    rows = conn.execute(_AMONG, [name, generation, positions])
    return {position for (position,) in rows}


def parked(conn: Conn) -> list[ParkedEvent]:
    """Read everything that is kept aside."""
    return [ParkedEvent(*row) for row in conn.execute(_READ)]


def forget_others(conn: Conn, name: str, generation: int) -> None:
    """Forget what other generations kept aside."""
    conn.execute(_FORGET, [name, generation])
