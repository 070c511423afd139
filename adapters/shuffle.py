"""Chance from a seed: the one place that draws a number that nobody can foresee.

A seed gives the same draws on every machine, in every run and under every Python: the seed is
hashed to an integer, and only ``Random.random`` is used, whose sequence the language guarantees
(``choice``, ``shuffle`` and ``randrange`` are free to change between versions).
"""

import hashlib
from collections.abc import Mapping, Sequence
from random import Random  # noqa: TID251 - this is that place
from typing import TypeVar

T = TypeVar("T")


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
