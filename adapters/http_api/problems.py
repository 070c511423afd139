"""Refusals and faults as problem details: RFC 9457, with the code that the rest of us knows.

A problem says which rule was broken by which numbers. It never holds a stack trace, what PostgreSQL
said, or where the store is.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from adapters.errors import (
    AdapterError,
    BusyError,
    CardKeyMissingError,
    LedgerClosedError,
    NotReachedError,
    PositionUnknownError,
    StoreUnreachableError,
)
from adapters.evidence.proofs import NoCheckpointError
from adapters.http_api.answers import as_json
from adapters.http_api.errors import (
    BadRequestError,
    InternalError,
    MethodNotAllowedError,
    NotFoundError,
    RequestError,
    RequestTooLargeError,
    UnauthenticatedError,
    UnsupportedTypeError,
)
from domain.errors import (
    AmountOutOfRangeError,
    BadRecordError,
    CommandIdReusedError,
    ConflictError,
    DisputeExistsError,
    HandExistsError,
    PriceChangedError,
    RefusalError,
    TooLargeError,
    UnknownDisputeError,
    UnknownHandError,
    UnknownPlayerError,
)

log = structlog.get_logger()

MEDIA_TYPE: Final = "application/problem+json"

RETRY_AFTER_S: Final = 1

STATUS: Final[Mapping[type[Exception], int]] = {
    # the nearest class of an error that is named here decides
    RefusalError: 422,
    BadRecordError: 400,
    AmountOutOfRangeError: 400,
    UnknownDisputeError: 404,
    UnknownHandError: 404,
    UnknownPlayerError: 404,
    CommandIdReusedError: 409,
    ConflictError: 409,
    DisputeExistsError: 409,
    HandExistsError: 409,
    PriceChangedError: 409,
    TooLargeError: 413,
    AdapterError: 500,
    PositionUnknownError: 404,
    NoCheckpointError: 404,
    BusyError: 503,
    LedgerClosedError: 503,
    NotReachedError: 503,
    StoreUnreachableError: 503,
    CardKeyMissingError: 503,
}

PRECONDITION_FAILED: Final = 412
"""What a conflict is for whoever said, in If-Match, what it expects."""

_IN_OTHER_WORDS: Final[Mapping[type[Exception], str]] = {
    # their own words say where the store is
    StoreUnreachableError: "the store cannot be reached; whether the command was carried out is"
    " not known: give it again under the same key",
    CardKeyMissingError: "this service does not hold the key that the cards are sealed under",
}

_OF_HTTP: Final[Mapping[int, type[RequestError]]] = {
    404: NotFoundError,
    405: MethodNotAllowedError,
    413: RequestTooLargeError,
    415: UnsupportedTypeError,
}


class Problem(BaseModel):
    """Why a request was not carried out."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(description="The address of what the code means.")
    title: str = Field(description="What the code means, in a few words.")
    status: int
    detail: str = Field(description="What is wrong here, in words.")
    code: str = Field(description="Stable; what programs look at.")
    rule: str | None = Field(default=None, description="The rule that refuses: a section of RULES.")
    field: str | None = Field(default=None, description="The part of the request to blame.")
    numbers: dict[str, Any] | None = Field(default=None, description="What broke the rule.")


def problem(error: Exception, *, status: int | None = None) -> Problem:
    """Return what an error is told as."""
    if not isinstance(error, RefusalError | AdapterError):
        return problem(InternalError("a fault of this service; it was logged"))
    numbers = dict(error.numbers) if isinstance(error, RefusalError) else None
    field = getattr(error, "field", None) or (numbers or {}).get("field")
    return Problem(
        type=f"/problems/{error.code}",
        title=title_of(type(error)),
        status=status or status_of(type(error)),
        detail=_IN_OTHER_WORDS.get(type(error), str(error)),
        code=error.code,
        rule=error.rule if isinstance(error, RefusalError) else None,
        field=str(field) if field else None,
        numbers={name: value for name, value in numbers.items() if name != "field"} or None
        if numbers
        else None,
    )


