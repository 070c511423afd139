"""The least that can be done: one row, one INSERT, one COMMIT, and no rule at all."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import cycle
from typing import Any, Final

import psycopg

from adapters.clock import now
from adapters.store.chain import GENESIS
from scripts.measuring.material import Fact
from scripts.measuring.timing import Window, together

_TABLE: Final = """
    CREATE TABLE raw_events (
        position           bigserial   PRIMARY KEY,
        originator_id      text        COLLATE "C" NOT NULL,
        originator_version integer     NOT NULL,
        topic              text        NOT NULL,
        body               text        NOT NULL,
        command_id         text        NOT NULL,
        actor              text        NOT NULL,
        happened_at        timestamptz NOT NULL,
        recorded_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
        link               bytea       NOT NULL,
        UNIQUE (originator_id, originator_version)
    )
"""

# A statement of its own is a transaction of its own: there is no shorter way to a commit.
_INSERT: Final = """
    INSERT INTO raw_events (originator_id, originator_version, topic, body, command_id, actor,
                            happened_at, link)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""


class Raw:
    """A table with the columns and the bytes of ours."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._windows = 0
        with psycopg.connect(dsn, autocommit=True) as conn:
            conn.execute(_TABLE)

    def window(self, facts: Sequence[Fact], writers: int, seconds: float) -> Window:
        """Let writers insert at once, each on a connection of its own."""
        self._windows += 1
        with ExitStack() as stack:
            conns = [
                stack.enter_context(psycopg.connect(self._dsn, autocommit=True))
                for _ in range(writers)
            ]
            begun = [inserting(conn, facts, f"{self._windows}-{n}") for n, conn in enumerate(conns)]
            return together(begun, seconds)


def inserting(conn: psycopg.Connection[Any], facts: Sequence[Fact], who: str) -> Iterator[None]:
    """Insert one row after another, for ever."""
    stream, at = f"hand:{who}", now()
    for version, fact in enumerate(cycle(facts), start=1):
        command = f"{who}:{version}"
        row = [stream, version, fact.topic, fact.text, command, "bench", at, GENESIS]
        conn.execute(_INSERT, row, prepare=True)
        yield
