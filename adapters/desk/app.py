"""All of it put together: the pages, and the application that has them beside the API."""

from typing import Any, Final

from fastapi import Depends, FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import State
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from adapters.desk import (
    checkpoints,
    disputes,
    dossiers,
    failing,
    hand,
    hands,
    overview,
    players,
    rulebooks,
    sign_in,
    trail,
    verification,
)
from adapters.desk.front import Front
from adapters.desk.rendering import STATIC, to
from adapters.desk.running import Runs
from adapters.desk.session import PATH, check_origin
from adapters.http_api import app as api
from adapters.http_api import limits
from adapters.http_api.callers import Callers
from adapters.settings import Settings

_ROUTERS: Final = (
    sign_in.router,
    overview.router,
    hands.router,
    players.router,
    trail.router,
    verification.router,
    checkpoints.router,
    dossiers.router,
    rulebooks.router,
    disputes.router,
    hand.router,
)

_FOR_GOOD: Final = "public, max-age=31536000, immutable"


class Files(StaticFiles):
    """Files whose address changes with what is in them: a browser need not ask again."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        response = await super().get_response(path, scope)
        response.headers.setdefault("cache-control", _FOR_GOOD)
        return response


def create_app(
    settings: Settings | None = None,
    *,
    callers: Callers | None = None,
    **more: Any,  # noqa: ANN401 - what the API's own takes
) -> FastAPI:
    """Return the application of one process: the API, and the pages at ``/desk/``."""
    streams = limits.STREAMS | {verification.STREAM}
    app = api.create_app(settings, callers=callers, streams=streams, **more)
    app.add_api_route("/", _to_the_pages, include_in_schema=False, response_model=None)
    app.mount(PATH, desk(app.state))
    return app


def desk(state: State) -> FastAPI:
    """Return the pages, as an application that shares what the other holds open."""
    app = FastAPI(
        openapi_url=None,
        dependencies=[Depends(_from_a_page_of_ours)],
    )
    app.state = state
    app.state.failures = sign_in.Failures()
    app.state.runs = Runs()
    for router in _ROUTERS:
        app.include_router(router)
    app.mount("/static", Files(directory=STATIC))
    failing.install(app)
    app.add_middleware(Front, streams={verification.STREAM})
    return app


async def _from_a_page_of_ours(request: Request) -> None:
    check_origin(request.method, request.headers)


async def _to_the_pages() -> Response:
    """Lead to the pages."""
    return RedirectResponse(to("/"), 303)
