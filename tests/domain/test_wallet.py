"""One player's chips: what comes in, what goes out, and that it never goes below zero."""

import pytest

from domain.errors import (
    AlreadyErasedError,
    AmountOutOfRangeError,
    InsufficientFundsError,
    PlayerErasedError,
    UnknownPlayerError,
)
from domain.events import (
    CarryReleased,
    CarryReserved,
    FundsDeposited,
    FundsWithdrawn,
    HandFolded,
    PlayerErased,
    PlayerNamed,
)
from domain.money import CASHIER, MAX_AMOUNT, Transfer
from domain.wallet import Wallet, wallet_id
from tests.domain.hands import CAUSE


def _with(balance: int) -> Wallet:
    wallet = Wallet(wallet_id("p1"))
    if balance:
        wallet.deposit(balance, CAUSE)
        wallet.collect_events()
    return wallet


def test_a_wallet_is_named_by_its_stream():
    """Whatever the player's name holds."""
    assert wallet_id("张:三") == "wallet:张:三"
    assert Wallet("wallet:wallet:x").player == "wallet:x"
    assert Wallet("wallet:p1").balance == 0


IN, OUT = (CASHIER, "player:p1"), ("player:p1", CASHIER)
TO_HAND, FROM_HAND = ("player:p1", "hand:h-1:seat:3"), ("hand:h-1:seat:3", "player:p1")
MOST = MAX_AMOUNT

# fmt: off
MOVES = {
    # why         before      what is done                               after way
    "a deposit": (0,          lambda w: w.deposit(700, CAUSE),           700,  IN),
    "a deposit up to the most": (MOST - 700, lambda w: w.deposit(700, CAUSE), MOST, IN),
    "a withdrawal": (900,     lambda w: w.withdraw(700, CAUSE),          200,  OUT),
    "a withdrawal of all": (700, lambda w: w.withdraw(700, CAUSE),       0,    OUT),
    "a reserve": (900,        lambda w: w.reserve("h-1", 3, 700, CAUSE), 200,  TO_HAND),
    "a reserve of all": (700, lambda w: w.reserve("h-1", 3, 700, CAUSE), 0,    TO_HAND),
    "a release": (100,        lambda w: w.release("h-1", 3, 700, CAUSE), 800,  FROM_HAND),
}
# fmt: on


@pytest.mark.parametrize(("before", "do", "after", "way"), MOVES.values(), ids=MOVES)
def test_chips_move_and_the_balance_follows(before, do, after, way):
    """The event holds the transfer and the balance that it leaves."""
    wallet = _with(before)

    do(wallet)

    (event,) = [entry.event for entry in wallet.collect_events()]
    assert isinstance(event, (FundsDeposited, FundsWithdrawn, CarryReserved, CarryReleased))
    assert wallet.balance == event.balance == after
    (move,) = event.transfers
    assert (move.source, move.target, move.amount) == (*way, 700)


def test_a_seat_left_with_nothing_is_released_all_the_same():
    """So that the trail shows that the hand is done with the player."""
    wallet = _with(0)

    wallet.release("h-1", 3, 0, CAUSE)

    (event,) = [entry.event for entry in wallet.collect_events()]
    assert event == CarryReleased(hand="h-1", seat=3, balance=0, transfers=())


# fmt: off
REFUSED = {
    # why                            before what is done                    refusal
    "a withdrawal of one too many": (699, lambda w: w.withdraw(700, CAUSE), InsufficientFundsError),
    "a reserve of one too many": (
        699,
        lambda w: w.reserve("h", 3, 700, CAUSE),
        InsufficientFundsError,
    ),
    "a withdrawal from nothing":    (0,   lambda w: w.withdraw(1, CAUSE),   InsufficientFundsError),
    "a deposit beyond what there is": (
        MAX_AMOUNT,
        lambda w: w.deposit(1, CAUSE),
        AmountOutOfRangeError,
    ),
    "a release beyond what there is": (
        MAX_AMOUNT,
        lambda w: w.release("h", 3, 1, CAUSE),
        AmountOutOfRangeError,
    ),
}
# fmt: on


@pytest.mark.parametrize(("before", "do", "refusal"), REFUSED.values(), ids=REFUSED)
def test_a_wallet_goes_neither_below_zero_nor_beyond_what_can_be_stored(before, do, refusal):
    """And after a refusal it is as it was."""
    wallet = _with(before)

    with pytest.raises(refusal):
        do(wallet)

    assert wallet.balance == before
    assert wallet.collect_events() == []


