"""Moments as words of a command: a position, or a time."""

from datetime import datetime
from typing import Annotated

from cyclopts import Parameter

from adapters.console.failures import BadInputError
from adapters.views import as_of
from adapters.views.as_of import Moment

AsOf = Annotated[str | None, Parameter(name="--as-of")]
"""A position, or a time as RFC 3339 has it."""


def moment_of(given: str | None) -> Moment | None:
    """Return the position or the time that a word names.

    Raises:
        BadInputError: It names neither.
    """
    if given is None:
        return None
    try:
        return as_of.moment_of(given)
    except ValueError:
        raise _neither(given) from None


def time_of(given: str) -> datetime:
    """Return a time, in UTC where it names no zone.

    Raises:
        BadInputError: It is none.
    """
    try:
        return as_of.time_of(given)
    except ValueError:
        raise _neither(given) from None


def _neither(given: str) -> BadInputError:
    return BadInputError(f"{given} is neither a position nor a time")
