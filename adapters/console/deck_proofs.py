"""What a hand's events prove of its deal, as the commands tell it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from adapters.console.options import Opened
from adapters.errors import UnreadableEventError
from adapters.show import NO_HAND, deal_proof
from adapters.store.codec import read_event
from domain.events import DeckDisclosed, Event, HandOpened

_VERDICTS: Final[Mapping[str, str]] = {
    "proven": "the deal is proven",
    "not_proven": "the deal is not proven",
    "absent": "there is no proof of the deal",
}
_REASONS: Final[Mapping[str, str]] = {
    "deal_matches": "the disclosed deck is the one committed to, and gives the cards dealt",
    "no_commitment": "the hand opened without a commitment",
    "not_disclosed": "the deck that the hand is committed to is not disclosed",
    "commitment_mismatch": "what is disclosed is not the deck that the hand is committed to",
    "deal_differs": "the deck that the hand is committed to gives other cards to",
    "unreadable": "the events make no hand",
}


def proof_of(hand: str, events: Sequence[Event]) -> dict[str, Any]:
    """Return what is proven of a hand's deal, with all that is needed to prove it again."""
    verdict, reason, seats = deal_proof(hand, events)
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


def proofs_of(store: Opened, hands: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the verdict on each hand's deal, and its reason; of what is no hand, nothing is."""
    found: dict[str, dict[str, str]] = {}
    for hand, rows in store.ledger.stream_hands(hands):
        try:
            events = [
                read_event(store.cards, row.stream, row.version, row.topic, row.body, row.position)
                for row in rows
            ]
        except UnreadableEventError:
            verdict, reason, _ = NO_HAND
        else:
            verdict, reason, _ = deal_proof(hand, events)
        found[hand] = {"verdict": verdict, "reason": reason}
    return found


def told_proof(told: Mapping[str, Any]) -> str:
    """Say a verdict and why."""
    seats = ", ".join(map(str, told.get("seats", ())))
    why = _REASONS[told["reason"]] + (f" seat {seats}" if seats else "")
    return f"{_VERDICTS[told['verdict']]}: {why}"
