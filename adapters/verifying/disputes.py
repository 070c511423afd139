"""Disputes decided again, each whole; and that the hands, and claims, that they name are there."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from adapters.errors import UnreadableEventError
from adapters.store.chain import Chain, Linked
from adapters.store.codec import decode
from adapters.store.postgres import Conn
from adapters.verifying.portions import Checked
from domain.discrepancies import Discrepancy, Recorded
from domain.dispute import dispute_of
from domain.dispute_verification import RULE, Told, verify_dispute
from domain.events import DisputeOpened, Event, SettlementClaimed
from domain.hand import hand_stream

_TOPICS: Final = """
    SELECT originator_id, originator_version, topic
      FROM events JOIN unnest(%s::text[], %s::integer[]) AS named (stream, version)
        ON originator_id = stream AND originator_version = version
"""


class Named(NamedTuple):
    """An event of a hand that a dispute's opening names."""

    position: int
    dispute: str
    hand: str
    version: int
    topic: str | None  # None: any


def check_disputes(
    rows: Iterable[Linked],
    missing: Callable[[Sequence[Named]], Iterable[Discrepancy]] = lambda _named: (),
) -> Checked:
    """Check disputes.

    Args:
        rows: Their whole streams, one after another.
        missing: Finds, among the events of hands that they name, those that are not there.
    """
    stored = list(rows)
    found = [
        Discrepancy(row.stream, row.position, "link", row.link.hex(), fitting.hex(), "chain")
        for row, fitting in Chain().misfits(stored)
    ]
    named: list[Named] = []
    for stream, events in groupby(stored, key=lambda row: row.stream):
        told = [Told(Recorded(r.position, r.version, _event(r)), r.happened_at) for r in events]
        found += verify_dispute(dispute_of(stream), told)
        named += _named(stream, told)
    found += missing(named)
    return Checked(found, 0, len(stored))


def _named(dispute: str, told: Sequence[Told]) -> Iterator[Named]:
    """Yield which events of hands a dispute names."""
    for recorded, _ in told:
        event = recorded.event
        if isinstance(event, DisputeOpened):
            yield Named(recorded.position, dispute, event.hand, 1, None)
            if event.claim is not None:
                topic = SettlementClaimed.TOPIC
                yield Named(recorded.position, dispute, event.hand, event.claim, topic)


def missing(conn: Conn, named: Sequence[Named]) -> Iterator[Discrepancy]:
    """Yield where a hand that is named never was, or an event of it is no claim."""
    # With U+0000 in its id no hand can be stored, nor be asked for.
    asked = [one for one in named if "\0" not in one.hand]
    streams, versions = [hand_stream(one.hand) for one in asked], [one.version for one in asked]
    found = {row[:2]: row[2] for row in conn.execute(_TOPICS, [streams, versions])}
    for one in named:
        topic = found.get((hand_stream(one.hand), one.version))
        if topic is None and one.topic is None:
            yield Discrepancy(one.dispute, one.position, "opened.hand", one.hand, None, "ledger")
        elif topic != one.topic and one.topic is not None:
            yield Discrepancy(one.dispute, one.position, "opened.claim", topic, one.topic, RULE)


def _event(row: Linked) -> Event | None:
    """Return a stored event; None where it cannot be read."""
    # A dispute holds nothing sealed, so no key is needed; an event that is, is no dispute's.
    try:
        return decode(row.topic, row.body, row.position)
    except UnreadableEventError:
        return None
