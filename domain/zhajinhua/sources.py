"""What each step of a hand rests on: the § of RULES.md, and the sentence of the rule document.

A matter belongs to a field of the rulebook, and its sentence is the one that the
field's ground quotes (:mod:`domain.zhajinhua.rulebooks`); a rulebook may have a
sentence of its own for a matter, with spaces within words removed. Where the
document says nothing of a matter it has no sentence: there RULES.md reads
between its lines, and marks it ``[I]``.
"""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.errors import UnknownRulebookError
from domain.zhajinhua.rulebooks import edition
from domain.zhajinhua.rules import ZhajinhuaRulebook


class Source(NamedTuple):
    """Where a rule stands."""

    rule: str  # "§3.3" of RULES.md
    document: str  # the rule document of the rulebook
    quotation: str  # its sentence, or nothing where it is silent


class Matter(NamedTuple):
    """What a step is about."""

    section: str  # of RULES.md, the same in all rulebooks
    field: str = ""  # of the rulebook, whose ground has the sentence
    place: int = 0  # of the sentence among those of the ground


MATTERS: Final[Mapping[str, Matter]] = {
    # the beginning
    "opening": Matter("§2.3", "opener"),
    "table": Matter("§2.5", "parameters"),
    "turn": Matter("§3.1"),
    "ante": Matter("§2.4", "ante"),
    "deal": Matter("§2.2"),
    "deck": Matter("§2.6"),
    # betting
    "look": Matter("§3.2", "look_from_round"),
    "call_blind": Matter("§3.3", "blind_factor"),
    "call_seen": Matter("§3.3", "seen_factor"),
    "raise": Matter("§3.4", "max_stake"),
    "chain": Matter("§3.5", "chain"),
    "fold": Matter("§3.8"),
    "timeout": Matter("§3.8", "timeout"),
    "timeout_call": Matter("§3.8", "timeout"),
    "timeout_compare": Matter("§3.8", "timeout"),
    "fold_all": Matter("§4.6", "fold_all"),
    "top_up": Matter("§4.5", "top_ups"),
    # all-in
    "all_in_never": Matter("§4.1"),
    "all_in_when_short": Matter("§4.2", "all_in"),
    "all_in_shove": Matter("§4.3", "all_in"),
    "all_in_early": Matter("§4.3"),
    "all_in_any_turn": Matter("§4.4", "all_in"),
    "emptied": Matter("§4.1", "empty_is_all_in"),
    "shove_answer": Matter("§4.3"),
    "shove_duel": Matter("§4.4", "blind_all_in_duel"),
    # duels
    "compare": Matter("§5.1", "compare_from_round"),
    "equal": Matter("§5.2", "equal_duel"),
    "equal_banker": Matter("§5.2", "equal_duel", 1),
    "suits": Matter("§1.4", "suits"),
    "deuce_three_five": Matter("§1.5", "deuce_three_five"),
    "invalid_ace_king_deuce": Matter("§1.6", "invalid_ace_king_deuce"),
    "last_stand": Matter("§5.3", "short_compare"),
    "last_stand_duel": Matter("§5.3", "short_compare", 1),
    "last_stand_lost": Matter("§5.3"),
    "forced_duel": Matter("§5.4", "forced_duels_from"),
    # the cards are shown
    "showdown": Matter("§5.5", "play"),
    "open_limit": Matter("§3.7", "at_limit"),
    "open_short": Matter("§4.3", "opens_when_short"),
    "open_answered": Matter("§4.3"),
    "open_duelled": Matter("§4.4"),
    "open_never": Matter("§3.7"),
    "open_levels_matched": Matter("§4.2"),
    "open_last_has_acted": Matter("§4.4", "opens_early"),
    # side payments
    "side": Matter("§5.6"),
    "no_side": Matter("§5.6"),
    "banker_ratio": Matter("§5.6", "banker_ratios"),
    "player_ratio": Matter("§5.6", "player_ratios"),
    "blind_winner": Matter("§5.6", "blind_extras"),
    "blind_loser": Matter("§5.6", "blind_extras"),
    "banker_pays": Matter("§5.6", "sweep", 1),
    "sweep": Matter("§5.6", "sweep"),
    # the end
    "bonus": Matter("§6.5", "bonus"),
    "pot": Matter("§6.1"),
    "refund": Matter("§6.3", "pots", 1),
    "excess": Matter("§6.3"),
    "won": Matter("§6.1", "pots"),
    "won_stand": Matter("§6.1", "pots", 1),
    "shared": Matter("§6.2", "earliest_all_in_loses_tie"),
    "layer": Matter("§6.7", "pots"),
    "layer_back": Matter("§6.7", "pots"),
    "layer_shared": Matter("§6.2", "earliest_all_in_loses_tie"),
    "tie_excluded": Matter("§6.7", "earliest_all_in_loses_tie"),
    "layers": Matter("§6.7"),
    "banked": Matter("§6.8", "ante"),
    "prize": Matter("§6.8", "multiples_pct"),
    "rake": Matter("§6.4", "rake_bp"),
    "net": Matter("§6.1"),
    "claim": Matter("§6.1"),
    "void": Matter("§6.6"),
}

