"""Read models, one file each: rows derived from events, rebuildable from the first event on.

- ``balances``     chips of every account
- ``bonuses``      喜钱 of every player, by category and rulebook
- ``house``        what the house took and gave, by day and kind of table
- ``hands``        every hand, to be found and listed
- ``disputes``     every dispute, to be found and listed
- ``audit_trail``  every event as a line that an auditor can read

None knows another. Each is a row, a port that its rows are written through, and a
:class:`Projection`: what to write, given the next events. Which of them were taken
in already, and that each counts once, is the business of whoever runs it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, Final, NamedTuple

from domain.errors import RefusalError
from domain.events import HandOpened
from domain.stream import BROKEN, Entry

IMPOSSIBLE: Final = (RefusalError, *BROKEN)
"""What an event raises that says what cannot be: a seat pays in which nobody sits."""


def bound(opening: HandOpened, name: str) -> int | None:
    """Return an amount among the parameters of a hand's table."""
    value = opening.table.get(name)
    return value if type(value) is int else None


class Recorded(NamedTuple):
    """An entry in its place in the order of all events."""

    position: int
    entry: Entry
    recorded_at: datetime


class Projection(ABC):
    """Turns events into rows of one read model."""

    name: ClassVar[str]
    topics: ClassVar[frozenset[str]]
    """The events that feed it; it is shown no others."""

    @abstractmethod
    def process(self, batch: Sequence[Recorded]) -> None:
        """Write what the next events, in the order of their positions, come to.

        Raises:
            IMPOSSIBLE: An event says what cannot be. Nothing of the batch counts, then.
        """
