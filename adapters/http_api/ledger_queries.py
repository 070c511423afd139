"""What is read of players, the house, the audit trail, checkpoints and rulebooks."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Response

from adapters.evidence.checkpoints import stored
from adapters.http_api import shapes
from adapters.http_api.answers import as_json
from adapters.http_api.callers import Auditor, Reader
from adapters.http_api.errors import NotFoundError
from adapters.http_api.moments import After, AsOf, MinPosition
from adapters.http_api.paths import PlayerId, RulebookId, Text
from adapters.http_api.queries import PAGE_MAX, read_as
from adapters.http_api.service import Here
from adapters.plain_json import plain
from adapters.views.house import HouseFilter
from domain.errors import UnknownRulebookError
from domain.zhajinhua.rulebook_pages import page
from domain.zhajinhua.rulebooks import find, published
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.wording import Language

router = APIRouter(prefix="/v1", tags=["queries"])

Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Size = Annotated[int, Query(ge=0, lt=2**63)]

_INTEGER_MAX: Final = 2**31 - 1


@router.get(
    "/players/{player}/statement", response_model=None, responses=read_as(shapes.Statement, 404)
)
async def statement(
    player: PlayerId,
    caller: Reader,
    service: Here,
    as_of: AsOf,
    *,
    after: After = 0,
    limit: Limit = 100,
    min_position: MinPosition = None,
) -> Response:
    """List the movements of a player's wallet, with the balance after each; now or as of then."""
    caller.check_player(player)
    await service.wait_for(min_position, "audit_trail")
    read = partial(service.views.statement, player, as_of=as_of, after=after, limit=limit + 1)
    rows, following = _page(await service.read(read), limit)
    told = {"player": player, "as_of": as_of, "movements": rows}
    return as_json({**told, "after": following and following.position})


@router.get("/bonuses", response_model=None, responses=read_as(shapes.BonusList, 404))
async def bonuses(
    caller: Auditor, service: Here, as_of: AsOf, *, min_position: MinPosition = None
) -> Response:
    """List the 喜钱 of everybody, by player, category and rulebook."""
    caller.check_unbound()
    await service.wait_for(min_position, "bonuses")
    rows = await service.read(partial(service.views.bonuses, as_of=as_of))
    return as_json({"bonuses": rows, "as_of": as_of})


@router.get(
    "/players/{player}/bonuses", response_model=None, responses=read_as(shapes.BonusList, 404)
)
async def player_bonuses(
    player: PlayerId,
    caller: Reader,
    service: Here,
    as_of: AsOf,
    *,
    min_position: MinPosition = None,
) -> Response:
    """List the 喜钱 of a player, by category and rulebook."""
    caller.check_player(player)
    await service.wait_for(min_position, "bonuses")
    rows = await service.read(partial(service.views.bonuses, player, as_of=as_of))
    return as_json({"bonuses": rows, "as_of": as_of})


@router.get("/house", response_model=None, responses=read_as(shapes.HouseList, 404))
async def house(
    caller: Auditor,
    service: Here,
    as_of: AsOf,
    *,
    since: Annotated[date | None, Query(description="The first day, UTC.")] = None,
    until: Annotated[date | None, Query(description="The day after the last.")] = None,
    rulebook: Text | None = None,
    min_position: MinPosition = None,
) -> Response:
    """Say what the house took and gave, by day and kind of table."""
    caller.check_unbound()
    await service.wait_for(min_position, "house")
    wanted = HouseFilter(since, until, rulebook)
    rows = await service.read(partial(service.views.house, wanted, as_of=as_of))
    return as_json({"house": rows, "as_of": as_of})


@router.get("/audit-trail", response_model=None, responses=read_as(shapes.TrailPage))
async def audit_trail(
    caller: Auditor,
    service: Here,
    *,
    hand: Annotated[Text | None, Query(description="With its reservations and releases.")] = None,
    player: Annotated[Text | None, Query(description="In a seat, or whose wallet it is.")] = None,
    after: After = 0,
    limit: Limit = 100,
    min_position: MinPosition = None,
) -> Response:
    """List every event as a line: who, what, why, before and after.

    A key that is bound to tables reads what happened in their hands, and nothing of wallets.
    """
    if hand is not None:
        caller.check_hand(hand)
    await service.wait_for(min_position, "audit_trail")
    read = partial(
        service.views.audit_trail,
        hand=hand,
        player=player,
        tables=caller.tables,
        after=after,
        limit=limit + 1,
    )
    rows, last = _page(await service.read(read), limit)
    lines = [
        {name: value for group in plain(row).values() for name, value in group.items()}
        for row in rows
    ]
    return as_json({"lines": lines, "after": last and last.place.position})


@router.get("/checkpoints", response_model=None, responses=read_as(shapes.CheckpointPage))
async def checkpoints(_: Reader, service: Here, *, after: Size = 0, limit: Limit = 100) -> Response:
    """List the checkpoints that were made, in the order of their sizes: anybody may keep them."""
    rows = await service.read(partial(stored, service.ledger.ledger.store))
    page, last = _page([row for row in rows if row.size > after or not after], limit)
    return as_json({"checkpoints": page, "after": last and last.size})


@router.get(
    "/checkpoints/{size}", response_model=None, responses=read_as(shapes.StoredCheckpoint, 404)
)
async def checkpoint(
    size: Annotated[int, Path(ge=0, lt=2**63)], _: Reader, service: Here
) -> Response:
    """Give the checkpoint of a size."""
    rows = await service.read(partial(stored, service.ledger.ledger.store))
    for row in rows:
        if row.size == size:
            return as_json(row)
    raise NotFoundError("no checkpoint of this size was made", field="size")


@router.get("/rulebooks", response_model=None, responses=read_as(shapes.RulebookList))
async def rulebooks(_: Reader) -> Response:
    """List every published rulebook: its version, its digest, its document."""
    return as_json({"rulebooks": [_identity(rulebook) for rulebook in published()]})


@router.get(
    "/rulebooks/{rulebook}", response_model=None, responses=read_as(shapes.RulebookPage, 404)
)
async def rulebook_page(
    rulebook: RulebookId,
    _: Reader,
    *,
    version: Annotated[int | None, Query(ge=1, le=_INTEGER_MAX, description="Else newest.")] = None,
    lang: Language = "en",
) -> Response:
    """Show every field of a rulebook: its value, what it means, and what that rests on."""
    try:
        found = find(rulebook, version)
    except UnknownRulebookError as error:
        raise NotFoundError(str(error), field="rulebook") from None
    return as_json({**_identity(found), "lang": lang, "fields": page(found, lang)})


def _page(rows: Sequence[Any], limit: int) -> tuple[Sequence[Any], Any]:
    """Return a page, and its last row where there is another one; one row more tells that."""
    shown = rows[:limit]
    return shown, shown[-1] if len(rows) > limit else None


def _identity(rulebook: ZhajinhuaRulebook) -> dict[str, Any]:
    names = ("id", "version", "digest", "name", "document")
    return {name: getattr(rulebook, name) for name in names}
