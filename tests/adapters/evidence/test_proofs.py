"""Proof files: what is made, what is refused, and that one script alone checks them."""

import json
import shutil
import subprocess
import sys
import venv
from importlib.metadata import version
from pathlib import Path

import psycopg
import pytest

from adapters.cli import main
from adapters.errors import CardKeyMissingError
from adapters.evidence.checkpoints import make
from adapters.evidence.notes import Signer
from adapters.evidence.players import NotIndexedError
from adapters.evidence.proofs import (
    NoCheckpointError,
    OtherHistoryError,
    Point,
    hand_proof,
    player_proof,
)
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from adapters.store.sealing import CardKeys
from domain.cards import DECK
from domain.deck import commit, dealt
from domain.errors import HandRunningError, UnknownHandError
from domain.zhajinhua.rulebooks import published
from domain.zhajinhua.state import turn_order
from tests.adapters.play import CARRY, do, fund, sit_down
from tests.adapters.proving import (
    KEY,
    SCRIPT,
    SIGNER,
    claims,
    prove,
    signed_again,
    verifier,
)

DECK_TEXT = "".join(DECK)
SALT = bytes(range(32))


def proven(ledger, hand, **more):
    """Return the proof of a hand."""
    with ledger.store.snapshot() as moment:
        return hand_proof(moment, hand, **more)


def proven_player(ledger, player, **more):
    """Return the proof of a player."""
    with ledger.store.snapshot() as moment:
        return player_proof(moment, player, **more)


def test_a_proof_holds_the_events_as_they_are_stored(ledger, store_dsn):
    """Byte for byte; times to the microsecond, whatever zone the server speaks in."""
    proof = prove(ledger).hand

    with psycopg.connect(store_dsn) as owner:
        owner.execute("SET TIME ZONE 'Asia/Shanghai'")
        stored = owner.execute(
            "SELECT originator_version, topic, body, command_id, actor, encode(link, 'hex'),"
            " to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
            " FROM events WHERE originator_id = 'hand:h-3' ORDER BY originator_version"
        ).fetchall()
    names = ("version", "topic", "body", "command_id", "actor", "link", "recorded_at")
    assert [tuple(event[name] for name in names) for event in proof["events"]] == stored
    assert len(stored) == 10


def test_a_hand_that_is_running_is_refused(ledger):
    """Its cards are nobody's; as soon as it is over it is proven, if a checkpoint covers it."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    make(ledger.store, SIGNER)
    with pytest.raises(HandRunningError, match="still running"):
        proven(ledger, "h-1")

    do(ledger, 1, "fold")
    with pytest.raises(NoCheckpointError, match="`jinhua checkpoint` makes one"):
        proven(ledger, "h-1")
    make(ledger.store, SIGNER)
    assert "money" in claims(proven(ledger, "h-1"))


def test_a_hand_is_proven_up_to_the_checkpoint_that_was_asked_for(ledger):
    """What happened behind it is not in the file, and the verifier says so."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    size = make(ledger.store, SIGNER).stored.size
    do(ledger, 1, "fold")
    make(ledger.store, SIGNER)

    assert "running" in claims(proven(ledger, "h-1", size=size))
    assert "money" in claims(proven(ledger, "h-1"))
    with pytest.raises(NoCheckpointError, match="of size 3"):
        proven(ledger, "h-1", size=3)


def test_sealed_cards_stay_sealed_while_the_hand_runs_and_are_opened_afterwards(store_dsn):
    """Nobody learns them from the first proof; the second holds the key of that one event."""
    keys = CardKeys([bytes(range(32))])
    with Ledger(Store(store_dsn, cards=keys)) as ledger:
        fund(ledger, "ann", "bob")
        sit_down(ledger)
        make(ledger.store, SIGNER)
        running = proven(ledger, "h-1")
        do(ledger, 1, "fold")
        make(ledger.store, SIGNER)
        over = proven(ledger, "h-1")

    assert "running" in claims(running)
    assert (running["keys"], list(over["keys"])) == ({}, ["4"])
    assert not any("AsAdAh" in event["body"] for event in over["events"])
    assert "money" in claims(over)
    assert verifier.opened("hand:h-1", over["events"][3], over["keys"])["cards"]["1"] == "AsAdAh"
    with Ledger(Store(store_dsn)) as ledger, pytest.raises(CardKeyMissingError):
        proven(ledger, "h-1")


def test_what_is_not_there_is_refused(ledger):
    """No such hand, no such player at that checkpoint, no checkpoint at all."""
    with pytest.raises(UnknownHandError):
        proven(ledger, "h-1")
    with pytest.raises(NoCheckpointError):
        proven_player(ledger, "ann")
    fund(ledger, "ann")
    make(ledger.store, SIGNER)
    with pytest.raises(NotIndexedError):
        proven_player(ledger, "bob")


