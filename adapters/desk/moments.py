"""As of when: a position or a time, as a reader writes it in a form."""

from typing import Annotated, NamedTuple

from fastapi import Depends, Query

from adapters.http_api.errors import BadRequestError
from adapters.views import as_of
from adapters.views.as_of import Moment


class Asked(NamedTuple):
    """A moment, and how it was written."""

    text: str = ""
    moment: Moment | None = None
    """None is now."""


async def _asked(given: Annotated[str, Query(alias="as_of", max_length=40)] = "") -> Asked:
    """Return the moment that is asked for.

    Raises:
        BadRequestError: It is none.
    """
    text = given.strip()
    if not text:
        return Asked()
    try:
        return Asked(text, as_of.moment_of(text))
    except ValueError:
        reason = f"{text!r} is neither a position nor a time, as 2026-03-01 12:00"
        raise BadRequestError(reason, field="as_of") from None


AsOf = Annotated[Asked, Depends(_asked)]
