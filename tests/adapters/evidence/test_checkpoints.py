"""Whatever is done to the history after a checkpoint, the checkpoint tells; by size and by what."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.errors import CheckViolation, InsufficientPrivilege, UniqueViolation

from adapters.errors import HistoryBrokenError
from adapters.evidence.checkpoints import HistoryRewrittenError, make, stored
from adapters.evidence.notes import (
    MalformedKeyError,
    MalformedNoteError,
    Signer,
    UnknownKeyError,
    Verifier,
    parse,
    sign,
    verify,
)
from adapters.evidence.players import PlayerIndex
from adapters.evidence.tree import LogTree
from adapters.ledger import Ledger
from adapters.store.chain import GENESIS, Linked, link_of
from tests.adapters.play import do, fund, sit_down

SIGNER = Signer.generate("jinhua")
KEY = SIGNER.verifier.text


@pytest.fixture
def history(ledger: Ledger) -> Ledger:
    """A ledger with a checkpoint of size 9 in the middle of a hand and one of size 16 after it."""
    fund(ledger, "ann", "bob", "cai")
    sit_down(ledger, "h-1")
    make(ledger.store, SIGNER)
    do(ledger, 1, "call")
    do(ledger, 2, "fold")
    fund(ledger, "dan")
    make(ledger.store, SIGNER)
    assert [row.size for row in stored(ledger.store)] == [9, 16]
    return ledger


@pytest.fixture
def owner(history: Ledger, store_dsn: str) -> Iterator[psycopg.Connection]:  # noqa: ARG001 - first
    """The owner's connection to that store."""
    with psycopg.connect(store_dsn, autocommit=True) as conn:
        yield conn


def found(ledger: Ledger, notes=(), key: str | None = KEY) -> list[tuple[int | None, str]]:
    """Return what verification finds about checkpoints: their sizes, and what differs."""
    return [
        (found.position, found.what.removeprefix("checkpoint."))
        for found in ledger.verify(notes=notes, key=key)
        if found.rule == "checkpoint"
    ]


def notes(ledger: Ledger) -> list[str]:
    """Return the notes, as somebody else would keep them."""
    return [row.note for row in stored(ledger.store)]


def rechain(owner: psycopg.Connection) -> None:
    """Make every link anew, as whoever owns the store can."""
    rows = owner.execute(
        "SELECT position, originator_id, originator_version, topic, body, command_id, actor,"
        " happened_at, recorded_at, link FROM events ORDER BY originator_id, originator_version",
        binary=True,
    )
    stream, last = "", GENESIS
    for row in map(Linked._make, rows.fetchall()):
        if row.stream != stream:
            stream, last = row.stream, GENESIS
        last = link_of(last, row)
        owner.execute("UPDATE events SET link = %s WHERE position = %s", [last, row.position])


def test_a_checkpoint_is_of_the_whole_history(history):
    """Both roots, how many players, and a signature that verifies."""
    first, second = stored(history.store)

    made = verify(second.note, SIGNER.verifier)
    index = PlayerIndex(history.store, 16)
    root = LogTree(history.store).root(16)
    assert made == ("jinhua", 16, root, 4, index.root)
    assert (index.count, parse(first.note).players) == (4, 3)
    assert first.made_at < second.made_at
    assert found(history) == []


def test_where_nothing_was_appended_the_last_one_is_given_again(history):
    """And nothing is stored."""
    again = make(history.store, SIGNER)

    assert (again.is_new, again.stored) == (False, stored(history.store)[-1])
    assert len(stored(history.store)) == 2


def test_an_empty_history_has_a_checkpoint(ledger):
    """Its roots are those of empty trees."""
    made = make(ledger.store, None)

    assert (made.is_new, parse(made.stored.note).size, parse(made.stored.note).players) == (
        True,
        0,
        0,
    )
    assert found(ledger, key=None) == []
    assert found(ledger) == [(0, "key")]


