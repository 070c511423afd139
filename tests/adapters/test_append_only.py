"""What was stored stays: the application's roles may add and read, and nothing else."""

import psycopg
import pytest
from psycopg.errors import CheckViolation, InsufficientPrivilege, NotNullViolation, UniqueViolation

from adapters.ledger import Ledger
from tests.adapters.play import fund

CHANGES = {
    "edit": "UPDATE {} SET recorded_at = now()",
    "edit the row it would": "UPDATE {} SET command_id = command_id WHERE false",
    "delete": "DELETE FROM {}",
    "delete one": "DELETE FROM {} WHERE command_id = 'fund:ann'",
    "empty": "TRUNCATE {}",
    "put in whole": "INSERT INTO {0} SELECT * FROM {0}",
    "drop": "DROP TABLE {}",
    "alter": "ALTER TABLE {} ADD COLUMN note text",
    "rename": "ALTER TABLE {} RENAME TO other",
    "hook in": "CREATE TRIGGER t AFTER INSERT ON {} EXECUTE FUNCTION pg_notify('x')",
    "rule out": "CREATE RULE r AS ON INSERT TO {} DO INSTEAD NOTHING",
    "own": "ALTER TABLE {} OWNER TO CURRENT_USER",
}  # fmt: skip


@pytest.fixture
def owner(ledger: Ledger, store_dsn: str):
    """The owner's connection to a store with a deposit in it, which tests may take roles on."""
    fund(ledger, "ann")
    with psycopg.connect(store_dsn, autocommit=True) as conn:
        yield conn


def dump(owner: psycopg.Connection) -> list[object]:
    """Return everything in both tables."""
    owner.execute("RESET ROLE")
    return [
        owner.execute(f"TABLE {table}").fetchall() for table in ("events", "receipts", "refusals")
    ]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", ["events", "receipts", "refusals"])
@pytest.mark.parametrize("role", ["jinhua_writer", "jinhua_reader"])
def test_no_role_of_the_application_changes_what_was_stored(owner, role, table, change):
    """PostgreSQL itself refuses, whatever the program asks for."""
    before = dump(owner)
    owner.execute(f"SET ROLE {role}")

    # The writer brings every column of an event; what it may not do is bring one again.
    again = (role, table, change) == ("jinhua_writer", "events", "put in whole")
    with pytest.raises(UniqueViolation if again else InsufficientPrivilege):
        owner.execute(CHANGES[change].format(table))
    assert dump(owner) == before


def test_the_ledger_s_own_connections_are_in_that_role(ledger):
    """Not only in a test: the connections that carry commands out may not edit either."""
    fund(ledger, "ann")
    with ledger.store.connection() as conn:
        assert conn.execute("SELECT current_user").fetchone() == ("jinhua_writer",)
        for table in ("events", "receipts", "refusals"):
            with pytest.raises(InsufficientPrivilege):
                conn.execute(CHANGES["edit"].format(table))


ROW: dict[str, object] = {
    "position": 2,
    "originator_id": "wallet:ann",
    "originator_version": 2,
    "topic": "wallet.deposited.v1",
    "body": "{}",
    "command_id": "c",
    "actor": "a",
    "happened_at": "2026-01-02T03:04:05Z",
    "link": b"\0" * 32,
}
RECEIPT: dict[str, object] = {
    "command_id": "c",
    "kind": "deposit",
    "digest": b"\0" * 32,
    "fields": "{}",
    "first_position": 1,
    "last_position": 1,
    "answer": "{}",
}
REFUSAL: dict[str, object] = {
    "refusal_id": "00000000-0000-0000-0000-000000000001",
    "command_id": "c",
    "kind": "deposit",
    "stream": "wallet:ann",
    "actor": "a",
    "digest": b"\0" * 32,
    "code": "c",
    "message": "m",
    "rule": "r",
    "numbers": "{}",
    "happened_at": "2026-01-02T03:04:05Z",
}
ROWS: tuple[tuple[str, dict[str, object]], ...] = (
    ("events", ROW),
    ("receipts", RECEIPT),
    ("refusals", REFUSAL),
)


def insert(conn: psycopg.Connection, table: str, row: dict[str, object]) -> None:
    """Insert a row as the writer would."""
    columns, values = ", ".join(row), ", ".join(f"%({column})s" for column in row)
    conn.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})", row)  # noqa: S608


def test_the_time_of_recording_is_the_servers_own(owner):
    """A writer cannot give it; that of an event it asks the server for, and hashes it."""
    owner.execute("SET ROLE jinhua_writer")

    for table, row in ROWS[1:]:
        with pytest.raises(InsufficientPrivilege):
            insert(owner, table, {**row, "recorded_at": "2000-01-01T00:00:00Z"})
        insert(owner, table, row)


@pytest.mark.parametrize(("table", "row"), ROWS)
def test_a_command_without_an_id_is_stored_nowhere(owner, table, row):
    """NULL and the empty text are no ids."""
    owner.execute("SET ROLE jinhua_writer")

    with pytest.raises(NotNullViolation):
        insert(owner, table, {**row, "command_id": None})
    with pytest.raises(CheckViolation):
        insert(owner, table, {**row, "command_id": ""})


def test_an_event_is_stored_with_its_link_and_nothing_shorter(owner):
    """What nothing binds to the events before it is no part of the history."""
    owner.execute("SET ROLE jinhua_writer")

    with pytest.raises(NotNullViolation):
        insert(owner, "events", {**ROW, "link": None})
    with pytest.raises(CheckViolation):
        insert(owner, "events", {**ROW, "link": b"\0" * 31})


def test_a_place_in_a_stream_and_in_the_history_is_taken_once(owner):
    """Even by a writer that goes around the lock."""
    owner.execute("SET ROLE jinhua_writer")

    with pytest.raises(UniqueViolation, match="originator_version"):
        insert(owner, "events", {**ROW, "originator_version": 1})
    with pytest.raises(UniqueViolation, match="position"):
        insert(owner, "events", {**ROW, "position": 1})


def test_the_reader_neither_reads_nor_adds_to_the_history(owner):
    """Events hold the cards of running hands: who reads the read models sees none."""
    owner.execute("SET ROLE jinhua_reader")

    for table, row in ROWS:
        with pytest.raises(InsufficientPrivilege):
            owner.execute(f"TABLE {table}")
        with pytest.raises(InsufficientPrivilege):
            insert(owner, table, row)
