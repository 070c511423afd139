"""How a hand is put into words: the languages, and cards as a person reads them."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain import grounds
from domain.cards import split
from domain.zhajinhua import words_en, words_zh

Language = grounds.Language

_SUITS: Final = str.maketrans("cdhs", "♣♦♥♠")


class Vocabulary(NamedTuple):
    """Sentences with fields to fill in, and the names of the categories, each by its key."""

    words: Mapping[str, str]
    categories: Mapping[str, str]


VOCABULARIES: Final[Mapping[Language, Vocabulary]] = {
    "zh": Vocabulary(words_zh.WORDS, words_zh.CATEGORIES),
    "en": Vocabulary(words_en.WORDS, words_en.CATEGORIES),
}


def faces(cards: str) -> str:
    """Print three cards as a person reads them: ``"AhTd2c"`` gives ``"A♥ 10♦ 2♣"``."""
    return " ".join(card.translate(_SUITS).replace("T", "10") for card in split(cards))
