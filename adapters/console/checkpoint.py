"""``jinhua keygen``, ``checkpoint``, ``checkpoints``, ``consistency``: what the log was, signed."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any

from adapters.console.failures import DISAGREEMENT, BadInputError
from adapters.console.key_files import read_note
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say, table
from adapters.evidence.checkpoints import (
    ORIGIN,
    Made,
    StoredCheckpoint,
    consistency_of,
    make,
    stored,
)
from adapters.evidence.keys import read_signer, write_pair
from adapters.evidence.notes import Checkpoint, Signer, base64, parse, signed_by
from adapters.evidence.tree import LogTree
from adapters.store.postgres import Runner


def keygen(*, out: Path, name: str = ORIGIN, json: AsJson = False) -> int:
    """Make a key that signs checkpoints: one file to keep secret, and one for everybody.

    FILE is readable by its maker alone; FILE.pub, and the line that is printed, is what checks
    signatures. Keep FILE where the owner of the database cannot read it. No file is ever replaced.

    For example:

        jinhua keygen --out jinhua.key
        jinhua keygen --out casino.key --name casino.example/ledger

    Parameters:
        out: The file for the secret.
        name: The log's name in every checkpoint: a text without blanks and without +.
    """
    signer = Signer.generate(name)
    public = write_pair(out, signer)
    if json:
        print_json({"key": str(out), "public": str(public), "verifier": signer.verifier.text})
    else:
        say(signer.verifier.text)
    return 0


def checkpoint(
    *,
    key: Path | None = None,
    unsigned: bool = False,
    every: float | None = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Make a checkpoint of the history as it is now, store it, and print its note.

    Keep the note somewhere else: in a mail, at an auditor's. It stands for every event so far and
    for their order. Where nothing was appended since the last one, that is printed again. The exit
    status is 3 where an earlier checkpoint no longer holds: the history was rewritten. The key is
    --key, else JINHUA_SIGNING_KEY.

    For example:

        jinhua checkpoint --key jinhua.key > monday.note
        jinhua checkpoint --key jinhua.key --every 3600

    Parameters:
        key: The secret file of `jinhua keygen`.
        unsigned: Make one without a key.
        every: Go on, and make one each so many seconds, until interrupted.
    """
    if every is not None and not every > 0:
        raise BadInputError("--every needs a number of seconds above 0")
    signer = _signer(key, where, unsigned=unsigned)
    with opened(where) as store:
        if every is None:
            _print_made(make(store.ledger.store, signer), json=json)
            return 0
        with _until_interrupted() as interrupted:
            while not interrupted.is_set():
                made = make(store.ledger.store, signer)
                if made.is_new:
                    _print_made(made, json=json)
                interrupted.wait(every)
    return 0


def checkpoints(*, size: int | None = None, where: Where = HERE, json: AsJson = False) -> int:
    """List the checkpoints that were made, or print the note of one.

    For example:

        jinhua checkpoints
        jinhua checkpoints --size 21 > monday.note

    Parameters:
        size: Of the checkpoint whose note is printed.
    """
    with opened(where) as store:
        rows = stored(store.ledger.store)
    if size is not None:
        rows = [row for row in rows if row.size == size]
        if not rows:
            raise BadInputError(f"no checkpoint of size {size}; `jinhua checkpoints` lists them")
    if json:
        print_json({"checkpoints": [_as_json(row) for row in rows]})
    elif size is not None:
        say(rows[0].note.removesuffix("\n"))
    else:
        _print_list(rows)
    return 0


def consistency(old: str, new: str, *, where: Where = HERE, json: AsJson = False) -> int:
    """Prove that the history of one checkpoint begins with that of an earlier one.

    Prints the proof of RFC 9162, lowest node first, which anybody can check with the two roots. The
    exit status is 3 where the history is no longer what both of them say.

    For example:

        jinhua consistency 21 42
        jinhua consistency monday.note tuesday.note --json

    Parameters:
        old: The size of a stored checkpoint, or a file with a note.
        new: Likewise, of a later one.
    """
    with opened(where) as store, store.ledger.store.snapshot() as moment:
        first, second = (_wanted(moment, word) for word in (old, new))
        if first.size > second.size:
            raise BadInputError(
                f"{first.size} is later than {second.size}; the earlier comes first"
            )
        log = LogTree(moment)
        proof, why_not = consistency_of(log, first, second)
    if json:
        print_json(
            {
                "old": {"size": first.size, "root": base64(first.root)},
                "new": {"size": second.size, "root": base64(second.root)},
                "proof": [base64(node) for node in proof],
                "holds": why_not is None,
                "reason": why_not,
            }
        )
    else:
        say(*map(base64, proof))
        verdict = f"does not hold: {why_not}" if why_not else "holds"
        say(f"size {first.size} to size {second.size}: {verdict}")
    return DISAGREEMENT if why_not else 0


def _signer(key: Path | None, where: Where, *, unsigned: bool) -> Signer | None:
    """Return who signs.

    Raises:
        BadInputError: Nobody does, and nobody said so; or both.
        ExposedKeyError: Others can read the key.
        MalformedKeyError: It is none.
    """
    if unsigned:
        if key is not None:
            raise BadInputError("--unsigned takes no --key")
        return None
    if key is not None:
        return read_signer(key)
    secret = where.settings.signing_key
    if secret is None:
        raise BadInputError("no key: --key or JINHUA_SIGNING_KEY; --unsigned makes one without")
    return Signer.parse(secret.get_secret_value().strip())


def _wanted(store: Runner, word: str) -> Checkpoint:
    """Return the checkpoint that a size or a file names.

    Raises:
        BadInputError: None of that size is stored.
        MalformedNoteError: The note is no checkpoint.
        OSError: The file cannot be read.
    """
    if not word.isdecimal():
        return parse(read_note(Path(word)))
    for row in stored(store):
        if row.size == int(word):
            return parse(row.note)
    raise BadInputError(f"no checkpoint of size {word}; `jinhua checkpoints` lists them")


@contextmanager
def _until_interrupted() -> Iterator[Event]:
    """Lend what is set by SIGINT or SIGTERM, so that what is under way comes to its end."""
    interrupted = Event()

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        interrupted.set()

    before = {
        number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _as_json(row: StoredCheckpoint) -> dict[str, Any]:
    made = parse(row.note)
    return {
        "size": made.size,
        "root": base64(made.root),
        "players": made.players,
        "players_root": base64(made.players_root),
        "origin": made.origin,
        "signed_by": signed_by(row.note),
        "made_at": row.made_at,
        "note": row.note,
    }


def _print_made(made: Made, *, json: bool) -> None:
    if json:
        print_json({**_as_json(made.stored), "new": made.is_new})
    else:
        say(made.stored.note.removesuffix("\n"))


def _print_list(rows: list[StoredCheckpoint]) -> None:
    columns = ("size#", "made", "players#", "signed by", "root")
    made = ((row, parse(row.note)) for row in rows)
    table(
        columns,
        (
            (
                row.size,
                f"{row.made_at:%Y-%m-%d %H:%M:%S}",
                checkpoint.players,
                ", ".join(signed_by(row.note)) or "nobody",
                base64(checkpoint.root),
            )
            for row, checkpoint in made
        ),
    )
