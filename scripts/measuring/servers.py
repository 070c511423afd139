"""The server to measure on, and scratch databases that are made and dropped."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from uuid import uuid4

import psutil
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from adapters.store.embedded_postgres import ensure_running, stop
from adapters.store.migrations import migrate

DURABLE: Final = ("fsync", "synchronous_commit", "full_page_writes")
"""What has to be on. Whoever switches one of them off measures another promise."""

_COMMENT: Final = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s"


class NotDurableError(Exception):
    """The server does not wait for its disk, so its figures would say nothing."""


@contextmanager
def server(dsn: str | None, keep: Path | None = None) -> Iterator[str]:
    """Lend the owner's DSN of a server: the one that is given, else an embedded one of its own.

    Args:
        dsn: Of the one, if there is one.
        keep: Where the embedded one has its data, and leaves it; None throws it away.

    Raises:
        NotDurableError: It does not keep what it has committed.
    """
    if dsn is not None:
        check_durable(dsn)
        yield dsn
        return
    data_dir = keep or Path(tempfile.mkdtemp(prefix="jinhua-bench-"))
    try:
        owner = ensure_running(data_dir)
        check_durable(owner)
        yield owner
    finally:
        stop(data_dir)
        if keep is None:
            shutil.rmtree(data_dir)


@contextmanager
def scratch(dsn: str, *, template: str | None = None, migrated: bool = True) -> Iterator[str]:
    """Lend the owner's DSN of a database that is dropped afterwards.

    Args:
        dsn: Of the server.
        template: The DSN of a database to be copied, which nobody is connected to.
        migrated: Give a new one the shape of our store.
    """
    name = f"jinhua_bench_{uuid4().hex}"
    source = "template1" if template is None else str(conninfo_to_dict(template)["dbname"])
    made = make_conninfo(dsn, dbname=name)
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(source)
            )
        )
        try:
            if migrated and template is None:
                with psycopg.connect(made, autocommit=True) as owner:
                    migrate(owner)
            yield made
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            conn.execute(drop)


def kept(dsn: str, name: str, fill: Callable[[str], str]) -> tuple[str, str]:
    """Return the owner's DSN of a database that stays, and the comment on what is in it.

    Args:
        dsn: Of the server.
        name: Its name there. It has the shape of our store.
        fill: Called where there is none, or one that was never finished; returns the comment.
    """
    made, named = make_conninfo(dsn, dbname=name), sql.Identifier(name)
    with psycopg.connect(dsn, autocommit=True) as conn:
        comment = (conn.execute(_COMMENT, [name]).fetchone() or (None,))[0]
        if comment is None:
            conn.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(named))
            conn.execute(sql.SQL("CREATE DATABASE {}").format(named))
        with psycopg.connect(made, autocommit=True) as owner:
            migrate(owner)
        if comment is None:
            comment = fill(made)
            conn.execute(
                sql.SQL("COMMENT ON DATABASE {} IS {}").format(named, sql.Literal(comment))
            )
    return made, comment


def settle_down(dsn: str) -> None:
    """Let the server plan with what is there, and write out what earlier work left to be written.

    Each side would otherwise pay for the dirty pages of the one before it.
    """
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("VACUUM (ANALYZE)")
        conn.execute("CHECKPOINT")


def settings(dsn: str) -> dict[str, str]:
    """Return the settings of a server that bear on what is measured."""
    names = ("server_version", *DURABLE, "shared_buffers", "wal_sync_method", "max_wal_size")
    with psycopg.connect(dsn, autocommit=True) as conn:
        return {name: str(conn.execute(f"SHOW {name}").fetchall()[0][0]) for name in names}


def check_durable(dsn: str) -> None:
    """Refuse a server that loses commits.

    Raises:
        NotDurableError: It does.
    """
    found: Mapping[str, str] = settings(dsn)
    off = [name for name in DURABLE if found[name] != "on"]
    if off:
        raise NotDurableError(f"{', '.join(off)} is not on: what is measured would not be durable")


def filesystem(path: Path) -> str:
    """Return the type of the file system that a path is on, "unknown" where nobody says."""
    holding = [
        part
        for part in psutil.disk_partitions(all=True)
        if path.resolve().is_relative_to(part.mountpoint)
    ]
    return max(holding, key=lambda part: len(part.mountpoint)).fstype if holding else "unknown"
