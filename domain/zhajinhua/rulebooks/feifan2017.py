"""非凡炸金花2017版, after document 002."""

# ruff: noqa: E501 - a sentence stays on one line

from typing import Final

from domain.grounds import MOOT, SILENT, Edition, by_field, reads, says
from domain.zhajinhua.rules import COMMON, CUSTOM_ROOM, ZhajinhuaRulebook

FEIFAN2017_V1: Final = ZhajinhuaRulebook(
    id="feifan2017",
    version=1,
    game="zhajinhua",
    name="非凡炸金花2017版",
    document="002 非凡炸金花2017版",
    parameters=(*COMMON, *CUSTOM_ROOM),
    seats_min=2,
    seats_max=6,
    direction="clockwise",
    opener="dealer",
    play="betting",
    round_limit=15,
    at_limit="open",
    forced_duels_from="never",
    blind_factor=2,
    seen_factor=1,
    look_from_round=1,
    chain=3,
    blind_limit=3,
    timeout="fold",
    all_in="any_turn",
    all_in_from_round=1,
    empty_is_all_in=True,
    opens_early="last_has_acted",
    opens_when_short=False,
    blind_all_in_duel=True,
    top_ups=2,
    top_up_carries=3,
    fold_all=True,
    compare_from_round=1,
    compare_calls=1,
    compare_limit=2,
    seen_compares_blind_only=True,
    equal_duel="push",
    push_antes=1,
    short_compare="refused",
    suits=False,
    a23=True,
    deuce_three_five="off",
    invalid_ace_king_deuce=True,
    wangzha=False,
    pots="excess_back",
    earliest_all_in_loses_tie=False,
    rake_bp=0,
    bonus="none",
    bonus_antes=(),
    draw_antes_max=0,
    multiples_pct=(),
    banker_ratios=(("trips", 5), ("straight_flush", 4), ("flush", 3), ("straight", 2)),
    player_ratios=(("trips", 4), ("straight_flush", 3), ("flush", 2)),
    blind_extras=True,
    sweep=True,
)

