"""Cards as text."""

import pytest

from domain.cards import DECK, are_three_known, split


def test_the_deck_has_52_cards():
    """Thirteen ranks by four suits, each once."""
    assert len(set(DECK)) == len(DECK) == 52


def test_a_text_is_split_into_its_cards():
    """Two characters a card; a rest is kept, to be refused."""
    assert split("AhTd2c") == ("Ah", "Td", "2c")
    assert split("AhT") == ("Ah", "T")
    assert split("") == ()


# fmt: off
THREE = {
    # why                    cards       three known
    "three cards":          ("AhTd2c",   True),
    "one card thrice":      ("AhAhAh",   True),
    "none":                 ("",         False),
    "two":                  ("AhTd",     False),
    "four":                 ("AhTd2c3c", False),
    "half a card too much": ("AhTd2c3",  False),
    "no such rank":         ("1hTd2c",   False),
    "no such suit":         ("AxTd2c",   False),
    "a suit in capitals":   ("AHTd2c",   False),
    "a rank in small":      ("ahTd2c",   False),
    "suit before rank":     ("hAdTc2",   False),
    "ten in two digits":    ("10hTdc",   False),
    "a space":              ("Ah d2c",   False),
    "a joker":              ("🃏AhTd2",   False),
}
# fmt: on


@pytest.mark.parametrize(("cards", "expected"), THREE.values(), ids=THREE)
def test_three_known_cards_are_told_from_anything_else(cards, expected):
    """Repeated cards are another fault, told apart elsewhere."""
    assert are_three_known(cards) == expected
