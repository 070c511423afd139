"""The shape of the store: numbered SQL files, applied in order, forwards only.

Each file runs in one transaction and is recorded with its digest in `jinhua_migrations`. A file
that was applied is never edited; a change is a new file. Nothing is ever rolled back by number.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.pq import TransactionStatus

from adapters.errors import MigrationEditedError, StoreTooNewError

DIRECTORY: Final = Path(__file__).with_name("sql")

# Any constant will do, so long as it never changes: "jinhua" in ASCII.
_LOCK: Final = int.from_bytes(b"jinhua")

_FILE_NAME: Final = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")

_TABLE: Final = """
    CREATE TABLE IF NOT EXISTS jinhua_migrations (
        number     integer PRIMARY KEY,
        name       text NOT NULL,
        sha256     text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
"""


@dataclass(frozen=True)
class Migration:
    """One numbered file."""

    number: int
    name: str
    sql: bytes

    @property
    def sha256(self) -> str:
        """The digest of its bytes, in hex."""
        return hashlib.sha256(self.sql).hexdigest()


def migrate(conn: psycopg.Connection[Any], directory: Path = DIRECTORY) -> list[str]:
    """Apply what is pending, each file in a transaction of its own.

    Any number of migrators may run at once; each file is applied by one of them.

    Args:
        conn: The owner's, with no transaction open.
        directory: Where the files are.

    Returns:
        The names of the files that this call applied, in order.

    Raises:
        MigrationEditedError: An applied file is no longer what it was.
        StoreTooNewError: The store was migrated further than this program knows.
        psycopg.Error: A file failed; it left nothing behind, and those before it stay.
    """
    assert conn.info.transaction_status == TransactionStatus.IDLE, "a transaction is open"
    migrations = _load(directory)
    applied: list[str] = []
    while True:
        with conn.transaction():
            conn.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            conn.execute(_TABLE)
            waiting = _compare(migrations, _history(conn))
            if not waiting:
                return applied
            migration = waiting[0]
            conn.execute(migration.sql)
            conn.execute(
                "INSERT INTO jinhua_migrations (number, name, sha256) VALUES (%s, %s, %s)",
                [migration.number, migration.name, migration.sha256],
            )
        applied.append(migration.name)


def pending(conn: psycopg.Connection[Any], directory: Path = DIRECTORY) -> list[str]:
    """Return the names of the files that :func:`migrate` would apply, and change nothing.

    Raises:
        MigrationEditedError: An applied file is no longer what it was.
        StoreTooNewError: The store was migrated further than this program knows.
    """
    with conn.transaction():
        row = conn.execute("SELECT to_regclass('jinhua_migrations')").fetchone()
        exists = row is not None and row[0] is not None
        history = _history(conn) if exists else {}
    return [m.name for m in _compare(_load(directory), history)]


def _load(directory: Path) -> list[Migration]:
    """Read the files; their numbers run from 1 without a gap."""
    migrations = []
    for path in sorted(directory.glob("*.sql")):
        match = _FILE_NAME.fullmatch(path.name)
        assert match is not None, f"{path.name} is not named like 0001_roles.sql"
        migrations.append(Migration(int(match[1]), path.name, path.read_bytes()))
    numbers = [m.number for m in migrations]
    assert numbers == list(range(1, len(numbers) + 1)), f"migrations are numbered {numbers}"
    return migrations


def _history(conn: psycopg.Connection[Any]) -> dict[int, tuple[str, str]]:
    """Return the name and digest of each applied file by its number."""
    rows = conn.execute("SELECT number, name, sha256 FROM jinhua_migrations")
    return {number: (name, sha256) for number, name, sha256 in rows}


def _compare(migrations: list[Migration], history: dict[int, tuple[str, str]]) -> list[Migration]:
    """Return what is not applied yet, once all that is has proved to be unchanged."""
    newest = max(history, default=0)
    if newest > len(migrations):
        raise StoreTooNewError(store=newest, program=len(migrations))
    for migration in migrations[:newest]:
        name, sha256 = history[migration.number]
        if (name, sha256) != (migration.name, migration.sha256):
            raise MigrationEditedError(file=name, applied=sha256, found=migration.sha256)
    return migrations[newest:]
