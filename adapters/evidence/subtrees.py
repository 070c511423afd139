"""Roots of parts of the log, kept so that a proof need not hash all of it.

A checkpoint is made of every event, and leaves the root of each full stretch of 4,096 positions
behind. A proof is then made of these, and of the events of two stretches at most: that of its event
and that of the end. They are only a short cut. Whoever alters one alters the root that a proof
comes to, which is no longer the checkpoint's; and verification, which never looks at them, names
it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Final

from adapters.errors import HistoryBrokenError
from adapters.evidence.tree import Log, LogTree, Tree, last_position, links
from adapters.postgres import Conn, Runner, Store

POSITIONS: Final = 4_096
"""Of a stretch; a power of two. So 20 million events leave 5,000 roots behind."""

_STRETCHES: Final = 4  # of hashes in memory: a proof asks for those of two

_KEPT: Final = "SELECT number, root FROM log_subtrees ORDER BY number"
_KEEP: Final = """
    INSERT INTO log_subtrees (number, root)
    SELECT * FROM unnest(%s::bigint[], %s::bytea[]) ON CONFLICT DO NOTHING
"""


class KnownLog(Log):
    """The log of a moment, which reads only what it is asked about."""

    def __init__(self, moment: Runner) -> None:
        """Take what is kept from a moment of a store."""

        def read(after: int, upto: int) -> bytes:
            return moment.run(partial(links, after=after, upto=upto))

        super().__init__(_KnownTree(moment.run(last_position), kept(moment), read))


class _KnownTree(Tree):
    """A tree whose stretches are known, or else made of their leaves."""

    def __init__(
        self, size: int, known: Mapping[int, bytes], read: Callable[[int, int], bytes]
    ) -> None:
        super().__init__()
        self.threshold = min(self.threshold, POSITIONS)  # up to here it asks for leaves in one go
        self._size, self._known = size, known
        self._stretch = lru_cache(maxsize=_STRETCHES)(partial(_stretch, read, size))

    @property
    def size(self) -> int:
        """The number of leaves."""
        return self._size

    def _get_subroot(self, offset: int, width: int) -> bytes:
        known = self._known.get(offset // POSITIONS) if width == POSITIONS else None
        return known or super()._get_subroot(offset, width)

    def _get_leaves(self, offset: int, width: int) -> list[bytes]:
        number, at = divmod(offset, POSITIONS)
        return self._stretch(number).leaves(at, width)


def _stretch(read: Callable[[int, int], bytes], size: int, number: int) -> Tree:
    """Return a stretch as a tree of its own.

    Raises:
        HistoryBrokenError: A position in it is missing.
    """
    after, upto = number * POSITIONS, min((number + 1) * POSITIONS, size)
    found = Tree()
    found.extend_by(read(after, upto))
    if found.size < upto - after:
        raise HistoryBrokenError(position=after + found.size + 1)
    return found


def kept(moment: Runner) -> dict[int, bytes]:
    """Return the roots that are kept, by the number of their stretch, from 0."""
    return moment.run(_kept)


def keep(store: Store, log: LogTree) -> None:
    """Keep the root of every full stretch of a log that is not kept yet."""
    known = kept(store)
    roots = {number: root for number, root in roots_of(log) if number not in known}
    if roots:
        store.run(lambda conn: conn.execute(_KEEP, [list(roots), list(roots.values())]))


def altered(moment: Runner, log: LogTree) -> Iterator[tuple[int, bytes, bytes | None]]:
    """Yield what is kept and is not the log's: the last position of its stretch, it, and the due.

    Where the log has no such stretch, nothing is due.
    """
    known = kept(moment)
    due = dict(roots_of(log)) if known else {}
    for number, root in known.items():
        if due.get(number) != root:
            yield (number + 1) * POSITIONS, root, due.get(number)


def roots_of(log: LogTree) -> Iterator[tuple[int, bytes]]:
    """Yield every full stretch of a log, its number and its root."""
    for number in range(log.size // POSITIONS):
        yield number, log.part(number * POSITIONS, (number + 1) * POSITIONS)


def _kept(conn: Conn) -> dict[int, bytes]:
    return {number: bytes(root) for number, root in conn.execute(_KEPT, binary=True)}
