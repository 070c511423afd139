"""What each field of a rulebook means, and each of its values that is no mere number, in en and zh.

The fields stand in the order of :mod:`domain.zhajinhua.rules`, under its headings. ``minimum`` and
``maximum`` bound what an integer can be in any rulebook; a table's own bounds are its parameters'.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from domain.cards import CARD_COUNT
from domain.grounds import Words
from domain.money import MAX_AMOUNT

AMOUNTS: Final = frozenset({"ante", "max_stake"})
"""The parameters of a table that are minor units; no field of a rulebook is."""


class Meaning(NamedTuple):
    """What one field, or one parameter of a table, is for."""

    section: str  # of RULES.md
    means: Words
    values: Mapping[object, Words] = MappingProxyType({})  # what single values say
    minimum: int = 0
    maximum: int = MAX_AMOUNT


_SEATS_MAX: Final = 52 // CARD_COUNT
_NEVER: Final = Words("never", "没有")
_NO_LIMIT: Final = Words("no limit", "不限")
_BASIS_POINTS: Final = 10_000

MEANINGS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        # the rulebook
        "id": Meaning("§0", Words("the name that hands pin", "牌局所引用的名称")),
        "version": Meaning("§0", Words("a changed rule is a new version", "规则一改即为新版本")),
        "game": Meaning(
            "§0",
            Words("the game that it is a rulebook of", "属于哪一种游戏"),
            {"zhajinhua": Words("炸金花", "炸金花")},
        ),
        "name": Meaning("§0", Words("what its document calls it", "文档中的名称")),
        "document": Meaning("§0", Words("the rule document that it rests on", "所依据的规则文档")),
        "parameters": Meaning(
            "§2.5", Words("what a table may set for itself", "牌桌可以自行设定的参数")
        ),
        # the table
        "ante": Meaning(
            "§2.4",
            Words(
                "what every seat pays before the deal, minor units", "发牌前各家付的底注，以分计"
            ),
            minimum=1,
        ),
        "max_stake": Meaning(
            "§3.4",
            Words("the highest stake, minor units", "单注上限，以分计"),
            {None: _NO_LIMIT},
            minimum=1,
        ),
        # seats and turns
        "seats_min": Meaning(
            "§2.1", Words("fewest seats", "最少几家"), minimum=2, maximum=_SEATS_MAX
        ),
        "seats_max": Meaning(
            "§2.1", Words("most seats", "最多几家"), minimum=2, maximum=_SEATS_MAX
        ),
        "direction": Meaning(
            "§2.3",
            Words("which way the turn goes round", "轮流操作的方向"),
            {
                "clockwise": Words("clockwise", "顺时针"),
                "counter_clockwise": Words("counter-clockwise", "逆时针"),
            },
        ),
        "opener": Meaning(
            "§2.3",
            Words("who acts first", "谁先手"),
            {
                "after_dealer": Words("the seat after the dealer", "庄家的下家"),
                "dealer": Words("the dealer", "庄家"),
                "recorded": Words("whom the record names", "由记录给出"),
            },
        ),
        "play": Meaning(
            "§2.5",
            Words("how the hand is played", "如何进行"),
            {
                "betting": Words("in turns of betting", "轮流下注"),
                "showdown": Words("opened at once, without a turn", "直接开牌，不下注"),
            },
        ),
        "round_limit": Meaning("§3.7", Words("most rounds of a hand", "最多几轮"), minimum=1),
        "at_limit": Meaning(
            "§3.7",
            Words("what ends a hand whose rounds are over", "轮数已满时如何结束"),
            {
                "forced_duels": Words("forced duels", "强制比牌"),
                "open": Words("the hands still in are opened", "开牌"),
            },
        ),
        "forced_duels_from": Meaning(
            "§5.4",
            Words("who initiates the first forced duel", "强制比牌由谁开始"),
            {
                "after_dealer": Words(
                    "the first still in after the dealer", "庄家下家起第一个仍在局中的"
                ),
                "turn": Words("the seat whose turn it would be", "接下来轮到的"),
                "never": _NEVER,
            },
        ),
        # prices
        "blind_factor": Meaning(
            "§3.3",
            Words("stakes that a blind seat pays", "闷牌付单注的几倍"),
            minimum=1,
            maximum=100,
        ),
        "seen_factor": Meaning(
            "§3.3",
            Words("stakes that a seat pays which has looked", "看牌后付单注的几倍"),
            minimum=1,
            maximum=100,
        ),
        "look_from_round": Meaning(
            "§3.2",
            Words("the first round in which a seat may look", "从第几轮起可以看牌"),
            minimum=1,
        ),
        "chain": Meaning(
            "§3.5",
            Words("further raises in one turn", "一次操作后可再加注几次（连注）"),
            {None: Words("a turn is one action", "每次轮到只操作一次")},
        ),
        "blind_limit": Meaning(
            "§3.6",
            Words("blind bets of a seat in a hand", "一局可闷牌下注几次"),
            {None: _NO_LIMIT},
            minimum=1,
        ),
        "timeout": Meaning(
            "§3.8",
            Words("what a timeout does", "超时如何处理"),
            {
                "fold": Words("it folds", "弃牌"),
                "protected": Words(
                    "a protected straight or better plays on", "防超时弃牌：顺子及以上继续"
                ),
            },
        ),
        # short of chips
        "all_in": Meaning(
            "§4.1",
            Words("who may go all-in", "谁可以全押"),
            {
                "never": Words("nobody", "没有全押"),
                "when_short": Words("who cannot pay a call", "不够跟注的"),
                "shove": Words("anyone, and the others only answer", "任何人，别家只能回应"),
                "any_turn": Words("anyone on turn", "轮到的任何人"),
            },
        ),
        "all_in_from_round": Meaning(
            "§4.3",
            Words("the first round of an all-in by choice", "从第几轮起可以主动全押"),
            minimum=1,
        ),
        "empty_is_all_in": Meaning(
            "§4.1", Words("a stack that a bet empties is all-in", "下注后余额为零即为全押")
        ),
        "opens_early": Meaning(
            "§4.2",
            Words("when all-ins open the hand before its limit", "有人全押时何时提前开牌"),
            {
                "never": _NEVER,
                "levels_matched": Words(
                    "when the last bettor has matched them", "余下的一家已跟平时"
                ),
                "last_has_acted": Words(
                    "when the last bettor has acted since", "余下的一家此后已操作时"
                ),
            },
        ),
        "opens_when_short": Meaning(
            "§4.3",
            Words(
                "a round's end opens the hand if somebody cannot pay the next call",
                "一轮结束时有人不够下一次跟注即开牌",
            ),
        ),
        "blind_all_in_duel": Meaning(
            "§4.4", Words("a blind all-in is answered by a duel", "闷牌全押须以比牌回应")
        ),
        "top_ups": Meaning(
            "§4.5", Words("top-ups of a seat in a hand", "一局可补注几次"), maximum=100
        ),
        "top_up_carries": Meaning(
            "§4.5",
            Words("all top-ups of a seat together, in carries", "补注合计不超过携带的几倍"),
            maximum=100,
        ),
        "fold_all": Meaning(
            "§4.6", Words("everyone may fold at once, for the banker", "可以全体同时弃牌，庄家胜")
        ),
        # duels
        "compare_from_round": Meaning(
            "§5.1",
            Words("the first round of a compare", "从第几轮起可以比牌"),
            {None: _NEVER},
            minimum=1,
        ),
        "compare_calls": Meaning(
            "§5.1", Words("calls that a compare costs", "比牌付跟注的几倍"), maximum=100
        ),
        "compare_limit": Meaning(
            "§5.1",
            Words("compares of a seat in a round", "每轮每家可比牌几次"),
            {None: _NO_LIMIT},
            minimum=1,
        ),
        "seen_compares_blind_only": Meaning(
            "§5.1", Words("who has looked may name only a blind seat", "看牌者只可向闷牌者比牌")
        ),
        "equal_duel": Meaning(
            "§5.2",
            Words("what equal hands come to", "牌相同时如何"),
            {
                "initiator_loses": Words("who initiated loses", "主动比牌者负"),
                "impossible": Words("suits leave none", "比花色后不会相同"),
                "push": Words("nobody wins", "平局"),
                "never": _NEVER,
            },
        ),
        "push_antes": Meaning(
            "§5.2",
            Words(
                "antes that the initiator pays another player for equal hands",
                "玩家之间平局，发起者赔付几个底注",
            ),
            maximum=100,
        ),
        "short_compare": Meaning(
            "§5.3",
            Words("a compare that the stack does not pay", "余额不够比牌时"),
            {"last_stand": Words("a last stand", "孤注一掷"), "refused": Words("refused", "拒绝")},
        ),
        # ranking
        "suits": Meaning("§1.4", Words("suits break exact ties", "点数全同时比花色")),
        "a23": Meaning("§1.4", Words("A-2-3 is a straight", "A23 是顺子")),
        "deuce_three_five": Meaning(
            "§1.5",
            Words("what an unsuited 2-3-5 beats", "不同花色的 235 胜什么"),
            {
                "trips": Words("any trips", "任何豹子"),
                "aces": Words("three aces", "AAA"),
                "off": Words("nothing out of order", "没有例外"),
            },
        ),
        "invalid_ace_king_deuce": Meaning(
            "§1.6",
            Words("a high-card A-K-2 loses to everything", "不成牌型的 AK2 无效，负于任何牌"),
        ),
        "wangzha": Meaning("§1.6", Words("four of a kind, which is refused", "王炸，不予支持")),
        # who takes what
        "pots": Meaning(
            "§6.7",
            Words("how the pot is cut", "锅底如何划分"),
            {
                "whole": Words("not at all", "不划分"),
                "side_pots": Words("into layers between the all-in levels", "按全押注级分边池"),
                "excess_back": Words("an all-in seat's excess goes back", "全押者多出的部分退回"),
            },
        ),
        "earliest_all_in_loses_tie": Meaning(
            "§6.7",
            Words(
                "of equal best hands the earliest all-in is passed over",
                "最大牌相同时，最先全押者负",
            ),
        ),
        "rake_bp": Meaning(
            "§6.4",
            Words("the house's share of a net win, basis points", "抽水占净赢的万分之几"),
            maximum=_BASIS_POINTS,
        ),
        "bonus": Meaning(
            "§6.5",
            Words("where a bonus comes from", "喜钱由谁给"),
            {
                "antes": Words("the house, so many antes", "系统，按底注倍数"),
                "drawn_for_trips": Words("the house, drawn, for trips", "系统，随机，限豹子"),
                "drawn": Words("the house, drawn, for anyone", "系统，随机，不限牌型"),
                "from_opponents": Words("the other seats", "其他各家"),
                "none": _NEVER,
            },
        ),
        "bonus_antes": Meaning(
            "§6.5",
            Words("the bonus of each category, antes", "各牌型的喜钱，几个底注"),
            {(): _NEVER},
            maximum=1000,
        ),
        "draw_antes_max": Meaning(
            "§6.5",
            Words("the largest bonus that anyone may draw, antes", "随机喜钱上限，几个底注"),
            {0: Words("not by antes", "不按底注")},
            maximum=1_000_000,
        ),
        "multiples_pct": Meaning(
            "§6.8",
            Words(
                "hundredths of an ante that each hand adds to the prize, trips first",
                "各牌型计入奖励的倍数，以百分之一底注计，豹子在前",
            ),
            {(): _NEVER},
        ),
        # side payments between banker and players
        "banker_ratios": Meaning(
            "§5.6",
            Words(
                "the banker's winning hand, times what the loser put in; others once",
                "庄家赢闲家的赔付倍数，未列为一倍",
            ),
            {(): _NEVER},
            minimum=1,
            maximum=100,
        ),
        "player_ratios": Meaning(
            "§5.6",
            Words(
                "a player's hand that beats the banker, times what he put in; others once",
                "闲家赢庄家的赔付倍数，未列为一倍",
            ),
            {(): _NEVER},
            minimum=1,
            maximum=100,
        ),
        "blind_extras": Meaning(
            "§5.6",
            Words(
                "blind winners get half more, and blind losers pay double",
                "闷牌者赢多得一半，输则双倍赔付",
            ),
        ),
        "sweep": Meaning(
            "§5.6",
            Words(
                "trips of a banker who beats everyone, or of a player who beats him, get more",
                "通杀与通赔",
            ),
        ),
    }
)
"""Of every field, and of the parameters of a table that are no fields."""

HEADINGS: Final[Mapping[str, Words]] = MappingProxyType(
    {
        "id": Words("the rulebook", "规则书"),
        "ante": Words("the table", "牌桌"),
        "seats_min": Words("seats and turns", "座位与轮次"),
        "blind_factor": Words("prices", "价格"),
        "all_in": Words("short of chips", "筹码不足"),
        "compare_from_round": Words("duels", "比牌"),
        "suits": Words("ranking", "牌型大小"),
        "pots": Words("who takes what", "谁得什么"),
        "banker_ratios": Words("side payments between banker and players", "庄闲之间的赔付"),
    }
)
"""By the first field under each."""
