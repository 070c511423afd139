"""A hand taken apart: each event with the hand before it and after it."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.events import (
    BonusGranted,
    Event,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandsOpened,
    Settlement,
)
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.pots import best
from domain.zhajinhua.ranking import Strength, strength
from domain.zhajinhua.side_payments import Pair, duel_pair, opening_pairs
from domain.zhajinhua.state import HandState, Seat, opened


class Moment(NamedTuple):
    """One event, and what it changed."""

    before: HandState
    event: Event
    after: HandState

    def seat(self, number: int) -> Seat:
        """Return a seat as it stood before."""
        return self.before.seats[number]

    def held(self, number: int) -> Strength:
        """Return what a seat's cards are worth."""
        return strength(self.before.seats[number].cards, self.before.rules)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Return the pairs that this event decided, with their side payments."""
        event = self.event
        if isinstance(event, HandsCompared) and event.winner is not None:
            paid = tuple(move for move in event.transfers if move.target == "pot")
            return (duel_pair(self.before, event.winner, event.out[0], paid),)
        if isinstance(event, HandsOpened):
            winners = best(self.before, self.before.remaining)
            return opening_pairs(self.before, winners[0]) if len(winners) == 1 else ()
        return ()


class Taken(NamedTuple):
    """A whole hand, taken apart."""

    moments: tuple[Moment, ...]
    played: HandState  # when play was over, before any bonus
    settlement: Settlement


def take_apart(events: Sequence[Event]) -> Taken:
    """Return a settled hand event by event."""
    head = events[0]
    assert isinstance(head, HandOpened)
    state = opened(head)
    played = state
    moments = [Moment(state, head, state)]
    for event in events[1:]:
        after = evolve(state, event)
        if not isinstance(event, (BonusGranted, HandSettled)):
            played = after
        moments.append(Moment(state, event, after))
        state = after
    last = events[-1]
    assert isinstance(last, HandSettled)
    return Taken(tuple(moments), played, last.settlement)
