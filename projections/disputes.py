"""Every dispute, one row each. Source events: every one of a dispute."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Literal, NamedTuple

from domain.dispute import dispute_of
from domain.events import TOPICS, DisputeEvent, DisputeNoted, DisputeOpened, DisputeRuled, Verdict
from projections import Projection, Recorded

State = Literal["open", "ruled"]


class DisputeRow(NamedTuple):
    """One dispute. Its verdict is ``None`` as long as it is open."""

    dispute: str
    hand: str
    by: str
    claims: str
    due: datetime
    opened_at: datetime  # as whoever gave the command says, as all times here
    opened_position: int  # no two disputes have the same; they are listed in this order
    notes: int = 0  # how many, those with evidence too
    state: State = "open"
    verdict: Verdict | None = None
    ruled_at: datetime | None = None
    ruled_position: int | None = None


class DisputesView(ABC):
    """Port. Keeps the rows."""

    @abstractmethod
    def rows(self, disputes: Collection[str]) -> Mapping[str, DisputeRow]:
        """Return the rows of those disputes that have one."""

    @abstractmethod
    def put(self, rows: Sequence[DisputeRow]) -> None:
        """Keep rows, in the place of those of the same disputes. Each dispute comes once."""


class Disputes(Projection):
    """Takes the rows of the disputes in a batch further."""

    name: ClassVar[str] = "disputes"
    topics: ClassVar[frozenset[str]] = frozenset(
        topic for topic, event in TOPICS.items() if issubclass(event, DisputeEvent)
    )

    def __init__(self, view: DisputesView) -> None:
        """Write to a view."""
        self._view = view

    def process(self, batch: Sequence[Recorded]) -> None:
        """Keep the rows as they are after the events.

        Raises:
            LookupError: An event is of a dispute that was not opened.
            AssertionError: A dispute is opened twice, or goes on after its verdict.
        """
        disputes = [dispute_of(recorded.entry.originator_id) for recorded in batch]
        rows = dict(self._view.rows(set(disputes)))
        for dispute, recorded in zip(disputes, batch, strict=True):
            if isinstance(recorded.entry.event, DisputeOpened):
                assert dispute not in rows, dispute
                rows[dispute] = begun(recorded)
            else:
                rows[dispute] = followed(rows[dispute], recorded)
        self._view.put(list(rows.values()))


def begun(recorded: Recorded) -> DisputeRow:
    """Return the row of a dispute that has just been opened."""
    position, entry, _ = recorded
    opening = entry.event
    assert isinstance(opening, DisputeOpened), opening
    return DisputeRow(
        dispute=dispute_of(recorded.entry.originator_id),
        hand=opening.hand,
        by=opening.by,
        claims=opening.claims,
        due=opening.due,
        opened_at=entry.cause.at,
        opened_position=position,
    )


def followed(row: DisputeRow, recorded: Recorded) -> DisputeRow:
    """Return the row after one more event."""
    position, entry, _ = recorded
    assert row.state == "open", row
    if isinstance(entry.event, DisputeNoted):
        return row._replace(notes=row.notes + 1)
    assert isinstance(entry.event, DisputeRuled), entry.event
    return row._replace(
        state="ruled",
        verdict=entry.event.verdict,
        ruled_at=entry.cause.at,
        ruled_position=position,
    )
