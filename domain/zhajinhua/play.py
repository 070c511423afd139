"""A hand being decided: the action that came in, and the events that it leads to."""

from typing import NamedTuple

from domain.events import (
    AllFolded,
    AllInTaken,
    BetCalled,
    BetRaised,
    CardsSeen,
    Event,
    HandFolded,
    HandsCompared,
    LastStandTaken,
    ToppedUp,
)
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.state import HandState, Seat


class Action(NamedTuple):
    """What a seat does, as ``hand-record/1`` names it."""

    do: str  # look, call, raise, compare, fold, timeout, all_in, top_up, fold_all
    seat: int | None = None  # None for fold_all, an action of the table
    stake: int | None = None  # raise: the new stake, minor units
    target: int | None = None  # compare: the seat to duel
    amount: int | None = None  # top_up: minor units


class Play:
    """A state that goes on with every event decided. Given up, it leaves nothing behind."""

    def __init__(self, state: HandState) -> None:
        """Take up a hand where it stands."""
        self.state = state
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Decide on one more event."""
        self.state = evolve(self.state, event)
        self.events.append(event)

    def seat(self, number: int) -> Seat:
        """Return a seat as it stands now."""
        return self.state.seats[number]


def action_behind(event: Event | None) -> Action | None:  # noqa: C901, PLR0912 - one case an event
    """Return the action that an event came from, or None where it is no action's own event."""
    match event:
        case BetCalled(by="timeout") | HandFolded(by="timeout") | LastStandTaken(by="timeout"):
            return Action("timeout", event.seat)
        case HandsCompared(why="compare" | "shove", by="timeout"):
            return Action("timeout", event.challenger)
        case HandsCompared(why="shove"):
            return Action("call", event.challenger)
        case CardsSeen():
            return Action("look", event.seat)
        case BetCalled():
            return Action("call", event.seat)
        case BetRaised():
            return Action("raise", event.seat, stake=event.stake)
        case HandsCompared(why="compare"):
            return Action("compare", event.challenger, target=event.challenged)
        case LastStandTaken():
            return Action("compare", event.seat, target=event.named)
        case AllInTaken():
            return Action("all_in", event.seat)
        case HandFolded():
            return Action("fold", event.seat)
        case AllFolded():
            return Action("fold_all")
        case ToppedUp():
            return Action("top_up", event.seat, amount=event.amount)
        case _:
            return None
