"""One PostgreSQL for all tests, a fresh database for each that asks, and how hard to try."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import structlog
from hypothesis import settings
from psycopg.conninfo import make_conninfo

from adapters.store.embedded_postgres import ensure_running, stop
from adapters.store.migrations import migrate

# No deadline: a busy machine is not a broken law.
settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=200, print_blob=True, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Some tests try more, or for longer, where asked; none is ever skipped."""
    parser.addoption("--long", action="store_true", help="try every fault many more times")


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Tell whether to try more, or for longer."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(scope="session", autouse=True)
def _terminated_tests_clean_up() -> Iterator[None]:
    """Turn SIGTERM into an ordinary end of the session, so that no server is left running."""

    def end(_signal, _frame):
        pytest.exit("terminated", returncode=143)

    before = signal.signal(signal.SIGTERM, end)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """Let no test log to where another one had its own log written: that is closed by now."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The owner's DSN of the server under test: JINHUA_TEST_DSN, else an embedded one."""
    given = os.environ.get("JINHUA_TEST_DSN")
    if given:
        yield given
        return
    # Not pytest's own directory, which is closed to the account that runs the server for root.
    data_dir = Path(tempfile.mkdtemp(prefix="jinhua-tests-"))
    try:
        yield ensure_running(data_dir)
    finally:
        stop(data_dir)
        shutil.rmtree(data_dir)


@contextmanager
def _new_database(server: str, template: str = "template1") -> Iterator[str]:
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield name
    finally:
        with psycopg.connect(server, autocommit=True) as conn:
            conn.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def template(server: str) -> Iterator[str]:
    """The name of a migrated database that is only ever copied."""
    with _new_database(server) as name:
        with psycopg.connect(make_conninfo(server, dbname=name), autocommit=True) as conn:
            migrate(conn)
        yield name


@pytest.fixture
def database(server: str, template: str) -> Iterator[str]:
    """The owner's DSN of a migrated database that is this test's alone."""
    with _new_database(server, template) as name:
        yield make_conninfo(server, dbname=name)


@pytest.fixture
def empty_database(server: str) -> Iterator[str]:
    """The owner's DSN of a database in which nothing was ever made."""
    with _new_database(server) as name:
        yield make_conninfo(server, dbname=name)
