"""An empty ledger for each test, on a database that the tests of a session take turns at."""

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from adapters.ledger import Ledger
from adapters.store.postgres import Store
from tests.adapters.stored import empty


@pytest.fixture(scope="session")
def common_database(server: str, template: str) -> Iterator[str]:
    """The owner's DSN of a database that is emptied between tests: faster than a new one."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield make_conninfo(server, dbname=name)
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def store_dsn(common_database: str) -> str:
    """The owner's DSN of an empty store."""
    empty(common_database)
    return common_database


@pytest.fixture
def ledger(store_dsn: str) -> Iterator[Ledger]:
    """An empty ledger; whoever plays on it has to be given chips first."""
    with Ledger(Store(store_dsn)) as ledger:
        yield ledger
