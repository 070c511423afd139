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
from domain.zhajinhua.evolving import go_on
from domain.zhajinhua.state import opened
from projections.audit_trail.row import OperatorColumns, Result

GAME: Final = "zhajinhua"

# By the very type: nothing is derived from these.
_OPENING: Final = frozenset({AntePosted, CardsDealt})
_CLOSING: Final = frozenset(
    {HandsOpened, BonusGranted, HandSettled, SettlementClaimed, DeckDisclosed}
)
_FOLDS: Final = frozenset({HandFolded, AllFolded})


class ZhajinhuaOperator:
    """Follows one hand, and says of each event what its operator wants to see."""

    def __init__(self, opening: HandOpened) -> None:
        """Begin with the hand's first event."""
        self._hand = opened(opening).draft()

    def columns(self, event: Event, seat: int | None) -> OperatorColumns:
        """Take in the hand's next event, the one of a seat or of nobody."""
        hand, kind = self._hand, type(event)
        forced = type(event) is HandsCompared and event.why == "forced"
        if kind in _OPENING:
            number = 0
        elif forced or kind in _CLOSING:
            number = hand.acted_round
        else:
            number = hand.round
        go_on(hand, (event,))
        folded = kind in _FOLDS
        if seat is None:
            return OperatorColumns(round=number, folded=folded or None)
        after = hand.seats[seat]
        put_in = after.put_in_round(number)
        if type(event) is not HandsCompared:
            return OperatorColumns._make((number, put_in, after.seen, None, None, None, folded))
        duel = (event.challenged, _result(event), not forced)
        return OperatorColumns._make((number, put_in, after.seen, *duel, folded))


def _result(duel: HandsCompared) -> Result:
    """Return how a duel went for its challenger."""
    if duel.winner is None:
        return "tied"
    return "won" if duel.winner == duel.challenger else "lost"
