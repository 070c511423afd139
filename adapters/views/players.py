"""A player at a glance: the balance over time, and against whom the player sat."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from adapters.store.postgres import Conn
from adapters.views.audit_trail import Movement
from adapters.views.generation import select
from domain.events import CarryReleased, CarryReserved
from domain.wallet import wallet_id

POINTS: Final = 400
"""Of a curve, at most about so many: more than that nobody can tell apart."""

# What is in a hand counts until the hand gives it back: a reservation takes nothing away, and a
# release brings what it is more, or less, than what was reserved for the hand.
_CURVE: Final = """
    WITH movements AS (
        SELECT position, happened_at, topic, balance_after - balance_before AS change,
               sum(balance_after - balance_before) FILTER (WHERE topic = %s)
                   OVER (PARTITION BY hand) AS reserved
          FROM audit_trail
         WHERE player = %s AND stream = %s AND balance_after IS NOT NULL
    ), points AS (
        SELECT position, happened_at,
               sum(change + CASE WHEN topic = %s THEN coalesce(reserved, 0) ELSE 0 END)
                   OVER places AS balance,
               row_number() OVER places AS place, count(*) OVER () AS places
          FROM movements WHERE topic <> %s
        WINDOW places AS (ORDER BY position)
    )
    SELECT position, happened_at, balance FROM points
     WHERE place = places OR (place - 1) %% (places / %s + 1) = 0
     ORDER BY position
"""

_OPPONENTS: Final = """
    WITH own AS (
        SELECT hand, sum(balance_after - balance_before) AS net
          FROM audit_trail
         WHERE player = %s AND stream = %s AND hand IS NOT NULL
         GROUP BY hand HAVING bool_or(topic = %s)
    )
    SELECT opponent, count(*), sum(net)
      FROM own JOIN hands USING (hand), unnest(players) AS opponent
     WHERE opponent <> %s AND state = 'settled'
     GROUP BY opponent ORDER BY 2 DESC, opponent LIMIT %s
"""


class Point(NamedTuple):
    """What a player had after a movement, chips in running hands included."""

    position: int
    happened_at: datetime
    balance: int  # minor units


class Opponent(NamedTuple):
    """Somebody who sat in the same settled hands. From whom the chips came is not said."""

    player: str
    hands: int
    net: int  # minor units; what the player, not the opponent, came out of these hands with


def curve(conn: Conn, player: str) -> list[Point]:
    """Read some of what a player had over time, in order, the last one among them."""
    reserved, released = CarryReserved.TOPIC, CarryReleased.TOPIC
    values = [reserved, player, wallet_id(player), released, reserved, POINTS]
    return [Point(*row) for row in select(conn, _CURVE, values)]


def curve_of(movements: Iterable[Movement]) -> list[Point]:
    """Return the same of movements that were read already."""
    points: list[Point] = []
    reserved: dict[str | None, int] = {}
    balance = 0
    for one in movements:
        if one.topic == CarryReserved.TOPIC:
            reserved[one.hand] = reserved.get(one.hand, 0) + one.amount
            continue
        balance += one.amount
        if one.topic == CarryReleased.TOPIC:
            balance += reserved.get(one.hand, 0)
        points.append(Point(one.position, one.happened_at, balance))
    return [*points[: -1 : len(points) // POINTS + 1], *points[-1:]]


def opponents(conn: Conn, player: str, *, limit: int) -> list[Opponent]:
    """Read with whom a player sat most often."""
    values = [player, wallet_id(player), CarryReleased.TOPIC, player, limit]
    return [Opponent(*row) for row in select(conn, _OPPONENTS, values)]
