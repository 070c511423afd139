"""Refused commands are kept: beside the history, once a refusal, without a card."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from adapters.appending.fingerprints import fingerprint
from adapters.commands import execution
from adapters.errors import StoreUnreachableError
from adapters.ledger import Ledger
from adapters.registers.refusals import keep
from adapters.store.postgres import Conn, Store
from adapters.store.sealing import NO_KEYS
from domain.cards import DECK
from domain.errors import (
    AmountOutOfRangeError,
    BadRecordError,
    CommandIdReusedError,
    ConflictError,
    HandOverError,
    InsufficientFundsError,
    NotYourTurnError,
    RefusalError,
)
from domain.stream import Cause
from tests.adapters.play import DEAL, do, fund, sit_down

T = TypeVar("T")
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def test_a_refused_action_is_kept_with_who_what_when_and_why(store_dsn):
    """The numbers and the rule that refused it too; the clock and the server both say when."""
    with Ledger(Store(store_dsn), clock=lambda: NOON) as ledger:
        fund(ledger, "ann", "bob")
        sit_down(ledger)
        with pytest.raises(NotYourTurnError):
            do(ledger, 2, "fold", command_id="f-1")

        (kept,) = ledger.refusals("h-1")

    body = {"hand": "h-1", "do": "fold", "seat": 2}
    assert (kept.command_id, kept.kind, kept.stream) == ("f-1", "act", "hand:h-1")
    assert (kept.actor, kept.asked, kept.happened_at) == ("seat-2", body, NOON)
    assert kept.digest == fingerprint("act", {**body, "actor": "seat-2"}).digest
    assert (kept.code, kept.rule) == ("not_your_turn", "§3.1")
    assert kept.message == "seat 2 acts; it is the turn of seat 1"
    assert kept.numbers == {"seat": 2, "turn": 1}
    assert kept.recorded_at > NOON


def _refused(ledger: Ledger, kind: str) -> None:
    match kind:
        case "deposit":
            ledger.deposit("ann", 0, command_id="c-1")
        case "withdraw":
            ledger.withdraw("ann", 10**9, command_id="c-1")
        case "open_hand":
            sit_down(ledger, command_id="c-1")
        case "act":
            do(ledger, 1, "call", command_id="c-1", version=3)
        case "void_hand":
            ledger.void_hand("h-2", "misdeal", command_id="c-1", actor="floor")
        case "disclose_deck":
            ledger.disclose_deck("h-1", "ab" * 32, "".join(DECK), command_id="c-1", actor="house")
        case "claim_settlement":
            ledger.claim_settlement("h-1", {"pot": 1}, claimant="x", command_id="c-1", actor="x")


KINDS = {
    "deposit": "amount_out_of_range",
    "withdraw": "insufficient_funds",
    "open_hand": "hand_exists",
    "act": "conflict",
    "void_hand": "unknown_hand",
    "disclose_deck": "hand_running",
    "claim_settlement": "hand_not_over",
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_command_that_is_refused_is_kept_and_nothing_of_it_happens(ledger, kind):
    """A conflict is a refusal too; the history is as it was, and no id has a receipt."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    before = ledger.recorder.max_notification_id()

    with pytest.raises(RefusalError):
        _refused(ledger, kind)

    (kept,) = ledger.refusals()
    assert (kept.kind, kept.code, kept.command_id) == (kind, KINDS[kind], "c-1")
    assert ledger.recorder.max_notification_id() == before


