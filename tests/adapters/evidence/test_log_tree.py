"""The log is the tree of RFC 9162, proofs and all, whatever its size."""

import hashlib

import pytest

from adapters.errors import HistoryBrokenError, PositionUnknownError
from adapters.evidence import tree as module
from adapters.evidence.tree import LogTree, Tree, is_consistent, is_included
from adapters.store.postgres import Store
from tests.adapters.stored import HANDS, execute, insert, rows


def sha(data: bytes) -> bytes:
    """Return the hash of RFC 9162's examples."""
    return hashlib.sha256(data).digest()


def split(leaves: list[bytes]) -> int:
    """Return the largest power of two below the number of leaves."""
    return 1 << (len(leaves) - 1).bit_length() - 1


def head(leaves: list[bytes]) -> bytes:
    """RFC 9162 §2.1.1: MTH."""
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return sha(b"\0" + leaves[0])
    k = split(leaves)
    return sha(b"\1" + head(leaves[:k]) + head(leaves[k:]))


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    """RFC 9162 §2.1.3.1: PATH."""
    if len(leaves) == 1:
        return []
    k = split(leaves)
    if m < k:
        return [*path(m, leaves[:k]), head(leaves[k:])]
    return [*path(m - k, leaves[k:]), head(leaves[:k])]


def subproof(m: int, leaves: list[bytes], *, known: bool = True) -> list[bytes]:
    """RFC 9162 §2.1.4.1: SUBPROOF, and PROOF where the old tree is known."""
    if m == len(leaves):
        return [] if known else [head(leaves)]
    k = split(leaves)
    if m <= k:
        return [*subproof(m, leaves[:k], known=known), head(leaves[k:])]
    return [*subproof(m - k, leaves[k:], known=False), head(leaves[:k])]


LEAVES = [sha(str(number).encode()) for number in range(70)]


@pytest.fixture(params=[128, 1, 4], ids=lambda threshold: f"cached above {threshold}")
def tree(request) -> Tree:
    """A tree of 70 leaves, with many or with few subtrees that are kept."""
    made = Tree()
    made.threshold = request.param
    made.extend(LEAVES[:33])
    made.extend(LEAVES[33:])
    return made


def test_every_root_and_every_proof_is_that_of_the_rfc(tree):
    """Against its recursive definitions, for every size, leaf and earlier size."""
    for size in range(len(LEAVES) + 1):
        assert tree.root(size) == head(LEAVES[:size])
        assert [tree.inclusion(m, size) for m in range(size)] == [
            path(m, LEAVES[:size]) for m in range(size)
        ]
        assert [tree.consistency(m, size) for m in range(1, size + 1)] == [
            subproof(m, LEAVES[:size]) for m in range(1, size + 1)
        ]


def test_an_inclusion_proof_holds_for_its_leaf_and_no_other(tree):
    """Another root, leaf or place, a node too few or too many, a node that is another."""
    for size in (1, 2, 3, 7, 8, 33, 70):
        root = tree.root(size)
        for m, leaf in enumerate(LEAVES[:size]):
            proof = tree.inclusion(m, size)
            assert is_included(m, size, leaf, root, proof)
            assert not is_included(m, size, leaf, sha(root), proof)
            assert not is_included(m, size, sha(leaf), root, proof)
            assert not is_included(m, size, leaf, root, [*proof, root])
            if proof:
                assert not is_included(m ^ 1, size, leaf, root, proof)
                assert not is_included(m, size, leaf, root, proof[:-1])
                assert not is_included(m, size, leaf, root, [sha(proof[0]), *proof[1:]])


def test_a_consistency_proof_holds_for_its_two_roots_and_no_others(tree):
    """Another root, a node too few or too many, a node that is another: none of them passes."""
    for new in range(1, len(LEAVES) + 1):
        for old in range(1, new):
            proof, roots = tree.consistency(old, new), (tree.root(old), tree.root(new))
            assert is_consistent(old, new, roots, proof)
            assert not is_consistent(old, new, (roots[1], roots[0]), proof)
            assert not is_consistent(old, new, roots, proof[:-1])
            assert not is_consistent(old, new, roots, [*proof, proof[-1]])
            assert not is_consistent(old, new, roots, [sha(proof[0]), *proof[1:]])


