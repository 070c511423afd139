"""Many commands, one transaction: what each brings, and what becomes of each.

Everything that is asked of the store is asked before anything is decided, for all commands at
once; the decision itself, :func:`plan`, is a function of the answers. A command whose stream has
moved on, or whose id was given before, is left out and told so. Its neighbours are not concerned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from adapters.chain import GENESIS, event_bytes, link, microseconds
from adapters.codec import encode
from adapters.commands import Fingerprint, changed_field
from adapters.sealing import NO_KEYS, CardKeys
from domain.stream import Entry


class Append(NamedTuple):
    """What one command brings to be stored, whole or not at all."""

    command_id: str
    fingerprint: Fingerprint
    entries: Sequence[Entry]  # at least one; those of one stream in order, without a gap
    answer: str  # JSON, for whoever gives the command again
    builds_on: frozenset[str] = frozenset()  # ids of earlier commands of its batch
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
    tips: Mapping[str, Tip] = field(default_factory=dict, compare=False, repr=False)
    """Where it leaves each of its streams."""


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


class ReceiptRow(NamedTuple):
    """One receipt on its way into the store."""

    command_id: str
    kind: str
    digest: bytes
    fields: str
    first_position: int
    last_position: int
    answer: str


class Prepared(NamedTuple):
    """An append made ready outside the lock, where time is cheap."""

    append: Append
    rows: list[Row]
    hashed: list[bytes]  # by row: what of it is hashed
    spans: dict[str, tuple[int, int]]  # by stream: the version it must be at, and will be at


@dataclass
class Plan:
    """What is to be inserted, and what each command is told."""

    rows: list[Row] = field(default_factory=list)
    links: list[bytes] = field(default_factory=list)  # by row
    receipts: list[ReceiptRow] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)


def prepare(append: Append, cards: CardKeys = NO_KEYS) -> Prepared:
    """Encode what a command brings, and seal what is secret in it."""
    assert append.entries, append.command_id
    rows: list[Row] = []
    spans: dict[str, tuple[int, int]] = {}
    for entry in append.entries:
        stream, version, event, cause = (
            entry.originator_id,
            entry.originator_version,
            entry.event,
            entry.cause,
        )
        expected, before = spans.get(stream, (version - 1, version - 1))
        assert version == before + 1, f"{stream} skips from {before} to {version}"
        spans[stream] = (expected, version)
        rows.append(
            Row(
                stream,
                version,
                event.TOPIC,
                cards.sealed(stream, version, event.TOPIC, encode(event)),
                cause.command_id,
                cause.actor,
                cause.at,
            )
        )
    return Prepared(append, rows, [event_bytes(*row) for row in rows], spans)


def plan(
    batch: Sequence[Prepared],
    *,
    head: int,
    tips: Mapping[str, Tip],
    receipts: Mapping[str, StoredReceipt],
    at: datetime,
) -> Plan:
    """Decide which commands go in and at which positions.

    Args:
        batch: The commands, in the order in which they were given; a later one may
            build on what an earlier one stores, and then names it: where that one is not
            stored now, a stream may have come to the same version by other events.
        head: The last position in use.
        tips: Where the streams are that the batch writes to; absent is before the first event.
        receipts: What is stored of those commands that were carried out before.
        at: When all this is recorded, by the server's clock.
    """
    made = Plan()
    reached, known, recorded_at = dict(tips), dict(receipts), microseconds(at)
    left_out: set[str] = set()
    for prepared in batch:
        append = prepared.append
        left_out.add(append.command_id)
        receipt = known.get(append.command_id)
        if receipt is not None:
            made.outcomes.append(receipt.answered(append.fingerprint))
            continue
        conflict = _conflict(prepared, reached, bound_to_fail=bool(append.builds_on & left_out))
        if conflict is not None:
            made.outcomes.append(conflict)
            continue
        first = head + 1
        head += len(prepared.rows)
        for row, hashed in zip(prepared.rows, prepared.hashed, strict=True):
            stream = row.originator_id
            before = reached.get(stream, _EMPTY)
            made.links.append(link(before.link, recorded_at, hashed))
            reached[stream] = Tip(row.originator_version, made.links[-1])
        told = append.fingerprint
        kind, digest, fields = told.kind, told.digest, told.fields
        known[append.command_id] = StoredReceipt(
            append.command_id, digest, fields, first, head, append.answer
        )
        made.rows += prepared.rows
        made.receipts.append(
            ReceiptRow(append.command_id, kind, digest, fields, first, head, append.answer)
        )
        tips_now = {stream: reached[stream] for stream in prepared.spans}
        made.outcomes.append(Stored(first, head, tips_now))
        left_out.discard(append.command_id)
    return made


_EMPTY: Final = Tip()


def _conflict(
    prepared: Prepared, reached: Mapping[str, Tip], *, bound_to_fail: bool
) -> Conflict | None:
    """Return the first stream that is not where the command thought it was.

    A command that is bound to fail thought of events that are not there, whatever the versions.
    """
    links = prepared.append.links
    for stream, (expected, _) in prepared.spans.items():
        actual, last = reached.get(stream, _EMPTY)
        if actual != expected or bound_to_fail or links.get(stream, last) != last:
            return Conflict(stream, expected, actual)
    return None
