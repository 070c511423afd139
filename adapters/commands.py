"""What is remembered of a command: whether it is the same again, and if not, where it differs.

A command's body is a JSON object. Its digest decides; the checksums beside it only name the field
that changed, without keeping what was in it.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from itertools import chain
from typing import Any, Final, NamedTuple
from zlib import crc32

_NAMED_DEPTH: Final = 2  # "table.ante" and "actions.7" are told apart, not what is inside an action


class Fingerprint(NamedTuple):
    """What is stored of a command's body."""

    kind: str
    digest: bytes  # SHA-256 of the canonical body, its kind included
    fields: str  # JSON: a checksum by the name of each field


def fingerprint(kind: str, body: Mapping[str, Any]) -> Fingerprint:
    """Return what is to be remembered of a command.

    Args:
        kind: What the command does: "deposit", "act" …
        body: Everything that makes it this command and no other, as JSON holds it.
    """
    whole = {"command": kind, **body}
    sums = {name: _checksum(value) for name, value in _fields(whole)}
    return Fingerprint(
        kind, sha256(_canonical(whole)).digest(), json.dumps(sums, separators=(",", ":"))
    )


def changed_field(first: str, now: str) -> str:
    """Return the name of the first field in which two bodies differ, by their checksums."""
    was, now_is = json.loads(first), json.loads(now)
    for name in chain(now_is, was):
        if was.get(name) != now_is.get(name):
            return str(name)
    return "body"  # the digests differ, and by a rare chance no checksum does


def _fields(value: Any, depth: int = 0, path: str = "") -> list[tuple[str, Any]]:  # noqa: ANN401
    """Return the fields of a body by path, down to where they are told apart."""
    if depth == _NAMED_DEPTH or not value or not isinstance(value, (Mapping, list)):
        return [(path, value)]
    steps = value.items() if isinstance(value, Mapping) else enumerate(value)
    return [
        field
        for step, inner in steps
        for field in _fields(inner, depth + 1, f"{path}.{step}" if path else str(step))
    ]


def _checksum(value: Any) -> int:  # noqa: ANN401 - whatever a field holds
    return crc32(_canonical(value))


def _canonical(value: Any) -> bytes:  # noqa: ANN401 - whatever a field holds
    """Return JSON that is the same for the same value; what is no JSON stays told apart."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=repr).encode()
