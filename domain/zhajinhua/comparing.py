"""Duels: compare, last stand, forced duels. RULES.md §5."""

from domain.errors import (
    CompareSelfError,
    CompareTargetOutError,
    CompareTooEarlyError,
    NotSupportedError,
    UnknownSeatError,
)
from domain.events import ByChoice, Duel, HandsCompared, LastStandTaken
from domain.zhajinhua.betting import call_price, pay, require_stack
from domain.zhajinhua.play import Play
from domain.zhajinhua.ranking import duel
from domain.zhajinhua.state import HandState, Seat


def compare_price(state: HandState, seat: Seat) -> int:
    """Return what a duel costs its challenger now, minor units."""
    return state.rules.compare_calls * call_price(state, seat)


def is_last_stand(state: HandState, seat: Seat) -> bool:
    """Tell whether a compare by this seat would be its last stand. RULES.md §5.3."""
    first = state.rules.compare_from_round
    if state.rules.short_compare != "last_stand" or first is None:
        return False
    if state.round < first:
        return seat.stack < call_price(state, seat)
    return seat.stack < compare_price(state, seat)


def compare(play: Play, number: int, target: int, by: ByChoice = "choice") -> None:
    """Pay for a duel with a seat still in; the loser is out.

    A seat short of the price takes its last stand instead, and the target is ignored.

    Raises:
        NotSupportedError: The rulebook knows no duels of choice.
        CompareTooEarlyError: They begin in a later round.
        UnknownSeatError: Nobody sits in ``target``.
        CompareSelfError: It is the seat's own.
        CompareTargetOutError: It is out already.
        InsufficientStackError: The stack does not cover the price.
    """
    state, seat = play.state, play.seat(number)
    first = state.rules.compare_from_round
    if first is None:
        raise NotSupportedError(f"{state.rules.id} knows no compare", seat=number)
    if is_last_stand(state, seat):
        last_stand(play, number, named=target, by=by)
        return
    if state.round < first:
        raise CompareTooEarlyError(
            f"seat {number} may compare from round {first}; this is round {state.round}",
            seat=number,
            round=state.round,
            from_round=first,
        )
    if target not in state.seats:
        raise UnknownSeatError(f"nobody sits in seat {target}", seat=target)
    if target == number:
        raise CompareSelfError(f"seat {number} compares with itself", seat=number)
    if state.seats[target].out:
        raise CompareTargetOutError(f"seat {target} is out", seat=number, target=target)
    price = compare_price(state, seat)
    require_stack(seat, price)
    _duel(play, number, target, why="compare", by=by, price=price)


def last_stand(play: Play, number: int, named: int | None, by: ByChoice = "choice") -> None:
    """Put in all that is left, then duel everyone in turn until one is lost. RULES.md §5.3."""
    state, seat = play.state, play.seat(number)
    play.record(
        LastStandTaken(
            seat=number,
            named=named,
            seen=seat.seen,
            due=compare_price(state, seat),
            by=by,
            transfers=pay(seat, seat.stack, "last_stand"),
        )
    )
    for other in state.after(number):
        if state.seats[other].out:
            continue
        _duel(play, number, other, why="last_stand", by=by)
        if play.seat(number).out:
            break


def forced_duels(play: Play) -> None:
    """Duel down to one seat, free of charge. RULES.md §5.4.

    The remaining seats stand in turn order from the start that the rulebook
    names; the first challenges the next, and each winner the one after.
    """
    state = play.state
    start = state.turn if state.rules.forced_duels_from == "turn" else state.after(state.dealer)[0]
    assert start is not None
    queue = [place for place in (start, *state.after(start)) if not state.seats[place].out]
    champion = queue[0]
    for other in queue[1:]:
        _duel(play, champion, other, why="forced")
        champion = other if play.seat(champion).out else champion


def _duel(
    play: Play,
    challenger: int,
    challenged: int,
    *,
    why: Duel,
    by: ByChoice = "choice",
    price: int = 0,
) -> None:
    """Decide one duel. Equal hands: whoever initiated it loses. RULES.md §5.2."""
    seat, other = play.seat(challenger), play.seat(challenged)
    won = duel(seat.cards, other.cards, play.state.rules) > 0
    play.record(
        HandsCompared(
            challenger=challenger,
            challenged=challenged,
            winner=challenger if won else challenged,
            out=(challenged if won else challenger,),
            seen=seat.seen,
            why=why,
            by=by,
            transfers=pay(seat, price, "compare"),
        )
    )
