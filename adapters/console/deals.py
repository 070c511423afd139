"""What a hand's events prove of its deal, as the commands tell it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from adapters.codec import decode
from adapters.console.options import Opened
from adapters.errors import UnreadableEventError
from domain.events import DeckDisclosed, Event, HandOpened
from domain.zhajinhua.disclosing import proof

_REASONS: Final[Mapping[str, str]] = {
    "deal_matches": "the disclosed deck is the one committed to, and gives the cards dealt",
    "no_commitment": "the hand opened without a commitment",
    "not_disclosed": "the deck that the hand is committed to is not disclosed",
    "commitment_mismatch": "what is disclosed is not the deck that the hand is committed to",
    "deal_differs": "the deck that the hand is committed to gives other cards to",
    "unreadable": "the events make no hand",
}


def deal_of(hand: str, events: Sequence[Event]) -> dict[str, Any]:
    """Return what is proven of a hand's deal, with all that is needed to prove it again."""
    verdict, reason, seats = proof(hand, events)
    opening = events[0]
    disclosed = next((event for event in events if isinstance(event, DeckDisclosed)), None)
    return {
        "verdict": verdict,
        "reason": reason,
        "seats": list(seats),
        "commitment": opening.commitment if isinstance(opening, HandOpened) else None,
        "salt": disclosed and disclosed.salt,
        "deck": disclosed and disclosed.deck,
    }


def deals_of(store: Opened, hands: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the verdict on each hand's deal, and its reason; of what is no hand, nothing is."""
    found = {}
    for hand, rows in store.ledger.stream_hands(hands):
        try:
            events = [decode(row.topic, row.body, row.position) for row in rows]
            verdict, reason = proof(hand, events)[:2]
        except (UnreadableEventError, LookupError, ValueError, TypeError, AssertionError):
            found[hand] = {"verdict": "not_proven", "reason": "unreadable"}
        else:
            found[hand] = {"verdict": verdict, "reason": reason}
    return found


def told_deal(deal: Mapping[str, Any]) -> str:
    """Say a verdict and why."""
    seats = ", ".join(map(str, deal.get("seats", ())))
    why = _REASONS[deal["reason"]] + (f" seat {seats}" if seats else "")
    return f"deal {deal['verdict'].replace('_', ' ')}: {why}"
