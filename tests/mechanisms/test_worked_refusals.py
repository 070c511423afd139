"""Refusals that no vector shows, worked out by hand."""

import pytest

from tests.domain.hands import verdict
from tests.mechanisms.refusals import REFUSALS, refusal
from tests.mechanisms.worked_refusals import REFUSED


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_there_and_for_that(case):
    """The first rule that an action breaks is the one that is named, and at its place."""
    assert (case.at, case.code) == verdict(case.record)


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_worked_refusal_is_one_of_the_list(case):
    """Nothing is refused that the list of refusals does not know."""
    assert refusal(case.record, case.at, case.code) in REFUSALS
