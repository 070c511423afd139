"""What a hand's events prove of its deal, as the commands tell it."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.console.options import Opened
from adapters.errors import UnreadableEventError
from adapters.hand_words import deal_told
from adapters.plain_json import plain
from adapters.show import NO_HAND, deal_proof
from adapters.store.codec import read_event
from domain.events import DeckDisclosed, Event, HandOpened
from domain.zhajinhua.wording import Language


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


def proofs_of(store: Opened, hands: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return what is proven of each hand's deal; of what is no hand, nothing is."""
    found: dict[str, dict[str, Any]] = {}
    for hand, rows in store.ledger.stream_hands(hands):
        try:
            events = [
                read_event(store.cards, row.stream, row.version, row.topic, row.body, row.position)
                for row in rows
            ]
        except UnreadableEventError:
            proof = NO_HAND
        else:
            proof = deal_proof(hand, events)
        found[hand] = plain(proof)
    return found


def told_proof(told: Mapping[str, Any], lang: Language = "en") -> str:
    """Say a verdict and why."""
    return deal_told(told["verdict"], told["reason"], told["seats"], lang)
