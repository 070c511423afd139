"""The projection: batches of events -> rows of the audit trail."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Final

from domain.events import TOPICS, DisputeEvent, Event, WalletEvent
from projections import Projection, Recorded
from projections.audit_trail.course import HandCourse, dispute_row, wallet_row
from projections.audit_trail.row import AuditTrailView, TrailRow

_ALONE: Final[Mapping[type[Event], Callable[[Recorded], TrailRow]]] = {
    event: wallet_row if issubclass(event, WalletEvent) else dispute_row
    for event in TOPICS.values()
    if issubclass(event, WalletEvent | DisputeEvent)
}
"""What makes the row of an event that rests on none before it."""


class AuditTrail(Projection):
    """Appends a row for each event. A hand begun in an earlier batch is first read again."""

    name: ClassVar[str] = "audit_trail"
    topics: ClassVar[frozenset[str]] = frozenset(TOPICS)

    def __init__(self, view: AuditTrailView) -> None:
        """Write to a view."""
        self._view = view

    def process(self, batch: Sequence[Recorded]) -> None:
        """Append the rows of the events."""
        self._view.append(self.rows(batch))

    def rows(self, batch: Sequence[Recorded]) -> list[TrailRow]:
        """Return the rows of events in the order of their positions."""
        courses = self._resume(batch)
        return [
            alone(recorded)
            if (alone := _ALONE.get(type(recorded.entry.event)))
            else courses[recorded.entry.originator_id].take(recorded)
            for recorded in batch
        ]

    def _resume(self, batch: Iterable[Recorded]) -> Mapping[str, HandCourse]:
        """Return each hand of a batch as it stood before it."""
        courses: dict[str, HandCourse] = {}
        versions: dict[str, int] = {}
        for _, entry, _ in batch:
            stream = entry.originator_id
            if stream not in courses and type(entry.event) not in _ALONE:
                courses[stream] = HandCourse(stream)
                if entry.originator_version > 1:
                    versions[stream] = entry.originator_version
        for recorded in self._view.earlier(versions) if versions else ():
            courses[recorded.entry.originator_id].recall(recorded)
        return courses
