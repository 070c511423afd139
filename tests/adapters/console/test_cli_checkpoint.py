"""The commands about keys and checkpoints: what they write, print and refuse."""

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from adapters.cli import main
from adapters.evidence.keys import read_signer, read_verifier
from adapters.evidence.notes import parse, verify
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from tests.adapters.play import do, fund, sit_down


@pytest.fixture(autouse=True)
def _no_key(monkeypatch):
    """No key but the one that a test gives."""
    monkeypatch.delenv("JINHUA_SIGNING_KEY", raising=False)


@pytest.fixture
def jinhua(database, capfd):
    """Run a command on a fresh store: its status, and what it printed, read as JSON if asked."""

    def run(*words):
        needs_store = words[0] != "keygen"
        capfd.readouterr()  # what was said before is not the command's
        status = main([*map(str, words), *(["--dsn", database] if needs_store else [])])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        assert "PRIVATE+KEY+jinhua" not in out + err
        return status, json.loads(out) if out and "--json" in words else out or err

    return run


@pytest.fixture
def key(jinhua, tmp_path) -> Path:
    """The file of a key."""
    file = tmp_path / "jinhua.key"
    assert jinhua("keygen", "--out", file)[0] == 0
    return file


@pytest.fixture
def ledger(database):
    """A ledger on the same store, with something in it."""
    with Ledger(Store(database)) as ledger:
        fund(ledger, "ann", "bob")
        sit_down(ledger)
        yield ledger


def test_a_key_is_written_for_its_owner_and_for_everybody(jinhua, tmp_path):
    """The secret is readable by its owner alone, and is printed nowhere."""
    file = tmp_path / "casino.key"

    status, said = jinhua("keygen", "--out", file, "--name", "casino.example/ledger")

    assert status == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert said == Path(f"{file}.pub").read_text(encoding="utf-8")
    assert said.startswith("casino.example/ledger+")
    assert read_signer(file).verifier == read_verifier(Path(f"{file}.pub"))
    assert jinhua("keygen", "--out", tmp_path / "j", "--json")[1]["verifier"].startswith("jinhua+")


@pytest.mark.parametrize("there", ["jinhua.key", "jinhua.key.pub"])
def test_no_key_is_ever_replaced(jinhua, tmp_path, there):
    """Neither half; and no half is left behind."""
    (tmp_path / there).write_text("precious", encoding="utf-8")

    assert jinhua("keygen", "--out", tmp_path / "jinhua.key")[0] == 2

    assert (tmp_path / there).read_text(encoding="utf-8") == "precious"
    assert [file.name for file in tmp_path.iterdir()] == [there]


def test_a_name_that_no_note_can_have_is_exit_2(jinhua, tmp_path):
    """Nothing is written."""
    assert jinhua("keygen", "--out", tmp_path / "k", "--name", "a b")[0] == 2
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_is_a_note_that_verifies(jinhua, ledger, key):
    """Printed, and nothing else is; listed, and printed again by its size."""
    status, note = jinhua("checkpoint", "--key", key)

    size = ledger.recorder.max_notification_id()
    assert status == 0
    assert verify(note, read_verifier(Path(f"{key}.pub"))).size == size
    assert jinhua("checkpoints", "--size", size) == (0, note)
    status, told = jinhua("checkpoints", "--json")
    assert [(row["size"], row["note"], row["players"]) for row in told["checkpoints"]] == [
        (size, note, 2)
    ]
    assert read_signer(key).verifier.id in jinhua("checkpoints")[1]
    assert jinhua("checkpoints", "--size", size + 1)[0] == 2


def test_what_is_asked_for_twice_is_made_once(jinhua, ledger, key):
    """Until something is appended."""
    first = jinhua("checkpoint", "--key", key, "--json")[1]
    second = jinhua("checkpoint", "--key", key, "--json")[1]
    ledger.deposit("ann", 1, command_id="d-1")
    third = jinhua("checkpoint", "--key", key, "--json")[1]

    assert (first.pop("new"), second.pop("new"), third["new"]) == (True, False, True)
    assert first == second
    assert third["size"] == first["size"] + 1


