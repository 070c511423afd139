"""An entry as it is stored, and back: the topic names the event, the body is its JSON.

The body is the event's own fields and nothing else; of these `transfers` is left out where no
chips moved. Stream, version, cause and time have columns of their own. What was stored once is
read for ever: a topic is never edited, and what cannot be read says so and why. Bodies with cards
in them may be stored sealed (`sealing.py`); :func:`read_event` opens them on their way out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import JSONTranscoder, Mapper, Notification, StoredEvent
from pydantic import ValidationError

from adapters.errors import UnreadableEventError
from adapters.store.sealing import NO_KEYS, SEALED_TOPICS, CardKeys
from domain.events import (
    TOPICS,
    AntePosted,
    BetCalled,
    BetRaised,
    CardsSeen,
    Event,
    HandFolded,
)
from domain.stream import Cause, Entry

_NO_TRANSFERS: Final = {"transfers"}

_READERS: Final[Mapping[str, Callable[[str | bytes], Event]]] = {
    topic: kind.__pydantic_validator__.validate_json for topic, kind in TOPICS.items()
}
"""What reads the bodies of each topic."""

_RECURRING: Final = frozenset(
    kind.TOPIC for kind in (AntePosted, CardsSeen, BetCalled, BetRaised, HandFolded)
)
"""The topics whose bodies name no hand and no balance: the same ones come thousands of times."""

RECURRING_CHARACTERS_MAX: Final = 200
"""Bodies up to here are remembered; nobody's longer ones fill the memory."""


@dataclass(frozen=True)
class StoredEntry(Notification):
    """A row of the history. ``id`` is its position, 0 as long as it has none."""

    cause: Cause


class Codec(Mapper[str]):
    """Turns entries into rows and back."""

    def __init__(self, cards: CardKeys = NO_KEYS) -> None:
        """Read with these keys; it is the recorder that seals."""
        super().__init__(JSONTranscoder())  # which nothing here uses: pydantic does it all
        self._cards = cards

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEntry:
        """Return the row of an entry that is not stored yet, and not sealed yet."""
        entry = domain_event
        assert isinstance(entry, Entry), entry
        return StoredEntry(
            originator_id=entry.originator_id,
            originator_version=entry.originator_version,
            topic=entry.event.TOPIC,
            state=encode(entry.event).encode(),
            id=0,
            cause=entry.cause,
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Entry:
        """Return the entry of a row.

        Raises:
            UnreadableEventError: Its topic is unknown, or its body not that topic's.
            CardKeyMissingError: It is sealed under a key that is not held.
        """
        stored = stored_event
        assert isinstance(stored, StoredEntry), stored
        stream, version = str(stored.originator_id), stored.originator_version
        event = read_event(self._cards, stream, version, stored.topic, stored.state, stored.id)
        return Entry(stream, version, event, stored.cause)


def encode(event: Event) -> str:
    """Return the body of an event."""
    left_out = None if event.transfers else _NO_TRANSFERS
    return event.__pydantic_serializer__.to_json(event, exclude=left_out).decode()


def read_event(
    cards: CardKeys, stream: str, version: int, topic: str, body: str | bytes, position: int
) -> Event:
    """Return the event of a row, unsealed where it is sealed.

    Raises:
        UnreadableEventError: The topic is unknown, the body not that topic's, or its seal broken.
        CardKeyMissingError: It is sealed under a key that is not held.
    """
    if topic in SEALED_TOPICS:
        body = cards.unsealed(stream, version, topic, body, position)
    return decode(topic, body, position)


def decode(topic: str, body: str | bytes, position: int) -> Event:
    """Return the event of a topic and body; ``position`` is where they are stored.

    Raises:
        UnreadableEventError: The topic is unknown, or the body not that topic's.
    """
    try:
        if topic in _RECURRING and len(body) <= RECURRING_CHARACTERS_MAX:
            return _read_again(topic, body)
        return _READERS[topic](body)
    except KeyError:
        reason = "its topic is unknown"
        raise UnreadableEventError(position=position, topic=topic, reason=reason) from None
    except ValidationError as error:
        if TOPICS[topic].SECRET:  # a name of a field may be a card as well as its value
            reason = "its body is not that topic's"
            raise UnreadableEventError(position=position, topic=topic, reason=reason) from None
        first = error.errors(include_url=False, include_input=False)[0]
        reason = ": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))
        raise UnreadableEventError(position=position, topic=topic, reason=reason) from None


@lru_cache(maxsize=16_384)
def _read_again(topic: str, body: str | bytes) -> Event:
    """Read a body. Events are frozen, so one may stand for all that have it."""
    return _READERS[topic](body)
