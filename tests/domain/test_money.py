"""Minor units: truncation, sharing, transfers and the names of accounts."""

import pytest

from domain import money
from domain.money import POT, RAKE, Transfer, account, part, player_account, post, share, transfer

# fmt: off
PARTS = {
    # why                                    amount x numerator / denominator = part
    "nothing is dropped where it divides": (1_000,     1,   2,     500),
    "half a unit is dropped":              (1_001,     1,   2,     500),
    "almost a unit is dropped":            (999,       999, 1_000, 998),
    "less than a unit is nothing":         (1,         999, 1_000, 0),
    "a part of nothing is nothing":        (0,         7,   9,     0),
    "no part is nothing":                  (9,         0,   9,     0),
    "the whole is the whole":              (9,         9,   9,     9),
    "no float comes near it":              (2**62 + 1, 1,   1,     2**62 + 1),
}
# fmt: on


@pytest.mark.parametrize(
    ("amount", "numerator", "denominator", "expected"), PARTS.values(), ids=PARTS
)
def test_a_part_is_truncated(amount, numerator, denominator, expected):
    """Amounts are integers, and every division drops its fraction."""
    assert part(amount, numerator, denominator) == expected


@pytest.mark.parametrize("numbers", [(-1, 1, 1), (1, -1, 1), (1, 1, 0), (1, 1, -1)], ids=str)
def test_a_part_of_less_than_nothing_is_a_broken_invariant(numbers):
    """Toward zero and down are the same only for amounts that are not negative."""
    with pytest.raises(AssertionError):
        part(*numbers)


# fmt: off
SHARES = {
    # why                              amount sharers  shares
    "equal parts":                    (100, (1, 2),    {1: 50, 2: 50}),
    "the odd unit goes to the first": (100, (3, 1, 2), {3: 34, 1: 33, 2: 33}),
    "odd units go out one each":      (101, (3, 1, 2), {3: 34, 1: 34, 2: 33}),
    "fewer units than sharers":       (1,   (3, 1, 2), {3: 1, 1: 0, 2: 0}),
    "nothing to share":               (0,   (3, 1),    {3: 0, 1: 0}),
    "one sharer takes it all":        (101, (7,),      {7: 101}),
    "100 among seven":                (100, (1, 2, 3, 4, 5, 6, 7),
                                        {1: 15, 2: 15, 3: 14, 4: 14, 5: 14, 6: 14, 7: 14}),
}
# fmt: on


@pytest.mark.parametrize(("amount", "sharers", "shares"), SHARES.values(), ids=SHARES)
def test_odd_units_go_to_the_first_sharers(amount, sharers, shares):
    """Equal parts, and what does not divide goes out one unit each, in order."""
    assert share(amount, sharers) == shares


def test_nothing_moves_without_a_transfer():
    """A transfer of nothing is none; one of less than nothing is a broken invariant."""
    assert transfer("a", "b", 0, "call") == ()
    assert transfer("a", "b", 7, "call") == (Transfer("a", "b", 7, "call"),)
    with pytest.raises(AssertionError):
        transfer("a", "b", -1, "call")


def test_posting_moves_from_source_to_target_and_leaves_the_sum():
    """New accounts start at nothing, and the balances given are not touched."""
    before = {"a": 5}

    after = post(before, [Transfer("a", "b", 3, "x"), Transfer("b", "c", 4, "y")])

    assert after == {"a": 2, "b": -1, "c": 4}
    assert before == {"a": 5}


def test_accounts_of_a_hand_get_its_name_in_the_ledger():
    """A hand's own events use local names; the house and the players have one name everywhere."""
    assert account("seat:3", "h-1") == "hand:h-1:seat:3"
    assert account(POT, "h-1") == "hand:h-1:pot"
    assert account(RAKE, "h-1") == RAKE
    assert account(player_account("p3"), "h-1") == "player:p3"
    assert account("player:pot", "h-1") == "player:pot"


def test_the_largest_amount_is_what_a_bigint_holds():
    """One more does not fit where it is to be stored."""
    assert money.MAX_AMOUNT == 9_223_372_036_854_775_807
