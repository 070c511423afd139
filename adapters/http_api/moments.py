"""Moments in a query: a position, or a time as RFC 3339 has it."""

from datetime import UTC, datetime
from typing import Annotated, Final

from fastapi import Depends, Query

from adapters.http_api.bodies import Position
from adapters.http_api.errors import BadRequestError
from adapters.views.as_of import Moment

_POSITION_MAX: Final = 2**63 - 1

MinPosition = Annotated[
    Position | None,
    Query(description="Wait until this position can be read: a receipt's `last_position`."),
]

After = Annotated[Position, Query(description="The `after` of the page before.")]


def time_of(given: str, field: str) -> datetime:
    """Return a time, in UTC where it names no zone.

    Raises:
        BadRequestError: It is none.
    """
    try:
        time = datetime.fromisoformat(given)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRequestError("is no time as RFC 3339 has it", field=field) from None


async def _as_of(
    as_of: Annotated[
        str | None, Query(max_length=40, description="A position, or a time; else it is now.")
    ] = None,
) -> Moment | None:
    """Return the moment that is asked for.

    Raises:
        BadRequestError: It is none.
    """
    if as_of is None:
        return None
    if as_of.isascii() and as_of.isdigit():
        return min(int(as_of[:20]), _POSITION_MAX)
    return time_of(as_of, "as_of")


AsOf = Annotated[Moment | None, Depends(_as_of)]
