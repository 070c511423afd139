"""The machine stops at every single statement of every command: all of it is stored, or nothing."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from adapters.commands.execution import Receipt
from adapters.commands.imported import ImportReport
from adapters.errors import StoreUnreachableError
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from tests.adapters.play import do, fund, lines, sit_down, vectors
from tests.faults.statements import (
    Failpoints,
    Go,
    StoppedError,
    Trip,
    Watcher,
    as_actor,
    committing_each,
    watched,
)

Command = Callable[[Ledger], Any]

COMMANDS: dict[str, Command] = {
    "deposit": lambda ledger: ledger.deposit("ann", 5, command_id="c"),
    "withdraw": lambda ledger: ledger.withdraw("ann", 5, command_id="c"),
    "open": lambda ledger: sit_down(ledger, "h-2", command_id="c"),
    "act": lambda ledger: do(ledger, 1, "call", command_id="c"),
    "settle": lambda ledger: do(ledger, 1, "fold", command_id="c"),
    "void": lambda ledger: ledger.void_hand("h-1", "why", command_id="c", actor="floor"),
    "import": lambda ledger: ledger.import_hands(lines(*vectors("jiuyou")[:3])),
}


@pytest.fixture
def fragile(store_dsn) -> Iterator[Ledger]:
    """A ledger whose every round trip may be its last, with a hand under way."""
    with Ledger(Store(store_dsn)) as ledger:
        fund(ledger, "ann", "bob", amount=1_000_000)
        sit_down(ledger)
    with Ledger(Store(as_actor(store_dsn, "fragile"), connections_max=1)) as ledger:
        yield ledger


def dump(dsn: str) -> dict[str, list[Any]]:
    """Return every row of every table."""
    with psycopg.connect(dsn) as owner:
        tables = owner.execute(
            "SELECT relname FROM pg_stat_user_tables ORDER BY relname"
        ).fetchall()
        return {
            name: sorted(owner.execute(sql.SQL(f"TABLE {name}")).fetchall(), key=repr)
            for (name,) in tables
        }


def stop(fragile: Ledger, command: Command, watcher: Watcher) -> None:
    """Give a command on a machine that stops before it has an answer."""
    with watched(watcher), pytest.raises(StoppedError):
        command(fragile)


def trips_of(fragile: Ledger, command: Command) -> list[str]:
    """Return the round trips of a command up to its COMMIT, and do not carry it out."""
    points = Failpoints(1_000)

    def until_commit(trip: Trip, go: Go) -> Any:
        if trip.what == "COMMIT":
            points.trips.append("COMMIT")
            return Failpoints(1, before=True)(trip, go)
        return points(trip, go)

    stop(fragile, command, until_commit)
    return points.trips


@pytest.mark.parametrize("name", COMMANDS)
def test_a_failure_at_any_statement(fragile, store_dsn, name):
    """Failure after each single SQL statement of an append: database dump equals the dump before.

    Before each of them too. Only after COMMIT is it stored; then giving it again returns the first
    answer.
    """
    command, before = COMMANDS[name], dump(store_dsn)
    trips = trips_of(fragile, command)
    assert len(trips) >= 4, trips

    for at in range(1, len(trips)):
        stop(fragile, command, Failpoints(at))
        assert dump(store_dsn) == before, (at, trips)
    stop(fragile, command, Failpoints(len(trips), before=True))
    assert dump(store_dsn) == before, trips

    stop(fragile, command, Failpoints(len(trips)))
    stored = dump(store_dsn)
    assert len(stored["receipts"]) > len(before["receipts"])
    again = command(fragile)
    assert dump(store_dsn) == stored
    if isinstance(again, ImportReport):
        assert (again.hands, again.already) == (0, 3)
    else:
        assert isinstance(again, Receipt)
        assert again.status == "replayed"
    assert list(fragile.verify()) == []


def test_without_a_transaction_a_failure_leaves_something(fragile, store_dsn):
    """So the test above can fail: each statement committed alone, the dump is another one."""
    settle, before = COMMANDS["settle"], dump(store_dsn)
    last = len(trips_of(fragile, settle))

    stop(fragile, settle, committing_each(Failpoints(last, before=True)))

    assert dump(store_dsn) != before


DEFERRED = "AFTER INSERT ON receipts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
REFUSED = {
    # what PostgreSQL refuses                 when
    "the first row of the events":  ("BEFORE INSERT ON events FOR EACH ROW", "CREATE TRIGGER"),
    "the events, all inserted":     ("AFTER INSERT ON events", "CREATE TRIGGER"),
    "the receipts, all inserted":   ("AFTER INSERT ON receipts", "CREATE TRIGGER"),
    "COMMIT":                       (DEFERRED, "CREATE CONSTRAINT TRIGGER"),
}  # fmt: skip


@pytest.mark.parametrize("refused", REFUSED)
def test_a_disk_that_is_full(database, refused):
    """The server itself fails an append, at any place: nothing is stored, and the next works."""
    when, create = REFUSED[refused]
    with Ledger(Store(database)) as ledger:
        fund(ledger, "ann", "bob", amount=1_000_000)
        sit_down(ledger)
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
                " $$BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END$$"
            )
            owner.execute(sql.SQL(f"{create} full_disk {when} EXECUTE FUNCTION full_disk()"))
            table = when.split(" ON ")[1].split()[0]
            before = dump(database)

            for command in COMMANDS.values():
                with pytest.raises(StoreUnreachableError, match="No space left"):
                    command(ledger)
                assert dump(database) == before
            owner.execute(sql.SQL(f"DROP TRIGGER full_disk ON {table}"))

        assert COMMANDS["settle"](ledger).status == "applied"
        assert list(ledger.verify()) == []
