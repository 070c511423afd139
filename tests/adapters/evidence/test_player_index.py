"""The index of players binds each to the last of his events, at any size of the log."""

import hashlib

import pytest

from adapters.evidence.players import NotIndexedError, PlayerIndex, player_leaf
from adapters.evidence.tree import Tree
from adapters.store.postgres import Store
from tests.adapters.stored import HANDS, insert, rows

SIZE = 400


@pytest.fixture
def store(store_dsn):
    """A store with a history in it."""
    insert(store_dsn, HANDS[: SIZE + 100])
    with Store(store_dsn) as store:
        yield store


def lasts(dsn, size):
    """Return every wallet's last event, in the order of bytes, found another way."""
    found = {}
    query = (
        "SELECT originator_id, originator_version, link FROM events"
        " WHERE position <= %s AND originator_id LIKE 'wallet:%%' ORDER BY position"
    )
    for stream, version, link in rows(dsn, query, [size]):
        found[stream] = (version, bytes(link))
    return sorted(found.items(), key=lambda item: item[0].encode())


def included(leaf, index, size, path):
    """RFC 9162 §2.1.3.2: the root that an inclusion proof leads to."""
    node = hashlib.sha256(b"\0" + leaf).digest()
    last = size - 1
    for sibling in path:
        if index & 1 or index == last:
            node = hashlib.sha256(b"\1" + sibling + node).digest()
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            node = hashlib.sha256(b"\1" + node + sibling).digest()
        index, last = index >> 1, last >> 1
    assert last == 0
    return node


@pytest.mark.parametrize("size", [1, 100, SIZE])
def test_every_player_is_in_it_with_his_last_event(store, store_dsn, size):
    """As of that size, whatever came later."""
    due = lasts(store_dsn, size)
    index = PlayerIndex(store, size)

    assert index.count == len(due)
    for number, (stream, (version, link)) in enumerate(due):
        proof = index.proof(stream.removeprefix("wallet:"))
        assert proof[:3] == (number, version, link)
        leaf = player_leaf(stream, version, link)
        assert included(leaf, number, index.count, proof.path) == index.root


def test_a_leaf_is_what_the_module_says():
    """Written out once more, byte by byte."""
    link = bytes(range(32))
    data = b"\0" * 7 + b"\x10" + b"jinhua.player.v1" + b"\0" * 7 + b"\x0d" + "wallet:张三".encode()
    data += b"\0" * 7 + b"\x08" + b"\0" * 6 + b"\x01\x02" + b"\0" * 7 + b"\x20" + link

    assert player_leaf("wallet:张三", 258, link) == data


def test_players_are_in_the_order_of_bytes(store_dsn, ledger):
    """Not in that of any alphabet."""
    names = ["b", "B", "a", "张三", "É", "a\u0301", "~"]
    for name in names:
        ledger.deposit(name, 1, command_id=f"d:{name}")

    index = PlayerIndex(ledger.store, len(names))

    assert [index.proof(name).leaf for name in sorted(names, key=str.encode)] == list(range(7))
    tree = Tree()
    tree.extend(player_leaf(stream, *last) for stream, last in lasts(store_dsn, len(names)))
    assert index.root == tree.root(7)


def test_nobody_is_in_the_index_of_an_empty_log(store):
    """Its root is that of the empty tree, and it proves nobody."""
    index = PlayerIndex(store, 0)

    assert (index.count, index.root) == (0, hashlib.sha256(b"").digest())
    with pytest.raises(NotIndexedError) as refused:
        index.proof("p1")
    assert (refused.value.player, refused.value.size) == ("p1", 0)


def test_who_came_later_is_not_in_it(ledger):
    """A player is in the index from his first event on."""
    ledger.deposit("ann", 1, command_id="d-1")
    ledger.deposit("bob", 1, command_id="d-2")

    assert PlayerIndex(ledger.store, 2).proof("bob").leaf == 1
    with pytest.raises(NotIndexedError):
        PlayerIndex(ledger.store, 1).proof("bob")
