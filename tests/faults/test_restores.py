"""A machine is lost, and its ledger comes back from a backup: its clients notice nothing."""

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from adapters.backup import backup
from adapters.examination import examine
from adapters.ledger import Ledger
from adapters.postgres import Store
from adapters.restore import restore
from adapters.simulation import simulate
from tests.adapters.play import balance, do, fund, lines, sit_down
from tests.adapters.stored import agrees, told


def test_restore_from_backup(ledger, store_dsn, projector, server, tmp_path):
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
    name = "test_restored"
    try:
        restored = restore(server, tmp_path / "b", into=name)
        dsn = make_conninfo(server, dbname=name)
        with Ledger(Store(dsn)) as again:
            assert restored.unequal == []
            assert told(dsn) == told(store_dsn)
            assert agrees(dsn)
            assert do(again, 1, "call", command_id="c-1") == first._replace(status="replayed")
            assert do(again, 2, "call", command_id="c-2") == lost  # applied, since it was lost
            assert do(again, 1, "fold", command_id="c-3").answer["over"]
            assert balance(again, "bob") > balance(ledger, "bob")
            assert [*again.verify(), *examine(again.store)] == []
    finally:
        with psycopg.connect(server, autocommit=True) as owner:
            owner.execute(sql.SQL(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
