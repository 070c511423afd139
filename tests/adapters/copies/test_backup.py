"""Backup and restore: what comes back is what went in, to the byte; nothing is half restored."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import InsufficientPrivilege

from adapters.cli import main
from adapters.commands.execution import Receipt
from adapters.copies import backup as backing_up
from adapters.copies import client_programs
from adapters.copies import restore as restoring
from adapters.copies.backup import NothingToBackUpError, backup
from adapters.copies.backup_file import MARK, BadBackupError, Manifest, seal, unseal
from adapters.copies.client_programs import ClientProgramError, NoClientProgramError
from adapters.copies.figures import Unequal, compare, figures
from adapters.copies.restore import NotEmptyError, restore
from adapters.errors import StoreTooNewError, StoreUnreachableError
from adapters.evidence.checkpoints import make, stored
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.embedded_postgres import binary
from adapters.store.postgres import SNAPSHOT, Store
from adapters.views.projector import ROLE, Projector
from tests.adapters.play import balance, do, fund, lines, sit_down

ODD = "张三🀄e\u0301\u00e9\u2028"
"""A name of a face of three bytes more, combining marks, both normal forms and a line end."""


class Original(NamedTuple):
    """A store with something of everything in it, and its backup."""

    dsn: str
    file: Path
    manifest: Manifest
    deposit: Receipt
    fold: Receipt


@contextmanager
def _database(server: str, template: str = "template1") -> Iterator[str]:
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(sql.SQL(f"CREATE DATABASE {name} TEMPLATE {template}"))
    try:
        yield make_conninfo(server, dbname=name)
    finally:
        with psycopg.connect(server, autocommit=True) as owner:
            owner.execute(sql.SQL(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="module")
def original(server: str, template: str, tmp_path_factory) -> Iterator[Original]:
    """Hands that were imported, one that was played, one under way; projections half way."""
    file = tmp_path_factory.mktemp("backup") / "a backup"
    with _database(server, template) as dsn:
        with Ledger(Store(dsn)) as ledger:
            ledger.import_hands(lines(*simulate("jiuyou", hands=30, seed=4)))
            with Store(dsn, role=ROLE) as store:
                Projector(store).catch_up()
            deposit = ledger.deposit(ODD, 500, command_id=f"d-{ODD}")
            fund(ledger, "ann", "bob", amount=1_000_000)
            sit_down(ledger)
            do(ledger, 1, "call")
            fold = do(ledger, 2, "fold", command_id="fold")
            sit_down(ledger, "h-2")
            make(ledger.store, None)
        yield Original(dsn, file, backup(dsn, file), deposit, fold)


@pytest.fixture
def empty(server) -> Iterator[str]:
    """The owner's DSN of an empty database."""
    with _database(server) as dsn:
        yield dsn


@pytest.fixture(scope="module")
def once(server, original) -> Iterator[str]:
    """The name of a database that was restored once, to be copied."""
    with _database(server) as dsn:
        assert restore(dsn, original.file).unequal == []
        yield str(conninfo_to_dict(dsn)["dbname"])


@pytest.fixture
def restored(server, once) -> Iterator[str]:
    """The owner's DSN of a restored store."""
    with _database(server, once) as dsn:
        yield dsn


@pytest.fixture
def bad(tmp_path):
    """Write the backup again, changed."""

    def write(content: bytes) -> Path:
        path = tmp_path / "bad"
        path.write_bytes(content)
        return path

    return write


def figures_of(dsn: str) -> dict[str, int | str]:
    """Return what a store is compared by."""
    with psycopg.connect(dsn, autocommit=True) as owner, owner.transaction():
        owner.execute(SNAPSHOT)
        return figures(owner)


def tables_of(dsn: str) -> list[str]:
    """Return what there is in a database."""
    with psycopg.connect(dsn) as owner:
        return [name for name, _ in owner.execute(restoring._ANYTHING)]


def resealed(original: Original, path: Path, **changed: Any) -> Path:
    """Seal the archive of a backup again with another manifest."""
    whole = original.file.read_bytes()
    length = int.from_bytes(whole[-len(MARK) - 40 :][:8], "big")
    path.write_bytes(whole[: -len(MARK) - 40 - length])
    seal(path, original.manifest.model_copy(update=changed))
    return path


# --- what comes back -------------------------------------------------------------------


