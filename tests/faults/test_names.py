"""Names of every kind: stored to the byte, the same everywhere; what cannot be is refused alone."""

import hashlib
import json
import os
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from adapters.appending.fingerprints import fingerprint
from adapters.errors import AdapterError
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from adapters.views.views import Views
from domain import record as record_module
from domain.errors import BadRecordError, RefusalError
from domain.zhajinhua.play import Action
from tests.adapters.play import balance, do, fund, lines, sit_down, vectors

NAMES = {
    "a face": "张三🀄",
    "combining marks": "Zoe\u0308\u0301",
    "one normal form": unicodedata.normalize("NFC", "ångström"),
    "the other": unicodedata.normalize("NFD", "ångström"),
    "a line end": "a\u2028b\u2029c\u0085d",
    "right to left": "\u202eabc\u200f",
    "nothing to see": "\u200b",
    "JSON's own": '"\\/\t\n',
    "four bytes": "\U0010ffff",
}


@pytest.mark.parametrize("kind", NAMES)
def test_a_name_is_what_it_was(ledger, projector, store_dsn, kind):
    """Names 张三🀄, combining marks, both normal forms, U+2028: bytes returned unchanged."""
    name = NAMES[kind]
    ledger.deposit(name, 1_000_000, command_id=f"d-{name}", actor=name)
    fund(ledger, "bob")
    sit_down(ledger, name, players=(name, "bob"))
    do(ledger, 1, "call", hand=name, command_id=f"c-{name}")
    do(ledger, 2, "fold", hand=name)
    projector.catch_up()

    again = ledger.deposit(name, 1_000_000, command_id=f"d-{name}", actor=name)
    assert again.status == "replayed"
    assert again.answer["player"].encode() == name.encode()
    assert [hand.encode() for hand in ledger.hands()] == [name.encode()]
    assert {row.entry.cause.actor for row in ledger.hand(name)} >= {"table-1", "seat-1"}
    with Store(store_dsn, role="jinhua_reader") as store:
        (row,) = Views(store).balances(name)
        assert row.account.encode() == f"player:{name}".encode()
        assert {line.who.hand for line in Views(store).audit_trail(hand=name)} == {name}
    with psycopg.connect(store_dsn) as owner:
        found = owner.execute(
            "SELECT sha256(convert_to(originator_id, 'UTF8')) FROM events"
            " WHERE originator_id LIKE 'wallet:%%' AND actor = %s",
            [name],
        ).fetchone()
    assert found == (hashlib.sha256(f"wallet:{name}".encode()).digest(),)
    assert list(ledger.verify()) == []


def test_names_that_look_alike_are_two(ledger):
    """Normal forms are not taken for each other."""
    for kind, amount in (("one normal form", 5), ("the other", 7)):
        ledger.deposit(NAMES[kind], amount, command_id=NAMES[kind])

    assert balance(ledger, NAMES["one normal form"]) == 5
    assert balance(ledger, NAMES["the other"]) == 7


def test_a_store_that_normalised_would_be_noticed(database):
    """So the tests above can fail: a trigger that is helpful to names is found out."""
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION tidy() RETURNS trigger LANGUAGE plpgsql AS"
            " $$BEGIN NEW.originator_id := normalize(NEW.originator_id, NFC); RETURN NEW; END$$"
        )
        owner.execute(
            "CREATE TRIGGER tidy BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION tidy()"
        )
    with Ledger(Store(database)) as ledger:
        ledger.deposit(NAMES["the other"], 7, command_id="d")

        assert balance(ledger, NAMES["the other"]) != 7


DIGESTS = """
import json, sys
from adapters.appending.fingerprints import fingerprint
names = json.load(sys.stdin)
print(json.dumps([fingerprint("deposit", {"player": name}).digest.hex() for name in names]))
"""


@pytest.mark.parametrize("language", ["C", "zh_CN.GB18030", "tr_TR.UTF-8"])
def test_the_same_hash_everywhere(language):
    """Another process, another locale, another hash seed: the digest of a command is the same."""
    names = list(NAMES.values())
    done = subprocess.run(
        [sys.executable, "-c", DIGESTS],
        input=json.dumps(names),
        env={"LC_ALL": language, "PYTHONHASHSEED": "7", "PATH": os.defpath},
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )

    expected = [fingerprint("deposit", {"player": name}).digest.hex() for name in names]
    assert json.loads(done.stdout) == expected
    assert len(set(expected)) == len(names)


def test_a_digest_of_another_process_would_be_noticed(monkeypatch):
    """So the test above can fail: what Python itself makes of a text is another in each process."""
    own = "adapters.appending.fingerprints._canonical = lambda value: b'%d' % hash(value)"
    monkeypatch.setattr(
        "tests.faults.test_names.DIGESTS", f"import adapters.appending.fingerprints\n{own}{DIGESTS}"
    )

    with pytest.raises(AssertionError):
        test_the_same_hash_everywhere("C")


