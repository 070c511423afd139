"""The audit trail: every event as a line, the newest first, now or as of an earlier moment."""

from functools import partial

from fastapi import APIRouter, Request, Response

from adapters.desk.calling import called
from adapters.desk.moments import Asked, AsOf
from adapters.desk.paging import FIRST, Page, Paged, Place
from adapters.desk.rendering import page
from adapters.http_api.callers import Auditor, Caller
from adapters.http_api.paths import Text
from adapters.http_api.service import Here, Service

router = APIRouter()


@router.get("/trail", response_model=None)
async def trail_page(
    request: Request,
    caller: Auditor,
    service: Here,
    as_of: AsOf,
    *,
    hand: Text = "",
    player: Text = "",
    at: Paged = FIRST,
) -> Response:
    """List events: of a hand, of a player, or all; of a key's tables alone."""
    wanted_hand, wanted_player = hand.strip() or None, player.strip() or None
    if wanted_hand is not None:
        caller.check_hand(wanted_hand)
    found = await service.read(
        partial(_read, service, caller, as_of, at, hand=wanted_hand, player=wanted_player)
    )
    return page(
        request,
        "trail.html",
        found=found,
        hand=wanted_hand,
        player=wanted_player,
        as_of=as_of,
        names=await called(service, caller, (row.who.player for row in found.rows)),
    )


def _read(
    service: Service,
    caller: Caller,
    as_of: Asked,
    at: Place,
    *,
    hand: str | None,
    player: str | None,
) -> Page:
    """Read a page. A line never changes once it is there, so a moment is where the lines end."""
    views = service.views
    upto = None if as_of.moment is None else views.position_of(as_of.moment)
    read = partial(views.audit_trail, hand=hand, player=player, tables=caller.tables)
    return at.of(read, place=lambda row: row.place.position, upto=upto)
