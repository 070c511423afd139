"""The keys that callers of the HTTP API hold: made, found, listed and revoked.

A key is ``jinhua_``, eight digits that name it, and 32 random bytes. Its SHA-256 is all that is
kept. That is enough for what nobody can guess; a password would need more.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from adapters.errors import AdapterError
from adapters.store.postgres import Runner
from domain.record import check_name

SECRET_BYTES: Final = 32
_PREFIX_BYTES: Final = 4

_KEY: Final = re.compile(r"jinhua_([0-9a-f]{8})_[A-Za-z0-9_-]{43}")

_KEYS: Final = """
    SELECT prefix, digest, name, role, tables, player, made_at, revoked_at
      FROM api_keys LEFT JOIN api_key_revocations USING (prefix)
"""
_FIND: Final = f"{_KEYS} WHERE prefix = %s"
_LIST: Final = f"{_KEYS} ORDER BY made_at, prefix"
_MAKE: Final = """
    INSERT INTO api_keys (prefix, digest, name, role, tables, player)
    VALUES (%s, %s, %s, %s, %s, %s)
"""
_REVOKE: Final = """
    INSERT INTO api_key_revocations (prefix)
    SELECT prefix FROM api_keys WHERE prefix = %s
    ON CONFLICT DO NOTHING
"""


class Role(StrEnum):
    """What a key is for."""

    SERVICE = "service"  # writes, and reads what it wrote
    AUDITOR = "auditor"  # reads everything but cards of running hands
    INVESTIGATOR = "investigator"  # the same, for one complaint at a time
    PLAYER = "player"  # reads what a player may see


class KeyRefusedError(AdapterError):
    """No such key can be made."""

    code = "key_refused"


class UnknownApiKeyError(AdapterError):
    """No key begins like this."""

    code = "unknown_api_key"

    def __init__(self, prefix: str) -> None:
        super().__init__(f"no key begins with jinhua_{prefix}; `jinhua keys list` lists them")
        self.prefix = prefix


class ApiKey(NamedTuple):
    """A key as it is kept."""

    prefix: str  # names it, and tells nothing of it
    digest: bytes
    name: str  # as whom its holder writes
    role: Role
    tables: tuple[str, ...] | None  # bound to these; None: to none
    player: str | None  # of the role player: whose eyes it has
    made_at: datetime
    revoked_at: datetime | None

    def is_key(self, text: str) -> bool:
        """Tell whether a text is this key, in a time that tells nothing of where they part."""
        return hmac.compare_digest(self.digest, _digest(text))


def prefix_of(text: str) -> str | None:
    """Return what names a key; None where the text is no key at all."""
    found = _KEY.fullmatch(text)
    return found[1] if found else None


def make_key(
    store: Runner,
    role: Role,
    *,
    name: str | None = None,
    tables: Sequence[str] = (),
    player: str | None = None,
) -> str:
    """Make a key and return it; it is told this once.

    Args:
        store: In a role that may add to it.
        role: What it is for.
        name: As whom its holder writes; the role and the prefix where it is not given.
        tables: Bind it to these; none binds it to none.
        player: Whose eyes it has, of the role player.

    Raises:
        KeyRefusedError: A player is missing or one too many, or a player's key is to be bound.
        BadRecordError: A name is empty, too long or cannot be stored.
    """
    if (role is Role.PLAYER) != (player is not None):
        raise KeyRefusedError("a key of role player is one player's, and no other key is")
    if role is Role.PLAYER and tables:
        raise KeyRefusedError("a player sees the player's own hands, at whatever table")
    prefix = secrets.token_hex(_PREFIX_BYTES)
    chosen = f"{role}-{prefix}" if name is None else name
    check_name(chosen, "name")
    for table in tables:
        check_name(table, "table")
    if player is not None:
        check_name(player, "player")
    key = f"jinhua_{prefix}_{secrets.token_urlsafe(SECRET_BYTES)}"
    bound = list(dict.fromkeys(tables)) or None
    values = [prefix, _digest(key), chosen, str(role), bound, player]
    store.run(lambda conn: conn.execute(_MAKE, values))
    return key


def find_key(store: Runner, prefix: str) -> ApiKey | None:
    """Return the key of a prefix, revoked or not; None where there is none."""
    row = store.run(lambda conn: conn.execute(_FIND, [prefix]).fetchone())
    return None if row is None else _key(row)


def list_keys(store: Runner) -> list[ApiKey]:
    """Return every key that was ever made, in the order in which they were."""
    return [_key(row) for row in store.run(lambda conn: conn.execute(_LIST).fetchall())]


def revoke_key(store: Runner, prefix: str) -> ApiKey:
    """Revoke a key for good, and return it; one that is revoked stays as it is.

    Raises:
        UnknownApiKeyError: There is none.
    """
    store.run(lambda conn: conn.execute(_REVOKE, [prefix]))
    found = find_key(store, prefix)
    if found is None:
        raise UnknownApiKeyError(prefix)
    return found


def _key(row: Sequence[object]) -> ApiKey:
    key = ApiKey._make(row)
    tables = None if key.tables is None else tuple(key.tables)
    return key._replace(digest=bytes(key.digest), role=Role(key.role), tables=tables)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()
