"""赢三张, after document 001."""

# ruff: noqa: E501 - a sentence stays on one line

from typing import Final

from domain.grounds import MOOT, SILENT, Edition, by_field, reads, says
from domain.zhajinhua.rules import COMMON, ZhajinhuaRulebook

YINGSANZHANG_V1: Final = ZhajinhuaRulebook(
    id="yingsanzhang",
    version=1,
    game="zhajinhua",
    name="赢三张",
    document="001 炸金花游戏完整规则说明书",
    parameters=COMMON,
    seats_min=2,
    seats_max=6,
    direction="clockwise",
    opener="after_dealer",
    play="betting",
    round_limit=3,
    at_limit="open",
    forced_duels_from="never",
    blind_factor=1,
    seen_factor=2,
    look_from_round=1,
    chain=None,
    blind_limit=None,
    timeout="fold",
    all_in="when_short",
    all_in_from_round=1,
    empty_is_all_in=True,
    opens_early="levels_matched",
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
    suits=False,
    a23=True,
    deuce_three_five="off",
    invalid_ace_king_deuce=False,
    wangzha=False,
    pots="side_pots",
    earliest_all_in_loses_tie=False,
    rake_bp=0,
    bonus="from_opponents",
    bonus_antes=(("trips", 1), ("straight_flush", 1)),  # three aces; a spade straight flush
    draw_antes_max=0,
    multiples_pct=(),
    banker_ratios=(),
    player_ratios=(),
    blind_extras=False,
    sweep=False,
)

_GROUNDS_V1: Final = by_field(
    {
        "name": says("炸金花，又称“赢三张”或“拚三张”"),
        "parameters": says("一个约定的初始筹码", "加注有上限规定。", "约定的轮数"),
        "ante": says("游戏开始前，所有玩家需投入一个约定的初始筹码，称为“底注”，形成初始底池。"),
        "max_stake": says(
            "加注有上限规定。",
            en="it bounds the stake, not what a seen seat pays for it",
            zh="限的是单注，不是看牌玩家按单注付出的金额",
        ),
        # seats and turns
        "seats_min seats_max": says("通常由2至6名玩家参与"),
        "direction opener": says("从庄家的下一位玩家开始，按顺时针方向依次行动。"),
        "play": says("每位玩家在自己的回合有以下选择："),
        "round_limit": says("游戏进行到约定的轮数（如3轮），且仍有至少两名玩家未弃牌。"),
        "at_limit": says("进入比牌阶段后，所有未弃牌的玩家亮出手中的三张牌。"),
        "forced_duels_from": MOOT,
        # prices
        "blind_factor": says("闷牌时，下注额通常为看牌玩家下注额的一半。"),
        "seen_factor": says("可以选择查看自己的手牌，之后下注额需加倍。"),
        "look_from_round": says("在“闷牌”状态下，可以选择查看自己的手牌"),
        "chain": says(
            "按顺时针方向依次行动。每位玩家在自己的回合有以下选择：",
            en="one choice a turn, so one raise",
            zh="每个回合一次选择，因此只加注一次",
        ),
        "blind_limit": SILENT,
        "timeout": reads(
            "the document does not speak of time; a timeout folds, as in document 003",
            "文档没有写超时；按 003 超时弃牌",
        ),
        # short of chips
        "all_in all_in_from_round": says("当玩家筹码不足以跟注时，可以选择“全下”（All-in）。"),
        "empty_is_all_in": says(
            "全下后，该玩家只能竞争当时主底池中与其下注额相对应的部分。",
            en="a stack that a bet empties is in the same place as one put in whole",
            zh="下注后余额为零，与全下的处境相同",
        ),
        "opens_early": reads(
            "the document leaves open when a hand with an all-in ends: as soon as nobody has anything left to answer",
            "文档没有写有人全下后何时亮牌：无人还需回应时即亮牌",
        ),
        "opens_when_short top_ups top_up_carries fold_all": SILENT,
        "blind_all_in_duel": MOOT,
        # duels
        "compare_from_round": says(
            "比牌条件：当出现以下两种情况之一时，进入比牌阶段：",
            en="no player initiates a compare; the hands are shown at the end",
            zh="没有玩家主动比牌；结束时亮牌",
        ),
        "compare_calls compare_limit seen_compares_blind_only equal_duel push_antes short_compare": MOOT,
        # ranking
        "suits": says("花色不参与比较。"),
        "a23": says("A-K-Q最大，A-2-3最小（A在此处视为1）。"),
        "deuce_three_five invalid_ace_king_deuce wangzha": SILENT,
        # who takes what
        "pots": says(
            "全下后，该玩家只能竞争当时主底池中与其下注额相对应的部分。后续其他玩家额外下注形成的边池，该玩家无权争夺。"
        ),
        "earliest_all_in_loses_tie": says("平局时，底池由这些玩家平分。"),
        "rake_bp": SILENT,
        "bonus bonus_antes": says(
            "持有特定大牌（如AAA豹子或特定花色的顺金）的玩家，即使最终因对手弃牌而未亮牌获胜，也可以从每位玩家处获得一份额外的奖励筹码。",
            en="the suit is spades; one share is one ante, as far as the payer's stack reaches; only who wins something has it coming",
            zh="花色取黑桃；一份为一个底注，以付方余额为限；赢得筹码者才有",
        ),
        "draw_antes_max multiples_pct": MOOT,
        # side payments between banker and players
        "banker_ratios player_ratios blind_extras sweep": SILENT,
    }
)

EDITIONS: Final = (Edition(YINGSANZHANG_V1, _GROUNDS_V1),)
