"""Three cards -> strength: all 22,100 hands, the named cases, and where the order is none."""

import hashlib
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, groupby, pairwise

import pytest

from domain.cards import DECK, split
from domain.zhajinhua.ranking import Category, Strength, category_name, duel, strength
from domain.zhajinhua.rulebooks import find, published
from domain.zhajinhua.rules import ZhajinhuaRulebook

HANDS = tuple("".join(cards) for cards in combinations(DECK, 3))

PLAIN = replace(find("jiuyou", 1), deuce_three_five="off")
SUITS = replace(PLAIN, suits=True)
NO_A23 = replace(PLAIN, a23=False)
VOID_AK2 = replace(PLAIN, invalid_ace_king_deuce=True)
ACES = replace(PLAIN, deuce_three_five="aces")
TRIPS = find("jiuyou", 1)

CENSUS = {
    Category.TRIPS: 52,
    Category.STRAIGHT_FLUSH: 48,
    Category.FLUSH: 1_096,
    Category.STRAIGHT: 720,
    Category.PAIR: 3_744,
    Category.HIGH_CARD: 16_440,
}

# SHA-256 of a rulebook's order as text: weakest hand first, those that tie on one line.
# A second ranking, written without a look at this one, gave the same three.
PLAIN_ORDER = "43c074dd13083c60d80f8c052a21547d7763a252812eaf6de60e27387f09e2ef"
SUITS_ORDER = "d74dc012946ec7ca4110e6902ecc47794862bcb32a5c2b1672e58c9609160192"
VOID_AK2_ORDER = "fef0a2359e4975e84c1afbb127e7da60ec426ec24ab071d4e13272024cc31dc7"
ORDERS = {
    "jiuyou.v1": PLAIN_ORDER,
    "platform.v1": SUITS_ORDER,
    "yingsanzhang.v1": PLAIN_ORDER,
    "tongcheng.v1": PLAIN_ORDER,
    "feifan2017.v1": VOID_AK2_ORDER,
    "jisu.v1": SUITS_ORDER,
}


@cache
def _ascending(rules: ZhajinhuaRulebook) -> tuple[tuple[str, ...], ...]:
    """Return all hands, weakest first, those that tie together."""
    ordered = sorted(HANDS, key=lambda cards: strength(cards, rules))
    return tuple(tuple(tied) for _, tied in groupby(ordered, lambda cards: strength(cards, rules)))


def _one_of_each(rules: ZhajinhuaRulebook) -> tuple[str, ...]:
    """Return one hand of every strength, weakest first."""
    return tuple(tied[0] for tied in _ascending(rules))


@pytest.mark.parametrize(
    "rules", [TRIPS, ACES, PLAIN, SUITS], ids=["trips", "aces", "off", "suits"]
)
def test_the_deck_holds_so_many_hands_of_each_category(rules):
    """All 22,100 hands are counted, and 2-3-5 or suits move none to another category."""
    counted = Counter(strength(cards, rules).category for cards in HANDS)

    assert len(HANDS) == 22_100
    assert counted == CENSUS


def test_without_a23_its_60_straights_and_4_straight_flushes_are_ace_high():
    """Where A-2-3 is no straight, it is a high card or a flush, and nothing else moves."""
    counted = Counter(strength(cards, NO_A23).category for cards in HANDS)

    assert counted == CENSUS | {
        Category.STRAIGHT_FLUSH: 48 - 4,
        Category.FLUSH: 1_096 + 4,
        Category.STRAIGHT: 720 - 60,
        Category.HIGH_CARD: 16_440 + 60,
    }


def test_a_void_ace_king_deuce_takes_60_hands_out_of_the_high_cards():
    """Only the unsuited ones; a flush of A-K-2 is a flush."""
    counted = Counter(strength(cards, VOID_AK2).category for cards in HANDS)

    assert counted == CENSUS | {Category.HIGH_CARD: 16_440 - 60, Category.INVALID: 60}


@pytest.mark.parametrize("rules", published(), ids=lambda rules: f"{rules.id}.v{rules.version}")
def test_a_published_order_of_all_hands_never_changes(rules):
    """The whole order is pinned: a hand that moves by one place changes the hash."""
    text = "".join(" ".join(sorted(tied)) + "\n" for tied in _ascending(rules))

    assert ORDERS[f"{rules.id}.v{rules.version}"] == hashlib.sha256(text.encode()).hexdigest()


