"""Simulated hands of every rulebook: they settle, conserve, verify and explain themselves."""

import pytest

from tests.mechanisms.examination import FULL, HANDS
from tests.mechanisms.mechanisms import LETTERS, POSSIBLE, UNSIMULATED

RULEBOOKS = list(LETTERS.values())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_hand_verifies(examined, rulebook):
    """Decided again, event by event, no simulated hand has a discrepancy."""
    assert [] == examined[rulebook].unverified[:5]
    assert examined[rulebook].hands == HANDS


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_hand_conserves_chips(examined, rulebook):
    """After each event all chips are there, none below zero; in the end the nets say whose."""
    assert [] == examined[rulebook].unconserved[:5]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_hand_is_argued_to_the_last_amount(examined, rulebook):
    """In both languages: whatever moved is in the argument, which ends with the settlement."""
    assert [] == examined[rulebook].unargued[:5]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_nothing_happens_that_the_rulebook_does_not_know(examined, rulebook):
    """What only other rulebooks have a rule for never comes up."""
    letter = next(letter for letter, name in LETTERS.items() if name == rulebook)

    assert [] == [name for name in examined[rulebook].occurred if letter not in POSSIBLE[name]]


@pytest.mark.skipif(
    HANDS < FULL, reason=f"{HANDS} hands a rulebook, not {FULL}: rare ones may lack"
)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_mechanism_comes_up(examined, rulebook):
    """Whatever a rulebook has a rule for happens to simulated seats."""
    letter = next(letter for letter, name in LETTERS.items() if name == rulebook)
    demanded = {name for name, letters in POSSIBLE.items() if letter in letters} - UNSIMULATED

    assert set() == demanded - set(examined[rulebook].occurred)
