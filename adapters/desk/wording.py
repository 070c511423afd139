"""The texts of the pages in one language, and how amounts and times are written."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from adapters.desk import words_en, words_zh
from adapters.desk.words_disputes import DISPUTES
from adapters.desk.words_hand import HAND
from domain.money import in_chips
from domain.zhajinhua.wording import Language

_OF_BOTH: Final = {**HAND, **DISPUTES}

WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "zh": {**words_zh.WORDS, **{key: words.zh for key, words in _OF_BOTH.items()}},
    "en": {**words_en.WORDS, **{key: words.en for key, words in _OF_BOTH.items()}},
}
"""Every text by its key. A further part of the pages brings words of its own, to be joined here."""

TAGS: Final[Mapping[Language, str]] = {"zh": "zh-Hans", "en": "en"}
"""What a page says of its language."""

_MINUS: Final = "\N{MINUS SIGN}"
_AMOUNT: Final = re.compile(r"([0-9]{1,17})(?:[.]([0-9]{1,2}))?")


class Say(NamedTuple):
    """The texts in one language."""

    words: Mapping[str, str]

    def __call__(self, key: str, /, **fields: object) -> str:
        """Return a text, its fields filled in.

        Raises:
            KeyError: There is no such text, or a field of it is missing.
        """
        return self.words[key].format(**fields)

    def one_of(self, family: str, name: str) -> str:
        """Return what one of a family is called, ``state.settled``; what has no text, as it is."""
        return self.words.get(f"{family}.{name}", name)


def chips(amount: int | None) -> str:
    """Print minor units as chips, thousands apart: ``-1234500`` is ``-12,345.00``."""
    if amount is None:
        return ""
    whole, dot, minor = in_chips(abs(int(amount))).partition(".")
    return f"{_MINUS if amount < 0 else ''}{int(whole):,}{dot}{minor}"


def signed(amount: int | None) -> str:
    """Print minor units as chips that came in or went out: ``+3.00``."""
    return f"+{chips(amount)}" if amount is not None and amount > 0 else chips(amount)


def count(number: int | None) -> str:
    """Print a number, thousands apart."""
    return "" if number is None else f"{number:,}"


def moment(time: datetime | None) -> str:
    """Print a time, UTC, to the second."""
    return "" if time is None else f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def day(value: date) -> str:
    """Print a day."""
    return f"{value:%Y-%m-%d}"


def minor_units(given: object) -> object:
    """Return an amount as a reader writes it, ``1,234.5``, in minor units.

    Raises:
        ValueError: It is no amount.
    """
    if not isinstance(given, str):
        return given
    found = _AMOUNT.fullmatch(given.strip().replace(",", ""))
    if found is None:
        raise ValueError("is no amount of chips: 5, or 5.00")
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))
