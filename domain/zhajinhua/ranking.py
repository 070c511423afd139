"""Three cards -> category and strength. RULES.md §1.4-§1.6.

A :class:`Strength` orders hands of three by category, then by rank in comparing
order, then (where the rulebook ranks suits) by suit. A 2-3-5 stands outside of
that order: it is decided in :func:`duel`, between two hands at a time, since the
relation it makes is not transitive.
"""

from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from domain.cards import RANKS, split
from domain.zhajinhua.rules import ZhajinhuaRulebook


class Category(IntEnum):
    """The kinds of three cards, low to high (牌型)."""

    INVALID = -1  # a high-card A-K-2 where the rulebook voids it
    HIGH_CARD = 0
    PAIR = 1
    STRAIGHT = 2
    FLUSH = 3
    STRAIGHT_FLUSH = 4
    TRIPS = 5


_NAMES: Final = {category: category.name.lower() for category in Category} | {
    Category.INVALID: Category.HIGH_CARD.name.lower()
}


class Strength(NamedTuple):
    """What three cards are worth; the greater wins, the equal tie."""

    category: Category
    ranks: tuple[int, ...]  # in comparing order; ace 14, but 1 in A-2-3
    suit: int  # of the deciding card, spades 3; 0 where suits do not rank


ACE: Final = 14
_RANK: Final = {rank: value for value, rank in enumerate(RANKS, start=2)}
_SUIT: Final = {suit: value for value, suit in enumerate("dchs")}  # diamonds lowest, spades highest
_A23: Final = (ACE, 3, 2)
_AK2: Final = (ACE, 13, 2)
_235: Final = (5, 3, 2)


def strength(cards: str, rules: ZhajinhuaRulebook) -> Strength:
    """Return what three cards are worth under the rules in force at the table."""
    return _strength(cards, rules.suits, rules.a23, rules.invalid_ace_king_deuce)


@lru_cache(maxsize=65536)
def _strength(cards: str, suits: bool, a23: bool, invalid_ak2: bool) -> Strength:  # noqa: FBT001
    """Rank three cards. In order: the cards high to low, with A-2-3 as 3, 2, 1."""
    held = sorted(((_RANK[r], _SUIT[s]) for r, s in map(tuple, split(cards))), reverse=True)
    ranks = tuple(rank for rank, _ in held)
    low_straight = a23 and ranks == _A23
    if low_straight:
        held = [held[1], held[2], (1, held[0][1])]
        ranks = (3, 2, 1)
    one_suit = len({suit for _, suit in held}) == 1
    straight = low_straight or (ranks[0] - ranks[1] == 1 and ranks[1] - ranks[2] == 1)

    if ranks[0] == ranks[2]:
        category, ranks = Category.TRIPS, ranks[:1]
    elif straight:
        category = Category.STRAIGHT_FLUSH if one_suit else Category.STRAIGHT
    elif one_suit:
        category = Category.FLUSH
    elif ranks[1] in (ranks[0], ranks[2]):
        pair, kicker = ranks[1], ranks[2] if ranks[0] == ranks[1] else ranks[0]
        held = [card for card in held if card[0] == pair]
        category, ranks = Category.PAIR, (pair, kicker)
    else:
        category = Category.INVALID if invalid_ak2 and ranks == _AK2 else Category.HIGH_CARD
    return Strength(category, ranks, held[0][1] if suits else 0)


def category_name(cards: str, rules: ZhajinhuaRulebook) -> str:
    """Return the category as the glossary writes it: ``"straight_flush"``."""
    return _NAMES[strength(cards, rules).category]


def duel(left: str, right: str, rules: ZhajinhuaRulebook) -> int:
    """Compare two hands of three: 1 where the left wins, -1 where the right does, 0 where equal.

    Source: RULES.md §1.5: a 2-3-5 that is no flush beats trips (jiuyou) or
    three aces (platform), and is an ordinary high card against all else.
    """
    ours, theirs = strength(left, rules), strength(right, rules)
    if rules.deuce_three_five != "off":
        if _is_235(ours) and _falls_to_235(theirs, rules):
            return 1
        if _is_235(theirs) and _falls_to_235(ours, rules):
            return -1
    return (ours > theirs) - (ours < theirs)


def _is_235(held: Strength) -> bool:
    return held.category == Category.HIGH_CARD and held.ranks == _235


def _falls_to_235(held: Strength, rules: ZhajinhuaRulebook) -> bool:
    return held.category == Category.TRIPS and (
        rules.deuce_three_five == "trips" or held.ranks == (ACE,)
    )
