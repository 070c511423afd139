"""A clock that is wrong, a player who is gone: the order and the money are what they would be."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import psycopg
import pytest

from adapters.clock import now
from adapters.commands.execution import Receipt
from adapters.errors import StoreUnreachableError
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from domain.errors import RefusalError
from domain.zhajinhua.play import Action
from tests.adapters.play import balance, do, fund, sit_down
from tests.faults.proxy import Proxy, answer_to, question
from tests.faults.statements import APPEND
from tests.faults.workers import RULEBOOKS, open_as_recorded


def actions_of(record: dict[str, Any]) -> list[Action]:
    """Return what a record's seats did."""
    return [
        Action(
            given["do"],
            given.get("seat"),
            given.get("stake"),
            given.get("with"),
            given.get("amount"),
        )
        for given in record["actions"]
    ]


def insist(give: Callable[[], Receipt]) -> Receipt:
    """Give a command until it is answered."""
    while True:
        try:
            return give()
        except StoreUnreachableError:
            continue


def play(ledger: Ledger, record: dict[str, Any], hand: str, *, times: int = 1) -> Any:
    """Play a record action by action; return the settlement that the last one is answered with."""
    for seat in record["seats"]:
        player = seat["player"]
        insist(partial(ledger.deposit, player, 10**9, command_id=f"{hand}:{player}"))
    named: dict[str, Any] = {"command_id": f"{hand}:open", "actor": "t"}
    receipt = insist(partial(open_as_recorded, ledger, hand, record, **named))
    for number, action in enumerate(actions_of(record)):
        named = {"command_id": f"{hand}:{number}", "actor": "t"}
        for _ in range(times):
            receipt = insist(partial(ledger.act, hand, action, **named))
    return receipt.answer["settlement"]


# --- clocks ----------------------------------------------------------------------------


def test_a_clock_one_hour_off(store_dsn, ledger):
    """Writer's clock one hour off: order by position; skew recorded; no result changes."""
    hour = timedelta(hours=1)
    clocks: tuple[Callable[[], datetime], ...] = (lambda: now() + hour, lambda: now() - hour)
    record = next(simulate("jiuyou", hands=1, seed=5))
    expected = play(ledger, record, "right")

    with (
        Ledger(Store(store_dsn), clock=clocks[0]) as fast,
        Ledger(Store(store_dsn), clock=clocks[1]) as slow,
    ):
        assert play(fast, record, "fast") == expected
        assert play(slow, record, "slow") == expected
        fund(fast, "ann", "bob")
        sit_down(slow)
        do(fast, 1, "call")
        do(slow, 2, "fold")

    with psycopg.connect(store_dsn) as owner:
        rows = owner.execute(
            "SELECT position, actor, happened_at - recorded_at, recorded_at,"
            " row_number() OVER (ORDER BY recorded_at, position)"
            " FROM events WHERE originator_id = 'hand:h-1' ORDER BY position"
        ).fetchall()
    skews = [round(skew.total_seconds() / 3600) for _, _, skew, *_ in rows]
    assert skews == [-1] * 4 + [1] + [-1] * (len(rows) - 5)
    assert [row[-1] for row in rows] == list(range(1, len(rows) + 1))
    assert list(ledger.verify()) == []


def test_an_order_by_the_writers_clocks_would_be_another(store_dsn, ledger):
    """So the test above can fail: by the times that writers give, the call came after the fold."""
    moments = iter((1, 2, 3, 50, 4))
    start = datetime(2026, 1, 1, tzinfo=UTC)
    with Ledger(Store(store_dsn), clock=lambda: start + timedelta(minutes=next(moments))) as skewed:
        fund(skewed, "ann", "bob")
        sit_down(skewed)
        do(skewed, 1, "call")
        do(skewed, 2, "fold")

    rows = ledger.hand("h-1")
    by_clock = sorted(rows, key=lambda row: row.entry.cause.at)
    assert [row.position for row in rows] == sorted(row.position for row in rows)
    assert [row.position for row in by_clock] != [row.position for row in rows]
    assert list(ledger.verify()) == []


# --- absence ---------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_who_is_paid_though_the_line_is_cut(store_dsn, ledger, rulebook, long):
    """Disconnect, timeout, leave: never changes who is paid beyond the rule.

    Every command of a hand loses its way there or its answer; the hand comes to the same.
    """
    hands = simulate(rulebook, hands=20 if long else 1, seed=3)
    with Proxy(store_dsn) as proxy, Ledger(Store(proxy.dsn, connections_max=2)) as far:
        for number, record in enumerate(hands):
            cuts = 2 + len(record["actions"]) if long else 1
            proxy.next(*[answer_to(APPEND), question(APPEND)] * cuts)

            assert play(far, record, f"h-{number}") == record["settlement"]

        assert proxy.happened > 0
    assert list(ledger.verify()) == []


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_who_is_paid_though_everything_is_sent_twice(ledger, rulebook):
    """A client that is not sure whether it was heard says everything again."""
    (record,) = simulate(rulebook, hands=1, seed=4)

    assert play(ledger, record, "h", times=2) == record["settlement"]
    assert list(ledger.verify()) == []


def test_without_receipts_whoever_says_it_twice_has_done_it_twice(forgetful):
    """So the tests above can fail: what was heard and is said again is another action."""
    (record,) = simulate("jiuyou", hands=1, seed=4)

    with Ledger(Store(forgetful)) as ledger, pytest.raises(RefusalError):
        play(ledger, record, "h", times=2)


def test_a_player_who_says_nothing_is_waited_for(store_dsn, ledger):
    """No time passes in the ledger: years later the hand goes on where it was."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    before = ledger.recorder.max_notification_id()

    with Ledger(Store(store_dsn), clock=lambda: now() + timedelta(days=3_650)) as later:
        assert later.recorder.max_notification_id() == before
        assert do(later, 1, "call").answer["turn"] == 2


ENDINGS = {
    # whoever is gone, and what the rule makes of it: the same as if it had been done by choice
    "jiuyou": "fold",
    "platform": "fold",
}


@pytest.mark.parametrize("rulebook", ENDINGS)
def test_a_timeout_is_what_the_rule_makes_of_it(ledger, rulebook):
    """The table gives the timeout; it pays nobody more than the same action by choice."""
    settlements = []
    for verb in ("timeout", ENDINGS[rulebook]):
        hand = f"h-{verb}"
        players = (f"ann-{verb}", f"bob-{verb}")
        fund(ledger, *players)
        sit_down(ledger, hand, players=players)
        receipt = do(ledger, 1, verb, hand=hand)
        settlements.append(receipt.answer["settlement"])

    assert settlements[0] == settlements[1]
    assert balance(ledger, "ann-timeout") == balance(ledger, "ann-fold")
