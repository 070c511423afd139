"""Duels: compare, last stand, forced duels, the duel with a blind all-in. RULES.md §5."""

from domain.errors import (
    CompareLimitError,
    CompareSelfError,
    CompareTargetOutError,
    CompareTargetSeenError,
    CompareTooEarlyError,
    NotSupportedError,
    UnknownSeatError,
)
from domain.events import ByChoice, Duel, HandsCompared, LastStandTaken
from domain.making import decided
from domain.money import POT, Transfer, seat_account, transfer
from domain.zhajinhua.betting import call_price, pay, require_blind_bet, require_stack
from domain.zhajinhua.play import Play
from domain.zhajinhua.ranking import duel
from domain.zhajinhua.side_payments import duel_pair, transfers_of
from domain.zhajinhua.state import HandState, Seat

_compared = decided(HandsCompared)


def compare_price(state: HandState, seat: Seat) -> int:
    """Return what a duel costs its challenger now, minor units."""
    return state.rules.compare_calls * call_price(state, seat)


def push_due(state: HandState) -> int:
    """Return what an equal duel costs its initiator, minor units. RULES.md §5.2."""
    return state.rules.push_antes * state.ante


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

    A seat short of the price takes its last stand instead, where the rulebook
    knows one, and the target is ignored.

    Raises:
        NotSupportedError: The rulebook knows no duels of choice.
        CompareTooEarlyError: They begin in a later round.
        UnknownSeatError: Nobody sits in ``target``.
        CompareSelfError: It is the seat's own.
        CompareTargetOutError: It is out already.
        CompareLimitError: The seat has had all its duels of this round.
        CompareTargetSeenError: A seen seat names another seen one.
        BlindLimitError: The seat has made all its blind bets.
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
    _require_target(state, seat, target)
    require_blind_bet(state, seat)
    price = compare_price(state, seat)
    require_stack(seat, price)
    _duel(play, number, state.seats[target].number, why="compare", by=by, price=price)


def _require_target(state: HandState, seat: Seat, target: int) -> None:
    """Refuse a seat that cannot be named, in the order of RULES.md §7.2."""
    number, rules = seat.number, state.rules
    if target not in state.seats:
        raise UnknownSeatError(f"nobody sits in seat {target}", seat=target)
    if target == number:
        raise CompareSelfError(f"seat {number} compares with itself", seat=number)
    if state.seats[target].out:
        raise CompareTargetOutError(f"seat {target} is out", seat=number, target=target)
    in_round = state.chain.round if state.chain and state.turn != number else state.round
    last, count = seat.compared
    if rules.compare_limit is not None and last == in_round and count >= rules.compare_limit:
        raise CompareLimitError(
            f"seat {number} has compared {count} times in round {in_round}",
            seat=number,
            limit=rules.compare_limit,
        )
    if rules.seen_compares_blind_only and seat.seen and state.seats[target].seen:
        raise CompareTargetSeenError(
            f"seat {number} has looked, and so has seat {target}", seat=number, target=target
        )


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
            transfers=pay(number, seat.stack, "last_stand"),
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


def answer_with_duel(play: Play, number: int, by: ByChoice = "choice") -> None:
    """Put in what a blind all-in put in, as far as it reaches, and duel it. RULES.md §4.4."""
    shove, seat = play.state.shove, play.seat(number)
    assert shove is not None
    _duel(play, number, shove.seat, why="shove", by=by, price=min(shove.amount, seat.stack))


def _duel(
    play: Play,
    challenger: int,
    challenged: int,
    *,
    why: Duel,
    by: ByChoice = "choice",
    price: int = 0,
) -> None:
    """Decide one duel. RULES.md §5.2 (equal hands), §5.6 (side payments)."""
    state, seat, other = play.state, play.seat(challenger), play.seat(challenged)
    paid = pay(challenger, price, "compare")
    order = duel(seat.cards, other.cards, state.rules)
    if order == 0 and state.rules.equal_duel == "push":
        winner, out, more = _push(state, seat, other, why, price)
    else:
        winner, loser = (challenger, challenged) if order > 0 else (challenged, challenger)
        out, more = (loser,), transfers_of(duel_pair(state, winner, loser, paid).payments)
    play.record(
        _compared(
            challenger=challenger,
            challenged=challenged,
            winner=winner,
            out=out,
            seen=seat.seen,
            why=why,
            by=by,
            transfers=(*paid, *more),
        )
    )


def _push(
    state: HandState, seat: Seat, other: Seat, why: Duel, price: int
) -> tuple[int | None, tuple[int, ...], tuple[Transfer, ...]]:
    """Return who wins, who leaves and what is paid where two hands are equal. RULES.md §5.2.

    Between banker and player the player leaves whole; between players nobody is
    out, and the initiator pays the other some antes, as far as its stack reaches.
    """
    if state.dealer in (seat.number, other.number):
        player = other if seat.number == state.dealer else seat
        put = player.contributed + (price if player is seat else 0)
        back = transfer(POT, seat_account(player.number), put, "refund")
        return None, (player.number,), back
    if why == "shove":
        return None, (), ()
    amount = min(push_due(state), seat.stack - price)
    return None, (), transfer(seat_account(seat.number), seat_account(other.number), amount, "push")
