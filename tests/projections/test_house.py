from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from domain.events import HandOpened, HandSettled, Settlement
from domain.money import Transfer
from domain.stream import Entry
from projections.house import House, HouseRow, HouseView
from tests.domain.hands import record
from tests.projections.histories import START, cause_of, entries_of, in_batches, recorded

TWO_BONUSES = record("1 2c4d7h, 2 9s9d9h, 3 TcJcQc", "3 fold, 2 fold")
RAKED = record("1 QsJd3c, 2 9s9d9h", "2 call, 1 fold", rulebook="tongcheng")

NOTHING = Settlement(pot=0, rounds=0, winners=[], rake=0, house_bonus=0, seats={})


class Rows(HouseView):
    """The house in memory, beside the openings of a history."""

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


def process(events, sizes=(100,)):
    """Take in the events of hands, and return the rows."""
    view = Rows(events)
    of_hands = [event for event in events if event.entry.event.TOPIC in House.topics]
    for batch in in_batches(of_hands, sizes):
        House(view).process(batch)
    return sorted(view.rows.values(), key=str)


def moved(hand, *transfers, at=START):
    """Return an event of a hand that moved chips."""
    event = HandSettled.model_construct(settlement=NOTHING, transfers=transfers)
    return Entry(f"hand:{hand}", 9, event, replace(cause_of(1), at=at))


@pytest.mark.parametrize("sizes", [[100], [1], [2, 5]], ids=str)
def test_what_hands_cost_the_house_adds_up_by_day_and_table(sizes):
    """Seven antes of 5.00 each time, on one day at one kind of table."""
    hands = [{**TWO_BONUSES, "hand": name} for name in "ab"]

    rows = process(recorded(entries_of(hands)), sizes)

    assert [
        HouseRow(date(2026, 1, 2), "jiuyou", 1, 500, 10_000, rake=row.rake, bonus=-7_000)
        for row in rows
    ] == rows
    assert len(rows) == 1


@pytest.mark.parametrize("other", [{"ante": 600}, {"max_stake": 20_000}], ids=str)
def test_another_ante_or_bound_is_another_table(other):
    """A table is known by what it plays for."""
    table = {**TWO_BONUSES["table"], **other}
    hands = [{**TWO_BONUSES, "hand": "a"}, {**TWO_BONUSES, "hand": "b", "table": table}]

    assert 2 == len(process(recorded(entries_of(hands))))


def test_a_day_ends_at_midnight_utc():
    """Wherever the command came from, and whatever the zone that its time was given in."""
    opening = next(e for e in entries_of([TWO_BONUSES]) if isinstance(e.event, HandOpened))
    hand = opening.originator_id.removeprefix("hand:")
    east = timezone(timedelta(hours=8))
    raked = Transfer("pot", "house:rake", 5, "rake")

    rows = process(
        recorded(
            [
                opening,
                moved(hand, raked, at=datetime(2026, 1, 3, 7, 59, 59, tzinfo=east)),
                moved(hand, raked, raked, at=datetime(2026, 1, 3, tzinfo=UTC)),
            ]
        )
    )

    assert [(row.day.day, row.rake) for row in rows] == [(2, 5), (3, 10)]


def test_each_account_of_the_house_has_a_column():
    """What comes in counts up, what goes out counts down."""
    opening = next(e for e in entries_of([TWO_BONUSES]) if isinstance(e.event, HandOpened))
    hand = opening.originator_id.removeprefix("hand:")
    transfers = (
        Transfer("pot", "house:rake", 1, "rake"),
        Transfer("house:bank", "seat:1", 20, "prize"),
        Transfer("pot", "house:rounding", 300, "odd"),
        Transfer("house:bonus", "house:bank", 4000, "any"),
    )

    (row,) = process(recorded([opening, moved(hand, *transfers)]))

    assert (row.rake, row.bank, row.bonus, row.rounding) == (1, 3980, -4000, 300)


def test_a_hand_never_opened_earns_nobody_anything():
    """Nobody can say at which table, so the event is impossible; without the house it is not."""
    raked, won = Transfer("pot", "house:rake", 1, "rake"), Transfer("pot", "seat:1", 1, "won")

    with pytest.raises(LookupError):
        process(recorded([moved("lost", raked)]))
    assert [] == process(recorded([moved("lost", won)]))


def test_the_house_has_no_other_account():
    """A name unknown is impossible, and no sum passes it by."""
    with pytest.raises(AssertionError):
        process(recorded([moved("a", Transfer("pot", "house:tips", 1, "tip"))]))
