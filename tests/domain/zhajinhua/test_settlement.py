"""Who takes the pot, what the house takes and gives, and that nothing is left over."""

import pytest

from domain.events import BonusGranted, HandSettled
from domain.money import POT
from tests.domain.hands import (
    ACES,
    FLUSH,
    NINES,
    NOTHING,
    PAIR,
    QUEEN,
    RUN,
    act,
    events_of,
    nets,
    opened,
    record,
    settled,
)

# Two seats, ante 500, dealer 2: seat 1 raises to so much, seat 2 tops it, seat 1 gives up.
# fmt: off
RAKES = {
    # why                           raise  by the other what 2 wins rake
    "five percent of the net win": (1_500, 1_501, 2_000, 100),
    "half a unit is dropped":               (510,    511,          1_010,       50),   # 50.50
    "nine tenths of a unit are dropped":    (518,    519,          1_018,       50),   # 50.90
    "a whole unit is taken":       (520,   521,   1_020, 51),
    "its own bets bear no rake":   (520,   9_000, 1_020, 51),
}
# fmt: on


@pytest.mark.parametrize(("low", "high", "won", "rake"), RAKES.values(), ids=RAKES)
def test_the_house_takes_its_share_of_the_net_win_rounded_down(low, high, won, rake):
    """What the winner put in itself comes back whole."""
    written = record(f"1 {PAIR}, 2 {NOTHING}", f"1 raise {low}, 2 raise {high}, 1 fold", dealer=2)

    result = settled(written)

    assert (rake, won - rake) == (result["rake"], nets(written)[2])
    assert result["seats"]["2"]["won"] == result["pot"]


@pytest.mark.parametrize(("ante", "rake"), [(1, 0), (19, 0), (20, 1), (39, 1), (333, 16)], ids=str)
def test_an_ante_alone_bears_rake_too(ante, rake):
    """A hand that everyone gives up at once is won and raked all the same."""
    written = record(f"1 {PAIR}, 2 {NOTHING}", "1 fold", dealer=2, table={"ante": ante})

    assert settled(written)["rake"] == rake
    assert nets(written) == {1: -ante, 2: ante - rake}


# Three seats, ante 500, dealer 1: 3 folds, 2 and 1 call, 2 loses its compare with 1.
# fmt: off
BONUSES = {
    # why                             1 wins    2 loses 3 folds  bonus of 1 2  3
    "nobody has one coming":         (FLUSH,    PAIR,  QUEEN,    0,     0,     0),
    "trips that win, five antes":    (ACES,     PAIR,  QUEEN,    2_500, 0,     0),
    "trips that lose, five antes":   (ACES,     NINES, QUEEN,    2_500, 2_500, 0),
    "trips that fold, five antes":   (FLUSH,    PAIR,  NINES,    0,     0,     2_500),
    "a run that wins, two antes":    (RUN,      PAIR,  QUEEN,    1_000, 0,     0),
    "a run that loses, two antes":   (ACES,     RUN,   QUEEN,    2_500, 1_000, 0),
    "a run that folds, two antes":   (FLUSH,    PAIR,  RUN,      0,     0,     1_000),
    "A23 of one suit is a run too":  ("AhThTs", QUEEN, "As2s3s", 0,     0,     1_000),
    "235 that beats trips has none": ("2d3h5s", NINES, QUEEN,    0,     2_500, 0),
    "one hand may pay three":        (ACES,     RUN,   NINES,    2_500, 1_000, 2_500),
}
# fmt: on


@pytest.mark.parametrize(
    ("one", "two", "three", "first", "second", "third"), BONUSES.values(), ids=BONUSES
)
def test_the_house_gives_the_bonus_to_winner_loser_and_folder(
    one, two, three, first, second, third
):
    """The cards dealt decide, not what became of them; and no rake is taken from it."""
    written = record(f"1 {one}, 2 {two}, 3 {three}", "3 fold, 2 call, 1 call, 2 compare 1")

    result = settled(written)

    given = {int(seat): figures["bonus"] for seat, figures in result["seats"].items()}
    assert given == {1: first, 2: second, 3: third}
    assert result["house_bonus"] == first + second + third
    assert result["winners"] == [1]
    assert result["rake"] == 125  # 5 % of what 1 won from the others: 500 + 2000
    assert nets(written) == {1: 2_500 - 125 + first, 2: -2_000 + second, 3: -500 + third}


