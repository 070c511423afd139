"""What one process of the service holds open, and how its requests come to it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import copy_context
from functools import partial
from typing import Annotated, Final, TypeVar

from fastapi import Depends, Request

from adapters.async_ledger import AsyncLedger
from adapters.bootstrap import prepare_store
from adapters.build import build_of
from adapters.errors import BusyError, MigrationError, StoreNotMigratedError
from adapters.http_api.closing import told_of_stopping
from adapters.http_api.errors import BadRequestError, NotReadyError
from adapters.http_api.keeping import Keeper
from adapters.http_api.measuring import LENT, UNDER_WAY, MeasuredLedger, watch
from adapters.http_api.news import News
from adapters.ledger import Ledger
from adapters.registers.names import Names
from adapters.settings import Settings
from adapters.store.migrations import pending
from adapters.store.postgres import Store
from adapters.store.sealing import CardKeys
from adapters.views.projector import ROLE, Projector
from adapters.views.views import Views

T = TypeVar("T")

COMMANDS_MAX: Final = 1_024
"""Commands under way in a process; a third of a second of work. Who comes then is told to wait."""

READS_MAX: Final = 256
"""Queries under way in a process."""

IMPORTS_MAX: Final = 2
"""Imports under way in a process."""

_READERS: Final = 4  # as many threads as a store has connections
_SAMPLING_S: Final = 1.0  # between two looks at the connections


class Service:
    """The ledger and the read models, for the requests of one event loop."""

    def __init__(
        self,
        ledger: AsyncLedger,
        views: Views,
        *,
        closing: asyncio.Event,
        news: News,
        pools: Mapping[str, Store],
    ) -> None:
        self.ledger = ledger
        self.pools = pools
        self.views = views
        self.names = Names(ledger.ledger.store)
        self.closing = closing
        """Set once the service is about to stop: streams end then."""
        self.news = news
        self.importing = asyncio.Semaphore(IMPORTS_MAX)
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="jinhua-read")
        self._reading = 0

    async def read(self, work: Callable[[], T]) -> T:
        """Read where waiting holds nobody up.

        Raises:
            BusyError: As many read already as may.
        """
        if self._reading >= READS_MAX:
            raise BusyError(under_way=self._reading)
        self._reading += 1
        try:
            in_context = partial(copy_context().run, work)  # what is logged there says for whom
            return await asyncio.get_running_loop().run_in_executor(self._readers, in_context)
        finally:
            self._reading -= 1

    def check_store(self) -> None:
        """Check that the store answers, and is what this program works on.

        Raises:
            StoreUnreachableError: It does not answer.
            NotReadyError: It was not migrated, or further than this program knows.
        """
        with self.ledger.ledger.store.connection() as conn:
            try:
                if waiting := pending(conn):
                    raise StoreNotMigratedError(pending=waiting)
            except MigrationError as error:
                raise NotReadyError(str(error)) from error

    def lag(self) -> Mapping[str, float]:
        """Return for how long, seconds, the oldest event has been there that a projection lacks.

        Raises:
            StoreUnreachableError: The store does not answer.
        """
        return Projector(self.pools["history"]).ages()

    def sample(self) -> None:
        """Note how many connections are in use, and how many commands are under way."""
        UNDER_WAY.set(self.ledger.under_way)
        for name, store in self.pools.items():
            LENT.labels(name).set(store.lent)

    async def keep_sampling(self) -> None:
        """Note that for as long as the service runs: its other processes are asked, not this."""
        while True:
            self.sample()
            await asyncio.sleep(_SAMPLING_S)

    async def wait_for(self, position: int | None, projection: str) -> None:
        """Wait until a projection has what was written up to a position, if one is given.

        Raises:
            BadRequestError: Nothing was written at that position yet: no receipt says so.
            NotReachedError: The projection has not come so far in time.
        """
        if position is None:
            return
        last = await self.read(self.ledger.ledger.recorder.max_notification_id)
        if position > (last or 0):
            raise BadRequestError("no position has come so far", field="min_position")
        await self.ledger.wait_for(position, projection)


@asynccontextmanager
async def opened(settings: Settings, *, keeps: bool) -> AsyncIterator[Service]:
    """Open what a process needs, and close it once everything that was begun is finished.

    Args:
        settings: The configuration.
        keeps: Keep the read models up as well; else another process does.

    Raises:
        StoreUnreachableError: The store cannot be started or reached.
        MigrationError: Its shape is not what this program knows.
    """
    dsn = await asyncio.to_thread(prepare_store, settings)
    cards, build = CardKeys(settings.card_keys), build_of(settings.build)
    closing = asyncio.Event()
    pools: dict[str, Store] = {}

    def store(name: str, role: str) -> Store:
        pools[name] = found = Store(dsn, role=role, cards=cards)
        closings.callback(found.close)
        return found

    async with AsyncExitStack() as closings:
        history = store("history", ROLE)
        views = Views(store("views", "jinhua_reader"), history)
        if keeps:
            keeper = Keeper(store("keeper", ROLE))
            keeper.start()
            closings.push_async_callback(asyncio.to_thread, keeper.stop)
        pools["ledger"] = Store(dsn, cards=cards, build=build)
        ledger = Ledger(pools["ledger"], watch=watch)
        live = await closings.enter_async_context(
            MeasuredLedger(ledger, under_way_max=COMMANDS_MAX)
        )
        feed = News(store("feed", ROLE), closing)
        news = await closings.enter_async_context(feed.listening())
        with told_of_stopping(closing):
            service = Service(live, views, closing=closing, news=news, pools=pools)
            sampling = asyncio.create_task(service.keep_sampling())
            closings.callback(sampling.cancel)
            yield service


async def here(request: Request) -> Service:
    """Return the service of the process that answers."""
    service: Service = request.app.state.service
    return service


Here = Annotated[Service, Depends(here)]
