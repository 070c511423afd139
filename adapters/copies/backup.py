"""Backup: an archive of ``pg_dump`` with the figures of the same moment; others write meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from typing import Any, ClassVar, Final

import psycopg

from adapters.copies.backup_file import Manifest, seal
from adapters.copies.client_programs import for_dump, running
from adapters.copies.figures import Progress, figures
from adapters.errors import AdapterError, StoreUnreachableError
from adapters.store.postgres import CONNECT_TIMEOUT_S, SNAPSHOT, place
from adapters.whole_files import replacing

_MOMENT: Final = "SELECT pg_export_snapshot(), now(), current_database()"

# Whoever was granted something in this database.
_ROLES: Final = """
    SELECT DISTINCT r.rolname::text
      FROM pg_shdepend d JOIN pg_roles r ON r.oid = d.refobjid
     WHERE d.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND d.refclassid = 'pg_authid'::regclass AND d.deptype = 'a'
     ORDER BY 1
"""


class NothingToBackUpError(AdapterError):
    """A database without a ledger in it."""

    code: ClassVar[str] = "nothing_to_back_up"

    def __init__(self, *, where: str) -> None:
        super().__init__(f"there is no ledger in {where}")
        self.where = where


class StoreRefusedError(AdapterError):
    """PostgreSQL refuses what a backup or a restore takes, to this owner."""

    code: ClassVar[str] = "store_refused"


def backup(dsn: str, file: Path, progress: Progress = lambda _rows: None) -> Manifest:
    """Write a store to a file, which appears whole or not at all; nobody is kept from writing.

    Args:
        dsn: The owner's, of the store.
        file: Replaced where there is one. Only its maker can read it: it holds every card.
        progress: Told, now and then, how far it has come.

    Raises:
        NothingToBackUpError: It holds no ledger.
        NoClientProgramError: There is no ``pg_dump`` for its server.
        ClientProgramError: ``pg_dump`` gave up.
        StoreUnreachableError: It cannot be reached, or broke off.
        StoreRefusedError: The owner may not do what it takes.
        OSError: The file cannot be written.
    """
    with connected(dsn) as conn, conn.transaction():
        conn.execute(SNAPSHOT)
        conn.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        migrations = _migrations(conn)
        if not migrations:
            raise NothingToBackUpError(where=place(dsn))
        program = for_dump(conn.info.server_version // 10_000)
        ((snapshot, made_at, database),) = conn.execute(_MOMENT).fetchall()
        with replacing(file, private=True) as partial:
            words = ("--format=custom", "--no-owner", f"--snapshot={snapshot}", f"--file={partial}")
            with running(program, dsn, *words):
                found = figures(conn, progress)
            manifest = Manifest(
                made_at=made_at.astimezone(UTC).isoformat(),
                database=database,
                server=conn.info.parameter_status("server_version") or "",
                dumped_by=program.version,
                roles=[role for (role,) in conn.execute(_ROLES)],
                migrations=migrations,
                figures=found,
            )
            seal(partial, manifest)
    return manifest


@contextmanager
def connected(dsn: str) -> Iterator[psycopg.Connection[Any]]:
    """Connect as the owner.

    Raises:
        StoreUnreachableError: That fails, or the connection breaks off.
        StoreRefusedError: The owner may not do what is asked.
    """
    try:
        with psycopg.connect(dsn, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as conn:
            yield conn
    except psycopg.OperationalError as error:
        raise StoreUnreachableError(where=place(dsn), reason=str(error).strip()) from error
    except psycopg.Error as error:
        raise StoreRefusedError(str(error).strip()) from error


def _migrations(conn: psycopg.Connection[Any]) -> list[str]:
    """Return the names of the migrations that were applied; none where there is no ledger."""
    ((table,),) = conn.execute("SELECT to_regclass('jinhua_migrations')").fetchall()
    if table is None:
        return []
    return [name for (name,) in conn.execute("SELECT name FROM jinhua_migrations ORDER BY number")]
