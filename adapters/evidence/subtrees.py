"""Roots of parts of the log, kept so that a proof need not hash all of it.

A checkpoint is made of every event, and leaves the roots of full subtrees behind: of 64 positions,
of four times as many, of four times that, as far as the log goes; and of the few smaller ones that
its end consists of. A proof is made of those beside the ways from its event and from the end up to
the root, three a height at most, and of the 64 events around its own: of a hundred hashes, however
long the log is.

They are only a short cut. Whoever alters one alters the root that a proof comes to, which is no
longer the checkpoint's; and verification, which never looks at them, names it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple

from adapters.errors import HistoryBrokenError
from adapters.evidence.tree import Log, LogTree, Tree, folded, last_position, links, pair
from adapters.store.postgres import Conn, Runner, Store

LOWEST: Final = 6
"""The height of the least subtrees that are kept: each has 2 to the power of it positions."""

STEP: Final = 2
"""From one height that is kept to the next."""

MIDDLE: Final = 12
"""The one height that checkpoints of an earlier version left behind, and the greatest that is made
of its leaves in one go where nothing is kept."""

_STRETCHES: Final = 4  # of leaves in memory: a proof asks for those of two or three

_KEPT: Final = "SELECT height, number, root FROM log_subtrees"
_MANY: Final = "SELECT height, count(*) FROM log_subtrees GROUP BY height"
_WITHIN: Final = f"{_KEPT} WHERE height = %s AND number >= %s AND number < %s"

# Each by the index, however many rows the planner expects of a height.
_NEAR: Final = f"""
    SELECT near.* FROM unnest(%s::smallint[], %s::bigint[]) AS way (height, first)
    CROSS JOIN LATERAL (
        {_KEPT} WHERE height = way.height AND number >= way.first ORDER BY number LIMIT %s
    ) AS near
"""  # noqa: S608 - of constants
_KEEP: Final = """
    INSERT INTO log_subtrees (height, number, root)
    SELECT * FROM unnest(%s::smallint[], %s::bigint[], %s::bytea[]) ON CONFLICT DO NOTHING
