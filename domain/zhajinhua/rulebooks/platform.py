"""炸金花 of the platform, after document 004 (the game of 20 rounds)."""

# ruff: noqa: E501 - a sentence stays on one line

from typing import Final

from domain.grounds import MOOT, SILENT, Edition, by_field, reads, says
from domain.zhajinhua.rules import COMMON, ZhajinhuaRulebook

PLATFORM_V1: Final = ZhajinhuaRulebook(
    id="platform",
    version=1,
    game="zhajinhua",
    name="炸金花",
    document="004 炸金花 (20 轮)",
    parameters=COMMON,
    seats_min=2,
    seats_max=5,
    direction="counter_clockwise",
    opener="recorded",
    play="betting",
    round_limit=20,
    at_limit="forced_duels",
    forced_duels_from="turn",
    blind_factor=1,
    seen_factor=2,
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
    compare_from_round=2,
    compare_calls=1,
    compare_limit=None,
    seen_compares_blind_only=False,
    equal_duel="impossible",
    push_antes=0,
    short_compare="last_stand",
    suits=True,
    a23=True,
    deuce_three_five="aces",
    invalid_ace_king_deuce=False,
    wangzha=False,
    pots="whole",
    earliest_all_in_loses_tie=False,
    rake_bp=500,  # 5.00 % of the net win
    bonus="drawn_for_trips",
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
        "name": reads(
            "the passage bears no title; the other game of this document names itself",
            "这一段没有标题；同一文档的另一种玩法自称极速炸金花",
        ),
        "parameters": reads(
            "the passage leaves the amounts to the table; that the table may set the rounds too is ours",
            "金额由牌桌定；轮数也可由牌桌定，是我们的理解",
        ),
        "ante": says("发牌前每个玩家自动投入与底注相同数量的筹码作为锅底"),
        "max_stake": reads(
            "the passage names no largest stake; where a table has one, it bounds the stake, not what a seen seat pays for it",
            "文档没有写加注上限；牌桌设上限时，限的是单注，不是明牌按单注付出的金额",
        ),
        # seats and turns
        "seats_min seats_max": says("随机将2-5个玩家分配到同一桌"),
        "direction": says("从他下家开始逆时针轮流操作"),
        "opener": says(
            "随机一家先进行操作",
            en="whoever it is, is drawn outside and recorded",
            zh="先手在外部抽出，由记录给出",
        ),
        "play": says("第二轮开始可以进行比牌，比牌也需要投注，金额与需跟注金额相同"),
        "round_limit": says("所有剩余玩家依次进行了操作叫做一轮，每局最多20轮"),
        "at_limit forced_duels_from": says(
            "达到轮数上线后，从接下来进行操作的玩家开始依次与下家强制比牌，此时比牌无需投注"
        ),
        # prices
        "blind_factor seen_factor look_from_round": says(
            "每个玩家依次发3张牌，默认牌面向下",
            en="the passage does not speak of looking; 1 and 2 are what blind and seen pay elsewhere",
            zh="文档没有写看牌；闷牌一倍、看牌两倍是其他文档的通例",
        ),
        "chain": says(
            "所有剩余玩家依次进行了操作叫做一轮",
            en="one action a turn, so one raise",
            zh="每次轮到只操作一次，因此只加注一次",
        ),
        "blind_limit": SILENT,
        "timeout": reads(
            "the passage does not speak of time; a timeout folds, as in document 003",
            "文档没有写超时；按 003 超时弃牌",
        ),
        # short of chips
        "all_in": says(
            "携带金额低于需要投注金额时进行比牌会触发孤注一掷效果",
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
            "第二轮开始可以进行比牌，比牌也需要投注，金额与需跟注金额相同"
        ),
        "compare_limit": reads(
            "a compare uses up the turn, and a seat has one turn a round",
            "比牌用掉一次操作，而每轮每家只操作一次",
        ),
        "seen_compares_blind_only": SILENT,
        "equal_duel": says(
            "先比牌型，相同牌型按顺序比点，点数相同则按顺序比花色",
            en="with suits no two hands are equal",
            zh="比花色之后没有两手牌相同",
        ),
        "push_antes": MOOT,
        "short_compare": says(
            "携带金额低于需要投注金额时进行比牌会触发孤注一掷效果",
            "孤注一掷时投出此玩家所有筹码并从下家开始依次比牌",
            en="in round 1, before any compare, only for a seat that cannot even pay its call",
            zh="第一轮尚不能比牌，只有连跟注都不够的玩家可以",
        ),
        # ranking
        "suits": says(
            "花色：黑桃>红桃>梅花>方片",
            "对子：先比对子点数，再比单牌点数，最后比对子里最大的花色",
            en="in A-2-3 the suit of the 3 counts, its highest card in comparing order",
            zh="A23 比 3 的花色，它按比牌顺序是最大的一张",
        ),
        "a23": says("顺子：AKQ>KQJ……432>32A。注：KA2不是顺子"),
        "deuce_three_five": says(
            "特殊：散牌中的352", "牌型：豹子>同花顺>金花>顺子>对子>散牌；特殊>AAA"
        ),
        "invalid_ace_king_deuce": says(
            "散牌：三张牌不组成任何类型的牌（AKJ最大，352最小）",
            en="A-K-2 is a high card like any other",
            zh="AK2 与其他散牌一样",
        ),
        "wangzha": SILENT,
        # who takes what
        "pots": says(
            "非孤注一掷的情况下获胜，可以赢得桌面所有筹码",
            "孤注一掷时获胜需要返还其他玩家多余的投注筹码并赢得桌面剩余筹码",
        ),
        "earliest_all_in_loses_tie": MOOT,
        "rake_bp": says(
            "系统会从玩家赢得的筹码中抽水5%",
            en="of the net win: what comes back of one's own bets is not won",
            zh="只对净赢：收回自己所下的不算赢得",
        ),
        "bonus": says(
            "拿到豹子的玩家本局无论输赢都会随机获得一笔喜钱，喜钱不会被抽水",
            en="the amount is drawn outside and recorded",
            zh="金额在外部抽出，由记录给出",
        ),
        "bonus_antes multiples_pct": MOOT,
        "draw_antes_max": says(
            "随机获得一笔喜钱", en="no largest amount is named", zh="没有写上限"
        ),
        # side payments between banker and players
        "banker_ratios player_ratios blind_extras sweep": SILENT,
    }
)

EDITIONS: Final = (Edition(PLATFORM_V1, _GROUNDS_V1),)
