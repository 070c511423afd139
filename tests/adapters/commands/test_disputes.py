"""Disputes on a real ledger: kept once, verified, found, and in nobody else's way."""

# ruff: noqa: E501 - a row of a table stays on one line

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.async_ledger import AsyncLedger
from adapters.copies.examination import examine
from adapters.following import page
from adapters.ledger import Ledger
from adapters.views.disputes import DisputeFilter
from domain.errors import (
    BadRecordError,
    CommandIdReusedError,
    DisputeExistsError,
    DisputeRuledError,
    DuePassedError,
    UnknownClaimError,
    UnknownDisputeError,
    UnknownHandError,
)
from domain.events import DisputeOpened, EvidenceFile
from projections.disputes import DisputeRow
from tests.adapters.play import do, fund, sit_down
from tests.adapters.stored import agrees, event_at, execute, insert, projector, replace, rows, views

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DUE = NOW + timedelta(days=7)
LOG = EvidenceFile(name="table-7.log", size=6, sha256="ab" * 32)


@pytest.fixture
def played(ledger: Ledger) -> Ledger:
    """A ledger whose clock stands still, with two hands: h-1 settled and claimed, h-2 running."""
    ledger.asking._clock = lambda: NOW
    fund(ledger, "ann", "bob", "cai", "dan")
    sit_down(ledger)
    do(ledger, 1, "call")
    do(ledger, 2, "fold")
    ledger.claim_settlement("h-1", {"rake": 25}, claimant="bob", command_id="c", actor="bob")
    sit_down(ledger, "h-2", players=("cai", "dan"))
    return ledger


def claim_of(ledger: Ledger) -> int:
    """Return the version of the claim of h-1."""
    return ledger.hand("h-1")[-1].entry.originator_version


def opened(ledger: Ledger, dispute: str = "d1", hand: str = "h-1", **other):
    """Open a dispute."""
    given: dict[str, Any] = {"by": "bob", "claims": "2.50 short", "due": DUE, "actor": "desk"}
    given |= {"command_id": f"{dispute}:open"} | other
    return ledger.open_dispute(dispute, hand, **given)


def noted(ledger: Ledger, dispute: str = "d1", **other):
    """Put a note on file."""
    given = {"command_id": f"{dispute}:note", "actor": "desk"} | other
    return ledger.note_dispute(dispute, "the log", **given)


def ruled(ledger: Ledger, dispute: str = "d1", **other):
    """Rule a dispute."""
    given = {"command_id": f"{dispute}:rule", "actor": "desk"} | other
    return ledger.rule_dispute(dispute, "rejected", "the rake is 5 %", **given)


def test_a_dispute_from_its_opening_to_the_verdict(played, store_dsn):
    """Each step has its receipt; given again it gets its first answer and changes nothing."""
    steps = [
        lambda: opened(played, claim=claim_of(played)),
        lambda: noted(played, evidence=LOG),
        lambda: ruled(played),
    ]
    first = [step() for step in steps]
    again = [step() for step in steps]

    assert [receipt.status for receipt in first] == ["applied"] * 3
    assert [receipt.status for receipt in again] == ["replayed"] * 3
    assert [receipt.text for receipt in first] == [receipt.text for receipt in again]
    assert first[-1].answer == {"dispute": "d1", "hand": "h-1", "version": 3, "state": "ruled"}
    stored = played.dispute("d1")
    assert [entry.event.TOPIC for _, entry in stored] == [
        *("dispute.opened.v1", "dispute.noted.v1", "dispute.ruled.v1"),
    ]
    assert stored[0].entry.cause.actor == "desk"
    assert list(played.verify()) == []
    assert list(examine(played.store)) == []
    with projector(store_dsn) as keeper:
        keeper.catch_up()
    assert agrees(store_dsn)