def test_an_older_checkpoint_of_another_history_is_refused(ledger):
    """The proof could only be wrong."""
    monday = prove(ledger).monday
    lines = monday.split("\n")
    lines[2] = f"{'A' * 43}="
    other = Point.read(signed_again("\n".join(lines), SIGNER))

    with pytest.raises(OtherHistoryError):
        proven(ledger, "h-1", since=other)
    with pytest.raises(OtherHistoryError):
        proven_player(ledger, "ann", since=other)


def test_a_deck_that_the_ledger_disclosed_proves_the_deal(ledger):
    """By the ledger's own rule of dealing, in every direction of play; not before that."""
    for rulebook in published():
        hand, dealer, seats = f"h-{rulebook.id}", 2, (1, 2, 3)
        fund(ledger, *(f"{hand}-{seat}" for seat in seats), amount=CARRY)
        order = turn_order(seats, dealer, rulebook)
        ledger.open_hand(
            hand,
            rulebook.id,
            table={"ante": 500},
            dealer=dealer,
            opener=1 if rulebook.opener == "recorded" else None,
            seats=[{"seat": n, "player": f"{hand}-{n}", "carry": CARRY} for n in seats],
            deal=dealt(DECK_TEXT, order),
            commitment=commit(hand, rulebook.digest, DECK_TEXT, SALT),
            command_id=f"open:{hand}",
            actor="house",
        )
        if not ledger.hand(hand)[-1].entry.event.TOPIC.startswith("hand.settled"):
            ledger.void_hand(hand, "enough", command_id=f"void:{hand}", actor="house")
        make(ledger.store, SIGNER)
        assert "deck_not_disclosed" in claims(proven(ledger, hand))

        given = {"command_id": f"disclose:{hand}", "actor": "house"}
        ledger.disclose_deck(hand, SALT.hex(), DECK_TEXT, **given)
        make(ledger.store, SIGNER)
        assert "deck_proven" in claims(proven(ledger, hand)), rulebook.id


def test_all_hands_of_a_player_from_the_first_on(ledger):
    """Without an older checkpoint, and with one at which there was no wallet yet."""
    fund(ledger, "zoe")
    first = Point.read(make(ledger.store, SIGNER).stored.note)
    prove(ledger)

    for since, words in ((None, []), (first, ["grew"])):
        proof = proven_player(ledger, "ann", since=since)
        listed = ["hand"] * 4 + ["hands"]
        assert claims(proof) == ["signed", *words, "chain", "leaf", *listed]
        found, _ = verifier.verify(proof, KEY)
        assert found[-1] == ("hands", 4, "ann", 0, 60)
        assert found[-2] == ("hand", "h-4", 50_000, 54_875)


def test_a_player_without_a_hand_between_two_checkpoints(ledger):
    """Nothing is proven to be nothing."""
    prove(ledger)
    tuesday = Point.read(make(ledger.store, SIGNER).stored.note)
    ledger.deposit("cai", 1, command_id="d")
    make(ledger.store, SIGNER)

    found, faults = verifier.verify(proven_player(ledger, "ann", since=tuesday), KEY)
    assert faults == []
    assert found[-1] == ("hands", 0, "ann", 59, 60)


# --- commands ------------------------------------------------------------------------------


@pytest.fixture
def files(ledger, store_dsn, tmp_path, monkeypatch):
    """A directory with a proof of each kind, the key, and a checkpoint that was kept."""
    monkeypatch.setenv("JINHUA_DSN", store_dsn)
    monkeypatch.chdir(tmp_path)
    Path("monday.note").write_text(prove(ledger).monday, encoding="utf-8")
    Path("key.pub").write_text(f"{SIGNER.verifier.text}\n", encoding="utf-8")
    assert main(["proof", "h-3", "--out", "hand.json", "--since", "monday.note"]) == 0
    assert main(["proof", "--player", "ann", "--from", "31", "--out", "ann.json"]) == 0
    return tmp_path


