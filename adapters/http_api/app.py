"""All of it put together: the application that a server runs."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from importlib.metadata import version
from typing import Any, Final

from fastapi import FastAPI
from starlette.types import ASGIApp

from adapters.http_api import (
    commands,
    feed,
    hand_queries,
    imports,
    ledger_queries,
    limits,
    openapi,
    operations,
    problems,
    queries,
    telemetry,
)
from adapters.http_api.admission import KeyHolders
from adapters.http_api.callers import Callers
from adapters.http_api.passing import Passage
from adapters.http_api.service import opened
from adapters.http_api.writing import CommandRoute, operation
from adapters.settings import Settings

_ROUTERS: Final = (
    imports.router,
    queries.router,
    hand_queries.router,
    ledger_queries.router,
    feed.router,
    operations.router,
)

_DESCRIPTION: Final = """Every hand of 炸金花 as facts that can be replayed and checked.

Amounts are integers of minor units (分). Whatever writes has an `Idempotency-Key`: given again, it
gets its first answer and changes nothing. A hand's `ETag` is its version. What is refused is told
as problem details with a stable `code`."""


class _Application(FastAPI):
    """The framework's, behind what stands before every application here."""

    def __init__(
        self,
        passage: Callable[[ASGIApp, Sequence[CommandRoute]], ASGIApp],
        **more: Any,  # noqa: ANN401 - what the framework's takes
    ) -> None:
        super().__init__(**more)
        self._passage = passage

    def build_middleware_stack(self) -> ASGIApp:
        """Return what answers every request."""
        writing = [route for route in self.routes if isinstance(route, CommandRoute)]
        return self._passage(super().build_middleware_stack(), writing)


def create_app(
    settings: Settings | None = None,
    *,
    callers: Callers | None = None,
    workers: int | None = None,
    body_max: int = limits.BODY_MAX,
    timeout_s: float = limits.TIMEOUT_S,
    streams: frozenset[str] = limits.STREAMS,
) -> FastAPI:
    """Return the application of one process; it opens the store when it starts up.

    Args:
        settings: The configuration; else what the environment says.
        callers: Who knows keys; else the store does.
        workers: How many processes serve at this address, beside the one that keeps the read models
            up; None: this one alone, and it keeps them up as well.
        body_max: Bytes of a request.
        timeout_s: How long a request may take, seconds.
        streams: The paths of those that may take as long as they like.
    """
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with opened(chosen, keeps=workers is None) as service:
            app.state.service = service
            with closing(KeyHolders(service.ledger.ledger.store)) as holders:
                app.state.callers = callers or holders
                yield

    app = _Application(
        passage=partial(
            Passage,
            body_max=body_max,
            timeout_s=timeout_s,
            streams=streams,
            last_of=limits.LAST_OF if (workers or 1) > 1 else None,
        ),
        title="jinhua",
        version=version("jinhua"),
        description=_DESCRIPTION,
        lifespan=lifespan,
        openapi_url=None,  # served by operations.py
        telemetry=telemetry.configuration(chosen),
        generate_unique_id_function=operation,
    )
    # The routes themselves: included ones the passage would not see, and the framework match twice.
    app.router.routes.extend(commands.router.routes)
    for router in _ROUTERS:
        app.include_router(router)
    problems.install(app)
    app.openapi = partial(openapi.document, app)  # type: ignore[method-assign]
    return app
