from datetime import timedelta

import pytest

from domain.dispute import dispute_stream
from domain.events import DisputeNoted, DisputeOpened, DisputeRuled
from domain.stream import Entry
from projections.audit_trail.row import AuditTrailView
from projections.audit_trail.trail import AuditTrail
from projections.balances import changes
from projections.disputes import DisputeRow, Disputes, DisputesView
from projections.house import House
from tests.projections.histories import START, cause_of, history, in_batches, recorded

DUE = START + timedelta(days=7)


def opened(dispute: str, hand: str, *, by: str = "p1") -> Entry:
    """Return the opening of a dispute."""
    event = DisputeOpened(hand=hand, by=by, claims="2.50 short", due=DUE, claim=None)
    return Entry(dispute_stream(dispute), 1, event, cause_of(1))


def noted(dispute: str, version: int) -> Entry:
    """Return a note."""
    event = DisputeNoted(hand="h0", text="the log", evidence=None)
    return Entry(dispute_stream(dispute), version, event, cause_of(2))


def ruled(dispute: str, version: int) -> Entry:
    """Return a verdict."""
    event = DisputeRuled(hand="h0", verdict="upheld", why="so it is")
    return Entry(dispute_stream(dispute), version, event, cause_of(3))


COURSE = [
    *(opened("a", "h0"), opened("b", "h1", by="casino"), noted("a", 2)),
    *(noted("a", 3), ruled("a", 4), noted("b", 2)),
]


class Rows(DisputesView):
    """Disputes in memory."""

    def __init__(self):
        self.kept = {}

    def rows(self, disputes):
        """Return those that there are."""
        return {one: self.kept[one] for one in disputes if one in self.kept}

    def put(self, rows):
        """Keep them."""
        self.kept |= {row.dispute: row for row in rows}


def process(entries, sizes=(100,)):
    """Return the rows of a history."""
    view = Rows()
    for batch in in_batches(recorded(entries), sizes):
        Disputes(view).process(batch)
    return view.kept


@pytest.mark.parametrize("sizes", [[100], [1], [2, 1, 3]], ids=str)
def test_a_dispute_is_followed_to_its_verdict(sizes):
    """Wherever a batch ends."""
    rows = process(COURSE, sizes)

    a, b = cause_of(1).at, cause_of(3).at
    assert rows == {
        "a": DisputeRow(
            *("a", "h0", "p1", "2.50 short", DUE, a, 1),
            notes=2,
            state="ruled",
            verdict="upheld",
            ruled_at=b,
            ruled_position=5,
        ),
        "b": DisputeRow("b", "h1", "casino", "2.50 short", DUE, a, 2, notes=1),
    }


@pytest.mark.parametrize(
    ("entries", "error"),
    [
        ([noted("a", 1)], LookupError),
        ([opened("a", "h0"), opened("a", "h1")], AssertionError),
        ([opened("a", "h0"), ruled("a", 2), noted("a", 3)], AssertionError),
        ([opened("a", "h0"), ruled("a", 2), ruled("a", 3)], AssertionError),
    ],
    ids=["never opened", "opened twice", "noted once ruled", "ruled twice"],
)
def test_what_cannot_be_is_impossible(entries, error):
    """So it is parked, and nothing of the batch counts."""
    with pytest.raises(error):
        process(entries)


# --- beside the other read models -------------------------------------------------------


class Trail(AuditTrailView):
    """The trail in memory."""

    def __init__(self):
        self.rows = []

    def earlier(self, versions):
        """Say that no stream was begun earlier: nobody should ask for a dispute's."""
        assert not versions
        return []

    def append(self, rows):
        """Keep them."""
        self.rows += rows


def test_each_step_is_a_line_of_the_trail_without_its_texts():
    """By the hand that it is about; no seat, no player, no amount."""
    view = Trail()
    for batch in in_batches(recorded(COURSE), [4]):
        AuditTrail(view).process(batch)

    assert [row.who.hand for row in view.rows] == ["h0", "h1", "h0", "h0", "h0", "h0"]
    assert [row.place.topic.split(".")[1] for row in view.rows] == [
        *("opened", "opened", "noted", "noted", "ruled", "noted"),
    ]
    assert {(row.who.seat, row.who.player, row.amounts.amount) for row in view.rows} == {
        (None, None, 0)
    }
    assert "2.50 short" not in str(view.rows)
    assert "the log" not in str(view.rows)


def test_a_dispute_moves_no_chip():
    """Nobody's balance, and nothing of the house."""
    assert changes(COURSE) == {}
    assert House.topics.isdisjoint(Disputes.topics)


def test_hands_feed_no_dispute():
    """Only events of disputes do."""
    assert {entry.event.TOPIC for entry in history(6)}.isdisjoint(Disputes.topics)
    assert {entry.event.TOPIC for entry in COURSE} == Disputes.topics
