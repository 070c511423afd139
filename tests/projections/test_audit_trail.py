import re
from collections import Counter

import pytest

from domain.events import (
    BetCalled,
    CardsDealt,
    HandFolded,
    HandOpened,
    HandSettled,
    SeatTaken,
    SettlementClaimed,
)
from domain.money import Transfer
from domain.stream import Entry
from projections.audit_trail.row import AuditTrailView, OperatorColumns, TrailRow
from projections.audit_trail.trail import AuditTrail
from tests.domain.hands import record
from tests.projections.histories import (
    cause_of,
    entries_of,
    history,
    in_batches,
    recorded,
    shuffled,
)

UNTOLD: tuple[int | None, int | None] = (None, None)
CARD = re.compile(r"[2-9TJQKA][cdhs]")
DUEL = record(
    "1 2c4d7h, 2 QsJd3c, 3 9s9d9h", "3 look, 3 raise 1000, 2 call, 1 call, 3 compare 2, 1 fold"
)


class Rows(AuditTrailView):
    """The trail in memory, beside the history that it can read again."""

    def __init__(self, events, unreadable=()):
        self.rows: list[TrailRow] = []
        self.events = [event for event in events if event.position not in unreadable]

    def earlier(self, versions):
        """Read the beginnings of streams."""
        for event in self.events:
            if event.entry.originator_version < versions.get(event.entry.originator_id, 0):
                yield event

    def append(self, rows):
        """Keep the rows."""
        self.rows += rows


def trail(events, sizes=(10_000,), unreadable=()):
    """Return the rows of events taken in by batches of these sizes."""
    view = Rows(events, unreadable)
    for batch in in_batches(events, sizes):
        AuditTrail(view).process([e for e in batch if e.position not in unreadable])
    return view.rows


def of_hand(played, topic=None):
    """Return what the rows of a hand's own events say, those of its wallets left out."""
    rows = trail(recorded(entries_of([played])))
    return [
        r for r in rows if r.place.stream.startswith("hand:") and topic in {None, r.place.topic}
    ]


# fmt: off
LINES = [
    # topic            seat stack           pot          round in_round seen duel            folded
    ("opened",         None, None, None,        0,    0, None, None, None,  None, None, None, None),
    ("ante_posted",    3, 100000, 99500,        0,  500, 0,  500, False, None, None, None, False),
    ("ante_posted",    2, 100000, 99500,      500, 1000, 0,  500, False, None, None, None, False),
    ("ante_posted",    1, 100000, 99500,     1000, 1500, 0,  500, False, None, None, None, False),
    ("cards_dealt",    None, None, None,     1500, 1500, 0, None, None,  None, None, None, None),
    ("cards_seen",     3, 99500, 99500,      1500, 1500, 1,    0, True,  None, None, None, False),
    ("bet_raised",     3, 99500, 97500,      1500, 3500, 1, 2000, True,  None, None, None, False),
    ("bet_called",     2, 99500, 98500,      3500, 4500, 1, 1000, False, None, None, None, False),
    ("bet_called",     1, 99500, 98500,      4500, 5500, 1, 1000, False, None, None, None, False),
    ("hands_compared", 3, 97500, 93500,      5500, 9500, 2, 4000, True,  2, "won", True, False),
    ("folded",         1, 98500, 98500,      9500, 9500, 2,    0, False, None, None, None, True),
    ("bonus_granted",  3, 93500, 96000,      9500, 9500, 2, 4000, True,  None, None, None, False),
    ("settled",        None, None, None,     9500,    0, 2, None, None,  None, None, None, None),
]
# fmt: on


def test_a_hand_reads_line_by_line():
    """Each event's seat, stack and pot before and after, and what the operator wants to see."""
    got = [
        (
            row.place.topic.split(".")[1],
            row.who.seat,
            row.amounts.stack_before,
            row.amounts.stack_after,
            row.amounts.pot_before,
            row.amounts.pot_after,
            *row.operator,
        )
        for row in of_hand(DUEL)
    ]

    assert got == LINES