def test_another_key_cannot_take_a_checkpoint_for_its_own(history):
    """What is stored for that size has its signature or is refused."""
    with pytest.raises(UnknownKeyError):
        make(history.store, Signer.generate("jinhua"))


# --- tampering -----------------------------------------------------------------------

BODY = "UPDATE events SET body = replace(body, '50000', '50001') WHERE position = {}"
LINK = "UPDATE events SET link = set_byte(link, 31, get_byte(link, 31) # 1) WHERE position = {}"
DELETE = "DELETE FROM events WHERE position {}"
# Two events of one stream, or of two, change their places in the order of everything.
SWAP = """
    UPDATE events SET position = position + 1000 WHERE position IN ({0}, {1});
    UPDATE events SET position = {0} + {1} + 1000 - position WHERE position > 1000
"""

TAMPERING = {
    # what was done              how                           again  what is found
    "a bit of a link":          (LINK.format(6),               False, {(9, "root"), (16, "root")}),
    "a bit of a wallet's link": (LINK.format(3),               False,
                                 {(9, "root"), (16, "root"), (9, "players_root"),
                                  (16, "players_root")}),
    "an event edited":          (BODY.format(3),               True,
                                 {(9, "root"), (16, "root"), (9, "players_root"),
                                  (16, "players_root")}),
    "edited after the first":   (LINK.format(10),              False, {(16, "root")}),
    "an event taken away":      (DELETE.format("= 12"),        False, {(16, "size")}),
    "an early one taken away":  (DELETE.format("= 2"),         True,  {(9, "size"), (16, "size")}),
    "two places swapped":       (SWAP.format(1, 2),            True,  {(9, "root"), (16, "root")}),
    "swapped after the first":  (SWAP.format(11, 12),          True,  {(16, "root")}),
    "the tail cut off":         (DELETE.format("> 12"),        True,  {(16, "size")}),
    "all of it cut off":        (DELETE.format("> 0"),         True,  {(9, "size"), (16, "size")}),
}  # fmt: skip


@pytest.mark.parametrize(("change", "again", "expected"), TAMPERING.values(), ids=TAMPERING)
def test_tampering_is_found_by_size_and_by_what_differs(history, owner, change, again, expected):
    """Also where every chain was made anew over it; and no further checkpoint is made."""
    owner.execute(change)
    if again:
        rechain(owner)

    assert set(found(history)) == expected
    with pytest.raises((HistoryRewrittenError, HistoryBrokenError)) as refused:
        make(history.store, SIGNER)
    if isinstance(refused.value, HistoryRewrittenError):
        assert refused.value.size == min(size for size, _ in expected)


def test_a_fork_is_found_where_it_begins(history, owner):
    """The same number of events, all well-formed and chained: the first root still holds."""
    kept = notes(history)
    owner.execute("DELETE FROM events WHERE position > 9")
    owner.execute("TRUNCATE receipts")
    do(history, 1, "call", command_id="again-1")
    do(history, 2, "fold", command_id="again-2")
    history.deposit("dan", 50_000, command_id="again-3")
    assert history.recorder.max_notification_id() == 16

    assert set(found(history)) == {(16, "root"), (16, "players_root")}
    others = [d for d in history.verify() if d.rule != "checkpoint"]
    assert others == []
    with pytest.raises(HistoryRewrittenError) as refused:
        make(history.store, SIGNER)
    assert refused.value.size == 16
    owner.execute("DELETE FROM checkpoints WHERE size = 16")
    assert found(history) == [(16, "subtree")]
    owner.execute("DELETE FROM log_subtrees")
    assert found(history) == []
    assert set(found(history, kept)) == {(16, "root"), (16, "players_root")}


