"""The 52 cards, as text: a rank of ``23456789TJQKA``, then a suit of ``cdhs``: ``AhKhQh``."""

from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
CARD_COUNT: Final = 3
HIDDEN: Final = "??" * CARD_COUNT
"""Stands for three cards that are not shown."""

_KNOWN: Final = frozenset(DECK)


def split(cards: str) -> tuple[str, ...]:
    """Return the single cards of a text: ``"AhTd2c"`` gives ``("Ah", "Td", "2c")``.

    The cards are not checked; see :func:`are_three_known`.
    """
    return tuple([cards[at : at + 2] for at in range(0, len(cards), 2)])


def are_three_known(cards: str) -> bool:
    """Tell whether the text is exactly three cards of the deck, repeated or not."""
    return len(cards) == 2 * CARD_COUNT and _KNOWN.issuperset(split(cards))
