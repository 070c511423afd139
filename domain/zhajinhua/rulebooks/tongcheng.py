"""嵊州同城游炸金花, after document 003."""

# ruff: noqa: E501 - a sentence stays on one line

from typing import Final

from domain.grounds import MOOT, SILENT, Edition, by_field, reads, says
from domain.zhajinhua.rules import COMMON, ZhajinhuaRulebook

TONGCHENG_V1: Final = ZhajinhuaRulebook(
    id="tongcheng",
    version=1,
    game="zhajinhua",
    name="嵊州同城游炸金花",
    document="003 嵊州同城游",
    parameters=COMMON,
    seats_min=2,
    seats_max=5,
    direction="counter_clockwise",
    opener="dealer",
    play="betting",
    round_limit=20,
    at_limit="open",
    forced_duels_from="never",
    blind_factor=1,
    seen_factor=2,
    look_from_round=2,
    chain=None,
    blind_limit=None,
    timeout="fold",
    all_in="shove",
    all_in_from_round=3,
    empty_is_all_in=False,
    opens_early="never",
    opens_when_short=True,
    blind_all_in_duel=False,
    top_ups=0,
    top_up_carries=0,
    fold_all=False,
    compare_from_round=3,
    compare_calls=1,
    compare_limit=None,
    seen_compares_blind_only=False,
    equal_duel="initiator_loses",
    push_antes=0,
    short_compare="refused",
    suits=False,
    a23=True,
    deuce_three_five="off",
    invalid_ace_king_deuce=False,
    wangzha=False,
    pots="side_pots",
    earliest_all_in_loses_tie=True,
    rake_bp=0,
    bonus="none",
    bonus_antes=(),
    draw_antes_max=0,
    multiples_pct=(),
    banker_ratios=(),
    player_ratios=(),
    blind_extras=False,
    sweep=False,
)

_GROUNDS_V1: Final = by_field(
    {
        "name": says("嵊州同城游", "炸金花玩法"),
        "parameters": says(
            "游戲輪數(shù)上限",
            en="the amounts and the rounds are the table's",
            zh="金额与轮数由牌桌定",
        ),
        "ante": says("係統(tǒng)自動(dòng)扣除玩家底注，投到桌麵。"),
        "max_stake": reads(
            "the document names no largest stake; where a table has one, it bounds the stake, not what a seen seat pays for it",
            "文档没有写加注上限；牌桌设上限时，限的是单注，不是看牌玩家按单注付出的金额",
        ),
        # seats and turns
        "seats_min seats_max": says("游戲人數(shù)為2-5人。"),
        "direction opener": says("由莊家開始下注，其他玩家依次逆時(shí)針操作。"),
        "play": says(
            "輪到玩家操作時(shí)，玩家可進(jìn)行加注、跟注、跟到底、看牌、 放棄、比牌、全押等操作。"
        ),
        "round_limit": says(
            "當(dāng)達(dá)到游戲輪數(shù)上限時(shí)",
            en="the number is not named; 20, as in document 004",
            zh="没有写数目；取 20，与 004 相同",
        ),
        "at_limit": says(
            "當(dāng)達(dá)到游戲輪數(shù)上限時(shí)，係統(tǒng)會(huì)自動(dòng)実開所有未棄牌玩家的牌，進(jìn)行比牌。"
        ),
        "forced_duels_from": MOOT,
        # prices
        "blind_factor": says("跟注，下注跟上一個(gè)玩家一樣的下注金額。"),
        "seen_factor": says("看牌后，跟注、加注、比牌都需要雙倍籌碼。"),
        "look_from_round": says("第一輪押注結(jié)束后，第二輪開始才能看牌"),
        "chain": says(
            "輪到玩家操作時(shí)，玩家可進(jìn)行加注、跟注、跟到底、看牌、 放棄、比牌、全押等操作。",
            en="one of them a turn, so one raise",
            zh="每次轮到只取其一，因此只加注一次",
        ),
        "blind_limit": SILENT,
        "timeout": says("玩家可以主動(dòng)棄牌，或者超時(shí)自動(dòng)棄牌。"),
        # short of chips
        "all_in all_in_from_round": says(
            "第三輪開始輪到玩家時(shí)可以選擇全押",
            en="in any round for a seat that cannot pay its call; afterwards the others only answer it",
            zh="跟注不足的玩家任何一轮都可以；此后别家只能回应",
        ),
        "empty_is_all_in": says(
            "當(dāng)下一輪有玩家的金幣數(shù)量不足以進(jìn)行跟注時(shí)，係統(tǒng)會(huì)自動(dòng)開牌。",
            en="a seat with nothing left simply cannot pay its next call",
            zh="余额为零的玩家只是下一轮不够跟注",
        ),
        "opens_early": reads(
            "a hand opens of itself in the two cases of 10, and once an all-in has its answers",
            "自动开牌只有第 10 条的两种情况；有人全押时，别家回应完即开牌",
        ),
        "opens_when_short": says(
            "當(dāng)下一輪有玩家的金幣數(shù)量不足以進(jìn)行跟注時(shí)，係統(tǒng)會(huì)自動(dòng)開牌。"
        ),
        "blind_all_in_duel": MOOT,
        "top_ups top_up_carries fold_all": SILENT,
        # duels
        "compare_from_round": says("第三輪開始輪到玩家時(shí)可以選擇比牌"),
        "compare_calls": says(
            "看牌后，跟注、加注、比牌都需要雙倍籌碼。",
            en="named in one breath with the call, so it costs one",
            zh="与跟注并列，因此与跟注同价",
        ),
        "compare_limit": reads(
            "a compare uses up the turn, and a seat has one turn a round",
            "比牌用掉一次操作，而每轮每家只操作一次",
        ),
        "seen_compares_blind_only": SILENT,
        "equal_duel": says("當(dāng)牌麵相同時(shí)，主動(dòng)發(fā)起比牌玩家輸。"),
        "push_antes": MOOT,
        "short_compare": reads(
            "whoever cannot pay for a compare has the all-in", "不够比牌的玩家可以全押"
        ),
        # ranking
        "suits": says("各花色不區(qū)分大小。"),
        "a23": says("最小的順子為花色不通的A23。"),
        "deuce_three_five invalid_ace_king_deuce": says(
            "單張：三張牌不組成以上任意類型的牌。(KJA最大，235最小)",
            en="no high card beats, or loses to, anything out of order",
            zh="没有例外的散牌",
        ),
        "wangzha": says(
            "52張牌無大小王",
            en="three cards of one deck hold no four of a kind",
            zh="一副牌的三张凑不出四张同点",
        ),
        # who takes what
        "pots": reads(
            "the document names no side pots; an all-in contests what it matched, or it could win what it never risked",
            "文档没有写边池；全押者只争与其所下相当的部分，否则可以赢得没有冒险的筹码",
        ),
        "earliest_all_in_loses_tie": says(
            "相同牌的玩家中，第一個(gè)全押的玩家輸。",
            en="once a hand, in the lowest layer where hands tie",
            zh="一局一次，在最低的出现平局的一层",
        ),
        "rake_bp bonus": SILENT,
        "bonus_antes draw_antes_max multiples_pct": MOOT,
        # side payments between banker and players
        "banker_ratios player_ratios blind_extras sweep": SILENT,
    }
)

EDITIONS: Final = (Edition(TONGCHENG_V1, _GROUNDS_V1),)
