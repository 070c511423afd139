"""The index of players: the last event of every wallet at one size of the log, as a tree.

The log proves that an event is there. That nothing came after it, so that a balance is the latest
one, takes the index: its leaves are all the wallets that have an event by then, in the order of the
bytes of their stream ids. A leaf's data, each part with its length (8 bytes, most significant
first) before it::

    "jinhua.player.v1"
    the stream's id        UTF-8
    the version            8 bytes, of the last event at or before that size
    the link               32 bytes, of the same event

The tree is that of `tree.py`.
"""

from bisect import bisect_left
from functools import partial
from typing import Final, NamedTuple

from adapters.errors import EvidenceError
from adapters.evidence.tree import Tree
from adapters.store.postgres import Conn, Runner
from domain.framing import length_prefixed
from domain.wallet import wallet_id

_TAG: Final = b"jinhua.player.v1"

_LAST_OF_EACH: Final = """
    SELECT DISTINCT ON (originator_id) originator_id, originator_version, link FROM events
     WHERE originator_id >= 'wallet:' AND originator_id < 'wallet;'
       AND position > %b AND position <= %b
     ORDER BY originator_id, originator_version DESC
"""


class NotIndexedError(EvidenceError):
    """A player without any event by then."""

    code = "not_indexed"

    def __init__(self, *, player: str, size: int) -> None:
        super().__init__(f"player {player} has no event at or before position {size}")
        self.player, self.size = player, size


class _Last(NamedTuple):
    """The last event of a player."""

    version: int
    link: bytes


class PlayerProof(NamedTuple):
    """That this is the last event of a player at the index's size."""

    leaf: int
    """Its number, from 0."""
    version: int
    """Of the event in its stream."""
    link: bytes
    path: list[bytes]
    """The inclusion proof of RFC 9162."""


class PlayerIndex:
    """The index at one size of the log, which can go on to a later one."""

    def __init__(self, store: Runner, size: int) -> None:
        self.size = 0
        self._store = store
        self._lasts: dict[bytes, _Last] = {}
        self._streams: list[bytes] = []
        self._tree = Tree()
        self.extend(size)

    def extend(self, size: int) -> None:
        """Go on to a later size; what was read is not read again."""
        read = self._store.run(partial(_last_of_each, after=self.size, upto=size))
        for stream, version, link in read:
            name, last = stream.encode(), _Last(version, bytes(link))
            self._lasts[name] = max(last, self._lasts.get(name, last), key=_version)
        self.size = size
        self._streams = sorted(self._lasts)
        self._tree = Tree()
        self._tree.extend(player_leaf(name, *self._lasts[name]) for name in self._streams)

    @property
    def count(self) -> int:
        """The number of players in it."""
        return self._tree.size

    @property
    def root(self) -> bytes:
        """Its root."""
        return self._tree.root(self.count)

    def proof(self, player: str) -> PlayerProof:
        """Return the proof of a player's last event.

        Raises:
            NotIndexedError: There is none by then.
        """
        stream = wallet_id(player).encode()
        index = bisect_left(self._streams, stream)
        if index == self.count or self._streams[index] != stream:
            raise NotIndexedError(player=player, size=self.size)
        return PlayerProof(index, *self._lasts[stream], self._tree.inclusion(index, self.count))


def player_leaf(stream: str | bytes, version: int, link: bytes) -> bytes:
    """Return the data of a leaf.

    Args:
        stream: The wallet's id, or its UTF-8.
        version: Of its last event.
        link: Of the same event.
    """
    name = stream.encode() if isinstance(stream, str) else stream
    return length_prefixed(_TAG, name, version.to_bytes(8, "big"), link)


def _last_of_each(conn: Conn, *, after: int, upto: int) -> list[tuple[str, int, bytes]]:
    return conn.execute(_LAST_OF_EACH, [after, upto], binary=True).fetchall()


def _version(last: _Last) -> int:
    return last.version