_GROUNDS_V1: Final = by_field(
    {
        "name": says("非凡炸金花2017版"),
        "parameters": says(
            "支持创建自定义房间，可调整以下规则：",
            "筹码规则：设置底注金额、最大加注上限、补注次数;",
            "牌型规则：是否启用王炸、是否认可A-2-3顺金/顺子、是否区分花色大小;",
            "玩法规则：是否允许连注、闷牌次数上限、全押后是否强制比牌;",
            "胜负规则：是否启用通杀通赔、平局赔付比例",
            en="the ranges, and that a room may set the rounds too, are ours",
            zh="取值范围以及轮数可由房间定，是我们的理解",
        ),
        "ante": says("底注设定：开局前需约定底注金额(即每位玩家必须投入的基础筹码)"),
        "max_stake": says(
            "加注上限由房间规则约定",
            en="it bounds the stake, not what a blind seat pays for it",
            zh="限的是单注，不是闷牌玩家按单注付出的金额",
        ),
        # seats and turns
        "seats_min seats_max": reads(
            "the document names no number; 2 to 6, as document 001",
            "文档没有写人数；取 2 至 6，与 001 相同",
        ),
        "direction": says("后续玩家行动：按顺时针顺序"),
        "opener": says("首轮下注：庄位玩家先行动"),
        "play": says("游戏按“下注→跟注/加注/弃牌/比牌”的循环推进"),
        "round_limit": reads(
            "the document names no limit; 15, as document 000", "文档没有写轮数；取 15，与 000 相同"
        ),
        "at_limit": reads(
            "the document has no limit, and so no end at it; the hands still in are opened",
            "文档没有写轮数，也就没有写轮满如何；取开牌",
        ),
        "forced_duels_from": MOOT,
        # prices
        "blind_factor": says(
            "下注金额为底注的2倍",
            "闷牌玩家跟注时，下注金额需为看牌玩家的2倍(如看牌玩家下注10.闷牌玩家需下注20)",
        ),
        "seen_factor": says("下注金额为底注的1倍"),
        "look_from_round": says("玩家可查看自己的手牌，但不可向他人展示。"),
        "chain": says("同一轮中，玩家可在跟注后再次加注(最多连注3次)"),
        "blind_limit": says(
            "每轮闷牌次数最多3次，3次后必须看牌，否则直接判负",
            en="counted as blind bets, over the whole hand; the next one is refused, and nobody loses by it",
            zh="按闷牌下注计，全局三次；下一次予以拒绝，不判负",
        ),
        "timeout": says(
            "看牌后不可弃牌，必须与闷牌玩家比牌",
            en="the document does not speak of time; a timeout folds, and calls where a fold is forbidden",
            zh="文档没有写超时；超时弃牌，不可弃牌时跟注",
        ),
        # short of chips
        "all_in all_in_from_round": says(
            "玩家可选择“全押”(投入全部剩余筹码)", "全押后无需再参与后续下注"
        ),
        "empty_is_all_in": says(
            "投入全部剩余筹码",
            en="a stack that any bet empties is in the same place",
            zh="任何下注使余额为零，处境相同",
        ),
        "opens_early": says(
            "等待其他玩家比牌或分出胜负即可",
            en="when nobody can bet, or the one seat that can has acted since, nothing is left to wait for",
            zh="无人可下注，或唯一可下注者已操作过，便无可等待，即开牌",
        ),
        "opens_when_short": says(
            "玩家弃牌、比牌失败、筹码不足无法跟注/加注，均判定为出局",
            "若玩家筹码不足但想继续游戏，可选择“补注”",
            en="a short seat tops up, goes all-in or folds; it is not out of itself, and no hand opens for it",
            zh="筹码不足者补注、全押或弃牌；不自动出局，也不因此开牌",
        ),
        "blind_all_in_duel": says(
            "闷牌玩家全押后，若其他玩家选择跟注，需投入与闷牌玩家相同金额的筹码，且看牌后不可弃牌，必须与闷牌玩家比牌。"
        ),
        "top_ups top_up_carries": says("每局最多补注2次，补注金额不可超过初始筹码的3倍"),
        "fold_all": says(
            "若所有玩家同时弃牌，庄位玩家直接获胜，赢得所有底注",
            en="the banker takes the whole pot, bets included",
            zh="庄家赢得整个锅底，包括各家所下",
        ),
        # duels
        "compare_from_round compare_calls": says(
            "比牌(向任意一位未弃牌的玩家发起牌型比拼，需额外投入与当前下注金额相同的筹码)"
        ),
        "compare_limit": says("每轮每人最多发起2次比牌"),
        "seen_compares_blind_only": says("看牌玩家仅可向闷牌玩家发起比牌(不可向其他看牌玩家发起)"),
        "equal_duel": says(
            "若平局，双方均不出局，但发起比牌的一方需额外赔付底注给对方",
            "庄闲平局时，庄家需返还闲家所有下注筹码，底注双方各半",
            "双方筹码互不赔付，底注返还",
            en="the three contradict each other: between players nobody is out and the initiator pays; between banker and player the player leaves whole",
            zh="三句互相矛盾：玩家之间不出局，发起者赔付；庄闲之间闲家收回全部离局",
        ),
        "push_antes": says("玩家之间平局，发起比牌方赔付底注给对方。"),
        "short_compare": says(
            "若玩家筹码不足但想继续游戏，可选择“补注”",
            en="a seat short of the price tops up or goes all-in",
            zh="不够比牌的玩家补注或全押",
        ),
        # ranking
        "suits": says("牌面花色无大小区分(黑桃、红桃、梅花、方块地位均等)"),
        "a23": says("与顺金规则一致，A-2-3为最小顺子"),
        "deuce_three_five": SILENT,
        "invalid_ace_king_deuce": says(
            "若不符合单张规则(如AK2.非连续)，则判定为无效，直接判负",
            en="a high-card A-K-2 loses to every other hand; two of them are equal",
            zh="不成牌型的 AK2 负于任何牌；两手 AK2 相同",
        ),
        "wangzha": says(
            "新增“王炸”(需使用两副牌时，4张点数相同的牌，如AAAA)",
            en="three cards hold no four of a kind; a room that asks for it is refused",
            zh="三张牌凑不出四张同点；要求启用的房间予以拒绝",
        ),
        # who takes what
        "pots": says(
            "若全押玩家最终获胜，可获得所有未弃牌玩家的已投入筹码。",
            en="what an all-in seat put in beyond everyone else's level goes back to it",
            zh="全押者超出其余各家注级的部分退回",
        ),
        "earliest_all_in_loses_tie rake_bp bonus": SILENT,
        "bonus_antes draw_antes_max multiples_pct": MOOT,
        # side payments between banker and players
        "banker_ratios": says(
            "庄赢闲：豹子赢闲家，赔付比例1:5;顺金赢闲家，1:4;金花赢闲家，1:3;顺子赢闲家，1:2;对子、单张赢闲家，1:1"
        ),
        "player_ratios": says(
            "闲赢庄：闲家豹子赢庄家，赔付比例1:4;顺金赢庄家，1:3;金花赢庄家，1:2;顺子、对子、单张赢庄家，1:1"
        ),
        "blind_extras": says(
            "闷牌玩家获胜时，可额外获得对方已投入筹码的50%作为奖励;若闷牌玩家输给看牌玩家，则需双倍赔付自己已投入的筹码。"
        ),
        "sweep": says(
            "触发“通杀”，庄家可额外获得所有闲家底注的2倍奖励",
            "触发“通赔”，庄家需双倍赔付该闲家的所有下注筹码，同时其他闲家可获得底注的1倍奖励",
        ),
    }
)

EDITIONS: Final = (Edition(FEIFAN2017_V1, _GROUNDS_V1),)
