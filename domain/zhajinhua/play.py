"""A hand being decided: the action that came in, and the events that it leads to."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

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
from domain.zhajinhua.evolving import go_on
from domain.zhajinhua.state import HandDraft, HandState, Seat


class Action(NamedTuple):
    """What a seat does, as ``hand-record/1`` names it."""

    do: str  # look, call, raise, compare, fold, timeout, all_in, top_up, fold_all
    seat: int | None = None  # None for fold_all, an action of the table
    stake: int | None = None  # raise: the new stake, minor units
    target: int | None = None  # compare: the seat to duel
    amount: int | None = None  # top_up: minor units


class Play:
    """A hand that goes on with every event decided.

    A state is left as it is, and a play of it that is given up leaves nothing behind: the first
    event makes a draft of it. A draft is gone on with itself.
    """

    def __init__(self, state: HandState) -> None:
        """Take up a hand where it stands."""
        self.state = state
        self.events: list[Event] = []
        self._draft = state if isinstance(state, HandDraft) else None

    def record(self, *events: Event) -> None:
        """Decide on one more event, or on several of which none depends on another."""
        draft = self._draft
        if draft is None:
            self.state = self._draft = draft = self.state.draft()
        go_on(draft, events)
        self.events += events

    def freeze(self) -> Self:
        """Return the play, its hand a state again that nothing changes; it has gone on."""
        assert self._draft is not None, "nothing was recorded"
        self.state, self._draft = self._draft.freeze(), None
        return self

    def seat(self, number: int) -> Seat:
        """Return a seat as it stands now."""
        return self.state.seats[number]


def action_behind(event: Event | None) -> Action | None:
    """Return the action that an event came from, or None where it is no action's own event."""
    behind = _BEHIND.get(type(event))
    return behind(event) if behind else None


_action: Final = lru_cache(maxsize=4096)(Action)
"""One object stands for all equal actions."""


def _of_duel(event: HandsCompared) -> Action | None:
    """Return the action behind a duel; last stands and forced duels have none of their own."""
    if event.why not in {"compare", "shove"}:
        return None
    if event.by == "timeout":
        return Action("timeout", event.challenger)
    if event.why == "shove":
        return Action("call", event.challenger)
    return Action("compare", event.challenger, target=event.challenged)


def _of_last_stand(event: LastStandTaken) -> Action:
    if event.by == "timeout":
        return Action("timeout", event.seat)
    return Action("compare", event.seat, target=event.named)


# By type: a pattern would ask pydantic of one class after another, which is slow in a replay.
_BEHIND: Final[Mapping[type[object], Callable[[Any], Action | None]]] = MappingProxyType(
    {
        CardsSeen: lambda event: _action("look", event.seat),
        BetCalled: lambda event: _action(
            "timeout" if event.by == "timeout" else "call", event.seat
        ),
        BetRaised: lambda event: Action("raise", event.seat, stake=event.stake),
        HandFolded: lambda event: _action(
            "timeout" if event.by == "timeout" else "fold", event.seat
        ),
        HandsCompared: _of_duel,
        LastStandTaken: _of_last_stand,
        AllInTaken: lambda event: Action("all_in", event.seat),
        AllFolded: lambda _: Action("fold_all"),
        ToppedUp: lambda event: Action("top_up", event.seat, amount=event.amount),
    }
)