def test_a_line_says_who_caused_it_and_when():
    """Which event of which stream, the command and its actor, both times, and the player."""
    events = recorded(entries_of([DUEL]))
    row = next(r for r in trail(events) if r.place.topic == "hand.folded.v1")
    event = events[row.place.position - 1]

    assert row.place == (
        event.position, "hand:h-1", 11, "hand.folded.v1",
        event.entry.cause.at, event.recorded_at, "tests", "command-0",
    )  # fmt: skip
    assert row.who == ("h-1", 1, "p1", "choice")


def test_transfers_are_told_under_ledger_wide_names():
    """What a seat paid into a hand's pot is told from what it paid into another's."""
    (called,) = of_hand(record("1 2c4d7h, 2 QsJd3c", "2 call, 1 fold"), "hand.bet_called.v1")

    assert called.amounts.transfers == (("hand:h-1:seat:2", "hand:h-1:pot", 500, "call"),)
    assert called.amounts.amount == 500


def test_a_wallet_has_lines_in_the_hand_that_it_pays_for():
    """The carry goes in and what is left comes back, with the balance before and after."""
    rows = trail(recorded(entries_of([DUEL])))
    own = [r for r in rows if r.who.player == "p1" and r.place.stream == "wallet:p1"]

    assert [
        (r.place.topic, r.who.hand, r.who.seat, r.amounts.balance_before, r.amounts.balance_after)
        for r in own
    ] == [
        ("wallet.deposited.v1", None, None, 0, 100_000),
        ("wallet.carry_reserved.v1", "h-1", 1, 100_000, 0),
        ("wallet.carry_released.v1", "h-1", 1, 0, 98_500),
    ]


def test_a_forced_duel_was_initiated_by_nobody():
    """It belongs to the last round, costs nothing, and no seat asked for it."""
    done = "2 call, 1 call, " * 2
    played = record("1 2c4d7h, 2 QsJd3c", done, table={"ante": 500, "round_limit": 2})
    (duel,) = of_hand(played, "hand.hands_compared.v1")

    assert duel.who.seat == 2
    assert duel.operator == OperatorColumns(
        round=2,
        amount_this_round=500,
        seen=False,
        compared_with=1,
        result="won",
        initiated=False,
        folded=False,
    )


@pytest.mark.parametrize("sizes", [[1], [3], [17, 5, 2000], [10_000]], ids=str)
def test_it_does_not_matter_where_a_batch_ends(sizes):
    """A hand that goes on in a later batch has the same lines as in one."""
    events = recorded(shuffled(history(12), 5))

    assert trail(events, sizes) == trail(events)


def test_before_and_after_are_what_the_accounts_hold():
    """Pots, stacks and wallets are the balances of their accounts, posted transfer by transfer."""
    rows = trail(recorded(history(60)), [97])
    topped_up = {row.who.hand for row in rows if row.place.topic == "hand.topped_up.v1"}
    held: Counter[str] = Counter()

    for row in rows:
        hand, seat, player, _ = row.who
        accounts = [f"hand:{hand}:seat:{seat}", f"hand:{hand}:pot", f"player:{player}"]
        before: list[int | None] = [held[name] for name in accounts]
        for source, target, amount, _ in row.amounts.transfers:
            held[source] -= amount
            held[target] += amount
        after: list[int | None] = [held[name] for name in accounts]
        if hand in topped_up:  # what is brought in later was paid for at once
            before[0], after[0] = row.amounts.stack_before, row.amounts.stack_after

        stack, pot, wallet = zip(before, after, strict=True)
        told = (*UNTOLD, *UNTOLD, *wallet)
        if row.place.stream.startswith("hand:"):
            told = (*(UNTOLD if seat is None else stack), *pot, *UNTOLD)
        assert told == row.amounts[2:]


def test_chips_brought_in_later_count():
    """A top-up is in the seat's stack from its own line on, though the wallet paid for it."""
    rows = [row for row in trail(recorded(history(60))) if row.place.topic == "hand.topped_up.v1"]

    assert rows
    assert all(r.amounts.stack_after > r.amounts.stack_before for r in rows)
    assert {r.amounts.amount for r in rows} == {0}


