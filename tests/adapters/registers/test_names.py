"""Names: sealed, shown beside ids, and gone from everywhere once a player is erased."""

import asyncio
import base64
import io
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import psycopg
import pytest
from cryptography.exceptions import InvalidTag
from psycopg.errors import InsufficientPrivilege

from adapters.appending.fingerprints import fingerprint
from adapters.async_ledger import AsyncLedger
from adapters.cli import main
from adapters.console.names import Called
from adapters.copies.backup import backup
from adapters.copies.client_programs import for_dump
from adapters.copies.restore import restore
from adapters.ledger import Ledger
from adapters.logs import configure
from adapters.registers import player_keys
from adapters.registers.names import Names, open_name, pseudonym, seal_name
from adapters.registers.player_keys import destroy_keys
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector
from domain.errors import (
    AlreadyErasedError,
    BadRecordError,
    CommandIdReusedError,
    PlayerErasedError,
    UnknownPlayerError,
)
from domain.events import HandOpened, PlayerErased, PlayerNamed
from tests.adapters.play import balance, do, fund, lines, sit_down, vectors
from tests.adapters.stored import execute, replace, rows

NAME = "Wang Xiaoming 王小明🀄"
OTHER = "Zoe\u0308 Bobson"
KEY = bytes(range(32))


@pytest.fixture
def named(ledger: Ledger) -> Ledger:
    """A ledger on which ann and bob have names, and a hand of theirs has ended."""
    fund(ledger, "ann", "bob")
    ledger.name_player("ann", NAME, command_id="n-ann")
    ledger.name_player("bob", OTHER, command_id="n-bob")
    sit_down(ledger)
    do(ledger, 1, "call")
    do(ledger, 2, "fold")
    return ledger


def names(ledger: Ledger, *players: str) -> dict[str, str]:
    """Return what players are called."""
    return Names(ledger.store).of(players)


def keys(dsn: str) -> dict[str, bytes]:
    """Return every key that there is."""
    return dict(rows(dsn, "SELECT player, key FROM player_keys"))