def test_a_restored_store_has_every_figure_of_the_original(original, empty):
    """Rows and digests of all tables, and all that was granted."""
    restored = restore(empty, original.file)

    assert restored.unequal == []
    assert figures_of(empty) == figures_of(original.dsn) == original.manifest.figures
    names = original.manifest.figures.keys()
    assert {
        "position",
        "grants.sha256",
        "events.sha256",
        "receipts.rows",
        "checkpoints.rows",
    } <= names
    assert original.manifest.figures["position"] == original.manifest.figures["events.rows"]


def test_a_restored_store_is_a_ledger(original, restored):
    """It verifies, its balances are the same, hands under way go on, projections catch up."""
    with Ledger(Store(original.dsn)) as before, Ledger(Store(restored)) as ledger:
        assert list(ledger.verify()) == []
        assert len(stored(ledger.store)) == 1
        assert stored(ledger.store) == stored(before.store)
        for player in (ODD, "ann", "bob", "p001"):
            assert balance(ledger, player) == balance(before, player)
        assert do(ledger, 1, "fold", hand="h-2").answer["over"]
    with Store(restored, role=ROLE) as store:
        projector = Projector(store)
        assert projector.catch_up() == dict.fromkeys(projector.positions(), ledger_end(restored))
        assert list(projector.compare_with_fresh_fold()) == []


def ledger_end(dsn: str) -> int:
    """Return the last position."""
    with psycopg.connect(dsn) as owner:
        ((last,),) = owner.execute("SELECT max(position) FROM events").fetchall()
    return int(last)


def test_a_command_retried_after_a_restore_gets_its_first_answer(original, restored):
    """Byte for byte, and nothing is stored again."""
    with Ledger(Store(restored)) as ledger:
        deposit = ledger.deposit(ODD, 500, command_id=f"d-{ODD}")
        fold = do(ledger, 2, "fold", command_id="fold")

    assert deposit == original.deposit._replace(status="replayed")
    assert fold == original.fold._replace(status="replayed")
    assert (deposit.text.encode(), fold.text.encode()) == (
        original.deposit.text.encode(),
        original.fold.text.encode(),
    )
    assert figures_of(restored) == original.manifest.figures


def test_without_the_receipts_a_retried_command_would_be_carried_out_again(restored):
    """So the test above can fail: it is the restored receipt that answers."""
    with psycopg.connect(restored, autocommit=True) as owner:
        owner.execute("TRUNCATE receipts")

    with Ledger(Store(restored)) as ledger:
        assert ledger.deposit(ODD, 500, command_id=f"d-{ODD}").status == "applied"
        assert balance(ledger, ODD) == 1_000


def test_a_restored_history_is_append_only_by_grant(restored):
    """The application's role may do what it could, and no more."""
    with Store(restored) as store, store.connection() as conn:
        for change in ("DELETE FROM events", "UPDATE receipts SET answer = ''"):
            with pytest.raises(InsufficientPrivilege):
                conn.execute(change)


def test_roles_that_are_missing_are_made(original, empty):
    """On another server there are none of ours yet."""
    name = f"jinhua_test_{uuid4().hex}"
    file = resealed(original, original.file.with_name("roles"), roles=[name])
    try:
        restore(empty, file)
        with psycopg.connect(empty) as owner:
            owner.execute(sql.SQL(f"SET ROLE {name}"))
    finally:
        with psycopg.connect(empty, autocommit=True) as owner:
            owner.execute(sql.SQL(f"DROP ROLE IF EXISTS {name}"))


def test_a_backup_is_an_archive_that_any_pg_restore_reads(original, empty):
    """What jinhua puts behind it is in nobody's way."""
    with psycopg.connect(empty) as owner:
        version = owner.info.server_version // 10_000
    program = client_programs.for_restore(version, written_by=original.manifest.dumped_by)
    command = [str(program.path), "--single-transaction", "--no-owner", f"--dbname={empty}"]

    subprocess.run([*command, original.file], check=True)

    assert figures_of(empty) == original.manifest.figures


def test_a_backup_is_readable_by_its_maker_alone(original):
    """It holds the cards of running hands."""
    assert original.file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in original.file.parent.iterdir() if "partial" in path.name] == []


# --- while others write ----------------------------------------------------------------


