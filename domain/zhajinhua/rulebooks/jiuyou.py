"""九游炸金花, after document 000."""

# ruff: noqa: E501 - a sentence stays on one line

from typing import Final

from domain.grounds import MOOT, SILENT, Edition, by_field, reads, says
from domain.zhajinhua.rules import COMMON, ZhajinhuaRulebook

JIUYOU_V1: Final = ZhajinhuaRulebook(
    id="jiuyou",
    version=1,
    game="zhajinhua",
    name="九游炸金花",
    document="000 炸金花游戏玩法",
    parameters=COMMON,
    seats_min=2,
    seats_max=5,
    direction="counter_clockwise",
    opener="after_dealer",
    play="betting",
    round_limit=15,
    at_limit="forced_duels",
    forced_duels_from="after_dealer",
    blind_factor=1,
    seen_factor=2,
    look_from_round=1,
    chain=None,
    blind_limit=None,
    timeout="protected",
    all_in="never",
    all_in_from_round=1,
    empty_is_all_in=False,
    opens_early="never",
    opens_when_short=False,
    blind_all_in_duel=False,
    top_ups=0,
    top_up_carries=0,
    fold_all=False,
    compare_from_round=2,
    compare_calls=2,
    compare_limit=None,
    seen_compares_blind_only=False,
    equal_duel="initiator_loses",
    push_antes=0,
    short_compare="last_stand",
    suits=False,
    a23=True,
    deuce_three_five="trips",
    invalid_ace_king_deuce=False,
    wangzha=False,
    pots="whole",
    earliest_all_in_loses_tie=False,
    rake_bp=500,  # 5.00 % of the net win
    bonus="antes",
    bonus_antes=(("trips", 5), ("straight_flush", 2)),
    draw_antes_max=0,
    multiples_pct=(),
    banker_ratios=(),
    player_ratios=(),
    blind_extras=False,
    sweep=False,
)

_GROUNDS_V1: Final = by_field(
    {
        "name": says("是一种流行的九游娱乐传统扑克游戏"),
        "parameters": reads(
            "the room sets the ante and the largest stake; that it may set the rounds too is ours",
            "底注和最大筹码由房间定；轮数也可由房间定，是我们的理解",
        ),
        "ante": says("进入房间发牌前，所有牌桌上的人需要支付游戏底注作为锅底。"),
        "max_stake": says(
            "每次加注上限即游戏房间内最大筹码",
            en="it bounds the stake, not what a seen seat pays for it",
            zh="限的是单注，不是明牌按单注付出的金额",
        ),
        # seats and turns
        "seats_min seats_max": says("炸金花游戏人数为2-5人"),
        "direction": says("从庄家开始逆时针发牌", "逆时针操作顺序为A，B，C，D，E"),
        "opener": says("由庄家的下一家开始下注"),
        "play": says("第一轮可以进行看牌、跟注、加注、弃牌的操作。"),
        "round_limit": says("炸金花游戏设定最大轮数为15轮"),
        "at_limit forced_duels_from": says(
            "达到轮数上限时，从庄家下家开始，依次与下家 强制发起比牌，直至剩下最后一名玩家为止。"
        ),
        # prices
        "blind_factor": says("如果上一家是明牌，那么需要支付一半的费用跟注"),
        "seen_factor": says("上一家为暗牌，那么需要支付双倍的金额跟注"),
        "look_from_round": says(
            "第一轮可以进行看牌、跟注、加注、弃牌的操作。", "看牌：玩家可以随时选择看自己牌的操作"
        ),
        "chain": says("每个玩家每轮游戏只可加注一次。"),
        "blind_limit": says(
            "当然也可以暗牌操作。",
            en="no number of blind turns is named",
            zh="没有限定暗牌操作的次数",
        ),
        "timeout": says(
            "第一轮、第二轮、第三轮超时未操作，看牌的情况 下为顺子及以上牌型时，会自动跟注；其他情况则执行弃牌操作。",
            en="from round 4 on it is one compare, with the next seat still in; a 2-3-5 is a high card here",
            zh="从第四轮起只比一次，与下一个仍在局中的玩家；235 在此按散牌算",
        ),
        # short of chips
        "all_in": says(
            "当玩家余额低于比牌需要的投注金额时，发起比牌会触发【孤注一掷】。",
            en="whoever is short has this, and no all-in that waits for the others",
            zh="筹码不足时只有这一种，没有等待别家的全押",
        ),
        "all_in_from_round blind_all_in_duel": MOOT,
        "empty_is_all_in opens_early opens_when_short": reads(
            "a seat with nothing left still has its turns: it may take its last stand with nothing, or fold",
            "余额为零的玩家照常轮到操作：可以以零孤注一掷，或弃牌",
        ),
        "top_ups top_up_carries fold_all": SILENT,
        # duels
        "compare_from_round compare_calls": says(
            "从游戏第二轮开始，玩家可以选择付出双倍的跟注与桌上任意玩家进行比牌"
        ),
        "compare_limit": reads(
            "a compare uses up the turn, and a seat has one turn a round",
            "比牌用掉一次操作，而每轮每家只操作一次",
        ),
        "seen_compares_blind_only": says("与桌上任意玩家进行比牌"),
        "equal_duel": says("当牌型点数大小完全相同时，主动比牌者负。"),
        "push_antes": MOOT,
        "short_compare": says(
            "当玩家余额低于比牌需要的投注金额时，发起比牌会触发【孤注一掷】。",
            en="in round 1, before any compare, only for a seat that cannot even pay its call",
            zh="第一轮尚不能比牌，只有连跟注都不够的玩家可以",
        ),
        # ranking
        "suits": says("各花色不分大小"),
        "a23": says("顺子：花色不同的顺子（QKA最大，A23最小）"),
        "deuce_three_five": says("例如不同花色的235 > 豹子"),
        "invalid_ace_king_deuce": says(
            "散牌：三张牌不组成任何类型的牌（JKA最大，235最小）",
            en="A-K-2 is a high card like any other",
            zh="AK2 与其他散牌一样",
        ),
        "wangzha": says(
            "使用一副扑克牌，共计52张(去掉大小王)",
            en="three cards of one deck hold no four of a kind",
            zh="一副牌的三张凑不出四张同点",
        ),
        # who takes what
        "pots": says(
            "孤注一掷后，若此玩家输了，则输掉此玩家已投注金额。",
            "若此玩家获胜(与剩余的所有玩家比牌全赢)，将返还被此玩家孤注一掷打败的 玩家在游戏最后1轮多投注的金额。",
            en="one pot: money comes back out of it, it is never cut into layers",
            zh="只有一个锅底：从中返还，不分边池",
        ),
        "earliest_all_in_loses_tie": MOOT,
        "rake_bp": says("玩家所赢取金额的5%"),
        "bonus": says("玩家拿到豹子或顺金，本局无论输赢都会获得喜钱。喜钱由系统赠送，不会被抽水。"),
        "bonus_antes": says("豹子喜钱：获得5倍底注奖金。", "顺金喜钱：获得2倍底注奖金。"),
        "draw_antes_max multiples_pct": MOOT,
        # side payments between banker and players
        "banker_ratios player_ratios blind_extras sweep": SILENT,
    }
)

EDITIONS: Final = (Edition(JIUYOU_V1, _GROUNDS_V1),)
