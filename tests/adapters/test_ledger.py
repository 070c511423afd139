"""The ledger: wallets move with hands, a command is answered once, a refusal leaves nothing."""

import json
from decimal import Decimal
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from domain.errors import (
    AmountOutOfRangeError,
    BadRecordError,
    BonusNotDueError,
    CommandIdReusedError,
    ConflictError,
    HandExistsError,
    HandOverError,
    InsufficientFundsError,
    NotYourTurnError,
    RefusalError,
    UnknownHandError,
)
from domain.events import CarryReleased, CarryReserved, HandSettled, HandVoided, ToppedUp
from domain.money import MAX_AMOUNT
from domain.zhajinhua.play import Action
from tests.adapters.play import CARRY, DEAL, balance, do, fund, sit_down


def stored(ledger) -> list[tuple[str, str]]:
    """Return stream and topic of everything stored."""
    rows = ledger.recorder.select_notifications(start=1, limit=1_000_000)
    return [(str(row.originator_id), row.topic) for row in rows]


# --- wallets ---------------------------------------------------------------------------


def test_a_wallet_holds_what_was_deposited_less_what_was_withdrawn(ledger):
    """Each command is answered with the balance after it."""
    first = ledger.deposit("ann", 500, command_id="d-1")
    second = ledger.withdraw("ann", 120, command_id="w-1")

    assert (first.status, first.answer) == ("applied", {"player": "ann", "balance": 500})
    assert second.answer == {"player": "ann", "balance": 380}
    assert (second.first_position, second.last_position) == (2, 2)
    assert balance(ledger, "ann") == 380


def test_a_wallet_never_goes_below_zero(ledger):
    """More than there is is refused, with both numbers."""
    ledger.deposit("ann", 500, command_id="d-1")

    with pytest.raises(InsufficientFundsError, match="500; 501 is due"):
        ledger.withdraw("ann", 501, command_id="w-1")
    assert len(stored(ledger)) == 1


AMOUNTS: tuple[Any, ...] = (
    *(0, -1, MAX_AMOUNT + 1, 10**30, 10.85, 1e3, float("nan"), float("inf")),
    *("10", True, False, None, Decimal(10), [10]),
)


@pytest.mark.parametrize("amount", AMOUNTS, ids=repr)
@pytest.mark.parametrize("move", ["deposit", "withdraw"])
def test_only_whole_minor_units_in_range_are_amounts(ledger, move, amount):
    """Everything else is refused before anything is written."""
    with pytest.raises(AmountOutOfRangeError):
        getattr(ledger, move)("ann", amount, command_id="c-1")

    assert stored(ledger) == []


def test_a_balance_has_a_largest_value_too(ledger):
    """A deposit beyond it is refused; up to it is fine."""
    ledger.deposit("ann", MAX_AMOUNT, command_id="d-1")

    with pytest.raises(AmountOutOfRangeError, match="ann would hold"):
        ledger.deposit("ann", 1, command_id="d-2")
    assert balance(ledger, "ann") == MAX_AMOUNT


NAMES: tuple[Any, ...] = ("", "x" * 201, "a\0b", "a\ud800b", None, 7)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("field", ["player", "command_id", "actor"])
def test_names_that_cannot_be_stored_are_refused(ledger, field, name):
    """An id is 1 to 200 characters of text that can be stored; the field to blame is named."""
    given = {"player": "ann", "command_id": "c-1", "actor": "cashier"} | {field: name}

    with pytest.raises(BadRecordError, match=field):
        ledger.deposit(amount=5, **given)
    assert stored(ledger) == []


# --- a command given again -------------------------------------------------------------


def test_the_same_command_gets_its_first_answer_again(ledger):
    """Though the balance has moved on since; nothing is stored twice."""
    first = ledger.deposit("ann", 500, command_id="d-1")
    ledger.deposit("ann", 7, command_id="d-2")

    again = ledger.deposit("ann", 500, command_id="d-1")

    assert again == first._replace(status="replayed")
    assert again.text == first.text
    assert balance(ledger, "ann") == 507


