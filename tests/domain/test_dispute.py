"""One dispute: what it takes, in which order, and that its events are what the commands give."""

# ruff: noqa: E501 - a row of a table stays on one line

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import ValidationError

from domain.discrepancies import Recorded
from domain.dispute import Dispute, dispute_stream
from domain.dispute_verification import Told, verify_dispute
from domain.errors import (
    BadRecordError,
    DisputeExistsError,
    DisputeRuledError,
    DuePassedError,
    TooLargeError,
    UnknownDisputeError,
)
from domain.events import (
    DisputeNoted,
    DisputeOpened,
    DisputeRuled,
    Event,
    EvidenceFile,
    HandFolded,
    PlayerErased,
)
from domain.limits import TEXT_CHARACTERS_MAX
from tests.domain.hands import CAUSE

NOW = CAUSE.at
DUE = NOW + timedelta(days=7)
BEYOND = datetime.max.replace(tzinfo=timezone(timedelta(hours=-12)))  # in the year 10000, UTC
LOG = EvidenceFile(name="table-7.log", size=3, sha256="ab" * 32)
OPENED = DisputeOpened(hand="h-1", by="p1", claims="2.50 short", due=DUE, claim=None)
NOTED = DisputeNoted(hand="h-1", text="asked for the log", evidence=None)
RULED = DisputeRuled(hand="h-1", verdict="rejected", why="the rake is 5 %")


def _open(dispute: Dispute, **other):
    given: dict[str, Any] = {"by": "p1", "claims": "2.50 short", "due": DUE, "cause": CAUSE}
    dispute.open("h-1", **(given | other))


def _dispute(*events: Event) -> Dispute:
    return Dispute.replay(dispute_stream("d-1"), events)


def _events(dispute: Dispute) -> list[Event]:
    return [entry.event for entry in dispute.collect_events()]


def test_a_dispute_is_opened_noted_and_ruled():
    """Each step is an event, and each names the hand."""
    dispute = Dispute("dispute:d-1")

    _open(dispute, claim=21)
    dispute.note("asked for the log", CAUSE)
    dispute.note("the log", CAUSE, LOG)
    dispute.rule("partly_upheld", "the refund was due", CAUSE)

    assert (dispute.dispute, dispute.hand, dispute.version) == ("d-1", "h-1", 4)
    assert _events(dispute) == [
        OPENED.model_copy(update={"claim": 21}),
        NOTED,
        DisputeNoted(hand="h-1", text="the log", evidence=LOG),
        DisputeRuled(hand="h-1", verdict="partly_upheld", why="the refund was due"),
    ]


def test_a_due_time_is_kept_in_utc():
    """Whatever its zone: it is stored in one form."""
    dispute = Dispute("dispute:d-1")

    _open(dispute, due=DUE.astimezone(timezone(timedelta(hours=8))))

    (opened,) = _events(dispute)
    assert opened == OPENED
    assert isinstance(opened, DisputeOpened)
    assert opened.due.tzinfo is UTC


# fmt: off
REFUSED = {
    # what                        what was before   what is done                                   refusal
    "opened twice":               ([OPENED],        _open,                                         DisputeExistsError),
    "opened again once ruled":    ([OPENED, RULED], _open,                                         DisputeExistsError),
    "due now":                    ([],              lambda d: _open(d, due=NOW),                   DuePassedError),
    "due before":                 ([],              lambda d: _open(d, due=NOW - timedelta(1)),    DuePassedError),
    "due when no calendar goes":  ([],              lambda d: _open(d, due=BEYOND),                BadRecordError),
    "nobody's":                   ([],              lambda d: _open(d, by=" "),                    BadRecordError),
    "nothing claimed":            ([],              lambda d: _open(d, claims=""),                 BadRecordError),
    "a claim that is no text":    ([],              lambda d: _open(d, claims=250),                BadRecordError),
    "a claim with U+0000":        ([],              lambda d: _open(d, claims="a\0"),              BadRecordError),
    "a claim with half a letter": ([],              lambda d: _open(d, claims="a\ud83d"),          BadRecordError),
    "a claim too long":           ([],              lambda d: _open(d, claims="张" * (TEXT_CHARACTERS_MAX + 1)), TooLargeError),
    "noted before it is opened":  ([],              lambda d: d.note("x", CAUSE),                  UnknownDisputeError),
    "ruled before it is opened":  ([],              lambda d: d.rule("upheld", "x", CAUSE),        UnknownDisputeError),
    "an empty note":              ([OPENED],        lambda d: d.note("\n", CAUSE),                 BadRecordError),
    "evidence without a name":    ([OPENED],        lambda d: d.note("x", CAUSE, LOG.model_copy(update={"name": ""})), BadRecordError),
    "ruled without reasons":      ([OPENED],        lambda d: d.rule("upheld", "", CAUSE),         BadRecordError),
    "noted once ruled":           ([OPENED, RULED], lambda d: d.note("x", CAUSE),                  DisputeRuledError),
    "ruled twice":                ([OPENED, RULED], lambda d: d.rule("upheld", "x", CAUSE),        DisputeRuledError),
}
# fmt: on


