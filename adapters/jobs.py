"""Work in portions, shared among processes, and answered in order.

The processes are started afresh rather than forked: the ledger has threads and connections that
must not be copied. So they cost about a second of loading, which a small ledger is spared.
"""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from multiprocessing import get_context
from typing import Any, Final, Protocol, TypeVar

from adapters.errors import ProcessLostError
from adapters.garbage import few_collections

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
S_co = TypeVar("S_co", covariant=True)
S = TypeVar("S")
P = TypeVar("P")


class Source(Protocol[S_co]):
    """What portions are worked on with, as it is sent to whoever does them: it can be pickled."""

    def opened(self) -> AbstractContextManager[S_co]:
        """Lend what a portion is worked on with."""
        ...


class Answer(Protocol[T_co]):
    """What a portion will have come to."""

    def result(self) -> T_co:
        """Wait for it."""
        ...


Submit = Callable[[P], Answer[T]]


def in_order(
    submit: Submit[P, T], portions: Iterable[P], at_once: Callable[[], int]
) -> Iterator[T]:
    """Yield what each portion comes to, in order.

    Args:
        submit: Hands a portion to whoever is free.
        portions: What is to be done.
        at_once: How many may be under way: enough that nobody waits for the slowest.
    """
    waiting: deque[Answer[T]] = deque()
    for portion in portions:
        waiting.append(submit(portion))
        while len(waiting) > at_once():
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


@contextmanager
def shared_among_processes(
    source: Source[S], work: Callable[[S, P], T], jobs: int
) -> Iterator[Callable[[Iterable[P]], Iterator[T]]]:
    """Lend what does portions in processes of this machine.

    Args:
        source: What each process opens, once.
        work: What is done with a portion: a function of a module, with what it takes and returns
            fit to be sent.
        jobs: Processes that share the work.

    Raises:
        ProcessLostError: One of them ended, or could not begin.
    """
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (source,))
    try:
        yield lambda portions: in_order(
            lambda portion: pool.submit(_done, work, portion), portions, lambda: 2 * jobs
        )
    except BrokenProcessPool as error:
        raise ProcessLostError from error
    finally:
        # Waited for: one that lived on would hold what it has open, as a snapshot or a lock.
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(source: Source[Any]) -> None:
    """Open the source in a new process, for as long as that lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # left to the parent
    _OPEN.enter_context(few_collections())
    _OPENED.append(_OPEN.enter_context(source.opened()))


def _done(work: Callable[[S, P], T], portion: P) -> T:
    return work(_OPENED[0], portion)


_OPEN: Final = ExitStack()
_OPENED: Final[list[Any]] = []
"""The one source of such a process, open."""