def test_what_was_kept_elsewhere_tells_where_the_store_forgot(history, owner):
    """The owner cuts off the tail with its checkpoint; only the note outside knows."""
    kept = notes(history)
    owner.execute("DELETE FROM events WHERE position > 9")
    owner.execute("DELETE FROM checkpoints WHERE size > 9")
    owner.execute("DELETE FROM log_subtrees")

    assert found(history) == []
    assert found(history, kept) == [(16, "size")]


def test_a_checkpoint_signed_again_with_another_key_is_found(history, owner):
    """By who is to have signed: the history itself is as the note says."""
    impostor = Signer.generate("jinhua")
    (_, second) = notes(history)
    forged = sign(parse(second), impostor)
    owner.execute("UPDATE checkpoints SET note = %s WHERE size = 16", [forged])

    assert found(history, key=None) == []
    (discrepancy,) = history.verify(key=KEY)
    assert discrepancy == (
        "ledger", 16, "checkpoint.key", impostor.verifier.id, SIGNER.verifier.id, "checkpoint",
    )  # fmt: skip


def test_a_checkpoint_that_was_edited_is_found(history, owner):
    """By its signature, and by what the history gives; as JSON shows it."""
    owner.execute("UPDATE checkpoints SET note = replace(note, 'players 4', 'players 5')")

    found = {d.what: (d.position, d.recorded, d.derived) for d in history.verify(key=KEY)}

    assert found["checkpoint.players"] == (16, 5, 4)
    assert found["checkpoint.signature"][0] == 16
    assert set(found) == {"checkpoint.players", "checkpoint.signature"}


def test_a_checkpoint_in_another_s_place_is_found(history, owner):
    """That of size 9 where that of size 16 was, and a text that is none."""
    owner.execute("DELETE FROM checkpoints WHERE size = 16")
    owner.execute("INSERT INTO checkpoints (size, note) SELECT 16, note FROM checkpoints")
    owner.execute("UPDATE checkpoints SET note = 'none' WHERE size = 9")

    assert found(history) == [(9, "note"), (16, "size")]


@pytest.mark.usefixtures("history")
def test_what_is_given_is_read_before_anything_is_verified(ledger):
    """A file that is no note, or no key, is the caller's mistake."""
    with pytest.raises(MalformedNoteError):
        ledger.verify(notes=["x"])
    with pytest.raises(MalformedKeyError):
        ledger.verify(key="x")
    assert Verifier.parse(KEY) == SIGNER.verifier


# --- the table -----------------------------------------------------------------------


@pytest.mark.parametrize("role", ["jinhua_writer", "jinhua_reader"])
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE checkpoints SET note = note WHERE false",
        "DELETE FROM checkpoints WHERE size = 9",
        "TRUNCATE checkpoints",
        "DROP TABLE checkpoints",
        "INSERT INTO checkpoints VALUES (99, 'x', '2000-01-01T00:00:00Z')",
    ],
)
def test_no_role_of_the_application_changes_a_checkpoint(owner, role, change):
    """Nor dates one itself."""
    owner.execute(f"SET ROLE {role}")

    with pytest.raises(InsufficientPrivilege):
        owner.execute(change)


def test_the_writer_adds_checkpoints_and_the_reader_reads_them(owner):
    """A size once, and each with a note."""
    owner.execute("SET ROLE jinhua_writer")
    owner.execute("INSERT INTO checkpoints (size, note) VALUES (99, 'x')")
    with pytest.raises(UniqueViolation):
        owner.execute("INSERT INTO checkpoints (size, note) VALUES (9, 'x')")
    for size, note in ((-1, "x"), (98, "")):
        with pytest.raises(CheckViolation):
            owner.execute("INSERT INTO checkpoints (size, note) VALUES (%s, %s)", [size, note])

    owner.execute("SET ROLE jinhua_reader")
    assert owner.execute("SELECT size FROM checkpoints ORDER BY size").fetchall() == [
        (9,),
        (16,),
        (99,),
    ]
    with pytest.raises(InsufficientPrivilege):
        owner.execute("INSERT INTO checkpoints (size, note) VALUES (100, 'x')")
