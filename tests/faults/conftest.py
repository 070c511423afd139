"""An empty store for each test, its read models too; and a private server where one is killed."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from adapters.ledger import Ledger
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector
from tests.adapters.stored import empty


@pytest.fixture(scope="session")
def fault_database(server: str, template: str) -> Iterator[str]:
    """The owner's DSN of a database that is emptied between tests: faster than a new one."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(sql.SQL(f"CREATE DATABASE {name} TEMPLATE {template}"))
    yield make_conninfo(server, dbname=name)
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(sql.SQL(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def store_dsn(fault_database: str) -> str:
    """The owner's DSN of a store in which nothing happened yet."""
    empty(fault_database)
    return fault_database


@pytest.fixture
def ledger(store_dsn: str) -> Iterator[Ledger]:
    """An empty ledger; whoever plays on it has to be given chips first."""
    with Ledger(Store(store_dsn)) as ledger:
        yield ledger


@pytest.fixture
def projector(store_dsn: str) -> Iterator[Projector]:
    """What keeps the read models of that ledger."""
    with Store(store_dsn, role=ROLE) as store:
        yield Projector(store)


@pytest.fixture
def unlocked(database: str) -> Callable[..., str]:
    """Return the DSN of a store without the lock, and without constraints where asked.

    The lock is a function of PostgreSQL: whoever appends finds another of its name before it, which
    does nothing.
    """

    def remove(*, constraints: bool) -> str:
        with psycopg.connect(database, autocommit=True) as owner:
            for kind in ("bigint", "integer"):
                owner.execute(
                    sql.SQL(
                        f"CREATE FUNCTION public.pg_advisory_xact_lock({kind}) RETURNS void"
                        " LANGUAGE plpgsql AS 'BEGIN END'"
                    )
                )
            owner.execute("ALTER FUNCTION append_commands SET search_path = public, pg_catalog")
            if constraints:
                owner.execute(
                    "ALTER TABLE events DROP CONSTRAINT events_pkey,"
                    " DROP CONSTRAINT events_originator_id_originator_version_key"
                )
        return make_conninfo(database, options="-c search_path=public,pg_catalog")

    return remove


@pytest.fixture
def forgetful(database: str) -> str:
    """The DSN of a store that keeps no receipt of what it stores."""
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
        )
        owner.execute(
            "CREATE TRIGGER t BEFORE INSERT ON receipts FOR EACH ROW EXECUTE FUNCTION nothing()"
        )
    return database
