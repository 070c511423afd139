"""Idempotency-Key, ETag and If-Match: a command's id, and the version of a hand.

The key is a string as RFC 9651 writes one, ``"8e03978e"``, or the same without the quotes.
"""

import re
from typing import Annotated, Final

from fastapi import Depends, Header, Request

from adapters.http_api.errors import BadRequestError
from domain.record import NAME_LENGTH_MAX

KEY_PATTERN: Final = r'^("([ !#-\[\]-~]|\\["\\])+"|[!#-+\-.-:<-\[\]-~]+)$'
_ESCAPED: Final = re.compile(r"\\(.)")
_ETAG: Final = re.compile(r'"([1-9][0-9]{0,9})"')
_VERSION_MAX: Final = 2**31 - 1


def etag(version: int) -> str:
    """Return the version of a hand as an entity tag."""
    return f'"{version}"'


async def _command_id(
    request: Request,
    key: Annotated[
        str,
        Header(
            alias="Idempotency-Key",
            min_length=1,
            max_length=2 * NAME_LENGTH_MAX,
            pattern=KEY_PATTERN,
            description="The command's id: the same request under the same key changes nothing"
            " twice, and gets its first answer again.",
        ),
    ],
) -> str:
    """Return the id of a command.

    Raises:
        BadRequestError: There are several keys, or one that is too long.
    """
    if len(request.headers.getlist("idempotency-key")) > 1:
        raise BadRequestError("is given twice", field="Idempotency-Key")
    text = _ESCAPED.sub(r"\1", key[1:-1]) if key.startswith('"') else key
    if len(text) > NAME_LENGTH_MAX:
        raise BadRequestError(
            f"has more than {NAME_LENGTH_MAX} characters", field="Idempotency-Key"
        )
    return text


async def _expected_version(
    request: Request,
    tag: Annotated[
        str | None,
        Header(
            alias="If-Match",
            max_length=12,
            description="The ETag of the hand as the caller knows it; `*` is any.",
        ),
    ] = None,
) -> int | None:
    """Return the version that a caller expects a hand to be at, where it says so.

    Raises:
        BadRequestError: It is no tag of a hand, or there are several.
    """
    if tag is None or tag == "*":
        return None
    found = _ETAG.fullmatch(tag)
    if found is None or len(request.headers.getlist("if-match")) > 1:
        raise BadRequestError("is no ETag of a hand", field="If-Match")
    return min(int(found[1]), _VERSION_MAX)


CommandId = Annotated[str, Depends(_command_id)]
ExpectedVersion = Annotated[int | None, Depends(_expected_version)]
