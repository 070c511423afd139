"""A hand as a timeline: who did what when, what it cost, and what was left afterwards."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from adapters.hand_words import describe
from adapters.ledger import PositionedEntry
from domain.errors import RefusalError
from domain.events import Event, HandOpened, HandSettled, HandVoided, Settlement, ToppedUp
from domain.money import POT, post, seat_account
from domain.stream import BROKEN
from domain.zhajinhua.disclosing import Proof, proof
from domain.zhajinhua.wording import Language


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


def timeline(stored: Sequence[PositionedEntry], lang: Language = "en") -> list[Moment]:
    """Return a hand's events in order, with the cards that there are in them.

    Args:
        stored: The hand's whole stream so far.
        lang: Of the words.
    """
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
                describe(event, lang),
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