# fmt: off
REFUSED = {
    # what                          what is done                                        refusal
    "no such hand":                (lambda led: opened(led, hand="h-9"),               UnknownHandError),
    "another event than a claim":  (lambda led: opened(led, claim=1),                  UnknownClaimError),
    "no such event":               (lambda led: opened(led, claim=10**12),             UnknownClaimError),
    "due already":                 (lambda led: opened(led, due=NOW),                  DuePassedError),
    "nobody's":                    (lambda led: opened(led, by=""),                    BadRecordError),
    "a name without an end":       (lambda led: opened(led, "d" * 201),                BadRecordError),
    "a note on no dispute":        (lambda led: noted(led, "d9"),                      UnknownDisputeError),
    "a verdict on no dispute":     (lambda led: ruled(led, "d9"),                      UnknownDisputeError),
    "no verdict that is known":    (lambda led: led.rule_dispute("d1", "maybe", "x", command_id="m", actor="a"), BadRecordError),
}
# fmt: on


@pytest.mark.parametrize(("do_it", "refusal"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_kept_beside_the_history(played, do_it, refusal):
    """Nothing of it is recorded, and that it was refused is."""
    before = played.recorder.max_notification_id()

    with pytest.raises(refusal):
        do_it(played)

    assert played.recorder.max_notification_id() == before


def test_a_refused_step_of_a_dispute_is_remembered(played):
    """Under its own command."""
    opened(played)
    ruled(played)
    with pytest.raises(DisputeRuledError):
        noted(played, command_id="late")
    with pytest.raises(DisputeExistsError):
        opened(played, command_id="again")
    with pytest.raises(CommandIdReusedError):
        opened(played, claims="another")

    (late,) = played.refusals(command_id="late")
    assert (late.code, late.stream) == ("dispute_ruled", "dispute:d1")


def test_a_running_hand_goes_on_while_it_is_disputed(played):
    """Its stream is its own."""
    opened(played, hand="h-2")

    do(played, 1, "call", hand="h-2")
    do(played, 2, "fold", hand="h-2")

    assert list(played.verify(["h-2"])) == []


def test_a_dispute_is_found_by_state_hand_and_what_is_overdue(played, store_dsn):
    """At any moment: one that was ruled late was overdue until then."""
    opened(played, "d1")
    opened(played, "d2", "h-2", due=DUE + timedelta(days=1))
    opened(played, "d3")
    played.asking._clock = lambda: DUE + timedelta(hours=1)
    ruled(played, "d1")
    with projector(store_dsn) as keeper:
        keeper.catch_up()

    with views(store_dsn) as read:

        def found(after: int = 0, limit: int | None = None, **wanted) -> list[str]:
            listed = read.disputes(DisputeFilter(**wanted), after=after, limit=limit)
            return [row.dispute for row in listed]

        assert found() == ["d1", "d2", "d3"]
        assert found(state="open") == ["d2", "d3"]
        assert found(state="ruled") == ["d1"]
        assert found(hand="h-1") == ["d1", "d3"]
        assert found(overdue=NOW) == []
        assert found(overdue=DUE) == []
        assert found(overdue=DUE + timedelta(minutes=1)) == ["d1", "d3"]
        assert found(overdue=DUE + timedelta(hours=2)) == ["d3"]
        assert found(overdue=DUE + timedelta(days=2), hand="h-2") == ["d2"]
        assert found(overdue=NOW - timedelta(days=99)) == []
        first = read.disputes(limit=1)[0].opened_position
        assert found(first, 1) == ["d2"]


def test_a_rebuild_gives_the_same_rows(played, store_dsn):
    """And mends them; what parts is found before."""
    opened(played)
    noted(played)
    with projector(store_dsn, batch=7) as keeper:
        keeper.catch_up()
        execute(store_dsn, "UPDATE projected_disputes SET notes = 7")
        assert not agrees(store_dsn)
        keeper.rebuild(["disputes"])
    assert agrees(store_dsn)
    with views(store_dsn) as read:
        assert [row.notes for row in read.disputes()] == [1]


def test_whoever_follows_the_history_is_told_whose_event_it_is(played):
    """And a trail of the hand has it, without a word of what is said."""
    opened(played)
    noted(played)
    with played.store.connection() as conn:
        told = page(conn, after=0, limit=1000).events
        of_table = page(conn, after=0, limit=1000, tables=["h-1"]).events

    assert [(one.dispute, one.hand, one.player, one.version) for one in told[-2:]] == [
        ("d1", "h-1", None, 1),
        ("d1", "h-1", None, 2),
    ]
    assert {one.dispute for one in told[:-2]} == {None}
    assert of_table == []


def test_the_asynchronous_ledger_takes_the_same_commands(played):
    """One after another, on the event loop."""

    async def dispute() -> list[str]:
        ledger = AsyncLedger(played)
        given: dict[str, Any] = {"by": "bob", "claims": "short", "due": DUE}
        await ledger.open_dispute("d1", "h-1", **given, command_id="1", actor="a")
        await ledger.note_dispute("d1", "x", command_id="2", actor="a")
        await ledger.rule_dispute("d1", "upheld", "y", command_id="3", actor="a")
        topics = [entry.event.TOPIC for _, entry in await ledger.dispute("d1")]
        await ledger.leave()
        return topics

    assert asyncio.run(dispute()) == [
        *("dispute.opened.v1", "dispute.noted.v1", "dispute.ruled.v1"),
    ]


def test_no_dispute_of_that_id(played):
    """Nothing is shown of it."""
    with pytest.raises(UnknownDisputeError):
        played.dispute("d9")


# --- somebody wrote past the rules -----------------------------------------------------


def tampered(ledger: Ledger, dsn: str, old: str, new: str) -> list[tuple[str, object]]:
    """Change the text of a dispute's opening in the store; return what verification finds."""
    position = ledger.dispute("d1")[0].position
    topic, body = event_at(dsn, position)
    assert old in body
    replace(dsn, position, topic, body.replace(old, new))
    return [(found.what, found.derived) for found in ledger.verify() if found.what != "link"]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('"hand":"h-1"', '"hand":"h-9"', {("opened.hand", None), ("noted.hand", "h-9")}),
        ('"hand":"h-1"', '"hand":"h-2"', {("noted.hand", "h-2"), ("opened.claim", "hand.settlement_claimed.v1")}),
        ('"due":"2026', '"due":"2025', {("opened", "due_passed")}),
        ("2.50 short", " ", {("opened", "bad_record")}),
        ('"hand":"h-1"', '"hand":"h-1\\u0000"', {("opened.hand", None)}),
        ('"due":"2026', '"due":"9999', set()),
        ('"by":', '"of":', {("event", "a dispute's event")}),
        ("2.50 short", "3.50 short", set()),  # which the chain alone knows
    ],
    ids=["no such hand", "another hand", "due in the past", "nothing claimed", "no id", "due late", "unreadable", "text"],
)  # fmt: skip
def test_a_dispute_that_was_rewritten_is_found(played, store_dsn, old, new, found):
    """Where it is, and what it should be; and one changed letter breaks the chain."""
    opened(played, claim=claim_of(played))
    noted(played)
    ruled(played)

    parted = tampered(played, store_dsn, old, new)

    assert found <= set(parted)
    assert bool(parted) == bool(found)
    links = [one for one in played.verify() if one.what == "link"]
    assert [one.hand for one in links] == ["dispute:d1"]