def test_without_a_key_nobody_signs_by_mistake(jinhua, ledger):  # noqa: ARG001 - it has events
    """It has to be said; --key beside it makes no sense."""
    assert "--unsigned" in jinhua("checkpoint")[1]
    assert jinhua("checkpoint")[0] == 2
    assert jinhua("checkpoint", "--unsigned", "--key", "k")[0] == 2

    status, made = jinhua("checkpoint", "--unsigned", "--json")
    assert (status, made["signed_by"], made["origin"]) == (0, [], "jinhua")
    assert "nobody" in jinhua("checkpoints")[1]


def test_the_key_may_be_in_the_environment(jinhua, ledger, key, monkeypatch):  # noqa: ARG001
    """JINHUA_SIGNING_KEY holds its text."""
    monkeypatch.setenv("JINHUA_SIGNING_KEY", key.read_text(encoding="utf-8"))
    assert jinhua("checkpoint", "--json")[1]["signed_by"] == [read_signer(key).verifier.id]

    monkeypatch.setenv("JINHUA_SIGNING_KEY", "nonsense-secret")
    status, said = jinhua("checkpoint")
    assert status == 2
    assert "nonsense" not in said


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_that_others_can_reach_is_refused(jinhua, key, mode):
    """With what closes it."""
    key.chmod(mode)

    status, said = jinhua("checkpoint", "--key", key)

    assert status == 2
    assert "chmod 600" in said


def test_a_verifier_s_key_does_not_sign(jinhua, key):
    """Nor does a file that is not there."""
    public = Path(f"{key}.pub")
    public.chmod(0o600)
    assert "malformed_key" in jinhua("checkpoint", "--key", public)[1]
    assert jinhua("checkpoint", "--key", f"{key}.none")[0] == 2


def test_no_checkpoint_is_made_of_a_rewritten_history(jinhua, ledger, key, database):
    """Exit 3, with the size of the one that no longer holds."""
    jinhua("checkpoint", "--key", key)
    size = ledger.recorder.max_notification_id()
    ledger.deposit("ann", 1, command_id="d-1")
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("UPDATE events SET link = sha256(link) WHERE position = 2")

    status, said = jinhua("checkpoint", "--key", key)

    assert status == 3
    assert f"size {size}" in said
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DELETE FROM events WHERE position = 2")
    status, said = jinhua("checkpoint", "--key", key)
    assert status == 3
    assert "position 2" in said


def test_two_checkpoints_are_proved_consistent(jinhua, ledger, key, tmp_path):
    """By size, by file, in either form; the proof is for anybody to check."""
    kept = tmp_path / "monday.note"
    kept.write_text(jinhua("checkpoint", "--key", key)[1], encoding="utf-8")
    old = ledger.recorder.max_notification_id()
    do(ledger, 1, "call")
    jinhua("checkpoint", "--key", key)
    new = ledger.recorder.max_notification_id()

    status, told = jinhua("consistency", old, new, "--json")
    assert (status, told["holds"], told["reason"]) == (0, True, None)
    assert told["old"]["size"] == parse(kept.read_text(encoding="utf-8")).size == old
    status, said = jinhua("consistency", kept, new)
    assert status == 0
    assert said.splitlines() == [*told["proof"], f"size {old} to size {new}: holds"]
    assert jinhua("consistency", new, old)[0] == 2
    assert jinhua("consistency", 1, new)[0] == 2


