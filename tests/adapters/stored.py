"""Histories put straight into the event table, past every rule, and read models to look at."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from psycopg import sql

from adapters.copies.restore import _WITH_ROWS_WHEN_NEW
from adapters.store.chain import GENESIS, Linked, link_of
from adapters.store.codec import encode
from adapters.store.migrations import DIRECTORY, migrate
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector
from adapters.views.views import Views
from domain.stream import Entry
from projections.audit_trail.row import TrailRow
from projections.balances import Balance
from projections.bonuses import BonusRow
from projections.disputes import DisputeRow
from projections.hands.row import HandRow
from projections.house import HouseRow
from tests.projections.histories import history, shuffled

HANDS = shuffled(history(40), 11)
"""Hands of every rulebook, taking turns: a batch of any size ends in the middle of some."""

HALF = len(HANDS) // 2

BET = next(
    position
    for position, entry in enumerate(HANDS, 1)
    if position > HALF and entry.event.TOPIC == "hand.bet_called.v1"
)
"""The position of a bet in the middle of it all."""

_COPY = """
    COPY events (position, originator_id, originator_version, topic, body, command_id, actor,
                 happened_at, recorded_at, link) FROM STDIN
"""

_TIPS = """
    SELECT DISTINCT ON (originator_id) originator_id, link FROM events
     ORDER BY originator_id, originator_version DESC
"""


def migrate_first(conn: psycopg.Connection[Any], count: int, files: Path) -> None:
    """Make a store of an earlier version by the first migrations, copied to a directory."""
    for file in sorted(DIRECTORY.glob("*.sql"))[:count]:
        shutil.copy(file, files)
    migrate(conn, files)


def empty(dsn: str) -> None:
    """Make a store what its migrations made it: nothing happened yet, and no read model knows."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        found = owner.execute("SELECT relname FROM pg_stat_user_tables")
        tables = [sql.Identifier(name) for (name,) in found if name not in _WITH_ROWS_WHEN_NEW]
        # Most tests fill two or three; to look into a table is cheaper than to truncate it.
        probe = sql.SQL("SELECT FROM {} LIMIT 1")
        filled = [table for table in tables if owner.execute(probe.format(table)).rowcount]
        if filled:
            names = sql.SQL(", ").join(filled)
            owner.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY CASCADE").format(names))
        owner.execute("UPDATE projections SET generation = 1, position = 0 WHERE position > 0")


def insert(dsn: str, entries: Iterable[Entry], *, after: int = 0) -> int:
    """Store entries from a position on, in one transaction. Return the last position."""
    position, at = after, datetime.now(UTC)
    tips = dict[str, bytes](rows(dsn, _TIPS))
    with psycopg.connect(dsn) as owner, owner.cursor() as cursor, cursor.copy(_COPY) as copy:
        for position, entry in enumerate(entries, after + 1):
            stream, event, cause = entry.originator_id, entry.event, entry.cause
            made = Linked(
                position, stream, entry.originator_version, event.TOPIC, encode(event),
                cause.command_id, cause.actor, cause.at, at, b"",
            )  # fmt: skip
            tips[stream] = link_of(tips.get(stream, GENESIS), made)
            copy.write_row(made._replace(link=tips[stream]))
    return position


def execute(dsn: str, statement: str, values: Iterable[Any] = ()) -> None:
    """Do as the owner what nobody else may."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(statement, list(values))


def rows(dsn: str, query: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
    """Read as the owner."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        return owner.execute(query, list(values)).fetchall()


class Told(NamedTuple):
    """Everything that the read models tell."""

    balances: list[Balance]
    bonuses: list[BonusRow]
    trail: list[TrailRow]
    house: list[HouseRow]
    hands: list[HandRow]
    disputes: list[DisputeRow]


def told(dsn: str) -> Told:
    """Return everything that the read models tell."""
    with views(dsn) as read:
        return Told(
            *(read.balances(), read.bonuses(), read.audit_trail(), read.house(), read.hands()),
            read.disputes(),
        )


def agrees(dsn: str) -> bool:
    """Tell whether every read model is at the end, and is what a fresh fold gives."""
    with projector(dsn, batch=1000) as keeper:
        return set(keeper.lag().values()) == {0} and not list(keeper.compare_with_fresh_fold())


def generations(dsn: str, name: str) -> list[int]:
    """Return the generations of a read model that have rows."""
    query = sql.SQL("SELECT DISTINCT generation FROM {} ORDER BY 1")
    with psycopg.connect(dsn) as owner:
        found = owner.execute(query.format(sql.Identifier(f"projected_{name}"))).fetchall()
    return [generation for (generation,) in found]


def event_at(dsn: str, position: int) -> tuple[str, str]:
    """Return the topic and body of an event."""
    ((topic, body),) = rows(dsn, "SELECT topic, body FROM events WHERE position = %s", [position])
    return topic, body


def replace(dsn: str, position: int, topic: str, body: str) -> None:
    """Put another event in the place of one."""
    change = "UPDATE events SET topic = %s, body = %s WHERE position = %s"
    execute(dsn, change, [topic, body, position])


@contextmanager
def projector(dsn: str, *, batch: int = 97) -> Iterator[Projector]:
    """Lend a projector with connections of its own; its batches end in the middle of hands."""
    with Store(dsn, role=ROLE) as store:
        yield Projector(store, batch=batch)


@contextmanager
def views(dsn: str) -> Iterator[Views]:
    """Lend the queries, in the role of a reader."""
    with Store(dsn, role="jinhua_reader") as store, Store(dsn, role=ROLE) as history:
        yield Views(store, history)


def edit_all_along(dsn: str, wallets: str = "wallet.deposited.v1") -> None:
    """Edit events in many hands, and those of a topic in many wallets; leave their links."""
    by_choice = 'UPDATE events SET body = replace(body, \'"by":"choice"\', \'"by":"timeout"\')'
    execute(dsn, f"{by_choice} WHERE topic IN ('hand.bet_called.v1', 'hand.folded.v1')")
    balances = "UPDATE events SET body = replace(body, '\"balance\":', '\"balance\":1')"
    execute(dsn, f"{balances} WHERE topic = %s", [wallets])
