"""Portions of a verification shared among the workers of a Dask cluster that is there already.

A task is a portion and what it takes to read it: of a store the DSN, password and all, the keys of
cards, and the name of the snapshot. Nothing of that is printed or logged, but it goes over the wire
to the scheduler and the workers, as what they find comes back: Dask's own TLS keeps others from
reading it. Tasks change nothing, so those of a worker that is lost are done again by another one,
and each answer is taken once.

A worker connects when it gets its first task, once a thread, and keeps the connection for the next.
"""

import re
import threading
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Any, Final, Generic, NamedTuple, TypeVar

from adapters.errors import (
    ClusterUnreachableError,
    DaskMissingError,
    ProcessLostError,
    WorkersDifferError,
)
from adapters.garbage import few_collections
from adapters.jobs import Source, in_order

try:
    from distributed import Client, KilledWorker, Security
except ModuleNotFoundError as missing:
    _MISSING: ModuleNotFoundError | None = missing
else:
    _MISSING = None

T = TypeVar("T")
S = TypeVar("S")
P = TypeVar("P")

_ADDRESS: Final = re.compile(r"(tcp|tls)://[^/]+:[0-9]+")

CONNECT_S: Final = 10
WORKERS_S: Final = 60
"""So long a cluster may be without any worker before it is given up."""

PORTIONS_A_THREAD: Final = 4
"""Handed out at once: enough that nobody waits for the client, or for the slowest."""

RETRIES: Final = 2  # of a task that failed: a connection may have broken off


class _Task(NamedTuple):
    """What a worker is told beside the portion. Whoever prints it prints no secret."""

    run: str
    version: str
    source: Source[Any]
    check: Callable[[Any, Any], Any]


@contextmanager
def shared_among_workers(
    address: str, source: Source[S], check: Callable[[S, P], T]
) -> Iterator[Callable[[Iterable[P]], Iterator[T]]]:
    """Lend what checks portions in the workers of a cluster.

    Args:
        address: Of its scheduler, ``tcp://host:8786`` or ``tls://host:8786``.
        source: What each worker opens.
        check: A function of a module that they have too.

    Raises:
        DaskMissingError: The package is not installed.
        ClusterUnreachableError: There is no scheduler there, or it has no workers.
        WorkersDifferError: They have another version of this program, or none.
        ProcessLostError: All workers are gone, or a portion has killed several.
    """
    if _MISSING is not None:
        raise DaskMissingError from _MISSING
    cluster = _Cluster(address)
    try:
        cluster.require_workers()
        task = _Task(cluster.client.id, _version(), source, check)

        def submit(portion: P) -> _Answer[T]:
            future = cluster.client.submit(_checked, task, portion, pure=False, retries=RETRIES)
            return _Answer(cluster, future)

        yield lambda portions: in_order(
            submit, portions, lambda: PORTIONS_A_THREAD * cluster.threads()
        )
    finally:
        cluster.close()


class _Cluster:
    """A client of a scheduler, which tells what goes wrong in words of ours."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._require_address()
        with self._told():
            self.client: Any = Client(  # type: ignore[no-untyped-call]
                address, timeout=CONNECT_S, set_as_default=False, name="jinhua-verify"
            )

    def _require_address(self) -> None:
        """Refuse what a client would stumble over half-way."""
        found = _ADDRESS.fullmatch(self.address)
        reason = "it is not tcp://HOST:PORT or tls://HOST:PORT"
        if found and found[1] == "tls":
            reason = "the configuration of Dask has no certificates (distributed.comm.tls)"
            found = Security().get_connection_args("client")["ssl_context"]  # type: ignore[no-untyped-call]
        if not found:
            raise ClusterUnreachableError(address=self.address, reason=reason)

    def require_workers(self) -> None:
        """Wait for the first worker, and look at what they all have; tasks pass the scheduler too.

        What is asked is of the standard library: whoever lacks this program can say so.
        """
        with self._told():
            self.client.wait_for_workers(1, timeout=CONNECT_S)
            found = self.client.run(version_of, "jinhua", on_error="return").values()
            try:
                scheduler = self.client.run_on_scheduler(version_of, "jinhua")
            except PackageNotFoundError as error:
                scheduler = error
        for there in (scheduler, *found):
            if there != _version():
                raise WorkersDifferError(here=_version(), there=str(there))

    def threads(self) -> int:
        """Return how many portions it can check at once; at least one, if nobody is there now."""
        with self._told():
            threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    def is_deserted(self) -> bool:
        """Tell whether there is no worker, for so long as one might take to come back."""
        with self._told():
            if self.client.nthreads():
                return False
            with suppress(TimeoutError):
                self.client.wait_for_workers(1, timeout=WORKERS_S)
                return False
            return True

    def close(self) -> None:
        """Let the workers end their connections, and go."""
        with suppress(Exception):  # who cannot be told any more loses it by being idle
            self.client.run(_let_go_of, self.client.id, on_error="ignore")
        self.client.close(timeout=CONNECT_S)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, CancelledError) as error:  # its own ones for time and lines are OSErrors
            reason = str(error).strip() or type(error).__name__
            raise ClusterUnreachableError(address=self.address, reason=reason) from error


class _Answer(Generic[T]):
    """What a portion will have come to, unless nobody is left to say it."""

    def __init__(self, cluster: _Cluster, future: Any) -> None:  # noqa: ANN401 - half typed
        self._cluster, self._future = cluster, future

    def result(self) -> T:
        while not self._future.done():
            with suppress(TimeoutError):
                return self._waited()
            if self._cluster.is_deserted():
                raise ProcessLostError
        return self._waited()

    def _waited(self) -> T:
        try:
            answer: T = self._future.result(timeout=CONNECT_S)
        except KilledWorker as error:
            raise ProcessLostError from error
        except CancelledError as error:
            reason = "its scheduler forgot what it was asked"
            raise ClusterUnreachableError(address=self._cluster.address, reason=reason) from error
        return answer


# --- in a worker ---------------------------------------------------------------------


class _Held(NamedTuple):
    """What a thread of a worker has open, and for whom."""

    run: str
    opened: Any
    stack: ExitStack


_HELD: Final[dict[int, _Held]] = {}
"""By thread."""


def _checked(task: _Task, portion: Any) -> Any:  # noqa: ANN401 - whatever the check takes and gives
    """Check a portion."""
    if _version() != task.version:
        raise WorkersDifferError(here=task.version, there=_version())
    try:
        with few_collections():
            return task.check(_opened(task), portion)
    except BaseException:
        _let_go(threading.get_ident())  # a connection that broke off is of no use to the next task
        raise


def _opened(task: _Task) -> Any:  # noqa: ANN401 - whatever the check reads from
    """Return what this thread has open for a run; what it had for another is closed."""
    thread = threading.get_ident()
    held = _HELD.get(thread)
    if held is None or held.run != task.run:
        _let_go(thread)
        stack = ExitStack()
        held = _HELD[thread] = _Held(task.run, stack.enter_context(task.source.opened()), stack)
    return held.opened


def _let_go(thread: int) -> None:
    held = _HELD.pop(thread, None)
    if held is not None:
        with suppress(Exception):  # it may be closed already
            held.stack.close()


def _let_go_of(run: str) -> None:
    """Close whatever the threads of this worker have open for a run."""
    for thread in [thread for thread, held in list(_HELD.items()) if held.run == run]:
        _let_go(thread)


@cache
def _version() -> str:
    return version_of("jinhua")