def test_a_hand_ends_in_the_round_that_its_settlement_names():
    """Bonuses and settlement belong to the round of the last action."""
    events = recorded(history(90))
    rounds = {
        e.entry.originator_id: e.entry.event.settlement["rounds"]
        for e in events
        if isinstance(e.entry.event, HandSettled)
    }

    got = {r.place.stream: r.operator.round for r in trail(events) if "settled" in r.place.topic}

    assert got == rounds


def test_no_card_is_ever_told():
    """Not in a running hand, not in a finished one, in no column."""
    for row in trail(recorded(history(30))):
        assert not CARD.search(repr(row._replace(place=row.place._replace(stream=""))))


def test_what_rests_on_an_unreadable_event_is_not_known():
    """The lines before it and of other hands stand; those after it do without its amounts."""
    events = recorded(entries_of([DUEL]))
    gap = next(e.position for e in events if e.entry.event.TOPIC == "hand.bet_raised.v1")

    whole, rows = trail(events, [3]), trail(events, [3], unreadable={gap})

    assert gap not in {r.place.position for r in rows}
    for row in rows:
        full = whole[row.place.position - 1]
        if row.place.position < gap or row.place.stream.startswith("wallet:"):
            assert row == full
        else:
            assert row[:2] == full[:2]
            assert row.amounts.amount == full.amounts.amount
            assert set(row.amounts[2:]) | set(row.operator) == {None}


def test_an_event_that_cannot_be_is_refused():
    """A bet out of a seat that nobody sits in has no line, and neither has its batch."""
    events = recorded(entries_of([DUEL]))
    moved = next(e for e in events if isinstance(e.entry.event, BetCalled))
    wrong = moved.entry.event.model_copy(update={"seat": 9})
    bad = moved._replace(
        entry=Entry("hand:h-1", moved.entry.originator_version, wrong, cause_of(1))
    )
    view = Rows(events)

    with pytest.raises(LookupError):
        AuditTrail(view).process([*events[: bad.position - 1], bad])

    assert view.rows == []


def test_what_follows_an_event_that_cannot_be_is_not_known():
    """It is read again before the next batch, and then nothing rests on it."""
    events = recorded(entries_of([DUEL]))
    at = next(e.position for e in events if isinstance(e.entry.event, HandFolded))
    wrong = events[at - 1].entry.event.model_copy(update={"seat": 9})
    events[at - 1] = events[at - 1]._replace(
        entry=Entry("hand:h-1", events[at - 1].entry.originator_version, wrong, cause_of(1))
    )
    view = Rows(events)

    AuditTrail(view).process(events[at:])

    hand = [row for row in view.rows if row.place.stream == "hand:h-1"]
    assert hand
    assert all(row.amounts.pot_after is None for row in hand)


def test_a_hand_of_another_game_does_without_the_operators_columns():
    """Stacks and pot are told whatever the game; what 炸金花 alone knows is left empty."""
    seats = (SeatTaken(seat=1, player="ann", carry=50), SeatTaken(seat=2, player="bo", carry=70))
    opening = HandOpened(
        game="niuniu", rulebook="niuniu", version=1, digest="", table={}, dealer=1, opener=1,
        seats=seats, draws={},
    )  # fmt: skip
    call = BetCalled(
        seat=2, seen=False, by="choice", transfers=(Transfer("seat:2", "pot", 7, "call"),)
    )
    claim = SettlementClaimed(claimant="elsewhere", settlement={})
    events = recorded(
        Entry("hand:n1", version, event, cause_of(version))
        for version, event in enumerate((opening, call, CardsDealt(cards={}), claim), 1)
    )

    _, called, _, claimed = trail(events)

    assert called.who.player == "bo"
    assert called.amounts[2:6] == (70, 63, 0, 7)
    assert claimed.amounts[2:6] == (None, None, 7, 7)
    assert {row.operator for row in trail(events)} == {OperatorColumns()}
