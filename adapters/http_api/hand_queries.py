"""What a hand's events say: themselves, a timeline, an argument, a verification, a proof.

Each shows what its reader may see of the hand (sights.py), and no cards of a running one but to
the seat whose they are.
"""

import json
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from adapters.evidence.proofs import hand_proof
from adapters.http_api import shapes
from adapters.http_api.answers import as_json
from adapters.http_api.headers import etag
from adapters.http_api.queries import read_as
from adapters.http_api.service import Here, Service
from adapters.http_api.sights import Seen
from adapters.ledger import PositionedEntry
from adapters.plain_json import plain
from adapters.show import deal_proof, timeline, verdict_of
from adapters.store.codec import encode
from domain.discrepancies import Discrepancy
from domain.sight import as_seen, is_over
from domain.zhajinhua.explanation import explain
from domain.zhajinhua.wording import Language

router = APIRouter(prefix="/v1/hands/{hand}", tags=["queries"])

Size = Annotated[int | None, Query(ge=0, lt=2**63, description="Of the checkpoint it leads to.")]


@router.get("/events", response_model=None, responses=read_as(shapes.HandEvents, 404, 422))
async def hand_events(seen: Seen) -> Response:
    """Give a hand's events in their order, each with its place in the history."""
    told = [_as_event(stored) for stored in seen.stored]
    answer = {"hand": seen.hand, "view": seen.view, "events": told}
    return as_json(answer, headers={"ETag": etag(seen.version)})


@router.get("/timeline", response_model=None, responses=read_as(shapes.Timeline, 404, 422))
async def hand_timeline(seen: Seen, *, lang: Language = "en") -> Response:
    """Say who did what when, the price, and the stack and the pot after it."""
    state, _ = verdict_of([entry.event for _, entry in seen.stored])
    moments = timeline(seen.stored, lang)
    return as_json({"hand": seen.hand, "view": seen.view, "state": state, "moments": moments})


@router.get("/explanation", response_model=None, responses=read_as(shapes.Explanation, 404, 422))
async def hand_explanation(seen: Seen, service: Here, *, lang: Language = "en") -> Response:
    """Argue a hand as a person would: each step, its arithmetic, its rule and its document.

    A running hand is argued without anybody's cards, the reader's own neither.
    """
    events = as_seen([entry.event for _, entry in seen.stored])
    steps = await service.read(partial(explain, events, lang))
    return as_json({"hand": seen.hand, "lang": lang, "steps": steps})


@router.get("/verification", response_model=None, responses=read_as(shapes.Verification, 404, 422))
async def hand_verification(seen: Seen, service: Here) -> Response:
    """Decide a hand again from its events alone, and name whatever parts."""
    over = is_over(entry.event for _, entry in seen.stored)
    found = await service.read(partial(_verified, service, seen.hand))
    told = [plain(parted if over else withheld(parted)) for parted in found]
    proven = deal_proof(seen.hand, [entry.event for _, entry in seen.stored])
    answer = {"hand": seen.hand, "agrees": not found, "discrepancies": told}
    return as_json({**answer, "deck_proof": proven})


@router.get("/proof", response_model=None, responses=read_as(dict[str, Any], 404, 422))
async def hand_proof_file(seen: Seen, service: Here, *, size: Size = None) -> Response:
    """Prove a hand to whoever has the public key: the file that scripts/verify_proof.py checks.

    It leads to a checkpoint, which somebody has to make first. A running hand is refused, unless
    its cards are sealed.
    """
    return as_json(await service.read(partial(_proof_file, service, seen.hand, size)))


def _as_event(stored: PositionedEntry) -> dict[str, Any]:
    position, entry = stored
    return {
        "position": position,
        "version": entry.originator_version,
        "topic": entry.event.TOPIC,
        "happened_at": entry.cause.at,
        "command_id": entry.cause.command_id,
        "actor": entry.cause.actor,
        "event": json.loads(encode(entry.event)),
    }


def _verified(service: Service, hand: str) -> list[Discrepancy]:
    return list(service.ledger.ledger.verify([hand]))


def withheld(parted: Discrepancy) -> Discrepancy:
    """Return a discrepancy of a running hand: what was tampered with may be a card."""
    return parted._replace(recorded=None, derived=None)


def _proof_file(service: Service, hand: str, size: int | None) -> dict[str, Any]:
    with service.ledger.ledger.store.snapshot() as moment:
        return hand_proof(moment, hand, size=size)
