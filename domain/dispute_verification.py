"""A dispute's events checked: each command given again to the dispute that its past made."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from domain.discrepancies import Discrepancy, Recorded, event_word, unequal
from domain.dispute import Dispute, dispute_stream
from domain.errors import RefusalError
from domain.events import DisputeNoted, DisputeOpened, DisputeRuled, Event
from domain.stream import Cause

RULE: Final = "dispute"

_COMMANDS: Final[Mapping[type[object], Callable[[Dispute, Any, Cause], None]]] = MappingProxyType(
    {
        DisputeOpened: lambda dispute, event, cause: dispute.open(
            event.hand,
            by=event.by,
            claims=event.claims,
            due=event.due,
            claim=event.claim,
            cause=cause,
        ),
        DisputeNoted: lambda dispute, event, cause: dispute.note(event.text, cause, event.evidence),
        DisputeRuled: lambda dispute, event, cause: dispute.rule(event.verdict, event.why, cause),
    }
)
"""The command that each event of a dispute came from."""


class Told(NamedTuple):
    """A stored event, and when it happened as whoever gave the command says."""

    recorded: Recorded
    at: datetime


def verify_dispute(dispute: str, rows: Iterable[Told]) -> Iterator[Discrepancy]:
    """Check every event of one dispute: opened once, on one hand, and nothing after the verdict.

    That the hand exists, and the claim that it rests on, is checked by who knows hands.

    Args:
        dispute: Its id.
        rows: Its whole stream in order.
    """
    name = dispute_stream(dispute)
    stream = Dispute(name)
    before = 0
    for due, (row, at) in enumerate(rows, start=1):
        if row.position <= before:
            yield Discrepancy(name, row.position, "position", row.position, f"> {before}", RULE)
        before = row.position
        if row.version != due:
            yield Discrepancy(name, row.position, "version", row.version, due, RULE)
            return
        event = row.event
        again = _COMMANDS.get(type(event))
        if event is None or again is None:
            word = event_word(row)
            yield Discrepancy(name, row.position, "event", word, "a dispute's event", RULE)
            return
        derived = _decide_again(stream, event, again, at)
        if isinstance(derived, RefusalError):
            word = event_word(row)
            yield Discrepancy(name, row.position, word, "recorded", derived.code, derived.rule)
        else:
            old, new = event.model_dump(mode="json"), derived.model_dump(mode="json")
            for path, was, is_due in unequal(old, new):
                what = f"{event_word(row)}.{path}"
                yield Discrepancy(name, row.position, what, was, is_due, RULE)
        stream.evolve(event)


def _decide_again(
    stream: Dispute, event: Event, again: Callable[[Dispute, Any, Cause], None], at: datetime
) -> Event | RefusalError:
    """Give a dispute the recorded command again; the dispute itself stays as it is."""
    trial = Dispute(stream.id)
    trial.opening, trial.ruling = stream.opening, stream.ruling
    try:
        again(trial, event, Cause("verification", "verification", at))
    except RefusalError as refusal:
        return refusal
    return trial.collect_events()[0].event
