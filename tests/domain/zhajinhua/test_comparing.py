"""Duels: the compare, the last stand and what it pays back, the forced duels at the limit."""

import pytest

from domain.events import HandsCompared, LastStandTaken
from tests.domain.hands import (
    ACES,
    NINES,
    NOTHING,
    PAIR,
    QUEEN,
    RUN,
    STRAIGHT,
    TABLE,
    UNSUITED_235,
    act,
    events_of,
    opened,
    record,
    settled,
    verdict,
)

# fmt: off
DUELS = {
    # why                                       the challenger's the other's who wins
    "the better hand wins":                    ("KsKd2c", "QsQd2d", 1),
    "the worse one loses":                     ("QsQd2d", "KsKd2c", 2),
    "equal hands: the initiator loses":        ("KsKd2c", "KhKc2d", 2),
    "235 beats trips":                         ("2s3d5s", "7s7d7h", 1),
    "235 beats trips when challenged, too":    ("7s7d7h", "2s3d5s", 2),
    "235 of one suit is a flush, below trips": ("2s3s5s", "7s7d7h", 2),
    "235 is the lowest high card":             ("2s3d5s", "2d4s6h", 2),
    "two 235s are equal":                      ("2s3d5s", "2d3h5c", 2),
    "suits do not count":                      ("AsKsQd", "AdKdQh", 2),
}
# fmt: on


@pytest.mark.parametrize(("challenger", "challenged", "winner"), DUELS.values(), ids=DUELS)
def test_a_duel_puts_the_loser_out(challenger, challenged, winner):
    """The loser is out and the winner stays in; equal hands go against who asked."""
    hand = act(opened(f"1 {challenger}, 2 {challenged}", dealer=2), "1 call, 2 call")
    hand.collect_events()

    act(hand, "1 compare 2")

    compared = hand.collect_events()[0].event
    assert isinstance(compared, HandsCompared)
    assert (winner, (3 - winner,)) == (compared.winner, compared.out)


@pytest.mark.parametrize("target", [1, 2, 4])
def test_a_compare_may_name_any_seat_still_in(target):
    """Neighbour or not: the challenger chooses."""
    hand = opened(f"1 {NOTHING}, 2 {QUEEN}, 3 {ACES}, 4 {PAIR}", dealer=4)
    act(hand, "3 call, 2 call, 1 call, 4 call")

    act(hand, f"3 compare {target}")

    assert hand.state.seats[target].out
    assert set(hand.state.remaining) == {1, 2, 3, 4} - {target}


# --- the last stand ------------------------------------------------------------------

# Three seats, ante 500: 3 acts first with so much, then 2, then 1.
ROUND_2 = "3 call, 2 call, 1 call, "
ROUND_2_FOLD = "3 call, 2 fold, 1 call, "

# fmt: off
LEGAL = {
    # why                                     carry  done                             it becomes
    "round 1, blind, short of a call":       (999,   "3 compare 2",                   "stand"),
    "round 1, blind, can just call":         (1_000, "3 compare 2",                   "too early"),
    "round 1, blind, can call, not compare": (1_499, "3 compare 2",                   "too early"),
    "round 1, seen, short of a call":        (1_499, "3 look, 3 compare 2",           "stand"),
    "round 1, seen, can just call":          (1_500, "3 look, 3 compare 2",           "too early"),
    "round 1, the ante took everything":     (500,   "3 compare 2",                   "stand"),
    "round 2, one unit short of a compare":  (1_999, f"{ROUND_2}3 compare 2",         "stand"),
    "round 2, can just compare":             (2_000, f"{ROUND_2}3 compare 2",         "compare"),
    "round 2, seen, one unit short":         (2_999, f"{ROUND_2}3 look, 3 compare 2", "stand"),
    "round 2, seen, can just compare":       (3_000, f"{ROUND_2}3 look, 3 compare 2", "compare"),
    "round 2, nothing left":                 (1_000, f"{ROUND_2}3 compare 2",         "stand"),
    "it may name itself":                    (999,   "3 compare 3",                   "stand"),
    "it may name an empty place":            (999,   "3 compare 7",                   "stand"),
    "it may name a seat that is out":        (1_999, f"{ROUND_2_FOLD}3 compare 2",    "stand"),
}
# fmt: on


