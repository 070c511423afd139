from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from domain.events import FundsDeposited
from domain.money import MAX_AMOUNT, Transfer
from domain.stream import Entry
from projections.balances import Balances, BalancesView, changes, is_kept
from tests.projections.histories import cause_of, history, in_batches, recorded, shuffled


class Accounts(BalancesView):
    """Balances in memory."""

    def __init__(self):
        self.rows: Counter[str] = Counter()

    def post(self, changed):
        """Add up, and drop what is not kept."""
        for name, change in changed.items():
            self.rows[name] += change
            if not is_kept(name, self.rows[name]):
                del self.rows[name]


names = st.sampled_from(
    ["seat:1", "seat:2", "pot", "player:a", "player:b", "house:rake", "cashier"]
)
transfers = st.builds(Transfer, names, names, st.integers(1, MAX_AMOUNT), st.just("any"))


def entry(moved, hand="h1"):
    """Return an entry that moves chips."""
    event = FundsDeposited.model_construct(transfers=tuple(moved), balance=0)
    return Entry(f"hand:{hand}", 1, event, cause_of(1))


@given(moved=st.lists(transfers), hand=st.text(min_size=1))
def test_what_every_account_changed_by_sums_to_zero(moved, hand):
    """Whatever moves between whom: no chip is made or lost, beyond 2^63 too."""
    assert sum(changes([entry(moved, hand)]).values()) == 0


@given(moved=st.lists(transfers, max_size=20), cut=st.integers(0, 20))
def test_it_does_not_matter_where_a_batch_ends(moved, cut):
    """Two batches come to what one comes to."""
    whole, parts = Accounts(), Accounts()

    whole.post(changes([entry([one]) for one in moved]))
    parts.post(changes([entry([one]) for one in moved[:cut]]))
    parts.post(changes([entry([one]) for one in moved[cut:]]))

    assert {n: b for n, b in whole.rows.items() if b} == {n: b for n, b in parts.rows.items() if b}


def test_a_hand_has_accounts_of_its_own():
    """Seats and the pot are named after their hand; players and the house are not."""
    moved = [Transfer("seat:1", "pot", 5, "ante"), Transfer("seat:2", "house:rake", 3, "rake")]

    got = changes([entry(moved, "h1"), entry(moved, "h2")])

    assert got == {
        "hand:h1:seat:1": -5, "hand:h1:pot": 5, "hand:h1:seat:2": -3,
        "hand:h2:seat:1": -5, "hand:h2:pot": 5, "hand:h2:seat:2": -3,
        "house:rake": 6,
    }  # fmt: skip


def test_finished_hands_leave_no_accounts():
    """Once every hand is paid back, only players, the house and the cashier are left."""
    view = Accounts()

    for batch in in_batches(recorded(shuffled(history(40), 1)), [1, 7, 100]):
        Balances(view).process(batch)

    assert not [name for name in view.rows if name.startswith("hand:")]
    assert sum(view.rows.values()) == 0
    assert view.rows["house:rake"] > 0


def test_a_player_who_lost_everything_is_still_there():
    """An account that is not a hand's stays, at zero."""
    view = Accounts()
    paid_in = Transfer("cashier", "player:a", 5, "deposit")
    paid_out = Transfer("player:a", "cashier", 5, "withdrawal")

    view.post(changes([entry([paid_in]), entry([paid_out])]))

    assert view.rows == {"player:a": 0, "cashier": 0}
