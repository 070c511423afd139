"""Checkpoints: made of one moment, stored beside the history, and held against it ever after.

What was rewritten, taken away or put in between after a checkpoint gives another root at its size.
Nothing here trusts the store: whoever keeps the notes elsewhere, too, finds out what its owner did.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import ClassVar, Final, NamedTuple

from adapters.errors import EvidenceError, HistoryBrokenError
from adapters.evidence.notes import (
    BadSignatureError,
    Checkpoint,
    MalformedNoteError,
    Signer,
    UnknownKeyError,
    Verifier,
    WrongOriginError,
    base64,
    parse,
    sign,
    text,
    verify,
)
from adapters.evidence.players import PlayerIndex
from adapters.evidence.subtrees import altered, keep, kept
from adapters.evidence.tree import LogTree, is_consistent
from adapters.store.postgres import Conn, Runner, Store
from domain.discrepancies import Discrepancy

ORIGIN: Final = "jinhua"
"""The log's name where no key gives it another."""

_STORED: Final = "SELECT size, note, made_at FROM checkpoints ORDER BY size"

_NEWEST: Final = """
    SELECT size, note, made_at FROM checkpoints
     WHERE size >= %(position)s AND size = coalesce(%(size)s::bigint, size)
     ORDER BY size DESC LIMIT 1
"""

_STORE: Final = """
    INSERT INTO checkpoints (size, note) VALUES (%s, %s) ON CONFLICT DO NOTHING
"""


class HistoryRewrittenError(EvidenceError):
    """The history is not the one that an earlier checkpoint was made of."""

    code: ClassVar[str] = "history_rewritten"

    def __init__(self, *, size: int, found: Discrepancy) -> None:
        super().__init__(
            f"the checkpoint of size {size} no longer holds: {found.what} is {found.recorded} in"
            f" it, and {found.derived} in the history"
        )
        self.size, self.found = size, found


class StoredCheckpoint(NamedTuple):
    """A checkpoint as it is stored."""

    size: int
    note: str
    made_at: datetime


class Made(NamedTuple):
    """A checkpoint that was asked for."""

    stored: StoredCheckpoint
    is_new: bool
    """False where nothing had been appended since it was made."""


def stored(store: Runner) -> list[StoredCheckpoint]:
    """Return every stored checkpoint, in the order of their sizes."""
    return store.run(_stored)


def newest(store: Runner, *, position: int = 0, size: int | None = None) -> StoredCheckpoint | None:
    """Return the stored checkpoint of the greatest size, if there is any.

    Args:
        store: A store, or one moment of it.
        position: That it covers.
        size: Which it has; None is any.
    """
    values = {"position": position, "size": size}
    row = store.run(lambda conn: conn.execute(_NEWEST, values).fetchone())
    return None if row is None else StoredCheckpoint(*row)


def make(store: Store, signer: Signer | None) -> Made:
    """Make a checkpoint of the present moment and store it.

    Args:
        store: In the role of a writer.
        signer: Who signs it, and names the log; None leaves it unsigned.

    Raises:
        HistoryRewrittenError: An earlier checkpoint no longer holds.
        HistoryBrokenError: A position is missing.
        UnknownKeyError: Nothing was appended since a checkpoint that this signer has not signed.
    """
    with store.snapshot() as moment:
        log, earlier = LogTree(moment), stored(moment)
        for found in _parted(moment, log, [(row.size, row.note) for row in earlier]):
            raise HistoryRewrittenError(size=found.position or 0, found=found)
        is_new = not earlier or earlier[-1].size < log.size
        note = _note(moment, log, signer) if is_new else ""
    if is_new:
        store.run(lambda conn: conn.execute(_STORE, [log.size, note]))
    keep(store, log)
    # Another may have been quicker, with a key of its own.
    kept = next(row for row in stored(store) if row.size == log.size)
    if signer is not None:
        verify(kept.note, signer.verifier)
    return Made(kept, is_new)


