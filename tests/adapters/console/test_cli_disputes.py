"""``jinhua dispute`` and ``jinhua dossier``, as a person types them."""

# ruff: noqa: E501 - a row of a table stays on one line

import io
import json
import sys

import pytest

from adapters.cli import main
from tests.adapters.play import vectors

RECORD = next(r for r in vectors("jiuyou") if len(r["seats"]) > 2)
HAND, PLAYER = RECORD["hand"], RECORD["seats"][0]["player"]


@pytest.fixture
def jinhua(database, capfd, monkeypatch):
    """Run a command on a store with one hand: its status, and what it printed."""

    def run(*words):
        status = main([*words, "--dsn", database])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return status, json.loads(out) if out and "--json" in words else out or err

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(RECORD).encode())))
    assert run("import", "-")[0] == 0
    return run


OPEN = ("dispute", "open", HAND, "--id", "d1", "--by", PLAYER, "--claims", "少付我 2.50")
DUE = ("--due", "2999-03-01T18:00+08:00")


def test_a_dispute_from_its_opening_to_the_verdict(jinhua, tmp_path):
    """Every step, what each prints, and what is listed then."""
    log = tmp_path / "table-7.log"
    log.write_bytes(b"hello\n")
    _, opened = jinhua(*OPEN, *DUE, "--json")
    _, noted = jinhua("dispute", "note", "d1", "the log", "--evidence", str(log), "--json")
    assert (opened["state"], opened["status"], noted["version"]) == ("open", "applied", 2)
    assert jinhua("dispute", "list", "--overdue", "3000-01-01", "--json")[1]["disputes"]

    said = jinhua("dispute", "rule", "d1", "--verdict", "partly_upheld", "--why", "2.00 was due")[1]
    assert "d1 is ruled: partly_upheld" in said

    _, shown = jinhua("dispute", "show", "d1", "--json")
    assert (shown["by"], shown["claims"], shown["verdict"]) == (
        PLAYER,
        "少付我 2.50",
        "partly_upheld",
    )
    assert shown["due"] == "2999-03-01T10:00:00+00:00"
    evidence = shown["events"][1]["event"]["evidence"]
    assert evidence == {
        "name": "table-7.log",
        "size": 6,
        "sha256": "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
    }
    in_words = jinhua("dispute", "show", "d1", "--lang", "zh")[1]
    assert "裁定: 部分成立" in in_words
    assert "2999-03-01 10:00:00" in in_words
    assert evidence["sha256"] in in_words
    _, listed = jinhua("dispute", "list", "--state", "ruled", "--hand", HAND, "--json")
    assert [(row["dispute"], row["notes"]) for row in listed["disputes"]] == [("d1", 1)]
    assert jinhua("dispute", "list", "--overdue", "now", "--json")[1]["disputes"] == []
    assert "d1" in jinhua("dispute", "list")[1]


def test_a_command_given_again_changes_nothing(jinhua):
    """Under the id that it was given; without one it is another command."""
    again = (*OPEN, *DUE, "--command-id", "c1", "--json")
    assert [jinhua(*again)[1]["status"] for _ in range(2)] == ["applied", "replayed"]

    assert jinhua(*OPEN, *DUE)[1].startswith("jinhua: dispute_exists")


def test_an_id_is_made_up_where_none_is_given(jinhua):
    """And each is another."""
    words = ("dispute", "open", HAND, "--by", "x", "--claims", "y", *DUE, "--json")
    made = {jinhua(*words)[1]["dispute"] for _ in range(2)}
    assert len(made) == 2

    _, first = jinhua("dispute", "list", "--limit", "1", "--json")
    assert first["after"] is not None
    assert f"more: --after {first['after']}" in jinhua("dispute", "list", "--limit", "1")[1]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("dispute", "open", "h-9", "--by", "x", "--claims", "y", *DUE), "unknown_hand"),
        (("dispute", "open", HAND, "--by", "x", "--claims", "y", "--due", "soon"), "bad_input"),
        (("dispute", "open", HAND, "--by", "x", "--claims", "y", "--due", "2001-01-01"), "due_passed"),
        ((*OPEN, *DUE, "--claim", "1"), "unknown_claim"),
        (("dispute", "note", "d9", "x"), "unknown_dispute"),
        (("dispute", "note", "d9", "x", "--evidence", "/nowhere"), "bad_input"),
        (("dispute", "show", "d9"), "unknown_dispute"),
        (("dispute", "list", "--overdue", "soon"), "bad_input"),
        (("dossier", "h-9", "--out", "x.html"), "unknown_hand"),
        (("dossier", HAND, "--out", "x.txt"), "bad_input"),
        (("dossier", HAND, "--out", "x.html", "--viewer", "me"), "bad_input"),
        (("dossier", HAND, "--out", "x.html", "--viewer", "player:nobody"), "unknown_seat"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_cannot_be_done_is_bad_input(jinhua, tmp_path, monkeypatch, words, code):
    """Exit 2, a line with the code, and no file."""
    monkeypatch.chdir(tmp_path)
    status, said = jinhua(*words)

    assert (status, said.split(":")[:2]) == (2, ["jinhua", f" {code}"])
    assert list(tmp_path.iterdir()) == []


def test_a_dossier_is_the_same_bytes_for_the_same_moment(jinhua, tmp_path):
    """In either language, and nothing but the file is left."""
    jinhua(*OPEN, *DUE)
    jinhua("checkpoint", "--unsigned")
    made = ("dossier", HAND, "--made-at", "2026-12-01T09:00Z", "--json")
    for lang in ("en", "zh"):
        files = [tmp_path / f"{lang}-{number}.html" for number in range(2)]
        for file in files:
            status, told = jinhua(*made, "--lang", lang, "--out", str(file))
            assert (status, told["is_proven"], told["discrepancies"]) == (0, True, 0)
        assert files[0].read_bytes() == files[1].read_bytes()
    assert len(list(tmp_path.iterdir())) == 4
    assert "少付我 2.50" in (tmp_path / "en-0.html").read_text(encoding="utf-8")


def test_without_a_checkpoint_it_says_how_to_get_one(jinhua, tmp_path):
    """On the terminal as in the file."""
    said = jinhua("dossier", HAND, "--out", str(tmp_path / "d.html"))[1]

    assert "jinhua checkpoint" in said
    assert "jinhua checkpoint" in (tmp_path / "d.html").read_text(encoding="utf-8")
