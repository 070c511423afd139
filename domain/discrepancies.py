"""What is checked and what is found: a stored event, and where it is not what the rules give."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import Final, NamedTuple

from domain.events import Event

_ABSENT: Final = "(absent)"
"""Stands for a field or an item that one side lacks; not the same as one that is null."""


class Recorded(NamedTuple):
    """One stored event. ``event`` is None where its bytes could not be read."""

    position: int
    version: int
    event: Event | None


class Discrepancy(NamedTuple):
    """Something recorded that the rules do not give."""

    hand: str  # or ``wallet:<player>``, ``dispute:<id>``, ``projection:<name>``, ``ledger``
    position: int | None
    what: str  # the event and field, or the broken law
    recorded: object
    derived: object
    rule: str


def event_word(row: Recorded) -> str:
    """Return the event's own word: ``bet_called``."""
    return topic_word(row.event.TOPIC) if row.event else "unreadable"


@lru_cache
def topic_word(topic: str) -> str:
    """Return the word of an event's topic."""
    return topic.split(".")[1]


def unequal(old: object, new: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """Yield every leaf that two JSON values do not share."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            was, due = old.get(key, _ABSENT), new.get(key, _ABSENT)
            yield from unequal(was, due, f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list):
        for index, (was, due) in enumerate(zip_longest(old, new, fillvalue=_ABSENT)):
            yield from unequal(was, due, f"{path}.{index}")
    elif old != new:
        yield path.removeprefix("."), old, new
