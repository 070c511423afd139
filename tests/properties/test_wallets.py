"""A wallet under any commands whatever: never below zero, and its events hold all of it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.discrepancies import Recorded
from domain.errors import AmountOutOfRangeError, InsufficientFundsError
from domain.money import MAX_AMOUNT, player_account, post
from domain.wallet import Wallet, wallet_id
from domain.wallet_verification import verify_wallet
from tests.domain.hands import CAUSE

amounts = st.one_of(
    st.integers(-1, 20), st.sampled_from((MAX_AMOUNT - 1, MAX_AMOUNT, MAX_AMOUNT + 1))
)
commands = st.lists(
    st.tuples(st.sampled_from(("deposit", "withdraw", "reserve", "release")), amounts), max_size=30
)


@settings(deadline=None)
@given(commands=commands)
def test_a_wallet_is_what_its_transfers_come_to(commands):
    """After every command the balance is what came in less what went out, within its bounds."""
    wallet = Wallet(wallet_id("p1"))

    for verb, amount in commands:
        before = wallet.balance
        place = ("h-1", 3) if verb in {"reserve", "release"} else ()
        try:
            getattr(wallet, verb)(*place, amount, CAUSE)
        except (AmountOutOfRangeError, InsufficientFundsError):
            assert wallet.balance == before

    events = [entry.event for entry in wallet.collect_events()]
    balances: dict[str, int] = {}
    for event in events:
        balances = post(balances, event.transfers)
        balance = balances.get(player_account("p1"), 0)
        assert 0 <= balance <= MAX_AMOUNT
        assert event.model_dump()["balance"] == balance
    assert Wallet.replay(wallet.id, events).balance == wallet.balance
    rows = [Recorded(n, n, event) for n, event in enumerate(events, start=1)]
    assert list(verify_wallet("p1", rows)) == []
