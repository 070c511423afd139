"""Everything that writes, one by one: each is a command of the ledger, under the caller's key."""

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
from adapters.http_api.callers import Writer
from adapters.http_api.headers import CommandId, ExpectedVersion
from adapters.http_api.paths import HandId, PlayerId, segment
from adapters.http_api.problems import problems
from adapters.http_api.service import Here

router = APIRouter(prefix="/v1", tags=["commands"])

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
_GUARDED: Final[Any] = {**_OF_HAND, **problems(412)}
_OPENED: Final[Any] = {201: _RECEIPT, **problems(409, 413, 415, 422)}
_OF_WALLET: Final[Any] = {200: _RECEIPT, **problems(409, 413, 415, 422)}


@router.post("/hands", status_code=201, response_model=None, responses=_OPENED)
async def open_hand(body: Opening, caller: Writer, key: CommandId, service: Here) -> Response:
    """Open a hand, and reserve every seat's carry from its wallet."""
    caller.check_hand(body.hand)
    receipt = await service.ledger.open_hand(
        body.hand,
        body.rulebook,
        table=body.table,
        dealer=body.dealer,
        seats=[seat.model_dump(exclude_none=True) for seat in body.seats],
        deal=body.deal,  # type: ignore[arg-type] # by seat as text, as records have it
        command_id=key,
        actor=body.actor or caller.name,
        opener=body.opener,
        draws=body.bonus_draws,  # type: ignore[arg-type]
        commitment=body.commitment,
    )
    response = answered(receipt, status=201)
    response.headers["Location"] = f"/v1/hands/{segment(body.hand)}"
    return response


@router.post("/hands/{hand}/actions", response_model=None, responses=_GUARDED)
async def act(
    hand: HandId,
    body: OneAct,
    caller: Writer,
    key: CommandId,
    expected: ExpectedVersion,
    service: Here,
) -> Response:
    """Take one action; the one that ends the hand settles it and pays out."""
    caller.check_hand(hand)
    action, price = body.priced
    receipt = await service.ledger.act(
        hand,
        action,
        command_id=key,
        actor=body.actor or caller.name,
        expected_version=expected,
        price=price,
    )
    return answered(receipt)


@router.post("/hands/{hand}/actions:batch", response_model=None, responses=_GUARDED)
async def act_many(
    hand: HandId,
    body: ManyActs,
    caller: Writer,
    key: CommandId,
    expected: ExpectedVersion,
    service: Here,
) -> Response:
    """Take several actions in one transaction: all or none, or those before the first refused."""
    caller.check_hand(hand)
    receipt = await service.ledger.act_many(
        hand,
        [act.priced for act in body.actions],
        command_id=key,
        actor=body.actor or caller.name,
        expected_version=expected,
        atomic=body.atomic,
    )
    return answered(receipt)


@router.post("/hands/{hand}/void", response_model=None, responses=_GUARDED)
async def void_hand(
    hand: HandId,
    body: Voiding,
    caller: Writer,
    key: CommandId,
    expected: ExpectedVersion,
    service: Here,
) -> Response:
    """Let a running hand not count: every seat gets back all that it brought."""
    caller.check_hand(hand)
    receipt = await service.ledger.void_hand(
        hand,
        body.reason,
        command_id=key,
        actor=body.actor or caller.name,
        expected_version=expected,
    )
    return answered(receipt)


@router.post("/hands/{hand}/deck", response_model=None, responses=_OF_HAND)
async def disclose_deck(
    hand: HandId, body: Disclosure, caller: Writer, key: CommandId, service: Here
) -> Response:
    """Disclose the deck that a hand was committed to, once it is over."""
    caller.check_hand(hand)
    receipt = await service.ledger.disclose_deck(
        hand, body.salt, body.deck, command_id=key, actor=body.actor or caller.name
    )
    return answered(receipt)


@router.post("/hands/{hand}/claims", response_model=None, responses=_OF_HAND)
async def claim_settlement(
    hand: HandId, body: Claim, caller: Writer, key: CommandId, service: Here
) -> Response:
    """Keep what another system says that a settled hand came to, and name what differs."""
    caller.check_hand(hand)
    receipt = await service.ledger.claim_settlement(
        hand,
        body.settlement,
        claimant=body.claimant,
        command_id=key,
        actor=body.actor or caller.name,
    )
    return answered(receipt)


@router.post("/players/{player}/deposits", response_model=None, responses=_OF_WALLET)
async def deposit(
    player: PlayerId, body: Movement, caller: Writer, key: CommandId, service: Here
) -> Response:
    """Bring chips in from the cashier. A key that is bound to tables may not."""
    caller.check_unbound()
    receipt = await service.ledger.deposit(
        player, body.amount, command_id=key, actor=body.actor or caller.name
    )
    return answered(receipt)


@router.post("/players/{player}/withdrawals", response_model=None, responses=_OF_WALLET)
async def withdraw(
    player: PlayerId, body: Movement, caller: Writer, key: CommandId, service: Here
) -> Response:
    """Take chips out to the cashier. A key that is bound to tables may not."""
    caller.check_unbound()
    receipt = await service.ledger.withdraw(
        player, body.amount, command_id=key, actor=body.actor or caller.name
    )
    return answered(receipt)
