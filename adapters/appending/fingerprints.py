"""What is remembered of a command: whether it is the same again, and if not, where it differs.

A command's body is a JSON object, taken apart into fields. The digest over all of them decides;
a checksum of each only names the one that changed, without keeping what was in it. Where the body
holds cards and there is a key for them, the digest and the checksums of the cards are keyed, for
each command anew: neither can then be guessed at, nor held against another command's. Which key it
was is kept beside them.
"""

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, Final, NamedTuple
from zlib import crc32

from adapters.store.sealing import CardKey, CardKeys

SECRET_FIELDS: Final = frozenset({"deal", "draws", "bonus_draws", "cards", "deck", "salt"})
"""Fields that hold cards, or say what somebody has, or what a deck could be found with."""

_KEY: Final = "card_key"  # no body has a field of that name
_SUM_BYTES: Final = 4

_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=repr)


class Keyed(NamedTuple):
    """What a body with cards in it is fingerprinted with."""

    keys: CardKeys
    command_id: str


@dataclass(frozen=True)
class Fingerprint:
    """What is stored of a command's body."""

    kind: str
    digest: bytes  # SHA-256 over the name and value of each field, or HMAC-SHA-256
    fields: str  # JSON: a checksum by the name of each field, and the key's name if there is one
    _body: Mapping[str, bytes] = field(repr=False, compare=False)
    _keyed: Keyed | None = field(repr=False, compare=False)

    def as_remembered(self, fields: str) -> "Fingerprint":
        """Return this fingerprint as it would have been made when another one was.

        Args:
            fields: The other one's, of a receipt.

        Raises:
            CardKeyMissingError: That one was made with a key that is not held.
        """
        if self._keyed is None:
            return self
        key_id = json.loads(fields).get(_KEY)
        key = None if key_id is None else self._keyed.keys.key(key_id)
        return _made(self.kind, self._body, self._keyed, key)


def fingerprint(kind: str, body: Mapping[str, Any], keyed: Keyed | None = None) -> Fingerprint:
    """Return what is to be remembered of a command.

    Args:
        kind: What the command does: "deposit", "act" …
        body: Everything that makes it this command and no other, as JSON holds it.
        keyed: Of a body that holds cards: the keys, if any, and the command's id.
    """
    fields = {"command": kind.encode()}
    for name, value in body.items():
        if value and isinstance(value, (dict, list)):
            # By path: "table.ante", "actions.7", and nothing inside these.
            for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
                fields[f"{name}.{step}"] = _canonical(inner)
        else:
            fields[name] = _canonical(value)
    return _made(kind, fields, keyed, keyed.keys.sealing if keyed else None)


def _made(
    kind: str, body: Mapping[str, bytes], keyed: Keyed | None, key: CardKey | None
) -> Fingerprint:
    """Digest the fields of a body, with a key or without."""
    whole = b"".join([_framed(name, value) for name, value in sorted(body.items())])
    if keyed is None or key is None:
        # As `json.dumps` writes it, at a third of its time.
        sums = ", ".join([f"{_quoted(name)}: {crc32(value)}" for name, value in body.items()])
        return Fingerprint(kind, sha256(whole).digest(), "{" + sums + "}", body, keyed)
    secret = key.command_key(keyed.command_id)
    keyed_sums = {name: _keyed_sum(secret, name, value) for name, value in body.items()}
    told = json.dumps({**keyed_sums, _KEY: key.id})
    return Fingerprint(kind, _mac(secret, b"body", whole), told, body, keyed)


def _keyed_sum(secret: bytes, name: str, value: bytes) -> int:
    """Return the checksum of a field; of one with cards, a keyed one."""
    if name.partition(".")[0] not in SECRET_FIELDS:
        return crc32(value)
    return int.from_bytes(_mac(secret, b"field", _framed(name, value))[:_SUM_BYTES], "big")


def _mac(secret: bytes, purpose: bytes, message: bytes) -> bytes:
    return hmac.digest(secret, purpose + b" " + message, "sha256")


def _framed(name: str, value: bytes) -> bytes:
    """Return a field so that no two lists of fields give the same bytes."""
    field = name.encode(errors="surrogatepass")
    return b"%d %d " % (len(field), len(value)) + field + value


def changed_field(first: str, again: str) -> str:
    """Return the name of the first field in which two bodies differ, by their checksums."""
    was, now_is = json.loads(first), json.loads(again)
    for name in chain(now_is, was):
        if was.get(name) != now_is.get(name):
            return str(name)
    return "body"  # the digests differ, and by a rare chance no checksum does


def _canonical(value: Any) -> bytes:  # noqa: ANN401 - whatever a field holds
    """Return JSON that is the same for the same value; what is no JSON stays told apart."""
    if type(value) is str:
        return _quoted(value).encode()
    if type(value) is int:
        return b"%d" % value
    return _ENCODER.encode(value).encode()
