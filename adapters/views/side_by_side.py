"""Read models rebuilt, or held against a fresh fold, side by side: each by one of some processes.

A process is at one read model from its beginning to its end, and reads the history for itself. How
far it has come it notes in memory that it shares with whoever shows it: nobody waits there for
anybody, so one that is killed leaves the others going.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, TypeVar

from adapters.jobs import shared_among_processes
from adapters.store.postgres import Elsewhere, Store
from adapters.views.catalogue import FED_BY, READ_MODELS
from adapters.views.feed import head
from adapters.views.generation import Difference
from adapters.views.projector import Progress, Projector

T = TypeVar("T")

EVENTS_WORTH_A_PROCESS: Final = 200_000
"""Of a history that is short no process is begun: it takes a second or two to load."""

_LOOK_S: Final = 0.2  # how often what was noted is told


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
            ProcessLostError: A process ended; what it was at has its old rows.
        """
        chosen = _chosen(names)
        if not self._is_shared(chosen):
            return Projector(self._store).rebuild(chosen, progress)
        found = dict(self._each(_rebuilt, chosen, progress))
        return {name: found[name] for name in chosen}

    def compare_with_fresh_fold(
        self, names: Iterable[str] | None = None, progress: Progress | None = None
    ) -> Iterator[Difference]:
        """Yield where a projection differs: see :meth:`Projector.compare_with_fresh_fold`.

        Raises:
            ProcessLostError: A process ended.
        """
        chosen = _chosen(names)
        if not self._is_shared(chosen):
            yield from Projector(self._store).compare_with_fresh_fold(chosen, progress)
            return
        found = dict(self._each(_compared, chosen, progress))
        for name in chosen:
            yield from found[name]

    def _is_shared(self, names: Sequence[str]) -> bool:
        several = min(self._jobs, len(names)) > 1
        return several and self._store.run(head) >= EVENTS_WORTH_A_PROCESS

    def _each(
        self, work: Callable[["_Bench", str], T], names: Sequence[str], progress: Progress | None
    ) -> Iterator[tuple[str, T]]:
        """Yield what work at each read model comes to: those that take most in are begun first."""
        longest_first = sorted(names, key=lambda name: -len(FED_BY[name]))
        noted = _Noted(longest_first, _SPAWN.RawArray("q", 2 * len(names) + 1))
        place = _Place(self._store.elsewhere(), noted)
        jobs = min(self._jobs, len(names))
        with (
            shared_among_processes(place, work, jobs) as each,
            noted.until_the_end(),
            noted.told(progress),
        ):
            yield from zip(longest_first, each(longest_first), strict=True)


_SPAWN: Final = get_context("spawn")


class _StoppedError(Exception):
    """Nobody waits for the work any more."""


class _Noted(NamedTuple):
    """How far each process has come; and whether all are to stop."""

    names: Sequence[str]
    numbers: Any  # by name: the position reached and the one to reach; then 1 where all stop

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

        def tell() -> None:
            is_over = False
            while not is_over:
                is_over = over.wait(_LOOK_S)
                for at, name in enumerate(self.names):
                    reached, upto = self.numbers[2 * at : 2 * at + 2]
                    if upto:
                        progress(name, reached, upto)

        telling = threading.Thread(target=tell)
        telling.start()
        try:
            yield
        finally:
            over.set()
            telling.join()


class _Place(NamedTuple):
    """Where a process works, as it is sent there."""

    store: Elsewhere
    noted: _Noted

    @contextmanager
    def opened(self) -> Iterator["_Bench"]:
        """Lend what it works with."""
        with self.store.opened() as store:
            yield _Bench(Projector(store), self.noted)


class _Bench(NamedTuple):
    """What a process works with."""

    projector: Projector
    noted: _Noted


def _rebuilt(bench: _Bench, name: str) -> int:
    return bench.projector.rebuild([name], bench.noted.note)[name]


def _compared(bench: _Bench, name: str) -> list[Difference]:
    return list(bench.projector.compare_with_fresh_fold([name], bench.noted.note))


def _chosen(names: Iterable[str] | None) -> list[str]:
    """Return the projections asked for."""
    return list(READ_MODELS if names is None else names)
