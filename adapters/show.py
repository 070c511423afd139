"""A hand as a timeline: who did what when, what it cost, and what was left afterwards."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from adapters.ledger import StoredHandEvent
from domain.cards import HIDDEN
from domain.errors import RefusalError
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
    Settlement,
    SettlementClaimed,
    ToppedUp,
)
from domain.money import POT, in_chips, post, received, seat_account
from domain.stream import BROKEN
from domain.zhajinhua.disclosing import Proof, proof
from domain.zhajinhua.wording import faces

_DUELS: Final = {
    "compare": "compares with",
    "last_stand": "duels, all in,",
    "forced": "is made to duel",
    "shove": "answers the all-in and duels",
}


class Moment(NamedTuple):
    """One event of a hand, and how the hand stood after it."""

    position: int
    version: int
    at: datetime
    actor: str
    command_id: str
    topic: str
    seat: int | None
    player: str | None
    what: str
    price: int | None  # what the seat put into the pot, minor units; None where it put in nothing
    stack: int | None  # what the seat has left
    pot: int


def timeline(stored: Sequence[StoredHandEvent]) -> list[Moment]:
    """Return a hand's events in order, with the cards that there are in them."""
    opening = stored[0].entry.event
    assert isinstance(opening, HandOpened), "a hand begins with its opening"
    players = {taken.seat: taken.player for taken in opening.seats}
    money = {seat_account(taken.seat): taken.carry for taken in opening.seats} | {POT: 0}
    moments = []
    for position, entry in stored:
        event = entry.event
        seat = _seat_of(event)
        money = post(money, event.transfers)
        if isinstance(event, ToppedUp):
            money[seat_account(event.seat)] += event.amount
        moments.append(
            Moment(
                position,
                entry.originator_version,
                entry.cause.at,
                entry.cause.actor,
                entry.cause.command_id,
                event.TOPIC,
                seat,
                None if seat is None else players.get(seat),
                describe(event),
                _price(event, seat),
                None if seat is None else money.get(seat_account(seat)),
                money[POT],
            )
        )
    return moments


def verdict_of(events: Sequence[Event]) -> tuple[str, Settlement | None]:
    """Return whether a hand is running, settled or void, and what it came to."""
    for event in events:
        if isinstance(event, HandSettled):
            return "settled", event.settlement
        if isinstance(event, HandVoided):
            return "void", None
    return "running", None


NO_HAND: Final = Proof("not_proven", "unreadable")
"""What events prove of a deal that make no hand."""


def deal_proof(hand: str, events: Sequence[Event]) -> Proof:
    """Return what is proven of a deal; by events that somebody wrote, leading nowhere, nothing.

    Args:
        hand: Its id.
        events: Its whole stream so far.
    """
    try:
        return proof(hand, events)
    except (RefusalError, *BROKEN):
        return NO_HAND


def describe(event: Event) -> str:  # noqa: C901, PLR0912 - one line an event
    """Say in a few words what happened."""
    match event:
        case HandOpened():
            return (
                f"{event.rulebook} v{event.version}, dealer {event.dealer}, opener {event.opener}"
            )
        case AntePosted():
            return "pays the ante"
        case CardsDealt(cards=cards):
            held = (f"{n}: {HIDDEN if c == HIDDEN else faces(c)}" for n, c in cards.items())
            return f"cards dealt, {', '.join(held)}"
        case CardsSeen():
            return "looks"
        case BetCalled(by=by):
            return f"calls{_by(by)}"
        case BetRaised(stake=stake):
            return f"raises the stake to {in_chips(stake)}"
        case HandsCompared():
            return _duel(event)
        case LastStandTaken(due=due, by=by):
            return f"takes a last stand, {in_chips(due)} being due{_by(by)}"
        case AllInTaken():
            return "goes all-in"
        case HandFolded(by=by):
            return f"folds{_by(by)}"
        case AllFolded(seats=seats):
            return f"everyone folds: {_listed(seats)}"
        case ToppedUp(amount=amount):
            return f"tops up {in_chips(amount)}"
        case HandsOpened(seats=seats):
            return f"hands opened: {_listed(seats)}"
        case BonusGranted(category=category, payer=payer):
            return f"bonus from {payer}: {in_chips(bonus_of(event))} for {category}"
        case HandSettled(settlement=settlement):
            return f"settled; won by {_listed(settlement['winners'])}"
        case SettlementClaimed(claimant=claimant):
            return f"{claimant} claims a settlement"
        case HandVoided(reason=reason):
            return f"void: {reason}"
        case DeckDisclosed():
            return "the deck is disclosed"
        case _:
            return event.TOPIC


def bonus_of(event: BonusGranted) -> int:
    """Return what a bonus came to, minor units."""
    return received(event.transfers, seat_account(event.seat))


def _duel(event: HandsCompared) -> str:
    """Say who met whom and what came of it."""
    result = "nobody wins" if event.winner is None else f"seat {event.winner} wins"
    out = f", out: {_listed(event.out)}" if event.out else ", nobody is out"
    return f"{_DUELS[event.why]} seat {event.challenged}: {result}{out}{_by(event.by)}"


def _listed(seats: Iterable[int]) -> str:
    return "seat " + ", ".join(map(str, seats))


def _by(by: str) -> str:
    return " (time ran out)" if by == "timeout" else ""


def _price(event: Event, seat: int | None) -> int | None:
    """Return what the acting seat put into the pot, if anything."""
    if seat is None:
        return None
    paid = [m.amount for m in event.transfers if (m.source, m.target) == (seat_account(seat), POT)]
    return sum(paid) if paid else None


def _seat_of(event: Event) -> int | None:
    """Return the seat that an event is about, if it is about one."""
    seat: int | None = getattr(event, "seat", None)
    return getattr(event, "challenger", None) if seat is None else seat