"""


class Subtree(NamedTuple):
    """A perfect subtree of the log."""

    height: int
    number: int
    """Among those of its height, from 0."""

    @property
    def last(self) -> int:
        """The last position in it."""
        return (self.number + 1) << self.height


class KnownLog(Log):
    """The log of a moment, which reads only what it is asked about."""

    def __init__(self, moment: Runner) -> None:
        """Find how far it has come."""
        super().__init__(_KnownTree(moment))


class _KnownTree(Tree):
    """A tree whose subtrees are known, or else made of their halves or of their leaves."""

    def __init__(self, moment: Runner) -> None:
        super().__init__()
        self._moment = moment
        self._size = moment.run(last_position)
        self._known: dict[Subtree, bytes] = {}
        self._looked: set[Subtree] = set()
        self._stretch = lru_cache(maxsize=_STRETCHES)(self._read)

    @property
    def size(self) -> int:
        """The number of leaves."""
        return self._size

    def root(self, size: int) -> bytes:
        """Return the root over the first leaves, so many."""
        self._look(ends=[size])
        return super().root(size)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the inclusion proof of a leaf."""
        self._look(index, ends=[size])
        return super().inclusion(index, size)

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the consistency proof between two sizes."""
        self._look(ends=[old, new])
        return super().consistency(old, new)

    def _look(self, *leaves: int, ends: Sequence[int]) -> None:
        """Take in what is kept beside the ways from some leaves, and from ends, up to the root."""
        ways = {
            Subtree(height, leaf >> (height + STEP) << STEP)
            for leaf in (*leaves, *ends)
            for height in range(LOWEST, self._size.bit_length(), STEP)
        }
        if ways := ways.union(*map(_low_ends, ends)) - self._looked:
            self._known.update(self._moment.run(partial(_near, firsts=ways)))
            self._looked |= ways

    def _get_subroot(self, offset: int, width: int) -> bytes:
        height = width.bit_length() - 1
        subtree = Subtree(height, offset >> height)
        if (known := self._known.get(subtree)) is not None:
            return known
        if height < LOWEST:
            return folded(self._get_leaves(offset, width))
        made = self._known[subtree] = self._made(offset, height)
        return made

    def _made(self, offset: int, height: int) -> bytes:
        """Return the root of a subtree that is not kept, made of its leaves or of its halves."""
        end, half = offset + (1 << height), 1 << (height - 1)
        lower = range(LOWEST, height, STEP)
        if not (lower and self._begins_known(offset, lower[-1])):
            if height <= MIDDLE:
                return folded(self._read(offset, end).leaves(0, end - offset))
            if not self._begins_known(offset, MIDDLE):
                self._known.update(self._moment.run(partial(_within, after=offset, upto=end)))
        return pair(self._get_subroot(offset, half), self._get_subroot(offset + half, half))

    def _begins_known(self, offset: int, height: int) -> bool:
        """Tell whether the subtree of a height is known that begins at a leaf."""
        return Subtree(height, offset >> height) in self._known

    def _get_leaves(self, offset: int, width: int) -> list[bytes]:
        start = offset >> LOWEST << LOWEST
        stretch = self._stretch(start, min(start + (1 << LOWEST), self._size))
        return stretch.leaves(offset - start, width)

    def _read(self, after: int, upto: int) -> Tree:
        """Return what comes behind a position up to another as a tree of its own.

        Raises:
            HistoryBrokenError: A position in it is missing.
        """
        found = Tree()
        found.extend_by(self._moment.run(partial(links, after=after, upto=upto)))
        if found.size < upto - after:
            raise HistoryBrokenError(position=after + found.size + 1)
        return found


def kept(moment: Runner) -> dict[Subtree, bytes]:
    """Return the roots that are kept."""
    return moment.run(_kept)


def keep(store: Store, log: LogTree) -> None:
    """Keep the roots of full subtrees of a log, behind those that are kept already."""
    new = list(lasting(log.size, store.run(_many)))
    if new:
        heights, numbers = zip(*new, strict=True)
        values = [list(heights), list(numbers), [_root(log, subtree) for subtree in new]]
        store.run(lambda conn: conn.execute(_KEEP, values))


def altered(moment: Runner, log: LogTree) -> Iterator[tuple[int, bytes, bytes | None]]:
    """Yield what is kept and is not the log's: its last position, it, and the due.

    Where the log has no such subtree, nothing is due.
    """
    for subtree, root in sorted(kept(moment).items()):
        due = _root(log, subtree) if subtree.last <= log.size else None
        if root != due:
            yield subtree.last, root, due


def lasting(size: int, behind: Mapping[int, int]) -> Iterator[Subtree]:
    """Yield what is to be kept of a log of a size, behind the first so many of each height."""
    for height in range(LOWEST, size.bit_length(), STEP):
        for number in range(behind.get(height, 0), size >> height):
            yield Subtree(height, number)
    yield from _low_ends(size)


def _low_ends(size: int) -> Iterator[Subtree]:
    """Yield the subtrees, beneath the least of all that are kept, that a log of a size ends in."""
    for height in range(LOWEST):
        if size >> height & 1:
            yield Subtree(height, (size >> height) - 1)


def _root(log: LogTree, subtree: Subtree) -> bytes:
    return log.part(subtree.last - (1 << subtree.height), subtree.last)


def _many(conn: Conn) -> dict[int, int]:
    """Return how many subtrees are kept, by their height."""
    return dict(conn.execute(_MANY).fetchall())


def _kept(conn: Conn) -> dict[Subtree, bytes]:
    return _roots(conn.execute(_KEPT, binary=True))


def _near(conn: Conn, *, firsts: Collection[Subtree]) -> dict[Subtree, bytes]:
    """Return what is kept from each of some on, up to the next that is beneath another."""
    heights, numbers = [first.height for first in firsts], [first.number for first in firsts]
    return _roots(conn.execute(_NEAR, [heights, numbers, 1 << STEP], binary=True))


def _within(conn: Conn, *, after: int, upto: int) -> dict[Subtree, bytes]:
    """Return what is kept of the middle height behind a position up to another."""
    values = [MIDDLE, after >> MIDDLE, upto >> MIDDLE]
    return _roots(conn.execute(_WITHIN, values, binary=True))


def _roots(rows: Iterable[tuple[int, int, bytes]]) -> dict[Subtree, bytes]:
    return {Subtree(height, number): bytes(root) for height, number, root in rows}
