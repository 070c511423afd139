"""One aggregate's events in order, and the entry that puts an event in its place.

An :class:`Entry` is what the ledger stores: the event, whose stream it is in and
at which version, when it happened, and which command of which actor caused it.
A :class:`Stream` satisfies the protocols of ``eventsourcing`` (``collect_events``,
``id``, ``version``), so its event store saves and its repository loads it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple, Self

from domain.events import Event

BROKEN: Final = (LookupError, ValueError, TypeError, AssertionError, StopIteration)
"""What is raised where events that lead nowhere are followed: somebody wrote them."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why events happen: the command behind them, who gave it, and when."""

    command_id: str
    actor: str
    at: datetime


class Entry(NamedTuple):
    """One event in its place. Nothing here is ever edited."""

    originator_id: str
    originator_version: int  # 1, 2, 3 … within the stream
    event: Event
    cause: Cause


class Stream(ABC):
    """An aggregate: decides events, and is nothing but what they made of it."""

    def __init__(self, stream_id: str) -> None:
        """Start before the first event, at version 0."""
        self.id = stream_id
        self.version = 0
        self._pending: list[Entry] = []

    @classmethod
    def replay(cls, stream_id: str, events: Iterable[Event]) -> Self:
        """Return the aggregate that these events, from the first on, made."""
        stream = cls(stream_id)
        for event in events:
            stream.evolve(event)
            stream.version += 1
        return stream

    @abstractmethod
    def evolve(self, event: Event) -> None:
        """Take in one event. Refuses nothing."""

    def record(self, event: Event, cause: Cause) -> None:
        """Take in a new event and keep it until it is collected to be stored."""
        self.evolve(event)
        self.keep(event, cause)

    def keep(self, event: Event, cause: Cause) -> None:
        """Keep a new event that the aggregate has evolved through already."""
        self.version += 1
        self._pending.append(Entry(self.id, self.version, event, cause))

    def collect_events(self) -> Sequence[Entry]:
        """Return the entries not yet stored, and forget them."""
        pending, self._pending = self._pending, []
        return pending