def test_a_conflict_is_kept_with_both_versions(ledger):
    """Expected and actual, as its error names them."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    with pytest.raises(ConflictError):
        do(ledger, 1, "call", version=3)

    (kept,) = ledger.refusals("h-1")
    assert kept.numbers == {"stream": "hand:h-1", "expected": 3, "actual": 4}


def test_a_refused_command_given_again_is_decided_again(ledger):
    """Its id is not used up: it is refused as often as it must be, then carried out, once."""
    for _ in range(2):
        with pytest.raises(InsufficientFundsError):
            ledger.withdraw("ann", 100, command_id="w-1")
    ledger.deposit("ann", 100, command_id="d-1")

    statuses = [ledger.withdraw("ann", 100, command_id="w-1").status for _ in range(2)]

    assert statuses == ["applied", "replayed"]
    assert [kept.code for kept in ledger.refusals(command_id="w-1")] == ["insufficient_funds"] * 2


def test_a_refused_command_may_be_followed_by_another_under_its_id(ledger):
    """An id is bound by what was carried out, not by what was refused."""
    with pytest.raises(InsufficientFundsError):
        ledger.withdraw("ann", 100, command_id="c-1")

    ledger.deposit("ann", 50, command_id="c-1")
    with pytest.raises(CommandIdReusedError):
        ledger.withdraw("ann", 50, command_id="c-1")

    assert [kept.code for kept in ledger.refusals()] == ["insufficient_funds", "command_id_reused"]


def test_refusals_survive_whoever_wrote_them_and_come_in_order(ledger, store_dsn):
    """A later process reads them all, or those of a hand or a command."""
    fund(ledger, "ann", "bob", amount=100_000)
    for hand in ("h-1", "h-2"):
        sit_down(ledger, hand)
        ledger.void_hand(hand, "misdeal", command_id=f"v:{hand}", actor="floor")
        with pytest.raises(HandOverError):
            do(ledger, 1, "call", hand=hand, command_id=f"c:{hand}")
    ledger.close()

    with Ledger(Store(store_dsn)) as later:
        assert [kept.command_id for kept in later.refusals()] == ["c:h-1", "c:h-2"]
        assert [kept.stream for kept in later.refusals("h-2")] == ["hand:h-2"]
        assert [kept.stream for kept in later.refusals(command_id="c:h-1")] == ["hand:h-1"]
        assert later.refusals("h-1", command_id="c:h-2") == []


DEALS: dict[str, dict[int, Any]] = {
    "a card twice": {**DEAL, 2: "As4d7h"},
    "no card at all": {**DEAL, 2: "As4dXx"},
    "two cards": {**DEAL, 2: "As4d"},
    "a number": {**DEAL, 2: 4},
}


@pytest.mark.parametrize("case", DEALS)
def test_no_card_of_a_refused_deal_is_kept(ledger, case):
    """It may be dealt, corrected, a moment later."""
    fund(ledger, "ann", "bob")
    with pytest.raises(RefusalError):
        sit_down(ledger, deal=DEALS[case])

    with ledger.store.connection() as conn:
        rows = repr(conn.execute("SELECT asked, message, numbers FROM refusals").fetchall())
    assert len(ledger.refusals()) == 1
    for card in ("As", "Ad", "Ah", "2c", "4d", "7h", "Xx"):
        assert card not in rows


ODD: dict[str, tuple[Any, Any]] = {
    "a fraction": (10.85, "10.85"),
    "no number": (float("nan"), "nan"),
    "text that cannot be stored": ("1\0\ud800", "1\0\ud800"),
    "more than there can be": (2**63, 2**63),
}


@pytest.mark.parametrize("case", ODD)
def test_an_amount_that_is_none_is_kept_as_it_was_given(ledger, case):
    """Whatever was given, a row can hold it."""
    amount, kept = ODD[case]
    with pytest.raises(AmountOutOfRangeError):
        ledger.deposit("ann", amount, command_id="d-1")

    assert ledger.refusals()[0].asked == {"player": "ann", "amount": kept}


def test_a_very_long_command_is_kept_by_its_digest(ledger):
    """A refusal must not become a way to fill the store."""
    with pytest.raises(RefusalError):
        sit_down(ledger, table={"ante": 500, "x" * 20_000: 1})

    (kept,) = ledger.refusals()
    assert (kept.asked, len(kept.digest)) == (None, 32)
    assert len(kept.message) <= 1_000


@pytest.mark.parametrize("name", ["", "\0", "\ud800", "x" * 201])
def test_what_names_nobody_is_refused_without_a_row(ledger, name):
    """There is nobody to keep it for, and nothing to keep it under."""
    with pytest.raises(BadRecordError):
        ledger.deposit("ann", 5, command_id=name)
    with pytest.raises(BadRecordError):
        ledger.deposit(name, 5, command_id="d-1")

    assert ledger.refusals() == []


def test_a_refusal_whose_answer_was_lost_is_kept_once(ledger):
    """The row is given again, and is the same one."""

    class Twice:
        cards = NO_KEYS

        def run(self, work: Callable[[Conn], T]) -> T:
            ledger.store.run(work)
            return ledger.store.run(work)

    refusal = NotYourTurnError("seat 2 acts; it is the turn of seat 1", seat=2, turn=1)
    body = {"hand": "h-1", "do": "fold", "seat": 2}
    keep(
        Twice(),
        refusal,
        cause=Cause("f-1", "bob", NOON),
        fingerprint=fingerprint("act", body),
        stream="hand:h-1",
        asked=body,
    )

    assert [kept.command_id for kept in ledger.refusals()] == ["f-1"]


def test_what_is_not_known_to_be_kept_is_not_known_to_be_refused(ledger, monkeypatch):
    """Where a refusal cannot be kept its caller is told that, and asks again."""

    def gone(*_: object, **__: object) -> None:
        raise StoreUnreachableError(where="here", reason="gone")

    with monkeypatch.context() as patched:
        patched.setattr(execution, "keep", gone)
        with pytest.raises(StoreUnreachableError):
            ledger.withdraw("ann", 5, command_id="w-1")
    assert ledger.refusals() == []

    with pytest.raises(InsufficientFundsError):
        ledger.withdraw("ann", 5, command_id="w-1")
    assert [kept.code for kept in ledger.refusals()] == ["insufficient_funds"]
