"""Live play: several actions at once, the price that was seen, and reading one's own write."""

import threading

import pytest

from adapters.commands.deciding import Priced
from adapters.errors import NotReachedError
from adapters.store.postgres import Store
from adapters.views.catalogue import READ_MODELS
from adapters.views.projector import ROLE, Projector
from domain.errors import (
    BadRecordError,
    CommandIdReusedError,
    ConflictError,
    InsufficientFundsError,
    NotYourTurnError,
    PriceChangedError,
    RefusalError,
)
from domain.zhajinhua.play import Action
from tests.adapters.play import CARRY, DEAL, balance, do, fund, sit_down

LOOK, CALL_1, CALL_2 = Action("look", 1), Action("call", 1), Action("call", 2)
RAISE_1, FOLD_2 = Action("raise", 1, stake=1_000), Action("fold", 2)


@pytest.fixture
def table(ledger):
    """A ledger on which ann, in seat 1, is on turn against bob; the ante is 500."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    return ledger


def act_many(ledger, *actions, command_id="m-1", **more):
    """Give several actions."""
    return ledger.act_many("h-1", actions, command_id=command_id, actor="table-1", **more)


def topics(ledger) -> list[str]:
    """Return what happened in the hand after its opening."""
    return [row.entry.event.TOPIC for row in ledger.hand("h-1")][4:]


# --- several actions ---------------------------------------------------------------------


def test_several_actions_are_one_command(table):
    """One transaction, one receipt; given again it is answered the same."""
    receipt = act_many(table, LOOK, RAISE_1, CALL_2, expected_version=4)

    assert receipt.answer == {"hand": "h-1", "version": 7, "turn": 1, "over": False, "applied": 3}
    assert (receipt.first_position, receipt.last_position) == (9, 9 - 1 + 3)
    assert {row.entry.cause.command_id for row in table.hand("h-1")[4:]} == {"m-1"}
    again = act_many(table, LOOK, RAISE_1, CALL_2)
    assert (again.status, again.text) == ("replayed", receipt.text)
    with pytest.raises(CommandIdReusedError, match=r"actions\.2"):
        act_many(table, LOOK, RAISE_1, FOLD_2)
    assert list(table.verify()) == []


def test_all_of_them_or_none(table):
    """The refusal says which one it was; nothing of the others happened."""
    with pytest.raises(NotYourTurnError) as refused:
        act_many(table, LOOK, RAISE_1, CALL_1, CALL_2)

    assert refused.value.numbers == {"seat": 1, "turn": 2, "at": 2}
    assert topics(table) == []
    (kept,) = table.refusals("h-1")
    assert (kept.kind, kept.code, kept.numbers["at"]) == ("act_many", "not_your_turn", 2)


def test_or_as_many_as_are_not_refused(table):
    """The answer holds what was applied and the refusal, now and whenever it is given again."""
    receipts = [act_many(table, LOOK, RAISE_1, CALL_1, CALL_2, atomic=False) for _ in range(2)]

    assert [receipt.status for receipt in receipts] == ["applied", "replayed"]
    assert receipts[0].text == receipts[1].text
    answer = receipts[0].answer
    assert (answer["applied"], answer["version"], answer["turn"]) == (2, 6, 2)
    assert answer["refusal"] == {
        "code": "not_your_turn",
        "message": "seat 1 acts; it is the turn of seat 2",
        "rule": "§3.1",
        "numbers": {"seat": 1, "turn": 2, "at": 2},
    }
    assert topics(table) == ["hand.cards_seen.v1", "hand.bet_raised.v1"]
    assert [kept.code for kept in table.refusals("h-1")] == ["not_your_turn"]


def test_where_the_first_is_refused_all_are(table):
    """Nothing was applied, so there is nothing to answer but the refusal."""
    with pytest.raises(NotYourTurnError):
        act_many(table, CALL_2, CALL_1, atomic=False)

    assert topics(table) == []
    assert act_many(table, CALL_1, atomic=False).status == "applied"


def test_a_hand_may_end_within_them(table):
    """It is settled and pays out; what comes after is refused."""
    receipt = act_many(table, CALL_1, FOLD_2, CALL_1, atomic=False)

    assert receipt.answer["over"] is True
    assert receipt.answer["settlement"]["winners"] == [1]
    assert receipt.answer["refusal"]["code"] == "hand_over"
    assert balance(table, "bob") == CARRY - 500
    assert list(table.verify()) == []


def test_a_top_up_that_no_wallet_pays_is_refused_alone(ledger):
    """What came before it stands; of it nothing does."""
    fund(ledger, "ann", "bob", amount=1_000)
    table = {"ante": 500, "max_stake": 2_000}
    seats = [{"seat": n, "player": name, "carry": 1_000} for n, name in ((1, "ann"), (2, "bob"))]
    ledger.open_hand(
        "h-1", "feifan2017", table=table, dealer=2, seats=seats, command_id="open",
        deal=DEAL, actor="table-1",
    )  # fmt: skip
    acts = (LOOK, Action("top_up", 2, amount=600), FOLD_2)
    with pytest.raises(InsufficientFundsError):
        act_many(ledger, *acts)

    receipt = act_many(ledger, *acts, atomic=False)

    assert receipt.answer["applied"] == 1
    assert receipt.answer["refusal"]["code"] == "insufficient_funds"
    assert topics(ledger) == ["hand.cards_seen.v1"]
    assert list(ledger.verify()) == []


def test_no_actions_are_no_command_and_a_version_is_expected_of_all(table):
    """An empty list is refused; so is one decided on another version of the hand."""
    with pytest.raises(BadRecordError, match="actions: is empty"):
        act_many(table)
    with pytest.raises(ConflictError, match="version 4, not 3"):
        act_many(table, LOOK, expected_version=3)


# --- the price that was seen ---------------------------------------------------------------


def test_a_bet_at_the_price_that_was_seen_is_taken(table):
    """500 for a blind seat at a stake of 500; a seen one pays twice that."""
    do(table, 1, "call", command_id="c-1")
    table.act("h-1", CALL_2, command_id="c-2", actor="bob", price=500)
    do(table, 1, "look", command_id="l-1")

    assert table.act("h-1", CALL_1, command_id="c-3", actor="ann", price=1_000).status == "applied"


@pytest.mark.parametrize(
    "action", [CALL_2, Action("raise", 2, stake=2_000), Action("compare", 2, target=1)]
)
def test_a_bet_at_another_price_is_refused(table, action):
    """A raise came in between: both prices are told, and nothing is paid."""
    do(table, 1, "raise", stake=1_000)

    with pytest.raises(PriceChangedError, match="on a price of 500; it is 1000") as refused:
        table.act("h-1", action, command_id="c-1", actor="bob", price=500)

    assert (refused.value.code, refused.value.rule) == ("price_changed", "ledger")
    assert refused.value.numbers == {"seat": 2, "price": 500, "now": 1_000}
    assert [kept.code for kept in table.refusals("h-1")] == ["price_changed"]
    assert table.act("h-1", CALL_2, command_id="c-1", actor="bob", price=1_000).answer["turn"] == 1


def test_what_is_no_bet_of_this_seat_now_is_refused_for_that(table):
    """Whose turn it is comes before what it costs."""
    with pytest.raises(NotYourTurnError):
        table.act("h-1", CALL_2, command_id="c-1", actor="bob", price=7)


PRICES = {
    "a look has none": (LOOK, 500),
    "a fold has none": (Action("fold", 1), 500),
    "a fraction": (CALL_1, 500.0),
    "text": (CALL_1, "500"),
    "true": (CALL_1, True),
    "below zero": (CALL_1, -1),
}


@pytest.mark.parametrize("case", PRICES)
def test_a_price_is_minor_units_of_a_bet(table, case):
    """Anything else is refused before anything is written."""
    action, price = PRICES[case]
    with pytest.raises(BadRecordError, match="price"):
        table.act("h-1", action, command_id="c-1", actor="ann", price=price)
    assert topics(table) == []


def test_each_of_several_actions_may_have_a_price(table):
    """The second one's is that after the first."""
    with pytest.raises(PriceChangedError) as refused:
        act_many(table, Priced(RAISE_1, 500), Priced(CALL_2, 500))
    assert refused.value.numbers["at"] == 1

    receipt = act_many(table, Priced(RAISE_1, 500), Priced(CALL_2, 1_000), LOOK)
    assert receipt.answer["applied"] == 3