@pytest.mark.parametrize(("carry", "done", "expected"), LEGAL.values(), ids=LEGAL)
def test_a_compare_by_a_short_seat_is_its_last_stand(carry, done, expected):
    """From round 2 below the price of a compare, in round 1 only below a call; it names nobody."""
    written = record(f"1 {NOTHING}, 2 {QUEEN}, 3 {ACES} {carry}", done)
    refused = verdict(written)

    if expected == "too early":
        assert refused == (len(written["actions"]) - 1, "compare_too_early")
    elif expected == "stand":
        assert refused is None  # aces win the stand, and with it the hand
        assert any(isinstance(event, LastStandTaken) for event in events_of(written))
    else:
        assert refused == (len(written["actions"]), "hand_not_over")


# Seats 4, 3, 2, 1 act in this order (dealer 1). 3 takes its last stand in round 2.
STAND = "4 call, 3 call, 2 call, 1 call, 4 call, 3 compare 4"

# fmt: off
COURSES = {
    # why                                   1               2           3 1600     4
    "wins them all, the next one first":  (NOTHING,         QUEEN,      ACES,     "5c5d9c",
        [(3, 2, 3), (3, 1, 3), (3, 4, 3)]),
    "loses the first duel":               (NOTHING,         ACES,       PAIR,     QUEEN,
        [(3, 2, 2)]),
    "loses half way":                     (ACES,            QUEEN,      PAIR,     NOTHING,
        [(3, 2, 3), (3, 1, 1)]),
    "loses the last one":                 (NOTHING,         QUEEN,      PAIR,     ACES,
        [(3, 2, 3), (3, 1, 3), (3, 4, 4)]),
    "an equal duel loses":                (NOTHING,         "6h6s8d",   PAIR,     QUEEN,
        [(3, 2, 2)]),
    "235 beats trips, not a high card":   (QUEEN,           NINES,      UNSUITED_235, PAIR,
        [(3, 2, 3), (3, 1, 1)]),
}
# fmt: on


@pytest.mark.parametrize(("one", "two", "three", "four", "duels"), COURSES.values(), ids=COURSES)
def test_a_last_stand_duels_everyone_in_turn_until_it_loses(one, two, three, four, duels):
    """Beaten opponents are out at once; the first lost duel ends the stand and nothing else."""
    hand = opened(f"1 {one}, 2 {two}, 3 {three} 1600, 4 {four}")
    before = STAND.removesuffix(", 3 compare 4")
    act(hand, before)
    hand.collect_events()

    act(hand, "3 compare 4")

    events = [entry.event for entry in hand.collect_events()]
    fought = [event for event in events if isinstance(event, HandsCompared)]
    assert duels == [(duel.challenger, duel.challenged, duel.winner) for duel in fought]
    assert {1, 2, 3, 4} - {out for duel in fought for out in duel.out} == set(hand.state.remaining)
    assert hand.state.settled == (len(hand.state.remaining) == 1)


def test_after_a_lost_last_stand_play_goes_on_and_nobody_is_refunded():
    """The chips stay in the pot, the beaten stay out, the next seat acts, and no refund is due."""
    deal = f"1 {ACES}, 2 {QUEEN}, 3 {PAIR} 1600, 4 {NOTHING}"
    hand = act(opened(deal), STAND)

    assert hand.state.remaining == (4, 1)
    assert (hand.state.turn, hand.state.round) == (1, 2)
    assert hand.state.seats[3].stack == 0
    assert hand.state.stand is None

    result = settled(record(deal, f"{STAND}, 1 compare 4"))
    assert {seat["refund"] for seat in result["seats"].values()} == {0}
    assert (result["winners"], result["pot"]) == ([1], 2_000 + 2_000 + 500 + 600 + 1_000)


def test_a_second_last_stand_pays_back_only_whom_it_beat_itself():
    """The first stand beat seat 2 and failed; the second is won, over seat 4 alone."""
    deal = f"1 {ACES} 1500, 2 {QUEEN}, 3 {PAIR} 1600, 4 {NOTHING}"

    result = settled(record(deal, f"{STAND}, 1 compare 4"))

    refunds = {seat: figures["refund"] for seat, figures in result["seats"].items()}
    assert refunds == {"1": 0, "2": 0, "3": 0, "4": 250}  # 500 x (1000 - 500) / 1000


