"""Hands counted and their pots added up, by day, rulebook and state."""

from collections.abc import Collection
from datetime import date
from typing import Final, NamedTuple

from adapters.store.postgres import Conn
from adapters.views.generation import select
from projections.hands.row import State

_COUNTS: Final = """
    SELECT (opened_at AT TIME ZONE 'UTC')::date, rulebook, version, state,
           count(*), coalesce(sum(pot), 0), coalesce(sum(rake), 0)
      FROM hands
     WHERE %s::text[] IS NULL OR hand ^@ ANY(SELECT t || '/' FROM unnest(%s::text[]) AS t)
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
"""


class HandCount(NamedTuple):
    """The hands of a day under a rulebook that are in one state."""

    day: date  # on which they were opened, UTC
    rulebook: str
    version: int
    state: State
    hands: int
    volume: int  # minor units; what was put into the pots of those that were settled
    rake: int  # minor units


def hand_counts(conn: Conn, tables: Collection[str] | None = None) -> list[HandCount]:
    """Count every hand, or those of some tables."""
    wanted = None if tables is None else list(tables)
    return [HandCount(*row) for row in select(conn, _COUNTS, [wanted, wanted])]
