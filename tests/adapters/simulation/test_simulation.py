"""Simulated hands: legal, the same for the same seed, and rich in what is rare at real tables."""

import hashlib
import json
from collections import Counter

import pytest

from adapters.shuffle import Chance
from adapters.simulation.deals import deal
from adapters.simulation.hands import PLAYERS, line_of, simulate
from domain.cards import DECK, split
from domain.errors import UnknownRulebookError
from domain.events import (
    BetCalled,
    BonusGranted,
    HandFolded,
    HandsCompared,
    LastStandTaken,
)
from domain.zhajinhua.ranking import duel, strength
from domain.zhajinhua.rulebooks import published
from domain.zhajinhua.rulebooks.jiuyou import JIUYOU_V1
from tests.domain.hands import events_of, settled

PUBLISHED = [rulebook.id for rulebook in published()]
MANY = 1500


def test_a_seed_gives_the_same_hands_for_ever():
    """The bytes are pinned: every run, machine and Python gives them."""
    lines = "\n".join(map(line_of, simulate("jiuyou", hands=40, seed=7)))

    assert hashlib.sha256(lines.encode()).hexdigest()[:16] == "6b68d1d0407611cf"


@pytest.mark.parametrize("rulebook", PUBLISHED)
def test_a_hand_does_not_depend_on_how_many_are_asked_for(rulebook):
    """The third hand is the third hand, whatever comes before and after it."""
    (third,) = simulate(rulebook, hands=1, seed=3, first=3)

    assert third == list(simulate(rulebook, hands=5, seed=3))[2]


def test_another_seed_gives_other_hands():
    """Seeds are worth choosing, negative ones too."""
    hands = [next(simulate("jiuyou", hands=1, seed=seed))["deal"] for seed in (-1, 0, 1, 10**30)]

    assert len({json.dumps(dealt) for dealt in hands}) == len(hands)


@pytest.mark.parametrize("rulebook", PUBLISHED)
def test_every_hand_is_legal_and_settles_as_it_says(rulebook):
    """A simulated record passes through the reader like anybody's, and its figures hold."""
    for number, record in enumerate(simulate(rulebook, hands=200, seed=11), start=1):
        line = line_of(record)

        assert record["hand"] == f"sim-{rulebook}-11-{number}"
        assert settled(line) == record["settlement"]


def test_rare_turns_of_play_come_up():
    """What each rule of 九游 is for happens in a thousand hands, again and again."""
    seen = Counter[str]()
    for record in simulate("jiuyou", hands=MANY, seed=1):
        seen.update(happenings(record))

    for happening in EXPECTED:
        assert seen[happening] >= 3, (happening, seen)


EXPECTED = (
    "timeout folds",
    "timeout calls",
    "timeout compares",
    "timeout takes the last stand",
    "compare",
    "equal duel",
    "235 beats trips",
    "last stand lost",
    "last stand won",
    "last stand in round 1",
    "refund",
    "forced",
    "bonus for trips",
    "bonus for straight_flush",
    "protection lifted",
    "own round limit",
    "no max_stake",
    "gap in seat numbers",
    "2 seats",
    "5 seats",
)


# What only some rulebooks know: events, and the reasons of transfers.
ELSEWHERE = {
    "platform": ("HandsCompared", "LastStandTaken", "bonus", "refund"),
    "yingsanzhang": ("AllInTaken", "HandsOpened", "refund", "bonus"),
    "tongcheng": ("AllInTaken", "HandsOpened", "HandsCompared", "refund"),
    "feifan2017": ("AllInTaken", "AllFolded", "ToppedUp", "HandsOpened", "push", "blind_winner"),
    "jisu": ("HandsOpened", "antes", "prize", "bonus"),
}


@pytest.mark.parametrize("rulebook", ELSEWHERE)
def test_what_only_some_rulebooks_know_comes_up(rulebook):
    """All-ins, top-ups, openings and side payments happen wherever they can."""
    seen = Counter[str]()
    for record in simulate(rulebook, hands=250, seed=1):
        events = events_of(line_of(record))
        names = {type(event).__name__ for event in events}
        seen.update(names | {move.reason for event in events for move in event.transfers})

    for happening in ELSEWHERE[rulebook]:
        assert seen[happening] >= 3, (happening, seen)


def happenings(record):
    """Return what came up in a hand."""
    found = {f"{len(record['seats'])} seats"}
    numbers = [seat["seat"] for seat in record["seats"]]
    if numbers[-1] - numbers[0] >= len(numbers):
        found.add("gap in seat numbers")
    if "max_stake" not in record["table"]:
        found.add("no max_stake")
    if "round_limit" in record["table"]:
        found.add("own round limit")
    if any(not seat.get("protect", True) for seat in record["seats"]):
        found.add("protection lifted")
    if any(seat["refund"] for seat in record["settlement"]["seats"].values()):
        found.add("refund")
    events = events_of(line_of(record))
    for event in events:
        found |= happened(event, {int(seat): held for seat, held in record["deal"].items()})
    if any(isinstance(event, LastStandTaken) for event in events):
        duels = [e for e in events if isinstance(e, HandsCompared) and e.why == "last_stand"]
        found.add(
            "last stand won" if duels[-1].winner == duels[-1].challenger else "last stand lost"
        )
        if record["settlement"]["rounds"] == 1:
            found.add("last stand in round 1")
    return found


def happened(event, held):
    """Return what one event shows."""
    match event:
        case BetCalled(by="timeout"):
            return {"timeout calls"}
        case HandFolded(by="timeout"):
            return {"timeout folds"}
        case LastStandTaken(by="timeout"):
            return {"timeout takes the last stand"}
        case BonusGranted(category=category):
            return {f"bonus for {category}"}
        case HandsCompared(why=why, by=by):
            found: set[str] = {"timeout compares" if by == "timeout" else why}
            won, lost = held[event.winner], held[event.out[0]]
            if duel(won, lost, JIUYOU_V1) == 0 or duel(lost, won, JIUYOU_V1) == 0:
                found.add("equal duel")
            elif strength(won, JIUYOU_V1) < strength(lost, JIUYOU_V1):
                found.add("235 beats trips")
            return found
    return set()


def test_the_same_players_sit_at_many_hands():
    """Wallets get a history."""
    games = Counter(
        seat["player"]
        for record in simulate("jiuyou", hands=200, seed=5)
        for seat in record["seats"]
    )

    assert set(games) == set(PLAYERS)
    assert min(games.values()) >= 2


def test_a_rulebook_that_nobody_published_is_refused():
    """The refusal is that of the records."""
    with pytest.raises(UnknownRulebookError):
        next(simulate("nowhere", hands=1, seed=1))


def test_every_deal_is_one_deck():
    """However it was planted, a deal holds known cards, none twice."""
    for seed in range(2000):
        cards = [card for held in deal(Chance(seed), [1, 3, 4]).values() for card in split(held)]

        assert len(cards) == 9
        assert set(cards) <= set(DECK)
        assert len(set(cards)) == len(cards)