@pytest.mark.parametrize(
    "amount", [0, -1, True, False, 10.85, 1e3, float("nan"), "10", None, 2**63, -(2**63)], ids=repr
)
@pytest.mark.parametrize("verb", ["deposit", "withdraw"])
def test_what_is_no_amount_is_refused(verb, amount):
    """Only integers of 1 to 2^63-1 are; a truth value is none."""
    wallet = _with(5_000)

    with pytest.raises(AmountOutOfRangeError):
        getattr(wallet, verb)(amount, CAUSE)

    assert wallet.balance == 5_000


@pytest.mark.parametrize("amount", [-1, True, 0.5, "10", 2**63], ids=repr)
def test_no_hand_takes_or_gives_what_is_no_amount(amount):
    """Neither in nor out; but a seat may be left with nothing."""
    wallet = _with(5_000)

    with pytest.raises(AmountOutOfRangeError):
        wallet.reserve("h-1", 3, amount, CAUSE)
    with pytest.raises(AmountOutOfRangeError):
        wallet.release("h-1", 3, amount, CAUSE)

    assert wallet.balance == 5_000


def test_five_of_six_reservations_are_taken_from_what_is_enough_for_five():
    """Six of 1,000 at once from 5,000: one is refused, nothing else changes."""
    wallet = _with(5_000)

    for seat in range(1, 6):
        wallet.reserve("h-1", seat, 1_000, CAUSE)
    with pytest.raises(InsufficientFundsError) as refused:
        wallet.reserve("h-1", 6, 1_000, CAUSE)

    assert refused.value.numbers == {"player": "p1", "balance": 0, "due": 1_000}
    assert wallet.balance == 0


def test_a_replayed_wallet_is_the_wallet_that_was():
    """Its events hold all of it."""
    wallet = _with(0)
    wallet.deposit(5_000, CAUSE)
    wallet.reserve("h-1", 3, 1_000, CAUSE)
    wallet.release("h-1", 3, 1_500, CAUSE)
    events = [entry.event for entry in wallet.collect_events()]

    again = Wallet.replay(wallet.id, events)

    assert (again.balance, again.version) == (wallet.balance, wallet.version) == (5_500, 3)


def test_a_wallet_is_taken_up_where_its_last_event_left_it():
    """Every event holds the balance after it: the last one is enough."""
    wallet = Wallet.resume("p1", version=7, balance=900)

    wallet.withdraw(400, CAUSE)

    (entry,) = wallet.collect_events()
    assert (entry.originator_id, entry.originator_version) == ("wallet:p1", 8)
    assert wallet.balance == 500


def test_a_name_and_an_erasure_move_no_chips():
    """Both hold the balance as it is, and what comes after goes on from it."""
    wallet = _with(700)

    wallet.name("c2VhbGVk", CAUSE)
    wallet.erase("asked for", CAUSE)
    wallet.withdraw(200, CAUSE)

    named, erased, withdrawn = (entry.event for entry in wallet.collect_events())
    assert named == PlayerNamed(sealed="c2VhbGVk", balance=700)
    assert erased == PlayerErased(why="asked for", balance=700)
    assert withdrawn.model_dump()["balance"] == wallet.balance == 500


def test_a_player_is_erased_once_and_gets_no_name_again():
    """And who never had a wallet has nothing to erase; a refusal changes nothing."""
    wallet = Wallet("wallet:p1")
    with pytest.raises(UnknownPlayerError):
        wallet.erase("asked for", CAUSE)
    wallet.name("c2VhbGVk", CAUSE)
    wallet.name("YWdhaW4=", CAUSE)
    wallet.erase("asked for", CAUSE)
    with pytest.raises(PlayerErasedError):
        wallet.name("c2VhbGVk", CAUSE)
    with pytest.raises(AlreadyErasedError):
        wallet.erase("asked for", CAUSE)

    again = Wallet.replay(wallet.id, [entry.event for entry in wallet.collect_events()])

    assert (again.version, again.erased) == (3, True)


def test_a_hand_s_event_in_a_wallet_is_a_broken_invariant():
    """Nothing but a wallet's own events belongs there."""
    with pytest.raises(AssertionError):
        Wallet("wallet:p1").evolve(HandFolded(seat=1, by="choice"))


def test_a_transfer_is_four_plain_values():
    """Whoever reads one needs no class of ours."""
    assert Transfer("a", "b", 7, "x") == ("a", "b", 7, "x")
