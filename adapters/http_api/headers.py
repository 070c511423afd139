"""Header fields of a request, and those of a command: Idempotency-Key, ETag and If-Match.

The key is a string as RFC 9651 writes one, ``"8e03978e"``, or the same without the quotes.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from starlette.types import Scope

from adapters.http_api.errors import BadRequestError, IdempotencyKeyMissingError
from domain.record import NAME_LENGTH_MAX

KEY: Final = "Idempotency-Key"
IF_MATCH: Final = "If-Match"

_KEY_NAME: Final = KEY.lower().encode()
_IF_MATCH_NAME: Final = IF_MATCH.lower().encode()

_KEY_PATTERN: Final = r'"([ !#-\[\]-~]|\\["\\])+"|[!#-+\-.-:<-\[\]-~]+'
_KEY: Final = re.compile(_KEY_PATTERN)
_ESCAPED: Final = re.compile(r"\\(.)")
_ETAG: Final = re.compile(r'"([1-9][0-9]{0,9})"')
_VERSION_MAX: Final = 2**31 - 1

KEY_PARAMETER: Final[dict[str, Any]] = {
    "name": KEY,
    "in": "header",
    "required": True,
    "description": "The command's id: the same request under the same key changes nothing twice,"
    " and gets its first answer again.",
    "schema": {"type": "string", "maxLength": NAME_LENGTH_MAX, "pattern": f"^({_KEY_PATTERN})$"},
}

IF_MATCH_PARAMETER: Final[dict[str, Any]] = {
    "name": IF_MATCH,
    "in": "header",
    "required": False,
    "description": "The ETag of the hand as the caller knows it; `*` is any.",
    "schema": {"type": "string", "pattern": r'^("[1-9][0-9]{0,9}"|\*)$'},
}


def etag(version: int) -> str:
    """Return the version of a hand as an entity tag."""
    return f'"{version}"'


Fields = Mapping[bytes, Sequence[str]]
"""By name, in small letters: what each header field says, once for each time it is given."""


def fields(scope: Scope) -> Fields:
    """Return the header fields of a request."""
    found: dict[bytes, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name, []).append(value.decode("latin-1"))
    return found


def text_of(said: Fields, name: bytes) -> str:
    """Return what a field says, of one given twice the first; empty where it is not given."""
    given = said.get(name)
    return given[0] if given else ""


def command_id(said: Fields) -> str:
    """Return the id of a command.

    Raises:
        IdempotencyKeyMissingError: There is none.
        BadRequestError: There are several, or one that is malformed or too long.
    """
    given = said.get(_KEY_NAME)
    if not given:
        raise IdempotencyKeyMissingError("whatever writes has one", field=KEY)
    if len(given) > 1 or not _KEY.fullmatch(given[0]):
        raise BadRequestError("is not one string as RFC 9651 writes it", field=KEY)
    text = given[0][1:-1] if given[0].startswith('"') else given[0]
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    if len(text) > NAME_LENGTH_MAX:
        raise BadRequestError(f"has more than {NAME_LENGTH_MAX} characters", field=KEY)
    return text


def expected_version(said: Fields) -> int | None:
    """Return the version that a caller expects a hand to be at, where it says so.

    Raises:
        BadRequestError: It is no tag of a hand, or there are several.
    """
    given = said.get(_IF_MATCH_NAME)
    if not given or given == ["*"]:
        return None
    found = _ETAG.fullmatch(given[0])
    if found is None or len(given) > 1:
        raise BadRequestError("is no ETag of a hand", field=IF_MATCH)
    return min(int(found[1]), _VERSION_MAX)
