"""A verification that was interrupted goes on where it was, and says what one in one go says."""

import json
import os
import signal
from multiprocessing import get_context

import psycopg
import pytest

from adapters.cli import main
from adapters.ledger import Ledger
from adapters.plain_json import plain
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from adapters.verifying import bookmark, runs
from adapters.verifying.bookmark import Bookmark, BookmarkUnusableError, Verified
from adapters.verifying.streams import check_portion
from tests.adapters.play import fund, lines
from tests.adapters.stored import edit_all_along

HANDS = 6
DISPUTES = 1  # a portion, though there are none


@pytest.fixture
def tampered(ledger, store_dsn):
    """A ledger of a few hands, with something wrong in hands and in wallets all along."""
    ledger.import_hands(lines(*simulate("jiuyou", hands=HANDS, seed=3)))
    edit_all_along(store_dsn)
    return ledger


def killed_after(portions, dsn, file):
    """Verify in a process of its own that is killed, without a word, after so many portions."""
    process = get_context("spawn").Process(target=verify_until_killed, args=(portions, dsn, file))
    process.start()
    process.join(timeout=300)
    assert process.exitcode == -signal.SIGKILL


def verify_until_killed(portions, dsn, file):
    """Check a hand or a wallet at a time, and die at one of them."""
    left = [portions]

    def check(conn, portion):
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return check_portion(conn, portion)

    one_each = (("dispute", 1), ("hand", 1), ("wallet", 1))
    vars(runs).update(PORTIONS=one_each, check_portion=check)
    vars(bookmark).update(_SHARE_OF_TIME=0)
    with Ledger(Store(dsn)) as ledger:
        list(ledger.verify(bookmark=Bookmark(file)))


def found(ledger, kept=None):
    """Return what is found, as JSON has it, and in how much."""
    told = []
    discrepancies = list(ledger.verify(progress=lambda *n: told.append(n), bookmark=kept))
    return plain(discrepancies), told[-1]


@pytest.mark.parametrize(
    "portions", [DISPUTES + HANDS - 2, DISPUTES + HANDS + 2]
)  # among the hands, among the wallets
def test_one_that_was_killed_goes_on_and_finds_the_same(tampered, store_dsn, tmp_path, portions):
    """At once; and, though it had begun before, after more was played, repaired and edited."""
    file = tmp_path / "far.json"
    whole = found(tampered)
    killed_after(portions, store_dsn, file)
    before = file.read_bytes()

    kept = Bookmark(file)
    assert found(tampered, kept) == whole
    assert kept.taken
    assert kept.told
    assert kept.taken.found
    assert kept.told == {
        "position": tampered.recorder.max_notification_id(),
        "hands": min(portions - DISPUTES, HANDS),
        "events": kept.told["events"],
        "discrepancies": len(kept.taken.found),
        "again": 0,
    }

    file.write_bytes(before)
    grow(tampered)
    later = Bookmark(file)
    assert found(tampered, later) == found(tampered) != whole
    assert later.again > 0


def grow(ledger):
    """Let hands that were verified be claimed, new ones be before and after them, wallets move."""
    first = next(ledger.hands())
    with psycopg.connect(ledger.store._dsn, autocommit=True) as owner:
        # Of what came after the bookmark: a wallet says that it paid into a hand of old.
        ((player,),) = owner.execute(
            "SELECT min(substr(originator_id, 8)) FROM events WHERE originator_id > 'wallet:'"
        )
        ledger.deposit(player, 7, command_id="d-7")
        owner.execute(
            "UPDATE events SET topic = 'wallet.carry_released.v1', body = replace(body,"
            " '\"balance\"', %s) WHERE command_id = 'd-7'",
            [f'"hand":{json.dumps(first)},"seat":9,"balance"'],
        )
    records = simulate("jiuyou", hands=3, seed=8)
    ledger.import_hands(
        lines(
            *(
                {**record, "hand": f"{place}-{n}"}
                for n, record in enumerate(records)
                for place in "0z"
            )
        )
    )


def test_what_is_no_bookmark_of_this_history_is_refused(ledger, tmp_path):
    """Of another history, of an export, or not as it was written."""
    fund(ledger, "ann")
    file = tmp_path / "far.json"
    texts = {"not as it was written": "{}", "not from a store": None, "another event": None}
    for reason, text in texts.items():
        if text is None:
            of = "export" if "store" in reason else "store"
            Bookmark(file).begin(Verified(of, 1, "00" * 32, upto="wallet;"))
        else:
            file.write_text(text)
        with pytest.raises(BookmarkUnusableError, match=reason):
            list(ledger.verify(bookmark=Bookmark(file)))
        file.unlink()


@pytest.mark.parametrize("edit", [{"upto": "zzz"}, {"upto": 5}, {"hands": "x"}, {"found": []}])
def test_a_bookmark_that_was_edited_is_refused(tampered, store_dsn, tmp_path, edit):
    """It could have streams left out, or what was found in them forgotten."""
    file = tmp_path / "far.json"
    killed_after(DISPUTES + HANDS, store_dsn, file)
    said = json.loads(file.read_bytes())
    assert said["found"]
    file.write_text(json.dumps(said | edit))

    with pytest.raises(BookmarkUnusableError, match="not as it was written"):
        list(tampered.verify(bookmark=Bookmark(file)))


@pytest.mark.usefixtures("tampered")
def test_the_command_says_what_it_took_over(store_dsn, tmp_path, capfd):
    """With the same exit status; and the file is gone when all is said."""
    file = tmp_path / "far.json"
    killed_after(DISPUTES + HANDS, store_dsn, file)
    words = ["verify", "--resume", str(file), "--dsn", store_dsn]
    before = file.read_bytes()

    status = main([*words, "--json"])
    told = json.loads(capfd.readouterr().out)

    assert (3, HANDS, HANDS) == (status, told["hands"], told["resumed"]["hands"])
    assert not file.exists()
    file.write_bytes(before)
    assert main(words) == 3
    assert f"taken over: hands {HANDS}, events " in capfd.readouterr().out
    assert main(["verify", "h-1", *words[1:]]) == 2
