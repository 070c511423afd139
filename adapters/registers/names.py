"""What players are called: sealed in their wallets' events, and read again while the key is there.

A name is sealed with AES-256-GCM under the player's own key, bound to the one event that it is in:
moved to another event, or to another player, it opens no more. Whoever was erased is called by a
pseudonym, the same everywhere and for ever. Names are in no read model and in no log, so there is
nothing to clean when a key is destroyed.
"""

import base64
import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from psycopg.rows import TupleRow

from adapters.registers.player_keys import NAMINGS
from adapters.store.postgres import Runner
from domain.discrepancies import Discrepancy
from domain.events import PlayerErased, PlayerNamed
from domain.framing import length_prefixed
from domain.wallet import wallet_id

_SEAL: Final = b"jinhua.name.v1"
_PSEUDONYM: Final = b"jinhua.erased.v1"
_PSEUDONYM_DIGITS: Final = 10
_NONCE_BYTES: Final = 12

_BLOCK_BYTES: Final = 64
"""Names are filled up to a multiple of this with U+0000, which none holds: else the length would
stay to be read for ever."""

_LAST: Final = f"""
    SELECT player, topic, originator_version, body, key
      FROM unnest(%b::text[]) AS player
           CROSS JOIN LATERAL (
               SELECT topic, originator_version, body FROM events
                WHERE originator_id = 'wallet:' || player
                      AND {NAMINGS}
                ORDER BY originator_version DESC LIMIT 1) AS last
           LEFT JOIN player_keys USING (player)
"""  # noqa: S608 - a constant

KEPT_NAMES: Final = f"""
    SELECT player, topic, originator_version, body, key, position
      FROM player_keys JOIN events ON originator_id = 'wallet:' || player
     WHERE {NAMINGS}
     ORDER BY position
"""  # noqa: S608 - a constant
"""What :func:`verify_names` reads: each event that named or erased whoever still has a key."""


class _Sealed(NamedTuple):
    """A name as it is stored, or that there is none any more, and the key that is left."""

    player: str
    topic: str
    version: int
    body: str
    key: bytes | None

    def opened(self) -> str | None:
        """Return the name; None where nothing opens it."""
        if self.topic != PlayerNamed.TOPIC or self.key is None:
            return None
        try:
            sealed = json.loads(self.body)["sealed"]
            return open_name(bytes(self.key), self.player, self.version, sealed)
        except (ValueError, LookupError, TypeError, InvalidTag):
            return None  # somebody edited it; to say so is for `verify`


class Names:
    """Reads what players are called, many at once."""

    def __init__(self, runner: Runner) -> None:
        """Read where events and keys may be read."""
        self._runner = runner

    def of(self, players: Iterable[str]) -> dict[str, str]:
        """Return what each player is called now; who never had a name is left out.

        Who was erased has a pseudonym, and so has who is named by what no key opens.
        """
        # Nobody is stored with U+0000 in the id, nor can be asked for.
        wanted = sorted(player for player in set(players) if "\0" not in player)
        found = self._runner.run(
            lambda conn: conn.execute(_LAST, [wanted], prepare=True).fetchall() if wanted else []
        )
        last = map(_Sealed._make, found)
        return {row.player: row.opened() or pseudonym(row.player) for row in last}


def seal_name(key: bytes, player: str, version: int, name: str) -> str:
    """Return a name as the event of that version in the player's wallet holds it."""
    text = name.encode()
    text += b"\0" * (-len(text) % _BLOCK_BYTES)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = AESGCM(key).encrypt(nonce, text, _place(player, version))
    return base64.b64encode(nonce + sealed).decode()


def open_name(key: bytes, player: str, version: int, sealed: str) -> str:
    """Return the name that was sealed for that event.

    Raises:
        ValueError: It is no sealed name.
        InvalidTag: It was sealed under another key, for another event, or changed since.
    """
    text = base64.b64decode(sealed, validate=True)
    nonce, ciphertext = text[:_NONCE_BYTES], text[_NONCE_BYTES:]
    name = AESGCM(key).decrypt(nonce, ciphertext, _place(player, version))
    return name.rstrip(b"\0").decode()


def pseudonym(player: str) -> str:
    """Return what an erased player is called: the same in every output and every ledger."""
    digest = hashlib.sha256(length_prefixed(_PSEUDONYM, wallet_id(player).encode()))
    return f"erased-{digest.hexdigest()[:_PSEUDONYM_DIGITS]}"


def verify_names(rows: Iterable[TupleRow]) -> Iterator[Discrepancy]:
    """Yield names that their key does not open, and keys that outlived their player's erasure."""
    for *columns, position in rows:
        row = _Sealed(*columns)
        stream = wallet_id(row.player)
        if row.topic == PlayerErased.TOPIC:
            yield Discrepancy(stream, position, "key", "kept", "destroyed", "wallet")
        elif row.opened() is None:
            what = "player_named.sealed"
            yield Discrepancy(stream, position, what, "sealed", "opened by its key", "wallet")


def _place(player: str, version: int) -> bytes:
    """Return what a sealed name is bound to."""
    return length_prefixed(_SEAL, wallet_id(player).encode(), b"%d" % version)