@pytest.mark.usefixtures("files")
def test_the_command_writes_a_file_that_the_verifier_takes(capsys):
    """The same words in both languages, and as JSON."""
    capsys.readouterr()
    for lang, label in (("en", "proven: "), ("zh", "已证明: ")):
        for file in ("hand.json", "ann.json"):
            words = [file, "--key", "key.pub", "--previous", "monday.note", "--lang", lang]
            assert verifier.main(words) == 0
            assert all(line.startswith(label) for line in capsys.readouterr().out.splitlines())
    assert verifier.main(["ann.json", "--key", SIGNER.verifier.text, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["proven"], told["wrong"]) == (True, [])
    assert told["claims"][-1]["claim"] == "hands"
    assert "ALL in which chips of ann" in told["claims"][-1]["what"]


@pytest.mark.usefixtures("files")
def test_the_verifier_says_what_is_wrong_and_where(capsys):
    """With status 3; with status 2 where there is nothing to say."""
    text = Path("hand.json").read_text(encoding="utf-8")
    Path("bad.json").write_text(text.replace("seat-2", "seat-1", 1), encoding="utf-8")
    capsys.readouterr()
    where = "event 6 (hand.cards_seen.v1), link"

    assert verifier.main(["bad.json", "--key", "key.pub"]) == 3
    assert capsys.readouterr().out.startswith(f"WRONG: {where}: it does not fit")
    assert verifier.main(["bad.json", "--key", "key.pub", "--lang", "zh"]) == 3
    assert capsys.readouterr().out.startswith(f"错误: {where}: ")
    assert verifier.main(["bad.json", "--key", "key.pub", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["wrong"][0]["where"] == where


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "words",
    [
        ["hand.json"],
        ["hand.json", "--unsigned"],
        ["hand.json", "--key", "nowhere"],
        ["hand.json", "--key", "monday.note"],
        ["hand.json", "--key", f"{SIGNER.verifier.text[:-1]}b"],
        ["hand.json", "--key", f"x{SIGNER.verifier.text}"],
        ["monday.note", "--key", "key.pub"],
        ["nowhere", "--key", "key.pub"],
        ["twice.json", "--key", "key.pub"],
        ["deep.json", "--key", "key.pub"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_checked_is_status_2(words):
    """Bad usage, no key, no file, no JSON."""
    Path("twice.json").write_text('{"format": 1, "format": "jinhua-proof/1"}', encoding="utf-8")
    Path("deep.json").write_text("[" * 100_000, encoding="utf-8")
    try:
        status = verifier.main(words)
    except SystemExit as usage:
        status = usage.code
    assert status == 2


def test_every_word_can_be_said_in_both_languages():
    """With the same numbers in it."""
    for english, chinese in verifier.WORDS.values():
        assert english.count("{}") == chinese.count("{}")


@pytest.mark.usefixtures("files")
def test_the_command_says_what_it_needs(capsys):
    """A hand or a player; a checkpoint; a hand that there is."""
    for words, why in (
        (["--out", "x"], "a HAND or a --player"),
        (["h-1", "--player", "ann", "--out", "x"], "a HAND or a --player"),
        (["h-1", "--out", "x", "--size", "32"], "`jinhua checkpoint`"),
        (["h-1", "--out", "x", "--since", "32"], "`jinhua checkpoint`"),
        (["h-9", "--out", "x"], "unknown_hand"),
        (["--player", "zoe", "--out", "x"], "not_indexed"),
        (["h-1", "--out", "x", "--since", "nowhere"], "nowhere"),
    ):
        assert main(["proof", *words]) in (2, 3)
        assert why in capsys.readouterr().err
    assert not Path("x").exists()
    assert main(["proof", "h-1", "--out", "x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": "x", "events": 10, "size": 59}


# --- alone ---------------------------------------------------------------------------------


def test_the_verifier_is_one_file_that_can_be_read_in_one_go():
    """An auditor's engineer reads all of it before believing it."""
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) < 500


def test_the_verifier_needs_nothing_but_cryptography(files, tmp_path_factory):
    """In an environment of its own, in a directory of its own, nothing of ours can be imported."""
    place = tmp_path_factory.mktemp("alone")
    venv.create(place / "venv", with_pip=True)
    python = str(place / "venv" / "bin" / "python")
    wanted = f"cryptography=={version('cryptography')}"
    quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([python, *quiet, wanted], check=True, timeout=600)
    for file in (SCRIPT, files / "hand.json", files / "ann.json", files / "key.pub"):
        shutil.copy(file, place)

    def run(*words):
        return subprocess.run(
            [python, "-I", *words],
            cwd=place,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )

    for package in ("adapters", "domain", "pydantic", "psycopg"):
        assert f"No module named '{package}'" in run("-c", f"import {package}").stdout
    for file in ("hand.json", "ann.json"):
        done = run(SCRIPT.name, file, "--key", "key.pub")
        assert (done.returncode, done.stdout[:7]) == (0, "proven:"), done.stdout
    other = Signer("jinhua", bytes(32)).verifier.text
    assert run(SCRIPT.name, "hand.json", "--key", other).returncode == 3
    assert sys.version_info[:2] >= (3, 11)
