"""That something was appended: one connection of a process listens, for all who wait, if any do.

Nobody is told what was appended. Whoever is woken reads it from the store at a pace of its own, so
whoever is slow holds nothing and nobody up.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Final, TypeVar

import structlog

from adapters.appending.subscription import CHANNEL
from adapters.errors import BusyError, StoreUnreachableError
from adapters.store.postgres import Conn, Store

T = TypeVar("T")

CONSUMERS_MAX: Final = 1_000
"""Streams and long polls in a process."""

_READERS: Final = 2  # threads; with the one that listens, fewer than a store has connections

_PAUSE_S: Final = 0.02  # between two tellings: commits that come meanwhile are told of together

_LOOK_S: Final = 0.5  # how long the end may go unnoticed, and between two tries to connect

log = structlog.get_logger()


class News:
    """Wakes those who wait, of one event loop, and reads for them: nobody else waits for that."""

    def __init__(self, store: Store, closing: asyncio.Event) -> None:
        """Listen on a connection of a store, and read on others.

        Args:
            store: In a role that may read events; nobody else's.
            closing: Wakes everybody too, once it is set.
        """
        self._store = store
        self._closing = closing
        self._loop = asyncio.get_running_loop()
        self._next = asyncio.Event()
        self._consumers = 0
        self._is_wanted = threading.Event()  # somebody follows the history, or this is the end
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="jinhua-feed")
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jinhua-news", daemon=True)

    @property
    def next(self) -> asyncio.Event:
        """What is set the next time. Take it before you read, or what comes meanwhile is missed."""
        return self._next

    async def wait(self, taken: asyncio.Event, seconds: float) -> None:
        """Wait until an event is set that was taken before, for so long at most."""
        with suppress(TimeoutError):
            await asyncio.wait_for(taken.wait(), seconds)

    @contextmanager
    def consuming(self) -> Iterator[None]:
        """Count whoever follows the history, for as long as this lasts.

        Raises:
            BusyError: As many do already as may.
        """
        if self._consumers >= CONSUMERS_MAX:
            raise BusyError(under_way=self._consumers)
        self._consumers += 1
        self._is_wanted.set()
        try:
            yield
        finally:
            self._consumers -= 1
            if not self._consumers and not self._stopped.is_set():
                self._is_wanted.clear()

    async def read(self, work: Callable[[Conn], T]) -> T:
        """Read; each consumer waits for one such work at a time."""
        run = partial(self._store.run, work)
        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["News"]:
        """Listen for as long as this lasts."""
        self._thread.start()
        telling = asyncio.create_task(self._tell_of_closing())
        try:
            yield self
        finally:
            telling.cancel()
            self._stopped.set()
            self._is_wanted.set()
            await asyncio.to_thread(self._thread.join)
            self._readers.shutdown()

    async def _tell_of_closing(self) -> None:
        await self._closing.wait()
        self._wake()

    def _wake(self) -> None:
        woken, self._next = self._next, asyncio.Event()
        woken.set()

    def _tell(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            self._loop.call_soon_threadsafe(self._wake)

    def _run(self) -> None:
        while self._is_wanted.wait() and not self._stopped.is_set():
            try:
                self._listen()
            except StoreUnreachableError as error:
                log.warning("news_wait", code=error.code)
                self._stopped.wait(_LOOK_S)

    def _listen(self) -> None:
        with self._store.connection() as conn:
            conn.execute(f"LISTEN {CHANNEL}")
            self._tell()  # of what came before this connection listened
            while self._is_wanted.is_set() and not self._stopped.is_set():
                for _ in conn.notifies(timeout=_LOOK_S, stop_after=1):
                    self._tell()
                self._stopped.wait(_PAUSE_S)
            conn.execute("UNLISTEN *")
