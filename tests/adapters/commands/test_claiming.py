"""What another system says that a hand came to, given once the hand is settled."""

from contextlib import nullcontext
from typing import Any

import pytest

from adapters.ledger import Ledger
from domain.errors import BadRecordError, CommandIdReusedError, HandNotOverError, UnknownHandError
from domain.events import SettlementClaimed
from tests.adapters.play import do, fund, sit_down
from tests.adapters.stored import projector, views


def settled(ledger: Ledger) -> None:
    """Play a hand of two to its end: a pot of 1,000."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "fold")


def claim(ledger: Ledger, figures: Any, command_id: str = "c-1", hand: str = "h-1"):
    """Claim figures of the hand."""
    return ledger.claim_settlement(
        hand, figures, claimant="them", command_id=command_id, actor="them"
    )


def test_a_claim_is_kept_as_given_and_answered_with_what_differs(ledger):
    """One event, no chip moves, and verification names the same figure."""
    settled(ledger)

    receipt = claim(ledger, {"pot": 999, "winners": [2]})

    last = ledger.hand("h-1")[-1].entry.event
    assert last == SettlementClaimed(claimant="them", settlement={"pot": 999, "winners": [2]})
    assert receipt.first_position == receipt.last_position
    assert receipt.answer == {
        "hand": "h-1",
        "version": len(ledger.hand("h-1")),
        "differences": [{"path": "pot", "claimed": 999, "derived": 1_000}],
    }
    assert [found.what for found in ledger.verify()] == ["claim.pot"]


def test_a_claim_of_the_true_figures_differs_in_nothing(ledger):
    """Several may claim, each once; the read model marks the hand."""
    settled(ledger)

    assert claim(ledger, {"pot": 1_000}).answer["differences"] == []
    assert claim(ledger, {"pot": 1_000}).status == "replayed"
    assert claim(ledger, {"rake": 77}, "c-2").answer["differences"] != []
    with projector(ledger.store._dsn) as keeper:
        keeper.catch_up()
    with views(ledger.store._dsn) as read:
        (row,) = read.hands()
    assert {"claimed", "claim_mismatch"} <= {*row.flags}


def test_a_claim_is_refused_before_the_settlement_and_after_a_voiding(ledger):
    """There is nothing to hold it against."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)

    with pytest.raises(HandNotOverError):
        claim(ledger, {"pot": 1})
    ledger.void_hand("h-1", "misdeal", command_id="v", actor="floor")
    with pytest.raises(HandNotOverError):
        claim(ledger, {"pot": 1})
    with pytest.raises(UnknownHandError):
        claim(ledger, {"pot": 1}, hand="h-2")


@pytest.mark.parametrize(
    ("figures", "field"),
    [
        ({}, "settlement"),
        ({"pot": "1"}, "pot"),
        ({"pot": 1.0}, "pot"),
        ({"pot": True}, "pot"),
        ({"pots": 1}, "pots"),
        ({"seats": {"1": {"won": None}}}, "won"),
        ({"seats": {"\0": {}}}, "\\x00"),
    ],
)
def test_figures_are_read_as_strictly_as_those_of_a_record(ledger, figures, field):
    """What is no figure is refused by name, and nothing is stored."""
    settled(ledger)

    with pytest.raises(BadRecordError) as refused:
        claim(ledger, figures)

    assert refused.value.numbers["field"] == field
    assert not any(isinstance(e.event, SettlementClaimed) for _, e in ledger.hand("h-1"))


@pytest.mark.parametrize("over", [False, True])
def test_a_claim_is_decided_on_the_events_of_a_hand_that_was_just_played(ledger, over):
    """The settlement is one of them; how this process remembers the hand is no ground."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "fold" if over else "look")
    asked = ledger.asking.claim_settlement(
        "h-1", {"pot": 999}, claimant="them", command_id="c-1", actor="them"
    )
    grounds: list[tuple[int, object]] = []

    def decide(command, before, history):
        grounds.append((len(before.events), before.state))
        return asked.decide(command, before, history)

    with nullcontext() if over else pytest.raises(HandNotOverError):
        ledger.execution.carry_out(asked._replace(decide=decide))

    played = [row for row in ledger.hand("h-1") if row.entry.cause.command_id != "c-1"]
    assert grounds == [(len(played), None)]


def test_another_claim_under_the_same_id_is_refused(ledger):
    """It names what differs."""
    settled(ledger)
    claim(ledger, {"pot": 1_000})

    with pytest.raises(CommandIdReusedError) as refused:
        claim(ledger, {"pot": 1_001})

    assert refused.value.numbers["field"] == "settlement.pot"


def test_a_voiding_may_expect_a_version(ledger):
    """As an action may."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "call")

    with pytest.raises(Exception, match="is at version 5, not 4"):
        ledger.void_hand("h-1", "x", command_id="v", actor="floor", expected_version=4)
    receipt = ledger.void_hand("h-1", "x", command_id="w", actor="floor", expected_version=5)
    assert receipt.answer["over"]
