"""Two in league are flagged, and of honest ledgers no more than was said."""

from datetime import timedelta

import pytest

from adapters.investigation.player import Inquiry
from adapters.investigation.suspicion import SESSIONS, judge, with_hands
from adapters.ledger import PositionedEntry
from adapters.shuffle import Chance
from domain.stream import Cause
from tests.investigation.tables import (
    START,
    Honest,
    League,
    Simulated,
    ledger,
    observed,
)

SMALL = Honest(crowd=10)


def inquiry(hands, player=None):
    """Return an inquiry that has taken in all hands."""
    asked = Inquiry(player)
    for hand in asked.observed((record["hand"], stored) for record, stored in hands):
        asked.add(hand)
    return asked


def flagged(asked, alpha=0.01, least=10):
    """Return what is flagged: what, who gives, who takes."""
    judged = judge(asked.tally, asked.visits, alpha=alpha, least=least)
    return {(flag.what, flag.giver, flag.taker) for flag in judged.flags}


def retimed(hands, times):
    """Yield hands at other times: of each, what the times of its events are, and whose they are."""
    for number, (record, stored) in enumerate(hands):
        yield Simulated(
            record,
            [
                PositionedEntry(position, entry._replace(cause=Cause("c", actor or "table", at)))
                for (position, entry), (at, actor) in zip(
                    stored, times(number, record, stored), strict=True
                )
            ],
        )


# --- two in league -------------------------------------------------------------------------


def test_a_chip_dumping_pair_among_five_thousand_hands_is_flagged():
    """It, and nobody else; the hands behind it are those in which it happened."""
    league = League(meet=60, dump=80)
    hands = list(ledger(5_000, 1, league))
    asked = inquiry(hands)
    judged = judge(asked.tally, asked.visits, alpha=0.01)

    assert {(flag.giver, flag.taker) for flag in judged.flags} == {(league.giver, league.taker)}
    flags = {flag.what: flag for flag in with_hands(judged.flags, asked.visits, observed(hands))}
    assert "raises_then_folds" in flags
    told = flags["raises_then_folds"]
    assert told.p < told.corrected <= 0.01
    assert len(told.behind) == told.observed > 4 * told.expected_of_giver
    by_id = {seen.hand: seen for seen in observed(hands)}
    for behind in told.behind:
        seen = by_id[behind.hand]
        seats = {player: seat for seat, player in seen.players.items()}
        assert seats[league.giver] in seen.raised
        assert seen.gave_up(seats[league.giver], seats[league.taker])
        assert behind.chips > 0


def test_a_pair_is_flagged_in_the_inquiry_of_either():
    """With fewer tests than a screening of all makes, and what flowed between them."""
    league = League("p007", "p003", meet=50, dump=90)
    hands = list(ledger(500, 2, league, honest=SMALL))

    asked = Inquiry()
    for player in (league.giver, league.taker):
        asked = inquiry(hands, player)
        assert ("raises_then_folds", league.giver, league.taker) in flagged(asked)
        assert asked.hands == sum(
            any(seat["player"] == player for seat in record["seats"]) for record, _ in hands
        )
    (against,) = (one for one in asked.opponents if one.name == league.giver)
    assert against.net == against.won - against.lost > 0
    assert flagged(inquiry(hands, "p001")) == set()


def test_two_that_play_with_nobody_else_are_held_against_everybody():
    """An account made for nothing but to be given chips has no hands with others."""
    league = League("p009", "p010", meet=100, dump=100)
    honest = ledger(300, 3, honest=Honest(crowd=8))
    mules = [hand for hand in ledger(400, 4, league, honest=SMALL) if is_of(hand, league)]

    asked = inquiry([*honest, *mules])
    judged = judge(asked.tally, asked.visits, alpha=0.01)

    assert len(mules) >= 10
    assert ("everybody", "everybody") in {flag.against for flag in judged.flags}
    assert {(flag.giver, flag.taker) for flag in judged.flags} == {(league.giver, league.taker)}


def is_of(hand, league):
    """Tell whether only these two sit at a hand."""
    players = {seat["player"] for seat in hand.record["seats"]}
    return players == {league.giver, league.taker}