def discrepancies(
    moment: Runner, notes: Sequence[str] = (), verifier: Verifier | None = None
) -> Iterator[Discrepancy]:
    """Yield in what checkpoints are not what the history gives; the position is their size.

    Args:
        moment: Of the store; its own checkpoints are looked at too.
        notes: Some that were kept elsewhere.
        verifier: Whose signature every one of them should have.
    """
    given = [(row.size, row.note) for row in stored(moment)]
    given += [(parse(note).size, note) for note in notes]
    if verifier is not None:
        for size, note in given:
            yield from _unsigned(size, note, verifier)
    if not given and not kept(moment):
        return  # nothing rests on the log, which is long
    log = LogTree(moment, read=False)
    with suppress(HistoryBrokenError):  # it has then read what comes before the gap
        log.extend()
    parted = list(_parted(moment, log, given))
    yield from parted
    if parted:
        return  # what was kept of a history that is no more is rightly another
    for position, root, due in altered(moment, log):
        yield _found(position, "subtree", root, due)


def consistency_of(
    log: LogTree, old: Checkpoint, new: Checkpoint
) -> tuple[list[bytes], str | None]:
    """Return the proof that the log gives, lowest node first, and why it is none of these if so."""
    if old.origin != new.origin:
        return [], f"they are of two logs, {old.origin} and {new.origin}"
    if new.size > log.size:
        return [], f"the history ends at position {log.size}"
    proof = log.consistency(old.size, new.size)
    # Two notes may agree with each other, and the history with neither of them any more.
    wrong = [str(each.size) for each in (old, new) if log.root(each.size) != each.root]
    if wrong:
        return proof, f"the history has another root at size {' and '.join(wrong)}"
    assert is_consistent(old.size, new.size, (old.root, new.root), proof)
    return proof, None


def _note(moment: Runner, log: LogTree, signer: Signer | None) -> str:
    """Return the note of everything that was read."""
    players = PlayerIndex(moment, log.size)
    origin = ORIGIN if signer is None else signer.verifier.name
    made = Checkpoint(origin, log.size, log.root(log.size), players.count, players.root)
    return text(made) if signer is None else sign(made, signer)


def _parted(
    moment: Runner, log: LogTree, notes: Iterable[tuple[int, str]]
) -> Iterator[Discrepancy]:
    """Yield in what notes are not what the log and the index of players give."""
    players = PlayerIndex(moment, 0)
    for size, note in sorted(notes):
        try:
            checkpoint = parse(note)
        except MalformedNoteError as malformed:
            yield _found(size, "note", str(malformed), None)
            continue
        if checkpoint.size != size:
            yield _found(size, "size", checkpoint.size, size)
            continue
        if size > log.size:
            yield _found(size, "size", size, log.size)
            continue
        players.extend(size)
        due = checkpoint._replace(
            root=log.root(size), players=players.count, players_root=players.root
        )
        for what, recorded, derived in zip(Checkpoint._fields, checkpoint, due, strict=True):
            if recorded != derived:
                yield _found(size, what, recorded, derived)


def _unsigned(size: int, note: str, verifier: Verifier) -> Iterator[Discrepancy]:
    """Yield how a note is not signed by a key."""
    try:
        verify(note, verifier)
    except UnknownKeyError as unknown:
        yield _found(size, "key", ", ".join(unknown.found) or None, unknown.wanted)
    except BadSignatureError as bad:
        yield _found(size, "signature", str(bad), None)
    except WrongOriginError as wrong:
        yield _found(size, "origin", wrong.origin, verifier.name)
    except MalformedNoteError:
        return  # which is found in any case


def _found(size: int, what: str, recorded: object, derived: object) -> Discrepancy:
    what = f"checkpoint.{what}"
    return Discrepancy("ledger", size, what, _shown(recorded), _shown(derived), "checkpoint")


def _shown(value: object) -> object:
    return base64(value) if isinstance(value, bytes) else value


def _stored(conn: Conn) -> list[StoredCheckpoint]:
    return [StoredCheckpoint(*row) for row in conn.execute(_STORED)]
