"""Receipts say which build carried a command out, and who appends cannot say another by hand."""

import sys

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege
from pydantic import ValidationError

from adapters.bootstrap import open_ledger
from adapters.build import _version, build_of
from adapters.cli import main
from adapters.copies.backup import backup
from adapters.copies.examination import examine
from adapters.copies.restore import restore
from adapters.ledger import Ledger
from adapters.registers.api_keys import Role
from adapters.settings import Settings
from adapters.simulation.hands import simulate
from adapters.store.migrations import DIRECTORY, migrate
from adapters.store.postgres import Store
from tests.adapters.http_api.keys import application, key
from tests.adapters.http_api.playing import deposit
from tests.adapters.play import fund, lines
from tests.adapters.store.test_append_only import RECEIPT, append, insert
from tests.adapters.stored import migrate_first, rows

PROGRAM = build_of()


def recorded(dsn: str) -> dict[str, str | None]:
    """Return the build of each command."""
    return dict(rows(dsn, "SELECT command_id, build FROM receipts"))


def test_a_build_is_the_version_and_what_a_deployment_adds(monkeypatch, capsys):
    """The version is the one that `jinhua --version` tells; a bare checkout has none to tell."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == PROGRAM
    assert build_of("3f9c2ab") == f"{PROGRAM}+3f9c2ab"
    monkeypatch.setattr(sys, "path", [])
    _version.cache_clear()
    assert (build_of(), build_of("3f9c2ab")) == ("source", "source+3f9c2ab")
    _version.cache_clear()


@pytest.mark.parametrize("added", ["a b", "a\n", "a\0", "é", "牌", "x" * 101])
def test_what_no_connection_would_take_is_refused_before_there_is_one(monkeypatch, added):
    """By the settings, in words and exit 2; and whoever writes code meets an assertion."""
    with pytest.raises(ValidationError, match="printable ASCII"):
        Settings(build=added)
    with pytest.raises(AssertionError):
        build_of(added)
    if "\0" not in added:  # which no environment holds
        monkeypatch.setenv("JINHUA_BUILD", added)
        assert main(["balances", "--dsn", "postgresql://127.0.0.1:1/none"]) == 2


@pytest.mark.parametrize("added", ["3f9c2ab", "'; DROP TABLE receipts; --".replace(" ", "_"), "%s",
                                   "sha256:" + 64 * "a", "x" * 100])  # fmt: skip
def test_whatever_is_printable_is_recorded_as_it_is(database, added):
    """Quotes, percent signs and all: it is a value, and no part of a statement."""
    with open_ledger(Settings(dsn=database, build=added)) as ledger:
        fund(ledger, "ann")

    assert recorded(database) == {"fund:ann": f"{PROGRAM}+{added}"}


def test_stores_of_two_builds_append_side_by_side(ledger, store_dsn):
    """Each by its own name, from every connection, and from the connections it makes anew."""
    with Store(store_dsn, build=build_of("b")) as store, store.another(connections_max=3) as more:
        other, beside = Ledger(store), Ledger(more)
        fund(ledger, "ann")
        fund(other, "bob")
        with more.connection(), more.connection():  # so that the third is a new one
            fund(beside, "cai")
        ledger.import_hands(lines(*simulate("jiuyou", hands=3, seed=1)))
        other.import_hands(lines(*simulate("jiuyou", hands=3, seed=2)))

        found = recorded(store_dsn)

        assert (found["fund:ann"], found["fund:bob"]) == (PROGRAM, f"{PROGRAM}+b")
        assert found["fund:cai"] == f"{PROGRAM}+b"
        imported = [build for command, build in found.items() if command.startswith("import:")]
        assert len(imported) == 6
        assert sorted(map(str, imported)) == 3 * [PROGRAM] + 3 * [f"{PROGRAM}+b"]
        assert list(examine(store)) == []
        again = other.deposit("ann", 50_000, command_id="fund:ann")
        assert again.status == "replayed"
        assert recorded(store_dsn) == found  # whoever carried it out first did


def test_commands_of_the_terminal_and_of_the_service_say_it(monkeypatch, store_dsn):
    """Both read JINHUA_BUILD; so does every process of the service."""
    monkeypatch.setenv("JINHUA_BUILD", "3f9c2ab")

    assert main(["name", "ann", "Ann Lee", "--dsn", store_dsn]) == 0
    with application(store_dsn, key(store_dsn, Role.SERVICE)) as client:
        assert deposit(client, "bob", 5).status_code == 200

    assert set(recorded(store_dsn).values()) == {f"{PROGRAM}+3f9c2ab"}
    assert len(recorded(store_dsn)) == 2


def test_the_writer_cannot_give_a_build_nor_change_one(ledger, store_dsn):
    """It may append alone; the default is applied all the same."""
    fund(ledger, "ann")
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("SELECT set_config('jinhua.build', '9.9', false)")
        owner.execute("SET ROLE jinhua_writer")
        with pytest.raises(InsufficientPrivilege):
            insert(owner, "receipts", {**RECEIPT, "build": "1.0"})
        with pytest.raises(InsufficientPrivilege):
            owner.execute("UPDATE receipts SET build = '1.0'")
        append(owner, 2)
        owner.execute("SELECT set_config('jinhua.build', '', false)")
        append(owner, 3, command_id="d")
    with psycopg.connect(store_dsn, autocommit=True) as bare:
        bare.execute("SET ROLE jinhua_writer")  # and nothing set, as an older program does
        append(bare, 4, command_id="e")

    assert recorded(store_dsn) == {"fund:ann": PROGRAM, "c": "9.9", "d": None, "e": None}


def test_receipts_from_before_say_none_and_come_back_from_a_backup_so(
    empty_database, tmp_path, server
):
    """Migrating gives them no build, not even the migrator's own; a restore changes none."""
    earlier = tmp_path / "sql"
    earlier.mkdir()
    with psycopg.connect(empty_database, autocommit=True) as owner:
        migrate_first(owner, 18, earlier)
        insert(owner, "receipts", {**RECEIPT, "command_id": "before"})
        owner.execute("SELECT set_config('jinhua.build', '9.9', false)")
        assert len(migrate(owner)) == len(list(DIRECTORY.glob("*.sql"))) - 18
    with Ledger(Store(empty_database)) as after:
        fund(after, "bob")
    assert recorded(empty_database) == {"before": None, "fund:bob": PROGRAM}

    backup(empty_database, tmp_path / "b")
    into = "test_builds_restored"
    try:
        assert restore(server, tmp_path / "b", into=into).unequal == []
        dsn = make_conninfo(server, dbname=into)
        assert recorded(dsn) == recorded(empty_database)
        with Ledger(Store(dsn)) as again:
            fund(again, "cai")
        assert recorded(dsn)["fund:cai"] == PROGRAM
    finally:
        with psycopg.connect(server, autocommit=True) as owner:
            owner.execute(f"DROP DATABASE IF EXISTS {into} WITH (FORCE)")
