"""What the commands say of a hand, in en and zh."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.grounds import Words
from domain.zhajinhua.wording import Language

SENTENCES: Final[Mapping[str, Words]] = MappingProxyType(
    {
        # show
        "shown": Words("hand {hand}: {state}", "牌局 {hand}：{state}"),
        "refused": Words("refused: {count}", "被拒：{count}"),
        # whatif
        "hand": Words(
            "hand {hand}, played under {own}, tried under {other}",
            "牌局 {hand}：原规则 {own}，改按 {other}",
        ),
        "changed": Words("changed: {changes}", "改动：{changes}"),
        "left_out": Words(
            "left out, for {other} knows nothing of it: {names}", "未沿用（{other} 没有）：{names}"
        ),
        "not_carried": Words(
            "bonuses that were drawn are not known under {other}; none is granted",
            "抽出的喜钱在 {other} 下无从得知，不计",
        ),
        "ended_early": Words(
            "the hand would have ended before {where}", "牌局在此之前已经结束：{where}"
        ),
        "went_on": Words("the hand would not have ended: {why}", "牌局尚未结束：{why}"),
        "illegal": Words("not legal at {where}: {why}", "在此处不合规则：{where}：{why}"),
        "standing": Words(
            "play had come to round {round}, stake {stake}, pot {pot}; {turn}",
            "进行到第 {round} 轮，单注 {stake}，锅底 {pot}；{turn}",
        ),
        "turn": Words("seat {seat} to act", "轮到 {seat} 号位"),
        "nobodys_turn": Words("nobody to act", "无人操作"),
        "opening": Words("the opening", "开局"),
        "settlement": Words("the settlement", "结算"),
        "action": Words("action {at}: {action}", "第 {at} 个操作：{action}"),
        "event": Words("{where} (event {event})", "{where}（事件 {event}）"),
        # bisect
        "equal": Words("the two tellings are equal", "两种说法一致"),
        "part": Words("they part at {where}", "两种说法在此不一：{where}"),
        "says": Words("  {name} says {said}", "  {name}：{said}"),
        "nothing": Words("nothing", "没有"),
        # columns
        "seat": Words("seat", "座位"),
        "player": Words("player", "玩家"),
        "paid": Words("paid", "实际"),
        "would": Words("would be", "改按"),
        "difference": Words("difference", "差额"),
        "claimed": Words("claimed", "对方申报"),
        "figures": Words("{name} says", "{name} 报"),
        "rake": Words("rake", "抽水"),
        "house_bonus": Words("bonuses", "喜钱"),
        "contributed": Words("put in", "已下"),
        "stack": Words("left", "余码"),
        "state": Words("", "状态"),
        "blind": Words("blind", "闷牌"),
        "seen": Words("seen", "已看牌"),
        "out": Words("out", "出局"),
        "all_in": Words("all-in", "全押"),
    }
)


def in_words(lang: Language, text: str, /, **fields: object) -> str:
    """Return a sentence in a language, its fields filled in."""
    return SENTENCES[text].of(lang).format(**fields)
