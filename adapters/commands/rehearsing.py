"""An import of which nothing is stored: what would become of each line after those before it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar

from adapters.appending.batches import Outcome, Prepared, Stored
from adapters.commands.foreseen import Assumed, Foreseen
from adapters.commands.history import History
from adapters.commands.importing import Import, Line
from adapters.store.postgres import Runner


class Rehearsal(Import):
    """One run over one file that leaves the store as it is."""

    logged_as: ClassVar[str] = "hands_rehearsed"

    @cached_property
    def _rehearsed(self) -> Assumed:
        """What came before; at first nothing but what the store holds."""
        return Assumed()

    def overlapped(self, lines: Iterable[bytes | str]) -> Iterator[list[Line]]:
        """Do as :meth:`portions` does: there is nothing to wait for."""
        return self.portions(lines)

    def _history(self, runner: Runner) -> History:
        return Foreseen(runner, self._rehearsed)

    def _append(self, runner: Runner, prepared: Sequence[Prepared]) -> list[Outcome]:
        """Remember what would be stored, in the place of storing it."""
        del runner
        for one in prepared:
            self._rehearsed.take(one.append)
        return [Stored(1, len(one.rows)) for one in prepared]
