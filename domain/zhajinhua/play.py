"""A hand being decided: the action that came in, and the events that it leads to."""

from typing import NamedTuple

from domain.events import Event
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
