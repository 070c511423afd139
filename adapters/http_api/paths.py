"""Ids inside of paths: any text, slashes too, percent-encoded.

The server hands on a path in which ``%2F`` has become a slash like any other. So what is matched is
the path as it was sent, each segment encoded in the one way that there is here, and an id is
decoded where it is taken out.
"""

import re
from typing import Annotated, Final
from urllib.parse import quote, unquote, unquote_to_bytes

from pydantic import BeforeValidator, Field

from domain.record import NAME_LENGTH_MAX

_PLAIN: Final = ":@!$&'()*+,;=~"
"""What a segment may hold as it is, beside letters, digits and ``-._``."""

_AS_IT_IS: Final = rb"[A-Za-z0-9._/:@!$&'()*+,;=~-]*"
_ENCODED: Final = rb"%(?:[0189A-F][0-9A-F]|2[0235F]|3[CEF]|5[B-E]|60|7[B-DF])"
_CANONICAL: Final = re.compile(_AS_IT_IS + b"(?:" + _ENCODED + _AS_IT_IS + b")*")


def canonical(raw_path: bytes) -> str:
    """Return a path with each segment encoded in one way."""
    if _CANONICAL.fullmatch(raw_path):
        return raw_path.decode()
    return "/".join(quote(unquote_to_bytes(part), safe=_PLAIN) for part in raw_path.split(b"/"))


def segment(text: str) -> str:
    """Return an id as a path holds it."""
    return quote(text, safe=_PLAIN)


def _decoded(text: object) -> object:
    return unquote(text, errors="strict") if isinstance(text, str) else text


STORABLE: Final = r"^[^\x00]*$"
"""Text without U+0000, which PostgreSQL does not take."""

_Id = Annotated[
    str,
    Field(min_length=1, max_length=NAME_LENGTH_MAX, pattern=STORABLE),
    BeforeValidator(_decoded),
]

HandId = _Id
DisputeId = _Id
PlayerId = _Id
RulebookId = _Id

Text = Annotated[str, Field(max_length=NAME_LENGTH_MAX, pattern=STORABLE)]
"""Text in a query."""
