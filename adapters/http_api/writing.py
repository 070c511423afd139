"""Commands taken from requests: who gives them, under which key, expecting what, with which body.

The framework solves the dependencies of a route anew for each request and keeps stacks for what
they may leave behind, which took longer than the command itself (`scripts/bench.py --http`). So
routes that write are :class:`CommandRoute`, whose parameters are read here, in one way for all, and
which answer by themselves. The framework still documents them; what it cannot see they say in
`WRITE` and `GUARDED`.
"""

import json
from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple, NoReturn, get_type_hints

from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from starlette.types import Receive, Scope, Send

from adapters.async_ledger import AsyncLedger
from adapters.errors import AdapterError
from adapters.http_api.bodies import Command
from adapters.http_api.callers import SECURITY, Caller, Callers, check_role, key_of
from adapters.http_api.errors import BadRequestError
from adapters.http_api.headers import (
    IF_MATCH_PARAMETER,
    KEY_PARAMETER,
    Fields,
    command_id,
    expected_version,
    fields,
    text_of,
)
from adapters.http_api.problems import told
from adapters.http_api.service import Service
from adapters.registers.api_keys import Role
from domain.errors import RefusalError

WRITE: Final[dict[str, Any]] = {"parameters": [KEY_PARAMETER], "security": SECURITY}
"""What the OpenAPI document says of a route that writes."""

GUARDED: Final[dict[str, Any]] = {**WRITE, "parameters": [KEY_PARAMETER, IF_MATCH_PARAMETER]}
"""And of one that may expect a version."""


class Given(NamedTuple):
    """What every command comes with, beside its body."""

    caller: Caller
    key: str
    expected: int | None
    ledger: AsyncLedger

    def actor(self, body: Command) -> str:
        """Return who gives the command: as it says, else the holder of the key."""
        return body.actor or self.caller.name


async def _taken(scope: Scope, said: Fields) -> Given:
    """Return what a command comes with.

    Raises:
        UnauthenticatedError: Nobody knows the key, or there is none.
        TooManyRequestsError: It has been used too often.
        NotAllowedError: The caller may not write.
        BadRequestError: The key or the expected version is malformed.
        IdempotencyKeyMissingError: There is no key.
    """
    callers: Callers = scope["app"].state.callers
    service: Service = scope["app"].state.service
    caller = await callers.of(key_of(said))
    check_role(caller, Role.SERVICE)
    return Given(caller, command_id(said), expected_version(said), service.ledger)


def _never_solved() -> NoReturn:
    raise AssertionError("CommandRoute takes it")


Gives = Annotated[Given, Depends(_never_solved)]
"""To the framework no part of the body; it is :class:`CommandRoute` that takes it."""


def operation(route: APIRoute) -> str:
    """Return the id of an operation: the name of what does it."""
    return route.name


class CommandRoute(APIRoute):
    """A route that writes: its endpoint takes ids of the path, `body` and `given` alone."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:  # noqa: ANN401 - the framework's
        """Learn what the endpoint takes."""
        super().__init__(path, endpoint, **more)
        types = get_type_hints(endpoint, include_extras=True)
        self._body = TypeAdapter[Any](types["body"])
        self._ids = {name: TypeAdapter[Any](types[name]) for name in self.param_convertors}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that came by way of the framework."""
        take = self.answer if scope["method"] in (self.methods or ()) else super().handle
        await take(scope, receive, send)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, also with what is wrong with it."""
        try:
            response = await self._carried_out(scope, receive)
        except (RefusalError, AdapterError, RequestValidationError) as error:
            response = told(Request(scope), error)
        await response(scope, receive, send)

    async def _carried_out(self, scope: Scope, receive: Receive) -> Response:
        """Take a command from a request, and carry it out.

        Raises:
            RefusalError: It is refused.
            AdapterError: It could not be carried out.
            RequestValidationError: A part of it is not as it should be.
        """
        said, path = fields(scope), scope["path_params"]
        given = await _taken(scope, said)
        ids = {name: _valid(of, path[name], "path", name) for name, of in self._ids.items()}
        body = self._read(text_of(said, b"content-type"), await _whole(receive))
        response: Response = await self.endpoint(**ids, body=body, given=given)
        return response

    def _read(self, content_type: str, content: bytes) -> Any:  # noqa: ANN401 - of its type
        """Return a body as its type has it.

        Raises:
            BadRequestError: It says that it is something else, or is no JSON.
            RequestValidationError: It is JSON, and not of the type.
        """
        _check_type(content_type)
        try:
            return self._body.validate_json(content)
        except ValidationError:
            return _valid(self._body, _json(content), "body")  # it says what is wrong, and where


def _valid(of: TypeAdapter[Any], value: object, *where: str) -> Any:  # noqa: ANN401 - of its type
    """Return a part of a request as its type has it.

    Raises:
        RequestValidationError: It is none.
    """
    try:
        return of.validate_python(value)
    except ValidationError as error:
        first, *_ = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**first, "loc": (*where, *first["loc"])}]) from None


async def _whole(receive: Receive) -> bytes:
    """Return the body of a request.

    Raises:
        BadRequestError: It broke off.
    """
    parts, is_more = [], True
    while is_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequestError("the request broke off", field="body")
        parts.append(message.get("body", b""))
        is_more = message.get("more_body", False)
    return b"".join(parts)


def _check_type(content_type: str) -> None:
    """Refuse a body that is no JSON.

    Raises:
        BadRequestError: It says that it is something else.
    """
    if content_type == "application/json":
        return
    kind, _, subtype = content_type.partition(";")[0].strip().lower().partition("/")
    if kind != "application" or not f"+{subtype}".endswith("+json"):
        raise BadRequestError("the body is no JSON, as its Content-Type says", field="body")


def _json(body: bytes) -> Any:  # noqa: ANN401 - whatever it holds
    """Return what a body holds.

    Raises:
        BadRequestError: It is no JSON.
    """
    try:
        return json.loads(body)
    except json.JSONDecodeError as error:
        raise BadRequestError(f"the body is no JSON: {error.msg}", field=str(error.pos)) from None
    except (ValueError, RecursionError):
        raise BadRequestError("the body is no JSON", field="body") from None
