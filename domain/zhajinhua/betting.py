"""What an action costs, and look, call, raise and fold. RULES.md §3."""

from domain.errors import (
    AlreadySeenError,
    InsufficientStackError,
    LookTooEarlyError,
    RaiseTooHighError,
    RaiseTooLowError,
)
from domain.events import BetCalled, BetRaised, ByChoice, CardsSeen, HandFolded
from domain.money import POT, Transfer, seat_account, transfer
from domain.zhajinhua.play import Play
from domain.zhajinhua.state import HandState, Seat


def factor(state: HandState, seat: Seat) -> int:
    """Return how many stakes a seat pays: by whether it is blind or seen now. RULES.md §3.3."""
    return state.rules.seen_factor if seat.seen else state.rules.blind_factor


def call_price(state: HandState, seat: Seat) -> int:
    """Return what a call costs the seat now, minor units."""
    return state.stake * factor(state, seat)


def pay(seat: Seat, amount: int, reason: str) -> tuple[Transfer, ...]:
    """Return the transfer of a bet from a seat into the pot."""
    return transfer(seat_account(seat.number), POT, amount, reason)


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
    play.record(CardsSeen(seat=number))


def call(play: Play, number: int, by: ByChoice = "choice") -> None:
    """Pay the price and stay in.

    Raises:
        InsufficientStackError: The stack does not cover it.
    """
    seat = play.seat(number)
    price = call_price(play.state, seat)
    require_stack(seat, price)
    play.record(BetCalled(seat=number, seen=seat.seen, by=by, transfers=pay(seat, price, "call")))


def raise_to(play: Play, number: int, stake: int) -> None:
    """Lift the stake, and pay the new price.

    Raises:
        RaiseTooLowError: ``stake`` (minor units at factor 1) is not above the stake.
        RaiseTooHighError: It is above what the table allows.
        InsufficientStackError: The stack does not cover the price.
    """
    state, seat = play.state, play.seat(number)
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
    play.record(
        BetRaised(
            seat=number,
            seen=seat.seen,
            stake=stake,
            transfers=pay(seat, price, "raise"),
        )
    )


def fold(play: Play, number: int, by: ByChoice = "choice") -> None:
    """Give up; what was put in stays in the pot."""
    play.record(HandFolded(seat=number, by=by))
