"""What each turn costs, whose turn it is and which round, and what a timeout does."""

import pytest

from domain.events import BetRaised, HandFolded, LastStandTaken
from tests.domain.hands import (
    ACES,
    FLUSH,
    NINES,
    NOTHING,
    PAIR,
    QUEEN,
    RUN,
    STRAIGHT,
    UNSUITED_235,
    act,
    opened,
)

# Three seats, ante 500: dealer 1, so that 3 acts first, then 2, then 1.
THREE = f"1 {NOTHING}, 2 {PAIR}, 3 {FLUSH}"

# fmt: off
PRICES = {
    # why                                done                                           price
    "a blind call pays the stake":      ("3 call",                                      500),
    "a seen call pays twice the stake": ("3 look, 3 call",                              1_000),
    "a blind raise pays the new stake": ("3 raise 800",                                 800),
    "a seen raise pays twice the new stake": ("3 look, 3 raise 800",                    1_600),
    "blind after a seen raise pays half": ("3 look, 3 raise 800, 2 call",               800),
    "seen after a blind raise pays double": ("3 raise 800, 2 look, 2 call",             1_600),
    "seen after a seen raise pays the same": ("3 look, 3 raise 800, 2 look, 2 call",    1_600),
    "blind after a blind raise the same": ("3 raise 800, 2 call",                       800),
    "a call does not lift the stake":   ("3 look, 3 call, 2 call",                      500),
    "a raise counts from the last raise": ("3 raise 800, 2 raise 801, 1 call",          801),
    "a look off one's turn counts too": ("2 look, 3 call, 2 call",                      1_000),
    "one's own look counts, not another's": ("2 look, 3 call",                          500),
    "a later look counts from then on": ("3 call, 2 call, 1 call, 3 look, 3 call",      1_000),
    "max_stake bounds the stake, not a price": ("3 look, 3 raise 10000",                20_000),
    "a blind compare: two calls":       ("3 call, 2 call, 1 call, 3 compare 2",         1_000),
    "a seen compare: two seen calls":   ("3 call, 2 call, 1 call, 3 look, 3 compare 2", 2_000),
    "a compare: two raised calls":      ("3 call, 2 raise 900, 1 call, 3 compare 2",    1_800),
}
# fmt: on


@pytest.mark.parametrize(("done", "price"), PRICES.values(), ids=PRICES)
def test_a_turn_costs_the_stake_by_blind_or_seen(done, price):
    """The price leaves the stack of the seat that acted, and is in the pot."""
    hand = opened(THREE)
    *before, last = done.split(", ")
    act(hand, ", ".join(before))
    seat = int(last.split()[0])
    stack, pot = hand.state.seats[seat].stack, _pot(hand)

    act(hand, last)

    assert price == stack - hand.state.seats[seat].stack
    assert price == _pot(hand) - pot


def _pot(hand) -> int:
    return sum(seat.contributed for seat in hand.state.seats.values())


def test_a_look_is_free_and_is_kept():
    """Nothing moves but the seat's being seen."""
    hand = act(opened(THREE), "1 look")

    seat = hand.state.seats[1]
    assert (seat.seen, seat.stack, hand.state.turn) == (True, 99_500, 3)


def test_a_raise_may_be_as_high_as_it_likes_where_the_table_has_no_bound():
    """Without ``max_stake`` only the stack bounds a raise."""
    hand = act(opened(THREE, table={"ante": 500}), "3 raise 99500")

    assert hand.state.seats[3].stack == 0
    assert hand.state.stake == 99_500


# Seats 2, 5 and 9, dealer 5: 2 acts first, then 9, then 5.
GAPS = f"2 {PAIR}, 5 {NOTHING}, 9 {QUEEN}"

# fmt: off
ROUNDS = {
    # why                                done                                           turn round
    "after the dealer, counter-clockwise": ("",                                         2, 1),
    "then the next lower, around the table": ("2 call",                                 9, 1),
    "the dealer is last":               ("2 call, 9 call",                              5, 1),
    "the opener's turn begins a round": ("2 call, 9 call, 5 call",                      2, 2),
    "a look keeps the turn":            ("2 look",                                      2, 1),
    "a look off one's turn does too":   ("9 look",                                      2, 1),
    "a seat that is out is passed over": ("2 call, 9 fold, 5 call, 2 call",             5, 2),
    "a folded opener's place ends the round": ("2 fold, 9 call, 5 call",                9, 2),
    "it does so in every round":        ("2 fold, 9 call, 5 call, 9 call, 5 call",      9, 3),
    "a fold as the last of the round":  ("2 call, 9 call, 5 fold",                      2, 2),
    "a timeout passes the turn like a fold": ("2 call, 9 timeout",                      5, 1),
    "who loses a duel is passed over":  ("2 call, 9 call, 5 call, 2 compare 9, 5 call", 2, 3),
    "a lost compare uses up the turn":  ("2 call, 9 call, 5 call, 2 call, 9 compare 2", 5, 2),
    "a won one too":                    ("2 call, 9 call, 5 call, 2 call, 9 compare 5", 2, 3),
}
# fmt: on


@pytest.mark.parametrize(("done", "turn", "number"), ROUNDS.values(), ids=ROUNDS)
def test_the_turn_goes_round_and_the_opener_s_place_ends_a_round(done, turn, number):
    """The next lower occupied number acts; reaching or passing the opener's place, a round ends."""
    hand = act(opened(GAPS, dealer=5), done)

    assert (turn, number) == (hand.state.turn, hand.state.round)