def test_a_price_is_part_of_the_command(table):
    """The same id with another price is another command."""
    table.act("h-1", CALL_1, command_id="c-1", actor="ann", price=500)

    with pytest.raises(CommandIdReusedError, match="price"):
        table.act("h-1", CALL_1, command_id="c-1", actor="ann", price=501)


# --- reading one's own write -----------------------------------------------------------------


def test_whoever_waits_reads_what_was_written(ledger, store_dsn):
    """As soon as a projector has come so far, in one projection or in all."""
    receipt = ledger.deposit("ann", 5, command_id="d-1")
    with Store(store_dsn, role=ROLE) as store:
        projector = Projector(store)
        projecting = threading.Timer(0.1, projector.catch_up)
        projecting.start()
        ledger.wait_for(receipt.last_position)
        for name in READ_MODELS:
            ledger.wait_for(receipt.last_position, name)
        projecting.join()
        assert set(projector.positions().values()) == {receipt.last_position}


def test_whoever_waits_too_long_is_told_how_far_it_is(ledger):
    """And which projection is behind."""
    reached = ledger.store.run(
        lambda conn: conn.execute(
            "SELECT position FROM projections WHERE name = 'balances'"
        ).fetchone()[0]
    )
    with pytest.raises(NotReachedError, match=f"balances is at position {reached}") as behind:
        ledger.wait_for(10**9, "balances", timeout=0.01)
    assert (behind.value.position, behind.value.reached) == (10**9, reached)
    with pytest.raises(KeyError):
        ledger.wait_for(1, "no such")


def test_void_three_times_is_void_once(table):
    """One effect and three equal answers; another void after it is refused."""
    answers = [table.void_hand("h-1", "misdeal", command_id="v-1", actor="floor") for _ in range(3)]

    assert [answer.status for answer in answers] == ["applied", "replayed", "replayed"]
    assert len({answer.text for answer in answers}) == 1
    assert topics(table) == ["hand.voided.v1"]
    assert balance(table, "ann") == balance(table, "bob") == CARRY
    with pytest.raises(RefusalError):
        table.void_hand("h-1", "misdeal", command_id="v-2", actor="floor")
