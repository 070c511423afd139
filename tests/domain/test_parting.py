"""Two tellings of one hand: equal whatever the form, or the first fact in which they part."""

# ruff: noqa: E501 - a row stays on one line

import json
from pathlib import Path
from typing import Any

import pytest

from domain.facts import Facts, of_events, of_record
from domain.parting import Parting, set_apart
from domain.record import read
from tests.domain.hands import FLUSH, PAIR, STRAIGHT, events_of, record

DEAL = f"1 {FLUSH}, 2 {PAIR}, 3 {STRAIGHT}"
# Seat 3 opens, for seat 1 deals; turns go down.
DONE = "3 look, 3 raise 700, 2 call, 1 call, 3 compare 2, 1 compare 3"
VECTORS = [
    json.loads(line)
    for path in sorted((Path(__file__).parents[1] / "vectors").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
SETTLED = [vector for vector in VECTORS if "settlement" in vector]


def telling(written) -> Facts:
    """Return the telling that a record gives."""
    return of_record(read(json.dumps(written)))


def parted(left, right) -> Parting:
    """Compare two records."""
    return set_apart(telling(left), telling(right))


def differing(**fields: Any) -> dict[str, Any]:
    """Return the hand of this page, with other fields."""
    return record(DEAL, DONE) | fields


def table(**own: int) -> dict[str, Any]:
    """Return the hand of this page at another table."""
    return differing(table=own)


def dealt(held: str, other: str) -> dict[str, Any]:
    """Return the hand of this page with something else in the deal."""
    return record(DEAL.replace(held, other), DONE)


def done(one: str, other: str) -> dict[str, Any]:
    """Return the hand of this page with something else done."""
    return record(DEAL, DONE.replace(one, other))


STRANGER = [{**seat, "player": "p9"} for seat in record(DEAL)["seats"]]
BET = {"do": "raise", "seat": 3, "stake": 700}
CALL = {"do": "call", "seat": 2}
DUEL = {"do": "compare", "seat": 3, "with": 2}

# fmt: off
FORKS = {
    # why                   the second telling                     at  what                 says the first, the second
    "another rulebook":    (differing(rulebook="tongcheng"),       -1, "rulebook",          "jiuyou.v1", "tongcheng.v1"),
    "another ante":        (table(ante=400, max_stake=10_000),     -1, "table.ante",        500, 400),
    "no bound":            (table(ante=500),                       -1, "table.max_stake",   10_000, None),
    "other rounds":        (table(ante=500, max_stake=10_000, round_limit=9), -1, "table.round_limit", 15, 9),
    "another dealer":      (differing(dealer=2),                   -1, "dealer",            1, 2),
    "other people":        (differing(seats=STRANGER),             -1, "seats.1.player",    "p1", "p9"),
    "another carry":       (dealt(PAIR, f"{PAIR} 9000"),           -1, "seats.2.carry",     100_000, 9000),
    "no protection":       (dealt(PAIR, f"{PAIR} unprotected"),    -1, "seats.2.protect",   True, False),
    "other cards":         (dealt("6c6d8s", "6c6d9s"),             -1, "deal.2",            "8s6d6c", "9s6d6c"),
    "another stake":       (done("700", "800"),                     1, "action",            BET, BET | {"stake": 800}),
    "another verb":        (done("2 call", "2 fold"),               2, "action",            CALL, CALL | {"do": "fold"}),
    "a timeout":           (done("2 call", "2 timeout"),            2, "action",            CALL, CALL | {"do": "timeout"}),
    "another target":      (done("3 compare 2", "3 compare 1"),     4, "action",            DUEL, DUEL | {"with": 1}),
    "a look left out":     (done("3 look, ", ""),                   0, "action",            {"do": "look", "seat": 3}, BET),
    "an end left out":     (done(", 3 compare 2, 1 compare 3", ""), 4, "action",            DUEL, None),
}
# fmt: on


@pytest.mark.parametrize(("other", "at", "what", "left", "right"), FORKS.values(), ids=FORKS)
def test_the_first_fact_in_which_they_part_is_named(other, at, what, left, right):
    """The opening's facts first, then action by action; and what each telling says."""
    found = parted(record(DEAL, DONE), other).fork
    back = parted(other, record(DEAL, DONE)).fork

    assert (at, what, (left, right)) == found
    assert (at, what, (right, left)) == back


def test_a_telling_with_a_seat_less_parts_there():
    """Nobody sits where the other telling has a player."""
    less = record(f"1 {FLUSH}, 3 {STRAIGHT}")

    assert (-1, "seats.2.player", ("p2", None)) == parted(record(DEAL), less).fork


def test_drawn_bonuses_and_openers_are_facts():
    """In the order of the opening: the opener before the draws."""
    none = record(DEAL, rulebook="platform", opener=3)
    one = none | {"bonus_draws": {"1": 300}}

    assert (-1, "opener", (3, 2)) == parted(one, one | {"opener": 2}).fork
    assert (-1, "bonus_draws.1", (300, 400)) == parted(one, one | {"bonus_draws": {"1": 400}}).fork
    assert (-1, "bonus_draws.1", (300, None)) == parted(one, none).fork


@pytest.mark.parametrize("vector", SETTLED, ids=[vector["hand"] for vector in SETTLED])
def test_a_record_and_the_hand_stored_from_it_are_equal(vector):
    """Whatever the rulebook, figures included; so are the order of seats and of cards no facts."""
    asked = {name: value for name, value in vector.items() if name != "settlement"}
    turned = asked | {
        "seats": vector["seats"][::-1],
        "deal": {seat: held[4:] + held[:4] for seat, held in reversed(vector["deal"].items())},
    }
    stored = of_events(vector["hand"], events_of(asked))

    for written in (vector, turned):
        found = set_apart(telling(written), stored)
        assert found.fork is None
        assert {0} == {apart.difference for apart in found.seats}


def test_the_money_it_is_worth_stands_beside_it():
    """Seat 2 called 700 and lost a duel, or it folded, and that was the end of the hand."""
    called = "3 raise 700, 2 call, 1 fold, 3 compare 2"

    found = parted(record(DEAL, called), record(DEAL, called.replace("2 call", "2 fold")))

    assert found.fork is not None
    assert (1, "action") == found.fork[:2]
    # Called: seat 3 wins 500 + 1200 of the others, less 5 %. Folded: 500 + 500, less 5 %.
    assert [(-500, -500), (-1200, -500), (1700 - 85, 1000 - 50)] == [s.nets for s in found.seats]
    assert [0, 700, -665] == [seat.difference for seat in found.seats]
    assert found.outcomes[0].stop is None
    assert found.outcomes[1].stop is not None
    assert (3, "hand_over") == (found.outcomes[1].stop.at, found.outcomes[1].stop.code)


def test_a_telling_that_is_illegal_from_there_says_so():
    """A raise to less than the stake is no raise, and nothing comes of that telling."""
    low = record(DEAL, DONE.replace("raise 700", "raise 400"))

    found = parted(record(DEAL, DONE), low)

    assert found.fork is not None
    assert 1 == found.fork.at
    assert found.outcomes[1].stop is not None
    assert (1, "raise_too_low") == (found.outcomes[1].stop.at, found.outcomes[1].stop.code)
    assert {None} == {seat.nets[1] for seat in found.seats}
    assert {None} == {seat.difference for seat in found.seats}


def test_tellings_of_the_same_facts_may_give_other_figures():
    """The player's copy of the same hand says 250 more: they part in the figures alone."""
    ours = record(DEAL, "3 fold, 2 fold", settlement={"seats": {"1": {"net": 950}}})
    theirs = record(DEAL, "3 fold, 2 fold", settlement={"seats": {"1": {"net": 1200}}, "pot": 1500})

    found = parted(ours, theirs)

    assert (2, "settlement.seats.1.net", (950, 1200)) == found.fork
    assert [(950, 1200), (None, None), (None, None)] == [seat.figures for seat in found.seats]
    assert [250, None, None] == [seat.difference for seat in found.seats]
    assert {(950, 950), (-500, -500)} == {seat.nets for seat in found.seats}


def test_figures_that_only_one_telling_gives_part_nobody():
    """Silence is no contradiction."""
    ours = record(DEAL, "3 fold, 2 fold", settlement={"pot": 1500})
    theirs = record(DEAL, "3 fold, 2 fold", settlement={"rounds": 1, "seats": {"1": {"net": 950}}})

    assert parted(ours, theirs).fork is None
