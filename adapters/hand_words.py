"""What each event of a hand was, how the hand stands and what is proven of its deal: en and zh.

Terminal, pages and dossier say it in these words; what is drawn has less room, and says some in
fewer (adapters/desk/words_hand.py).
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from domain.cards import HIDDEN
from domain.events import (
    AllFolded,
    BetRaised,
    BonusGranted,
    CardsDealt,
    Event,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandsOpened,
    HandVoided,
    LastStandTaken,
    SettlementClaimed,
    ToppedUp,
)
from domain.grounds import Words
from domain.money import in_chips, received, seat_account
from domain.zhajinhua.wording import VOCABULARIES, Language, faces

STATES: Final[Mapping[str, Words]] = MappingProxyType(
    {
        "running": Words("running", "进行中"),
        "settled": Words("settled", "已结算"),
        "void": Words("void", "作废"),
    }
)

DEEDS: Final[Mapping[str, Words]] = MappingProxyType(
    {
        # by the event's own word; of a duel why, too
        "opened": Words(
            "{rulebook} v{version}, dealer {dealer}, opener {opener}",
            "开局：{rulebook} 第 {version} 版，庄家 {dealer} 号位，先手 {opener} 号位",
        ),
        "ante_posted": Words("pays the ante", "下底注"),
        "cards_dealt": Words("cards dealt, {cards}", "发牌，{cards}"),
        "cards_seen": Words("looks", "看牌"),
        "bet_called": Words("calls", "跟注"),
        "bet_raised": Words("raises the stake to {amount}", "加注，单注升到 {amount}"),
        "hands_compared": Words("compares with seat {other}", "与 {other} 号位比牌"),
        "hands_compared_last_stand": Words(
            "duels, all in, seat {other}", "孤注一掷，与 {other} 号位比牌"
        ),
        "hands_compared_forced": Words("is made to duel seat {other}", "强制与 {other} 号位比牌"),
        "hands_compared_shove": Words(
            "answers the all-in and duels seat {other}", "应全押，与 {other} 号位比牌"
        ),
        "last_stand_taken": Words("takes a last stand", "孤注一掷"),
        "all_in_taken": Words("goes all-in", "全押"),
        "folded": Words("folds", "弃牌"),
        "all_folded": Words("everyone folds: seat {seats}", "全部弃牌：{seats} 号位"),
        "topped_up": Words("tops up {amount}", "补注 {amount}"),
        "hands_opened": Words("hands opened: seat {seats}", "开牌：{seats} 号位"),
        "bonus_granted": Words(
            "bonus from {payer}: {amount} for {category}",
            "喜钱 {amount}（{category}），由{payer}付",
        ),
        "settled": Words("settled; won by seat {seats}", "结算；赢家 {seats} 号位"),
        "settlement_claimed": Words("settlement claimed by {who}", "申报结算：{who}"),
        "voided": Words("void: {who}", "作废：{who}"),
        "deck_disclosed": Words("the deck is disclosed", "公开牌序"),
    }
)

PARTS: Final[Mapping[str, Words]] = MappingProxyType(
    {
        "timed_out": Words("{deed} (timeout)", "{deed}（超时）"),
        "due": Words("{deed}, {amount} being due", "{deed}，应付 {amount}"),
        "duel": Words("{deed}: {result}, {out}", "{deed}：{result}，{out}"),
        "wins": Words("seat {winner} wins", "{winner} 号位胜"),
        "nobody_wins": Words("nobody wins", "平"),
        "out": Words("out: seat {seats}", "{seats} 号位出局"),
        "none_out": Words("nobody is out", "无人出局"),
        "listed": Words(", ", "、"),
        "holds": Words("{seat}: {cards}", "{seat}：{cards}"),
        "and": Words(", ", "；"),
        "payer_house": Words("the house", "系统"),
        "payer_seats": Words("the other seats", "其他各家"),
    }
)

DEAL_VERDICTS: Final[Mapping[str, Words]] = MappingProxyType(
    {
        "proven": Words("the deal is proven", "发牌已证"),
        "not_proven": Words("the deal is not proven", "发牌未证"),
        "absent": Words("there is no proof of the deal", "发牌无从证明"),
    }
)

DEAL_REASONS: Final[Mapping[str, Words]] = MappingProxyType(
    {
        "deal_matches": Words(
            "the disclosed deck is the one committed to, and gives the cards dealt",
            "公开的牌序与事先的承诺相符，所发的牌也相符",
        ),
        "no_commitment": Words(
            "the hand opened without a commitment to its deck", "开局时没有对牌序作承诺"
        ),
        "not_disclosed": Words(
            "the deck that the hand is committed to is not disclosed", "承诺过的牌序尚未公开"
        ),
        "commitment_mismatch": Words(
            "what is disclosed is not the deck that the hand is committed to",
            "公开的牌序与承诺不符",
        ),
        "deal_differs": Words(
            "the deck that the hand is committed to gives other cards to seat {seats}",
            "按承诺的牌序，{seats} 号位所得应是别的牌",
        ),
        "unreadable": Words("the events make no hand", "这些事件构不成一局牌"),
    }
)


def kind_of(event: Event) -> str:
    """Return an event's own word, ``bet_called``; of a duel why, too: ``hands_compared_forced``."""
    kind = event.TOPIC.split(".")[1]
    if isinstance(event, HandsCompared) and event.why != "compare":
        return f"{kind}_{event.why}"
    return kind


