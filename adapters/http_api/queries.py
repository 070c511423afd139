"""What is read of hands, players and the house; nothing here changes anything.

The pattern of a route: who may call is its parameter's type (``Reader``, ``Auditor``, ``Seen``),
which of it is checked next, then :meth:`Service.wait_for` where it reads a read model, then
:meth:`Service.read` with what blocks, and :func:`as_json`.
"""

from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response

from adapters.http_api import bodies
from adapters.http_api.answers import as_json
from adapters.http_api.callers import Reader
from adapters.http_api.headers import etag
from adapters.http_api.moments import After, AsOf, MinPosition, time_of
from adapters.http_api.paths import PlayerId, Text
from adapters.http_api.problems import problems
from adapters.http_api.service import Here
from adapters.http_api.sights import Seen, Sight
from adapters.registers.api_keys import Role
from adapters.show import timeline, verdict_of
from adapters.views.hand_list import HandFilter
from domain.cards import HIDDEN
from domain.events import CardsDealt, HandOpened
from domain.hand import Hand, hand_stream
from projections.balances import Balance
from projections.hands.row import Flag, State

router = APIRouter(prefix="/v1", tags=["queries"])

PAGE_MAX: Final = 1_000

_PLAYER: Final = "player:"


def read_as(model: type[Any], *statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the answers of a query, as the OpenAPI document lists them."""
    return {200: {"model": model}, **problems(*statuses)}


@router.get("/hands/{hand}", response_model=None, responses=read_as(bodies.HandState, 404, 422))
async def hand_state(request: Request, seen: Seen) -> Response:
    """Say how a hand stands: whose turn it is, what every seat has, what it came to."""
    headers = {"ETag": etag(seen.version)}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return as_json(_state(seen), headers=headers)


@router.get("/hands", response_model=None, responses=read_as(bodies.HandPage, 422))
async def hand_list(  # noqa: PLR0913 - the conditions, each by name
    caller: Reader,
    service: Here,
    *,
    player: Annotated[Text | None, Query(description="Who sat in it.")] = None,
    winner: Annotated[Text | None, Query(description="Who won of the pot.")] = None,
    rulebook: Text | None = None,
    since: Annotated[str | None, Query(max_length=40, description="Opened then or later.")] = None,
    until: Annotated[str | None, Query(max_length=40, description="Opened before.")] = None,
    state: State | None = None,
    flag: Annotated[list[Flag] | None, Query(description="Of several, all.")] = None,
    after: After = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE_MAX)] = 100,
    min_position: MinPosition = None,
) -> Response:
    """List hands in the order in which they were opened, those of the key's tables alone.

    A player gets the hands that the player sat in.
    """
    if caller.role is Role.PLAYER:
        player = player or caller.player
        caller.check_player(player or "")
    wanted = HandFilter(
        player=player,
        winner=winner,
        rulebook=rulebook,
        since=None if since is None else time_of(since, "since"),
        until=None if until is None else time_of(until, "until"),
        state=state,
        flags=tuple(flag) if flag else None,
        tables=caller.tables,
    )
    await service.wait_for(min_position, "hands")
    # One more than shown tells whether there is another page.
    found = await service.read(partial(service.views.hands, wanted, after=after, limit=limit + 1))
    page = found[:limit]
    following = page[-1].opened_position if len(found) > limit else None
    return as_json({"hands": page, "after": following})


@router.get(
    "/players/{player}/balance",
    response_model=None,
    responses=read_as(bodies.Balance, 404, 422),
)
async def balance(
    player: PlayerId,
    caller: Reader,
    service: Here,
    as_of: AsOf,
    min_position: MinPosition = None,
) -> Response:
    """Say what a player has outside any hand, minor units, now or at an earlier moment."""
    caller.check_player(player)
    await service.wait_for(min_position, "balances")
    found: list[Balance] = await service.read(partial(service.views.balances, player, as_of=as_of))
    amount = next((row.balance for row in found if row.account == f"{_PLAYER}{player}"), 0)
    return as_json({"player": player, "balance": amount, "as_of": as_of})


def _state(seen: Sight) -> dict[str, Any]:
    """Return a hand as it stands. Whatever is told of cards, the sight shows."""
    events = [entry.event for _, entry in seen.stored]
    opening = events[0]
    assert isinstance(opening, HandOpened), "a hand begins with its opening"
    cards = next((e.cards for e in events if isinstance(e, CardsDealt)), {})
    hand = Hand.replay(hand_stream(seen.hand), events).state
    state, settlement = verdict_of(events)
    seats = [
        {
            "seat": seat.number,
            "player": seat.player,
            "carry": seat.carry,
            "stack": seat.stack,
            "contributed": seat.contributed,
            "seen": seat.seen,
            "out": seat.out,
            "all_in": seat.all_in,
            "cards": None if cards.get(number, HIDDEN) == HIDDEN else cards[number],
        }
        for number, seat in sorted(hand.seats.items())
    ]
    return {
        "hand": seen.hand,
        "version": seen.version,
        "state": state,
        "view": seen.view,
        "game": opening.game,
        "rulebook": opening.rulebook,
        "rulebook_version": opening.version,
        "rulebook_digest": opening.digest,
        "table": dict(opening.table),
        "dealer": opening.dealer,
        "opener": opening.opener,
        "turn": hand.turn,
        "round": hand.round,
        "stake": hand.stake,
        "pot": timeline(seen.stored)[-1].pot,
        "seats": seats,
        "settlement": settlement,
        "last_position": seen.stored[-1].position,
    }
