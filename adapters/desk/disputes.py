"""Disputes: which there are and what is overdue; and one, with all that is on file and the verdict.

A key that is bound to tables sees those about hands of its tables. What a dispute is called says
nothing of tables, so of another's it is told that there is none.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from adapters.clock import now
from adapters.desk.calling import called, labels
from adapters.desk.choices import Choices
from adapters.desk.claimed import claims_of
from adapters.desk.paging import FIRST, Paged
from adapters.desk.rendering import page
from adapters.desk.wording import WORDS, Say
from adapters.errors import UnreadableEventError
from adapters.http_api.callers import Auditor, Caller
from adapters.http_api.paths import DisputeId, Text
from adapters.http_api.service import Here, Service
from adapters.ledger import PositionedEntry
from adapters.show import verdict_of
from adapters.verifying.portions import Portion
from adapters.verifying.streams import check_portion
from adapters.views.disputes import DisputeFilter
from domain.discrepancies import Discrepancy
from domain.dispute import dispute_stream
from domain.errors import UnknownDisputeError, UnknownHandError
from domain.events import (
    DisputeOpened,
    DisputeRuled,
    Event,
    HandOpened,
    SettlementClaimed,
    Verdict,
)

router = APIRouter(prefix="/disputes")

Which = Literal["", "open", "overdue", "ruled"]


class _File(NamedTuple):
    """A dispute, and the hand that it is about."""

    stored: Sequence[PositionedEntry]
    opening: DisputeOpened
    ruling: DisputeRuled | None
    found: Sequence[Discrepancy]
    played: Sequence[PositionedEntry]  # nothing where somebody wrote the name of no hand

    @property
    def seats(self) -> dict[str, int]:
        """Return where each player of the hand sits."""
        events = (entry.event for _, entry in self.played)
        openings = (event for event in events if isinstance(event, HandOpened))
        return {taken.player: taken.seat for opening in openings for taken in opening.seats}

    @property
    def rests_on(self) -> list[Event]:
        """Return the hand, with no foreign figures but those that the dispute rests on."""
        return [
            entry.event
            for _, entry in self.played
            if not isinstance(entry.event, SettlementClaimed)
            or entry.originator_version == self.opening.claim
        ]


def stands(verdict: Verdict | None, due: datetime, *, at: datetime) -> str:
    """Tell how a dispute stands at a moment: by its verdict, or as ``open`` or ``overdue``."""
    return verdict or ("overdue" if due < at else "open")


@router.get("", response_model=None)
async def dispute_list_page(
    request: Request,
    caller: Auditor,
    service: Here,
    *,
    state: Which = "",
    hand: Text = "",
    by: Text = "",
    at: Paged = FIRST,
) -> Response:
    """List disputes, the newest first."""
    moment = now()
    asked = {"state": state, "hand": hand.strip(), "by": by.strip()}
    if asked["hand"]:
        caller.check_hand(asked["hand"])
    wanted = DisputeFilter(
        state=state if state in {"open", "ruled"} else None,
        hand=asked["hand"] or None,
        overdue=moment if state == "overdue" else None,
        by=asked["by"] or None,
        tables=caller.tables,
    )
    read = partial(service.views.disputes, wanted)
    found = await service.read(partial(at.of, read, place=lambda row: row.opened_position))
    return page(
        request,
        "disputes.html",
        found=found,
        wanted=asked,
        query=urlencode({name: value for name, value in asked.items() if value}),
        stands=partial(stands, at=moment),
        names=await called(service, caller, (row.by for row in found.rows)),
    )


@router.get("/{dispute}", response_model=None)
async def dispute_page(
    request: Request, dispute: DisputeId, caller: Auditor, service: Here
) -> Response:
    """Show a dispute: what is claimed and what that rests on, all that is on file, the verdict."""
    file = await service.read(partial(_read, service, caller, dispute))
    names = await called(service, caller, [file.opening.by, *file.seats])
    say = Say(WORDS[Choices.of(request).lang])
    verdict = file.ruling.verdict if file.ruling else None
    return page(
        request,
        "dispute.html",
        dispute=dispute,
        standing=stands(verdict, file.opening.due, at=now()),
        names=names,
        **_told(file),
        claims=claims_of(file.rests_on, say, labels(names)) if file.played else [],
    )


def _read(service: Service, caller: Caller, dispute: str) -> _File:
    """Read a dispute, verify it, and read the hand.

    Raises:
        UnknownDisputeError: There is none of that id, or none that the caller may see.
        UnreadableEventError: One of its events cannot be; the caller may see every dispute.
    """
    ledger = service.ledger.ledger
    unknown = UnknownDisputeError(f"no dispute {dispute} was ever opened", dispute=dispute)
    try:
        stored = ledger.dispute(dispute)
    except UnreadableEventError:
        if caller.tables is None:
            raise
        raise unknown from None  # nobody can tell of which table it is
    events = [entry.event for _, entry in stored]
    opening = next((event for event in events if isinstance(event, DisputeOpened)), None)
    if opening is None or not caller.may_touch(opening.hand):
        raise unknown
    stream = dispute_stream(dispute)
    with ledger.store.snapshot() as moment:
        whole = Portion("dispute", stream, stream, (stream,))
        found = moment.run(lambda conn: check_portion(conn, whole)).found
    played: Sequence[PositionedEntry] = []
    with suppress(UnknownHandError):  # which is among what was found
        played = ledger.shown(opening.hand) if "\0" not in opening.hand else []
    ruling = next((event for event in events if isinstance(event, DisputeRuled)), None)
    return _File(stored, opening, ruling, found, played)


def _told(file: _File) -> dict[str, Any]:
    """Return what the page shows of it."""
    at = {entry.event.TOPIC: entry.cause.at for _, entry in file.stored}
    return {
        "opening": file.opening,
        "opened_at": at[DisputeOpened.TOPIC],
        "ruling": file.ruling,
        "ruled_at": at.get(DisputeRuled.TOPIC),
        "stored": file.stored,
        "found": file.found,
        "state": verdict_of([entry.event for _, entry in file.played])[0] if file.played else None,
        "seat": file.seats.get(file.opening.by),
    }
