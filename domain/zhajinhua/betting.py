"""What an action costs, and look, call, raise, fold and top-up. RULES.md §3, §4.5."""

from functools import lru_cache
from typing import NamedTuple

from domain.errors import (
    AlreadySeenError,
    BlindLimitError,
    FoldAllNotAllowedError,
    InsufficientStackError,
    LookTooEarlyError,
    NotSupportedError,
    RaiseTooHighError,
    RaiseTooLowError,
    TopUpLimitError,
    TopUpNotNeededError,
)
from domain.events import (
    AllFolded,
    BetCalled,
    BetRaised,
    ByChoice,
    CardsSeen,
    HandFolded,
    ToppedUp,
)
from domain.making import decided, recurring
from domain.money import POT, Transfer, seat_account, transfer
from domain.zhajinhua.play import Play
from domain.zhajinhua.state import HandState, Seat

_all_folded = decided(AllFolded)
_seen, _called, _folded = recurring(CardsSeen), recurring(BetCalled), recurring(HandFolded)


def factor(state: HandState, seat: Seat) -> int:
    """Return how many stakes a seat pays: by whether it is blind or seen now. RULES.md §3.3."""
    return state.rules.seen_factor if seat.seen else state.rules.blind_factor


def call_price(state: HandState, seat: Seat) -> int:
    """Return what a call costs the seat now, minor units."""
    return state.stake * factor(state, seat)


@lru_cache(maxsize=4096)
def pay(number: int, amount: int, reason: str) -> tuple[Transfer, ...]:
    """Return the transfer of a bet from a seat into the pot."""
    return transfer(seat_account(number), POT, amount, reason)


def require_stack(seat: Seat, price: int) -> None:
    """Refuse a price that the seat's stack does not cover.

    Raises:
        InsufficientStackError: ``price`` (minor units) is more than the stack.
    """
    if seat.stack < price:
        raise InsufficientStackError(
            f"seat {seat.number} has {seat.stack}; {price} is due",
            seat=seat.number,
            stack=seat.stack,
            due=price,
        )


def require_blind_bet(state: HandState, seat: Seat) -> None:
    """Refuse one more bet of a blind seat beyond the rulebook's limit. RULES.md §3.6.

    Raises:
        BlindLimitError: The seat is blind and has made all its blind bets.
    """
    limit = state.rules.blind_limit
    if limit is not None and not seat.seen and seat.blind_bets >= limit:
        raise BlindLimitError(
            f"seat {seat.number} has made {seat.blind_bets} blind bets of {limit}",
            seat=seat.number,
            limit=limit,
        )


def look(play: Play, number: int) -> None:
    """Look at the cards: free, on or off one's turn, once.

    Raises:
        AlreadySeenError: The seat looked before.
        LookTooEarlyError: The rulebook allows it only from a later round on.
    """
    state, first = play.state, play.state.rules.look_from_round
    if state.seats[number].seen:
        raise AlreadySeenError(f"seat {number} has already looked", seat=number)
    if state.round < first:
        raise LookTooEarlyError(
            f"seat {number} may look from round {first}; this is round {state.round}",
            seat=number,
            round=state.round,
            from_round=first,
        )
    play.record(_seen(seat=number))


def call(play: Play, number: int, by: ByChoice = "choice") -> None:
    """Pay the price and stay in.

    Raises:
        BlindLimitError: The seat has made all its blind bets.
        InsufficientStackError: The stack does not cover it.
    """
    state, seat = play.state, play.seat(number)
    require_blind_bet(state, seat)
    price = call_price(state, seat)
    require_stack(seat, price)
    play.record(_called(seat=number, seen=seat.seen, by=by, transfers=pay(number, price, "call")))