# fmt: off
OTHERS = {
    # what differs     command     player  amount  actor
    "amount":         ("deposit",  "ann",  501,    "cashier"),
    "player":         ("deposit",  "bob",  500,    "cashier"),
    "actor":          ("deposit",  "ann",  500,    "teller"),
    "command":        ("withdraw", "ann",  500,    "cashier"),
}
# fmt: on


@pytest.mark.parametrize("differs", OTHERS)
def test_another_command_under_the_same_id_is_refused(ledger, differs):
    """The refusal names what differs; what was stored stays as it was."""
    ledger.deposit("ann", 500, command_id="c-1")
    move, player, amount, actor = OTHERS[differs]

    with pytest.raises(CommandIdReusedError, match=f"another {differs}") as raised:
        getattr(ledger, move)(player, amount, command_id="c-1", actor=actor)

    assert raised.value.numbers == {"command_id": "c-1", "field": differs}
    assert balance(ledger, "ann") == 500


def test_an_action_given_again_is_answered_and_not_taken_again(ledger):
    """Also after the hand is over, and whatever version its sender expects by then."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    first = do(ledger, 1, "call", command_id="a-1", version=4)
    do(ledger, 2, "fold")

    again = do(ledger, 1, "call", command_id="a-1", version=5)

    assert again == first._replace(status="replayed")
    with pytest.raises(CommandIdReusedError, match="another do"):
        do(ledger, 1, "fold", command_id="a-1")


# --- a hand and its wallets ------------------------------------------------------------


def test_opening_a_hand_reserves_every_carry(ledger):
    """In one command: the wallets give, then the hand opens."""
    fund(ledger, "ann", "bob", amount=CARRY + 1)

    receipt = sit_down(ledger)

    assert receipt.answer == {"hand": "h-1", "version": 4, "turn": 1, "over": False}
    assert (balance(ledger, "ann"), balance(ledger, "bob")) == (1, 1)
    assert stored(ledger)[receipt.first_position - 1 :] == [
        ("wallet:ann", "wallet.carry_reserved.v1"),
        ("wallet:bob", "wallet.carry_reserved.v1"),
        ("hand:h-1", "hand.opened.v1"),
        ("hand:h-1", "hand.ante_posted.v1"),
        ("hand:h-1", "hand.ante_posted.v1"),
        ("hand:h-1", "hand.cards_dealt.v1"),
    ]


def test_a_hand_settles_itself_and_pays_out(ledger):
    """The action that ends it stores settlement and releases with it; no chip is made or lost."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "call")

    receipt = do(ledger, 2, "fold")

    (settled,) = (
        row.entry.event for row in ledger.hand("h-1") if row.entry.event.TOPIC == HandSettled.TOPIC
    )
    assert receipt.answer["settlement"] == json.loads(json.dumps(settled.settlement))
    assert receipt.answer["over"]
    assert stored(ledger)[-2:] == [
        ("wallet:ann", CarryReleased.TOPIC),
        ("wallet:bob", CarryReleased.TOPIC),
    ]
    # Seat 1 has trips: 5 antes of bonus; 5 % rake on the ante it won, truncated.
    assert balance(ledger, "ann") == CARRY + 500 - 25 + 2500
    assert balance(ledger, "bob") == CARRY - 500


def test_nobody_sits_down_with_more_than_he_has(ledger):
    """One wallet too small keeps everybody's chips where they are."""
    fund(ledger, "ann")
    ledger.deposit("bob", CARRY - 1, command_id="d")

    with pytest.raises(InsufficientFundsError, match=f"bob has {CARRY - 1}"):
        sit_down(ledger)

    assert balance(ledger, "ann") == CARRY
    with pytest.raises(UnknownHandError):
        ledger.hand("h-1")


def test_a_top_up_comes_out_of_the_wallet(ledger):
    """In a rulebook that knows top-ups, in the action's own transaction."""
    fund(ledger, "ann", "bob", amount=3_000)
    ledger.open_hand(
        "h-1",
        "feifan2017",
        table={"ante": 500, "max_stake": 2_000},
        dealer=2,
        seats=[
            {"seat": seat, "player": name, "carry": 1_000}
            for seat, name in ((1, "ann"), (2, "bob"))
        ],
        deal=DEAL,
        command_id="open",
        actor="table-1",
    )

    receipt = do(ledger, 2, "top_up", amount=600)

    assert balance(ledger, "bob") == 1_400
    assert stored(ledger)[-2:] == [
        ("wallet:bob", CarryReserved.TOPIC),
        ("hand:h-1", ToppedUp.TOPIC),
    ]
    assert receipt.last_position - receipt.first_position == 1
    assert list(ledger.verify()) == []


