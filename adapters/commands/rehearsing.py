"""What keeps no hand of an import: what would become of each line after those before it."""

from collections.abc import Sequence
from typing import ClassVar

from adapters.appending.batches import Outcome, Prepared, Stored
from adapters.commands.foreseen import Assumed, Foreseen
from adapters.commands.history import History
from adapters.store.postgres import Runner


class Rehearsing:
    """Remembers what one run over one file would store, and leaves the store as it is."""

    logged_as: ClassVar[str] = "hands_rehearsed"
    takes_time: ClassVar[bool] = False

    def __init__(self) -> None:
        """Assume nothing but what the store holds."""
        self._rehearsed = Assumed()

    def history(self, runner: Runner) -> History:
        """Return what is stored, and what would be."""
        return Foreseen(runner, self._rehearsed)

    def append(self, _runner: Runner, batch: Sequence[Prepared]) -> list[Outcome]:
        """Remember what would be stored, in the place of storing it."""
        for prepared in batch:
            self._rehearsed.take(prepared.append)
        return [Stored(1, len(prepared.rows)) for prepared in batch]
