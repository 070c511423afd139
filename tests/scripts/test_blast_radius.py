"""How far a build reached: hands that two of them settled, told apart by their receipts."""

import json

import pytest
from psycopg.conninfo import make_conninfo

from adapters.build import build_of
from adapters.copies.backup import backup
from adapters.copies.restore import restore
from adapters.investigation.builds import builds, settled_by
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from tests.adapters.play import do, fund, lines, sit_down
from tests.adapters.stored import execute, rows

OLD, NEW = build_of("old"), build_of("new")
IMPORTED = {build: list(simulate("jiuyou", hands=6, seed=n)) for n, build in enumerate((OLD, NEW))}


@pytest.fixture
def two(database):
    """A ledger that two builds settled hands of: six each in bulk, and one between them."""
    with (
        Ledger(Store(database, build=OLD)) as old,
        Ledger(Store(database, build=NEW)) as new,
    ):
        for build, ledger in ((OLD, old), (NEW, new)):
            ledger.import_hands(lines(*IMPORTED[build]))
        fund(old, "ann", "bob")
        for hand, settling in (("between", new), ("running", None)):
            sit_down(old, hand, carry=10_000)
            do(old, 1, "call", hand=hand)
            if settling is not None:
                do(settling, 2, "fold", hand=hand)
    return database


def told(found):
    """Return the hands that a run told, which are those that would differ."""
    return {row["hand"] for row in found["told"]}


def wrong(dsn, hand):
    """Let a settlement have been wrong by one chip; return who would get it."""
    query = """
        SELECT position, body FROM events
         WHERE originator_id = %s AND topic = 'hand.settled.v1'
    """
    ((position, body),) = rows(dsn, query, [f"hand:{hand}"])
    settled = json.loads(body)
    winner = max(settled["settlement"]["seats"].values(), key=lambda of: of["net"])
    winner["net"] -= 100
    execute(dsn, "UPDATE events SET body = %s WHERE position = %s", [json.dumps(settled), position])


def test_hands_are_told_apart_by_the_build_that_settled_them(run, two, monkeypatch):
    """It is the settlement that counts: not who opened a hand; one that runs is nobody's."""
    monkeypatch.setattr("adapters.investigation.reading.BULK_HANDS", 4)
    old, new = IMPORTED[OLD], IMPORTED[NEW]
    for hand in (old[0]["hand"], new[0]["hand"], "between"):
        wrong(two, hand)

    found = {build: run("blast_radius", "--build", build, "--json") for build in (OLD, NEW)}

    assert {build: status for build, (status, _) in found.items()} == {OLD: 3, NEW: 3}
    assert [found[build][1]["hands"] for build in (OLD, NEW)] == [6, 7]
    assert told(found[OLD][1]) == {old[0]["hand"]}
    assert told(found[NEW][1]) == {new[0]["hand"], "between"}
    assert [found[build][1]["corrections"] for build in (OLD, NEW)] == [1, 2]
    assert run("blast_radius", "--json")[1]["hands"] == 13
    later = str(found[NEW][1]["positions"][0] + 1)
    conditions = (("--from", later), ("--version", "2"), ("--until", "2000-01-01"))
    counts = [
        run("blast_radius", "--build", NEW, *words, "--json")[1]["hands"] for words in conditions
    ]
    assert counts == [6, 0, 0]


@pytest.mark.usefixtures("two")
def test_builds_are_listed_and_another_is_answered_with_them(run, tmp_path):
    """In the order in which they began; a mistyped one is exit 2, and its file does not appear."""
    status, found = run("blast_radius", "--builds", "--json")
    assert status == 0
    assert [(row["build"], row["hands"]) for row in found["builds"]] == [(OLD, 6), (NEW, 7)]
    assert found["builds"][0]["first"] < found["builds"][0]["last"] < found["builds"][1]["first"]
    status, said = run("blast_radius", "--builds")
    assert [line.split()[:2] for line in said.splitlines()[1:]] == [[OLD, "6"], [NEW, "7"]]
    _, said = run("blast_radius", "--builds", "--lang", "zh")
    assert said.splitlines()[0].split() == ["程序版本", "局数", "首个序号", "末个序号"]
    out = tmp_path / "fix.jsonl"

    for build in ("1.2.3", "old", OLD[:-1], f"{OLD} ", "unrecorded", ""):
        status, said = run("blast_radius", "--build", build, "--out", str(out))
        assert status == 2
        assert f"unknown_build: no hand was settled by build {build!r}" in said
        assert f"{OLD} (6 hands), {NEW} (7 hands)" in said
    assert not out.exists()


def test_what_was_settled_before_builds_were_recorded_is_asked_for_as_such(run, two):
    """Receipts without a build, and an event without a receipt, are unrecorded; nobody's guess."""
    execute(two, "UPDATE receipts SET build = NULL WHERE build = %s", [OLD])
    gone = "DELETE FROM receipts WHERE command_id IN (SELECT command_id FROM events WHERE {})"
    execute(two, gone.format("originator_id = 'hand:between'"))

    _, found = run("blast_radius", "--builds", "--json")

    assert [(row["build"], row["hands"]) for row in found["builds"]] == [(None, 7), (NEW, 6)]
    status, found = run("blast_radius", "--build", "unrecorded", "--json")
    assert (status, found["hands"]) == (0, 7)


def test_a_restored_store_tells_the_same(two, tmp_path, server):
    """The builds are in the backup, and survive it."""
    backup(two, tmp_path / "b")
    execute(server, "DROP DATABASE IF EXISTS test_builds_again WITH (FORCE)")
    try:
        assert restore(server, tmp_path / "b", into="test_builds_again").unequal == []
        dsn = make_conninfo(server, dbname="test_builds_again")
        listed = [
            rows(of, "SELECT command_id, build FROM receipts ORDER BY 1") for of in (two, dsn)
        ]
        assert listed[0] == listed[1]
        assert {build for _, build in listed[1]} == {OLD, NEW}
        with Store(dsn) as store:
            assert [row[:2] for row in builds(store)] == [(OLD, 6), (NEW, 7)]
            assert list(settled_by(store, OLD)) == sorted(one["hand"] for one in IMPORTED[OLD])
    finally:
        execute(server, "DROP DATABASE IF EXISTS test_builds_again WITH (FORCE)")


def test_the_version_is_the_rulebook_s(run):
    """`--version` takes a number, and the help tells of no other."""
    status, said = run("blast_radius", "--help")
    assert status == 0
    assert said.count("--version") == 2  # the example, and the parameter
    status, said = run("blast_radius", "--version")
    assert status == 2
    assert "requires an argument" in said