_JIUYOU: Final[Mapping[str, str]] = {
    "won": "",
    "won_stand": "",
    "last_stand": "当玩家余额低于比牌需要的投注金额时，发起比牌会触发【孤注一掷】。",
    "opening": "由庄家的下一家开始下注",
    "ante": "进入房间发牌前，所有牌桌上的人需要支付游戏底注作为锅底。",
    "deal": "每人发三张牌，牌面向下，为暗牌。",
    "deck": "从庄家开始逆时针发牌",
    "look": "玩家可以随时选择看自己牌的操作，看过的牌为明牌。",
    "call_blind": "如果此时玩家为暗牌，上一家也是暗牌，那么需要支付同样的金额跟注，如果上一家是明牌，那么需要支付一半的费用跟注",
    "call_seen": "如果此时玩家为明牌，上一家为暗牌，那么需要支付双倍的金额跟注，如果上一家也为明牌，那么支付同样的金额即可跟注。",
    "raise": "每次加注上限即游戏房间内最大筹码，每个玩家每轮游戏只可加注一次。",
    "fold": "游戏中弃牌的玩家，该玩家本局即为结束",
    "timeout": "其他情况则执行弃牌操作。",
    "timeout_call": "第一轮、第二轮、第三轮超时未操作，看牌的情况下为顺子及以上牌型时，会自动跟注",
    "timeout_compare": "从第四轮开始，玩家已看牌的情况下超时未操作，只要玩家是顺子及以上的牌型，系统会以玩家逆时针的顺序进行比牌操作",
    "compare": "从游戏第二轮开始，玩家可以选择付出双倍的跟注与桌上任意玩家进行比牌",
    "equal": "当牌型点数大小完全相同时，主动比牌者负。",
    "deuce_three_five": "当豹子存在时，特殊牌型>豹子，235获胜。",
    "last_stand_duel": "系统将投出此玩家所有游戏币，并与其他剩余玩家轮流比牌。",
    "last_stand_lost": "孤注一掷后，若此玩家输了，则输掉此玩家已投注金额。",
    "forced_duel": "达到轮数上限时，从庄家下家开始，依次与下家强制发起比牌，直至剩下最后一名玩家为止。",
    "bonus": "玩家拿到豹子或顺金，本局无论输赢都会获得喜钱。喜钱由系统赠送，不会被抽水。",
    "refund": "A玩家的返还金额=游戏最后一轮时A玩家的该轮投注金额*【(孤注一掷者该轮比牌应该投注金额–孤注一掷者该轮实际投注金额)/孤注一掷者该轮比牌应该投注金额】。",
    "rake": "玩家所赢取金额的5%",
}

_QUOTATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "jiuyou": _JIUYOU,
    "platform": {
        "look": "",
        "call_blind": "",
        "call_seen": "",
        "deuce_three_five": "牌型：豹子>同花顺>金花>顺子>对子>散牌；特殊>AAA",
    },
    "yingsanzhang": {"won": "", "layer_back": ""},
    "tongcheng": {"emptied": "", "layer_shared": "", "shared": ""},
    "feifan2017": {
        "call_blind": "闷牌玩家跟注时，下注金额需为看牌玩家的2倍(如看牌玩家下注10.闷牌玩家需下注20)",
        "timeout": "",
        "suits": "牌型规则：是否启用王炸、是否认可A-2-3顺金/顺子、是否区分花色大小;",
        "won": "",
    },
}
"""By rulebook id: the sentences for a matter that are not simply its field's; none where it is empty."""


def source(matter: str, rulebook: ZhajinhuaRulebook) -> Source:
    """Return what a rulebook's answer to a matter rests on."""
    section, field, place = MATTERS[matter]
    own = _QUOTATIONS.get(rulebook.id, {}).get(matter)
    quotation = _sentence(rulebook, field, place) if own is None else own
    return Source(section, rulebook.document, quotation)


def _sentence(rulebook: ZhajinhuaRulebook, field: str, place: int) -> str:
    """Return the sentence that a field rests on, or nothing."""
    try:
        ground = edition(rulebook.id, rulebook.version).grounds.get(field)
    except UnknownRulebookError:  # a rulebook that is only tried
        return ""
    sentences = ground.sentences if ground else ()
    return sentences[place] if place < len(sentences) else ""
