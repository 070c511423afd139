"""Restore: a store as it was, whole or not at all, and every figure held against the original's."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from adapters.copies.backup import connected
from adapters.copies.backup_file import Manifest, unseal
from adapters.copies.client_programs import for_restore, running
from adapters.copies.figures import Unequal, compare, figures
from adapters.errors import AdapterError, StoreTooNewError
from adapters.registers.player_keys import destroy_keys
from adapters.store.migrations import DIRECTORY
from adapters.store.postgres import SNAPSHOT, Store, place

Progress = Callable[[int, int], object]
"""Told how many rows are compared, and of how many."""

_ANYTHING: Final = """
    SELECT c.oid::regclass::text, c.relkind IN ('r', 'p')
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'
     ORDER BY 1
"""

_WITH_ROWS_WHEN_NEW: Final = frozenset({"jinhua_migrations", "projections"})

# As every new database of PostgreSQL 15 and later has it.
_CLEAR: Final = """
    DROP SCHEMA public CASCADE;
    CREATE SCHEMA public AUTHORIZATION pg_database_owner;
    GRANT USAGE ON SCHEMA public TO PUBLIC;
"""


class NotEmptyError(AdapterError):
    """A restore would go into a database that something is in."""

    code: ClassVar[str] = "not_empty"

    def __init__(self, *, where: str, found: str) -> None:
        super().__init__(f"{where} is not empty: {found}; --into NAME makes a database")
        self.where, self.found = where, found


class Restored(NamedTuple):
    """What a restore came to."""

    database: str
    manifest: Manifest
    unequal: list[Unequal]
    """Figures in which the restored store is not the original; they should be none."""
    erased: int
    """Keys that came back although the history says that their players were erased; all gone."""


def restore(
    dsn: str,
    file: Path,
    *,
    into: str | None = None,
    is_ours: bool = False,
    progress: Progress = lambda _done, _total: None,
) -> Restored:
    """Bring a store back from a file, and compare it with the original.

    Args:
        dsn: The owner's, of an empty database.
        file: A backup.
        into: The name of a database to make on the same server, and to restore to instead.
        is_ours: The database is the embedded server's, so that a ledger in it that holds
            nothing yet may be replaced.
        progress: Told, now and then, how far the comparison has come.

    Raises:
        BadBackupError: The file is no backup, or was changed.
        NotEmptyError: Something is in the database already.
        StoreTooNewError: A newer program made the backup.
        NoClientProgramError: There is no ``pg_restore`` for both file and server.
        ClientProgramError: ``pg_restore`` gave up; the database is empty.
        StoreUnreachableError: The server cannot be reached, or broke off.
        StoreRefusedError: The owner may not do what it takes.
    """
    manifest = unseal(file)
    known = len(list(DIRECTORY.glob("*.sql")))
    if len(manifest.migrations) > known:
        raise StoreTooNewError(store=len(manifest.migrations), program=known)
    with _target(dsn, into) as target:
        with connected(target) as conn:
            program = for_restore(conn.info.server_version // 10_000, written_by=manifest.dumped_by)
            _make_room(conn, where=place(target), is_ours=is_ours and into is None)
            _make_roles(conn, manifest.roles)
        words = ("--single-transaction", "--exit-on-error", "--no-owner", str(file))
        with running(program, target, *words):
            pass
        return _compared(target, manifest, progress)


def _compared(dsn: str, manifest: Manifest, progress: Progress) -> Restored:
    """Take the figures of what was restored."""
    rows = (value for name, value in manifest.figures.items() if name.endswith(".rows"))
    total = sum(value for value in rows if isinstance(value, int))
    with connected(dsn) as conn:
        conn.execute("ANALYZE")  # the planner knows nothing of it yet
        with conn.transaction():
            conn.execute(SNAPSHOT)
            found = figures(conn, lambda done: progress(done, total))
        unequal = compare(manifest.figures, found)
        return Restored(conn.info.dbname, manifest, unequal, _erase_again(conn, dsn))


def _erase_again(conn: psycopg.Connection[Any], dsn: str) -> int:
    """Destroy the keys of players who were erased, where the backup still had some."""
    ((table,),) = conn.execute("SELECT to_regclass('player_keys')").fetchall()
    if table is None:  # a backup from before there were names
        return 0
    with Store(dsn, connections_max=1) as store:
        return destroy_keys(store)


@contextmanager
def _target(dsn: str, into: str | None) -> Iterator[str]:
    """Lend the DSN to restore to; a database made for that is dropped where it comes to nothing."""
    if into is None:
        yield dsn
        return
    name = sql.Identifier(into)
    with connected(dsn) as conn:
        try:
            conn.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(name))
        except psycopg.errors.DuplicateDatabase:
            raise NotEmptyError(where=into, found="it exists") from None
        try:
            yield make_conninfo(dsn, dbname=into)
        except BaseException:
            with suppress(psycopg.Error):
                conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
            raise


def _make_room(conn: psycopg.Connection[Any], *, where: str, is_ours: bool) -> None:
    """Refuse a database that something is in; a ledger of ours that was never used gives way."""
    with conn.transaction():
        found = conn.execute(_ANYTHING).fetchall()
        if not found:
            return
        tables = [name for name, is_table in found if is_table]
        if not is_ours or "jinhua_migrations" not in tables:
            raise NotEmptyError(where=where, found=f"there is {found[0][0]}")
        for table in tables:
            name = sql.SQL(table)
            conn.execute(sql.SQL("LOCK TABLE {}").format(name))
            rows = conn.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(name)).rowcount
            if rows and table not in _WITH_ROWS_WHEN_NEW:
                raise NotEmptyError(where=where, found=f"there are rows in {table}")
        conn.execute(_CLEAR)


def _make_roles(conn: psycopg.Connection[Any], roles: list[str]) -> None:
    """Make the roles that are granted something; they belong to the whole server."""
    privilege = "SET" if conn.info.server_version >= 160000 else "MEMBER"  # noqa: PLR2004
    for role in roles:
        name = sql.Identifier(role)
        if conn.execute("SELECT FROM pg_roles WHERE rolname = %s", [role]).rowcount == 0:
            twin = (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation)
            with suppress(*twin):  # another database was first
                conn.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(name))
        (may,) = conn.execute("SELECT pg_has_role(%s, %s)", [role, privilege]).fetchall()[0]
        if not may:
            conn.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))
