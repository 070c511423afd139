"""极速炸金花 of the platform, after document 004."""

# ruff: noqa: E501 - a sentence stays on one line

from typing import Final

from domain.grounds import MOOT, SILENT, Edition, by_field, reads, says
from domain.zhajinhua.rules import ANTE, MULTIPLES, ZhajinhuaRulebook

JISU_V1: Final = ZhajinhuaRulebook(
    id="jisu",
    version=1,
    game="zhajinhua",
    name="极速炸金花",
    document="004 极速炸金花",
    parameters=(ANTE, MULTIPLES),
    seats_min=2,
    seats_max=5,
    direction="clockwise",
    opener="dealer",
    play="showdown",
    round_limit=1,
    at_limit="open",
    forced_duels_from="never",
    blind_factor=1,
    seen_factor=1,
    look_from_round=1,
    chain=None,
    blind_limit=None,
    timeout="fold",
    all_in="never",
    all_in_from_round=1,
    empty_is_all_in=False,
    opens_early="never",
    opens_when_short=False,
    blind_all_in_duel=False,
    top_ups=0,
    top_up_carries=0,
    fold_all=False,
    compare_from_round=None,
    compare_calls=0,
    compare_limit=None,
    seen_compares_blind_only=False,
    equal_duel="never",
    push_antes=0,
    short_compare="refused",
    suits=True,
    a23=True,
    deuce_three_five="off",
    invalid_ace_king_deuce=False,
    wangzha=False,
    pots="whole",
    earliest_all_in_loses_tie=False,
    rake_bp=0,
    bonus="drawn",
    bonus_antes=(),
    draw_antes_max=100,
    multiples_pct=(1600, 1000, 500, 400, 100, 30),
    banker_ratios=(),
    player_ratios=(),
    blind_extras=False,
    sweep=False,
)

_GROUNDS_V1: Final = by_field(
    {
        "name": says("极速炸金花中，没有特殊牌型"),
        "parameters": says("不同牌型对应赔付倍数如下表（配表）："),
        "ante": says("每局自动扣除底注等额筹码，然后直接开牌比较大小"),
        # seats and turns
        "seats_min seats_max": says(
            "同桌3玩家",
            en="only an example has a number; 2 to 5, as the other game of this document",
            zh="只有例子提到人数；取 2 至 5，与同一文档的另一种玩法相同",
        ),
        "direction opener": reads(
            "nobody takes a turn; the order only names who stands where",
            "没有人轮流操作；次序只用来排座",
        ),
        "play at_limit": says("每局自动扣除底注等额筹码，然后直接开牌比较大小"),
        "round_limit forced_duels_from": MOOT,
        # prices
        "blind_factor seen_factor look_from_round chain blind_limit timeout": MOOT,
        # short of chips
        "all_in all_in_from_round empty_is_all_in opens_early opens_when_short blind_all_in_duel": MOOT,
        "top_ups top_up_carries fold_all": MOOT,
        # duels
        "compare_from_round compare_calls compare_limit seen_compares_blind_only": MOOT,
        "equal_duel push_antes short_compare": MOOT,
        # ranking
        "suits": says(
            "先比牌型，相同牌型按顺序比点，点数相同则按顺序比花色",
            "对子的情况无论比点数还是花色，都是先比对子再比单牌",
            en="in A-2-3 the suit of the 3 counts, its highest card in comparing order",
            zh="A23 比 3 的花色，它按比牌顺序是最大的一张",
        ),
        "a23": says("顺子AKQ>KQJ……432>32A。注：KA2不是顺子"),
        "deuce_three_five": says("极速炸金花中，没有特殊牌型"),
        "invalid_ace_king_deuce wangzha": says("极速炸金花中，没有特殊牌型"),
        # who takes what
        "pots": says("每局牌最大玩家可以获得对局奖励"),
        "earliest_all_in_loses_tie": MOOT,
        "rake_bp": SILENT,
        "bonus draw_antes_max": says(
            "无论牌大小，每局都有一定概率获得幸运奖励，幸运奖励=底注*随机倍数（最大100倍）",
            en="the amount is drawn outside and recorded",
            zh="金额在外部抽出，由记录给出",
        ),
        "bonus_antes": MOOT,
        "multiples_pct": says(
            "对局奖励金额=底注*总赔付倍数",
            "A获得的对局奖励=10*（16+0.3+5）",
            en="the table of multiples is missing: 16, 5 and 0.3 are the example's, straight flush 10, straight 4 and pair 1 are ours",
            zh="配表缺失：16、5、0.3 出自例子；同花顺 10、顺子 4、对子 1 是我们的取值",
        ),
        # side payments between banker and players
        "banker_ratios player_ratios blind_extras sweep": SILENT,
    }
)

EDITIONS: Final = (Edition(JISU_V1, _GROUNDS_V1),)
