"""Likelihoods held against counting every case, and the correction for their number."""

from collections import Counter
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.investigation import likelihood as module
from adapters.investigation.likelihood import Stratum, holm, likelihood

SCORES = st.lists(st.sampled_from([0, 0, 0, 1, 2, 5]), min_size=1, max_size=5)


def counted(strata):
    """Return how likely so high a sum is, by drawing in every possible way."""
    observed = sum(sum(own) for own, _ in strata)
    ways = [
        Counter(sum(drawn) for drawn in combinations((*own, *others), len(own)))
        for own, others in strata
    ]
    high = total = 0
    for sums in product(*(way.items() for way in ways)):
        cases = 1
        for _, count in sums:
            cases *= count
        total += cases
        high += cases * (sum(value for value, _ in sums) >= observed)
    return high / total


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=2))
def test_a_likelihood_is_that_of_drawing_in_every_possible_way(strata):
    """Unless it is too high to matter: then it is given as 1."""
    found = likelihood(Stratum(Counter(own), Counter(others)) for own, others in strata)

    assert found is not None
    assert found.observed == sum(sum(own) for own, _ in strata)
    assert found.is_exact
    exact = counted(strata)
    assert found.p == pytest.approx(exact) or (found.p == 1 and exact > 0.005)


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ({1: 14}, {0: 246, 1: 30}),
        ({0: 4, 1: 10}, {0: 246, 1: 30}),
        ({6: 4, 8: 10, 10: 2}, {6: 200, 4: 30, 8: 30, 10: 4}),
    ],
)
def test_a_bound_takes_the_place_of_long_work_and_is_never_below(own, others, monkeypatch):
    """It is no tenth as sharp, and still tells what is chance from what is not."""
    exact = likelihood([Stratum(own, others)])
    monkeypatch.setattr(module, "_WORK_MAX", -1)
    bound = likelihood([Stratum(own, others)])

    assert exact is not None
    assert bound is not None
    assert (exact.is_exact, bound.is_exact) == (True, False)
    assert exact.p <= bound.p < 1e-3


def test_of_fourteen_hands_all_marked_the_likelihood_is_a_ratio_of_binomials():
    """Far out in the tail too, where rounding would hide in 1 - (1 - p)."""
    found = likelihood([Stratum({1: 14}, {0: 246, 1: 30})])

    assert found is not None
    assert found.p == pytest.approx(comb(44, 14) / comb(290, 14))
    assert found.expected == pytest.approx(14 * 30 / 276)


def test_kinds_of_hand_that_only_one_side_has_say_nothing():
    """And without any in common there is no answer."""
    lone = Stratum({1: 9}, {})

    assert likelihood([lone, Stratum({}, {0: 3})]) is None
    assert likelihood([Stratum({1: 3}, {0: 90}), lone]) == likelihood([Stratum({1: 3}, {0: 90})])


@pytest.mark.parametrize(
    ("given", "corrected"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.001, 0.9], [1.0, 0.003, 1.0]),
    ],
)
def test_p_values_are_corrected_for_their_number(given, corrected):
    """Holm: the smallest by all of them, the next by one less, and never less than before."""
    assert holm(given) == pytest.approx(corrected)