def raise_to(play: Play, number: int, stake: int) -> None:
    """Lift the stake, and pay the new price.

    Raises:
        BlindLimitError: The seat has made all its blind bets.
        RaiseTooLowError: ``stake`` (minor units at factor 1) is not above the stake.
        RaiseTooHighError: It is above what the table allows.
        InsufficientStackError: The stack does not cover the price.
    """
    state, seat = play.state, play.seat(number)
    require_blind_bet(state, seat)
    if stake <= state.stake:
        raise RaiseTooLowError(
            f"seat {number} raises to {stake}; the stake is {state.stake}",
            seat=number,
            stake=stake,
            above=state.stake,
        )
    if state.max_stake is not None and stake > state.max_stake:
        raise RaiseTooHighError(
            f"seat {number} raises to {stake}; the table allows {state.max_stake}",
            seat=number,
            stake=stake,
            max_stake=state.max_stake,
        )
    price = stake * factor(state, seat)
    require_stack(seat, price)
    paid = pay(number, price, "raise")
    play.record(BetRaised(seat=number, seen=seat.seen, stake=stake, transfers=paid))


def fold(play: Play, number: int, by: ByChoice = "choice") -> None:
    """Give up; what was put in stays in the pot."""
    play.record(_folded(seat=number, by=by))


def fold_all(play: Play) -> None:
    """Let everyone still in give up at once, for the banker. RULES.md §4.6.

    Raises:
        NotSupportedError: The rulebook knows no such thing.
        FoldAllNotAllowedError: The banker is out, or some seat is all-in.
    """
    state = play.state
    if not state.rules.fold_all:
        raise NotSupportedError(f"{state.rules.id} knows no fold of everyone")
    banker = state.seats[state.dealer]
    all_in = [n for n in state.remaining if state.seats[n].all_in]
    if banker.out or all_in:
        why = f"banker {banker.number} is out" if banker.out else f"seat {all_in[0]} is all-in"
        raise FoldAllNotAllowedError(why, banker=banker.number, all_in=all_in)
    play.record(_all_folded(seats=tuple(n for n in state.remaining if n != banker.number)))


class TopUpBounds(NamedTuple):
    """The most that a seat may bring in, by each of the two rules, minor units."""

    by_carry: int
    by_max_stake: int | None  # None: no bound

    @property
    def most(self) -> int:
        """Return what both rules allow, minor units; nothing where it is not positive."""
        if self.by_max_stake is None:
            return self.by_carry
        return min(self.by_carry, self.by_max_stake)


def top_up_bounds(state: HandState, seat: Seat) -> TopUpBounds:
    """Return the most that a seat may still bring in. RULES.md §4.5."""
    by_carry = state.rules.top_up_carries * seat.carry - sum(seat.top_ups)
    if state.max_stake is None:
        return TopUpBounds(by_carry, None)
    return TopUpBounds(by_carry, state.max_stake * factor(state, seat) - seat.stack)


def top_up(play: Play, number: int, amount: int) -> None:
    """Bring in more chips, on or off one's turn, when the stack pays no call. RULES.md §4.5.

    Raises:
        NotSupportedError: The rulebook knows no top-up.
        TopUpLimitError: Too many, or ``amount`` (minor units) is none, takes all
            top-ups beyond so many carries, or is more than the highest raise needs.
        TopUpNotNeededError: The stack pays a call, or the seat is all-in.
    """
    state, seat = play.state, play.seat(number)
    rules = state.rules
    if not rules.top_up_carries:
        raise NotSupportedError(f"{rules.id} knows no top-up", seat=number)
    if len(seat.top_ups) >= rules.top_ups:
        raise TopUpLimitError(
            f"seat {number} has topped up {len(seat.top_ups)} times of {rules.top_ups}",
            seat=number,
            limit=rules.top_ups,
        )
    if seat.all_in or seat.stack >= call_price(state, seat):
        raise TopUpNotNeededError(
            f"seat {number} has {seat.stack} and is {'all-in' if seat.all_in else 'not short'}",
            seat=number,
            stack=seat.stack,
        )
    most = top_up_bounds(state, seat).most
    if not 0 < amount <= most:
        raise TopUpLimitError(
            f"seat {number} tops up {amount}; it may bring in 1 to {most}",
            seat=number,
            amount=amount,
            most=most,
        )
    play.record(ToppedUp(seat=number, amount=amount))
