from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest
from psycopg.pq import TransactionStatus

from adapters.errors import MigrationEditedError, StoreTooNewError
from adapters.store import migrations
from adapters.store.migrations import migrate, pending


@pytest.fixture
def files(tmp_path) -> Path:
    """Two small migrations."""
    (tmp_path / "0001_chips.sql").write_text("CREATE TABLE chips (amount bigint)")
    (tmp_path / "0002_seats.sql").write_text(
        "CREATE TABLE seats (n int); INSERT INTO seats VALUES (1)"
    )
    return tmp_path


def tables(dsn: str) -> set[str]:
    """Read the names of the tables in a database."""
    with psycopg.connect(dsn) as conn:
        rows = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return {name for (name,) in rows}


@pytest.mark.parametrize("autocommit", [True, False])
def test_files_are_applied_once_in_the_order_of_their_numbers(empty_database, files, autocommit):
    """A second run finds nothing to do."""
    with psycopg.connect(empty_database, autocommit=autocommit) as conn:
        assert pending(conn, files) == ["0001_chips.sql", "0002_seats.sql"]
        assert migrate(conn, files) == ["0001_chips.sql", "0002_seats.sql"]
        assert migrate(conn, files) == []
        assert pending(conn, files) == []
        assert conn.info.transaction_status == TransactionStatus.IDLE

    assert tables(empty_database) == {"chips", "seats", "jinhua_migrations"}


def test_looking_at_what_is_pending_changes_nothing(empty_database, files):
    """Not even the table of migrations is made."""
    with psycopg.connect(empty_database) as conn:
        pending(conn, files)

    assert tables(empty_database) == set()


def test_a_later_release_applies_only_what_is_new(empty_database, files):
    """Forwards only, from wherever the store is."""
    with psycopg.connect(empty_database) as conn:
        migrate(conn, files)
        (files / "0003_rake.sql").write_text("CREATE TABLE rake ()")

        assert migrate(conn, files) == ["0003_rake.sql"]


def test_a_file_that_fails_leaves_nothing_behind_and_keeps_those_before_it(empty_database, files):
    """Each file is one transaction."""
    (files / "0002_seats.sql").write_text("CREATE TABLE seats (n int); SELECT 1 / 0")
    with psycopg.connect(empty_database) as conn:
        with pytest.raises(psycopg.errors.DivisionByZero):
            migrate(conn, files)

        assert pending(conn, files) == ["0002_seats.sql"]
    assert tables(empty_database) == {"chips", "jinhua_migrations"}


def test_no_published_file_was_edited():
    """Not even a comment in it: stores know it by its digest. The list only ever grows."""
    listed = Path(__file__).with_name("migrations.sha256").read_text(encoding="utf-8").splitlines()
    files = sorted(migrations.DIRECTORY.glob("*.sql"))

    assert listed == [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in files]


@pytest.mark.parametrize("look", [migrate, pending])
def test_an_edited_file_is_refused_by_name(empty_database, files, look):
    """What was applied and what is read must be the same bytes."""
    with psycopg.connect(empty_database) as conn:
        migrate(conn, files)
        (files / "0001_chips.sql").write_text("CREATE TABLE chips (amount int)")

        with pytest.raises(MigrationEditedError, match=r"0001_chips\.sql") as refused:
            look(conn, files)

    assert refused.value.applied != refused.value.found


def test_a_renamed_file_is_refused(empty_database, files):
    """The name is part of the history."""
    with psycopg.connect(empty_database) as conn:
        migrate(conn, files)
        (files / "0001_chips.sql").rename(files / "0001_money.sql")

        with pytest.raises(MigrationEditedError, match=r"0001_chips\.sql"):
            pending(conn, files)


@pytest.mark.parametrize("look", [migrate, pending])
def test_a_store_from_the_future_is_refused(empty_database, files, look):
    """An old program must not write into a shape it does not know."""
    with psycopg.connect(empty_database) as conn:
        migrate(conn, files)
        (files / "0002_seats.sql").unlink()

        with pytest.raises(StoreTooNewError, match="at migration 2; this program knows up to 1"):
            look(conn, files)


def test_two_migrators_at_once_apply_each_file_once(empty_database, files):
    """Whoever comes second waits, and finds it done."""
    for number in range(3, 20):
        (files / f"{number:04}_more.sql").write_text(f"CREATE TABLE t{number} ()")

    def run(_):
        with psycopg.connect(empty_database) as conn:
            return migrate(conn, files)

    with ThreadPoolExecutor(4) as pool:
        applied = [name for names in pool.map(run, range(4)) for name in names]

    assert sorted(applied) == sorted(path.name for path in files.glob("*.sql"))


def test_numbers_have_no_gap_and_no_twin(empty_database, files):
    """Two branches that both took a number meet here, not in production."""
    (files / "0002_twin.sql").write_text("SELECT 1")

    with psycopg.connect(empty_database) as conn, pytest.raises(AssertionError, match="1, 2, 2"):
        pending(conn, files)


def test_the_projects_own_files_are_applied_in_every_test_database(database):
    """The fixture `database` is a migrated one."""
    with psycopg.connect(database) as conn:
        assert pending(conn) == []


@pytest.mark.parametrize("role", ["jinhua_writer", "jinhua_reader"])
def test_the_owner_can_take_on_each_role(database, role):
    """Least privilege is one statement away."""
    with psycopg.connect(database) as conn:
        conn.execute(f"SET ROLE {role}")

        assert conn.execute("SELECT current_user").fetchone() == (role,)


def test_roles_are_made_once_for_databases_migrated_at_the_same_moment(server, empty_database):
    """Roles belong to the server: the lock of one database does not guard them."""
    sql = (migrations.DIRECTORY / "0001_roles.sql").read_bytes().replace(b"jinhua_", b"race_")
    drop = "DROP ROLE IF EXISTS race_writer, race_reader"

    def run(dsn):
        with psycopg.connect(dsn) as conn:
            conn.execute(sql)

    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(run, [server, empty_database] * 2))
    finally:
        with psycopg.connect(server, autocommit=True) as conn:
            conn.execute(drop)


def test_an_owner_who_is_no_superuser_can_migrate(empty_database):
    """On a managed server the owner may at best create roles; then he may take them on."""
    sql = (migrations.DIRECTORY / "0001_roles.sql").read_bytes().replace(b"jinhua_", b"plain_")
    with psycopg.connect(empty_database, autocommit=True) as conn:
        conn.execute("CREATE ROLE plain_owner LOGIN CREATEROLE")
        try:
            conn.execute("SET SESSION AUTHORIZATION plain_owner")
            conn.execute(sql)
            conn.execute(sql)
            conn.execute("SET ROLE plain_writer")
            assert conn.execute("SELECT current_user").fetchone() == ("plain_writer",)
        finally:
            conn.execute("RESET SESSION AUTHORIZATION")
            conn.execute("DROP ROLE IF EXISTS plain_writer, plain_reader")
            conn.execute("DROP ROLE plain_owner")
