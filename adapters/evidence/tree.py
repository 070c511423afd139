"""The log: the Merkle tree of RFC 9162 over the positions.

Leaf ``i``, from 0, is the event at position ``i + 1``; its data is the event's link, 32 bytes. So
the root at a size stands for every byte of the first so many events and for their order. A leaf is
hashed as SHA-256(0x00 || data), a node as SHA-256(0x01 || left || right), and the root of the empty
tree is SHA-256 of nothing.

`pymerkle` cuts the tree into perfect subtrees and folds them. It would hash each of those from its
leaves again, n log n in all; here every subtree is made of its halves, and made once.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import sha256
from typing import Final

from pymerkle.core import BaseMerkleTree

from adapters.errors import HistoryBrokenError, PositionUnknownError
from adapters.store.postgres import Conn, Runner

HASH_BYTES: Final = 32

_BULK: Final = 50_000  # positions a read

_LAST: Final = "SELECT coalesce(max(position), 0) FROM events"

# As far as no position is missing: behind a gap none is what the rows before it count up to.
_LINKS: Final = """
    SELECT coalesce(string_agg(link, ''::bytea ORDER BY position), ''::bytea)
      FROM (SELECT position, link, row_number() OVER (ORDER BY position) AS row
              FROM events WHERE position > %(after)b AND position <= %(upto)b) AS part
     WHERE position = %(after)b + row
