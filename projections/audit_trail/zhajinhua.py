"""The operator's columns of 炸金花: round, amount this round, blind or seen, duels, folds."""

from typing import Final

from domain.events import (
    AllFolded,
    AntePosted,
    BonusGranted,
    CardsDealt,
    DeckDisclosed,
    Event,
    HandFolded,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandsOpened,
    SettlementClaimed,
)
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.state import HandState, opened
from projections.audit_trail.row import OperatorColumns, Result

GAME: Final = "zhajinhua"

_OPENING: Final = (AntePosted, CardsDealt)
_CLOSING: Final = (HandsOpened, BonusGranted, HandSettled, SettlementClaimed, DeckDisclosed)
_FOLDS: Final = (HandFolded, AllFolded)


class ZhajinhuaOperator:
    """Follows one hand, and says of each event what its operator wants to see."""

    def __init__(self, opening: HandOpened) -> None:
        """Begin with the hand's first event."""
        self._state = opened(opening)

    def columns(self, event: Event, seat: int | None) -> OperatorColumns:
        """Take in the hand's next event, the one of a seat or of nobody."""
        before, self._state = self._state, evolve(self._state, event)
        number = _round(before, event)
        folded = isinstance(event, _FOLDS)
        if seat is None:
            return OperatorColumns(round=number, folded=folded or None)
        after = self._state.seats[seat]
        put_in = after.put_in_round(number)
        if not isinstance(event, HandsCompared):
            return OperatorColumns(number, put_in, after.seen, folded=folded)
        return OperatorColumns(
            number,
            put_in,
            after.seen,
            event.challenged,
            _result(event),
            event.why != "forced",
            folded,
        )


def _round(before: HandState, event: Event) -> int:
    """Return the round that an event belongs to."""
    if isinstance(event, _OPENING):
        return 0
    forced = isinstance(event, HandsCompared) and event.why == "forced"
    return before.acted_round if forced or isinstance(event, _CLOSING) else before.round


def _result(duel: HandsCompared) -> Result:
    """Return how a duel went for its challenger."""
    if duel.winner is None:
        return "tied"
    return "won" if duel.winner == duel.challenger else "lost"
