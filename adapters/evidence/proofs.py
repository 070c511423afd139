"""Proof files: a hand, or all that a player had part in, to be checked by whoever has the key.

A file holds events exactly as they are stored, and the hashes that lead from the last of them to a
checkpoint; nothing in it has to be believed. The chain binds every event to the one before it, so
one path through the tree proves a whole hand, and two paths through the index of players prove that
nothing is missing between two versions of a wallet. `scripts/verify_proof.py` checks a file alone,
without the ledger and without its programs; ADR 0019 says what is proven and what is not.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

from adapters.errors import AdapterError, EvidenceError
from adapters.evidence.checkpoints import newest
from adapters.evidence.notes import Checkpoint, parse
from adapters.evidence.players import NotIndexedError, PlayerIndex
from adapters.evidence.subtrees import KnownLog
from adapters.evidence.tree import Log, is_consistent, is_included
from adapters.store.chain import Linked
from adapters.store.codec import decode
from adapters.store.postgres import Conn, Runner
from adapters.store.sealing import CardKeys, sealed_under
from domain.errors import HandRunningError, UnknownHandError
from domain.events import ENDINGS, CardsDealt, HandOpened
from domain.hand import hand_stream
from domain.wallet import wallet_id
from domain.zhajinhua.rulebooks import find

HAND_FORMAT: Final = "jinhua-proof/1"
PLAYER_FORMAT: Final = "jinhua-player-proof/1"

Proof = dict[str, Any]
"""What a file holds, as JSON."""

_OVER: Final = frozenset(ending.TOPIC for ending in ENDINGS)

_STREAM: Final = """
    SELECT position, originator_id, originator_version, topic, body, command_id, actor,
           happened_at, recorded_at, link
      FROM events WHERE originator_id = %s ORDER BY originator_version
