"""Moments in a query: a position, or a time as RFC 3339 has it."""

from datetime import datetime
from typing import Annotated

from fastapi import Depends, Query

from adapters.http_api.bodies import Position
from adapters.http_api.errors import BadRequestError
from adapters.views import as_of
from adapters.views.as_of import Moment

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
        return as_of.time_of(given)
    except ValueError:
        raise _no_time(field) from None


def _no_time(field: str) -> BadRequestError:
    return BadRequestError("is no time as RFC 3339 has it", field=field)


async def _as_of(
    given: Annotated[
        str | None,
        Query(alias="as_of", max_length=40, description="A position, or a time; else it is now."),
    ] = None,
) -> Moment | None:
    """Return the moment that is asked for.

    Raises:
        BadRequestError: It is none.
    """
    if given is None:
        return None
    try:
        return as_of.moment_of(given)
    except ValueError:
        raise _no_time("as_of") from None


AsOf = Annotated[Moment | None, Depends(_as_of)]