def test_a_log_is_consistent_with_itself_and_with_nothing():
    """The two proofs that are empty."""
    root = head(LEAVES[:3])

    assert is_consistent(3, 3, (root, root), [])
    assert is_consistent(0, 3, (sha(b""), root), [])
    assert not is_consistent(3, 3, (root, head(LEAVES[:2])), [])
    assert not is_consistent(0, 3, (root, root), [])
    assert not is_consistent(3, 2, (root, root), [])


# The leaves and roots with which certificate-transparency's own implementations are tested.
PUBLISHED = {
    "":                                 "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",  # noqa: E501
    "00":                               "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",  # noqa: E501
    "10":                               "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",  # noqa: E501
    "2021":                             "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",  # noqa: E501
    "3031":                             "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",  # noqa: E501
    "40414243":                         "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",  # noqa: E501
    "5051525354555657":                 "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",  # noqa: E501
    "606162636465666768696a6b6c6d6e6f": "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",  # noqa: E501
}  # fmt: skip


def test_published_roots_and_proofs_come_out():
    """What transparency-dev/merkle publishes for the tree of these eight leaves."""
    tree = Tree()
    tree.extend(map(bytes.fromhex, PUBLISHED))

    assert tree.root(0).hex() == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    assert [tree.root(size).hex() for size in range(1, 9)] == list(PUBLISHED.values())
    assert [node.hex() for node in tree.inclusion(0, 8)] == [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]
    assert [node.hex() for node in tree.consistency(6, 7)] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@pytest.fixture
def store(store_dsn):
    """A store with a history in it."""
    insert(store_dsn, HANDS[:300])
    with Store(store_dsn) as store:
        yield store


def test_the_log_is_read_on_from_where_it_ended(store, store_dsn, monkeypatch):
    """In several reads; a later log is a longer one, and it is consistent with the earlier."""
    monkeypatch.setattr(module, "_BULK", 64)
    links = [
        bytes(link) for (link,) in rows(store_dsn, "SELECT link FROM events ORDER BY position")
    ]
    log = LogTree(store)
    before = log.root(log.size)
    assert (log.size, before) == (300, head(links))

    insert(store_dsn, HANDS[300:350], after=300)
    assert log.size == 300
    assert log.extend() == log.size == 350

    proof = log.consistency(300, 350)
    assert log.root(300) == before
    assert is_consistent(300, 350, (before, log.root(350)), proof)
    assert log.inclusion(17, 300) == path(16, links)
    assert log.root(350) == LogTree(store).root(350)


def test_a_missing_position_is_named(store, store_dsn, monkeypatch):
    """Wherever in a read it is. What comes before it can still be asked for."""
    whole = LogTree(store).root(128)
    monkeypatch.setattr(module, "_BULK", 64)
    for position in (299, 193, 192, 129):
        execute(store_dsn, "DELETE FROM events WHERE position = %s", [position])
        with pytest.raises(HistoryBrokenError) as broken:
            LogTree(store)
        assert broken.value.position == position

    log = LogTree(store, read=False)
    with pytest.raises(HistoryBrokenError):
        log.extend()
    assert (log.size, log.root(128)) == (128, whole)


def test_what_lies_outside_the_log_is_refused(store):
    """By the position that was asked for, and the last there is."""
    log = LogTree(store)
    asked = {
        "root": (lambda: log.root(301), 301, 300),
        "size": (lambda: log.inclusion(1, 301), 301, 300),
        "position": (lambda: log.inclusion(8, 7), 8, 7),
        "before the first": (lambda: log.inclusion(0, 7), 0, 7),
        "later": (lambda: log.consistency(1, 301), 301, 300),
        "backwards": (lambda: log.consistency(9, 8), 9, 8),
    }
    for ask, position, last in asked.values():
        with pytest.raises(PositionUnknownError) as refused:
            ask()
        assert (refused.value.position, refused.value.last) == (position, last)


def test_one_moment_of_a_store_can_be_read(store, store_dsn):
    """What is appended meanwhile is not in it."""
    with store.snapshot() as moment:
        assert LogTree(moment).size == 300
        insert(store_dsn, HANDS[300:310], after=300)
        assert LogTree(moment).size == 300
    assert LogTree(store).size == 310
