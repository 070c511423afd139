"""Many commands, one transaction: what each brings, and what may become of each.

The store itself decides which go in: ``append_commands``, in adapters/store/sql/0020_append.sql. A
command whose stream has moved on, or whose id was given before, is left out and told so. Its
neighbours are not concerned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from types import MappingProxyType
from typing import Final, NamedTuple

from adapters.appending.fingerprints import Fingerprint, changed_field
from adapters.store.array_texts import binaries, moments, numbers, texts
from adapters.store.chain import GENESIS
from adapters.store.codec import encode
from adapters.store.sealing import NO_KEYS, CardKeys
from domain.stream import Entry


class Append(NamedTuple):
    """What one command brings to be stored, whole or not at all."""

    command_id: str
    fingerprint: Fingerprint
    entries: Sequence[Entry]  # at least one; those of one stream in order, without a gap
    answer: str  # JSON, for whoever gives the command again
    rests_on: frozenset[str] = frozenset()  # ids of earlier commands of its batch
    links: Mapping[str, bytes] = MappingProxyType({})
    """By stream: the link that it must be at, where it was not read from the store."""


class Tip(NamedTuple):
    """Where a stream is."""

    version: int = 0
    link: bytes = GENESIS


@dataclass(frozen=True)
class Stored:
    """It is stored, from the first position to the last."""

    first: int
    last: int
    rows: Sequence["Row"] = field(default=(), compare=False, repr=False)
    links: Sequence[bytes | None] = field(default=(), compare=False, repr=False)

    @property
    def tips(self) -> dict[str, Tip]:
        """Where it leaves each of its streams; made when asked for, as an import never does."""
        return {
            row.originator_id: Tip(row.originator_version, link)
            for row, link in zip(self.rows, self.links, strict=True)
            if link is not None
        }


class Replayed(NamedTuple):
    """The same command was stored before; this was its answer."""

    first: int
    last: int
    answer: str


class Reused(NamedTuple):
    """Another command was stored under this id; ``field`` is the first in which they differ."""

    field: str


class Conflict(NamedTuple):
    """A stream is not where the command thought it was; nothing of it is stored."""

    stream: str
    expected: int
    actual: int


Outcome = Stored | Replayed | Reused | Conflict


class StoredReceipt(NamedTuple):
    """What is stored of a command that was carried out."""

    command_id: str
    digest: bytes
    fields: str
    first: int
    last: int
    answer: str

    def answered(self, given: Fingerprint) -> Replayed | Reused:
        """Return what a command of the same id is told.

        Raises:
            CardKeyMissingError: The body held cards, and a key was used that is not held now.
        """
        given = given.as_remembered(self.fields)
        if self.digest == given.digest:
            return Replayed(self.first, self.last, self.answer)
        return Reused(changed_field(self.fields, given.fields))


class Row(NamedTuple):
    """One event on its way into the store, still without a position."""

    originator_id: str
    originator_version: int
    topic: str
    body: str
    command_id: str
    actor: str
    happened_at: datetime


class Prepared(NamedTuple):
    """An append made ready outside the lock, where time is cheap."""

    append: Append
    rows: list[Row]
    spans: dict[str, int]  # by stream: the version of its first event here


def prepare(append: Append, cards: CardKeys = NO_KEYS) -> Prepared:
    """Encode what a command brings, and seal what is secret in it."""
    assert append.entries, append.command_id
    rows: list[Row] = []
    spans: dict[str, int] = {}
    reached: dict[str, int] = {}
    for entry in append.entries:
        stream, version, event = entry.originator_id, entry.originator_version, entry.event
        cause, topic, body = entry.cause, event.TOPIC, encode(event)
        first = spans.setdefault(stream, version)
        assert version == reached.get(stream, first - 1) + 1, f"{stream} skips to {version}"
        reached[stream] = version
        if event.SECRET:
            body = cards.sealed(stream, version, topic, body)
        rows.append(Row(stream, version, topic, body, cause.command_id, cause.actor, cause.at))
    return Prepared(append, rows, spans)


APPEND: Final = "SELECT firsts, conflicts, actual, links FROM append_commands"
"""What asks the store to append; :meth:`Batch.arrays` are its parameters."""

APPEND_PARAMETERS: Final = 16


class Answer(NamedTuple):
    """What ``append_commands`` returns; numbers count from 1."""

    firsts: Sequence[int | None]  # by command: the position of its first event, if it is stored
    conflicts: Sequence[int | None]  # by command: the number of the stream that it conflicts on
    actual: Sequence[int | None]  # by command: the version of that stream
    links: Sequence[bytes | None]  # by row


class Batch:
    """Commands to be stored together; no id twice, but of those that have a receipt."""

    def __init__(self, commands: Sequence[Prepared]) -> None:
        """Number the streams as they come."""
        self._commands = commands
        self._streams: dict[str, int] = {}
        for prepared in commands:
            for stream in prepared.spans:
                self._streams.setdefault(stream, len(self._streams) + 1)

    def arrays(self) -> list[str]:
        """Return what ``append_commands`` is given, in its order."""
        appends = [prepared.append for prepared in self._commands]
        fingerprints = [append.fingerprint for append in appends]
        row_streams, versions, topics, bodies, command_ids, actors, times = zip(
            *(row for prepared in self._commands for row in prepared.rows), strict=True
        )
        return [
            # by command
            texts([append.command_id for append in appends]),
            texts([fingerprint.kind for fingerprint in fingerprints]),
            binaries([fingerprint.digest for fingerprint in fingerprints]),
            texts([fingerprint.fields for fingerprint in fingerprints]),
            texts([append.answer for append in appends]),
            numbers(accumulate(len(prepared.rows) for prepared in self._commands)),
            texts(self._rests_on()),
            # by stream
            texts(list(self._streams)),
            # by row
            numbers([self._streams[stream] for stream in row_streams]),
            binaries(self._expected()),
            numbers(versions),
            texts(topics),
            texts(bodies),
            texts(command_ids),
            texts(actors),
            moments(times),
        ]

    def _rests_on(self) -> list[str]:
        """Return for each command the numbers of those before it that it rests on, as an array.

        Whatever is not stored with it has the number 0, which nothing is stored under.
        """
        number_of = {prepared.append.command_id: n for n, prepared in enumerate(self._commands, 1)}
        rested_on = (prepared.append.rests_on for prepared in self._commands)
        return [numbers(number_of.get(id_, 0) for id_ in ids) if ids else "" for ids in rested_on]

    def _expected(self) -> list[bytes | None]:
        """Return for each row the link its stream must be at; empty, any; None, as it comes."""
        return [
            prepared.append.links.get(row.originator_id, b"")
            if prepared.spans[row.originator_id] == row.originator_version
            else None
            for prepared in self._commands
            for row in prepared.rows
        ]

    def outcomes(self, answer: Answer) -> list[Stored | Conflict | None]:
        """Return what became of each command; None of one that has a receipt from before."""
        found: list[Stored | Conflict | None] = []
        streams = list(self._streams)
        end = 0
        for prepared, first, conflict, actual in zip(
            self._commands, answer.firsts, answer.conflicts, answer.actual, strict=True
        ):
            rows = prepared.rows
            begin, end = end, end + len(rows)
            if first is not None:
                links = answer.links[begin:end]
                found.append(Stored(first, first + len(rows) - 1, rows, links))
            elif conflict is not None:
                assert actual is not None
                stream = streams[conflict - 1]
                found.append(Conflict(stream, prepared.spans[stream] - 1, actual))
            else:
                found.append(None)
        return found