ALL_TRIPS = tuple(range(2, 15))
# fmt: off
UPSETS = {
    # why                                 rules  the ranks of trips that fall to 2-3-5
    "235 beats all trips, nothing else": (TRIPS, ALL_TRIPS),
    "235 beats aces, nothing else":      (ACES,  (14,)),
    "no rule for 235: one total order":  (PLAIN, ()),
}
# fmt: on


@pytest.mark.parametrize(("rules", "fallen"), UPSETS.values(), ids=UPSETS)
def test_duels_follow_the_order_but_for_the_declared_upsets(rules, fallen):
    """Of all pairs of strengths, only 2-3-5 against those trips leaves the order, both ways."""
    ascending = _one_of_each(rules)

    upset = [
        (weak, strong)
        for weak, strong in combinations(ascending, 2)
        if duel(strong, weak, rules) != 1
    ]

    assert {(_worth(weak, rules), _worth(strong, rules)) for weak, strong in upset} == {
        ((Category.HIGH_CARD, (5, 3, 2)), (Category.TRIPS, (rank,))) for rank in fallen
    }
    assert all(duel(weak, strong, rules) == 1 for weak, strong in upset)
    assert all(duel(weak, strong, rules) == -1 for weak, strong in pairwise(ascending))
    assert not any(duel(cards, cards, rules) for cards in ascending)


def _worth(cards: str, rules: ZhajinhuaRulebook) -> tuple[Category, tuple[int, ...]]:
    return strength(cards, rules)[:2]


# fmt: off
CYCLES = {
    # what 2-3-5 beats   each beats the next, and the last the first
    "trips": (TRIPS, ("2s3h5d", "7s7h7d", "2c2d3c")),
    "aces":  (ACES,  ("2s3h5d", "AsAhAd", "KcKdKh")),
}
# fmt: on


@pytest.mark.parametrize(("rules", "cycle"), CYCLES.values(), ids=CYCLES)
def test_a_235_rule_is_not_transitive(rules, cycle):
    """There is no best hand among these three: which one wins depends on who meets whom."""
    around = zip(cycle, (*cycle[1:], cycle[0]), strict=True)

    assert [duel(left, right, rules) for left, right in around] == [1, 1, 1]


