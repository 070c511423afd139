"""喜钱 of a player for a category under a rulebook, one row each. Source events: ``BonusGranted``.

Who sat where, and under which rulebook, says the ``HandOpened`` of the same hand.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple, Self

from domain.events import BonusGranted, HandOpened
from domain.money import received, seat_account
from projections import Projection, Recorded


class BonusRow(NamedTuple):
    """One row. Times and amount add up."""

    player: str
    category: str
    rulebook: str
    version: int  # of the rulebook
    times: int
    amount: int  # minor units, all times together

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Return what no other row has."""
        return self[:4]

    def plus(self, more: Self) -> Self:
        """Return the row with more added to it."""
        return self._replace(times=self.times + more.times, amount=self.amount + more.amount)


class BonusesView(ABC):
    """Port. Keeps the rows."""

    @abstractmethod
    def openings(self, streams: Collection[str]) -> Mapping[str, HandOpened]:
        """Return the opening of each hand, by the id of its stream."""

    @abstractmethod
    def add(self, rows: Sequence[BonusRow]) -> None:
        """Add times and amount to the row of the same key, new or not. Each key comes once."""


class Bonuses(Projection):
    """Counts and adds up the bonuses of each batch of events."""

    name: ClassVar[str] = "bonuses"
    topics: ClassVar[frozenset[str]] = frozenset({BonusGranted.TOPIC})

    def __init__(self, view: BonusesView) -> None:
        """Write to a view."""
        self._view = view

    def process(self, batch: Sequence[Recorded]) -> None:
        """Give each bonus to the player in its seat."""
        openings = self._view.openings({recorded.entry.originator_id for recorded in batch})
        self._view.add(added(granted(batch, openings)))


def granted(batch: Iterable[Recorded], openings: Mapping[str, HandOpened]) -> Iterator[BonusRow]:
    """Yield each bonus as a row of its own.

    Raises:
        LookupError: Nobody sits in the seat, or the hand was not opened.
    """
    for _, entry, _ in batch:
        event, opening = entry.event, openings[entry.originator_id]
        assert isinstance(event, BonusGranted), event
        players = {taken.seat: taken.player for taken in opening.seats}
        amount = received(event.transfers, seat_account(event.seat))
        key = (players[event.seat], event.category, opening.rulebook, opening.version)
        yield BonusRow(*key, times=1, amount=amount)


def added(rows: Iterable[BonusRow]) -> list[BonusRow]:
    """Return one row for each key, times and amounts added up."""
    totals: dict[tuple[str, str, str, int], BonusRow] = {}
    for row in rows:
        totals[row.key] = totals[row.key].plus(row) if row.key in totals else row
    return list(totals.values())
