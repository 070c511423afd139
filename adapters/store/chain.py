"""The chain of a stream: every event's link is a hash of the link before it and of its own bytes.

Whoever knows the last link of a stream knows every byte of it. So an edited event does not fit its
link, a missing or an exchanged one does not fit the next, and whoever would rewrite them all would
have to change the last link, which checkpoints have made known.

What is hashed, SHA-256, each as its length (8 bytes, most significant first) and its bytes::

    "jinhua.event.v1"
    the link before it                        32 bytes, zero before the first event
    recorded at                               8 bytes, microseconds since 1970-01-01T00:00:00Z
    happened at                               likewise, two's complement
    originator version                        8 bytes
    originator id, topic, command id, actor   UTF-8
    body                                      UTF-8, as stored

The position is not in it: the tree over positions says where an event is.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple

GENESIS: Final = bytes(32)
"""The link before the first event of a stream."""

# What `length_prefixed` gives, but written out: it is computed for every event, in one go.
_TAG: Final = b"jinhua.event.v1"
_BEGUN: Final = sha256(len(_TAG).to_bytes(8, "big") + _TAG + len(GENESIS).to_bytes(8, "big"))
"""Every hash is a copy of this one, gone on with: quicker than one that is set up anew."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBERS: Final = Struct(">QqQqQQ").pack
"""Both times and the version, each with its length before it."""


class Linked(NamedTuple):
    """What of an event is hashed, and the link that is stored with it."""

    position: int
    stream: str
    version: int
    topic: str
    body: str
    command_id: str
    actor: str
    happened_at: datetime
    recorded_at: datetime
    link: bytes


def link_of(previous: bytes, event: Linked) -> bytes:
    """Return the link that an event should have after another one, or after :data:`GENESIS`."""
    _, stream, version, topic, body, command_id, actor, happened_at, recorded_at, _ = event
    data = body.encode()
    hashed = _BEGUN.copy()
    hashed.update(
        b"".join(
            (
                previous,
                _NUMBERS(8, _microseconds(recorded_at), 8, _microseconds(happened_at), 8, version),
                _sized(stream),
                _sized(topic),
                _sized(command_id),
                _sized(actor),
                len(data).to_bytes(8, "big"),
                data,
            )
        )
    )
    return hashed.digest()


def _microseconds(moment: datetime) -> int:
    """Return the microseconds since 1970 of a moment; fastest where it is told in UTC."""
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


@lru_cache(maxsize=4096)
def _sized(text: str) -> bytes:
    """Return a text as it is hashed. A stream, a topic, a command come many times in a row."""
    data = text.encode()
    return len(data).to_bytes(8, "big") + data


class Chain:
    """Follows the chains of streams, each from its first event on, one stream after another."""

    def __init__(self) -> None:
        self._stream, self._last = "", GENESIS

    def misfits(self, events: Iterable[Linked]) -> Iterator[tuple[Linked, bytes]]:
        """Yield the next events that do not fit their links, each with the link that would.

        It goes on from the link that is stored, so that one edit is found once, in its place.
        """
        for event in events:
            if event.stream != self._stream:
                self._stream, self._last = event.stream, GENESIS
            fitting = link_of(self._last, event)
            self._last = event.link
            if fitting != self._last:
                yield event, fitting