def test_a_void_hand_gives_everything_back(ledger):
    """Three voids are one: each gets the same answer."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "call")

    first, *more = (
        ledger.void_hand("h-1", "misdeal", command_id="v-1", actor="floor") for _ in range(3)
    )

    assert first.answer == {"hand": "h-1", "version": 6, "turn": None, "over": True}
    assert more == [first._replace(status="replayed")] * 2
    assert ledger.hand("h-1")[-1].entry.event.TOPIC == HandVoided.TOPIC
    assert (balance(ledger, "ann"), balance(ledger, "bob")) == (CARRY, CARRY)
    with pytest.raises(HandOverError):
        ledger.void_hand("h-1", "misdeal", command_id="v-2", actor="floor")


# --- refusals --------------------------------------------------------------------------


def test_a_hand_is_opened_once(ledger):
    """Another opening under its id is refused, whoever sits at it."""
    fund(ledger, "ann", "bob", "cid", "dan")
    sit_down(ledger)

    with pytest.raises(HandExistsError):
        sit_down(ledger, players=("cid", "dan"), command_id="open-2")
    assert balance(ledger, "cid") == CARRY


def test_a_hand_that_was_never_opened_is_unknown(ledger):
    """To play in, to void and to read."""
    with pytest.raises(UnknownHandError, match="no hand h-1"):
        do(ledger, 1, "call")
    with pytest.raises(UnknownHandError):
        ledger.void_hand("h-1", "misdeal", command_id="v-1", actor="floor")
    with pytest.raises(UnknownHandError):
        ledger.hand("h-1")
    with pytest.raises(UnknownHandError):
        ledger.verify(["h-1"])


def test_an_actor_who_has_not_seen_the_last_event_is_told(ledger):
    """Both versions are in the refusal."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "call")

    with pytest.raises(ConflictError) as raised:
        do(ledger, 2, "call", version=4)

    assert (raised.value.code, raised.value.stream) == ("conflict", "hand:h-1")
    assert (raised.value.expected, raised.value.actual) == (4, 5)
    assert do(ledger, 2, "call", version=5).status == "applied"


