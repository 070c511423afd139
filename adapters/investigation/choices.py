"""A hand's choices: what each seat knew when it moved, what staying in cost, and what it did."""

from collections.abc import Sequence
from typing import NamedTuple

from adapters.ledger import PositionedEntry
from domain.cards import HIDDEN
from domain.events import CardsDealt, HandOpened
from domain.sight import is_over
from domain.zhajinhua.all_in import staying_price
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.play import action_behind
from domain.zhajinhua.ranking import category_name, duel
from domain.zhajinhua.state import HandState, opened


class Choice(NamedTuple):
    """One move of a seat, and what stood behind it. Amounts in minor units."""

    position: int
    version: int
    seat: int
    player: str
    do: str  # look, call, raise, compare, fold, timeout, all_in, top_up
    round: int
    seen: bool  # whether the seat had looked when it chose
    price: int  # of staying in
    paid: int  # into the pot
    pot: int  # before
    stack: int  # before
    others_in: int
    cards: str | None  # None while the hand runs
    category: str | None
    was_best: bool | None  # whether nobody who was in held better cards

    @property
    def share_needed_bp(self) -> int:
        """Return how often a call has to win to pay for itself, in basis points, truncated."""
        whole = self.pot + self.price
        return self.price * 10_000 // whole if whole else 0


def choices(stored: Sequence[PositionedEntry]) -> list[Choice]:
    """Return every move of a hand, in order; whatever the rules did by themselves is none."""
    events = [entry.event for _, entry in stored]
    opening = events[0]
    assert isinstance(opening, HandOpened), "a hand begins with its opening"
    state, over = opened(opening), is_over(events)
    deal = next((event.cards for event in events if isinstance(event, CardsDealt)), {})
    shown = deal if over and HIDDEN not in deal.values() else {}
    found = []
    for position, entry in stored[1:]:
        event = entry.event
        action = action_behind(event)
        if action is not None and action.seat is not None:
            seat = state.seats[action.seat]
            others = [number for number in state.remaining if number != seat.number]
            cards = shown.get(seat.number)
            found.append(
                Choice(
                    position=position,
                    version=entry.originator_version,
                    seat=seat.number,
                    player=seat.player,
                    do=action.do,
                    round=state.round,
                    seen=seat.seen,
                    price=staying_price(state, seat),
                    paid=event.paid,
                    pot=_pot(state),
                    stack=seat.stack,
                    others_in=len(others),
                    cards=cards,
                    category=None if cards is None else category_name(cards, state.rules),
                    was_best=None
                    if cards is None
                    else all(duel(cards, shown[other], state.rules) >= 0 for other in others),
                )
            )
        state = evolve(state, event)
    return found


def _pot(state: HandState) -> int:
    return sum(seat.contributed - seat.refund for seat in state.seats.values())