# --- what cannot be stored -------------------------------------------------------------

BAD = {"U+0000": "a\0b", "a lone surrogate": "a\ud800b", "the other half": "\udfff"}


@pytest.mark.parametrize("bad", BAD)
def test_one_bad_name_in_a_batch_of_fifty(ledger, bad):
    """U+0000 or a lone surrogate in one of a batch of 50: that one refused, 49 stored."""
    records = [{**vectors("jiuyou")[0], "hand": f"h-{number}"} for number in range(50)]
    player = records[17]["seats"][0] | {"player": BAD[bad]}
    records[17] = records[17] | {"seats": [player, *records[17]["seats"][1:]]}

    report = ledger.import_hands(lines(*records))

    assert report.hands == 49
    assert [(refused.hand, refused.code) for refused in report.refused] == [("h-17", "bad_record")]
    assert list(ledger.verify()) == []


def test_without_the_check_of_text_the_whole_batch_fails(ledger, monkeypatch):
    """So the test above can fail: the store takes no U+0000, and nobody's hand is stored.

    A lone surrogate would not get as far: what reads the types of a record takes none either.
    """
    monkeypatch.setattr(record_module, "_check_text", lambda *_: None)

    with pytest.raises(psycopg.DataError):
        test_one_bad_name_in_a_batch_of_fifty(ledger, "U+0000")
    assert ledger.recorder.max_notification_id() is None


@pytest.mark.parametrize("bad", BAD)
def test_one_bad_command_among_fifty_at_once(ledger, bad):
    """Fifty callers whose appends are committed together: one is refused, 49 are stored."""

    def deposit(number: int) -> str:
        player = BAD[bad] if number == 17 else f"p{number}"
        try:
            return ledger.deposit(player, 5, command_id=f"d-{number}").status
        except RefusalError as refusal:
            return refusal.code

    with ThreadPoolExecutor(50) as threads:
        answers = list(threads.map(deposit, range(50)))

    assert answers == ["applied"] * 17 + ["bad_record"] + ["applied"] * 32
    assert ledger.recorder.max_notification_id() == 49


TEXTS = {
    "player": lambda ledger, bad: ledger.deposit(bad, 5, command_id="c"),
    "command id": lambda ledger, bad: ledger.deposit("ann", 5, command_id=bad),
    "actor": lambda ledger, bad: ledger.deposit("ann", 5, command_id="c", actor=bad),
    "hand": lambda ledger, bad: sit_down(ledger, bad, command_id="c"),
    "a seat's player": lambda ledger, bad: sit_down(ledger, "h-2", players=("ann", bad)),
    "rulebook": lambda ledger, bad: ledger.open_hand(
        *("h-2", bad), table={}, dealer=1, seats=[], deal={}, command_id="c", actor="a"
    ),
    "a table's parameter": lambda ledger, bad: sit_down(ledger, "h-2", table={bad: 1}),
    "cards": lambda ledger, bad: sit_down(ledger, "h-2", deal={1: bad, 2: "2c4d7h"}),
    "verb": lambda ledger, bad: do(ledger, 1, bad, command_id="c"),
    "reason": lambda ledger, bad: ledger.void_hand("h-1", bad, command_id="c", actor="a"),
    "a name": lambda ledger, bad: ledger.name_player("ann", bad, command_id="c"),
    "why": lambda ledger, bad: ledger.erase_player("ann", bad, command_id="c"),
    "claimant": lambda ledger, bad: ledger.import_hands([], claimant=bad),
    "a verb of several": lambda ledger, bad: ledger.act_many(
        "h-1", [Action("call", 1), Action(bad, 2)], command_id="c", actor="a"
    ),
}


@pytest.mark.parametrize("where", TEXTS)
def test_wherever_a_text_can_be_given(ledger, where):
    """A refusal with a code, never the driver's or the encoder's own error; nothing is stored."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    before = ledger.recorder.max_notification_id()

    for bad in BAD.values():
        with pytest.raises((RefusalError, AdapterError)):
            TEXTS[where](ledger, bad)

    assert ledger.recorder.max_notification_id() == before


def test_a_claim_in_a_record_is_text_too(ledger):
    """Its seats are keys of any text: what cannot be stored is refused with the record's code."""
    record = vectors("seed-examples")[0]
    for bad in BAD.values():
        line = json.dumps(record | {"settlement": {"seats": {bad: {"net": 1}}}})

        (refused,) = ledger.import_hands([line]).refused

        assert refused.code == BadRecordError.code