def test_the_example_of_the_document_comes_out_to_the_chip():
    """九游, 孤注一掷: refunds 190 and 95; results -115, -110, -605, -205, +1035 before rake."""
    # A, B, C, D, E of the document sit in 5, 4, 3, 2, 1; E deals; ante 5.00 chips.
    deal = "5 KsKd4h, 4 9s9d8h, 3 QsQdJh, 2 AsAd3h 22500, 1 7s6d2h"
    round_1 = "5 raise 10000, 4 call, 3 look, 3 call, 2 look, 2 call, 1 look, 1 call"
    round_2 = "5 compare 1, 4 call, 3 compare 5, 2 compare 5"

    result = settled(record(deal, f"{round_1}, {round_2}"))

    seats = {int(seat): figures for seat, figures in result["seats"].items()}
    before_rake = {seat: figures["net"] + figures["rake"] for seat, figures in seats.items()}
    assert {n: s["refund"] for n, s in seats.items() if s["refund"]} == {5: 19_000, 4: 9_500}
    assert before_rake == {5: -11_500, 4: -11_000, 3: -60_500, 1: -20_500, 2: 103_500}


# The stand is seat 1's, the last to act; the others are 3 and 2; all antes are 500.
# fmt: off
REFUNDS = {
    # why                                   carry  done                                 3      2
    "bets x (due - paid) / due":            (800,   "3 raise 1001, 2 call, 1 compare 3",
        {3: 851, 2: 851}),          # 1001 x (2002 - 300) / 2002
    "a fraction is dropped":                (833,   "3 raise 1000, 2 call, 1 compare 3",
        {3: 833, 2: 833}),          # 1000 x (2000 - 333) / 2000 = 833.5
    "by what each one bet":                 (800,   "3 raise 1000, 2 look, 2 call, 1 compare 3",
        {3: 850, 2: 1_700}),        # x (2000 - 300) / 2000
    "a stand of nothing pays all bets back": (500,  "3 call, 2 look, 2 call, 1 compare 3",
        {3: 500, 2: 1_000}),        # x (1000 - 0) / 1000
    "seen, the full price is double":       (900,   "3 raise 1000, 2 call, 1 look, 1 compare 3",
        {3: 900, 2: 900}),          # x (4000 - 400) / 4000
    "bets of earlier rounds do not count":  (2_000, f"{ROUND_2}3 raise 2000, 2 call, 1 compare 3",
        {3: 1_500, 2: 1_500}),      # 2000 x (4000 - 1000) / 4000
    "whoever folded gets nothing":          (800,   "3 raise 1000, 2 fold, 1 compare 3",
        {3: 850, 2: 0}),
    "whoever was beaten before does neither": (2_400, f"{ROUND_2}3 call, 2 compare 3, 1 compare 2",
        {3: 0, 2: 0}),              # it can pay for a compare: 1400 of 1000
}
# fmt: on


@pytest.mark.parametrize(("carry", "done", "refunds"), REFUNDS.values(), ids=REFUNDS)
def test_a_won_last_stand_refunds_the_last_round_in_part(carry, done, refunds):
    """Opponents beaten in the stand get back the part of their bets that it could not match."""
    result = settled(record(f"1 {ACES} {carry}, 2 {PAIR}, 3 {QUEEN}", done))

    assert refunds == {seat: result["seats"][str(seat)]["refund"] for seat in (3, 2)}
    assert result["winners"] == [1]
    assert result["seats"]["1"]["won"] == result["pot"] - sum(refunds.values())


def test_whom_another_seat_beat_gets_no_refund_from_a_stand():
    """Seat 2 beat seat 3 in a duel; only seat 2 was beaten in the stand."""
    deal = f"1 {ACES} 1900, 2 {PAIR}, 3 {QUEEN}"

    result = settled(record(deal, f"{ROUND_2}3 call, 2 compare 3, 1 compare 2"))

    # 1000 x (1000 - 900) / 1000
    assert [result["seats"][seat]["refund"] for seat in "321"] == [0, 100, 0]


def test_a_last_stand_moves_everything_it_has_and_says_what_was_due():
    """The event holds the whole argument for the refunds."""
    hand = act(opened(f"1 {NOTHING}, 2 {QUEEN}, 3 {ACES} 800"), "3 look, 3 compare 2")

    (stand,) = (e.event for e in hand.collect_events() if isinstance(e.event, LastStandTaken))
    assert (stand.seat, stand.named, stand.due, stand.paid) == (3, 2, 2_000, 300)


