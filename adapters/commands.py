"""What is remembered of a command: whether it is the same again, and if not, where it differs.

A command's body is a JSON object, taken apart into fields. The digest over all of them decides;
a checksum of each only names the one that changed, without keeping what was in it.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import chain
from json.encoder import encode_basestring_ascii
from typing import Any, Final, NamedTuple
from zlib import crc32

_NAMED_DEPTH: Final = 2  # "table.ante" and "actions.7" are told apart, not what is inside an action

_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=repr)


class Fingerprint(NamedTuple):
    """What is stored of a command's body."""

    kind: str
    digest: bytes  # SHA-256 over the name and value of each field
    fields: str  # JSON: a checksum by the name of each field


def fingerprint(kind: str, body: Mapping[str, Any]) -> Fingerprint:
    """Return what is to be remembered of a command.

    Args:
        kind: What the command does: "deposit", "act" …
        body: Everything that makes it this command and no other, as JSON holds it.
    """
    fields = {"command": kind.encode()}
    fields |= {name: _canonical(value) for name, value in _fields(dict(body))}
    digest = sha256()
    for name in sorted(fields):
        field, value = name.encode(errors="surrogatepass"), fields[name]
        digest.update(b"%d %d " % (len(field), len(value)) + field + value)
    sums = {name: crc32(value) for name, value in fields.items()}
    return Fingerprint(kind, digest.digest(), json.dumps(sums))


def changed_field(first: str, again: str) -> str:
    """Return the name of the first field in which two bodies differ, by their checksums."""
    was, now_is = json.loads(first), json.loads(again)
    for name in chain(now_is, was):
        if was.get(name) != now_is.get(name):
            return str(name)
    return "body"  # the digests differ, and by a rare chance no checksum does


def _fields(value: Any, depth: int = 0, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """Yield the fields of a body by path, down to where they are told apart."""
    if depth == _NAMED_DEPTH or not value or not isinstance(value, (dict, list)):
        yield path, value
        return
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _fields(inner, depth + 1, f"{path}.{step}" if path else str(step))


def _canonical(value: Any) -> bytes:  # noqa: ANN401 - whatever a field holds
    """Return JSON that is the same for the same value; what is no JSON stays told apart."""
    if type(value) is str:
        return encode_basestring_ascii(value).encode()
    if type(value) is int:
        return b"%d" % value
    return _ENCODER.encode(value).encode()
