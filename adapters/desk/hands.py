"""Hands found by who played, where, when, and how it ended; and searches saved under a name."""

from functools import partial
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from adapters.desk import saving
from adapters.desk.calling import called
from adapters.desk.paging import FIRST, Paged
from adapters.desk.rendering import page, to
from adapters.desk.wording import minor_units
from adapters.http_api.callers import Caller, Reader
from adapters.http_api.moments import time_of
from adapters.http_api.paths import STORABLE, Text
from adapters.http_api.service import Here
from adapters.registers.api_keys import Role
from adapters.views.hand_list import HandFilter
from domain.money import MAX_AMOUNT
from domain.zhajinhua.rulebooks import published
from projections.hands.row import FLAGS, Flag, State

router = APIRouter()

_FIRST_ASKED: Final = frozenset({"player", "winner", "state", "rulebook"})
_NAME_MAX: Final = 80
_QUERY_MAX: Final = 2_000
_INTEGER_MAX: Final = 2**31 - 1

Chips = Annotated[int | None, BeforeValidator(minor_units), Field(ge=0, le=MAX_AMOUNT)]
"""An amount as a reader writes it, ``5`` or ``5.00``; minor units."""


class Conditions(BaseModel):
    """Which hands. What is left empty in the form is no condition."""

    model_config = ConfigDict(extra="ignore")

    player: Text | None = None
    winner: Text | None = None
    rulebook: Text | None = None
    version: Annotated[int | None, Field(ge=1, le=_INTEGER_MAX)] = None
    ante: Chips = None
    max_stake: Chips = None
    since: Annotated[str | None, Field(max_length=40)] = None
    until: Annotated[str | None, Field(max_length=40)] = None
    state: State | None = None
    flag: list[Flag] = []

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, given: Any) -> Any:  # noqa: ANN401 - as it comes
        return {name: value for name, value in given.items() if value not in ("", [""])}

    def wanted(self, caller: Caller) -> HandFilter:
        """Return them as a filter, for what a caller may see.

        Raises:
            BadRequestError: A time is none.
            NotAllowedError: It asks for another player's hands.
        """
        player = self.player
        if caller.role is Role.PLAYER:
            player = player or caller.player
            caller.check_player(player or "")
        return HandFilter(
            player=player,
            winner=self.winner,
            rulebook=self.rulebook,
            version=self.version,
            ante=self.ante,
            max_stake=self.max_stake,
            since=None if self.since is None else time_of(self.since, "since"),
            until=None if self.until is None else time_of(self.until, "until"),
            state=self.state,
            flags=tuple(self.flag) or None,
            tables=caller.tables,
        )

    @property
    def has_more(self) -> bool:
        """Tell whether there are some beside those that are asked for most often."""
        return not self.model_fields_set <= _FIRST_ASKED

    @property
    def query(self) -> str:
        """Return them as an address has them."""
        given = self.model_dump(exclude_defaults=True)
        for name in ("ante", "max_stake"):
            if name in given:
                given[name] = f"{given[name] // 100}.{given[name] % 100:02}"
        return urlencode(given, doseq=True)


@router.get("/hands", response_model=None)
async def hand_list_page(
    request: Request,
    caller: Reader,
    service: Here,
    wanted: Annotated[Conditions, Query()],
    at: Paged = FIRST,
) -> Response:
    """List hands, the newest first; a part of the page where a script asks for it."""
    chosen = wanted.wanted(caller)
    store = service.ledger.ledger.store
    found = await service.read(
        lambda: at.of(partial(service.views.hands, chosen), place=lambda row: row.opened_position)
    )
    players = [player for row in found.rows for player in row.players]
    response = page(
        request,
        "hands.html",
        found=found,
        wanted=wanted,
        query=wanted.query,
        names=await called(service, caller, players),
        searches=await service.read(partial(saving.saved, store, saving.owner_of(caller))),
        states=("running", "settled", "void"),
        flags=FLAGS,
        rulebooks=sorted({(one.id, one.version) for one in published()}),
    )
    if "hx-request" in request.headers:  # the address without what is left empty in the form
        response.headers["HX-Push-Url"] = to("/hands") + at.address(wanted.query)
    return response


@router.post("/hands/searches", response_model=None)
async def save_search(
    caller: Reader,
    service: Here,
    name: Annotated[str, Form(min_length=1, max_length=_NAME_MAX, pattern=STORABLE)],
    query: Annotated[str, Form(max_length=_QUERY_MAX, pattern=STORABLE)] = "",
) -> Response:
    """Save the conditions of a list under a name."""
    store, owner = service.ledger.ledger.store, saving.owner_of(caller)
    await service.read(partial(saving.save, store, owner, name.strip() or name, query))
    return RedirectResponse(to("/hands") + (f"?{query}" if query else ""), 303)


@router.post("/hands/searches/forget", response_model=None)
async def forget_search(
    caller: Reader,
    service: Here,
    name: Annotated[str, Form(max_length=_NAME_MAX, pattern=STORABLE)],
) -> Response:
    """Forget a search."""
    store, owner = service.ledger.ledger.store, saving.owner_of(caller)
    await service.read(partial(saving.forget, store, owner, name))
    return RedirectResponse(to("/hands"), 303)
