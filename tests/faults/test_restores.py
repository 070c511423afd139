"""A machine is lost, and its ledger comes back from a backup: its clients notice nothing."""

from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from adapters.copies.backup import backup
from adapters.copies.examination import examine
from adapters.copies.restore import Restored, restore
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from tests.adapters.play import balance, do, fund, lines, sit_down
from tests.adapters.stored import agrees, execute, told

NAME = "test_restored"


@pytest.fixture
def brought_back(server, tmp_path) -> Iterator[Callable[[], tuple[str, Restored]]]:
    """Return what brings a store back, as it is backed up, in a database of its own."""
    yield lambda: (make_conninfo(server, dbname=NAME), restore(server, tmp_path / "b", into=NAME))
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(sql.SQL(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)"))


def test_restore_from_backup(ledger, store_dsn, projector, brought_back, tmp_path):
    """Restore from backup, then a retried command.

    First answer; balances, receipts and all other figures equal to before; the game goes on.
    """
    ledger.import_hands(lines(*simulate("jiuyou", hands=10, seed=3)))
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    first = do(ledger, 1, "call", command_id="c-1")
    projector.catch_up()
    backup(store_dsn, tmp_path / "b")
    lost = do(ledger, 2, "call", command_id="c-2")

    dsn, restored = brought_back()

    assert restored.unequal == []
    assert told(dsn) == told(store_dsn)
    assert agrees(dsn)
    with Ledger(Store(dsn)) as again:
        assert do(again, 1, "call", command_id="c-1") == first._replace(status="replayed")
        assert do(again, 2, "call", command_id="c-2") == lost  # applied, since it was lost
        assert do(again, 1, "fold", command_id="c-3").answer["over"]
        assert balance(again, "bob") > balance(ledger, "bob")
        assert [*again.verify(), *examine(again.store)] == []


def test_without_the_receipts_a_retry_counts_twice(ledger, store_dsn, brought_back, tmp_path):
    """So the test above can fail: a backup of the history alone knows no command by its id."""
    first = ledger.deposit("ann", 5, command_id="d")
    backup(store_dsn, tmp_path / "b")
    dsn, _ = brought_back()
    execute(dsn, "TRUNCATE receipts")

    with Ledger(Store(dsn)) as again:
        assert again.deposit("ann", 5, command_id="d") != first._replace(status="replayed")
        assert balance(again, "ann") == 10
