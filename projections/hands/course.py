"""A row and the next event -> the row after it. Whatever the game."""

from collections.abc import Iterable

from domain.events import HandOpened, HandSettled, HandVoided, Settlement, SettlementClaimed
from domain.hand import hand_of
from projections import Recorded, bound
from projections.hands.flags import flags_of, is_mismatch
from projections.hands.row import Flag, HandRow

_TELLING = frozenset({HandSettled, HandVoided, SettlementClaimed})
"""The events that say more of a hand than what it is marked with."""


def begun(recorded: Recorded) -> HandRow:
    """Return the row of a hand that has just been opened.

    Raises:
        AssertionError: The event is no opening, or not the first of its hand.
    """
    position, entry, _ = recorded
    opening = entry.event
    assert isinstance(opening, HandOpened), opening
    assert entry.originator_version == 1, entry.originator_version
    return HandRow(
        hand=hand_of(recorded.entry.originator_id),
        game=opening.game,
        rulebook=opening.rulebook,
        version=opening.version,
        ante=bound(opening, "ante"),
        max_stake=bound(opening, "max_stake"),
        seats=tuple(taken.seat for taken in opening.seats),
        players=tuple(taken.player for taken in opening.seats),
        opened_at=entry.cause.at,
        opened_position=position,
    )


def followed(row: HandRow, recorded: Recorded, settlement: Settlement | None) -> HandRow:
    """Return the row after one more event.

    Args:
        row: Of the hand before it.
        recorded: The event; no opening.
        settlement: That of the hand, where the event claims another.

    Raises:
        LookupError: Nobody sits in the seat of a winner, or a claim has no settlement beside it.
        AssertionError: The hand ends a second time.
    """
    event = recorded.entry.event
    if flags := flags_of(event):
        row = _flagged(row, flags)
    if type(event) not in _TELLING:
        return row
    match event:
        case HandSettled(settlement=own):
            return _settled(_ended(row, recorded), own)
        case HandVoided():
            return _ended(row, recorded)._replace(state="void")
        case SettlementClaimed():
            if settlement is None:
                raise LookupError(f"hand {row.hand} has no settlement to compare a claim with")
            return _flagged(row, ("claim_mismatch",)) if is_mismatch(event, settlement) else row
    return row


def _flagged(row: HandRow, flags: Iterable[Flag]) -> HandRow:
    """Mark a hand; in any order the marks come to the same."""
    new = set(flags).difference(row.flags)
    return row._replace(flags=tuple(sorted({*row.flags, *new}))) if new else row


def _ended(row: HandRow, recorded: Recorded) -> HandRow:
    """Say when a hand ended."""
    assert row.state == "running", row.state
    return row._replace(ended_at=recorded.entry.cause.at, ended_position=recorded.position)


def _settled(row: HandRow, settlement: Settlement) -> HandRow:
    """Say what a hand came to."""
    players = dict(zip(row.seats, row.players, strict=True))
    return row._replace(
        state="settled",
        winners=tuple(players[seat] for seat in sorted(settlement["winners"])),
        pot=settlement["pot"],
        rounds=settlement["rounds"],
        rake=settlement["rake"],
        house_bonus=settlement["house_bonus"],
    )
