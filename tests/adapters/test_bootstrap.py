"""From the configuration to a ledger: the embedded server, or one of one's own."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from adapters.bootstrap import open_ledger, prepare_store
from adapters.errors import StoreNotMigratedError, StoreUnreachableError
from adapters.settings import Settings
from adapters.store.embedded_postgres import stop
from tests.adapters.play import balance, fund


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A directory for an embedded server of the test's own."""
    path = Path(tempfile.mkdtemp(prefix="jinhua-tests-"))
    yield path
    stop(path)
    shutil.rmtree(path)


def test_without_a_dsn_an_embedded_server_is_started_and_migrated(data_dir):
    """The second ledger joins the server of the first, and what it stored is there."""
    settings = Settings(dsn=None, data_dir=data_dir)

    with open_ledger(settings) as first, open_ledger(settings) as second:
        fund(first, "ann", amount=7)
        assert balance(second, "ann") == 7


def test_a_configured_store_is_its_owner_s_to_migrate(empty_database, database):
    """One that lacks migrations is refused and left as it is; an up-to-date one is used."""
    with pytest.raises(StoreNotMigratedError, match=r"0001_roles\.sql") as raised:
        prepare_store(Settings(dsn=empty_database))
    assert raised.value.code == "store_not_migrated"
    with psycopg.connect(empty_database) as owner:
        assert owner.execute("SELECT to_regclass('events')").fetchone() == (None,)

    with open_ledger(Settings(dsn=database)) as ledger:
        fund(ledger, "ann", amount=7)


def test_a_store_that_cannot_be_reached_is_told(data_dir):
    """With its place and the server's reason, without the password."""
    places = {
        "postgresql://ann:secret@127.0.0.1:1/none": "127.0.0.1/none",
        "password=secret nonsense": "JINHUA_DSN",
    }

    for dsn, place in places.items():
        with pytest.raises(StoreUnreachableError, match=re.escape(place)) as raised:
            open_ledger(Settings(dsn=dsn, data_dir=data_dir))
        assert raised.value.code == "store_unreachable"
        assert "secret" not in str(raised.value)
