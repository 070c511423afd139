"""Who is calling, and what that lets them do.

A hand names no table. A key that is bound to tables is for those hands whose id begins with one of
its tables and a slash: ``t1`` for ``t1/0001`` (domain/decisions/0023).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Final, Protocol

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from adapters.http_api.errors import NotAllowedError
from adapters.http_api.headers import Fields, fields, text_of
from adapters.registers.api_keys import Role


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever holds a key."""

    name: str  # as whom it writes, unless a command names its actor; outlives the key
    role: Role
    tables: tuple[str, ...] | None = None  # bound to these; None: to none
    player: str | None = None  # of the role player: whose eyes it has

    def may_touch(self, hand: str) -> bool:
        """Tell whether a hand is of the tables that this key is for."""
        return self.tables is None or any(hand.startswith(f"{table}/") for table in self.tables)

    def check_hand(self, hand: str) -> None:
        """Refuse a hand of other tables, whether or not there is such a hand.

        Raises:
            NotAllowedError: It is one.
        """
        if not self.may_touch(hand):
            raise NotAllowedError("the hand is of a table that this key is not for", field="hand")

    def check_unbound(self) -> None:
        """Refuse a key that is bound to tables what concerns all of them, as wallets do.

        Raises:
            NotAllowedError: It is bound.
        """
        if self.tables is not None:
            raise NotAllowedError("this key is bound to tables, and this is about all of them")

    def check_player(self, player: str) -> None:
        """Refuse a player what is another's, and a key bound to tables what is anybody's.

        Raises:
            NotAllowedError: It is so.
        """
        if self.role is not Role.PLAYER:
            self.check_unbound()
        elif player != self.player:
            raise NotAllowedError("this key is another player's", field="player")


class Callers(Protocol):
    """Whoever knows keys."""

    async def of(self, key: str | None) -> Caller:
        """Return who calls with a key.

        Raises:
            UnauthenticatedError: It is none.
            TooManyRequestsError: It has been used too often.
        """
        ...

    async def check(self, key: str | None) -> None:
        """Refuse a key that was revoked since its holder was let in; an answer may last for hours.

        Raises:
            UnauthenticatedError: It was.
        """
        ...


_BEARER: Final = HTTPBearer(auto_error=False, description="An API key, from `jinhua keys`.")

SECURITY: Final = [{_BEARER.scheme_name: list[str]()}]
"""What the OpenAPI document says of a route that identifies its caller by itself."""


def key_of(said: Fields) -> str | None:
    """Return the key that a request comes with, if any."""
    scheme, _, key = text_of(said, b"authorization").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


async def identified(request: Request) -> Caller:
    """Return who is calling.

    Raises:
        UnauthenticatedError: Nobody knows the key, or there is none.
        TooManyRequestsError: It has been used too often.
    """
    callers: Callers = request.app.state.callers
    caller = await callers.of(key_of(fields(request.scope)))
    request.state.caller = caller
    return caller


def check_role(caller: Caller, *roles: Role) -> None:
    """Refuse whoever has none of these roles.

    Raises:
        NotAllowedError: The caller has none of them.
    """
    if caller.role not in roles:
        raise NotAllowedError(f"a key of role {caller.role} may not do this")


def allowing(*roles: Role) -> Callable[..., Awaitable[Caller]]:
    """Return what lets only these roles pass."""

    async def check(
        request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)]
    ) -> Caller:
        caller = await identified(request)
        check_role(caller, *roles)
        return caller

    return check


AUDITORS: Final = (Role.SERVICE, Role.AUDITOR, Role.INVESTIGATOR)

Writer = Annotated[Caller, Depends(allowing(Role.SERVICE))]
"""May write, where its tables allow it."""

Reader = Annotated[Caller, Depends(allowing(*Role))]
"""May read, each as much as its role allows."""

Auditor = Annotated[Caller, Depends(allowing(*AUDITORS))]
"""May read what no player reads."""
