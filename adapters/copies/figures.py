"""What two stores are compared by: of every table its rows and their digest, and who may do what.

A digest is SHA-256 over the rows in the order of their primary key, as PostgreSQL copies them in
binary: each field with its length before it. It rests on no locale, time zone or version of the
server, so a restored store has the figures of the original.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import psycopg

Figure = int | str
Progress = Callable[[int], object]
"""Told how many rows are done."""

_OURS: Final = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'"

# Texts in the order of their bytes, whatever the database's locale.
_TABLES: Final = f"""
    SELECT c.oid::regclass::text,
           (SELECT string_agg(
                       quote_ident(a.attname)
                       || CASE WHEN a.attcollation = 0 THEN '' ELSE ' COLLATE "C"' END,
                       ', ' ORDER BY place)
              FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS key (number, place),
                   pg_attribute a
             WHERE i.indrelid = c.oid AND i.indisprimary
                   AND a.attrelid = c.oid AND a.attnum = key.number)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND {_OURS}
     ORDER BY 1
"""  # noqa: S608 - a constant

# What anybody but the owner may do, down to single columns.
_GRANTS: Final = f"""
    SELECT c.oid::regclass::text, '', g.grantee::regrole::text, g.privilege_type, g.is_grantable
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) g
     WHERE g.grantee <> c.relowner AND {_OURS}
    UNION ALL
    SELECT c.oid::regclass::text, a.attname, g.grantee::regrole::text, g.privilege_type,
           g.is_grantable
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
           JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(a.attacl) g
     WHERE g.grantee <> c.relowner AND {_OURS}
    UNION ALL
    SELECT p.oid::regprocedure::text, '', g.grantee::regrole::text, g.privilege_type, g.is_grantable
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace, aclexplode(p.proacl) g
     WHERE g.grantee <> p.proowner AND {_OURS}
"""  # noqa: S608 - constants

_LAST_POSITION: Final = "SELECT coalesce(max(position), 0) FROM events"


class Unequal(NamedTuple):
    """A figure in which two stores differ; None: there is none."""

    figure: str
    before: Figure | None
    after: Figure | None


def figures(
    conn: psycopg.Connection[Any], progress: Progress = lambda _rows: None
) -> dict[str, Figure]:
    """Return the figures of a store, as its owner sees it.

    Args:
        conn: The owner's, in a transaction that sees one moment.
        progress: Told, now and then, how many rows were digested.
    """
    conn.execute("SET LOCAL client_encoding = 'UTF8'")
    (last,) = conn.execute(_LAST_POSITION).fetchone() or (0,)
    found: dict[str, Figure] = {"position": last}
    done = 0
    for table, key in conn.execute(_TABLES).fetchall():
        rows, digest = _digest(conn, table, key, progress, done)
        found |= {f"{table}.rows": rows, f"{table}.sha256": digest}
        done += rows
    found["grants.sha256"] = _grants(conn)
    return found


def compare(before: Mapping[str, Figure], after: Mapping[str, Figure]) -> list[Unequal]:
    """Return every figure in which two stores differ, by name."""
    return [
        Unequal(name, before.get(name), after.get(name))
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


_TOLD_EVERY: Final = 10_000  # rows


def _digest(
    conn: psycopg.Connection[Any], table: str, key: str | None, progress: Progress, done: int
) -> tuple[int, str]:
    """Return how many rows a table has, and the digest over them."""
    order = key or 't::text COLLATE "C"'
    query = f"COPY (SELECT * FROM {table} t ORDER BY {order}) TO STDOUT (FORMAT BINARY)"  # noqa: S608
    digest = hashlib.sha256()
    with conn.cursor() as cursor:
        with cursor.copy(query) as rows:  # names as the server itself has quoted them
            for number, row in enumerate(rows, start=done):
                digest.update(row)
                if number % _TOLD_EVERY == 0:
                    progress(number)
        progress(done + cursor.rowcount)
        return cursor.rowcount, digest.hexdigest()


def _grants(conn: psycopg.Connection[Any]) -> str:
    """Return a digest over what anybody but the owner may do."""
    granted = sorted(conn.execute(_GRANTS).fetchall())
    return hashlib.sha256(json.dumps(granted).encode()).hexdigest()
