"""A deck in its order: 52 cards as text, the commitment to it, and what each seat gets of it.

Whoever deals commits to the deck before the first bet, and discloses it with its salt once the
hand is over. Between the two nobody can put another deck in its place, and nobody can read it.

Source: domain/zhajinhua/RULES.md §2.6.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from domain.cards import CARD_COUNT, DECK, split
from domain.errors import BadRecordError
from domain.framing import length_prefixed

SALT_LENGTH: Final = 32  # bytes

_DECK_V1: Final = b"jinhua.deck.v1"
_DIGITS: Final = re.compile(r"[0-9a-f]{64}")  # of 32 bytes
_CARDS: Final = sorted(DECK)


def commit(hand: str, rulebook_digest: str, deck: str, salt: bytes) -> str:
    """Return the commitment to a deck: SHA-256, 64 hex digits.

    Args:
        hand: The id of the only hand that it counts for.
        rulebook_digest: Of the only rulebook that it counts under, as the opening pins it.
        deck: 52 cards in their order, the first to be dealt first: ``"AsKd…"``.
        salt: 32 random bytes, secret until the disclosure; without them the deck of a hand
            could be found by trying what its seats may hold.
    """
    assert len(salt) == SALT_LENGTH, len(salt)
    assert is_deck(deck), "no deck"
    fields = (_DECK_V1, hand.encode(), rulebook_digest.encode(), salt, deck.encode())
    return hashlib.sha256(length_prefixed(*fields)).hexdigest()


def is_deck(deck: object) -> bool:
    """Tell whether this is the text of all 52 cards, each once."""
    return isinstance(deck, str) and sorted(split(deck)) == _CARDS


def check_commitment(commitment: object) -> None:
    """Refuse what cannot be a commitment.

    Raises:
        BadRecordError: It is not 64 hex digits in lower case.
    """
    _digits(commitment, "commitment")


def check_salt(salt: object) -> bytes:
    """Return a salt from its 64 hex digits, in lower case.

    Raises:
        BadRecordError: It has not got these.
    """
    return bytes.fromhex(_digits(salt, "salt"))


def check_deck(deck: object) -> None:
    """Refuse what is no deck; what was given is not repeated, for it may be one nearly.

    Raises:
        BadRecordError: It is not the text of all 52 cards, each once.
    """
    if not is_deck(deck):
        raise BadRecordError("is not 52 cards, all different", field="deck")


def dealt(deck: str, seats_in_deal_order: Sequence[int]) -> dict[int, str]:
    """Return what each seat gets: one card at a time, three times around.

    Args:
        deck: 52 cards in their order, from the first to be dealt on.
        seats_in_deal_order: The seat that gets the first card, and the others after it.
    """
    cards, count = split(deck), len(seats_in_deal_order)
    return {
        seat: "".join(cards[place : CARD_COUNT * count : count])
        for place, seat in enumerate(seats_in_deal_order)
    }


def are_same(cards: str, others: str) -> bool:
    """Tell whether two texts are the same cards, in whatever order."""
    return sorted(split(cards)) == sorted(split(others))


def _digits(text: object, field: str) -> str:
    """Return the 64 hex digits that a field is to have."""
    if not isinstance(text, str) or not _DIGITS.fullmatch(text):
        raise BadRecordError("is not 64 hex digits in lower case", field=field)
    return text
