"""Moments as words of a command: a position, or a time."""

from datetime import UTC, datetime
from typing import Annotated

from cyclopts import Parameter

from adapters.console.failures import BadInputError
from adapters.views.as_of import Moment

AsOf = Annotated[str | None, Parameter(name="--as-of")]
"""A position, or a time as RFC 3339 has it."""

_POSITION_MAX = 2**63 - 1


def moment_of(given: str | None) -> Moment | None:
    """Return the position or the time that a word names.

    Raises:
        BadInputError: It names neither.
    """
    if given is None:
        return None
    if given.isascii() and given.isdigit():
        return min(int(given[:20]), _POSITION_MAX)
    return time_of(given)


def time_of(given: str) -> datetime:
    """Return a time, in UTC where it names no zone.

    Raises:
        BadInputError: It is none.
    """
    try:
        time = datetime.fromisoformat(given)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadInputError(f"{given} is neither a position nor a time") from None
