"""Chips on their way between wallets and a hand: reserved as it opens, released once it is over.

And held against each other afterwards: what the wallets say, and what the hand does.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from domain.discrepancies import Discrepancy, Recorded, topic_word
from domain.events import CarryReleased, CarryReserved
from domain.hand import Hand
from domain.stream import Cause, Entry
from domain.wallet import Wallet
from domain.zhajinhua.state import HandState


def players(hand: Hand) -> tuple[str, ...]:
    """Return who sits at the hand, by seat number; somebody in two seats comes once."""
    seats = hand.state.seats
    return tuple(dict.fromkeys(seats[number].player for number in sorted(seats)))


def is_due(hand: Hand, since: HandState) -> bool:
    """Tell whether chips are to cross between wallets and the hand: it is over, or topped up."""
    seats = hand.state.seats
    return hand.state.over or any(
        seats[number].top_ups != before.top_ups for number, before in since.seats.items()
    )


def deposit_missing(hand: Hand, wallets: Mapping[str, Wallet], cause: Cause) -> None:
    """Bring in from the cashier what each player lacks of all that is to be reserved.

    Raises:
        AmountOutOfRangeError: Together they are more than a wallet holds.
    """
    due: dict[str, int] = {}
    for seat in hand.state.seats.values():
        due[seat.player] = due.get(seat.player, 0) + seat.carry + sum(seat.top_ups)
    for player, amount in sorted(due.items()):
        missing = amount - wallets[player].balance
        if missing > 0:
            wallets[player].deposit(missing, cause)


def reserve(
    hand: Hand, wallets: Mapping[str, Wallet], cause: Cause, *, since: HandState | None = None
) -> None:
    """Put every seat's carry into the hand, and its top-ups.

    Args:
        hand: The hand.
        wallets: By player, of everyone who sits at it.
        cause: Of the wallets' events.
        since: The hand when this was done last; None where nothing is reserved yet.

    Raises:
        InsufficientFundsError: A wallet has less; nothing of this is to be stored then.
    """
    for number, seat in sorted(hand.state.seats.items()):
        amounts = (seat.carry, *seat.top_ups)
        done = 0 if since is None else 1 + len(since.seats[number].top_ups)
        for amount in amounts[done:]:
            wallets[seat.player].reserve(hand.hand, number, amount, cause)


def release(hand: Hand, wallets: Mapping[str, Wallet], cause: Cause) -> None:
    """Give every seat back what it is left with, once the hand takes no more actions.

    Raises:
        AmountOutOfRangeError: A wallet would hold more than there can be.
    """
    assert hand.state.over, hand.id
    for number, seat in sorted(hand.state.seats.items()):
        wallets[seat.player].release(hand.hand, number, seat.stack, cause)


def collect(wallets: Mapping[str, Wallet]) -> list[Entry]:
    """Return what was recorded in the wallets and not yet stored, wallet by wallet."""
    return [entry for wallet in wallets.values() for entry in wallet.collect_events()]


def verify_moves(
    hand: str, position: int, state: HandState, wallet_rows: Sequence[tuple[str, Recorded]]
) -> list[Discrepancy]:
    """Hold what wallets say that they gave a hand, and got back, against the hand as recorded.

    Args:
        hand: Its id.
        position: Of its first event.
        state: The hand as it stands.
        wallet_rows: The player and event of each ``CarryReserved`` and
            ``CarryReleased`` of this hand, in order.

    Returns:
        A discrepancy for each player, seat and direction whose minor units differ.
    """
    moved: defaultdict[tuple[str, str, int], int] = defaultdict(int)
    for player, row in wallet_rows:
        event = row.event
        if type(event) is CarryReserved or type(event) is CarryReleased:
            moved[event.TOPIC, player, event.seat] += event.paid
    due: defaultdict[tuple[str, str, int], int] = defaultdict(int)
    for number, seat in state.seats.items():
        due[CarryReserved.TOPIC, seat.player, number] = seat.carry + sum(seat.top_ups)
        if state.over:
            due[CarryReleased.TOPIC, seat.player, number] = seat.stack
    if moved == due:
        return []
    return [
        Discrepancy(
            hand,
            position,
            f"{topic_word(topic)}.{player}.seat:{seat}",
            moved[topic, player, seat],
            due[topic, player, seat],
            "§2.4",
        )
        for topic, player, seat in sorted({*moved, *due})
        if moved[topic, player, seat] != due[topic, player, seat]
    ]
