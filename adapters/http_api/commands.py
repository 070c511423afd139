"""Everything that writes, one by one: each is a command of the ledger, under the caller's key.

The pattern of a route: whether the caller may, then the command, then :func:`answered`.
"""

from typing import Any, Final

from fastapi import APIRouter, Response

from adapters.http_api.answers import answered
from adapters.http_api.bodies import (
    Claim,
    Disclosure,
    ManyActs,
    Movement,
    OneAct,
    Opening,
    Receipt,
    Voiding,
)
from adapters.http_api.paths import HandId, PlayerId, segment
from adapters.http_api.problems import problems
from adapters.http_api.writing import GUARDED, WRITE, CommandRoute, Gives, operation

router = APIRouter(
    prefix="/v1",
    tags=["commands"],
    route_class=CommandRoute,
    generate_unique_id_function=operation,
)

_RECEIPT: Final[dict[str, Any]] = {
    "model": Receipt,
    "description": "It is carried out, now or before.",
    "headers": {
        "ETag": {"description": "The hand's version.", "schema": {"type": "string"}},
        "Idempotency-Replayed": {
            "description": "`true` where the key was used before, for just this.",
            "schema": {"type": "string"},
        },
    },
}
_OF_HAND: Final[Any] = {200: _RECEIPT, **problems(404, 409, 413, 415, 422)}
_OF_RUNNING: Final[Any] = {**_OF_HAND, **problems(412)}
_OPENED: Final[Any] = {201: _RECEIPT, **problems(409, 413, 415, 422)}
_OF_WALLET: Final[Any] = {200: _RECEIPT, **problems(409, 413, 415, 422)}


@router.post("/hands", status_code=201, response_model=None, responses=_OPENED, openapi_extra=WRITE)
async def open_hand(body: Opening, given: Gives) -> Response:
    """Open a hand, and reserve every seat's carry from its wallet."""
    given.caller.check_hand(body.hand)
    receipt = await given.ledger.open_hand(
        body.hand,
        body.rulebook,
        table=body.table,
        dealer=body.dealer,
        seats=[seat.model_dump(exclude_none=True) for seat in body.seats],
        deal=body.deal,  # type: ignore[arg-type] # by seat as text, as records have it
        command_id=given.key,
        actor=given.actor(body),
        opener=body.opener,
        draws=body.bonus_draws,  # type: ignore[arg-type]
        commitment=body.commitment,
    )
    response = answered(receipt, status=201)
    response.headers["Location"] = f"/v1/hands/{segment(body.hand)}"
    return response


@router.post(
    "/hands/{hand}/actions", response_model=None, responses=_OF_RUNNING, openapi_extra=GUARDED
)
async def act(hand: HandId, body: OneAct, given: Gives) -> Response:
    """Take one action; the one that ends the hand settles it and pays out."""
    given.caller.check_hand(hand)
    action, price = body.priced
    receipt = await given.ledger.act(
        hand,
        action,
        command_id=given.key,
        actor=given.actor(body),
        expected_version=given.expected,
        price=price,
    )
    return answered(receipt)


@router.post(
    "/hands/{hand}/actions:batch", response_model=None, responses=_OF_RUNNING, openapi_extra=GUARDED
)
async def act_many(hand: HandId, body: ManyActs, given: Gives) -> Response:
    """Take several actions in one transaction: all or none, or those before the first refused."""
    given.caller.check_hand(hand)
    receipt = await given.ledger.act_many(
        hand,
        [act.priced for act in body.actions],
        command_id=given.key,
        actor=given.actor(body),
        expected_version=given.expected,
        atomic=body.atomic,
    )
    return answered(receipt)


@router.post(
    "/hands/{hand}/void", response_model=None, responses=_OF_RUNNING, openapi_extra=GUARDED
)
async def void_hand(hand: HandId, body: Voiding, given: Gives) -> Response:
    """Let a running hand not count: every seat gets back all that it brought."""
    given.caller.check_hand(hand)
    receipt = await given.ledger.void_hand(
        hand,
        body.reason,
        command_id=given.key,
        actor=given.actor(body),
        expected_version=given.expected,
    )
    return answered(receipt)


@router.post("/hands/{hand}/deck", response_model=None, responses=_OF_HAND, openapi_extra=WRITE)
async def disclose_deck(hand: HandId, body: Disclosure, given: Gives) -> Response:
    """Disclose the deck that a hand was committed to, once it is over."""
    given.caller.check_hand(hand)
    receipt = await given.ledger.disclose_deck(
        hand, body.salt, body.deck, command_id=given.key, actor=given.actor(body)
    )
    return answered(receipt)


@router.post("/hands/{hand}/claims", response_model=None, responses=_OF_HAND, openapi_extra=WRITE)
async def claim_settlement(hand: HandId, body: Claim, given: Gives) -> Response:
    """Keep what another system says that a settled hand came to, and name what differs."""
    given.caller.check_hand(hand)
    receipt = await given.ledger.claim_settlement(
        hand,
        body.settlement,
        claimant=body.claimant,
        command_id=given.key,
        actor=given.actor(body),
    )
    return answered(receipt)


@router.post(
    "/players/{player}/deposits", response_model=None, responses=_OF_WALLET, openapi_extra=WRITE
)
async def deposit(player: PlayerId, body: Movement, given: Gives) -> Response:
    """Bring chips in from the cashier. A key that is bound to tables may not."""
    given.caller.check_unbound()
    receipt = await given.ledger.deposit(
        player, body.amount, command_id=given.key, actor=given.actor(body)
    )
    return answered(receipt)


@router.post(
    "/players/{player}/withdrawals", response_model=None, responses=_OF_WALLET, openapi_extra=WRITE
)
async def withdraw(player: PlayerId, body: Movement, given: Gives) -> Response:
    """Take chips out to the cashier. A key that is bound to tables may not."""
    given.caller.check_unbound()
    receipt = await given.ledger.withdraw(
        player, body.amount, command_id=given.key, actor=given.actor(body)
    )
    return answered(receipt)