def test_a_dispute_cut_in_the_middle_is_found(played, store_dsn):
    """By its versions, whoever renumbers positions."""
    opened(played)
    noted(played)
    ruled(played)
    position = played.dispute("d1")[1].position
    execute(store_dsn, "DELETE FROM events WHERE position = %s", [position])

    assert ("dispute:d1", "version") in {(one.hand, one.what) for one in played.verify()}


def test_a_hand_is_verified_though_a_dispute_event_was_put_into_it(played, store_dsn):
    """And named: no dispute's event is a hand's."""
    last = played.recorder.max_notification_id() or 0
    stored = played.hand("h-1")[-1].entry
    event = DisputeOpened(hand="h-1", by="x", claims="y", due=DUE, claim=None)
    entry = type(stored)("hand:h-1", stored.originator_version + 1, event, stored.cause)
    insert(store_dsn, [entry], after=last)

    assert {one.hand for one in played.verify()} == {"h-1"}


def test_a_reader_reads_the_view_alone(store_dsn):
    """The columns of the view are the fields of the row, in their order."""
    columns = rows(
        store_dsn,
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'disputes'"
        " ORDER BY ordinal_position",
    )
    with views(store_dsn) as read:
        assert read.disputes() == []
    assert [name for (name,) in columns] == list(DisputeRow._fields)
