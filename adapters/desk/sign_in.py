"""In with a key, and out again."""

import re
import time
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from adapters.desk import session
from adapters.desk.rendering import page, to
from adapters.http_api.admission import Bucket, Rate
from adapters.http_api.callers import Callers
from adapters.http_api.errors import TooManyRequestsError, UnauthenticatedError

router = APIRouter()

FAILURES: Final = Rate(1, 20)
"""How often a process is told a wrong key before it only says to come again: for long, at once."""

_KEY_MAX: Final = 200
_OF_OURS: Final = re.compile(rf"{session.PATH}/[^\\\s]*")


class Failures:
    """Counts the keys that were none, of one process. A key that is one always gets in."""

    def __init__(self) -> None:
        self._bucket = Bucket(FAILURES, time.monotonic())

    def note(self) -> None:
        """Count one more.

        Raises:
            TooManyRequestsError: There were too many.
        """
        if not self._bucket.take(time.monotonic()):
            raise TooManyRequestsError("too many keys are tried; come again in a second")


@router.get("/sign-in", response_model=None)
async def sign_in_page(
    request: Request,
    *,
    next_: Annotated[str | None, Query(alias="next", max_length=2_000)] = None,
) -> Response:
    """Ask for a key."""
    return page(request, "sign_in.html", next=_back(next_), failed=False)


@router.post("/sign-in", response_model=None)
async def sign_in(
    request: Request,
    key: Annotated[str, Form(max_length=_KEY_MAX)],
    next_: Annotated[str | None, Form(alias="next", max_length=2_000)] = None,
) -> Response:
    """Keep the key in a cookie, and show what was asked for; one that is none is not kept."""
    callers: Callers = request.app.state.callers
    try:
        await callers.of(key.strip())
    except UnauthenticatedError as error:
        failures: Failures = request.app.state.failures
        failures.note()
        return page(request, "sign_in.html", status=error.status, next=_back(next_), failed=True)
    response = RedirectResponse(_back(next_), 303)
    session.keep(request, response, key.strip())
    return response


@router.post("/sign-out", response_model=None)
async def sign_out(request: Request) -> Response:
    """Forget the key."""
    response = RedirectResponse(to("/sign-in"), 303)
    session.forget(request, response)
    return response


def _back(wanted: str | None) -> str:
    """Return where to go on: a page of ours, whatever was asked for."""
    return wanted if wanted and _OF_OURS.fullmatch(wanted) else to("/")
