"""Hands found by who played, at which table, when, and how it ended; page by page."""

from datetime import datetime
from typing import Final, NamedTuple

from adapters.store.postgres import Conn
from adapters.views.generation import select
from adapters.views.hands import hand_row
from projections.hands.row import Flag, HandRow, State


class HandFilter(NamedTuple):
    """Which hands: those that meet every condition. ``None`` leaves a condition out."""

    player: str | None = None  # sat in it
    winner: str | None = None  # won something of the pot
    rulebook: str | None = None
    version: int | None = None  # of the rulebook
    ante: int | None = None  # minor units
    max_stake: int | None = None  # minor units
    since: datetime | None = None  # opened then or later
    until: datetime | None = None  # opened before
    state: State | None = None
    flags: tuple[Flag, ...] | None = None  # has all of them
    tables: tuple[str, ...] | None = None  # its id begins with one of them and "/"
    hands: tuple[str, ...] | None = None  # its id is one of them


EVERY_HAND: Final = HandFilter()

_QUERY: Final = "SELECT * FROM hands WHERE opened_position > %s"
_OF_PLAYER: Final = "SELECT opened_position FROM hand_players WHERE player = %s"
_CONDITIONS: Final = {
    "player": f" AND opened_position IN ({_OF_PLAYER})",
    "winner": f" AND opened_position IN ({_OF_PLAYER} AND won)",
    "rulebook": " AND rulebook = %s",
    "version": " AND version = %s",
    "ante": " AND ante = %s",
    "max_stake": " AND max_stake = %s",
    "since": " AND opened_at >= %s",
    "until": " AND opened_at < %s",
    "state": " AND state = %s",
    "flags": " AND flags @> %s::text[]",
    "hands": " AND hand = ANY(%s::text[])",
    "tables": " AND hand ^@ ANY(SELECT t || '/' FROM unnest(%s::text[]) AS t)",
}
_BEFORE: Final = " AND opened_position < %s"
_PAGE: Final = " ORDER BY opened_position LIMIT %s"
_PAGE_BACK: Final = " ORDER BY opened_position DESC LIMIT %s"


def hand_list(
    conn: Conn,
    wanted: HandFilter,
    *,
    after: int = 0,
    before: int | None = None,
    limit: int | None = None,
) -> list[HandRow]:
    """Read hands in the order in which they were opened, or backwards from a position.

    Args:
        conn: Whose role may read views.
        wanted: Which.
        after: The position of an opening to read on from: of the last hand of the page before.
        before: The position of an opening to read backwards from; None is not backwards.
        limit: The number of hands at most.
    """
    query = _QUERY
    values: list[object] = [after]
    for name, value in wanted._asdict().items():
        if value is not None:
            query += _CONDITIONS[name]
            values.append(list(value) if isinstance(value, tuple) else value)
    if before is not None:
        query, values = query + _BEFORE, [*values, before]
    page = _PAGE if before is None else _PAGE_BACK
    return [hand_row(row) for row in select(conn, query + page, [*values, limit])]