def respond(told: Problem) -> Response:
    """Return a problem as a response."""
    headers = {}
    if told.status in {429, 503}:
        headers["Retry-After"] = str(RETRY_AFTER_S)
    if told.status == UnauthenticatedError.status:
        headers["WWW-Authenticate"] = "Bearer"
    body = told.model_dump(exclude_none=True)
    return as_json(body, status=told.status, headers=headers, media_type=MEDIA_TYPE)


def status_of(kind: type[Exception]) -> int:
    """Return the status that errors of a class are answered with."""
    if issubclass(kind, RequestError):
        return kind.status
    return next(STATUS[parent] for parent in kind.__mro__ if parent in STATUS)


def title_of(kind: type[Exception]) -> str:
    """Return the first sentence of an error's description."""
    return (kind.__doc__ or "").strip().partition("\n")[0].removesuffix(".")


@cache
def known() -> Mapping[str, type[RefusalError | AdapterError]]:
    """Return every class of problem that there is, by its code."""
    kinds = [*_subclasses(RefusalError), *_subclasses(AdapterError)]
    return {kind.code: kind for kind in reversed(kinds) if hasattr(kind, "code")}


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for child in kind.__subclasses__():
        yield child
        yield from _subclasses(child)


def logged(error: Exception) -> None:
    """Log a fault by its kind and place; its words may hold a card."""
    trace, places = error.__traceback__, []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}:{code.co_name}")
        trace = trace.tb_next
    log.error("request_failed", error=type(error).__name__, at=places[-5:])


def install(app: FastAPI) -> None:
    """Let an application answer every error with a problem."""
    app.add_exception_handler(RefusalError, _told)
    app.add_exception_handler(AdapterError, _told)
    app.add_exception_handler(RequestValidationError, _told)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(Exception, _fault)


def told(request: Request, error: Exception) -> Response:
    """Return a refusal or a fault as the answer to a request."""
    if isinstance(error, RequestValidationError):
        error = invalid(error)
    is_guarded = isinstance(error, ConflictError) and "if-match" in request.headers
    found = problem(error, status=PRECONDITION_FAILED if is_guarded else None)
    if found.status == InternalError.status:
        logged(error)
    return respond(found)


def invalid(error: RequestValidationError) -> BadRequestError:
    """Name the first part of a request that is not as it should be, and not what was in it."""
    first = error.errors()[0]
    where, *rest = [str(part) for part in first["loc"]]
    field = ".".join(rest) or where
    return BadRequestError(f"{field}: {first['msg']}", field=field)


async def _told(request: Request, error: Exception) -> Response:
    return told(request, error)


async def _fault(_: Request, error: Exception) -> Response:
    """Tell of a fault; the framework raises it once more, for whoever stands outside to log it."""
    return respond(problem(error))


async def _of_http(_: Request, error: Exception) -> Response:
    return of_http(error, lambda refused: respond(problem(refused)))


def of_http(error: Exception, tell: Callable[[Exception], Response]) -> Response:
    """Tell what the framework refuses by itself, in the way in which errors are told there."""
    assert isinstance(error, HTTPException), error
    kind = _OF_HTTP.get(error.status_code, BadRequestError)
    response = tell(kind(str(error.detail)))
    if allow := (error.headers or {}).get("Allow"):
        response.headers["Allow"] = allow
    return response


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the problems of a route, as the OpenAPI document lists them."""
    schema = {"$ref": "#/components/schemas/Problem"}
    meanings = {
        400: "The request is malformed.",
        401: "No key, or none of this service.",
        403: "The key does not allow it.",
        404: "There is no such thing.",
        409: "Somebody was first, or the command id is used.",
        412: "The hand is at another version than If-Match says.",
        413: "It is too long.",
        415: "The body is of another type.",
        422: "The rules refuse it.",
        429: "The key is used too often.",
        500: "A fault of this service.",
        503: "Too much is under way, or the store is away; see Retry-After.",
    }
    always = {400, 401, 403, 429, 500, 503}
    return {
        status: {"description": meanings[status], "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in sorted(always | set(statuses))
    }
