"""Chips between wallets and a hand: what a hand takes in is what it gives back, and the rake."""

import pytest

from domain import custody
from domain.errors import AmountOutOfRangeError, InsufficientFundsError
from domain.hand import Hand
from domain.money import MAX_AMOUNT, account, post
from domain.wallet import Wallet
from tests.domain.hands import ACES, CARRY, CAUSE, NOTHING, PAIR, act, opened

DEAL = f"1 {ACES} 900, 2 {PAIR} 700"


def _wallets(hand: Hand, **balances: int) -> dict[str, Wallet]:
    return {
        player: Wallet.resume(player, version=0, balance=balances.get(player, 0))
        for player in custody.players(hand)
    }


def _balances(wallets: dict[str, Wallet]) -> dict[str, int]:
    return {player: wallet.balance for player, wallet in wallets.items()}


def test_players_come_by_seat_number_and_once():
    """Somebody in two seats has one wallet."""
    hand = Hand("hand:h-1")
    seated = opened(f"3 {NOTHING}, 1 {PAIR}, 2 {ACES}")
    seats = {n: s._replace(player="p1") if n == 3 else s for n, s in seated.state.seats.items()}
    hand._state = seated.state._replace(seats=seats)

    assert custody.players(hand) == ("p1", "p2")


def test_only_what_is_missing_comes_from_the_cashier():
    """A wallet with enough gets nothing."""
    hand = opened(DEAL)
    wallets = _wallets(hand, p1=1_000, p2=100)

    custody.deposit_missing(hand, wallets, CAUSE)

    assert _balances(wallets) == {"p1": 1_000, "p2": 700}


def test_a_wallet_that_would_overflow_is_refused():
    """What cannot be held is not brought in."""
    hand = opened(f"1 {ACES} {MAX_AMOUNT}, 2 {PAIR} {MAX_AMOUNT}")
    seats = {n: s._replace(player="p1") for n, s in hand.state.seats.items()}
    hand._state = hand.state._replace(seats=seats)

    with pytest.raises(AmountOutOfRangeError):
        custody.deposit_missing(hand, _wallets(hand), CAUSE)


def test_every_carry_is_reserved_and_every_stack_released():
    """Between the two, the hand holds what the wallets gave; afterwards the house has its rake."""
    hand = act(opened(DEAL), "2 fold")
    wallets = _wallets(hand, p1=1_000, p2=1_000)

    custody.reserve(hand, wallets, CAUSE)
    reserved = _balances(wallets)
    custody.release(hand, wallets, CAUSE)

    assert reserved == {"p1": 100, "p2": 300}
    assert _balances(wallets) == {"p1": 1_000 + 500 - 25 + 2_500, "p2": 500}


def test_over_a_hand_and_its_wallets_nothing_is_left_over():
    """Every account but the players' and the house's ends at nothing."""
    hand = act(opened(DEAL), "2 fold")
    wallets = _wallets(hand)
    custody.deposit_missing(hand, wallets, CAUSE)
    custody.reserve(hand, wallets, CAUSE)
    custody.release(hand, wallets, CAUSE)

    balances: dict[str, int] = {}
    for entry in (*custody.collect(wallets), *hand.collect_events()):
        moves = (
            move._replace(source=account(move.source, "h-1"), target=account(move.target, "h-1"))
            for move in entry.event.transfers
        )
        balances = post(balances, moves)

    assert {name for name, balance in balances.items() if balance} == {
        *("player:p1", "player:p2", "house:rake", "house:bonus", "cashier"),
    }
    assert sum(balances.values()) == 0


def test_a_carry_that_is_not_there_is_not_reserved():
    """A wallet short of its carry refuses the hand."""
    hand = opened(DEAL)

    with pytest.raises(InsufficientFundsError):
        custody.reserve(hand, _wallets(hand, p1=900, p2=699), CAUSE)


def test_a_running_hand_gives_nothing_back():
    """That would be chips in two places."""
    hand = opened(DEAL)

    with pytest.raises(AssertionError):
        custody.release(hand, _wallets(hand), CAUSE)


def test_a_void_hand_gives_every_carry_back():
    """As if it had not been."""
    hand = act(opened(f"1 {ACES} 1900, 2 {PAIR} 1700"), "2 call")
    wallets = _wallets(hand, p1=1_900, p2=1_700)
    custody.reserve(hand, wallets, CAUSE)

    hand.void("the table lost power", CAUSE)
    custody.release(hand, wallets, CAUSE)

    assert _balances(wallets) == {"p1": 1_900, "p2": 1_700}


# fmt: off
DUE = {
    # why                  done since it was opened whether chips cross
    "nothing was done":   ("",                     False),
    "a bet stays within": ("3 call",               False),
    "a top-up comes in":  ("3 call, 1 top_up 900", True),
    "the end gives back": ("3 call, fold_all",     True),
}
# fmt: on


@pytest.mark.parametrize(("done", "due"), DUE.values(), ids=DUE)
def test_wallets_are_touched_only_when_chips_cross(done, due):
    """As a hand opens, at a top-up, and when it is over; a bet is the hand's own."""
    hand = opened(f"1 {ACES} 600, 2 {PAIR}, 3 {NOTHING}", dealer=3, rulebook="feifan2017")
    before = hand.state

    act(hand, done)

    assert custody.is_due(hand, before) == due


def test_each_top_up_is_reserved_once():
    """What was reserved before it stays as it is."""
    hand = opened(f"1 {ACES} 600, 2 {PAIR}, 3 {NOTHING}", dealer=3, rulebook="feifan2017")
    wallets = _wallets(hand, p1=2_000, p2=CARRY, p3=CARRY)
    custody.reserve(hand, wallets, CAUSE)
    before = hand.state

    act(hand, "3 call, 1 top_up 300")
    custody.reserve(hand, wallets, CAUSE, since=before)
    assert _balances(wallets) == {"p1": 2_000 - 600 - 300, "p2": 0, "p3": 0}

    before = hand.state
    act(hand, "1 top_up 500")
    custody.reserve(hand, wallets, CAUSE, since=before)
    assert _balances(wallets) == {"p1": 2_000 - 600 - 300 - 500, "p2": 0, "p3": 0}
