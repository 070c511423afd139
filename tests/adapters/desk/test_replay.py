"""A hand as frames, as pictures and by rounds: over every vector, and hands that are made up."""

import json
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import combinations

import pytest

from adapters.desk.pictures import Picture, changes, picture, short
from adapters.desk.replay import Replay, placed, replay
from adapters.desk.rounds import Cell, Met, rounds_of
from adapters.desk.table_drawing import PLATE, drawings
from adapters.desk.wording import WORDS, Say
from adapters.ledger import PositionedEntry
from adapters.registers.refusals import StoredRefusal
from adapters.simulation.hands import simulate_with_events
from domain.cards import HIDDEN, split
from domain.events import BetCalled, CardsDealt, CardsSeen, Event, HandOpened, HandSettled, ToppedUp
from domain.hand import Hand
from domain.money import POT, post, seat_account
from domain.playing import play
from domain.record import read
from domain.sight import as_seen
from domain.stream import Cause, Entry
from domain.zhajinhua.rulebooks import published
from domain.zhajinhua.wording import faces
from tests.domain.hands import events_of, opened, record
from tests.domain.vectors import asked, vectors

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SAY = Say(WORDS["en"])
A_HAND = record(
    "1 7s6d2h, 2 KsKd4h, 3 QhJhTh",
    "3 raise 1000, 2 look, 2 call, 1 fold, 3 compare 2",
)


def stored(events):
    """Put events in their places, a second apart."""
    return [
        PositionedEntry(
            100 + n, Entry("hand:h-1", n, event, Cause("c", "a", AT + timedelta(seconds=n)))
        )
        for n, event in enumerate(events, start=1)
    ]


@cache
def hands() -> list[tuple[list[Event], Replay]]:
    """Return every vector that settles and simulated hands of each rulebook, with their frames."""
    found: list[list[Event]] = []
    for _, vector in vectors():
        if "reject" not in vector:
            hand = play(read(json.dumps(asked(vector))), Cause("c", "a", AT))
            assert isinstance(hand, Hand), vector
            found.append([entry.event for entry in hand.collect_events()])
    for rulebook in published():
        found += [made.events for made in simulate_with_events(rulebook.id, hands=10, seed=4)]
    return [(events, replay(stored(events), "en")) for events in found]


def test_in_every_frame_the_chips_are_where_the_transfers_put_them():
    """Nothing appears and nothing is lost: stacks, pot and house together are what came in."""
    assert len(hands()) > 800
    for events, played in hands():
        opening = events[0]
        assert isinstance(opening, HandOpened)
        accounts = {seat_account(taken.seat): taken.carry for taken in opening.seats} | {POT: 0}
        came_in = sum(accounts.values())
        for event, frame in zip(events, played.frames, strict=True):
            accounts = post(accounts, event.transfers)
            if isinstance(event, ToppedUp):
                accounts[seat_account(event.seat)] += event.amount
                came_in += event.amount
            house = sum(held for name, held in accounts.items() if name.startswith("house:"))
            assert accounts[POT] == frame.pot
            assert all(accounts[seat_account(seat.seat)] == seat.stack for seat in frame.seats)
            assert sum(seat.stack for seat in frame.seats) + frame.pot + house == came_in


def test_the_last_frame_is_the_settlement():
    """What each seat put in, what it comes to, and who wins."""
    for events, played in hands():
        (settled,) = (event.settlement for event in events if isinstance(event, HandSettled))
        last = played.frames[-1]

        assert played.is_whole
        assert played.end == last.step == len(events)
        assert last.is_over
        assert [seat.seat for seat in last.seats if seat.won] == settled["winners"]
        for seat in last.seats:
            result = settled["seats"][str(seat.seat)]
            assert (seat.put_in, seat.net) == (result["contributed"], result["net"])


def test_every_step_has_its_rule_and_its_document():
    """And one that costs something has arithmetic."""
    for frame in (frame for _, played in hands() for frame in played.frames):
        assert all(step.rule.startswith("§") and step.document for step in frame.argument)
        if frame.deed.price and frame.deed.kind != "ante_posted":
            assert any(step.arithmetic for step in frame.argument)


def test_a_hand_by_rounds_sums_up_to_what_was_put_in():
    """Round by round, whatever the rulebook."""
    for events, _ in hands():
        found = rounds_of(events)
        assert found is not None
        for row in found.rows:
            assert row.result is not None
            assert sum(cell.amount for cell in row.cells if cell) == row.result["contributed"]


def test_a_hand_by_rounds_says_who_looked_met_and_folded():
    """As an operator reads it."""
    found = rounds_of(events_of(A_HAND))

    assert found is not None
    one, two, three = (row.cells for row in found.rows)
    assert one == (Cell(500), Cell(folded=True), None)
    assert two == (Cell(500), Cell(2000, seen=True, looked=True), Cell(beaten=True))
    assert three == (Cell(500), Cell(1000), Cell(2000, met=(Met(2, "won", initiated=True),)))