def test_cards_belong_to_their_seats_and_money_to_its_round():
    """What was put in is kept by round, the ante as round 0, with the factor it was paid at."""
    hand = act(opened(THREE), "3 call, 2 look, 2 call, 1 call, 3 raise 700")

    kept = {number: list(map(tuple, seat.bets)) for number, seat in hand.state.seats.items()}
    assert kept == {
        1: [(500, 1, 0), (500, 1, 1)],
        2: [(500, 1, 0), (1_000, 2, 1)],
        3: [(500, 1, 0), (500, 1, 1), (700, 1, 2)],
    }


# The seat that times out is 3, first to act; 2 and 1 are weak. It has looked, but in one case.
ROUND_1 = "3 look"
ROUND_3 = "3 look" + ", 3 call, 2 call, 1 call" * 2
ROUND_4 = "3 look" + ", 3 call, 2 call, 1 call" * 3

# fmt: off
TIMEOUTS = {
    # why                                    seat 3 holds               before   it does
    "not protected":                        (f"{ACES} unprotected",     ROUND_1, "fold"),
    "not protected, in round 4":            (f"{STRAIGHT} unprotected", ROUND_4, "fold"),
    "has not looked":                       (ACES,                      "",      "fold"),
    "below a straight":                     (PAIR,                      ROUND_1, "fold"),
    "below a straight, in round 4":         (PAIR,                      ROUND_4, "fold"),
    "235 is a high card":                   (UNSUITED_235,              ROUND_1, "fold"),
    "a straight, in round 1":               (STRAIGHT,                  ROUND_1, "call"),
    "a flush, in round 1":                  (FLUSH,                     ROUND_1, "call"),
    "trips, in round 3":                    (ACES,                      ROUND_3, "call"),
    "a straight, in round 4":               (STRAIGHT,                  ROUND_4, "compare"),
    "one unit short of a call":             (f"{RUN} 1499",             ROUND_1, "stand"),
    "just enough for a call":               (f"{RUN} 1500",             ROUND_1, "call"),
    "one unit short of a call, in round 3": (f"{RUN} 3499",             ROUND_3, "stand"),
    "enough for a call, not a compare, in round 3": (f"{RUN} 3500",     ROUND_3, "call"),
    "one unit short of a compare, in round 4": (f"{RUN} 5499",          ROUND_4, "stand"),
    "just enough for a compare, in round 4": (f"{RUN} 5500",            ROUND_4, "compare"),
}
# fmt: on


@pytest.mark.parametrize(("held", "before", "expected"), TIMEOUTS.values(), ids=TIMEOUTS)
def test_a_timeout_folds_unless_the_seat_is_protected_and_strong(held, before, expected):
    """Rounds 1 to 3 call, from round 4 one compare with the next seat; short, the last stand."""
    hand = act(opened(f"1 {QUEEN}, 2 {NOTHING}, 3 {held}"), before)
    hand.collect_events()

    act(hand, "3 timeout")

    first = hand.collect_events()[0].event
    told = first.model_dump()
    assert told["by"] == "timeout"
    assert {
        "fold": ("hand.folded.v1", None),
        "call": ("hand.bet_called.v1", None),
        "stand": ("hand.last_stand_taken.v1", None),
        "compare": ("hand.hands_compared.v1", 2),
    }[expected] == (first.TOPIC, told.get("challenged"))


def test_a_timeout_compares_with_the_next_seat_that_is_still_in():
    """Folded seats are passed over, in turn order."""
    hand = opened(f"1 {QUEEN}, 2 {NOTHING}, 3 {NINES}, 4 {PAIR}")
    act(hand, "4 call, 3 look, 3 call, 2 fold, 1 call")
    act(hand, "4 call, 3 call, 1 call, 4 call, 3 call, 1 call, 4 call")
    hand.collect_events()

    act(hand, "3 timeout")

    assert hand.collect_events()[0].event.model_dump()["challenged"] == 1


def test_a_timeout_s_last_stand_names_nobody():
    """A call that became a last stand had no target; the record keeps that."""
    hand = act(opened(f"1 {QUEEN}, 2 {NOTHING}, 3 {ACES} 900"), "3 look")
    hand.collect_events()

    act(hand, "3 timeout")

    stand = hand.collect_events()[0].event
    assert isinstance(stand, LastStandTaken)
    assert (stand.named, stand.paid, stand.due) == (None, 400, 2_000)


def test_an_unprotected_fold_is_told_from_a_chosen_one():
    """The record says whether a seat folded or ran out of time."""
    hand = act(opened(THREE), "3 fold, 2 timeout")

    folds = [e.event for e in hand.collect_events() if isinstance(e.event, HandFolded)]
    assert [(fold.seat, fold.by) for fold in folds] == [(3, "choice"), (2, "timeout")]


def test_a_raise_records_the_new_stake_and_the_price_paid():
    """Both are facts: the stake at factor 1, the price in the transfer."""
    hand = act(opened(THREE), "3 look, 3 raise 800")

    (raised,) = (e.event for e in hand.collect_events() if isinstance(e.event, BetRaised))
    assert (raised.stake, raised.paid, raised.seen) == (800, 1_600, True)