def test_a_backup_under_writers_is_of_one_moment(database, empty, tmp_path):
    """Archive and figures agree, whatever was committed between them; nobody waited for it."""
    done = threading.Event()
    written: list[int] = []

    def write() -> None:
        with Ledger(Store(database)) as ledger:
            while not done.is_set():
                number = len(written)
                ledger.deposit(f"p{number % 7}", 5, command_id=f"d-{number}")
                written.append(number)

    def progress(_rows: int) -> None:
        before = len(written)
        while len(written) < before + 3:  # the writer goes on between two tables
            assert writer.is_alive()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while len(written) < 20:
            assert writer.is_alive()
        manifest = backup(database, tmp_path / "b", progress)
    finally:
        done.set()
        writer.join()
    restored = restore(empty, tmp_path / "b")

    assert restored.unequal == []
    assert 20 <= int(manifest.figures["position"]) < ledger_end(database)
    with Ledger(Store(empty)) as ledger:
        assert list(ledger.verify()) == []


def test_without_the_common_moment_archive_and_figures_part(database, empty, tmp_path, monkeypatch):
    """So the test above can fail: a dump of another snapshot is found unequal."""
    real = client_programs.running

    def without_snapshot(program, dsn, *words):
        return real(program, dsn, *(word for word in words if "snapshot" not in word))

    monkeypatch.setattr(backing_up, "running", without_snapshot)
    with Ledger(Store(database)) as ledger:
        ledger.deposit("ann", 5, command_id="d-1")
        monkeypatch.setattr(
            backing_up, "for_dump", _after(lambda: ledger.deposit("ann", 6, command_id="d-2"))
        )
        backup(database, tmp_path / "b")

    restored = restore(empty, tmp_path / "b")

    assert Unequal("position", 1, 2) in restored.unequal


def _after(work):
    """Choose the program after something has happened."""

    def choose(server):
        work()
        return client_programs.for_dump(server)

    return choose


# --- what is no backup -----------------------------------------------------------------


