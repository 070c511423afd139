"""The facts of a hand, played under some terms: what each seat would come to, or where it stops.

A trial records nothing. It stops where an action is refused; where the hand has
ended before its actions did, there is a settlement all the same.
"""

from typing import NamedTuple

from domain.errors import HandNotOverError, RefusalError
from domain.events import Event, HandSettled, Settlement
from domain.facts import Facts
from domain.rulebook import Parameters
from domain.zhajinhua.bonus import check_draws
from domain.zhajinhua.game import decide, open_hand
from domain.zhajinhua.play import Action
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import HandState


class Terms(NamedTuple):
    """What a hand is played under."""

    rulebook: ZhajinhuaRulebook  # published, or changed from one that is
    table: Parameters  # every parameter in force


class SeatStanding(NamedTuple):
    """How one seat stood. Amounts in minor units."""

    seat: int
    player: str
    contributed: int
    stack: int
    seen: bool
    out: bool
    all_in: bool


class Standing(NamedTuple):
    """How far play had come. Amounts in minor units."""

    round: int
    turn: int | None  # nobody's where the hand is over
    stake: int
    pot: int
    seats: tuple[SeatStanding, ...]  # by seat number


class Stop(NamedTuple):
    """Where play could not go on as the facts have it."""

    at: int  # index of the refused action; -1 the opening, the number of actions the settlement
    action: Action | None  # None for the opening and the settlement
    code: str
    message: str
    rule: str  # § of RULES.md
    standing: Standing | None  # None where the hand did not even open


class Outcome(NamedTuple):
    """What a trial came to: a settlement, a stop, or both where the hand ended early."""

    settlement: Settlement | None
    stop: Stop | None = None

    def net(self, seat: int) -> int | None:
        """Return what a seat won or lost, minor units; None where nothing was settled."""
        if self.settlement is None:
            return None
        result = self.settlement["seats"].get(str(seat))
        return result["net"] if result else None


def try_out(facts: Facts, terms: Terms) -> Outcome:
    """Play the facts under these terms.

    The opener is the rulebook's, or where that records one the seat that opened.
    Bonuses are as drawn, for a rulebook that draws.
    """
    rulebook = terms.rulebook
    try:
        play = open_hand(
            rulebook,
            table=terms.table,
            dealer=facts.dealer,
            opener=facts.opener if rulebook.opener == "recorded" else None,
            seats=facts.seats,
            deal=facts.deal,
            draws=facts.draws if rulebook.bonus.startswith("drawn") else {},
        ).freeze()
    except RefusalError as refusal:
        return Outcome(None, _stop(-1, None, refusal, None))
    events = play.events
    state = play.state
    for at, action in enumerate(facts.actions):
        try:
            play = decide(state, action)
        except RefusalError as refusal:
            return Outcome(_settlement(events), _stop(at, action, refusal, state))
        events, state = play.events, play.state
    return _ended(facts, state, events)


def _ended(facts: Facts, state: HandState, events: list[Event]) -> Outcome:
    """Return the outcome where all actions were taken."""
    try:
        if not state.settled:
            raise HandNotOverError(f"the hand waits for seat {state.turn}", hand=facts.hand)
        check_draws(state)
    except RefusalError as refusal:
        return Outcome(None, _stop(len(facts.actions), None, refusal, state))
    return Outcome(_settlement(events))


def _settlement(events: list[Event]) -> Settlement | None:
    """Return what the events of the last command settled, if they did."""
    return next((e.settlement for e in events if isinstance(e, HandSettled)), None)


def _stop(at: int, action: Action | None, refusal: RefusalError, state: HandState | None) -> Stop:
    standing = _standing(state) if state else None
    return Stop(at, action, refusal.code, refusal.message, refusal.rule, standing)


def _standing(state: HandState) -> Standing:
    """Return how a hand stands."""
    seats = [state.seats[number] for number in sorted(state.seats)]
    return Standing(
        round=state.round if state.turn is not None else state.acted_round,
        turn=state.turn,
        stake=state.stake,
        pot=sum(seat.contributed - seat.refund for seat in seats),
        seats=tuple(
            SeatStanding(s.number, s.player, s.contributed, s.stack, s.seen, s.out, s.all_in)
            for s in seats
        ),
    )
