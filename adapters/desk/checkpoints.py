"""What proves something elsewhere: checkpoints and their notes, consistency, proofs of hands."""

import json
from functools import partial
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Form, Path, Query, Request, Response
from fastapi.responses import RedirectResponse

from adapters.desk.rendering import page, to
from adapters.evidence.checkpoints import StoredCheckpoint, consistency_of, stored
from adapters.evidence.notes import (
    Checkpoint,
    MalformedNoteError,
    base64,
    parse,
    signed_by,
)
from adapters.evidence.proofs import hand_proof
from adapters.evidence.tree import LogTree
from adapters.http_api.callers import Auditor, Reader
from adapters.http_api.errors import BadRequestError, NotFoundError
from adapters.http_api.paths import Text
from adapters.http_api.service import Here, Service
from adapters.http_api.sights import Seen

router = APIRouter()

_NOTE_MAX: Final = 20_000
_SHOWN: Final = 100  # the newest of them; the API lists them all

Size = Annotated[int, Path(ge=0, lt=2**63)]


class Shown(NamedTuple):
    """A checkpoint as the list shows it."""

    stored: StoredCheckpoint
    root: str
    players: int | None  # None where the note is malformed
    signed_by: str

    @classmethod
    def of(cls, row: StoredCheckpoint) -> "Shown":
        """Return what the list shows of one, also where somebody changed it in the store."""
        try:
            made = parse(row.note)
            return cls(row, base64(made.root), made.players, ", ".join(signed_by(row.note)))
        except MalformedNoteError as malformed:
            return cls(row, str(malformed), None, "")


class Consistency(NamedTuple):
    """Whether the history of one checkpoint begins with that of an earlier one."""

    old: int
    new: int
    proof: list[str]
    why_not: str | None


@router.get("/checkpoints", response_model=None)
async def checkpoints_page(
    request: Request,
    _: Reader,
    service: Here,
    *,
    old: Annotated[int | None, Query(ge=0, lt=2**63)] = None,
    new: Annotated[int | None, Query(ge=0, lt=2**63)] = None,
) -> Response:
    """List checkpoints; and of two of them, whether the one goes on from the other."""
    rows = await service.read(partial(stored, service.ledger.ledger.store))
    found = None
    if old is not None and new is not None:
        first, second = (_read(_of_size(rows, size)) for size in sorted((old, new)))
        found = await service.read(partial(_consistency, service, first, second))
    return _page(request, rows, found)


@router.post("/checkpoints", response_model=None)
async def kept_note_page(
    request: Request,
    _: Auditor,
    service: Here,
    note: Annotated[str, Form(max_length=_NOTE_MAX)],
) -> Response:
    """Hold a note that was kept elsewhere against the history as it is now."""
    rows = await service.read(partial(stored, service.ledger.ledger.store))
    kept = _read(note.replace("\r\n", "\n").strip() + "\n")
    newest = _read(rows[-1].note) if rows else kept
    later = newest if newest.size >= kept.size else kept
    return _page(request, rows, await service.read(partial(_consistency, service, kept, later)))


@router.get("/checkpoints/{size}", response_model=None)
async def checkpoint_note(size: Size, _: Reader, service: Here) -> Response:
    """Give a note away, to be kept elsewhere."""
    rows = await service.read(partial(stored, service.ledger.ledger.store))
    return _download(_of_size(rows, size).encode(), "text/plain", f"checkpoint-{size}.note")


@router.get("/proof", response_model=None)
async def find_proof(_: Reader, hand: Text = "") -> Response:
    """Lead to the proof of a hand whose id was given in a form.

    Raises:
        BadRequestError: None was.
    """
    if not hand.strip():
        raise BadRequestError("names no hand", field="hand")
    return RedirectResponse(to("/hands/{hand}/proof", hand=hand.strip()), 303)


@router.get("/hands/{hand}/proof", response_model=None)
async def hand_proof_file(seen: Seen, service: Here) -> Response:
    """Give the file away that proves a hand to whoever has the public key."""
    proof = await service.read(partial(_proof, service, seen.hand))
    body = json.dumps(proof, ensure_ascii=False, indent=1) + "\n"
    return _download(body.encode(), "application/json", "proof.json")


def _page(
    request: Request, rows: list[StoredCheckpoint], consistency: Consistency | None
) -> Response:
    shown = [Shown.of(row) for row in reversed(rows[-_SHOWN:])]
    return page(
        request, "checkpoints.html", checkpoints=shown, count=len(rows), consistency=consistency
    )


def _of_size(rows: list[StoredCheckpoint], size: int) -> str:
    """Return the note of a size.

    Raises:
        NotFoundError: None was made.
    """
    for row in rows:
        if row.size == size:
            return row.note
    raise NotFoundError("no checkpoint of this size was made", field="size")


def _read(note: str) -> Checkpoint:
    """Return what a note says.

    Raises:
        BadRequestError: It is no checkpoint.
    """
    try:
        return parse(note)
    except MalformedNoteError as malformed:
        raise BadRequestError(str(malformed), field="note") from None


def _consistency(service: Service, old: Checkpoint, new: Checkpoint) -> Consistency:
    with service.ledger.ledger.store.snapshot() as moment:
        proof, why_not = consistency_of(LogTree(moment), old, new)
    return Consistency(old.size, new.size, [base64(node) for node in proof], why_not)


def _proof(service: Service, hand: str) -> dict[str, Any]:
    with service.ledger.ledger.store.snapshot() as moment:
        return hand_proof(moment, hand)


def _download(body: bytes, media_type: str, name: str) -> Response:
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, headers=disposition, media_type=media_type)
