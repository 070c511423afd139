"""A hand's page: replayed, verified, disputed, beside what is claimed, and under other rules."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from adapters.clock import now
from adapters.desk.calling import Labels, called, labels
from adapters.desk.choices import Choices
from adapters.desk.claimed import claims_of
from adapters.desk.disputes import stands
from adapters.desk.pictures import Picture, changes, picture, short, told
from adapters.desk.refused import rows as refused_rows
from adapters.desk.refused import visible
from adapters.desk.rendering import page
from adapters.desk.replay import LEADS_NOWHERE, Replay, placed, replay
from adapters.desk.rounds import rounds_of
from adapters.desk.table_drawing import drawings
from adapters.desk.trying import facts_of, form, tried
from adapters.desk.verdict import verdict
from adapters.desk.wording import WORDS, Say, chips
from adapters.evidence.checkpoints import newest
from adapters.http_api.callers import AUDITORS, Caller
from adapters.http_api.paths import segment
from adapters.http_api.service import Here, Service
from adapters.http_api.sights import Seen, Sight
from adapters.registers.refusals import StoredRefusal
from adapters.show import verdict_of
from adapters.views.disputes import DisputeFilter
from domain.claims import OF_A_SEAT
from domain.discrepancies import Discrepancy
from domain.events import Event, HandOpened
from domain.zhajinhua.meanings import AMOUNTS
from domain.zhajinhua.rulebook_pages import said
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.wording import Language
from projections.disputes import DisputeRow

router = APIRouter(prefix="/hands/{hand}")

_LOOKING: Final = ("view", "seat")
"""What of an address says with whose eyes a hand is seen."""

_ASKED_MAX: Final = 80
"""Characters of a rule that somebody wants to be changed."""

Step = Annotated[int | None, Query(ge=1, lt=2**31, description="Which one to show.")]


class _Read(NamedTuple):
    """What a page needs of the store."""

    found: list[Discrepancy]
    refusals: list[StoredRefusal]
    names: Mapping[str, str]  # by player
    disputes: list[DisputeRow]
    is_covered: bool  # by a checkpoint


@router.get("", response_model=None)
async def hand_page(request: Request, seen: Seen, service: Here, *, step: Step = None) -> Response:
    """Show a hand at a step: the one that it ended with, unless it is said."""
    lang = Choices.of(request).lang
    say = Say(WORDS[lang])
    read = await _read(service, seen, request.state.caller)
    fields = await service.read(partial(_page, request, seen, read, say, step))
    return page(request, "hand.html", **fields)


@router.get("/what-if", response_model=None)
async def hand_what_if(request: Request, seen: Seen, service: Here) -> Response:
    """Try a hand under other rules: a part of its page, or a page where no script asks."""
    lang = Choices.of(request).lang
    asked = {n: v[:_ASKED_MAX] for n, v in request.query_params.items() if n not in _LOOKING}
    names = await called(service, request.state.caller, _players(seen))
    fields = await service.read(
        partial(_whatif, seen, asked, Say(WORDS[lang]), labels(names), lang)
    )
    template = "hand_whatif.html" if "hx-request" in request.headers else "hand_whatif_page.html"
    return page(request, template, hand=seen.hand, **fields)


async def _read(service: Service, seen: Sight, caller: Caller) -> _Read:
    """Read what a page needs beside the events."""
    ledger, last = service.ledger.ledger, seen.stored[-1].position
    return _Read(
        await service.read(lambda: list(ledger.verify([seen.hand]))),
        visible(await service.read(lambda: ledger.refusals(seen.hand)), caller, seen),
        await called(service, caller, _players(seen)),
        await service.read(partial(_disputes, service, seen.hand, caller)),
        await service.read(lambda: newest(ledger.store, position=last)) is not None,
    )


def _disputes(service: Service, hand: str, caller: Caller) -> list[DisputeRow]:
    """Read what is held against a hand, which no player is told."""
    return service.views.disputes(DisputeFilter(hand=hand)) if caller.role in AUDITORS else []


def _players(seen: Sight) -> list[str]:
    """Return who sits in a hand."""
    opening = seen.stored[0].entry.event
    return [taken.player for taken in opening.seats] if isinstance(opening, HandOpened) else []


def _page(
    request: Request, seen: Sight, read: _Read, say: Say, wanted: int | None
) -> dict[str, Any]:
    """Return all that a page shows of a hand."""
    lang = Choices.of(request).lang
    events = [entry.event for _, entry in seen.stored]
    opening = events[0] if isinstance(events[0], HandOpened) else None
    label = labels(read.names)
    played = replay(seen.stored, lang)
    steps = len(played.frames)
    step = min(wanted or played.end, steps)
    at = placed(read.refusals, played.frames)
    looking = {n: v for n, v in request.query_params.items() if n in _LOOKING}
    found = verdict(seen.hand, seen.stored, read.found, say, is_own=seen.seat is not None)
    fields: dict[str, Any] = {
        "hand": seen.hand,
        "opening": opening,
        "pinned": _pinned(opening, say) if opening else "",
        "state": verdict_of(events)[0],
        "view": say(f"hand.view.{seen.view}", seat=seen.seat),
        "label": label,
        "names": read.names,
        "own": request.state.caller.player,
        "verdict": found,
        "disputes": read.disputes,
        "stands": partial(stands, at=now()),
        "wrong": {one.step for one in found.found},
        "replay": played,
        "steps": steps,
        "step": step,
        "at": lambda number: "?" + urlencode({**looking, "step": number}),
        "looking": looking,
        "refused_at": at,
        "refusals": refused_rows(at, say),
        "claims": claims_of(events, say, label),
        "evidence": _evidence(seen, opening, say, lang),
        "is_covered": read.is_covered,
        **_rounds(events),
        **_whatif(seen, {}, say, label, lang),
    }
    return fields | (_table(seen, played, step, say, label) if played.frames else {})


def _table(seen: Sight, played: Replay, step: int, say: Say, label: Labels) -> dict[str, Any]:
    """Return the table as it is drawn, at a step and from step to step."""
    pictures = [picture(frame, say, label) for frame in played.frames]
    seats = played.frames[0].seats
    return {
        "picture": pictures[step - 1],
        "pictures": changes(pictures),
        "drawings": drawings([seat.seat for seat in seats], first=seen.seat),
        "plates": {seat.seat: short(label(seat.player)) for seat in seats},
        "deck": sorted(_cards(pictures)),
        "rows": [
            {"step": frame.step, "told": told(frame, say, label), "price": frame.deed.price}
            for frame in played.frames
        ],
    }


def _cards(pictures: list[Picture]) -> set[str]:
    """Return the cards that are drawn face up."""
    drawn = {card for one in pictures for cards in one.cards.values() for card in cards}
    return drawn - {"", "back"}


def _rounds(events: list[Event]) -> dict[str, Any]:
    """Return a hand by rounds, with the sums of its columns."""
    try:
        rounds = rounds_of(events)
    except LEADS_NOWHERE:
        rounds = None
    if rounds is None:
        return {"rounds": None}
    results = [row.result for row in rounds.rows if row.result]
    shown = [name for name in OF_A_SEAT if any(dict(result)[name] for result in results)]
    return {
        "rounds": rounds,
        "round_sums": [
            sum(cell.amount for cell in column if cell)
            for column in zip(*(row.cells for row in rounds.rows), strict=True)
        ],
        "figures": shown,
        "figure_sums": {name: sum(dict(result)[name] for result in results) for name in shown},
    }


def _whatif(
    seen: Sight, asked: Mapping[str, str], say: Say, label: Labels, lang: Language
) -> dict[str, Any]:
    """Return what can be tried, and what was, if anything was asked for."""
    facts = facts_of(seen.hand, [entry.event for _, entry in seen.stored])
    if facts is None:
        return {"whatif": None, "tried": None}
    return {
        "whatif": form(facts, asked, lang),
        "tried": tried(facts, asked, say, label, lang) if asked else None,
    }


def _evidence(seen: Sight, opening: HandOpened | None, say: Say, lang: Language) -> dict[str, Any]:
    """Return where a hand is recorded."""
    table = opening.table if opening else {}
    return {
        "opened_at": seen.stored[0].entry.cause.at,
        "first": seen.stored[0].position,
        "last": seen.stored[-1].position,
        "table": say("hand.dot").join(
            f"{say.one_of('hand.table_sets', name)} {_set(name, value, lang)}"
            for name, value in table.items()
            if value is not None
        ),
        "proof_name": f"{seen.hand}.proof.json",
        "api": f"/v1/hands/{segment(seen.hand)}",
    }


def _set(name: str, value: object, lang: Language) -> str:
    """Print a parameter of a table."""
    return chips(value) if name in AMOUNTS and isinstance(value, int) else said(name, value, lang)


def _pinned(opening: HandOpened, say: Say) -> str:
    """Name the rulebook that a hand pins."""
    try:
        name = find(opening.rulebook, opening.version).name
    except LEADS_NOWHERE:
        name = opening.rulebook
    return say("hand.rulebook", name=name, id=opening.rulebook, version=opening.version)
