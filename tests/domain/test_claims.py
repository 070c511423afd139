"""A foreign system's figures against the derived ones: each number that differs."""

import pytest

from domain.claims import Difference, differences

DERIVED = {"pot": 9, "winners": [2], "seats": {"1": {"net": -4, "won": 0}, "2": {"net": 4}}}

# fmt: off
CLAIMS = {
    # why                        claim                          differences
    "nothing is claimed":       ({},                            []),
    "all of it is right":       (DERIVED,                       []),
    "part of it is right":      ({"seats": {"2": {"net": 4}}},  []),
    "a figure is wrong":        ({"pot": 8},                    [("pot", 8, 9)]),
    "a seat's figure is wrong": ({"seats": {"1": {"net": -5}}}, [("seats.1.net", -5, -4)]),
    "two figures are wrong": (
        {"pot": 8, "seats": {"2": {"net": 5}}},
        [("pot", 8, 9), ("seats.2.net", 5, 4)],
    ),
    "another one won":          ({"winners": [1]},              [("winners", [1], [2])]),
    "a figure that there is not": ({"house_banked": 0},         [("house_banked", 0, None)]),
    "a seat that there is not": ({"seats": {"3": {"net": 0}}},  [("seats.3", {"net": 0}, None)]),
    "a number where seats belong": ({"seats": 2},               [("seats", 2, DERIVED["seats"])]),
}
# fmt: on


@pytest.mark.parametrize(("claim", "expected"), CLAIMS.values(), ids=CLAIMS)
def test_each_figure_that_differs_is_named(claim, expected):
    """Only the figures that the claim gives count."""
    assert list(differences(claim, DERIVED)) == [Difference(*each) for each in expected]