def test_a_running_hand_is_drawn_without_cards():
    """None is in any picture, and none in what is said beside it."""
    for events, _ in hands()[::10]:
        dealt = next(event for event in events if isinstance(event, CardsDealt))
        seen = as_seen(events[: events.index(dealt) + 2])
        if any(isinstance(event, HandSettled) for event in seen):
            continue
        frames = replay(stored(seen), "en").frames
        told = f"{[picture(frame, SAY, str) for frame in frames]} {frames}"
        for cards in dealt.cards.values():
            assert cards not in told
            assert faces(cards) not in told
            assert not {*split(cards)} & {*told.replace("'", " ").split()}
        assert frames[-1].seats[0].cards == HIDDEN


def test_a_seat_sees_its_own_cards_in_its_pictures():
    """Once it has looked, and no other's."""
    seen = as_seen([*(e.event for e in opened(A_DEAL).collect_events()), _look(2)], seat=2)
    last = picture(replay(stored(seen), "en").frames[-1], SAY, str)

    assert last.cards == {"1": ["back"] * 3, "2": ["Ks", "Kd", "4h"], "3": ["back"] * 3}
    assert last.of["2.cards"] == "K♠ K♦ 4♥ pair"
    assert last.of["1.cards"] == "face down"


A_DEAL = "1 7s6d2h, 2 KsKd4h, 3 QhJhTh"


def _look(seat):
    return next(e for e in events_of(A_HAND) if isinstance(e, CardsSeen) and e.seat == seat)


def test_changes_lead_from_picture_to_picture():
    """Each holds what the one before it does not."""
    pictures = [
        picture(frame, SAY, str) for frame in replay(stored(events_of(A_HAND)), "en").frames
    ]
    now = Picture(0, {}, {}, {})
    for due, changed in zip(pictures, changes(pictures), strict=True):
        of, classes, cards = (
            {**getattr(now, name), **changed[name]} for name in ("of", "classes", "cards")
        )
        now = Picture(due.step, of, classes, cards)
        assert now == due
    assert len(json.dumps(changes(pictures))) < len(json.dumps(pictures)) / 2


def test_a_hand_that_leads_nowhere_is_followed_as_far_as_it_goes():
    """And does not pretend to wait for anybody there."""
    events = events_of(A_HAND)
    at = next(n for n, event in enumerate(events) if isinstance(event, BetCalled))
    events[at] = events[at].model_copy(update={"seat": 9})
    played = replay(stored(events), "en")

    assert not played.is_whole
    assert len(played.frames) == played.end == at
    assert "turn" not in str(played.frames[-1].argument)


def test_what_is_no_hand_at_all_has_no_frame():
    """Its page shows what its verification finds."""
    played = replay(stored(events_of(A_HAND)[1:]), "en")

    assert list(played.frames) == []
    assert played.end == 0


@pytest.mark.parametrize(
    ("seconds", "step"),
    [(-5, 0), (1, 1), (3.5, 3), (60, 12)],
    ids=["before", "at", "amid", "after"],
)
def test_a_refusal_is_placed_by_the_clock(seconds, step):
    """After the last step that happened no later."""
    refusal = StoredRefusal(
        1, "c-1", "act", "hand:h-1", "seat-2", b"", {"do": "fold", "seat": 2}, "not_your_turn",
        "seat 2 acts", "§3.1", {}, AT + timedelta(seconds=seconds), AT,
    )  # fmt: skip
    frames = replay(stored(events_of(A_HAND)), "en").frames

    assert placed([refusal], frames) == {step: [refusal]}


@pytest.mark.parametrize("count", range(2, 18))
def test_no_seat_covers_another_however_many_there_are(count):
    """Lying and standing; and none is cut off at the edge."""
    for drawing in drawings(list(range(1, count + 1))):
        places = [place.at for place in drawing.places]
        for one, other in combinations(places, 2):
            assert abs(one.x - other.x) >= PLATE.x or abs(one.y - other.y) >= PLATE.y
        for at in places:
            assert PLATE.x / 2 <= at.x <= drawing.width - PLATE.x / 2
            assert PLATE.y / 2 <= at.y <= drawing.height - PLATE.y / 2


def test_seats_go_clockwise_from_whoever_looks():
    """The first at the bottom, the next to the left of it."""
    for drawing in drawings([1, 2, 4, 7], first=4):
        at = {place.seat: place.at for place in drawing.places}
        assert max(at, key=lambda seat: at[seat].y) == 4
        assert min(at, key=lambda seat: at[seat].x) == 7
        assert min(at, key=lambda seat: at[seat].y) == 1


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ann", "ann"),
        ("a-player-with-a-name", "a-player-wit…"),
        ("欧阳娜娜欧阳娜娜", "欧阳娜娜欧阳…"),
    ],
)
def test_a_long_name_is_cut_to_its_plate(name, shown):
    """汉字 are twice as wide."""
    assert short(name) == shown