def test_a_truncated_file_is_no_backup(original, empty, bad):
    """Wherever it was cut off; nothing is restored of it."""
    whole = original.file.read_bytes()

    for kept in (0, 4, 100, len(whole) // 2, len(whole) - 1, len(whole) - 40, len(whole) - 200):
        with pytest.raises(BadBackupError):
            restore(empty, bad(whole[:kept]))
    assert tables_of(empty) == []


def test_a_flipped_bit_is_found_wherever_it_is(original, empty, bad):
    """In the archive, in the manifest, in the seal; before anything is restored."""
    whole = original.file.read_bytes()

    for at in (*range(0, len(whole), len(whole) // 23), *range(-300, 0, 7), len(whole) - 1):
        changed = bytearray(whole)
        changed[at] ^= 1
        with pytest.raises(BadBackupError):
            unseal(bad(changed))
    changed = bytearray(whole)
    changed[2000] ^= 128
    with pytest.raises(BadBackupError, match="was changed since"):
        restore(empty, bad(changed))
    assert tables_of(empty) == []


def test_other_files_are_no_backups(original, tmp_path, bad):
    """Neither text, nor a directory, nor what is not there, nor a plain dump."""
    command = [binary("pg_dump"), "-Fc", "-t", "receipts", "-f", tmp_path / "plain"]
    subprocess.run([*command, "-d", original.dsn], check=True)
    for path in (bad(b"hello"), tmp_path, tmp_path / "none", tmp_path / "plain"):
        with pytest.raises(BadBackupError):
            unseal(path)


def test_a_manifest_of_tomorrow_is_refused(original, tmp_path, empty):
    """A newer program's backup needs that program."""
    many = [f"{number:04}_x.sql" for number in range(1, 1000)]
    with pytest.raises(StoreTooNewError):
        restore(empty, resealed(original, tmp_path / "newer", migrations=many))

    assert tables_of(empty) == []


def test_an_archive_that_fails_half_way_leaves_nothing(original, tmp_path, empty):
    """One transaction: pg_restore's own words are the reason."""
    whole = bytearray(original.file.read_bytes())
    whole[len(whole) // 2 : len(whole) // 2 + 64] = os.urandom(64)
    (tmp_path / "whole").write_bytes(whole)
    file = resealed(original._replace(file=tmp_path / "whole"), tmp_path / "bad")

    with pytest.raises(ClientProgramError, match="pg_restore: pg_restore: error"):
        restore(empty, file)
    assert tables_of(empty) == []


# --- where it may go -------------------------------------------------------------------


def test_a_database_that_is_not_empty_is_left_alone(original, database, empty):
    """Ledger or not, and whatever is in it."""
    with psycopg.connect(empty, autocommit=True) as owner:
        owner.execute("CREATE VIEW precious AS SELECT 1")

    for dsn in (empty, database, original.dsn):
        before = tables_of(dsn)
        with pytest.raises(NotEmptyError):
            restore(dsn, original.file)
        assert tables_of(dsn) == before
    assert figures_of(original.dsn) == original.manifest.figures


def test_a_ledger_of_ours_that_was_never_used_gives_way(original, database):
    """Every command makes one in the embedded server; one event in it, and it stays."""
    assert restore(database, original.file, is_ours=True).unequal == []
    with pytest.raises(NotEmptyError, match="there are rows in"):
        restore(database, original.file, is_ours=True)

    assert figures_of(database) == original.manifest.figures


def test_a_restore_makes_a_database_where_asked(original, server):
    """Of a new name only; where it comes to nothing, the database is gone again."""
    name = f"test_{uuid4().hex}"
    try:
        restored = restore(server, original.file, into=name)
        assert (restored.database, restored.unequal) == (name, [])
        with pytest.raises(NotEmptyError, match="it exists"):
            restore(server, original.file, into=name)
        assert figures_of(make_conninfo(server, dbname=name)) == original.manifest.figures
    finally:
        with psycopg.connect(server, autocommit=True) as owner:
            owner.execute(sql.SQL(f"DROP DATABASE {name}"))


def test_a_restore_that_fails_takes_its_database_with_it(original, server, monkeypatch):
    """Nothing is left to be taken for a store."""
    monkeypatch.setattr(client_programs, "_installed", lambda _name: iter(()))
    name = f"test_{uuid4().hex}"

    with pytest.raises(NoClientProgramError):
        restore(server, original.file, into=name)
    with psycopg.connect(server) as owner:
        assert owner.execute("SELECT FROM pg_database WHERE datname = %s", [name]).rowcount == 0


def test_a_restored_store_that_is_not_the_original_is_told_figure_by_figure(
    original, empty, tmp_path
):
    """The proof can fail: here the manifest promises another history."""
    figures_before = original.manifest.figures | {"events.sha256": "0" * 64, "hands.rows": 3}
    file = resealed(original, tmp_path / "other", figures=figures_before)

    restored = restore(empty, file)

    true = original.manifest.figures["events.sha256"]
    assert restored.unequal == [
        Unequal("events.sha256", "0" * 64, true),
        Unequal("hands.rows", 3, None),
    ]


# fmt: off
CHANGES = {
    # what              how, and the figures that tell
    "one byte":        ("UPDATE events SET actor = 'Bob' WHERE position = 9", {"events.sha256"}),
    "a time":          ("UPDATE events SET recorded_at = recorded_at + '1us'", {"events.sha256"}),
    "an answer":       ("UPDATE receipts SET answer = answer || ' '", {"receipts.sha256"}),
    "the last event":  ("DELETE FROM events WHERE position = (SELECT max(position) FROM events)",
                        {"position", "events.rows", "events.sha256"}),
    "one chip":        ("UPDATE projected_balances SET balance = 1 WHERE account = 'cashier'",
                        {"projected_balances.sha256"}),
    "a grant":         ("GRANT UPDATE (body) ON events TO jinhua_writer", {"grants.sha256"}),
    "a table":         ("CREATE TABLE more ()", {"more.rows", "more.sha256"}),
}
# fmt: on


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_shows_in_a_figure(original, change):
    """The figures that a restore is judged by notice what an owner could do."""
    statement, expected = CHANGES[change]
    with psycopg.connect(original.dsn) as owner:
        owner.execute(statement)
        after = figures(owner)
        owner.rollback()

    assert {unequal.figure for unequal in compare(original.manifest.figures, after)} == expected


# --- making one ------------------------------------------------------------------------


def test_a_backup_that_fails_leaves_the_last_one(original, tmp_path, monkeypatch):
    """And no partial file beside it."""
    (tmp_path / "b").write_text("the last one")

    def fail(*_):
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(backing_up, "figures", fail)
    with pytest.raises(StoreUnreachableError):
        backup(original.dsn, tmp_path / "b")

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("b", "the last one")]


def test_what_pg_dump_says_is_the_reason(original):
    """Here it is told to write a directory that is not there."""
    program = client_programs.for_dump(18)

    with (
        pytest.raises(ClientProgramError, match="pg_dump: pg_dump: error: could not open"),
        client_programs.running(program, original.dsn, "--file=/no/where"),
    ):
        pass


def test_there_is_nothing_to_back_up_where_no_ledger_is(empty, tmp_path):
    """And no file appears."""
    with pytest.raises(NothingToBackUpError):
        backup(empty, tmp_path / "b")

    assert list(tmp_path.iterdir()) == []


def test_a_password_is_in_no_list_of_processes(original, monkeypatch):
    """It is handed over in a file that only we can read, and that is gone afterwards."""
    seen: list[list[str]] = []

    def start(command, **_):
        seen.append(command)
        return _Done()

    monkeypatch.setattr(subprocess, "Popen", start)
    dsn = make_conninfo(original.dsn, password=r"se:cr\et")  # noqa: S106 - nobody's

    with client_programs.running(client_programs.Program(Path("pg_dump"), 18), dsn):
        (passfile,) = [w.split("passfile=")[1].split()[0] for w in seen[0] if "passfile=" in w]
        assert Path(passfile).read_text() == "*:*:*:*:se\\:cr\\\\et\n"
        assert Path(passfile).stat().st_mode & 0o777 == 0o600

    assert not any("se:cr" in word for word in seen[0])
    assert not Path(passfile).exists()


class _Done:
    """A process that has ended well."""

    def wait(self) -> int:
        return 0

    def kill(self) -> None:
        pass


# fmt: off
PROGRAMS = {
    # why                                 there         server  dump  dumps  restores
    "the wheel's own version":           ((18,),            18,   18,    18,       18),
    "the system's, where it is the same": ((18, 15),        15,   15,    15,       15),
    "a newer one dumps all the same":    ((18,),            16,   18,    18,     None),
    "an older one cannot":               ((15, 16),         17,   17,  None,     None),
    "an older dump, a newer server":     ((15, 18),         18,   15,    18,       18),
    "a newer dump, an older server":     ((15, 18),         15,   18,    15,     None),
    "17 and 18 understand each other":   ((18,),            17,   18,    18,       18),
    "none at all":                       ((),               18,   18,  None,     None),
}
# fmt: on


@pytest.mark.parametrize("why", PROGRAMS)
def test_the_program_that_fits_is_chosen(monkeypatch, why):
    """Of the server's own version where there is one, else the nearest that it understands."""
    there, server, dump, dumps, restores = PROGRAMS[why]
    programs = [client_programs.Program(Path(str(version)), version) for version in there]
    monkeypatch.setattr(client_programs, "_installed", lambda _name: iter(programs))

    def chosen(choose) -> int | None:
        try:
            return choose().version
        except NoClientProgramError:
            return None

    assert chosen(lambda: client_programs.for_dump(server)) == dumps
    assert chosen(lambda: client_programs.for_restore(server, written_by=dump)) == restores


# --- on the command line ---------------------------------------------------------------


def run(capfd, *words: str) -> tuple[int, Any, str]:
    """Run a command: its status, what it printed, and what it complained of."""
    status = main(words)
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    return status, json.loads(out) if out and "--json" in words else out, err


def test_backup_and_restore_on_the_command_line(original, empty, tmp_path, capfd):
    """JSON for programs, a table for people."""
    file = str(tmp_path / "b")

    status, made, _ = run(capfd, "backup", file, "--dsn", original.dsn, "--json")
    assert (status, made["file"]) == (0, file)
    assert made["figures"] == original.manifest.figures
    status, back, _ = run(capfd, "restore", file, "--dsn", empty, "--json")
    assert status == 0
    assert list(back) == ["file", "database", "position", "made_at", "unequal", "erased"]
    assert (back["unequal"], back["position"]) == ([], made["figures"]["position"])
    status, text, _ = run(capfd, "backup", file, "--dsn", empty)
    assert status == 0
    assert "receipts" in text


def test_a_restore_tells_by_its_status(original, empty, tmp_path, capfd):
    """2: not a backup, or not there; 3: other than the original; 4: no server."""
    bad, other = tmp_path / "bad", tmp_path / "other"
    bad.write_text("no")
    resealed(original, other, figures=original.manifest.figures | {"position": 1})
    nowhere = "postgresql://127.0.0.1:1/none?connect_timeout=1"

    for words, expected in (
        (("restore", str(bad), "--dsn", empty), 2),
        (("restore", str(original.file), "--dsn", original.dsn), 2),
        (("restore", str(original.file), "--dsn", empty, "--into", ""), 2),
        (("restore", str(original.file), "--dsn", nowhere), 4),
        (("backup", str(bad), "--dsn", nowhere), 4),
        (("backup", str(tmp_path / "no" / "where"), "--dsn", original.dsn), 2),
        (("restore", str(other), "--dsn", empty), 3),
    ):
        status, out, err = run(capfd, *words)
        assert status == expected, words
        assert err.startswith("jinhua: ") or "position" in out
    assert bad.read_text() == "no"
