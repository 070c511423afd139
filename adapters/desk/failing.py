"""Refusals and faults as pages; who is not signed in is led to where one signs in."""

from functools import partial
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException

from adapters.desk.rendering import page, to
from adapters.errors import AdapterError
from adapters.http_api.errors import UnauthenticatedError
from adapters.http_api.problems import RETRY_AFTER_S, invalid, logged, of_http, problem
from domain.errors import RefusalError

_FAULT: Final = 500
_COME_AGAIN: Final = frozenset({429, 503})


def install(app: FastAPI) -> None:
    """Let the pages answer every error with a page."""
    app.add_exception_handler(UnauthenticatedError, _to_sign_in)
    app.add_exception_handler(RefusalError, _told)
    app.add_exception_handler(AdapterError, _told)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _of_http)


def told(request: Request, error: Exception) -> Response:
    """Return an error as a page."""
    found = problem(error)
    if found.status == _FAULT:
        logged(error)
    response = page(request, "problem.html", status=found.status, problem=found)
    if found.status in _COME_AGAIN:
        response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response


async def _told(request: Request, error: Exception) -> Response:
    return told(request, error)


async def _to_sign_in(request: Request, _: Exception) -> Response:
    """Lead to where one signs in, and from there back; a part of a page leads the whole of it."""
    wanted = request.url.path
    if request.url.query:
        wanted += f"?{request.url.query}"
    address = to("/sign-in", next=wanted if request.method == "GET" else None)
    if "hx-request" in request.headers:
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError), error
    return told(request, invalid(error))


async def _of_http(request: Request, error: Exception) -> Response:
    return of_http(error, partial(told, request))
