"""What checkpoints leave behind makes proofs cheap, and nothing has to believe it."""

import psycopg
import pytest

from adapters.errors import HistoryBrokenError
from adapters.evidence import subtrees
from adapters.evidence.checkpoints import discrepancies, make, stored
from adapters.evidence.proofs import OtherHistoryError, Point, hand_proof
from adapters.evidence.subtrees import KnownLog, Subtree, keep, kept, lasting
from adapters.evidence.tree import LogTree
from adapters.store.migrations import migrate
from adapters.store.postgres import Store
from tests.adapters.play import fund
from tests.adapters.proving import SIGNER, play_hand
from tests.adapters.stored import HANDS, execute, insert, migrate_first

GONE = {
    "nothing": "false",
    "all but what an earlier version left": "height <> {middle}",
    "all behind the 150th": "(number + 1) << height > 150",
    "the least": "height <= {lowest}",
    "all": "true",
}
"""What may be missing of the subtrees of a log."""


def low(monkeypatch, lowest: int, step: int, middle: int) -> None:
    """Keep lower subtrees than in earnest, so that a short history has many."""
    monkeypatch.setattr(subtrees, "LOWEST", lowest)
    monkeypatch.setattr(subtrees, "STEP", step)
    monkeypatch.setattr(subtrees, "MIDDLE", middle)


def due(store) -> dict[Subtree, bytes]:
    """Return what a checkpoint keeps of a store's log."""
    log = LogTree(store)
    return {each: log.part(each.number << each.height, each.last) for each in lasting(log.size, {})}


@pytest.fixture
def store(store_dsn):
    """A store with a history in it."""
    insert(store_dsn, HANDS[:300])
    with Store(store_dsn) as store:
        yield store


@pytest.fixture
def played(ledger):
    """A ledger of three hands."""
    fund(ledger, "ann", "bob", amount=1_000_000)
    for number in range(1, 4):
        play_hand(ledger, f"h-{number}")
    return ledger


@pytest.mark.parametrize("heights", [(1, 1, 2), (2, 3, 5), (3, 1, 5), (4, 2, 4)], ids=str)
@pytest.mark.parametrize("gone", GONE)
def test_it_gives_the_roots_and_proofs_of_the_whole_log(
    store, store_dsn, monkeypatch, heights, gone
):
    """At every size, whatever is kept: the rest is made."""
    low(monkeypatch, *heights)
    whole = LogTree(store)
    keep(store, whole)
    lowest, _, middle = heights
    where = GONE[gone].format(lowest=lowest, middle=middle)
    execute(store_dsn, f"DELETE FROM log_subtrees WHERE {where}")  # noqa: S608 - GONE's

    assert KnownLog(store).size == 300
    for size in range(0, 301, 12):
        log = KnownLog(store)
        for position in range(1, size + 1, 31):
            assert log.inclusion(position, size) == whole.inclusion(position, size)
        for old in range(0, size + 1, 43):
            assert log.consistency(old, size) == whole.consistency(old, size)
        assert KnownLog(store).root(size) == log.root(size) == whole.root(size)


def test_a_log_that_grew_is_kept_on_from_where_it_ended(store, store_dsn, monkeypatch):
    """And what is kept already stays as it is: the ends of earlier sizes, too."""
    low(monkeypatch, 4, 2, 4)
    keep(store, LogTree(store))
    before = kept(store)
    insert(store_dsn, HANDS[300:450], after=300)
    keep(store, LogTree(store))

    low_ends = [Subtree(3, 36), Subtree(2, 74)]  # 300 is 18 * 16 + 8 + 4
    assert kept(store) == before | due(store)
    assert before.keys() - due(store).keys() == set(low_ends)
    assert [sum(each.height == height for each in kept(store)) for height in (4, 6, 8)] == [
        28, 7, 1,
    ]  # fmt: skip


def test_only_what_is_asked_about_is_read(store, store_dsn, monkeypatch):
    """The events of other stretches may be anything: a proof neither needs nor shows them."""
    low(monkeypatch, 4, 2, 4)
    whole = LogTree(store)
    proof, root = whole.inclusion(100, 300), whole.root(300)
    keep(store, whole)
    execute(
        store_dsn,
        "UPDATE events SET link = sha256(link) WHERE position NOT BETWEEN 97 AND 112",
    )
    log = KnownLog(store)

    assert (log.inclusion(100, 300), log.root(300)) == (proof, root)
    assert LogTree(store).root(300) != root


