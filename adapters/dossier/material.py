"""What a dossier is made of: read from the ledger once, as far as its viewer may see.

A hand that runs shows no card but its own to a seat that has looked. Of refusals and disputes a
player gets the own ones whole, and the public none of their texts.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from adapters.evidence.proofs import NoCheckpointError, hand_proof
from adapters.exporting.viewers import Viewer
from adapters.ledger import Ledger, PositionedEntry
from adapters.registers.refusals import StoredRefusal
from adapters.show import deal_proof
from adapters.views.disputes import DisputeFilter
from adapters.views.feed import head
from adapters.views.views import Views
from domain.discrepancies import Discrepancy
from domain.errors import HandRunningError, UnknownSeatError
from domain.events import DisputeOpened, HandOpened
from domain.sight import is_over
from domain.zhajinhua.disclosing import Proof


class SeenDispute(NamedTuple):
    """A dispute, and whether its texts are for the viewer."""

    dispute: str
    stored: Sequence[PositionedEntry]
    is_whole: bool


class Material(NamedTuple):
    """All of it."""

    hand: str
    viewer: Viewer
    seat: int | None  # of a player
    position: int  # the last one when it was read
    stored: Sequence[PositionedEntry]
    recorded_at: dict[int, datetime]  # by position, by the server's clock
    over: bool
    discrepancies: Sequence[Discrepancy]
    deal: Proof
    refusals: Sequence[StoredRefusal] | None  # None: not for this viewer
    disputes: Sequence[SeenDispute]
    proof: dict[str, Any] | None
    no_proof: Literal["no_checkpoint", "proof_running"] | None  # why there is none


def gather(ledger: Ledger, views: Views, hand: str, viewer: Viewer) -> Material:
    """Read what a dossier is made of. Somebody has to let the projector catch up before.

    Raises:
        UnknownHandError: There is no such hand.
        UnknownSeatError: The player sits in none of its seats.
        UnreadableEventError: An event cannot be read.
        OtherHistoryError: The checkpoint is not of this history.
        CardKeyMissingError: Cards are sealed under a key that is not held.
    """
    position = ledger.store.run(head)
    seat = _seat(ledger.shown(hand), hand, viewer)
    stored = ledger.shown(hand, seat)
    events = [entry.event for _, entry in stored]
    over = is_over(events)
    proof, no_proof = _proof(ledger, hand)
    return Material(
        hand=hand,
        viewer=viewer,
        seat=seat,
        position=position,
        stored=stored,
        recorded_at=_recorded_at(ledger, hand),
        over=over,
        discrepancies=[_shown(parted, over=over) for parted in ledger.verify([hand])],
        deal=deal_proof(hand, events),
        refusals=_refusals(ledger, hand, viewer, seat),
        disputes=_disputes(ledger, views, hand, viewer),
        proof=proof,
        no_proof=no_proof,
    )


def _seat(stored: Sequence[PositionedEntry], hand: str, viewer: Viewer) -> int | None:
    """Return the seat whose eyes the viewer has."""
    if viewer.player is None:
        return None
    opening = stored[0].entry.event
    assert isinstance(opening, HandOpened), "a hand begins with its opening"
    for taken in opening.seats:
        if taken.player == viewer.player:
            return taken.seat
    raise UnknownSeatError(f"{viewer.player} sits in no seat of hand {hand}", player=viewer.player)


def _recorded_at(ledger: Ledger, hand: str) -> dict[int, datetime]:
    return {
        row.position: row.recorded_at for _, rows in ledger.stream_hands([hand]) for row in rows
    }


def _shown(parted: Discrepancy, *, over: bool) -> Discrepancy:
    """Return a discrepancy; of a running hand what was tampered with may be a card."""
    return parted if over else parted._replace(recorded=None, derived=None)


def _refusals(
    ledger: Ledger, hand: str, viewer: Viewer, seat: int | None
) -> list[StoredRefusal] | None:
    if viewer.role == "public":
        return None
    found = ledger.refusals(hand)
    if viewer.role == "auditor":
        return found
    return [row for row in found if row.actor == viewer.player or _seats(row) == {seat}]


def _seats(row: StoredRefusal) -> set[object]:
    """Return the seats for which something was asked."""
    asked = row.asked or {}
    return {act.get("seat") for act in asked.get("actions", [asked])}


def _disputes(ledger: Ledger, views: Views, hand: str, viewer: Viewer) -> list[SeenDispute]:
    found = []
    for row in views.disputes(DisputeFilter(hand=hand)):
        stored = ledger.dispute(row.dispute)
        opening = stored[0].entry.event
        assert isinstance(opening, DisputeOpened), "a dispute begins with its opening"
        is_own = viewer.player is not None and opening.by == viewer.player
        found.append(SeenDispute(row.dispute, stored, viewer.role == "auditor" or is_own))
    return found


def _proof(
    ledger: Ledger, hand: str
) -> tuple[dict[str, Any] | None, Literal["no_checkpoint", "proof_running"] | None]:
    try:
        with ledger.store.snapshot() as moment:
            return hand_proof(moment, hand), None
    except NoCheckpointError:
        return None, "no_checkpoint"
    except HandRunningError:
        return None, "proof_running"