@pytest.mark.parametrize(("before", "do", "refusal"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_not_recorded(before, do, refusal):
    """The refusal has the rule's code, and nothing happened."""
    dispute = _dispute(*before)

    with pytest.raises(refusal):
        do(dispute)

    assert _events(dispute) == []
    assert dispute.version == len(before)


def test_a_text_may_be_as_long_as_is_said():
    """And not one character longer, which is refused above."""
    _open(Dispute("dispute:d-1"), claims="张" * TEXT_CHARACTERS_MAX)


@pytest.mark.parametrize(
    "other", [{"size": -1}, {"sha256": "ab" * 31}, {"sha256": "AB" * 32}, {"size": True}], ids=str
)
def test_evidence_is_what_a_file_was(other):
    """A size in bytes, and 64 hex digits."""
    with pytest.raises(ValidationError):
        EvidenceFile(**({"name": "a", "size": 1, "sha256": "ab" * 32} | other))


# --- verified ----------------------------------------------------------------------------

OTHER_HAND = NOTED.model_copy(update={"hand": "h-2"})
FOLDED, ERASED = HandFolded(seat=1, by="choice"), PlayerErased(balance=0, why="x")
PAST = OPENED.model_copy(update={"due": datetime(2001, 1, 1, tzinfo=UTC)})
BLANK = RULED.model_copy(update={"why": " "})


# fmt: off
VERIFIED = {
    # what                       events                        what is found, at which position
    "all in order":              ([OPENED, NOTED, RULED],      []),
    "no event":                  ([],                          []),
    "no opening":                ([NOTED],                     [(10, "noted", "recorded", "unknown_dispute")]),
    "opened twice":              ([OPENED, OPENED],            [(11, "opened", "recorded", "dispute_exists")]),
    "noted once ruled":          ([OPENED, RULED, NOTED],      [(12, "noted", "recorded", "dispute_ruled")]),
    "ruled twice":               ([OPENED, RULED, RULED],      [(12, "ruled", "recorded", "dispute_ruled")]),
    "due before it was opened":  ([PAST],                      [(10, "opened", "recorded", "due_passed")]),
    "ruled without reasons":     ([OPENED, BLANK],             [(11, "ruled", "recorded", "bad_record")]),
    "on another hand":           ([OPENED, OTHER_HAND, RULED], [(11, "noted.hand", "h-2", "h-1")]),
    "an event of a hand":        ([OPENED, FOLDED, RULED],     [(11, "event", "folded", "a dispute's event")]),
    "an event of a wallet":      ([ERASED],                    [(10, "event", "player_erased", "a dispute's event")]),
    "what cannot be read":       ([OPENED, None],              [(11, "event", "unreadable", "a dispute's event")]),
}
# fmt: on


@pytest.mark.parametrize(("events", "found"), VERIFIED.values(), ids=VERIFIED)
def test_a_dispute_is_decided_again(events, found):
    """Every event is what its command gives to the dispute that its past made."""
    rows = [Told(Recorded(9 + n, n, event), NOW) for n, event in enumerate(events, 1)]

    parted = list(verify_dispute("d-1", rows))

    assert [(d.position, d.what, d.recorded, d.derived) for d in parted] == found
    assert {d.hand for d in parted} <= {"dispute:d-1"}


def test_steps_in_another_order_of_positions_are_found():
    """Whoever exchanges two of them exchanges what was known when."""
    rows = [Told(Recorded(9, 1, OPENED), NOW), Told(Recorded(7, 2, RULED), NOW)]

    (parted,) = verify_dispute("d-1", rows)

    assert (parted.what, parted.recorded, parted.derived) == ("position", 7, "> 9")


def test_a_missing_version_is_found():
    """Nothing after it is judged, for nobody knows what it rests on."""
    rows = [Told(Recorded(1, 1, OPENED), NOW), Told(Recorded(2, 3, RULED), NOW)]

    (parted,) = verify_dispute("d-1", rows)

    assert (parted.what, parted.recorded, parted.derived) == ("version", 3, 2)
