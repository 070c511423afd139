"""A hand and its events as an export tells of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from domain.events import CardsDealt, Event, HandOpened, HandSettled, Settlement
from domain.stream import Entry
from projections.hands.row import HandRow


class Told(NamedTuple):
    """An event as it may be seen, in its place in the history."""

    position: int
    entry: Entry
    recorded_at: datetime

    @property
    def event(self) -> Event:
        """What happened."""
        return self.entry.event

    @property
    def happened_at(self) -> datetime:
        """When, as whoever gave the command says."""
        return self.entry.cause.at


@dataclass(frozen=True)
class ToldHand:
    """A hand as it may be seen: its row, its events, and what wallets gave it and got back."""

    row: HandRow
    told: Sequence[Told]
    custody: Sequence[Told]

    @property
    def hand(self) -> str:
        """Its id."""
        return self.row.hand

    @property
    def events(self) -> list[Event]:
        """What happened in it, in order."""
        return [told.event for told in self.told]

    @property
    def opening(self) -> HandOpened:
        """Return the event that it began with."""
        event = self.told[0].event
        assert isinstance(event, HandOpened), "the list of hands has none that began otherwise"
        return event

    @property
    def cards(self) -> dict[int, str]:
        """Return what each seat was dealt, as far as it may be seen; nothing before the deal."""
        return next((e.cards for e in self.events if isinstance(e, CardsDealt)), {})

    @property
    def settlement(self) -> Settlement | None:
        """Return what it came to, where it is settled."""
        return next((e.settlement for e in self.events if isinstance(e, HandSettled)), None)
