"""What one process of the service holds open, and how its requests come to it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Annotated, Final, TypeVar

from fastapi import Depends, Request

from adapters.async_ledger import AsyncLedger
from adapters.bootstrap import prepare_store
from adapters.errors import BusyError
from adapters.http_api.closing import told_of_stopping
from adapters.http_api.keeping import Keeper
from adapters.ledger import Ledger
from adapters.names import Names
from adapters.postgres import Store
from adapters.projector import ROLE
from adapters.sealing import CardKeys
from adapters.settings import Settings
from adapters.views.views import Views

T = TypeVar("T")

COMMANDS_MAX: Final = 1_024
"""Commands under way in a process; a third of a second of work. Who comes then is told to wait."""

READS_MAX: Final = 256
"""Queries under way in a process."""

IMPORTS_MAX: Final = 2
"""Imports under way in a process."""

_READERS: Final = 4  # as many threads as a store has connections


class Service:
    """The ledger and the read models, for the requests of one event loop."""

    def __init__(self, ledger: AsyncLedger, views: Views, *, closing: asyncio.Event) -> None:
        self.ledger = ledger
        self.views = views
        self.names = Names(ledger.ledger.store)
        self.closing = closing
        """Set once the service is about to stop: streams end then."""
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
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        finally:
            self._reading -= 1

    async def wait_for(self, position: int | None, projection: str) -> None:
        """Wait until a projection has what was written up to a position, if one is given.

        Raises:
            NotReachedError: It has not come so far in time.
        """
        if position is not None:
            await self.ledger.wait_for(position, projection)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Service]:
    """Open what a process needs, and close it once everything that was begun is finished.

    Raises:
        StoreUnreachableError: The store cannot be started or reached.
        MigrationError: Its shape is not what this program knows.
    """
    dsn = await asyncio.to_thread(prepare_store, settings)
    cards = CardKeys(settings.card_keys)
    closing = asyncio.Event()

    def store(role: str) -> Store:
        found = Store(dsn, role=role, cards=cards)
        closings.callback(found.close)
        return found

    async with AsyncExitStack() as closings:
        history = store(ROLE)
        views = Views(store("jinhua_reader"), history)
        keeper = Keeper(store(ROLE))
        keeper.start()
        closings.push_async_callback(asyncio.to_thread, keeper.stop)
        ledger = Ledger(Store(dsn, cards=cards))
        live = await closings.enter_async_context(AsyncLedger(ledger, under_way_max=COMMANDS_MAX))
        with told_of_stopping(closing):
            yield Service(live, views, closing=closing)


async def here(request: Request) -> Service:
    """Return the service of the process that answers."""
    service: Service = request.app.state.service
    return service


Here = Annotated[Service, Depends(here)]