def test_the_bonus_follows_the_ante_of_the_table():
    """Five and two antes, whatever the ante is."""
    deal = f"1 {ACES}, 2 {RUN}"
    written = record(deal, "2 fold", table={"ante": 333})

    bonuses = [event for event in events_of(written) if isinstance(event, BonusGranted)]

    assert [(given.seat, given.category, given.payer, given.paid) for given in bonuses] == [
        (1, "trips", "house", 1_665),
        (2, "straight_flush", "house", 666),
    ]


def test_the_example_of_the_document_for_the_bonus():
    """九游, 喜钱: ante 5.00, a straight flush, 50.00 lost on the hand: the result is -40.00."""
    deal = "1 7h8h9h, 2 QsQdQc, 3 2s4d9c"
    done = "2 call, 1 look, 1 call, 3 fold, 2 raise 875, 1 compare 2"

    assert nets(record(deal, done, dealer=3))[1] == -5_000 + 2 * 500


# fmt: off
ENDS = {
    # why                                      done                                rounds winner
    "all fold before anyone bets":       ("3 fold, 2 fold",                              1, 1),
    "all fold to the last raise":        ("3 call, 2 call, 1 raise 900, 3 fold, 2 fold", 2, 1),
    "the last of a round ends it in that round": ("3 call, 2 fold, 1 fold",              1, 3),
    "the opener folds first in round 2": ("3 call, 2 call, 1 call, 3 fold, 2 fold",      2, 1),
    "a won compare leaves one":          ("3 fold, 2 call, 1 call, 2 compare 1",         2, 2),
    "a lost compare leaves one":         ("3 call, 2 fold, 1 call, 3 call, 1 compare 3", 2, 3),
    "timeouts leave one":                ("3 timeout, 2 timeout",                        1, 1),
}
# fmt: on


@pytest.mark.parametrize(("done", "rounds", "winner"), ENDS.values(), ids=ENDS)
def test_a_hand_ends_with_the_action_that_leaves_one_seat(done, rounds, winner):
    """It is settled with that action, in the round of that action."""
    result = settled(record(f"1 {NOTHING}, 2 {PAIR}, 3 {FLUSH}", done))

    assert ([winner], rounds) == (result["winners"], result["rounds"])


def test_the_settlement_names_every_seat_and_its_sums_agree():
    """Each net is won + refund + side + bonus - rake - contributed, and they sum to the house's."""
    deal = f"1 {ACES} 833, 2 {PAIR}, 3 {RUN}"
    result = settled(record(deal, "3 raise 1000, 2 call, 1 compare 3"))

    for figures in result["seats"].values():
        gains = figures["won"] + figures["refund"] + figures["side"] + figures["bonus"]
        assert figures["net"] == gains - figures["rake"] - figures["contributed"]
    assert result["pot"] == sum(figures["contributed"] for figures in result["seats"].values())
    nets_sum = sum(figures["net"] for figures in result["seats"].values())
    assert nets_sum == result["house_bonus"] - result["rake"]


def test_the_transfers_of_the_settlement_empty_the_pot():
    """Refunds first, then what is won, and the rake out of the winner's own."""
    deal = f"1 {ACES} 833, 2 {PAIR}, 3 {QUEEN}"
    events = events_of(record(deal, "3 raise 1000, 2 call, 1 compare 3"))

    (end,) = (event for event in events if isinstance(event, HandSettled))

    assert [tuple(move) for move in end.transfers] == [
        (POT, "seat:1", 2_167, "won"),
        ("seat:1", "house:rake", 66, "rake"),  # 5 % of 2167 - 833 = 1334
        (POT, "seat:2", 833, "refund"),
        (POT, "seat:3", 833, "refund"),
    ]


def test_a_void_hand_gives_every_stake_back():
    """Blind or seen, in or out: each seat has what it brought, and the pot is empty."""
    hand = act(opened(f"1 {NOTHING}, 2 {PAIR}, 3 {FLUSH}"), "3 look, 3 raise 900, 2 fold, 1 call")

    before = {number: seat.contributed for number, seat in hand.state.seats.items()}
    hand.void("the table lost power", hand.collect_events()[0].cause)

    assert before == {1: 1_400, 2: 500, 3: 2_300}
    assert {seat.stack for seat in hand.state.seats.values()} == {100_000}
    assert (hand.state.over, hand.state.settled, hand.state.turn) == (True, False, None)
