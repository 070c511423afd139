"""A player at a glance: the balance over time, and against whom the player sat."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from adapters.postgres import Conn
from adapters.views.audit_trail import Movement
from adapters.views.generation import select
from domain.events import CarryReleased
from domain.wallet import wallet_id

POINTS: Final = 400
"""Of a curve, at most about so many: more than that nobody can tell apart."""

_CURVE: Final = """
    SELECT position, happened_at, balance_after
      FROM (SELECT position, happened_at, balance_after, row_number() OVER places AS place,
                   count(*) OVER () AS places
              FROM audit_trail
             WHERE player = %s AND stream = %s AND balance_after IS NOT NULL
            WINDOW places AS (ORDER BY position)) AS movements
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
    """What a wallet held after a movement."""

    position: int
    happened_at: datetime
    balance: int  # minor units


class Opponent(NamedTuple):
    """Somebody who sat in the same settled hands. From whom the chips came is not said."""

    player: str
    hands: int
    net: int  # minor units; what the player, not the opponent, came out of these hands with


def curve(conn: Conn, player: str) -> list[Point]:
    """Read some of a player's balances in their order, the last one among them."""
    values = [player, wallet_id(player), POINTS]
    return [Point(*row) for row in select(conn, _CURVE, values)]


def thinned(movements: Sequence[Movement]) -> list[Point]:
    """Return the same of movements that were read already."""
    step = len(movements) // POINTS + 1
    chosen = [*movements[:-1:step], *movements[-1:]]
    return [Point(one.position, one.happened_at, one.balance) for one in chosen]


def opponents(conn: Conn, player: str, *, limit: int) -> list[Opponent]:
    """Read with whom a player sat most often."""
    values = [player, wallet_id(player), CarryReleased.TOPIC, player, limit]
    return [Opponent(*row) for row in select(conn, _OPPONENTS, values)]
