"""What was stored stays: the application's roles may add and read, and nothing else."""

from datetime import UTC, datetime

import psycopg
import pytest
from psycopg.errors import (
    ArraySubscriptError,
    AssertFailure,
    CheckViolation,
    DatetimeFieldOverflow,
    InsufficientPrivilege,
    NotNullViolation,
    UniqueViolation,
)

from adapters.ledger import Ledger
from adapters.store.chain import Chain, Linked
from adapters.views.projector import ROLE
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

    with pytest.raises(InsufficientPrivilege):
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
    """Insert a row as somebody would who may."""
    columns, values = ", ".join(row), ", ".join(f"%({column})s" for column in row)
    conn.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})", row)  # noqa: S608


def test_the_writer_adds_to_the_history_by_appending_alone(owner):
    """Positions, links and the time of recording are the store's own: nobody brings them along."""
    owner.execute("SET ROLE jinhua_writer")

    for table, row in ROWS[:2]:
        with pytest.raises(InsufficientPrivilege):
            insert(owner, table, row)
    insert(owner, "refusals", REFUSAL)
    with pytest.raises(InsufficientPrivilege):
        insert(owner, "refusals", {**REFUSAL, "recorded_at": "2000-01-01T00:00:00Z"})


def append(
    conn: psycopg.Connection, *versions: int, command_id: str | None = "c", **given: object
) -> None:
    """Append events of ann's wallet as the writer may, whatever their versions are."""
    count = len(versions)
    by_command = {
        "ids": [command_id],
        "kinds": ["deposit"],
        "digests": [bytes(32)],
        "fields": ["{}"],
        "answers": ["{}"],
    }
    by_row = {
        "row_streams": [1] * count,
        "expected": [b"", *[None] * (count - 1)],
        "versions": list(versions),
        "topics": ["wallet.deposited.v1"] * count,
        "bodies": ["{}"] * count,
        "command_ids": [command_id] * count,
        "actors": ["a"] * count,
        "moments": [datetime(2026, 1, 2, tzinfo=UTC)] * count,
    }
    conn.execute(
        "SELECT append_commands("
        " %(ids)s::text[], %(kinds)s::text[], %(digests)s::bytea[], %(fields)s::text[],"
        " %(answers)s::text[], ARRAY[%(count)s], ARRAY[''], %(streams)s::text[],"
        " %(row_streams)s::int[], %(expected)s::bytea[],"
        " %(versions)s::int[], %(topics)s::text[], %(bodies)s::text[], %(command_ids)s::text[],"
        " %(actors)s::text[], %(moments)s::timestamptz[])",
        {**by_command, "count": count, "streams": ["wallet:ann"], **by_row, **given},
    )


@pytest.mark.parametrize("moment", ["infinity", "-infinity", "20000-01-01Z", "0044-03-15Z BC"])
def test_a_moment_that_nobody_could_read_is_not_stored(owner, moment):
    """It would stop whoever reads on."""
    owner.execute("SET ROLE jinhua_writer")

    with pytest.raises(DatetimeFieldOverflow, match="beyond the calendar"):
        append(owner, 2, moments=[moment])


def test_what_a_writer_appends_is_in_its_place_and_linked(owner):
    """However it calls: nothing is skipped, and every link is that of the event before."""
    owner.execute("SET ROLE jinhua_writer")

    append(owner, 1, command_id="too late")
    append(owner, 2, 3)
    with pytest.raises(AssertFailure, match="skips a version"):
        append(owner, 4, 6, command_id="gap")

    found = owner.execute(
        "SELECT position, originator_id, originator_version, topic, body, command_id, actor,"
        " happened_at, recorded_at, link FROM events ORDER BY position"
    )
    rows = [Linked(*row) for row in found]
    assert [(row.position, row.version) for row in rows] == [(1, 1), (2, 2), (3, 3)]
    assert list(Chain().misfits(rows)) == []


def test_no_setting_of_a_writer_lets_it_skip_a_version(owner):
    """PostgreSQL lets anybody switch the assertions of a session off."""
    owner.execute("SET ROLE jinhua_writer; SET plpgsql.check_asserts = off")

    for versions in ((3,), (2, 4)):
        with pytest.raises(AssertFailure, match="skips a version"):
            append(owner, *versions, expected=[None] * len(versions))


@pytest.mark.parametrize(
    "given",
    [
        {"versions": [], "row_streams": [2]},
        {"versions": [2], "row_streams": [1, 2], "expected": [b"", None], "count": 2},
        {"row_streams": [2], "versions": [None]},
        {"row_streams": [None]},
        {"streams": []},
    ],
)
def test_a_position_is_given_to_nothing_that_is_not_stored(owner, given):
    """A row past the last version, of a stream past the last one: there is nothing to be stored."""
    before = dump(owner)
    owner.execute("SET ROLE jinhua_writer")

    with pytest.raises(AssertFailure, match="skips a version"):
        append(owner, 2, **given)
    assert dump(owner) == before


@pytest.mark.parametrize(
    ("array", "values"),
    {
        "ids": "[0:1]={forged,c}",
        "kinds": "[0:1]={forged,deposit}",
        "digests": "[0:1]={" + rf'"\\x{"00" * 32}","\\x{"11" * 32}"' + "}",
        "fields": '[0:1]={forged,"{}"}',
        "answers": '[0:1]={forged,"{}"}',
        "streams": "[0:1]={wallet:bob,wallet:ann}",
        "row_streams": "[0:1]={1,1}",
        "versions": "[0:1]={9,2}",
        "topics": "[0:1]={forged,wallet.deposited.v1}",
        "bodies": "[0:1]={forged,linked}",
        "command_ids": "[0:1]={forged,c}",
        "actors": "[0:1]={forged,a}",
        "moments": "[0:1]={2000-01-01,2026-01-02}",
    }.items(),
)
def test_what_is_linked_is_what_is_stored(owner, array, values):
    """Arrays of PostgreSQL may count from anywhere; their order and their numbers then differ."""
    before = dump(owner)
    owner.execute("SET ROLE jinhua_writer")

    with pytest.raises(ArraySubscriptError):
        append(owner, 2, **{array: values})
    assert dump(owner) == before


@pytest.mark.parametrize("role", ["jinhua_reader", ROLE])
def test_nobody_else_may_append(owner, role):
    """Neither those who read the read models nor those who keep them."""
    owner.execute(f"SET ROLE {role}")

    with pytest.raises(InsufficientPrivilege):
        append(owner, 2)


@pytest.mark.parametrize(("table", "row"), ROWS)
def test_a_command_without_an_id_is_stored_nowhere(owner, table, row):
    """NULL and the empty text are no ids."""
    with pytest.raises(NotNullViolation):
        insert(owner, table, {**row, "command_id": None})
    with pytest.raises(CheckViolation):
        insert(owner, table, {**row, "command_id": ""})


def test_an_event_is_stored_with_its_link_and_nothing_shorter(owner):
    """What nothing binds to the events before it is no part of the history."""
    with pytest.raises(NotNullViolation):
        insert(owner, "events", {**ROW, "link": None})
    with pytest.raises(CheckViolation):
        insert(owner, "events", {**ROW, "link": b"\0" * 31})


def test_a_place_in_a_stream_and_in_the_history_is_taken_once(owner):
    """Even by the owner, who goes around the lock."""
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
