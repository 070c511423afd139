import json

import pytest

from domain.events import HandSettled, HandVoided, SettlementClaimed
from domain.stream import Entry
from projections.hands.flags import OF_EVENT
from projections.hands.hands import Hands
from projections.hands.row import FLAGS, HandRow, HandsView
from tests.domain.hands import record
from tests.projections.histories import (
    START,
    cause_of,
    entries_of,
    history,
    in_batches,
    recorded,
    records,
)

FOLDED = record("1 2c4d7h, 2 9s9d9h, 4 TcJcQc", "4 fold, 2 fold")


class Rows(HandsView):
    """Hands in memory, beside the settlements of a history."""

    def __init__(self, events):
        self.kept = {}
        self.settled = {
            entry.originator_id.removeprefix("hand:"): entry.event.settlement
            for _, entry, _ in events
            if isinstance(entry.event, HandSettled)
        }

    def rows(self, hands):
        """Return those of the hands."""
        return {hand: self.kept[hand] for hand in hands if hand in self.kept}

    def settlements(self, hands):
        """Return those of the hands."""
        return {hand: self.settled[hand] for hand in hands if hand in self.settled}

    def put(self, rows):
        """Keep them."""
        self.kept.update((row.hand, row) for row in rows)


def process(entries, sizes=(1000,)):
    """Take in the events of hands that the projection wants, and return the rows."""
    events = recorded(entries)
    view = Rows(events)
    wanted = [event for event in events if event.entry.event.TOPIC in Hands.topics]
    for batch in in_batches(wanted, sizes):
        Hands(view).process(batch)
    return view.kept


def of_hand(*played):
    """Return the events of hands, without those of wallets."""
    return [e for e in entries_of(played) if e.originator_id.startswith("hand:")]


def also(entries, *events):
    """Return the entries, and more of the last hand."""
    last = entries[-1]
    return [
        *entries,
        *(
            Entry(last.originator_id, last.originator_version + n, event, cause_of(7))
            for n, event in enumerate(events, 1)
        ),
    ]


def cut(entries, topic):
    """Return the entries before the first of a topic."""
    at = next(n for n, e in enumerate(entries) if e.event.TOPIC == topic)
    return entries[:at]


def test_a_settled_hand_has_a_row_of_what_it_came_to():
    """Who sat where, at which table, when and where it began and ended, and the figures."""
    entries = of_hand(FOLDED)
    opened, *_, last = recorded(entries)
    settled = next(e.event for e in entries if isinstance(e.event, HandSettled))

    (row,) = process(entries).values()

    assert row == HandRow(
        hand="h-1",
        game="zhajinhua",
        rulebook="jiuyou",
        version=1,
        ante=500,
        max_stake=10_000,
        seats=(1, 2, 4),
        players=("p1", "p2", "p4"),
        opened_at=START,
        opened_position=opened.position,
        state="settled",
        ended_at=START,
        ended_position=last.position,
        winners=("p1",),
        pot=settled.settlement["pot"],
        rounds=settled.settlement["rounds"],
        rake=settled.settlement["rake"],
        house_bonus=7_000 // 2,
        flags=("bonus",),
    )


def test_a_running_hand_has_come_to_nothing_yet():
    """No winner, no pot, no end; and nothing of its cards."""
    entries = cut(of_hand(FOLDED), "hand.folded.v1")

    (row,) = process(entries).values()

    assert row.state == "running"
    assert {None} == {row.ended_at, row.ended_position, row.winners, row.pot, row.rake}
    assert not any(card in json.dumps(row, default=str) for card in ("2c", "9s", "Tc"))


def test_a_void_hand_has_an_end_and_no_winner():
    """It does not count, so it came to nothing."""
    entries = cut(of_hand(FOLDED), "hand.bonus_granted.v1")

    (row,) = process(also(entries, HandVoided(reason="power"))).values()

    assert (row.state, row.flags, row.winners, row.pot) == ("void", ("voided",), None, None)
    assert row.ended_position == len(entries) + 1


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_it_does_not_matter_where_a_batch_of_hands_ends(size):
    """Rows in the middle of a hand are taken further as those of a whole one."""
    entries = [e for e in history(40) if e.originator_id.startswith("hand:")]

    assert process(entries, [size]) == process(entries)


CLAIMS = {
    # why                              what is claimed                does it differ
    "the figures recorded":            ({},                           False),
    "another pot":                     ({"pot": 1},                   True),
    "a figure that no settlement has": ({"tip": 1},                   True),
    "a seat's figure":                 ({"seats": {"1": {"won": 0}}}, True),
}  # fmt: skip


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize(("claim", "differs"), CLAIMS.values(), ids=CLAIMS)
def test_a_claim_is_compared_with_the_settlement(claim, differs, size):
    """Whichever figure differs marks the hand, whether it was settled in the same batch or not."""
    entries = of_hand(FOLDED)
    own = next(dict(e.event.settlement) for e in entries if isinstance(e.event, HandSettled))
    claimed = SettlementClaimed(claimant="them", settlement=own | claim)

    (row,) = process(also(entries, claimed), [size]).values()

    assert row.flags == ("bonus", *(["claim_mismatch"] if differs else []), "claimed")


def test_the_hands_of_the_vectors_have_every_flag_of_play():
    """Each is there for some hand, in the order of the alphabet, and none that is unknown."""
    banker = record("1 2c4d7h, 2 9s9d9h", "1 call, fold_all", rulebook="feifan2017")
    rows = [*process(of_hand(*records(300))).values(), *process(of_hand(banker)).values()]
    found = {flag for row in rows for flag in row.flags}

    assert {*FLAGS} - {"voided", "claimed", "claim_mismatch", "disclosed"} == found
    assert all(list(row.flags) == sorted(row.flags) for row in rows)
    assert {*OF_EVENT.values()} <= {*FLAGS}
    assert sorted(FLAGS) == list(FLAGS)


CLAIM = SettlementClaimed(claimant="them", settlement={})
IMPOSSIBLE = {
    # what cannot be         its events
    "a hand never opened":   lambda hand: hand[-1:],
    "opened twice":          lambda hand: also(hand, hand[0].event),
    "settled twice":         lambda hand: also(hand, hand[-1].event),
    "void after the end":    lambda hand: also(hand, HandVoided(reason="late")),
    "a claim of no hand's":  lambda hand: also(cut(hand, "hand.folded.v1"), CLAIM),
}  # fmt: skip


@pytest.mark.parametrize("given", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_cannot_happen_to_a_hand_is_impossible(given):
    """Such an event is not taken in, rather than told wrongly."""
    with pytest.raises((LookupError, AssertionError)):
        process(given(of_hand(FOLDED)))
