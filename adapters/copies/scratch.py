"""A copy of the history in a throw-away database of the same server, to try things on.

Its name says which session of the server made it and lasts as long as it is needed. Whoever makes
another one drops those whose session is gone: their process was killed.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from adapters.errors import StoreUnreachableError
from adapters.store.migrations import migrate
from adapters.store.postgres import CONNECT_TIMEOUT_S, place

_ABANDONED: Final = r"""
    SELECT datname FROM pg_database
     WHERE datname ~ '^jinhua_scratch_[0-9]+_[0-9a-f]{32}$'
           AND split_part(datname, '_', 3) NOT IN (SELECT pid::text FROM pg_stat_activity)
"""
_OUT: Final = "COPY events TO STDOUT (FORMAT BINARY)"
_IN: Final = "COPY events FROM STDIN (FORMAT BINARY)"


@contextmanager
def scratch_copy(dsn: str) -> Iterator[str]:
    """Lend the owner's DSN of a database with the same events; it is dropped afterwards.

    Args:
        dsn: The owner's, of the store to copy. It may be in use meanwhile.

    Raises:
        StoreUnreachableError: The owner cannot connect, or may not make a database.
    """
    try:
        with psycopg.connect(dsn, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as conn:
            _drop_abandoned(conn)
            name = f"jinhua_scratch_{conn.info.backend_pid}_{uuid4().hex}"
            conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            try:
                copy = make_conninfo(dsn, dbname=name)
                _fill(conn, copy)
                yield copy
            finally:
                drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
                conn.execute(drop)
    except (psycopg.OperationalError, psycopg.errors.InsufficientPrivilege) as error:
        raise StoreUnreachableError(where=place(dsn), reason=str(error).strip()) from error


def _drop_abandoned(conn: psycopg.Connection) -> None:
    """Drop what killed processes left, but for what anybody still has a session in."""
    for (name,) in conn.execute(_ABANDONED).fetchall():
        with suppress(psycopg.errors.ObjectInUse, psycopg.errors.InsufficientPrivilege):
            conn.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))


def _fill(source: psycopg.Connection, dsn: str) -> None:
    """Give a new database the shape of the store, and its events."""
    with psycopg.connect(dsn, autocommit=True) as target:
        migrate(target)
        with source.cursor().copy(_OUT) as out, target.cursor().copy(_IN) as into:
            for block in out:
                into.write(block)
