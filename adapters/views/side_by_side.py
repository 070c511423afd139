"""Read models rebuilt, or held against a fresh fold, side by side: each in a process of its own.

A process is at one read model from its beginning to its end, and reads the history for itself. How
far it has come it notes in memory that it shares with whoever shows it: nobody waits there for
anybody, so one that is killed leaves the others going.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, Self, TypeVar

from adapters.jobs import shared_among_processes
from adapters.store.postgres import Elsewhere, Store
from adapters.views.catalogue import FED_BY
from adapters.views.feed import head
from adapters.views.generation import Difference
from adapters.views.projector import Progress, Projector, checked

T = TypeVar("T")

EVENTS_WORTH_A_PROCESS: Final = 200_000
"""A shorter history is not worth a process, which takes a second or two to load."""

_LOOK_S: Final = 0.2  # seconds between two looks at what was noted


class Projectors:
    """Does what a :class:`Projector` does to whole read models, in several processes."""

    def __init__(self, store: Store, *, jobs: int) -> None:
        """Work on a store, in the role of a projector, in at most so many processes."""
        self._store = store
        self._jobs = jobs

    def rebuild(
        self, names: Iterable[str] | None = None, progress: Progress | None = None
    ) -> dict[str, int]:
        """Build projections anew: see :meth:`Projector.rebuild`.

        Raises:
            ProcessLostError: A process ended; what was not done has its old rows.
        """
        chosen = checked(names)
        jobs = self._worth(chosen)
        if jobs == 1:
            return Projector(self._store).rebuild(chosen, progress)
        return self._each(_rebuilt, chosen, progress, jobs)

    def compare_with_fresh_fold(
        self, names: Iterable[str] | None = None, progress: Progress | None = None
    ) -> Iterator[Difference]:
        """Yield where a projection differs: see :meth:`Projector.compare_with_fresh_fold`.

        In several processes nothing is yielded before all are done.

        Raises:
            ProcessLostError: A process ended.
        """
        chosen = checked(names)
        jobs = self._worth(chosen)
        if jobs == 1:
            yield from Projector(self._store).compare_with_fresh_fold(chosen, progress)
            return
        for differences in self._each(_compared, chosen, progress, jobs).values():
            yield from differences

    def _worth(self, names: Sequence[str]) -> int:
        """Return how many processes are worth it; 1 is this one."""
        jobs = min(self._jobs, len(names))
        return jobs if jobs > 1 and self._store.run(head) >= EVENTS_WORTH_A_PROCESS else 1

    def _each(
        self,
        work: Callable[["_Tools", str], T],
        names: Sequence[str],
        progress: Progress | None,
        jobs: int,
    ) -> dict[str, T]:
        """Return what work at each comes to; those that the most topics feed are begun first."""
        longest_first = sorted(names, key=lambda name: -len(FED_BY[name]))
        noted = _Noted.nothing(longest_first)
        source = _Source(self._store.elsewhere(), noted)
        with (
            shared_among_processes(source, work, jobs) as each,
            noted.until_the_end(),
            noted.told(progress),
        ):
            found = dict(zip(longest_first, each(longest_first), strict=True))
        return {name: found[name] for name in names}


class _StoppedError(Exception):
    """Nobody waits for the work any more."""


class _Noted(NamedTuple):
    """How far each process has come; and whether all are to stop."""

    names: Sequence[str]
    numbers: Any  # by name: the position reached and the one to reach; then 1 where all stop

    @classmethod
    def nothing(cls, names: Sequence[str]) -> Self:
        """Begin with nothing noted, in memory that processes started afresh can share."""
        return cls(names, get_context("spawn").RawArray("q", 2 * len(names) + 1))

    def note(self, name: str, reached: int, upto: int) -> None:
        """Note it, in the process that has come so far.

        Raises:
            _StoppedError: It is to stop.
        """
        if self.numbers[-1]:
            raise _StoppedError
        at = 2 * self.names.index(name)
        self.numbers[at : at + 2] = (reached, upto)

    @contextmanager
    def until_the_end(self) -> Iterator[None]:
        """Let no process go on beyond this, whatever ends it: else it would be waited for."""
        try:
            yield
        finally:
            self.numbers[-1] = 1

    @contextmanager
    def told(self, progress: Progress | None) -> Iterator[None]:
        """Tell how far they have come, again and again."""
        if progress is None:
            yield
            return
        over = threading.Event()

        def look() -> None:
            while not over.wait(_LOOK_S):
                self._tell(progress)

        looking = threading.Thread(target=look)
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()
            self._tell(progress)

    def _tell(self, progress: Progress) -> None:
        of_all = zip(self.names, self.numbers[:-1:2], self.numbers[1::2], strict=True)
        for name, reached, upto in of_all:
            if upto:
                progress(name, reached, upto)


class _Source(NamedTuple):
    """What a process opens, as it is sent there."""

    store: Elsewhere
    noted: _Noted

    @contextmanager
    def opened(self) -> Iterator["_Tools"]:
        """Lend what it works with."""
        with self.store.opened() as store:
            yield _Tools(Projector(store), self.noted)


class _Tools(NamedTuple):
    """What a process works with."""

    projector: Projector
    noted: _Noted


def _rebuilt(tools: _Tools, name: str) -> int:
    return tools.projector.rebuild([name], tools.noted.note)[name]


def _compared(tools: _Tools, name: str) -> list[Difference]:
    return list(tools.projector.compare_with_fresh_fold([name], tools.noted.note))
