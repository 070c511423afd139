"""The hands that an export is of, one after another in the order of their openings.

Everything is read in one moment of the store, up to where the list of hands has come, a page of
hands at a time: memory does not grow with the history. Each hand comes as its viewer may see it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, NamedTuple

from pydantic_core import to_json

from adapters.exporting.errors import RefusedHandsError, UnsayableHandError
from adapters.exporting.told import Told, ToldHand
from adapters.exporting.viewers import AUDITOR, Viewer
from adapters.store.codec import read_event
from adapters.store.postgres import Conn, Store, snapshot
from adapters.verifying.streams import naming
from adapters.views.as_of import balances_as_of
from adapters.views.balances import balances
from adapters.views.hand_list import EVERY_HAND, HandFilter, hand_list
from adapters.views.tracking import tracked
from domain.errors import UnknownHandError
from domain.hand import hand_stream
from domain.stream import Cause, Entry
from domain.wallet import wallet_id
from projections.balances import Balance
from projections.hands.row import HandRow

Progress = Callable[[int], None]

PAGE_HANDS: Final = 500
"""Hands in memory at once."""

_BULK: Final = 5_000  # rows a fetch

_COLUMNS: Final = """
    SELECT position, originator_id, originator_version, topic, body,
           command_id, actor, happened_at, recorded_at
      FROM events
"""
_OF_HANDS: Final = f"""{_COLUMNS}
     WHERE originator_id = ANY(%b::text[]) AND position <= %b
     ORDER BY originator_id, originator_version
"""
_OF_WALLETS_FOR_HANDS: Final = f"{naming(_COLUMNS)} WHERE position <= %b"
_OF_WALLETS_ALONE: Final = f"""{_COLUMNS}
     WHERE topic IN ('wallet.deposited.v1', 'wallet.withdrawn.v1') AND position <= %s
       AND (%s::text IS NULL OR originator_id = %s)
     ORDER BY position
"""


class Choice(NamedTuple):
    """What is to be exported, and with whose eyes it is seen."""

    viewer: Viewer = AUDITOR
    wanted: HandFilter = EVERY_HAND
    claimant: str = "record"  # whose claims a record keeps
    strict: bool = False  # the first hand that is refused ends it

    @property
    def is_whole(self) -> bool:
        """Tell whether no hand is left out by a condition: nor then any movement of a wallet."""
        return self.wanted == EVERY_HAND and not self.viewer.is_public


EVERYTHING: Final = Choice()


@dataclass
class Export:
    """An export under way, and what became of it so far."""

    conn: Conn
    choice: Choice
    upto: int  # the last position that is told of
    balances_at: int  # where the read model of balances stands in this moment
    progress: Progress
    done: int = 0  # hands written
    refused: list[UnsayableHandError] = field(default_factory=list)

    def hands(self) -> Iterator[ToldHand]:
        """Yield the hands that meet the conditions and that the viewer may see."""
        viewer = self.choice.viewer
        wanted = viewer.narrowed(self.choice.wanted)
        after = 0
        while rows := hand_list(self.conn, wanted, after=after, limit=PAGE_HANDS):
            after = rows[-1].opened_position
            yield from self._told([row for row in rows if viewer.sees(row)])

    def wallets_alone(self) -> Iterator[Told]:
        """Yield what wallets were given and gave outside any hand, as far as the viewer may see.

        With a condition on hands that is nothing: a deposit belongs to none. Nor is it public.
        """
        if not self.choice.is_whole:
            return
        player = self.choice.viewer.player
        own = None if player is None else wallet_id(player)
        with self.conn.cursor(name="wallets_alone") as cursor:
            cursor.itersize = _BULK
            for row in cursor.execute(_OF_WALLETS_ALONE, [self.upto, own, own]):
                yield _read(self.conn, row)

    def balances(self) -> list[Balance]:
        """Return what the accounts held after the last position that is told of."""
        if self.balances_at == self.upto:
            return balances(self.conn)
        return balances_as_of(self.conn, self.upto)

    def refuse(self, refusal: UnsayableHandError) -> None:
        """Leave a hand out, and name it.

        Raises:
            RefusedHandsError: The export was to be whole.
        """
        if self.choice.strict:
            raise RefusedHandsError(refusal) from refusal
        self.refused.append(refusal)

    def wrote(self, hands: int = 1) -> None:
        """Count hands that are written."""
        self.done += hands
        self.progress(self.done)

    def _told(self, rows: Sequence[HandRow]) -> Iterator[ToldHand]:
        streams = {hand_stream(row.hand): row.hand for row in rows}
        query = self.conn.execute(_OF_HANDS, [list(streams), self.upto])
        stored = (_read(self.conn, row) for row in query)
        of_hands = {
            streams[stream]: list(of_stream)
            for stream, of_stream in groupby(stored, key=lambda told: told.entry.originator_id)
        }
        custody = self._custody(list(streams.values()))
        for row in rows:
            seen = self.choice.viewer.as_seen(row, of_hands[row.hand])
            yield ToldHand(row, seen, custody.get(row.hand, ()))

    def _custody(self, hands: Sequence[str]) -> dict[str, list[Told]]:
        """Return, by hand, the events of wallets that name it, in order."""
        hand_of = {to_json(hand)[1:-1].decode(): hand for hand in hands}
        found: dict[str, list[Told]] = {}
        rows = self.conn.execute(_OF_WALLETS_FOR_HANDS, [list(hand_of), self.upto]).fetchall()
        # Sorted here: asked for an order, PostgreSQL reads the whole history in it.
        for spelled, *row in sorted(rows, key=lambda row: row[1]):
            found.setdefault(hand_of[spelled], []).append(_read(self.conn, row))
        return found


@contextmanager
def export(
    store: Store, choice: Choice = EVERYTHING, progress: Progress = lambda _done: None
) -> Iterator[Export]:
    """Lend an export of this moment, up to where the list of hands has come.

    Args:
        store: In a role that may read events and read models.
        choice: Of what.
        progress: Told how many hands are done.

    Raises:
        UnknownHandError: A hand is named that there is not.
    """
    with store.connection() as conn, snapshot(conn):
        at = tracked(conn)
        _check_known(conn, choice.wanted.hands or ())
        yield Export(conn, choice, at["hands"].position, at["balances"].position, progress)


def _check_known(conn: Conn, hands: Sequence[str]) -> None:
    """Refuse the first of some hands that was never opened."""
    known = {row.hand for row in hand_list(conn, HandFilter(hands=tuple(hands)))} if hands else ()
    for hand in hands:
        if hand not in known:
            raise UnknownHandError(f"no hand {hand} was ever opened", hand=hand)


def _read(conn: Conn, row: Sequence[Any]) -> Told:
    """Return a stored row as an event in its place."""
    position, stream, version, topic, body, command_id, actor, happened_at, recorded_at = row
    event = read_event(conn.cards, stream, version, topic, body, position)
    cause = Cause(command_id, actor, happened_at)
    return Told(position, Entry(stream, version, event, cause), recorded_at)
