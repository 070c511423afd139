import pytest

from domain.events import BonusGranted, HandOpened
from domain.stream import Entry
from projections.bonuses import Bonuses, BonusesView, BonusRow
from tests.domain.hands import record
from tests.projections.histories import cause_of, entries_of, in_batches, recorded

TWO_BONUSES = record("1 2c4d7h, 2 9s9d9h, 3 TcJcQc", "3 fold, 2 fold")
ONE_BONUS = record("1 QsJd3c, 2 9s9d9h", "2 call, 1 fold")


class Rows(BonusesView):
    """Bonuses in memory, beside the openings of a history."""

    def __init__(self, events):
        self.rows = {}
        self.opened = {
            entry.originator_id: entry.event
            for _, entry, _ in events
            if isinstance(entry.event, HandOpened)
        }

    def openings(self, streams):
        """Return those of the streams."""
        return {stream: self.opened[stream] for stream in streams if stream in self.opened}

    def add(self, rows):
        """Add up by key."""
        for row in rows:
            self.rows[row.key] = row.plus(self.rows[row.key]) if row.key in self.rows else row


def process(view, events, sizes):
    """Take in what bonuses there are."""
    granted = [event for event in events if event.entry.event.TOPIC in Bonuses.topics]
    for batch in in_batches(granted, sizes):
        Bonuses(view).process(batch)


@pytest.mark.parametrize("sizes", [[100], [1], [2, 1]], ids=str)
def test_bonuses_add_up_by_player_category_and_rulebook(sizes):
    """Five antes of 5.00 for trips, two for a straight flush, whoever won."""
    hands = [{**TWO_BONUSES, "hand": "a"}, {**TWO_BONUSES, "hand": "b"}, {**ONE_BONUS, "hand": "c"}]
    events = recorded(entries_of(hands))
    view = Rows(events)

    process(view, events, sizes)

    assert set(view.rows.values()) == {
        BonusRow("p2", "trips", "jiuyou", 1, 3, 7_500),
        BonusRow("p3", "straight_flush", "jiuyou", 1, 2, 2_000),
    }


def test_a_bonus_in_a_hand_never_opened_is_impossible():
    """Nobody can say whose it is, so nothing of the batch is written."""
    granted = BonusGranted(seat=1, category="trips", payer="house")
    events = recorded([Entry("hand:lost", 1, granted, cause_of(1))])
    view = Rows(events)

    with pytest.raises(LookupError):
        process(view, events, [1])

    assert view.rows == {}


def test_a_bonus_of_nothing_counts():
    """Where the others had nothing left to pay, the bonus was still due once."""
    opening, *_ = (e for e in entries_of([{**ONE_BONUS}]) if isinstance(e.event, HandOpened))
    granted = BonusGranted(seat=2, category="trips", payer="seats")
    events = recorded([opening, Entry(opening.originator_id, 2, granted, cause_of(1))])
    view = Rows(events)

    process(view, events, [2])

    assert [(row.times, row.amount) for row in view.rows.values()] == [(1, 0)]