def test_inconsistency_is_exit_3_and_says_where(jinhua, ledger, key, database, tmp_path):
    """Another root, a history that ends before, another log."""
    kept = tmp_path / "monday.note"
    kept.write_text(jinhua("checkpoint", "--key", key)[1], encoding="utf-8")
    old = ledger.recorder.max_notification_id()
    do(ledger, 1, "call")
    jinhua("checkpoint", "--key", key)
    foreign = tmp_path / "foreign.note"
    foreign.write_text(f"other{kept.read_text(encoding='utf-8')}", encoding="utf-8")
    assert "two logs" in jinhua("consistency", foreign, old + 1)[1]

    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("UPDATE events SET link = sha256(link) WHERE position = %s", [old])
        status, said = jinhua("consistency", kept, old + 1)
        assert status == 3
        assert f"another root at size {old} and {old + 1}" in said
        owner.execute("DELETE FROM events WHERE position > %s", [old])
    status, told = jinhua("consistency", kept, old + 1, "--json")
    assert (status, told["holds"]) == (3, False)
    assert f"ends at position {old}" in told["reason"]


def test_verify_takes_a_key_and_notes_from_elsewhere(jinhua, ledger, key, database, tmp_path):
    """What the store forgot is found by the note; what another signed, by the key."""
    kept, public = tmp_path / "monday.note", f"{key}.pub"
    kept.write_text(jinhua("checkpoint", "--key", key)[1], encoding="utf-8")
    size = ledger.recorder.max_notification_id()
    jinhua("rebuild")
    assert jinhua("verify", "--key", public, "--checkpoint", kept)[0] == 0

    other = tmp_path / "other.key"
    jinhua("keygen", "--out", other)
    status, verdict = jinhua("verify", "--key", f"{other}.pub", "--json")
    assert status == 3
    assert [(d["position"], d["what"]) for d in verdict["discrepancies"]] == [
        (size, "checkpoint.key")
    ]

    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DELETE FROM checkpoints")
        owner.execute("DELETE FROM log_subtrees")
        owner.execute("DELETE FROM events WHERE originator_id = 'hand:h-1'")
        owner.execute("DELETE FROM events WHERE originator_id LIKE 'wallet:%' AND position > 2")
    jinhua("rebuild")
    assert jinhua("verify")[0] == 0
    status, verdict = jinhua("verify", "--checkpoint", kept, "--json")
    assert (status, verdict["agree"]) == (3, verdict["hands"])
    assert [(d["position"], d["what"], d["derived"]) for d in verdict["discrepancies"]] == [
        (size, "checkpoint.size", 2)
    ]


def test_what_verify_cannot_use_is_exit_2(jinhua, ledger, key, tmp_path):  # noqa: ARG001
    """A hand beside a checkpoint; a file that holds none."""
    bad = tmp_path / "bad"
    for content in (b"\xff", b"x", b"x\n" * 600_000):
        bad.write_bytes(content)
        assert jinhua("verify", "--checkpoint", bad)[0] == 2
        assert jinhua("verify", "--key", bad)[0] == 2
    assert jinhua("verify", "h-1", "--key", f"{key}.pub")[0] == 2


def test_checkpoints_are_made_periodically_until_interrupted(ledger, key, database):
    """One a change; SIGTERM and SIGINT end it in order, and nothing is left half done."""
    size = ledger.recorder.max_notification_id()
    words = ["checkpoint", "--key", str(key), "--every", "0.2", "--json", "--dsn", database]
    for number, ending in enumerate((signal.SIGTERM, signal.SIGINT)):
        made = subprocess.Popen(
            [sys.executable, "-m", "adapters.cli", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert made.stdout is not None
        if number == 0:
            assert json.loads(made.stdout.readline())["size"] == size
        ledger.deposit("ann", 1, command_id=f"d-{number}")
        assert json.loads(made.stdout.readline())["size"] == size + number + 1
        made.send_signal(ending)
        rest, errors = made.communicate(timeout=120)
        assert (made.returncode, rest) == (0, b"")
        assert b"Traceback" not in errors


@pytest.mark.parametrize("seconds", ["0", "-1", "nan"])
def test_a_period_is_above_nothing(jinhua, seconds):
    """Or it would never rest."""
    assert jinhua("checkpoint", "--unsigned", "--every", seconds)[0] == 2