# --- forced duels --------------------------------------------------------------------

# Seats 1, 4, 3, 2 act in this order (dealer 2); the limit is one round, but where it says so.
ALL_CALL = "1 call, 4 call, 3 call, 2 call"

# fmt: off
FORCED = {
    # why                                     1        4         3         2     limit done
    "the first holds on":                   (ACES,    PAIR,     QUEEN,    NOTHING, 1, ALL_CALL,
        [(1, 4, 1), (1, 3, 1), (1, 2, 1)]),
    "each winner initiates the next":       (NOTHING, QUEEN,    PAIR,     ACES,    1, ALL_CALL,
        [(1, 4, 4), (4, 3, 3), (3, 2, 2)]),
    "equal hands: the champion loses":      (PAIR,    "6h6s8d", QUEEN,    NOTHING, 1, ALL_CALL,
        [(1, 4, 4), (4, 3, 4), (4, 2, 4)]),
    "235 first beats trips, then loses":    (UNSUITED_235, NINES, QUEEN,  NOTHING, 1, ALL_CALL,
        [(1, 4, 1), (1, 3, 3), (3, 2, 3)]),
    "235 last beats the trips that won":    (NINES,   PAIR,     QUEEN,    UNSUITED_235, 1, ALL_CALL,
        [(1, 4, 1), (1, 3, 1), (1, 2, 2)]),
    "the seat after the dealer is out":     (ACES,    PAIR,     QUEEN,    NOTHING, 1,
        "1 fold, 4 call, 3 call, 2 call",
        [(4, 3, 4), (4, 2, 4)]),
    "only the dealer and one more are in":  (PAIR,    QUEEN,    NOTHING,  ACES,    1,
        "1 call, 4 fold, 3 fold, 2 call",
        [(1, 2, 2)]),
    "one seat left: there are none":        (NOTHING, QUEEN,    PAIR,     ACES,    1,
        "1 call, 4 fold, 3 fold, 2 fold",
        []),
    "a compare before them in the last round": (NOTHING, QUEEN, PAIR,     ACES,    2,
        f"{ALL_CALL}, 1 compare 4, 4 call, 3 call, 2 call",
        [(4, 3, 3), (3, 2, 2)]),
    "a compare as the last action":         (NOTHING, QUEEN,    PAIR,     ACES,    2,
        f"{ALL_CALL}, 1 call, 4 call, 3 call, 2 compare 1",
        [(4, 3, 3), (3, 2, 2)]),
}
# fmt: on


@pytest.mark.parametrize(
    ("one", "four", "three", "two", "limit", "done", "duels"), FORCED.values(), ids=FORCED
)
def test_after_the_last_round_the_rest_duel_down_to_one(one, four, three, two, limit, done, duels):
    """From the first seat after the dealer, in turn order, each winner against the next, free."""
    written = record(
        f"1 {one}, 2 {two}, 3 {three}, 4 {four}",
        done,
        dealer=2,
        table={**TABLE, "round_limit": limit},
    )

    forced = [
        event
        for event in events_of(written)
        if isinstance(event, HandsCompared) and event.why == "forced"
    ]

    assert duels == [(duel.challenger, duel.challenged, duel.winner) for duel in forced]
    assert all(duel.transfers == () for duel in forced)
    assert settled(written)["rounds"] == limit


def test_a_table_that_sets_no_limit_plays_fifteen_rounds():
    """The limit of the rulebook: after 15 rounds of calls the duels follow by themselves."""
    hand = opened(f"1 {STRAIGHT}, 2 {RUN}")
    calls = ", ".join(["2 call, 1 call"] * 14)
    act(hand, f"{calls}, 2 call")
    assert (hand.state.round, hand.state.over) == (15, False)

    act(hand, "1 call")

    assert hand.state.settled
    assert hand.state.acted_round == 15


def test_a_hand_whose_limit_is_passed_by_a_look_goes_on():
    """A look ends no round, not even the last one."""
    hand = opened(f"1 {STRAIGHT}, 2 {RUN}", table={**TABLE, "round_limit": 1})

    act(hand, "2 call, 1 look, 2 look")

    assert (hand.state.round, hand.state.over, hand.state.turn) == (1, False, 1)
