"""Who gives a command, under which key, expecting what: taken from a request in one go.

The framework solves each dependency of a route anew for each request, which for six of them took
longer than the command itself. So writes have one, and say what it reads in `WRITE` and `GUARDED`.
"""

from typing import Annotated, Any, Final, NamedTuple

from fastapi import Depends, Request

from adapters.api_keys import Role
from adapters.async_ledger import AsyncLedger
from adapters.http_api.bodies import Command
from adapters.http_api.callers import SECURITY, Caller, check_role, identified
from adapters.http_api.headers import (
    IF_MATCH_PARAMETER,
    KEY_PARAMETER,
    command_id,
    expected_version,
)
from adapters.http_api.service import Service

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


async def _given(request: Request) -> Given:
    """Return what a command comes with.

    Raises:
        UnauthenticatedError: Nobody knows the caller.
        NotAllowedError: The caller may not write.
        BadRequestError: The key or the expected version is malformed.
        IdempotencyKeyMissingError: There is no key.
    """
    caller = await identified(request)
    check_role(caller, Role.SERVICE)
    service: Service = request.app.state.service
    return Given(caller, command_id(request), expected_version(request), service.ledger)


Gives = Annotated[Given, Depends(_given)]