def test_what_it_reads_hardly_grows(store, monkeypatch):
    """Of a log of ten times the length, the rows of two heights more."""
    low(monkeypatch, 2, 2, 4)
    keep(store, LogTree(store))
    read = dict[int, int]()
    near = subtrees._near

    def counted(conn, *, firsts):
        found = near(conn, firsts=firsts)
        read[size] = read.get(size, 0) + len(found)
        return found

    monkeypatch.setattr(subtrees, "_near", counted)
    for size in (30, 300):
        KnownLog(store).inclusion(11, size)
    assert 0 < read[30] <= read[300] <= read[30] + 2 * 2 * 3


@pytest.mark.parametrize("middle", [2, 5])
def test_a_missing_position_is_named(store, store_dsn, monkeypatch, middle):
    """Where its stretch is not kept; where it is kept, by whoever verifies."""
    low(monkeypatch, 2, 1, middle)
    execute(store_dsn, "DELETE FROM events WHERE position = 201")

    with pytest.raises(HistoryBrokenError) as broken:
        KnownLog(store).root(300)
    assert broken.value.position == 201


@pytest.mark.parametrize("height", [2, 4])
def test_a_root_that_was_altered_proves_nothing_and_is_named(
    played, store_dsn, monkeypatch, height
):
    """The proof would not lead to the checkpoint; verification says which root it is."""
    low(monkeypatch, 2, 2, 4)
    made = make(played.store, SIGNER).stored
    with played.store.snapshot() as moment:
        beside = (hand_proof(moment, "h-1")["position"] - 1 >> height) ^ 1
    change = "UPDATE log_subtrees SET root = sha256(root) WHERE height = %s AND number = %s"
    execute(store_dsn, change, [height, beside])
    execute(
        store_dsn,
        "INSERT INTO log_subtrees (height, number, root) VALUES (12, 99, sha256('no such'))",
    )

    with played.store.snapshot() as moment:
        with pytest.raises(OtherHistoryError) as refused:
            hand_proof(moment, "h-1")
        assert refused.value.size == made.size
        found = [(one.position, one.what, one.derived is None) for one in discrepancies(moment)]
    assert found == [
        (beside + 1 << height, "checkpoint.subtree", False),
        (100 << 12, "checkpoint.subtree", True),
    ]


def test_a_proof_that_leads_nowhere_is_not_given(played, store_dsn):
    """Neither from an event that was put in another's place, nor from an older checkpoint."""
    monday = Point.read(make(played.store, SIGNER).stored.note)
    play_hand(played, "h-4")
    newer = make(played.store, SIGNER).stored
    other = monday._replace(checkpoint=monday.checkpoint._replace(root=bytes(32)))
    with played.store.snapshot() as moment, pytest.raises(OtherHistoryError) as refused:
        hand_proof(moment, "h-4", since=other)
    assert refused.value.size == monday.checkpoint.size

    execute(store_dsn, "UPDATE events SET link = sha256(link) WHERE originator_id = 'hand:h-2'")
    with played.store.snapshot() as moment:
        with pytest.raises(OtherHistoryError) as refused:
            hand_proof(moment, "h-2")
        assert refused.value.size == newer.size


def test_a_checkpoint_leaves_them_behind(ledger, monkeypatch):
    """Each the rest, and the proofs that lead to either are those of the whole log."""
    low(monkeypatch, 2, 2, 4)
    fund(ledger, "ann", "bob", amount=1_000_000)
    for number in range(1, 4):
        play_hand(ledger, f"h-{number}")
        make(ledger.store, SIGNER)
        assert kept(ledger.store).items() >= due(ledger.store).items()
    whole = LogTree(ledger.store)

    with ledger.store.snapshot() as moment:
        for row in stored(moment):
            proof = hand_proof(moment, "h-1", size=row.size)
            path = [node.hex() for node in whole.inclusion(proof["position"], row.size)]
            assert proof["inclusion"] == path
        assert list(discrepancies(moment)) == []


def test_a_checkpoint_of_nothing_new_completes_what_is_kept(played, store_dsn, monkeypatch):
    """As after a restore, or where an earlier version made the last one."""
    low(monkeypatch, 2, 2, 4)
    make(played.store, SIGNER)
    whole = kept(played.store)
    execute(store_dsn, "DELETE FROM log_subtrees WHERE height <> 4")

    assert not make(played.store, SIGNER).is_new
    assert kept(played.store) == whole


def test_what_an_earlier_version_kept_is_kept_on(empty_database, tmp_path):
    """Its stretches were all of 4,096 positions."""
    with psycopg.connect(empty_database, autocommit=True) as conn:
        migrate_first(conn, 20, tmp_path)
        conn.execute("INSERT INTO log_subtrees (number, root) VALUES (7, sha256('its root'))")
        migrate(conn)

    with Store(empty_database) as store:
        assert list(kept(store)) == [Subtree(subtrees.MIDDLE, 7)]
