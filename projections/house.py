"""What the house took and gave on a day at one kind of table, one row each.

Source events: every event of a hand that moves chips of an account of the house.

A hand does not say at which table it was played, so the table is the kind of table: the rulebook
with its version, the ante and the highest stake. The day is that on which the event happened, UTC.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date
from typing import ClassVar, Final, NamedTuple, Self

from domain.events import TOPICS, DisputeEvent, HandOpened, WalletEvent
from projections import Projection, Recorded, bound

HOUSE: Final = "house:"
ACCOUNTS: Final = ("rake", "bank", "bonus", "rounding")
"""Of the house; the name of each without :data:`HOUSE`."""

HouseKey = tuple[date, str, int, int | None, int | None]


class HouseRow(NamedTuple):
    """One row. Over all rows each amount is the balance of its account."""

    day: date  # UTC
    rulebook: str
    version: int  # of the rulebook
    ante: int | None  # minor units; None where the game has none
    max_stake: int | None  # minor units; None where nothing bounds it
    rake: int = 0  # minor units that came in less those that went out, as all that follow
    bank: int = 0
    bonus: int = 0
    rounding: int = 0

    @property
    def key(self) -> HouseKey:
        """Return what no other row has."""
        return self[:5]

    def plus(self, more: Self) -> Self:
        """Return the row with more added to it."""
        return self._replace(
            **{name: getattr(self, name) + getattr(more, name) for name in ACCOUNTS}
        )


class HouseView(ABC):
    """Port. Keeps the rows."""

    @abstractmethod
    def openings(self, streams: Collection[str]) -> Mapping[str, HandOpened]:
        """Return the opening of each hand, by the id of its stream."""

    @abstractmethod
    def add(self, rows: Sequence[HouseRow]) -> None:
        """Add the amounts to the row of the same key, new or not. Each key comes once."""


class House(Projection):
    """Adds up what each batch of events brought the house."""

    name: ClassVar[str] = "house"
    topics: ClassVar[frozenset[str]] = frozenset(
        topic
        for topic, event in TOPICS.items()
        if not issubclass(event, WalletEvent | DisputeEvent)
    )

    def __init__(self, view: HouseView) -> None:
        """Write to a view."""
        self._view = view

    def process(self, batch: Sequence[Recorded]) -> None:
        """Give each amount to the day and the table."""
        moving = (recorded for recorded in batch if recorded.entry.event.transfers)
        gains = [(recorded, gain) for recorded in moving if (gain := gained(recorded))]
        openings = begun(batch)
        earlier = {recorded.entry.originator_id for recorded, _ in gains} - openings.keys()
        if earlier:
            openings |= self._view.openings(earlier)
        self._view.add(added(rows_of(gains, openings)))


def begun(batch: Iterable[Recorded]) -> dict[str, HandOpened]:
    """Return the openings of the hands that began in a batch, by the id of their streams."""
    return {
        entry.originator_id: entry.event
        for _, entry, _ in batch
        if entry.originator_version == 1 and isinstance(entry.event, HandOpened)
    }


def gained(recorded: Recorded) -> dict[str, int]:
    """Return what an event brought each account of the house, below zero where it cost.

    Raises:
        AssertionError: The house has no such account.
    """
    gains: dict[str, int] = {}
    for source, target, amount, _ in recorded.entry.event.transfers:
        if source.startswith(HOUSE):
            _gain(gains, source, -amount)
        if target.startswith(HOUSE):
            _gain(gains, target, amount)
    return gains


def _gain(gains: dict[str, int], name: str, change: int) -> None:
    """Add what an account of the house gained."""
    account = name.removeprefix(HOUSE)
    assert account in ACCOUNTS, name
    gains[account] = gains.get(account, 0) + change


def rows_of(
    gains: Iterable[tuple[Recorded, Mapping[str, int]]], openings: Mapping[str, HandOpened]
) -> Iterator[HouseRow]:
    """Yield what each event brought as a row of its own.

    Raises:
        LookupError: The hand was not opened.
    """
    for (_, entry, _), gain in gains:
        opening = openings[entry.originator_id]
        yield HouseRow(
            entry.cause.at.astimezone(UTC).date(),
            opening.rulebook,
            opening.version,
            bound(opening, "ante"),
            bound(opening, "max_stake"),
            **gain,
        )


def added(rows: Iterable[HouseRow]) -> list[HouseRow]:
    """Return one row for each key, amounts added up."""
    totals: dict[HouseKey, HouseRow] = {}
    for row in rows:
        totals[row.key] = totals[row.key].plus(row) if row.key in totals else row
    return list(totals.values())