def everything(dsn: str) -> str:
    """Return all tables as pg_dump writes them, in text."""
    with psycopg.connect(dsn) as owner:
        program = for_dump(owner.info.server_version // 10_000)
    words = [str(program.path), "--inserts", dsn]
    return subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.decode()


def forms(name: str) -> list[str]:
    """Return the ways in which a name could stand in a text."""
    text = name.encode()
    coded = base64.b64encode(text).decode().rstrip("=")[:-1]
    return [name, json.dumps(name)[1:-1], text.hex(), coded, name.split(maxsplit=1)[0]]


# --- sealing ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", [NAME, OTHER, "x", "\u2028", "長" * 200], ids=ascii)
def test_what_is_sealed_is_opened_again(name):
    """To the byte; twice the same name is not twice the same text."""
    sealed = seal_name(KEY, "ann", 3, name)

    assert open_name(KEY, "ann", 3, sealed).encode() == name.encode()
    assert seal_name(KEY, "ann", 3, name) != sealed


ELSEWHERE: Mapping[str, tuple[bytes, str, int]] = {
    "another key": (KEY[::-1], "ann", 3),
    "another player": (KEY, "bob", 3),
    "another event": (KEY, "ann", 4),
    "the same digits, cut otherwise": (KEY, "ann3", 3),
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_a_sealed_name_opens_nowhere_else(where):
    """A ciphertext that was moved is none."""
    with pytest.raises(InvalidTag):
        open_name(*ELSEWHERE[where], seal_name(KEY, "ann", 3, NAME))


def test_a_sealed_name_does_not_tell_its_length():
    """A short one and a longer one are as long."""
    assert len(seal_name(KEY, "ann", 3, "Bo")) == len(seal_name(KEY, "ann", 3, NAME))


def test_a_pseudonym_is_fixed():
    """Computed by hand once: SHA-256 over tag and wallet id, each behind its length in 8 bytes."""
    assert pseudonym("ann") == "erased-1473d2ea6c"
    assert pseudonym("bob") != pseudonym("ann")


# --- naming ----------------------------------------------------------------------------


def test_the_last_name_counts(named):
    """Under the same key; the chips do not move; nobody else is concerned."""
    before, kept = balance(named, "ann"), keys(named.store._dsn)

    receipt = named.name_player("ann", "Ann", command_id="n-2")

    assert receipt.answer == {"player": "ann"}
    assert names(named, "ann", "bob", "nobody") == {"ann": "Ann", "bob": OTHER}
    assert (balance(named, "ann"), keys(named.store._dsn)) == (before, kept)
    assert list(named.verify()) == []


def test_a_player_may_be_named_before_any_chips_come(ledger):
    """The wallet begins with the name."""
    ledger.name_player("new", NAME, command_id="n")
    ledger.deposit("new", 5, command_id="d")

    assert names(ledger, "new") == {"new": NAME}
    assert balance(ledger, "new") == 5


def test_the_same_naming_again_is_answered_as_before(named):
    """And another name under its id is refused, by the field and not by what was in it."""
    again = named.name_player("ann", NAME, command_id="n-ann")
    with pytest.raises(CommandIdReusedError) as refused:
        named.name_player("ann", "Ann", command_id="n-ann")
    with pytest.raises(CommandIdReusedError) as other:
        named.name_player("never", NAME, command_id="fund:ann")

    assert (again.status, again.answer) == ("replayed", {"player": "ann"})
    assert refused.value.numbers == {"command_id": "n-ann", "field": "name"}
    assert other.value.numbers["field"] == "command"
    assert names(named, "ann") == {"ann": NAME}


def test_what_is_remembered_of_a_naming_tells_no_name(named, store_dsn):
    """With the name in hand, nobody who has not the key finds it in receipts or refusals."""
    with pytest.raises(CommandIdReusedError):
        named.name_player("ann", OTHER, command_id="n-ann")
    kept = rows(store_dsn, "SELECT digest, fields, answer FROM receipts WHERE kind='name_player'")
    asked = rows(store_dsn, "SELECT digest, asked FROM refusals WHERE kind = 'name_player'")

    body = {"player": "ann", "actor": "operator"}
    guesses = [fingerprint("name_player", {**body, "name": name}) for name in (NAME, OTHER)]
    assert kept
    assert {bytes(digest) for digest, *_ in kept}.isdisjoint(guess.digest for guess in guesses)
    sums = {json.loads(fields)["name"] for _, fields, _ in kept}
    assert sums.isdisjoint(json.loads(guess.fields)["name"] for guess in guesses)
    assert [(bytes(fingerprint("name_player", body).digest), '{"player": "ann"}')] == [
        (bytes(digest), text) for digest, text in asked
    ]


def test_many_at_once_name_a_player_under_one_key(ledger, store_dsn):
    """Whoever is first makes the key; the others' names open with it too."""

    async def name_all() -> None:
        async with AsyncLedger(Ledger(Store(store_dsn))) as many:
            await asyncio.gather(
                *(many.name_player("ann", f"Ann {n}", command_id=f"n-{n}") for n in range(12))
            )

    asyncio.run(name_all())

    assert list(keys(store_dsn)) == ["ann"]
    assert names(ledger, "ann")["ann"].startswith("Ann ")
    assert list(ledger.verify()) == []
    assert rows(store_dsn, "SELECT count(*) FROM events") == [(12,)]

    async def erase() -> None:
        async with AsyncLedger(Ledger(Store(store_dsn))) as one:
            await one.erase_player("ann", "asked for", command_id="e")

    asyncio.run(erase())

    assert keys(store_dsn) == {}
    assert names(ledger, "ann") == {"ann": pseudonym("ann")}


@pytest.mark.parametrize("bad", ["", "x" * 201, "a\0b", "a\ud800", 7], ids=repr)
def test_what_is_no_name_is_refused(ledger, store_dsn, bad):
    """Before any key is made; the message does not repeat it."""
    with pytest.raises(BadRecordError) as refused:
        ledger.name_player("ann", bad, command_id="c")

    assert refused.value.numbers == {"field": "name"}
    assert keys(store_dsn) == {}


def test_a_name_that_was_moved_or_edited_is_found(named, store_dsn):
    """Verification opens every name that has a key; readers see a pseudonym and go on."""
    ((position, body),) = rows(
        store_dsn,
        "SELECT position, body FROM events WHERE originator_id = 'wallet:ann' AND topic = %s",
        [PlayerNamed.TOPIC],
    )
    ((foreign,),) = rows(
        store_dsn,
        "SELECT body FROM events WHERE originator_id = 'wallet:bob' AND topic = %s",
        [PlayerNamed.TOPIC],
    )
    forged = {**json.loads(body), "sealed": json.loads(foreign)["sealed"]}
    replace(store_dsn, position, PlayerNamed.TOPIC, json.dumps(forged))

    found = [(d.hand, d.position, d.what) for d in named.verify()]

    assert found == [
        ("wallet:ann", position, "link"),
        ("wallet:ann", position, "player_named.sealed"),
    ]
    assert names(named, "ann", "bob") == {"ann": pseudonym("ann"), "bob": OTHER}


# --- erasing ---------------------------------------------------------------------------


def of_others(dsn: str) -> list[Any]:
    """Return every row that is not about ann's wallet or key."""
    return [
        rows(dsn, "SELECT * FROM events WHERE originator_id <> 'wallet:ann' ORDER BY position"),
        rows(dsn, "SELECT * FROM player_keys WHERE player <> 'ann'"),
        rows(dsn, "SELECT * FROM receipts WHERE command_id <> 'e' ORDER BY command_id"),
    ]


def test_an_erased_player_has_a_pseudonym_and_all_else_stays(named, store_dsn):
    """Verification is clean, balances are unchanged, and others' rows untouched to the byte."""
    before, chips = of_others(store_dsn), balance(named, "ann")
    wallet = "SELECT * FROM events WHERE originator_id = 'wallet:ann' ORDER BY position"
    history = rows(store_dsn, wallet)

    receipt = named.erase_player("ann", "asked for", command_id="e")

    assert receipt.answer == {"player": "ann", "pseudonym": pseudonym("ann")}
    assert names(named, "ann", "bob") == {"ann": pseudonym("ann"), "bob": OTHER}
    assert list(keys(store_dsn)) == ["bob"]
    assert (of_others(store_dsn), balance(named, "ann")) == (before, chips)
    assert rows(store_dsn, wallet)[:-1] == history
    assert list(named.verify()) == []
    named.withdraw("ann", chips, command_id="w")
    assert list(named.verify()) == []


def test_who_never_had_a_name_is_erased_before_there_is_one(named):
    """Asked for in time, it keeps a name from being stored later."""
    fund(named, "dan")
    named.erase_player("dan", "asked for", command_id="e-dan")

    with pytest.raises(PlayerErasedError):
        named.name_player("dan", NAME, command_id="n-dan")
    assert names(named, "dan") == {"dan": pseudonym("dan")}
    assert list(named.verify()) == []


def test_an_erased_player_is_not_named_or_erased_again(named, store_dsn):
    """Each refusal has its code; the same erasing again is answered as before."""
    first = named.erase_player("ann", "asked for", command_id="e")
    again = named.erase_player("ann", "asked for", command_id="e")
    with pytest.raises(AlreadyErasedError) as twice:
        named.erase_player("ann", "asked for", command_id="e-2")
    with pytest.raises(PlayerErasedError) as anew:
        named.name_player("ann", NAME, command_id="n-3")
    with pytest.raises(PlayerErasedError):
        named.name_player("ann", NAME, command_id="n-ann")  # there is no telling names apart
    with pytest.raises(UnknownPlayerError) as typo:
        named.erase_player("anne", "asked for", command_id="e-3")

    assert (again.status, again.text) == ("replayed", first.text)
    codes = [refused.value.code for refused in (twice, anew, typo)]
    assert codes == ["already_erased", "player_erased", "unknown_player"]
    assert list(keys(store_dsn)) == ["bob"]
    assert list(named.verify()) == []


@pytest.mark.parametrize("command_id", ["e", "another"])
def test_an_erasing_that_was_killed_half_way_is_finished_when_given_again(
    named, store_dsn, monkeypatch, command_id
):
    """Stored, and the key still there: verification says so, and either id repairs it."""
    with monkeypatch.context() as patched:
        patched.setattr("adapters.registers.player_keys._DESTROY", "SELECT killed(%(player)s)")
        with pytest.raises(psycopg.Error):
            named.erase_player("ann", "asked for", command_id="e")
    (found,) = named.verify()
    assert (found.hand, found.what, found.recorded) == ("wallet:ann", "key", "kept")
    assert names(named, "ann") == {"ann": pseudonym("ann")}

    try:
        named.erase_player("ann", "asked for", command_id=command_id)
    except AlreadyErasedError:
        assert command_id == "another"

    assert list(keys(store_dsn)) == ["bob"]
    assert list(named.verify()) == []


def test_a_key_is_destroyed_only_where_the_history_says_so(named, store_dsn):
    """Whoever asks for it; without the event nothing is lost."""
    assert destroy_keys(named.store) == destroy_keys(named.store, "ann") == 0
    assert sorted(keys(store_dsn)) == ["ann", "bob"]


def test_a_name_under_way_while_the_player_is_erased_is_refused(named, store_dsn, monkeypatch):
    """The key that it made too late goes again."""
    make = player_keys.make_key

    def late(runner, player):
        monkeypatch.setattr("adapters.commands.naming.make_key", make)
        named.erase_player("ann", "asked for", command_id="e")
        return make(runner, player)

    monkeypatch.setattr("adapters.commands.naming.make_key", late)
    with pytest.raises(PlayerErasedError):
        named.name_player("ann", "Ann", command_id="n-3")

    assert list(keys(store_dsn)) == ["bob"]
    assert list(named.verify()) == []


def test_the_table_of_keys_is_written_anew(named, store_dsn):
    """So its file holds no deleted row; a naming alone does not do that."""
    file = "SELECT pg_relation_filenode('player_keys')"
    before = rows(store_dsn, file)
    named.name_player("ann", "Ann", command_id="n-3")
    assert rows(store_dsn, file) == before

    named.erase_player("ann", "asked for", command_id="e")

    assert rows(store_dsn, file) != before


@pytest.mark.parametrize("role", ["jinhua_writer", "jinhua_reader", ROLE])
def test_nobody_edits_a_key_and_readers_see_none(store_dsn, named, role):
    """Of the application's roles one may add, read and delete; none may change one."""
    forbidden = ["UPDATE player_keys SET key = key", "TRUNCATE player_keys"]
    if role != "jinhua_writer":
        forbidden += ["TABLE player_keys", "DELETE FROM player_keys"]
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute(f"SET ROLE {role}")
        for statement in forbidden:
            with pytest.raises(InsufficientPrivilege):
                owner.execute(statement)
    assert names(named, "ann", "bob") == {"ann": NAME, "bob": OTHER}


def test_no_log_line_holds_a_name(ledger, capfd):
    """At the level that tells the most."""
    configure("debug")
    try:
        ledger.name_player("ann", NAME, command_id="n")
        ledger.erase_player("ann", "asked for", command_id="e")
        with pytest.raises(PlayerErasedError):
            ledger.name_player("ann", NAME, command_id="n-2")
    finally:
        configure()

    told = capfd.readouterr().err
    assert "player_named" in told
    assert "player_erased" in told
    assert not [form for form in forms(NAME) if form in told]


# --- backups ---------------------------------------------------------------------------


def test_a_restore_destroys_again_what_the_history_says_is_destroyed(
    named, store_dsn, empty_database, tmp_path
):
    """A backup with the erasure and the key: every figure is compared, and then the key goes."""
    ((key,),) = rows(store_dsn, "SELECT key FROM player_keys WHERE player = 'ann'")
    named.erase_player("ann", "asked for", command_id="e")
    execute(store_dsn, "INSERT INTO player_keys (player, key) VALUES ('ann', %s)", [key])
    backup(store_dsn, tmp_path / "b")

    restored = restore(empty_database, tmp_path / "b")

    assert (restored.unequal, restored.erased) == ([], 1)
    assert list(keys(empty_database)) == ["bob"]
    with Ledger(Store(empty_database)) as again:
        assert names(again, "ann", "bob") == {"ann": pseudonym("ann"), "bob": OTHER}
        assert list(again.verify()) == []


def test_a_backup_from_before_an_erasure_brings_the_name_back(
    named, store_dsn, empty_database, tmp_path
):
    """It cannot know; erased again, the player is erased there too."""
    backup(store_dsn, tmp_path / "b")
    named.erase_player("ann", "asked for", command_id="e")

    assert restore(empty_database, tmp_path / "b").erased == 0

    with Ledger(Store(empty_database)) as again:
        assert names(again, "ann") == {"ann": NAME}
        again.erase_player("ann", "asked for", command_id="e")
        assert names(again, "ann") == {"ann": pseudonym("ann")}


# --- every output ----------------------------------------------------------------------


@pytest.fixture
def jinhua(database, capfd):
    """Run a command on a fresh store: its status, what it printed, and what it complained of."""

    def run(*words, status=0):
        assert main([*words, "--dsn", database]) == status
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return out + err

    return run


SHOWS = {
    "balances": ("balances",),
    "balances of one": ("balances", "--player", "p1"),
    "statement": ("statement", "p1"),
    "bonuses": ("bonuses",),
    "hands": ("hands",),
    "show": ("show", "h-0"),
    "audit": ("audit", "--player", "p1"),
    "explain": ("explain", "h-0"),
    "balances then": ("balances", "--as-of", "200"),
}
"""What shows players."""


@pytest.fixture
def shown(jinhua, database):
    """A ledger with hands of p1, who is named; every output, as text and as JSON."""
    found = [record for record in vectors("jiuyou") if record["seats"][0]["seat"] == 1]
    records = []
    for number, record in enumerate(found):
        seats = [{**seat, "player": f"p{seat['seat']}"} for seat in record["seats"]]
        records.append({**record, "hand": f"h-{number}", "seats": seats})
    with Ledger(Store(database)) as ledger:
        assert ledger.import_hands(lines(*records)).refused == []
    with Store(database, role=ROLE) as store:
        Projector(store).catch_up()
    jinhua("name", "p1", NAME)

    def outputs():
        shown = {(what, "text"): jinhua(*words) for what, words in SHOWS.items()}
        return shown | {(w, "json"): jinhua(*words, "--json") for w, words in SHOWS.items()}

    return outputs


def test_after_an_erasure_the_name_is_nowhere(shown, jinhua, database):
    """Before it, every output shows it, and the dump never does; then it is a pseudonym."""
    assert [what for what, text in shown().items() if NAME not in text] == []
    assert [form for form in forms(NAME) if form in everything(database)] == []

    jinhua("erase", "p1", "--why", "asked for", "--yes")

    outputs = shown()
    more = [jinhua("verify"), jinhua("audit", "--limit", "9999"), everything(database)]
    told = "".join([*outputs.values(), *more])
    assert [form for form in forms(NAME) if form in told] == []
    assert [what for what, text in outputs.items() if pseudonym("p1") not in text] == []


def test_json_has_the_name_beside_the_player(shown):
    """And nothing where there never was one."""
    outputs = shown()
    balances = json.loads(outputs["balances", "json"])["accounts"]
    hands = json.loads(outputs["hands", "json"])["hands"]
    seats = json.loads(outputs["explain", "json"])["players"]
    audit = json.loads(outputs["audit", "json"])["lines"]
    show = json.loads(outputs["show", "json"])["events"]

    assert {row["account"]: row["name"] for row in balances if "name" in row} == {"player:p1": NAME}
    assert all(hand["names"] == {"p1": NAME} for hand in hands)
    assert {seat["player"]: seat["name"] for seat in seats if "name" in seat} == {"p1": NAME}
    assert all(line["name"] == NAME for line in audit)
    assert {event["name"] for event in show if event["player"] == "p1"} == {NAME}
    assert not [event for event in show if event["player"] != "p1" and "name" in event]
    assert list(json.loads(outputs["statement", "json"])) == ["player", "name", "movements"]


def test_a_table_has_name_and_id(shown):
    """So that two of the same name are told apart."""
    outputs = shown()

    for what in ("balances", "bonuses", "hands", "show", "audit", "explain", "statement"):
        assert f"{NAME} (p" in outputs[what, "text"], what


def test_a_name_comes_through_a_pipe(jinhua, monkeypatch, database):
    """Where the words of a command are seen by others."""
    piped = io.TextIOWrapper(io.BytesIO(f"{NAME}\nmore\n".encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", piped)

    told = json.loads(jinhua("name", "p9", "-", "--json"))

    assert told == {"player": "p9", "position": 1}
    with Store(database) as store:
        assert Names(store).of(["p9"]) == {"p9": NAME}


ANSWERS = {"yes": ("y\n", 0), "no": ("n\n", 2), "nothing": ("", 2), "an empty line": ("\n", 2)}


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_erasure_is_asked_for_twice(jinhua, monkeypatch, database, answer):
    """Only a yes does it; the question shows who it is about."""
    jinhua("name", "p9", NAME)
    typed, status = ANSWERS[answer]
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))

    told = jinhua("erase", "p9", "--why", "asked for", status=status)

    assert f"{NAME} (p9)" in told
    with Store(database) as store:
        left = {"p9": pseudonym("p9") if status == 0 else NAME}
        assert Names(store).of(["p9"]) == left


def test_what_cannot_be_erased_says_why_by_its_code(jinhua):
    """A mistyped id, and one that was erased before; JSON for programs."""
    assert "unknown_player" in jinhua("erase", "p9", "--why", "asked for", "--yes", status=2)
    jinhua("name", "p9", NAME)
    told = json.loads(jinhua("erase", "p9", "--why", "asked for", "--yes", "--json"))
    assert told == {"player": "p9", "name": pseudonym("p9"), "position": 2}
    assert "already_erased" in jinhua("erase", "p9", "--why", "asked for", "--yes", status=2)
    assert "player_erased" in jinhua("name", "p9", NAME, status=2)


def test_a_hand_s_own_events_are_left_as_they_are(named):
    """Where an argument calls players by their names, nothing else of them changes."""
    events = [entry.event for _, entry in named.hand("h-1")]

    called = Called({"ann": NAME}).in_events(events)

    assert isinstance(called[0], HandOpened)
    assert [seat.player for seat in called[0].seats] == [f"{NAME} (ann)", "bob"]
    assert called[1:] == events[1:]
    assert Called({}).in_events(events) == events
    assert PlayerErased.TOPIC not in {event.TOPIC for event in events}
