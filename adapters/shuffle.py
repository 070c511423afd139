"""The one place that draws: decks to play, which nobody can bend, and chance from a seed, to try.

A deck to play comes out of the house's secret and a contribution of each player. The house commits
to its secret first; then the players contribute, without knowing it; then it is revealed, and
everybody can shuffle again. So neither the house nor the players alone choose the order. A backend
in Python calls :func:`new_secret`, :func:`commit_secret`, :func:`shuffled` and :func:`new_salt`;
for any other, and for whoever checks, there is ``jinhua shuffle``. Nothing here is kept: that there
was a secret, and who contributed what, is for the caller to publish.

:class:`Chance` is for hands that are made up. A seed gives the same draws on every machine, in
every run and under every Python: the seed is hashed to an integer, and only ``Random.random`` is
used, whose sequence the language guarantees (``choice``, ``shuffle`` and ``randrange`` are free to
change between versions).
"""

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random  # noqa: TID251 - this is that place
from typing import Final, TypeVar

from domain.cards import DECK
from domain.deck import SALT_LENGTH
from domain.framing import length_prefixed

T = TypeVar("T")

SECRET_LENGTH: Final = 32  # bytes

_SECRET_V1: Final = b"jinhua.secret.v1"
_SHUFFLE_V1: Final = b"jinhua.shuffle.v1"
_BYTE_VALUES: Final = 256


# --- decks to play -------------------------------------------------------------------


def new_salt() -> bytes:
    """Return a salt for the commitment to a deck."""
    return secrets.token_bytes(SALT_LENGTH)


def new_secret() -> bytes:
    """Return a secret of the house for one shuffle; never for two."""
    return secrets.token_bytes(SECRET_LENGTH)


def commit_secret(secret: bytes) -> str:
    """Return what the house publishes before anybody contributes: SHA-256, 64 hex digits."""
    assert len(secret) == SECRET_LENGTH, len(secret)
    return hashlib.sha256(length_prefixed(_SECRET_V1, secret)).hexdigest()


def is_revealed(commitment: str, secret: bytes) -> bool:
    """Tell whether a revealed secret is the one that the house committed to."""
    return len(secret) == SECRET_LENGTH and commitment == commit_secret(secret)


def shuffled(secret: bytes, contributions: Sequence[bytes]) -> str:
    """Return all 52 cards in an order that follows from these alone, every order as likely.

    Args:
        secret: The house's, 32 bytes.
        contributions: What each player gave once the house was committed, in the order of
            their seats; of any length, and of somebody who gave nothing it is empty.
    """
    assert len(secret) == SECRET_LENGTH, len(secret)
    seed = hashlib.sha256(length_prefixed(_SHUFFLE_V1, secret, *contributions)).digest()
    return "".join(in_new_order(DECK, stream(seed)))


def in_new_order(cards: Sequence[T], drawn: Iterator[int]) -> list[T]:
    """Return cards as Fisher and Yates shuffle them, from the last place down.

    Args:
        cards: At most 256.
        drawn: Bytes, each value as likely; as many are taken as are needed.
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1, drawn)
        order[chosen], order[last] = order[last], order[chosen]
    return order


def below(limit: int, drawn: Iterator[int]) -> int:
    """Draw an integer of 0 to ``limit - 1``, each as likely.

    A byte from the largest multiple of ``limit`` on is passed over: its remainder would come up
    more often than others.
    """
    assert 1 <= limit <= _BYTE_VALUES, limit
    fair = _BYTE_VALUES - _BYTE_VALUES % limit
    return next(byte for byte in drawn if byte < fair) % limit


def stream(seed: bytes) -> Iterator[int]:
    """Yield bytes without end: SHA-256 of the seed and a counter in 8 bytes, from 0 on."""
    for number in count():
        yield from hashlib.sha256(seed + number.to_bytes(8, "big")).digest()


# --- hands to try --------------------------------------------------------------------


class Chance:
    """A source of draws, all of them decided by its seed."""

    def __init__(self, *seed: object) -> None:
        """Begin the sequence of a seed; the parts of a seed are told apart by their text."""
        text = "\0".join(str(part) for part in seed)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        self._random = Random(int.from_bytes(digest, "big")).random  # noqa: S311 - hands to try, not to play

    def below(self, limit: int) -> int:
        """Draw an integer of 0 to ``limit - 1``."""
        return int(self._random() * limit)

    def between(self, lowest: int, highest: int) -> int:
        """Draw an integer, both ends included."""
        return lowest + self.below(highest - lowest + 1)

    def happens(self, percent: int) -> bool:
        """Draw whether something of this likelihood happens."""
        return self.below(100) < percent

    def pick(self, among: Sequence[T]) -> T:
        """Draw one of them."""
        return among[self.below(len(among))]

    def weighed(self, weights: Mapping[T, int]) -> T:
        """Draw a key, each as likely as its weight; at least one weight is positive."""
        at = self.below(sum(weights.values()))
        for key, weight in weights.items():
            at -= weight
            if at < 0:
                return key
        raise AssertionError(weights)

    def sample(self, among: Sequence[T], count: int) -> list[T]:
        """Draw ``count`` of them, in the order drawn, none twice."""
        rest = list(among)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]
