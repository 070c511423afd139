"""The same facts under other rules: what would have been paid, or where play would have stopped."""

# ruff: noqa: E501 - a row stays on one line

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import BadChangeError, BadRecordError, HandNotOverError
from domain.events import HandVoided
from domain.facts import Facts, of_events, of_record
from domain.record import read
from domain.trial import Terms, try_out
from domain.whatif import WhatIf, what_if
from domain.zhajinhua.changing import read_changes
from domain.zhajinhua.rulebooks import find, published
from tests.domain.hands import (
    ACES,
    FLUSH,
    NINES,
    NOTHING,
    PAIR,
    STRAIGHT,
    UNSUITED_235,
    events_of,
    record,
    settled,
)

# Seat 2 opens, for seat 1 deals; antes of 5.00. Seat 2 pays for a duel in round 2.
DUEL = "2 call, 1 call, 2 compare 1"
LOST = f"1 {FLUSH}, 2 {PAIR}"
VECTORS = [
    json.loads(line)
    for path in sorted((Path(__file__).parents[1] / "vectors").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
SETTLED = [vector for vector in VECTORS if "settlement" in vector]


def facts(deal: str, done: str, **more) -> Facts:
    """Return the facts of a hand written small."""
    return of_record(read(json.dumps(record(deal, done, **more))))


def asked(deal: str, done: str, under: str, *changes: str, **more) -> WhatIf:
    """Settle a hand written small under another rulebook, with changes."""
    return what_if(facts(deal, done, **more), find(under), read_changes(changes))


def would(got: WhatIf) -> dict[int, int | None]:
    """Return what each seat would have won or lost."""
    return {beside.seat: beside.would for beside in got.seats}


def paid(got: WhatIf) -> dict[int, int | None]:
    """Return what each seat did win or lose."""
    return {beside.seat: beside.paid for beside in got.seats}


TRIPS_OR_235 = f"1 {NINES}, 2 {UNSUITED_235}"
ACES_OR_235 = f"1 {ACES}, 2 2s3h5d"
TRIPS = f"1 {NINES}, 2 {PAIR}"
EQUAL = "1 6c6d8s, 2 6h6s8d"
LOW_STRAIGHT = f"1 {PAIR}, 2 As2d3h"

# fmt: off
UNDER = {
    # Both seats put in 500 and 500; the duel costs seat 2 two calls of 500, in platform one.
    # why                             deal          under       what is changed        seat 1, seat 2
    "nothing is changed":            (LOST,         "jiuyou",   "",                    2000 - 100, -2000),
    "platform compares at 1 call":   (LOST,         "platform", "",                    1500 - 75, -1500),
    "so does jiuyou if told to":     (LOST,         "jiuyou",   "compare_calls=1",     1500 - 75, -1500),
    "rake of 3 %":                   (LOST,         "jiuyou",   "rake_bp=300",         2000 - 60, -2000),
    "no rake":                       (LOST,         "jiuyou",   "rake_bp=0",           2000, -2000),
    "blind pays 3 stakes":           (LOST,         "jiuyou",   "blind_factor=3",      5000 - 250, -5000),
    "an ante of 7.00":               (LOST,         "jiuyou",   "ante=700",            2800 - 140, -2800),
    # Trips get 5 antes of 500 from the house, whoever wins.
    "235 beats trips":               (TRIPS_OR_235, "jiuyou",   "",                    2500 - 1000, 1000 - 50),
    "235 beats nothing":             (TRIPS_OR_235, "jiuyou",   "deuce_three_five=off", 2500 + 1900, -2000),
    "235 beats AAA, not these":      (TRIPS_OR_235, "jiuyou",   "deuce_three_five=aces", 2500 + 1900, -2000),
    "235 beats these AAA":           (ACES_OR_235,  "jiuyou",   "deuce_three_five=aces", 2500 - 1000, 1000 - 50),
    "trips get 8 antes":             (TRIPS,        "jiuyou",   "bonus_antes=trips:8", 4000 + 1900, -2000),
    "pairs get one too":             (TRIPS,        "jiuyou",   "bonus_antes=pair:1,trips:2", 1000 + 1900, 500 - 2000),
    "no bonus":                      (TRIPS,        "jiuyou",   "bonus=none",          1900, -2000),
    "equal: who initiated loses":    (EQUAL,        "jiuyou",   "",                    1900, -2000),
    "suits leave no equals":         (EQUAL,        "jiuyou",   "suits=true",          -1000, 1000 - 50),
    "A-2-3 is a straight":           (LOW_STRAIGHT, "jiuyou",   "",                    -1000, 1000 - 50),
    "A-2-3 is a high card":          (LOW_STRAIGHT, "jiuyou",   "a23=false",           1900, -2000),
}
# fmt: on


@pytest.mark.parametrize(("deal", "under", "changes", "one", "two"), UNDER.values(), ids=UNDER)
def test_the_same_facts_come_to_what_the_other_rules_give(deal, under, changes, one, two):
    """Each seat's result under the rules asked for, to the last unit."""
    got = asked(deal, DUEL, under, *changes.split())

    assert {1: one, 2: two} == would(got)
    assert got.would.stop is None


def test_what_was_paid_stands_beside_what_would_have_been():
    """Seat 2 paid 1000 for the duel that costs 500 in platform: 500 more for it, 475 less for 1."""
    got = asked(LOST, DUEL, "platform")

    assert {1: 1900, 2: -2000} == paid(got)
    assert [(1, "p1", -475), (2, "p2", 500)] == [
        (beside.seat, beside.player, beside.difference) for beside in got.seats
    ]


def test_what_a_foreign_system_claims_stands_beside_both():
    """A claim explained by another rulebook is seen at once."""
    claim = {"seats": {"1": {"net": 1425}, "2": {"won": 0}}}

    got = asked(LOST, DUEL, "platform", settlement=claim)

    assert [1425, None] == [beside.claimed for beside in got.seats]
    assert [1900, -2000] == [beside.paid for beside in got.seats]


RAISED = "2 raise 700, 1 fold"

# fmt: off
STOPS = {
    # why                             done                      under           changed          at  code
    "no compares":                   (DUEL,                     "yingsanzhang", "",               2, "not_supported"),
    "another seat opens":            (DUEL,                     "tongcheng",    "",               0, "not_your_turn"),
    "compares begin later":          (DUEL,                     "jiuyou",       "compare_from_round=3", 2, "compare_too_early"),
    "looks begin later":             ("2 look, 2 call, 1 fold", "jiuyou",       "look_from_round=2", 0, "look_too_early"),
    "the raise is no raise":         (RAISED,                   "jiuyou",       "ante=800",       0, "raise_too_low"),
    "the raise is beyond the bound": (RAISED,                   "jiuyou",       "max_stake=600",  0, "raise_too_high"),
    "the ante is beyond a carry":    (DUEL,                     "jiuyou",       "ante=200000 max_stake=none", -1, "carry_too_small"),
    "too few seats":                 (DUEL,                     "jiuyou",       "seats_min=3",   -1, "seat_count"),
    "the blind bets are used up":    (DUEL,                     "jiuyou",       "blind_limit=1",  2, "blind_limit"),
    "nobody acts in a showdown":     ("2 fold",                 "jisu",         "",               0, "hand_over"),
}
# fmt: on


@pytest.mark.parametrize(("done", "under", "changes", "at", "code"), STOPS.values(), ids=STOPS)
def test_where_an_action_would_not_have_been_legal_it_says_so(done, under, changes, at, code):
    """At which action, and why."""
    stop = asked(LOST, done, under, *changes.split()).would.stop

    assert stop is not None
    assert (at, code) == (stop.at, stop.code)
    assert stop.rule.startswith("§")


def test_it_says_how_far_play_had_come():
    """Round, turn, stake, pot, and what each seat had put in: 500 + 700 and 500 + 2 x 700."""
    done = "2 raise 700, 1 look, 1 call, 2 compare 1"

    stop = asked(LOST, done, "yingsanzhang").would.stop

    assert stop is not None
    assert stop.action is not None
    assert "compare" == stop.action.do
    assert stop.standing is not None
    assert (2, 2, 700, 3100) == stop.standing[:4]
    assert [
        (1, "p1", 1900, 98_100, True, False, False),
        (2, "p2", 1200, 98_800, False, False, False),
    ] == [tuple(seat) for seat in stop.standing.seats]


def test_a_hand_that_would_have_ended_earlier_is_settled_there():
    """After one round seat 2 is forced to duel and loses its 1000; the compare comes too late."""
    got = asked(LOST, DUEL, "jiuyou", "round_limit=1")

    assert {1: 1000 - 50, 2: -1000} == would(got)
    assert got.would.stop is not None
    assert (2, "hand_over") == (got.would.stop.at, got.would.stop.code)
    assert got.would.stop.standing is not None
    assert (1, None) == got.would.stop.standing[:2]


def test_a_hand_that_would_have_gone_on_is_not_settled():
    """Three rounds are all of a hand in yingsanzhang, and only the beginning elsewhere."""
    done = "2 call, 1 call, 2 call, 1 call, 2 call, 1 call"

    got = asked(LOST, done, "jiuyou", rulebook="yingsanzhang")

    assert {1: 2000, 2: -2000} == paid(got)
    assert {1: None, 2: None} == would(got)
    assert [None, None] == [beside.difference for beside in got.seats]
    assert got.would.stop is not None
    assert (6, "hand_not_over", None) == (
        got.would.stop.at,
        got.would.stop.code,
        got.would.stop.action,
    )
    assert "seat 2" in got.would.stop.message


# --- what carries over ---------------------------------------------------------------


def test_the_seat_that_opened_opens_where_the_rulebook_records_it():
    """Seat 2, after the dealer in jiuyou; platform draws its opener, and the draw is known."""
    assert 2 == facts(LOST, DUEL).opener
    assert 1 == facts(LOST, DUEL, rulebook="tongcheng").opener
    assert 1 == facts(LOST, DUEL, rulebook="platform", opener=1).opener


def test_a_rulebook_that_knows_its_opener_is_not_told():
    """Seat 1 was drawn to open; in jiuyou it is the seat after the dealer."""
    stop = asked(LOST, "1 call, 2 fold", "jiuyou", rulebook="platform", opener=1).would.stop

    assert stop is not None
    assert (0, "not_your_turn") == (stop.at, stop.code)
    assert (
        asked(
            LOST, "1 call, 2 fold", "jiuyou", "opener=recorded", rulebook="platform", opener=1
        ).would.stop
        is None
    )


def test_what_the_table_left_to_its_rulebook_is_left_to_the_other():
    """15 rounds are jiuyou's own; 20 are platform's."""
    assert 20 == asked(LOST, DUEL, "platform").terms.table["round_limit"]
    assert (
        9
        == asked(LOST, DUEL, "platform", table={"ante": 500, "round_limit": 9}).terms.table[
            "round_limit"
        ]
    )


def test_what_the_other_rulebook_does_not_know_is_left_out_and_named():
    """A room without 通杀 says nothing to platform, nor a bound of stakes to a showdown."""
    room = {"ante": 500, "max_stake": 10_000, "sweep": False}

    assert ("sweep",) == asked(LOST, DUEL, "platform", rulebook="feifan2017", table=room).left_out
    assert ("max_stake", "sweep") == asked(
        LOST, DUEL, "jisu", rulebook="feifan2017", table=room
    ).left_out
    assert () == asked(LOST, DUEL, "feifan2017", rulebook="feifan2017", table=room).left_out


def test_drawn_bonuses_carry_over_where_the_other_draws_alike():
    """300 were drawn for the trips; what 九游 would have granted it knows itself: 5 antes."""
    deal, draws = f"1 {NINES}, 2 {PAIR}", {"1": 300}
    drawn = {"rulebook": "platform", "opener": 2, "bonus_draws": draws}

    alike = asked(deal, DUEL, "platform", "rake_bp=0", **drawn)
    other = asked(deal, DUEL, "jiuyou", **drawn)
    unknown = asked(deal, DUEL, "platform", "bonus=drawn", "draw_antes_max=5", **drawn)

    assert {1: 1500 + 300, 2: -1500} == would(alike)
    assert ({1: 2000 - 100 + 2500, 2: -2000}, ("bonus_draws",)) == (would(other), other.left_out)
    assert ({1: 1500 - 75, 2: -1500}, ("bonus_draws",)) == (would(unknown), unknown.left_out)


def test_a_timeout_is_a_fact_and_the_rulebook_says_what_it_does():
    """九游 plays a protected straight on, and it wins; elsewhere the timeout folds it."""
    deal, done = f"1 {NOTHING}, 2 {STRAIGHT}", "2 look, 2 timeout, 1 call, 2 compare 1"

    got = asked(deal, done, "jiuyou", "timeout=fold")

    assert {1: -1000, 2: 1000 - 50} == paid(got)
    assert {1: 500 - 25, 2: -500} == would(got)
    assert got.would.stop is not None
    assert (2, "hand_over") == (got.would.stop.at, got.would.stop.code)


# --- stored hands ----------------------------------------------------------------------


def test_a_stored_hand_was_paid_what_was_recorded():
    """Its settlement is taken from its events, and an action is found by its event there."""
    written = record(LOST, DUEL)

    stored = of_events("h-1", events_of(written))

    assert settled(written) == stored.settled
    assert (1, 5, 6, 7, None) == tuple(stored.event(at) for at in (-1, 0, 1, 2, 3))
    assert facts(LOST, DUEL).event(0) is None


def test_what_a_stored_hand_was_paid_is_not_worked_out_again():
    """Somebody may have written something else; that is what was paid."""
    stored = of_events("h-1", events_of(record(LOST, DUEL)))
    assert stored.settled is not None
    seats = stored.settled["seats"]
    tampered = stored.settled | {"seats": seats | {"2": seats["2"] | {"net": -1}}}

    got = what_if(stored._replace(settled=tampered), find("jiuyou"), {})

    assert {1: 1900, 2: -1} == paid(got)
    assert {1: 1900, 2: -2000} == would(got)


def test_a_hand_that_is_not_settled_is_nobodys_to_look_into():
    """Running or void: its cards are not told."""
    events = events_of(record(LOST, DUEL))

    for unsettled in (events[:4], [*events[:4], HandVoided(reason="fire")]):
        with pytest.raises(HandNotOverError):
            of_events("h-1", unsettled)


@pytest.mark.parametrize("vector", SETTLED, ids=[vector["hand"] for vector in SETTLED])
def test_a_record_and_its_stored_events_are_the_same_facts(vector):
    """… and under their own terms they come to what the record came to."""
    from_record = of_record(read(json.dumps(vector)))
    from_events = of_events(vector["hand"], events_of(vector))

    apart = {"versions", "settled", "claim"}
    for name in set(Facts._fields) - apart:
        assert getattr(from_record, name) == getattr(from_events, name), name
    outcome = try_out(from_record, Terms(from_record.rulebook, from_record.table))
    assert (vector["settlement"], None) == outcome


# --- whatever is asked -------------------------------------------------------------------

NUMBERS = st.integers(1, 6).map(str)
CHANGES = {
    "ante": st.integers(1, 2000).map(str),
    "max_stake": st.just("none") | st.integers(500, 20_000).map(str),
    "rake_bp": st.integers(0, 10_000).map(str),
    "bonus_antes": st.sampled_from(["", "trips:5,flush:2", "pair:3"]),
    "banker_ratios": st.sampled_from(["", "trips:5", "high_card:2"]),
    "direction": st.sampled_from(["clockwise", "counter_clockwise"]),
    "opener": st.sampled_from(["after_dealer", "dealer", "recorded"]),
    "at_limit": st.sampled_from(["forced_duels", "open"]),
    "forced_duels_from": st.sampled_from(["after_dealer", "turn", "never"]),
    "timeout": st.sampled_from(["fold", "protected"]),
    "all_in": st.sampled_from(["never", "when_short", "shove", "any_turn"]),
    "opens_early": st.sampled_from(["never", "levels_matched", "last_has_acted"]),
    "equal_duel": st.sampled_from(["initiator_loses", "impossible", "push", "never"]),
    "short_compare": st.sampled_from(["last_stand", "refused"]),
    "deuce_three_five": st.sampled_from(["trips", "aces", "off"]),
    "pots": st.sampled_from(["whole", "side_pots", "excess_back"]),
    "bonus": st.sampled_from(["antes", "drawn_for_trips", "drawn", "from_opponents", "none"]),
    "play": st.sampled_from(["betting", "showdown"]),
    **dict.fromkeys(("round_limit", "blind_factor", "seen_factor", "look_from_round"), NUMBERS),
    **dict.fromkeys(("compare_calls", "push_antes", "top_ups", "top_up_carries"), NUMBERS),
    **dict.fromkeys(("chain", "blind_limit", "compare_from_round", "compare_limit"), NUMBERS),
    **dict.fromkeys(
        ("suits", "a23", "sweep", "fold_all", "blind_extras", "empty_is_all_in", "opens_when_short",
         "blind_all_in_duel", "seen_compares_blind_only", "invalid_ace_king_deuce"),
        st.sampled_from(["true", "false"]),
    ),
}  # fmt: skip


@given(
    vector=st.sampled_from(SETTLED),
    rulebook=st.sampled_from(published()),
    changes=st.lists(st.sampled_from(sorted(CHANGES)), unique=True, max_size=5).flatmap(
        lambda names: st.fixed_dictionaries({name: CHANGES[name] for name in names})
    ),
)
def test_whatever_is_asked_is_answered_and_no_chip_is_made(vector, rulebook, changes):
    """A settlement that balances, or a stop, or a refusal of what no table or rulebook can be."""
    asked_for = read_changes(f"{name}={value}" for name, value in changes.items())
    try:
        got = what_if(of_record(read(json.dumps(vector))), rulebook, asked_for)
    except (BadChangeError, BadRecordError):
        return

    assert got.would.settlement or got.would.stop
    if got.would.settlement:
        total = sum(result["net"] for result in got.would.settlement["seats"].values())
        house = got.would.settlement
        assert house["house_bonus"] - house["rake"] - house.get("house_banked", 0) == total
