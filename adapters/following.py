"""The history by position, for whoever follows it from outside: page by page, as it may be seen.

Positions have no gaps and are in the order of commits, so whoever has read up to one has missed
nothing before it, and whoever reads on from there gets nothing twice.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from psycopg.rows import TupleRow

from adapters.errors import PositionUnknownError, UnreadableEventError
from adapters.store.codec import read_event
from adapters.store.postgres import Conn
from adapters.views.feed import head
from domain.dispute import dispute_stream
from domain.events import ENDINGS, Event
from domain.hand import hand_stream
from domain.sight import as_seen
from domain.wallet import wallet_id

_SPAN: Final = 20_000  # positions looked through at once for those of a few tables

_RANGE: Final = """
    SELECT position, originator_id, originator_version, topic, body,
           command_id, actor, happened_at, recorded_at
      FROM events WHERE position > %s AND position <= %s
"""
_OF_TABLES: Final = " AND originator_id ^@ ANY(%s::text[])"
_PAGE: Final = " ORDER BY position LIMIT %s"

_OVER: Final = """
    SELECT originator_id FROM events WHERE originator_id = ANY(%s::text[]) AND topic = ANY(%s)
"""
_ENDS: Final = sorted(ending.TOPIC for ending in ENDINGS)


class Followed(NamedTuple):
    """An event as whoever follows the history gets it."""

    position: int
    hand: str | None  # whose event it is, or that a wallet's event pays into or gets from
    player: str | None  # whose wallet's event it is
    dispute: str | None  # whose event it is; ``hand`` is the one that it is about
    version: int  # within the hand, the wallet or the dispute
    topic: str
    happened_at: datetime  # as whoever gave the command says
    recorded_at: datetime  # as the server says
    command_id: str
    actor: str
    event: Event | None  # None where it cannot be read
    unreadable: str | None  # why not


class Page(NamedTuple):
    """Some events in their order, and where to read on."""

    events: list[Followed]
    after: int  # everything up to here has been looked at
    head: int  # the last position that there was


def page(conn: Conn, *, after: int, limit: int, tables: Collection[str] | None = None) -> Page:
    """Read the next events after a position.

    The cards of a running hand are in none of them, whoever asks. Once the hand is over they are
    in its deal, at the position where they were not before.

    Args:
        conn: Whose role may read events.
        after: The position to read on from.
        limit: The number of events at most.
        tables: Only the hands of these; no wallets, then.

    Raises:
        PositionUnknownError: The history has not come to ``after``: it is another one's.
        CardKeyMissingError: Cards are sealed under a key that is not held.
    """
    last = head(conn)
    if after > last:
        raise PositionUnknownError(position=after, last=last)
    upto = last if tables is None else min(after + _SPAN, last)
    query, values = _RANGE, [after, upto]
    bound = [] if tables is None else [[hand_stream(f"{table}/") for table in tables]]
    query += _OF_TABLES if bound else ""
    rows = conn.execute(query + _PAGE, [*values, *bound, limit]).fetchall()
    events = _shown(conn, [_followed(conn, row) for row in rows])
    return Page(events, events[-1].position if len(events) == limit else upto, last)


def _followed(conn: Conn, row: TupleRow) -> Followed:
    position, stream, version, topic, body, command_id, actor, happened_at, recorded_at = row
    event, why_not = None, None
    try:
        event = read_event(conn.cards, stream, version, topic, body, position)
    except UnreadableEventError as error:
        why_not = error.reason
    kind, _, name = stream.partition(":")
    hand = name if kind == _HAND else getattr(event, "hand", None)
    player = name if kind == _WALLET else None
    dispute = name if kind == _DISPUTE else None
    times = (happened_at, recorded_at)
    return Followed(
        position, hand, player, dispute, version, topic, *times, command_id, actor, event, why_not
    )


_HAND: Final = hand_stream("").removesuffix(":")
_WALLET: Final = wallet_id("").removesuffix(":")
_DISPUTE: Final = dispute_stream("").removesuffix(":")


def _shown(conn: Conn, events: Sequence[Followed]) -> list[Followed]:
    """Return events without the cards of hands that are not over."""
    secret = {f.hand for f in events if f.hand is not None and f.event and f.event.SECRET}
    streams = [hand_stream(hand) for hand in secret]
    found = conn.execute(_OVER, [streams, _ENDS]).fetchall() if streams else []
    over = {stream for (stream,) in found}
    return [
        followed._replace(event=as_seen([followed.event])[0])
        if followed.event and followed.event.SECRET and hand_stream(followed.hand or "") not in over
        else followed
        for followed in events
    ]