def test_what_the_rules_refuse_leaves_nothing(ledger):
    """The refusal is theirs, with code, rule and numbers; a later command may use its id."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    before = stored(ledger)

    with pytest.raises(NotYourTurnError) as raised:
        do(ledger, 2, "call", command_id="a-1")

    assert (raised.value.code, raised.value.numbers) == ("not_your_turn", {"seat": 2, "turn": 1})
    assert stored(ledger) == before
    assert do(ledger, 1, "call", command_id="a-1").status == "applied"


OPENINGS: dict[str, tuple[dict[str, Any], type[RefusalError], str]] = {
    "an ante with a point": ({"table": {"ante": 500.0}}, BadRecordError, "table.ante"),
    "an ante as text": ({"table": {"ante": "500"}}, BadRecordError, "table.ante"),
    "a carry that is true": (
        {"seats": [{"seat": 1, "player": "ann", "carry": True}]}, BadRecordError, "seats.0.carry",
    ),
    "a carry beyond 2^63-1": (
        {"seats": [{"seat": 1, "player": "ann", "carry": 2**63}]}, BadRecordError, "seats.0.carry",
    ),
    "a player without a name": (
        {"seats": [{"seat": 1, "player": "", "carry": 500}]}, BadRecordError, "seats.0.player",
    ),
    "a name that cannot be stored": (
        {"seats": [{"seat": 1, "player": "\ud800", "carry": 500}]}, BadRecordError, "player",
    ),
    "no number at all": ({"dealer": float("nan")}, BadRecordError, "NaN"),
    "what JSON does not know": ({"dealer": Decimal(2)}, BadRecordError, "dealer"),
    "a bonus due to nobody": ({"draws": {2: 500}}, BadRecordError, "bonus_draws"),
}  # fmt: skip


@pytest.mark.parametrize("case", OPENINGS)
def test_an_opening_is_checked_like_a_record(ledger, case):
    """Before anything is written, with the field to blame."""
    given, refusal, words = OPENINGS[case]

    with pytest.raises(refusal, match=words):
        sit_down(ledger, **given)
    assert stored(ledger) == []


def test_a_drawn_bonus_is_checked_at_the_opening(ledger):
    """A finished record is refused for it at its end; a live hand cannot wait so long."""
    fund(ledger, "ann", "bob")
    seats = [
        {"seat": seat, "player": name, "carry": 1_000} for seat, name in ((1, "ann"), (2, "bob"))
    ]

    with pytest.raises(BonusNotDueError):
        ledger.open_hand(
            "h-1", "platform", table={"ante": 500}, dealer=1, opener=1, seats=seats, deal=DEAL,
            draws={2: 100}, command_id="open", actor="table-1",
        )  # fmt: skip


ACTIONS: dict[str, tuple[Action, str]] = {
    "a stake with a point": (Action("raise", 1, stake=1e3), "stake"),  # type: ignore[arg-type]
    "a stake as text": (Action("raise", 1, stake="1000"), "stake"),  # type: ignore[arg-type]
    "a stake that is true": (Action("raise", 1, stake=True), "stake"),
    "a stake beyond 2^63-1": (Action("raise", 1, stake=2**63), "stake"),
    "a raise to nothing": (Action("raise", 1), "'raise' takes seat, stake"),
    "a call of an amount": (Action("call", 1, amount=5), "'call' takes seat"),
    "a verb that cannot be stored": (Action("ca\0ll", 1), "do"),
    "a verb that is no text": (Action(7, 1), "do"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", ACTIONS)
def test_an_action_is_checked_like_a_record_s(ledger, case):
    """Its fields are those of its verb, and of their type."""
    action, words = ACTIONS[case]
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    before = stored(ledger)

    with pytest.raises(BadRecordError, match=words):
        ledger.act("h-1", action, command_id="a-1", actor="ann")
    assert stored(ledger) == before


# --- reading and logging ---------------------------------------------------------------


def test_a_hand_is_read_with_its_positions_and_causes(ledger):
    """Who did what under which command, in order."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "call", command_id="a-1")

    rows = ledger.hand("h-1")

    assert [position for position, _ in rows] == [5, 6, 7, 8, 9]
    assert [entry.originator_version for _, entry in rows] == [1, 2, 3, 4, 5]
    assert {entry.cause.command_id for _, entry in rows[:4]} == {"open:h-1"}
    assert (rows[4].entry.cause.command_id, rows[4].entry.cause.actor) == ("a-1", "seat-1")


def test_hands_are_listed_in_the_order_of_their_bytes(ledger):
    """Whatever they are called; wallets are none."""
    fund(ledger, "ann", "bob", amount=10 * CARRY)
    for hand in ("b", "a", "é", "B", "z:1", "a;"):
        sit_down(ledger, hand)

    assert list(ledger.hands()) == ["B", "a", "a;", "b", "z:1", "é"]
    streamed = dict(ledger.stream_hands())
    assert list(streamed) == list(ledger.hands())
    assert [row.version for row in streamed["é"]] == [1, 2, 3, 4]
    assert [hand for hand, _ in ledger.stream_hands(["z:1", "a", "never"])] == ["a", "z:1"]


def test_no_card_is_logged(ledger):
    """One event a use case, and nothing of what a seat holds."""
    structlog.reset_defaults()
    with capture_logs() as logs:
        fund(ledger, "ann", "bob")
        sit_down(ledger)
        do(ledger, 1, "look")
        with pytest.raises(NotYourTurnError):
            do(ledger, 2, "call")

    assert [line["event"] for line in logs] == [
        *("funds_deposited", "funds_deposited", "hand_opened", "action_taken", "command_refused"),
    ]
    assert "As" not in repr(logs)
    assert "4d" not in repr(logs)