def describe(event: Event, lang: Language = "en") -> str:
    """Say in a few words what happened."""
    words = DEEDS.get(kind_of(event))
    if words is None:
        return event.TOPIC  # somebody wrote it into the stream
    said = words.of(lang).format(**_fields(event, lang))
    if isinstance(event, LastStandTaken):
        said = _part(lang, "due", deed=said, amount=in_chips(event.due))
    if isinstance(event, HandsCompared):
        said = _part(lang, "duel", deed=said, **_outcome(event, lang))
    is_late = getattr(event, "by", "choice") == "timeout"
    return _part(lang, "timed_out", deed=said) if is_late else said


def deal_told(verdict: str, reason: str, seats: Iterable[int], lang: Language = "en") -> str:
    """Say what is proven of a deal, and why."""
    colon = "：" if lang == "zh" else ": "
    why = DEAL_REASONS[reason].of(lang).format(seats=listed(seats, lang))
    return f"{DEAL_VERDICTS[verdict].of(lang)}{colon}{why}"


def listed(seats: Iterable[int], lang: Language) -> str:
    """Return seats one after another."""
    return PARTS["listed"].of(lang).join(map(str, seats))


def bonus_of(event: BonusGranted) -> int:
    """Return what a bonus came to, minor units."""
    return received(event.transfers, seat_account(event.seat))


def _part(lang: Language, name: str, **fields: object) -> str:
    return PARTS[name].of(lang).format(**fields)


def _fields(event: Event, lang: Language) -> Mapping[str, Any]:
    """Return what an event fills in where it is told."""
    match event:
        case HandOpened():
            return dict(event)
        case CardsDealt(cards=cards):
            held = {n: HIDDEN if c == HIDDEN else faces(c) for n, c in cards.items()}
            said = (_part(lang, "holds", seat=n, cards=c) for n, c in held.items())
            return {"cards": _part(lang, "and").join(said)}
        case BetRaised(stake=amount) | ToppedUp(amount=amount):
            return {"amount": in_chips(amount)}
        case HandsCompared(challenged=other):
            return {"other": other}
        case AllFolded(seats=seats) | HandsOpened(seats=seats):
            return {"seats": listed(seats, lang)}
        case BonusGranted(category=category, payer=payer):
            return {
                "payer": _part(lang, f"payer_{payer}"),
                "amount": in_chips(bonus_of(event)),
                "category": VOCABULARIES[lang].categories.get(category, category),
            }
        case HandSettled(settlement=settlement):
            return {"seats": listed(settlement["winners"], lang)}
        case SettlementClaimed(claimant=who) | HandVoided(reason=who):
            return {"who": who}
        case _:
            return {}


def _outcome(event: HandsCompared, lang: Language) -> Mapping[str, str]:
    """Return what came of a duel."""
    winner, out = event.winner, event.out
    return {
        "result": _part(lang, "nobody_wins" if winner is None else "wins", winner=winner),
        "out": _part(lang, "out" if out else "none_out", seats=listed(out, lang)),
    }
