"""A player: the balance over time, every movement of the wallet, 喜钱, and with whom one sat."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from adapters.commands.history import History
from adapters.desk.calling import called
from adapters.desk.moments import AsOf
from adapters.desk.paging import FIRST, Paged, Place
from adapters.desk.rendering import page, to
from adapters.http_api.callers import Reader
from adapters.http_api.paths import PlayerId, Text
from adapters.http_api.service import Here, Service
from adapters.registers.api_keys import Role
from adapters.views.as_of import Moment
from adapters.views.players import curve_of
from domain.errors import UnknownPlayerError
from domain.money import player_account
from domain.wallet import wallet_id

router = APIRouter()

_OPPONENTS: Final = 30


@router.get("/players", response_model=None)
async def find_player(caller: Reader, player: Text = "") -> Response:
    """Lead to the page of a player whose id was given in a form."""
    wanted = player.strip() or caller.player
    path = to("/players/{player}", player=wanted) if wanted else to("/")
    return RedirectResponse(path, 303)


@router.get("/players/{player}", response_model=None)
async def player_page(
    request: Request,
    player: PlayerId,
    caller: Reader,
    service: Here,
    as_of: AsOf,
    at: Paged = FIRST,
) -> Response:
    """Show a player, now or as of an earlier moment."""
    caller.check_player(player)
    if player != caller.player:
        await service.read(partial(_check_known, service, player))
    read = partial(_read, service, player, as_of.moment, at, is_alone=caller.role is Role.PLAYER)
    found = await service.read(read)
    return page(
        request,
        "player.html",
        player=player,
        as_of=as_of,
        names=await called(service, caller, [player, *(one.player for one in found["opponents"])]),
        **found,
    )


def _check_known(service: Service, player: str) -> None:
    """Tell an id that was mistyped from a player who has nothing; one's own page is there anyway.

    Raises:
        UnknownPlayerError: There is no wallet of that player.
    """
    if not History(service.ledger.ledger.store).existing([wallet_id(player)]):
        raise UnknownPlayerError(f"{player} never had a wallet here", player=player)


def _read(
    service: Service, player: str, moment: Moment | None, at: Place, *, is_alone: bool
) -> dict[str, Any]:
    """Read what the page shows. Opponents are of now alone, and a player's own affair not.

    Args:
        service: Where.
        player: Who.
        moment: As of when; None is now.
        at: The page of the statement.
        is_alone: Whether it is the player who asks.
    """
    views = service.views
    balances = views.balances(player, as_of=moment)
    if moment is None:
        curve: Sequence[Any] = views.curve(player)
    else:
        curve = curve_of(views.statement(player, as_of=moment))
    return {
        "balance": next((r.balance for r in balances if r.account == player_account(player)), 0),
        "curve": curve,
        "movements": at.of(
            partial(views.statement, player, as_of=moment), place=lambda row: row.position
        ),
        "bonuses": views.bonuses(player, as_of=moment),
        "opponents": [] if moment else views.opponents(player, limit=_OPPONENTS),
        "is_alone": is_alone,
    }