"""


class Tree(BaseMerkleTree):
    """A tree in memory: 32 bytes a leaf, and a little for subtrees once they were asked for."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._hashes = bytearray()

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._hashes) // HASH_BYTES

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Append leaves, each given as its data."""
        hashes = list[bytes]()
        for data in leaves:
            hashed = _LEAF.copy()
            hashed.update(data)
            hashes.append(hashed.digest())
        with self.lock:
            self._hashes += b"".join(hashes)

    def extend_by(self, links: bytes) -> None:
        """Append leaves whose data are links, one after another."""
        self.extend(links[at : at + HASH_BYTES] for at in range(0, len(links), HASH_BYTES))

    def leaves(self, offset: int, width: int) -> list[bytes]:
        """Return the hashes of so many leaves, from one on."""
        data = bytes(self._hashes[offset * HASH_BYTES : (offset + width) * HASH_BYTES])
        return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]

    def part(self, start: int, end: int) -> bytes:
        """Return the root over the leaves from one to before another, as a tree of their own."""
        root: bytes = self._get_root(start, end)
        return root

    def root(self, size: int) -> bytes:
        """Return the root over the first leaves, so many.

        Raises:
            ValueError: There are not so many.
        """
        root: bytes = self.get_root(size)
        return root

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the inclusion proof of RFC 9162 for a leaf, lowest node first.

        Args:
            index: Of the leaf, from 0.
            size: Of the tree whose root it leads to.

        Raises:
            InvalidChallenge: There is no such leaf in a tree of that size.
        """
        leaf_and_path: list[bytes] = self.prove_inclusion(index + 1, size).path
        return leaf_and_path[1:]

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the consistency proof of RFC 9162 between two sizes, lowest node first.

        Raises:
            ValueError: Not ``0 <= old <= new <= size``.
        """
        if not 0 <= old <= new <= self.size:
            raise ValueError(f"no sizes {old} and {new} in a tree of {self.size}")
        # pymerkle's own path goes down to a leaf where RFC 9162 stops at the subtree.
        return [self.part(*part) for part in _consistency_parts(old, new)]

    def _get_subroot(self, offset: int, width: int) -> bytes:
        """Return the root of a perfect subtree, made of its halves unless it is small."""
        if width < self.threshold:
            return folded(self._get_leaves(offset, width))
        known: bytes | None = self.cache.get((offset, width))
        if known is not None:
            return known
        if width == self.threshold:
            made = folded(self._get_leaves(offset, width))
        else:
            half = width >> 1
            made = pair(self._get_subroot(offset, half), self._get_subroot(offset + half, half))
        self.cache[offset, width] = made
        return made

    # --- what pymerkle asks of a place to keep leaves -------------------------------

    def _get_size(self) -> int:
        return self.size

    def _get_leaf(self, index: int) -> bytes:
        (leaf,) = self._get_leaves(index - 1, 1)
        return leaf

    def _get_leaves(self, offset: int, width: int) -> list[bytes]:
        return self.leaves(offset, width)

    def _encode_entry(self, data: bytes) -> bytes:
        return data

    def _store_leaf(self, data: bytes, digest: bytes) -> int:  # noqa: ARG002 - hashes are all we keep
        self._hashes += digest
        return self.size


class Log:
    """The tree over the positions of a store."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    @property
    def size(self) -> int:
        """The last position in it."""
        return self._tree.size

    def root(self, size: int) -> bytes:
        """Return the root over the first positions, so many.

        Raises:
            PositionUnknownError: It has not come so far.
        """
        self._check(size)
        return self._tree.root(size)

    def inclusion(self, position: int, size: int) -> list[bytes]:
        """Return the proof that the event at a position is in the log of a size.

        Raises:
            PositionUnknownError: It is not.
        """
        self._check(size)
        if not 1 <= position <= size:
            raise PositionUnknownError(position=position, last=size)
        return self._tree.inclusion(position - 1, size)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the proof that the log of one size begins with the log of a smaller one.

        Raises:
            PositionUnknownError: It has not come so far, or the old size is the larger one.
        """
        self._check(new)
        if not 0 <= old <= new:
            raise PositionUnknownError(position=old, last=new)
        return self._tree.consistency(old, new)

    def part(self, after: int, upto: int) -> bytes:
        """Return the root over the positions behind one up to another, as a tree of their own."""
        return self._tree.part(after, upto)

    def _check(self, size: int) -> None:
        if not 0 <= size <= self.size:
            raise PositionUnknownError(position=size, last=self.size)


class LogTree(Log):
    """The log made of every event that it has read, believing nothing else."""

    def __init__(self, store: Runner, *, read: bool = True) -> None:
        """Read the log.

        Args:
            store: A store, or one moment of it.
            read: False leaves it to :meth:`extend`.

        Raises:
            HistoryBrokenError: A position is missing.
        """
        super().__init__(Tree())
        self._store = store
        if read:
            self.extend()

    def extend(self) -> int:
        """Read on, and return the last position.

        Raises:
            HistoryBrokenError: A position is missing. What comes before it has been read.
        """
        last = self._store.run(last_position)
        while self.size < last:
            end = min(self.size + _BULK, last)
            self._tree.extend_by(self._store.run(partial(links, after=self.size, upto=end)))
            if self.size < end:
                raise HistoryBrokenError(position=self.size + 1)
        return self.size


def is_included(index: int, size: int, data: bytes, root: bytes, path: Sequence[bytes]) -> bool:
    """Tell whether an inclusion proof shows that a leaf is in a tree.

    Args:
        index: Of the leaf, from 0.
        size: Of the tree.
        data: The leaf's.
        root: Of the tree.
        path: As :meth:`Log.inclusion` gives it.

    Source: RFC 9162 §2.1.3.2.
    """
    node, last = sha256(b"\0" + data).digest(), size - 1
    for sibling in path:
        if last == 0:
            return False
        if index & 1 or index == last:
            node = pair(sibling, node)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            node = pair(node, sibling)
        index, last = index >> 1, last >> 1
    return last == 0 and node == root


def is_consistent(old: int, new: int, roots: tuple[bytes, bytes], path: Sequence[bytes]) -> bool:
    """Tell whether a consistency proof shows that one tree begins with the other.

    Args:
        old: The smaller size.
        new: The larger size.
        roots: Of both.
        path: As :meth:`Log.consistency` gives it.

    Source: RFC 9162 §2.1.4.2; a tree of no leaves is the beginning of every one.
    """
    old_root, new_root = roots
    if old == new:
        return not path and old_root == new_root
    if old == 0:
        return not path and old_root == sha256(b"").digest()
    nodes = list(path) if old & (old - 1) else [old_root, *path]
    if old > new or not nodes:
        return False
    first, last = old - 1, new - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    was = now = nodes[0]
    for node in nodes[1:]:
        if last == 0:
            return False
        if first & 1 or first == last:
            was, now = pair(node, was), pair(node, now)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            now = pair(now, node)
        first, last = first >> 1, last >> 1
    return last == 0 and (was, now) == (old_root, new_root)


_LEAF: Final = sha256(b"\0")
_NODE: Final = sha256(b"\1")
"""Each hash is a copy of one of these, gone on with: quicker than one that is set up anew."""


def folded(level: list[bytes]) -> bytes:
    """Return the root over the hashes of leaves, a power of two of them."""
    while len(level) > 1:
        level = list(map(pair, level[::2], level[1::2]))
    return level[0]


def pair(left: bytes, right: bytes) -> bytes:
    """Return the root over two halves."""
    hashed = _NODE.copy()
    hashed.update(left + right)
    return hashed.digest()


def _consistency_parts(old: int, new: int) -> list[tuple[int, int]]:
    """Return the ranges of leaves whose roots are a consistency proof, lowest first.

    Source: RFC 9162 §2.1.4.1.
    """
    if old == 0:
        return []
    start, end, parts = 0, new, []
    while old != end:
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        if old <= middle:
            parts.append((middle, end))
            end = middle
        else:
            parts.append((start, middle))
            start = middle
    if start:  # else it is the old root, which the verifier has
        parts.append((start, end))
    return parts[::-1]


def last_position(conn: Conn) -> int:
    """Return the last position in use, 0 if there is none."""
    ((last,),) = conn.execute(_LAST).fetchall()
    return int(last)


def links(conn: Conn, *, after: int, upto: int) -> bytes:
    """Return the links behind a position up to another, or to the first that is missing."""
    values = {"after": after, "upto": upto}
    ((found,),) = conn.execute(_LINKS, values, binary=True).fetchall()
    return bytes(found)
