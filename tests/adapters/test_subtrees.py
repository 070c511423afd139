"""What checkpoints leave behind makes proofs cheap, and nothing has to believe it."""

import pytest

from adapters.errors import HistoryBrokenError
from adapters.evidence import subtrees
from adapters.evidence.checkpoints import discrepancies, make, stored
from adapters.evidence.proofs import OtherHistoryError, hand_proof
from adapters.evidence.subtrees import KnownLog, keep, kept, roots_of
from adapters.evidence.tree import LogTree
from adapters.postgres import Store
from tests.adapters.play import fund
from tests.adapters.proving import SIGNER, play_hand
from tests.adapters.stored import HANDS, execute, insert


@pytest.fixture(params=[2, 16, 128])
def positions(request, monkeypatch) -> int:
    """Stretches of several lengths."""
    monkeypatch.setattr(subtrees, "POSITIONS", request.param)
    return request.param


@pytest.fixture
def store(store_dsn):
    """A store with a history in it."""
    insert(store_dsn, HANDS[:300])
    with Store(store_dsn) as store:
        yield store


@pytest.mark.parametrize("are_kept", [True, False])
def test_it_gives_the_roots_and_proofs_of_the_whole_log(store, positions, are_kept):
    """At every size, whether the stretches are kept or have to be made."""
    whole = LogTree(store)
    if are_kept:
        keep(store, whole)
    log = KnownLog(store)

    assert len(kept(store)) == (300 // positions if are_kept else 0)
    assert log.size == 300
    for size in range(0, 301, 7):
        assert log.root(size) == whole.root(size)
        for position in range(1, size + 1, 31):
            assert log.inclusion(position, size) == whole.inclusion(position, size)
        for old in range(0, size + 1, 43):
            assert log.consistency(old, size) == whole.consistency(old, size)


def test_a_log_that_grew_is_kept_on_from_where_it_ended(store, store_dsn, positions):
    """And what is kept already stays as it is."""
    keep(store, LogTree(store))
    before = kept(store)
    insert(store_dsn, HANDS[300:450], after=300)
    keep(store, LogTree(store))

    assert kept(store).items() >= before.items()
    assert kept(store) == dict(roots_of(LogTree(store)))
    assert len(kept(store)) == 450 // positions


def test_only_what_is_asked_about_is_read(store, store_dsn, monkeypatch):
    """The events of other stretches may be anything: a proof neither needs nor shows them."""
    monkeypatch.setattr(subtrees, "POSITIONS", 16)
    whole = LogTree(store)
    proof, root = whole.inclusion(100, 300), whole.root(300)
    keep(store, whole)
    execute(store_dsn, "UPDATE events SET link = sha256(link) WHERE position <= 64")
    log = KnownLog(store)

    assert (log.inclusion(100, 300), log.root(300)) == (proof, root)
    assert LogTree(store).root(300) != root


@pytest.mark.usefixtures("positions")
def test_a_missing_position_is_named(store, store_dsn):
    """Where its stretch is not kept; where it is kept, by whoever verifies."""
    execute(store_dsn, "DELETE FROM events WHERE position = 201")

    with pytest.raises(HistoryBrokenError) as broken:
        KnownLog(store).root(300)
    assert broken.value.position == 201


def test_a_root_that_was_altered_proves_nothing_and_is_named(ledger, store_dsn, monkeypatch):
    """The proof would not lead to the checkpoint; verification says which root it is."""
    monkeypatch.setattr(subtrees, "POSITIONS", 4)
    fund(ledger, "ann", "bob", amount=1_000_000)
    for number in range(1, 4):
        play_hand(ledger, f"h-{number}")
    made = make(ledger.store, SIGNER).stored
    execute(store_dsn, "UPDATE log_subtrees SET root = sha256(root) WHERE number = 1")
    execute(store_dsn, "INSERT INTO log_subtrees VALUES (9999, sha256('no such stretch'))")

    with ledger.store.snapshot() as moment:
        with pytest.raises(OtherHistoryError) as refused:
            hand_proof(moment, "h-1")
        assert refused.value.size == made.size
        found = [(one.position, one.what, one.derived is None) for one in discrepancies(moment)]
    assert found == [(8, "checkpoint.subtree", False), (40_000, "checkpoint.subtree", True)]


def test_a_checkpoint_leaves_them_behind(ledger, monkeypatch):
    """Each the rest, and the proofs that lead to either are those of the whole log."""
    monkeypatch.setattr(subtrees, "POSITIONS", 4)
    fund(ledger, "ann", "bob", amount=1_000_000)
    for number in range(1, 4):
        play_hand(ledger, f"h-{number}")
        size = make(ledger.store, SIGNER).stored.size
        assert sorted(kept(ledger.store)) == list(range(size // 4))
    whole = LogTree(ledger.store)

    with ledger.store.snapshot() as moment:
        for row in stored(moment):
            proof = hand_proof(moment, "h-1", size=row.size)
            path = [node.hex() for node in whole.inclusion(proof["position"], row.size)]
            assert proof["inclusion"] == path
        assert list(discrepancies(moment)) == []
