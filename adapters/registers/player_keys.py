"""Each player's own key, which names are sealed under; to erase a player is to destroy it.

The key of a player who was erased is deleted only where the history says that the player was. So
it may be asked for at any time and any number of times, and repairs what was left half done: by a
process that was killed in between, or by a restore.
"""

import secrets
from typing import Final

from adapters.store.postgres import Runner, Store

KEY_BYTES: Final = 32  # AES-256

_MAKE: Final = "INSERT INTO player_keys (player, key) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_FIND: Final = "SELECT key FROM player_keys WHERE player = %s"

NAMINGS: Final = "topic IN ('wallet.player_named.v1', 'wallet.player_erased.v1')"
"""Which events name a player or erase one, as the index `events_by_naming` has them."""

_STANDING: Final = f"""
    SELECT topic FROM events
     WHERE originator_id = 'wallet:' || %s::text
           AND {NAMINGS}
     ORDER BY originator_version DESC LIMIT 1
"""  # noqa: S608 - a constant

_DESTROY: Final = f"""
    DELETE FROM player_keys AS k
     WHERE (%(player)s::text IS NULL OR player = %(player)s)
           AND EXISTS (SELECT FROM events
                        WHERE originator_id = 'wallet:' || k.player
                              AND topic = 'wallet.player_erased.v1'
                              AND {NAMINGS})
"""  # noqa: S608 - a constant


def find_key(runner: Runner, player: str) -> bytes | None:
    """Return a player's key; None where there is none, or none any more."""
    row = runner.run(lambda conn: conn.execute(_FIND, [player]).fetchone())
    return None if row is None else bytes(row[0])


def make_key(runner: Runner, player: str) -> bytes | None:
    """Return a player's key, made where there was none; None where it was destroyed meanwhile."""
    made = secrets.token_bytes(KEY_BYTES)
    runner.run(lambda conn: conn.execute(_MAKE, [player, made]))
    return find_key(runner, player)


def last_naming(runner: Runner, player: str) -> str | None:
    """Return the topic of the last event that named the player or erased it, where there is one."""
    row = runner.run(lambda conn: conn.execute(_STANDING, [player]).fetchone())
    return None if row is None else str(row[0])


def destroy_keys(store: Store, player: str | None = None) -> int:
    """Destroy the key of a player, or of all players, as far as the history says: erased.

    The table is written anew without what was deleted, as far as the owner may and nobody reads
    it just then.

    Returns:
        How many there still were.
    """
    gone = store.run(lambda conn: conn.execute(_DESTROY, {"player": player}).rowcount)
    if gone:
        store.write_anew("player_keys")
    return gone
