"""Who sees what of a hand. Cards come out of :meth:`Ledger.shown` and from nowhere else.

Of a running hand a seat sees its own cards, once it has looked at them; nobody else sees any, an
auditor neither. A player sees with the eyes of the seat that it sits in, or as anybody does.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

from fastapi import Depends, Query

from adapters.http_api.callers import Caller, Reader
from adapters.http_api.errors import BadRequestError, NotAllowedError
from adapters.http_api.paths import HandId
from adapters.http_api.service import Here, Service
from adapters.ledger import PositionedEntry
from adapters.registers.api_keys import Role
from domain.errors import UnknownHandError
from domain.events import HandOpened

View = Literal["auditor", "seat", "public"]


class Sight(NamedTuple):
    """A hand as somebody may see it."""

    hand: str
    view: View
    seat: int | None
    stored: Sequence[PositionedEntry]

    @property
    def version(self) -> int:
        """The number of its events."""
        return self.stored[-1].entry.originator_version


async def _sight(
    hand: HandId,
    caller: Reader,
    service: Here,
    view: Annotated[
        View | None, Query(description="With whose eyes; else those that the key is for.")
    ] = None,
    seat: Annotated[
        int | None, Query(ge=-(2**31), lt=2**31, description="Of the view seat.")
    ] = None,
) -> Sight:
    """Return a hand as the caller may see it.

    Raises:
        NotAllowedError: The view is not the caller's, or the hand is of another table.
        BadRequestError: A seat without its view, or a view without its seat.
        UnknownHandError: There is no such hand, or a player sits in none of its seats.
        UnknownSeatError: Nobody sits there.
    """
    caller.check_hand(hand)
    if caller.role is Role.PLAYER:
        return await _of_player(hand, caller, service, view, seat)
    chosen: View = view or ("auditor" if seat is None else "seat")
    if (chosen == "seat") != (seat is not None):
        raise BadRequestError("a seat belongs to the view seat, and to no other", field="seat")
    if chosen == "seat" and caller.role is not Role.SERVICE:
        raise NotAllowedError("a seat's view is its player's and its table's", field="view")
    return Sight(hand, chosen, seat, await service.ledger.shown(hand, seat))


async def _of_player(
    hand: str, caller: Caller, service: Service, view: View | None, seat: int | None
) -> Sight:
    """Return a hand as a player of it may see it."""
    if view == "auditor":
        raise NotAllowedError("this view is no player's", field="view")
    stored = await service.ledger.shown(hand)
    seats = [
        taken.seat
        for _, entry in stored
        if isinstance(entry.event, HandOpened)
        for taken in entry.event.seats
        if taken.player == caller.player
    ]
    if not seats:  # told as if there were none: who plays what is nobody else's to know
        raise UnknownHandError(f"no hand {hand} was ever opened", hand=hand)
    if view == "public" and seat is None:
        return Sight(hand, view, None, stored)
    own = seats[0] if seat is None else seat
    if own not in seats or view == "public":
        raise NotAllowedError("the seat is not the one of this player", field="seat")
    return Sight(hand, "seat", own, await service.ledger.shown(hand, own))


Seen = Annotated[Sight, Depends(_sight)]