"""


class NoCheckpointError(AdapterError):
    """No checkpoint covers what is to be proven."""

    code: ClassVar[str] = "no_checkpoint"

    def __init__(self, *, what: str, size: int | None = None) -> None:
        wanted = "no checkpoint" if size is None else f"no checkpoint of size {size}"
        super().__init__(f"{wanted} covers {what}; `jinhua checkpoint` makes one")
        self.what, self.size = what, size


class OtherHistoryError(EvidenceError):
    """A checkpoint is not of the history that is stored."""

    code: ClassVar[str] = "other_history"

    def __init__(self, *, size: int) -> None:
        super().__init__(f"the checkpoint of size {size} is not of this history")
        self.size = size


class Point(NamedTuple):
    """A checkpoint, as it is stored or was kept."""

    note: str
    checkpoint: Checkpoint

    @classmethod
    def read(cls, note: str) -> "Point":
        """Read a note.

        Raises:
            MalformedNoteError: It is no checkpoint.
        """
        return cls(note, parse(note))


def hand_proof(
    moment: Runner, hand: str, *, size: int | None = None, since: Point | None = None
) -> Proof:
    """Return the proof of a hand.

    Args:
        moment: Of the store.
        hand: Its id.
        size: Of the checkpoint that it leads to; None is the newest.
        since: An older checkpoint, from which nothing was rewritten.

    Raises:
        UnknownHandError: There is no such hand.
        HandRunningError: It is still running, and some of its cards can be read.
        NoCheckpointError: None covers the hand.
        OtherHistoryError: A checkpoint is not of this history.
        CardKeyMissingError: It is over, and its cards are sealed under a key that is not held.
        UnreadableEventError: Its opening cannot be read.
    """
    events = moment.run(partial(_stream, name=hand_stream(hand)))
    if not events:
        raise UnknownHandError(f"no hand {hand} was ever opened", hand=hand)
    is_over = _check_over(hand, events)
    needed = events[-1].position if size is None else events[0].position
    point = _covering(moment, needed, size, what=f"hand {hand}")
    events = [event for event in events if event.position <= point.checkpoint.size]
    log, last = KnownLog(moment), events[-1]
    return {
        "format": HAND_FORMAT,
        "hand": hand,
        "rulebook": _rulebook(events[0]),
        "events": [_as_json(event) for event in events],
        "keys": _keys(moment.cards, events) if is_over else {},
        "position": last.position,
        "inclusion": _inclusion(log, last, point),
        "checkpoint": point.note,
        "since": since and _since(log, since, point),
    }


def player_proof(
    moment: Runner, player: str, *, since: Point | None = None, size: int | None = None
) -> Proof:
    """Return the proof of all that happened to a player's wallet between two checkpoints.

    Args:
        moment: Of the store.
        player: Whose wallet.
        since: The older checkpoint; None is before the first event.
        size: Of the newer one; None is the newest.

    Raises:
        NotIndexedError: There is no wallet at the newer one. That there is none is not proven.
        NoCheckpointError: There is none of that size, or none at all.
        OtherHistoryError: A checkpoint is not of this history.
    """
    point = _covering(moment, 0, size, what=f"player {player}")
    log, index = KnownLog(moment), PlayerIndex(moment, since.checkpoint.size if since else 0)
    _check_history(log, point)
    older = since and {**_since(log, since, point), "leaf": _leaf(index, player)}
    index.extend(point.checkpoint.size)
    newer = _leaf(index, player)
    if newer is None:
        raise NotIndexedError(player=player, size=point.checkpoint.size)
    after = older["leaf"]["version"] if older and older["leaf"] else 0
    events = moment.run(partial(_stream, name=wallet_id(player)))
    return {
        "format": PLAYER_FORMAT,
        "player": player,
        "events": [_as_json(event) for event in events[after : newer["version"]]],
        "leaf": newer,
        "checkpoint": point.note,
        "since": older,
    }


def of_size(moment: Runner, size: int) -> Point:
    """Return a stored checkpoint.

    Raises:
        NoCheckpointError: There is none of that size.
    """
    return _covering(moment, 0, size, what=f"position {size}")


def _covering(moment: Runner, position: int, size: int | None, *, what: str) -> Point:
    """Return the newest checkpoint, or the one of a size, if it covers a position."""
    row = newest(moment, position=position, size=size)
    if row is None:
        raise NoCheckpointError(what=what, size=size)
    return Point.read(row.note)


def _check_over(hand: str, events: Sequence[Linked]) -> bool:
    """Tell whether a hand is over. A running one is refused, unless all its cards are sealed."""
    if not _OVER.isdisjoint(event.topic for event in events):
        return True
    if any(event.topic == CardsDealt.TOPIC and not sealed_under(event.body) for event in events):
        raise HandRunningError(f"hand {hand} is still running; its cards are nobody's", hand=hand)
    return False


def _keys(cards: CardKeys, events: Iterable[Linked]) -> dict[str, str]:
    """Return, by version, the key of each sealed event, which opens no other."""
    found = ((event, sealed_under(event.body)) for event in events)
    return {
        str(event.version): cards.key(name).event_key(event.stream, event.version).hex()
        for event, name in found
        if name is not None
    }


def _check_history(log: Log, point: Point) -> None:
    size = point.checkpoint.size
    if size > log.size or log.root(size) != point.checkpoint.root:
        raise OtherHistoryError(size=size)


def _rulebook(opening: Linked) -> dict[str, Any]:
    """Return the rulebook that an opening pins, with the text that its digest is made of."""
    event = decode(opening.topic, opening.body, opening.position)
    assert isinstance(event, HandOpened), opening
    rulebook = find(event.rulebook, event.version)
    return {
        "id": rulebook.id,
        "version": rulebook.version,
        "digest": rulebook.digest,
        "content": rulebook.canonical,
    }


def _inclusion(log: Log, event: Linked, point: Point) -> list[str]:
    """Return the path from an event to a checkpoint. That it leads there is tried out."""
    size, root = point.checkpoint.size, point.checkpoint.root
    if size <= log.size:
        path = log.inclusion(event.position, size)
        if is_included(event.position - 1, size, event.link, root, path):
            return _hex(path)
    raise OtherHistoryError(size=size)


def _since(log: Log, old: Point, new: Point) -> dict[str, Any]:
    """Return an older checkpoint, and what leads from it to a newer one, which is tried out too."""
    sizes = old.checkpoint.size, new.checkpoint.size
    if sizes[0] <= log.size:
        path = log.consistency(*sizes)
        if is_consistent(*sizes, (old.checkpoint.root, new.checkpoint.root), path):
            return {"checkpoint": old.note, "consistency": _hex(path)}
    raise OtherHistoryError(size=sizes[0])


def _leaf(index: PlayerIndex, player: str) -> dict[str, Any] | None:
    try:
        number, version, link, path = index.proof(player)
    except NotIndexedError:
        return None
    return {"index": number, "version": version, "link": link.hex(), "path": _hex(path)}


def _as_json(event: Linked) -> dict[str, Any]:
    """Return an event as a file has it: what its link is made of, and the link.

    Its position is not among that. The tree proves that of the last one, and the chain the order.
    """
    happened_at, recorded_at = (
        f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
        for moment in (event.happened_at, event.recorded_at)
    )
    return {
        "version": event.version,
        "topic": event.topic,
        "body": event.body,
        "command_id": event.command_id,
        "actor": event.actor,
        "happened_at": happened_at,
        "recorded_at": recorded_at,
        "link": event.link.hex(),
    }


def _hex(path: Iterable[bytes]) -> list[str]:
    return [node.hex() for node in path]


def _stream(conn: Conn, *, name: str) -> list[Linked]:
    return [Linked(*row) for row in conn.execute(_STREAM, [name], binary=True)]