def test_who_answers_only_one_player_in_a_moment_is_flagged():
    """Whoever sits before two accounts at once need not wait to see what the other does."""

    def quick(_number, record, stored):
        players = {seat["seat"]: seat["player"] for seat in record["seats"]}
        at, before = stored[0].entry.cause.at, None
        for _, entry in stored:
            mover = players.get(getattr(entry.event, "seat", None))
            wait = 0.3 if (before, mover) == ("p001", "p002") else 4
            at += timedelta(seconds=wait)
            before = mover or before
            yield at, None

    asked = inquiry(retimed(ledger(250, 5, honest=Honest(crowd=6)), quick))

    assert flagged(asked) == {("answers_quickly", "p002", "p001")}


def test_two_who_come_and_go_together_are_flagged():
    """The others come and go as they like; so do the two, on evenings without each other."""
    asked = Inquiry()
    for hand in evenings(80):
        asked.add(hand)

    assert flagged(asked) == {(SESSIONS, "p001", "p002")}


def evenings(count):
    """Yield hands every five minutes; on each evening somebody comes and goes, and another."""
    (template,) = observed(ledger(1, 6))
    template = template._replace(gave_up_to={}, flows={}, raised=frozenset(), answers={}, actors={})
    for evening in range(count):
        chance = Chance("evening", evening)
        stays = {f"p{number:03}": sorted(chance.sample(range(12), 2)) for number in range(1, 8)}
        if evening % 2:
            stays["p002"] = stays["p001"]
        else:
            del stays[chance.pick(("p001", "p002"))]
        for at in range(12):
            sitting = [player for player, (come, go) in stays.items() if come <= at <= go]
            opened = START + timedelta(days=evening, minutes=5 * at)
            if len(sitting) > 1:
                yield template._replace(
                    hand=f"{evening}-{at}",
                    players=dict(enumerate(sitting, start=1)),
                    opened_at=opened,
                    ended_at=opened + timedelta(minutes=1),
                )


# --- honest players --------------------------------------------------------------------------


@pytest.mark.parametrize("styles", [False, True], ids=["alike", "each with a style"])
def test_honest_ledgers_raise_no_more_flags_than_was_said(long, styles):
    """A flag in at most one run of twenty, as asked for; over many runs (--long) that is counted.

    Who folds to everybody, and to whom everybody folds, is not flagged for it.
    """
    runs, alpha = (120, 0.05) if long else (4, 0.05)
    false, tests, low = 0, 0, 0
    for seed in range(1000, 1000 + runs):
        asked = inquiry(ledger(250, seed, honest=Honest(12, styles)))
        judged = judge(asked.tally, asked.visits, alpha=alpha, told=10**9)
        false += bool(judged.flags)
        tests += judged.tests
        low += sum(flag.p <= 0.01 for flag in judged.smallest)

    assert false <= runs * alpha + 2 * (runs * alpha * (1 - alpha)) ** 0.5
    assert tests > 200 * runs
    assert 0 < low <= tests * 0.01  # each test alone keeps to its level, and can be passed


def test_pairs_that_shared_too_few_hands_are_not_tested():
    """And which are is known from how often they met alone."""
    asked = inquiry(ledger(60, 7))

    assert judge(asked.tally, asked.visits, alpha=0.01).tests == 0
    assert judge(asked.tally, asked.visits, alpha=0.01, least=2).tests > 0


# --- what is noted, and what is left out ------------------------------------------------------


def test_who_gives_the_commands_of_two_and_of_nobody_else_is_noted():
    """But not an actor that a third one shares, nor one of a single table of two."""

    def acted(_number, record, stored):
        players = {seat["seat"]: seat["player"] for seat in record["seats"]}
        for _, entry in stored:
            mover = players.get(getattr(entry.event, "seat", None), "table")
            shared = {"p001": "phone-a", "p002": "phone-a", "p003": "hall", "p004": "hall"}
            actor = "hall" if mover == "p005" else shared.get(mover, mover)
            yield entry.cause.at, actor

    asked = inquiry(retimed(ledger(60, 8, honest=Honest(crowd=8)), acted))

    (noted,) = asked.shared_actors
    assert (noted.actor, noted.players) == ("phone-a", ("p001", "p002"))
    assert min(noted.hands) > noted.together > 0


def test_hands_that_tell_nothing_are_counted():
    """One that runs, and one that cannot be read."""
    ((record, stored),) = ledger(1, 9)
    asked = Inquiry()
    given = [("runs", stored[:-1]), ("broken", stored[1:]), (record["hand"], stored)]

    seen = [hand.hand for hand in asked.observed(given)]

    assert seen == [record["hand"]]
    assert asked.left_out == {"not_settled": 1, "unreadable": 1}
