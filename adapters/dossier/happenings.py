"""What each event of a hand was, in a few words, in Chinese as in English."""

from collections.abc import Iterable
from typing import Final

from adapters.show import bonus_of, describe
from domain.cards import HIDDEN
from domain.events import (
    AllFolded,
    AllInTaken,
    AntePosted,
    BetCalled,
    BetRaised,
    BonusGranted,
    CardsDealt,
    CardsSeen,
    DeckDisclosed,
    Event,
    HandFolded,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandsOpened,
    HandVoided,
    LastStandTaken,
    SettlementClaimed,
    ToppedUp,
)
from domain.money import in_chips
from domain.zhajinhua.wording import VOCABULARIES, Language, faces

_DUELS: Final = {
    "compare": "与 {} 号位比牌",
    "last_stand": "孤注一掷，与 {} 号位比牌",
    "forced": "强制与 {} 号位比牌",
    "shove": "应全押，与 {} 号位比牌",
}


def told(event: Event, lang: Language) -> str:
    """Say in a few words what happened."""
    return _in_chinese(event) if lang == "zh" else describe(event)


def _in_chinese(event: Event) -> str:  # noqa: C901, PLR0912 - one line an event
    match event:
        case HandOpened():
            return (
                f"开局：{event.rulebook} 第 {event.version} 版，"
                f"庄家 {event.dealer} 号位，先手 {event.opener} 号位"
            )
        case AntePosted():
            return "下底注"
        case CardsDealt(cards=cards):
            held = (f"{n}：{HIDDEN if c == HIDDEN else faces(c)}" for n, c in cards.items())
            return f"发牌，{'；'.join(held)}"
        case CardsSeen():
            return "看牌"
        case BetCalled(by=by):
            return f"跟注{_by(by)}"
        case BetRaised(stake=stake):
            return f"加注，单注升到 {in_chips(stake)}"
        case HandsCompared():
            return _duel(event)
        case LastStandTaken(due=due, by=by):
            return f"孤注一掷，应付 {in_chips(due)}{_by(by)}"
        case AllInTaken():
            return "全押"
        case HandFolded(by=by):
            return f"弃牌{_by(by)}"
        case AllFolded(seats=seats):
            return f"同时弃牌：{_listed(seats)}"
        case ToppedUp(amount=amount):
            return f"补注 {in_chips(amount)}"
        case HandsOpened(seats=seats):
            return f"开牌：{_listed(seats)}"
        case BonusGranted(category=category, payer=payer):
            name = VOCABULARIES["zh"].categories.get(category, category)
            source = "系统" if payer == "house" else "其他各家"
            return f"喜钱 {in_chips(bonus_of(event))}（{name}），由{source}付"
        case HandSettled(settlement=settlement):
            return f"结算；赢家 {_listed(settlement['winners'])}"
        case SettlementClaimed(claimant=claimant):
            return f"{claimant} 申报结算"
        case HandVoided(reason=reason):
            return f"作废：{reason}"
        case DeckDisclosed():
            return "公开牌序"
        case _:
            return event.TOPIC


def _duel(event: HandsCompared) -> str:
    result = "平" if event.winner is None else f"{event.winner} 号位胜"
    out = f"，{_listed(event.out)}出局" if event.out else "，无人出局"
    return f"{_DUELS[event.why].format(event.challenged)}：{result}{out}{_by(event.by)}"


def _listed(seats: Iterable[int]) -> str:
    return f"{'、'.join(map(str, seats))} 号位"


def _by(by: str) -> str:
    return "（超时）" if by == "timeout" else ""