# fmt: off
DUELS = {
    # why                                        rules     left      right     result
    "A23 is the lowest straight":               (PLAIN,    "As2d3c", "2s3d4c", -1),
    "A23 beats a pair of aces":                 (PLAIN,    "As2d3c", "AhAdKc", 1),
    "QKA is the highest straight":              (PLAIN,    "QsKdAc", "JsQdKc", 1),
    "KA2 is no straight":                       (PLAIN,    "KsAd2c", "2s2d3c", -1),
    "suited KA2 is a flush, not a straight":    (PLAIN,    "KsAs2s", "2d3d4d", -1),
    "A23 of one suit is a straight flush":      (PLAIN,    "AsAdAc", "As2s3s", 1),
    "A23 of one suit beats a flush":            (PLAIN,    "Ah2h3h", "AsKsJs", 1),
    "a flush beats a straight":                 (PLAIN,    "2s3s5s", "QdKcAh", 1),
    "a straight beats a pair":                  (PLAIN,    "2s3d4s", "AdAcKh", 1),
    "a pair beats a high card":                 (PLAIN,    "2s2d3s", "AdKcJh", 1),
    "the pair counts before its kicker":        (PLAIN,    "3s3d2s", "2d2cAh", 1),
    "the kicker parts equal pairs":             (PLAIN,    "3s3d4s", "3h3c2d", 1),
    "a low kicker is found behind a high pair": (PLAIN,    "AsAdKs", "AhAcQd", 1),
    "the highest card counts first":            (PLAIN,    "As2d4s", "KdQcTh", 1),
    "then the second":                          (PLAIN,    "AsQd2s", "AdJcTh", 1),
    "then the third":                           (PLAIN,    "AsQd3s", "AdQc2h", 1),
    "equal ranks tie where suits do not rank":  (PLAIN,    "AsQd3s", "AdQc3h", 0),
    "235 beats trips where it beats trips":     (TRIPS,    "2s3d5s", "7d7c7h", 1),
    "whichever side it is on":                  (TRIPS,    "7d7c7h", "2s3d5s", -1),
    "and aces too":                             (TRIPS,    "2s3d5s", "AdAcAh", 1),
    "but no straight flush":                    (TRIPS,    "2s3d5s", "Ad2d3d", -1),
    "and is the lowest high card":              (TRIPS,    "2s3d5s", "2d4c5h", -1),
    "tying with its like":                      (TRIPS,    "2s3d5s", "2d3c5h", 0),
    "and no flush 235 does it":                 (TRIPS,    "2s3s5s", "7d7c7h", -1),
    "235 beats aces where it beats aces":       (ACES,     "2s3d5s", "AdAcAh", 1),
    "whichever side it is on, too":             (ACES,     "AdAcAh", "2s3d5s", -1),
    "but not kings":                            (ACES,     "2s3d5s", "KdKcKh", -1),
    "nor any trips where there is no such rule": (PLAIN,   "2s3d5s", "AdAcAh", -1),
    "suits part equal ranks: the highest card's": (SUITS,  "AsQd3d", "AhQs3s", 1),
    "hearts before clubs":                      (SUITS,    "AcQd3d", "AhQs3s", -1),
    "clubs before diamonds":                    (SUITS,    "AcQd3d", "AdQs3s", 1),
    "a straight by its highest card":           (SUITS,    "QsKsAd", "QdKdAc", -1),
    "A23 by its 3, not by its ace":             (SUITS,    "As2s3d", "Ad2d3c", -1),
    "a pair by the best suit within it":        (SUITS,    "9s9d2d", "9h9c2s", 1),
    "the kicker's suit counts nothing":         (SUITS,    "9c9h2s", "9s9d2c", -1),
    "ranks count before suits":                 (SUITS,    "AdQd4c", "AsQs3h", 1),
    "without a23 it is below a pair":           (NO_A23,   "As2d3c", "2s2h3d", -1),
    "its ace is high":                          (NO_A23,   "As2d3c", "KsQhTd", 1),
    "and its flush has no straight":            (NO_A23,   "As2s3s", "2d3d4d", -1),
    "a void AK2 loses to the lowest high card": (VOID_AK2, "AsKd2c", "2s3d5c", -1),
    "to its like it ties":                      (VOID_AK2, "AsKd2c", "AhKc2s", 0),
    "a flush of it is a flush":                 (VOID_AK2, "AsKs2s", "QdKcAh", 1),
    "and AK3 is as good as ever":               (VOID_AK2, "AsKd3c", "AhQc9s", 1),
}
# fmt: on


@pytest.mark.parametrize(("rules", "left", "right", "result"), DUELS.values(), ids=DUELS)
def test_a_duel_goes_as_the_document_says(rules, left, right, result):
    """1: the left one wins; -1: the right one; 0: equal. The other way round, the opposite."""
    assert result == duel(left, right, rules)
    assert -result == duel(right, left, rules)


def test_with_suits_no_two_hands_of_one_deal_tie():
    """Hands of equal strength all hold the card that decides, and it is dealt only once."""
    for tied in _ascending(SUITS):
        shared = set(split(tied[0])).intersection(*(split(cards) for cards in tied))

        assert shared, tied


def test_a_void_hand_is_still_called_a_high_card():
    """The category that a page shows is one of the glossary's six."""
    assert category_name("AsKd2c", VOID_AK2) == "high_card"
    assert category_name("AsKs2s", VOID_AK2) == "flush"


def test_strength_reads_as_category_ranks_and_suit():
    """Ranks stand in comparing order, and the suit only where it counts."""
    assert strength("2s9d9c", SUITS) == Strength(Category.PAIR, (9, 2), 1)
    assert strength("2s9d9c", PLAIN) == Strength(Category.PAIR, (9, 2), 0)
    assert strength("As2d3c", PLAIN) == Strength(Category.STRAIGHT, (3, 2, 1), 0)
    assert strength("As2d3c", NO_A23) == Strength(Category.HIGH_CARD, (14, 3, 2), 0)
    assert strength("7s7d7c", SUITS) == Strength(Category.TRIPS, (7,), 3)
