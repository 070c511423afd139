"""Every mechanism and every refusal is shown by a vector or by an example worked out by hand."""

import pytest

from domain import errors
from domain.errors import RefusalError
from tests.mechanisms.coverage import by_vectors, by_worked_examples, impossible, unshown
from tests.mechanisms.mechanisms import POSSIBLE, UNSIMULATED
from tests.mechanisms.refusals import REFUSALS

OF_DECKS = "§2.6"  # what no record can be refused for; tests/domain/test_deck.py shows each


@pytest.fixture(scope="module")
def vectors():
    """What the vectors show: mechanisms and refusals."""
    return by_vectors()


@pytest.fixture(scope="module")
def worked():
    """What the worked examples show: mechanisms and refusals."""
    return by_worked_examples()


def test_every_mechanism_is_shown_under_every_rulebook_that_knows_it(vectors, worked):
    """By numbers that somebody else computed, or that are worked out in the test."""
    assert [] == unshown(POSSIBLE, vectors[0], worked[0])


def test_every_refusal_is_shown_under_every_rulebook_that_gives_it(vectors, worked):
    """With the place and the code."""
    assert [] == unshown(REFUSALS, vectors[1], worked[1])


def test_what_is_shown_is_on_the_lists(vectors, worked):
    """The lists of what is possible are complete."""
    for shown in (vectors, worked):
        assert [] == impossible(POSSIBLE, shown[0])
        assert [] == impossible(REFUSALS, shown[1])


def test_what_is_too_rare_to_simulate_is_shown_by_a_vector(vectors):
    """Nothing is excused twice."""
    assert UNSIMULATED <= set(vectors[0])


def test_every_refusal_of_the_rules_is_on_the_list():
    """A new refusal cannot be added without an example of it."""
    codes = {
        kind.code
        for kind in vars(errors).values()
        if isinstance(kind, type)
        and issubclass(kind, RefusalError)
        and kind is not RefusalError
        and (kind.rule.startswith("§") or kind.rule == "hand-record/1")
        and kind.rule != OF_DECKS
    }

    assert codes == {name.split(":")[0] for name in REFUSALS}
