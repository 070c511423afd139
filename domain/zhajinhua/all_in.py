"""All-in, and how the others answer one. RULES.md §4."""

from fractions import Fraction

from domain.errors import (
    AllInNotShortError,
    AllInPendingError,
    AllInTooEarlyError,
    InsufficientStackError,
    MustCompareError,
    NotSupportedError,
)
from domain.events import AllInTaken, BetCalled, ByChoice
from domain.making import decided, recurring
from domain.zhajinhua.betting import call_price, factor, fold, pay
from domain.zhajinhua.comparing import answer_with_duel
from domain.zhajinhua.play import Play
from domain.zhajinhua.state import HandState, Seat

_all_in_taken, _called = decided(AllInTaken), recurring(BetCalled)


def all_in(play: Play, number: int) -> None:
    """Put in all that is left.

    Raises:
        NotSupportedError: The rulebook knows no all-in.
        AllInTooEarlyError: It begins in a later round, and the seat can pay its call.
        AllInNotShortError: Only a seat that cannot pay its call may.
        InsufficientStackError: The seat has nothing left.
    """
    state, seat = play.state, play.seat(number)
    rules, can_call = state.rules, seat.stack >= call_price(state, seat)
    if rules.all_in == "never":
        raise NotSupportedError(f"{rules.id} knows no all-in", seat=number)
    if rules.all_in == "shove" and can_call and _too_early(state):
        raise AllInTooEarlyError(
            f"seat {number} may go all-in from round {rules.all_in_from_round};"
            f" this is round {state.round}",
            seat=number,
            round=state.round,
            from_round=rules.all_in_from_round,
        )
    if rules.all_in == "when_short" and can_call:
        raise AllInNotShortError(
            f"seat {number} has {seat.stack} and can call", seat=number, stack=seat.stack
        )
    if rules.all_in == "any_turn" and not seat.stack:
        raise InsufficientStackError(f"seat {number} has nothing left", seat=number)
    paid = pay(number, seat.stack, "all_in")
    play.record(_all_in_taken(seat=number, seen=seat.seen, transfers=paid))


def answer(play: Play, number: int, do: str) -> None:
    """Answer an all-in: call, fold, or where the rulebook lets it, go all-in too.

    Raises:
        AllInPendingError: Any other action.
        MustCompareError: A fold by a seat that looked after a blind all-in.
    """
    shove = play.state.shove
    assert shove is not None
    duels = play.state.rules.all_in != "shove"
    must_duel = duels and number in shove.looked
    if do == "call" or (do == "timeout" and must_duel):
        by: ByChoice = "timeout" if do == "timeout" else "choice"
        if duels:
            answer_with_duel(play, number, by)
        else:
            _match(play, number)
    elif do == "fold" and must_duel:
        raise MustCompareError(f"seat {number} looked after the all-in", seat=number)
    elif do in {"fold", "timeout"}:
        fold(play, number, "timeout" if do == "timeout" else "choice")
    elif do == "all_in" and not duels:
        all_in(play, number)
    else:
        raise AllInPendingError(
            f"seat {number} answers the all-in of seat {shove.seat}", seat=number, do=do
        )


def _too_early(state: HandState) -> bool:
    """Tell whether an all-in must still wait; an answer to one never does."""
    return state.shove is None and state.round < state.rules.all_in_from_round


def all_in_level(state: HandState) -> Fraction:
    """Return the highest level among the all-in seats still in; there is one. RULES.md §4.1."""
    return max(state.seats[n].level for n in state.remaining if state.seats[n].all_in)


def match_price(state: HandState, seat: Seat) -> int:
    """Return what lifts a seat to the highest all-in level, minor units. RULES.md §4.3.

    ``(highest level - its level) x factor``, truncated.
    """
    return int((all_in_level(state) - seat.level) * factor(state, seat))


def staying_price(state: HandState, seat: Seat) -> int:
    """Return what a call costs the seat now, or its call of an all-in, minor units."""
    if state.shove is None:
        return call_price(state, seat)
    due = match_price(state, seat) if state.rules.all_in == "shove" else state.shove.amount
    return min(due, seat.stack)


def _match(play: Play, number: int) -> None:
    """Pay what lifts the seat to the highest all-in level, or all it has."""
    state, seat = play.state, play.seat(number)
    paid = pay(number, min(match_price(state, seat), seat.stack), "call")
    play.record(_called(seat=number, seen=seat.seen, by="choice", transfers=paid))
