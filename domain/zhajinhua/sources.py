"""What each step of a hand rests on: the § of RULES.md, and the sentence of the rule document.

Sentences are quoted as the documents have them, spaces within words removed. A
matter on which a document says nothing has no sentence: there RULES.md reads
between its lines, and marks it ``[I]``.
"""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.zhajinhua.rules import ZhajinhuaRulebook


class Source(NamedTuple):
    """Where a rule stands."""

    rule: str  # "§3.3" of RULES.md
    document: str  # the rule document of the rulebook
    quotation: str  # its sentence, or nothing where it is silent


SECTIONS: Final[Mapping[str, str]] = {
    "opening": "§2.3",
    "turn": "§3.1",
    "ante": "§2.4",
    "deal": "§2.2",
    "look": "§3.2",
    "call_blind": "§3.3",
    "call_seen": "§3.3",
    "raise": "§3.4",
    "fold": "§3.8",
    "timeout": "§3.8",
    "timeout_call": "§3.8",
    "timeout_compare": "§3.8",
    "compare": "§5.1",
    "equal": "§5.2",
    "deuce_three_five": "§1.5",
    "last_stand": "§5.3",
    "last_stand_duel": "§5.3",
    "last_stand_lost": "§5.3",
    "forced_duel": "§5.4",
    "shove_duel": "§4.4",
    "bonus": "§6.5",
    "pot": "§6.1",
    "refund": "§6.3",
    "won": "§6.1",
    "rake": "§6.4",
    "net": "§6.1",
    "claim": "§6.1",
    "void": "§6.6",
}
"""The section of RULES.md for each matter; the same in all rulebooks."""

_JIUYOU: Final[Mapping[str, str]] = {
    "opening": "由庄家的下一家开始下注",
    "ante": "进入房间发牌前，所有牌桌上的人需要支付游戏底注作为锅底。",
    "deal": "每人发三张牌，牌面向下，为暗牌。",
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
    "last_stand": "当玩家余额低于比牌需要的投注金额时，发起比牌会触发【孤注一掷】。",
    "last_stand_duel": "系统将投出此玩家所有游戏币，并与其他剩余玩家轮流比牌。",
    "last_stand_lost": "孤注一掷后，若此玩家输了，则输掉此玩家已投注金额。",
    "forced_duel": "达到轮数上限时，从庄家下家开始，依次与下家强制发起比牌，直至剩下最后一名玩家为止。",
    "bonus": "玩家拿到豹子或顺金，本局无论输赢都会获得喜钱。喜钱由系统赠送，不会被抽水。",
    "refund": "A玩家的返还金额=游戏最后一轮时A玩家的该轮投注金额*【(孤注一掷者该轮比牌应该投注金额–孤注一掷者该轮实际投注金额)/孤注一掷者该轮比牌应该投注金额】。",
    "rake": "玩家所赢取金额的5%",
}

_QUOTATIONS: Final[Mapping[str, Mapping[str, str]]] = {"jiuyou": _JIUYOU}
"""By rulebook id; a further rulebook adds its own sentences."""


def source(matter: str, rulebook: ZhajinhuaRulebook) -> Source:
    """Return what a rulebook's answer to a matter rests on."""
    quotation = _QUOTATIONS.get(rulebook.id, {}).get(matter, "")
    return Source(SECTIONS[matter], rulebook.document, quotation)
