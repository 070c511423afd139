"""Hands that no vector shows, worked out by hand."""

import pytest

from tests.domain.hands import events_of, nets
from tests.mechanisms.arguing import unargued
from tests.mechanisms.mechanisms import LETTERS, POSSIBLE, occurring
from tests.mechanisms.worked_hands import WORKED


@pytest.mark.parametrize("case", WORKED.values(), ids=WORKED)
def test_it_comes_to_what_was_worked_out(case):
    """To the last unit of every seat."""
    assert case.nets == nets(case.record)


@pytest.mark.parametrize("case", WORKED.values(), ids=WORKED)
def test_it_shows_what_it_was_made_for(case):
    """The mechanism is at work in it, and is one that its rulebook knows."""
    assert case.shows in occurring(events_of(case.record))
    assert case.rulebook in {LETTERS[letter] for letter in POSSIBLE[case.shows]}


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("case", WORKED.values(), ids=WORKED)
def test_it_is_argued_to_the_last_amount(case, lang):
    """Whatever moved is in the argument, and the argument ends with the settlement."""
    assert [] == list(unargued(events_of(case.record), lang))
