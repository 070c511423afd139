"""Portions of a verification shared among processes, all in one snapshot, answered in order.

The processes are started afresh rather than forked: the ledger has threads and connections that
must not be copied. So they cost about a second of loading, which a small ledger is spared.
"""

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from typing import Final, NamedTuple, TypeVar

from adapters.errors import ProcessLostError
from adapters.garbage import few_collections
from adapters.postgres import Conn, Store, snapshot
from adapters.sealing import CardKeys

T = TypeVar("T")
P = TypeVar("P")


class _Task(NamedTuple):
    """What a process needs to know before its first portion."""

    dsn: str
    role: str
    cards: CardKeys
    moment: str  # the exported snapshot


def in_order(
    store: Store,
    conn: Conn,
    check: Callable[[Conn, P], T],
    portions: Sequence[P],
    jobs: int,
) -> Iterator[T]:
    """Yield what each portion comes to, in order; no more than a few are under way.

    Args:
        store: Where to connect to.
        conn: In a transaction that sees the one moment, and stays open.
        check: A function of a module, with what it takes and returns fit to be sent.
        portions: What is to be checked.
        jobs: Processes that share the work.

    Raises:
        ProcessLostError: One of them ended, or could not begin.
    """
    ((moment,),) = conn.execute("SELECT pg_export_snapshot()").fetchall()
    task = _Task(*store.address, store.cards, moment)
    context = get_context("spawn")
    with _told_if_lost(), ProcessPoolExecutor(jobs, context, _begin, (task,)) as pool:
        waiting: deque[Future[T]] = deque()
        try:
            for portion in portions:
                waiting.append(pool.submit(_checked, check, portion))
                if len(waiting) > 2 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # Waited for: one that lived on would hold its snapshot, and with it its tables.
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _told_if_lost() -> Iterator[None]:
    try:
        yield
    except BrokenProcessPool as error:
        raise ProcessLostError from error


def _begin(task: _Task) -> None:
    """Connect a new process, and let it see what the others see, for as long as it lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # left to the parent
    _OPEN.enter_context(few_collections())
    store = Store(task.dsn, role=task.role, connections_max=1, cards=task.cards)
    _OPEN.enter_context(store)
    conn = _OPEN.enter_context(store.connection())
    _OPEN.enter_context(snapshot(conn, task.moment))
    _CONN.append(conn)


def _checked(check: Callable[[Conn, P], T], portion: P) -> T:
    return check(_CONN[0], portion)


_OPEN: Final = ExitStack()
_CONN: Final[list[Conn]] = []
"""The one connection of such a process."""
