"""``jinhua proof``: a file that proves a hand, or all hands of a player, to whoever has the key."""

import json as serial
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from adapters.console.failures import BadInputError
from adapters.console.key_files import read_note
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say
from adapters.evidence.proofs import Point, hand_proof, of_size, player_proof
from adapters.store.postgres import Runner


def proof(
    hand: str | None = None,
    /,
    *,
    player: str | None = None,
    out: Path,
    size: Annotated[int | None, Parameter(name=["--size", "--to"])] = None,
    since: Annotated[str | None, Parameter(name=["--since", "--from"])] = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Write a file that proves a hand, or that these are all hands of a player.

    Anybody checks it with scripts/verify_proof.py and the public key, without this ledger. It leads
    to a checkpoint: make one first. With --since it proves too that nothing was rewritten since an
    older one. A hand that is still running is refused unless its cards are sealed; their keys stay
    here then.

    For example:

        jinhua proof t1-0001 --out hand.json
        jinhua proof t1-0001 --since monday.note --out hand.json
        jinhua proof --player ann --from 21 --to 42 --out ann.json

    Parameters:
        hand: Its id.
        player: Prove all hands of this player instead: everything of its wallet.
        out: The file; replaced where there is one.
        size: Of the checkpoint that it leads to; the newest if none is given.
        since: The size of an older checkpoint, or a file with its note; a player's hands after it.
    """
    if (hand is None) == (player is None):
        raise BadInputError("a HAND or a --player, one of them")
    with opened(where) as store, store.ledger.store.snapshot() as moment:
        older = _older(moment, since)
        if player is not None:
            made = player_proof(moment, player, since=older, size=size)
        else:
            assert hand is not None, "checked"
            made = hand_proof(moment, hand, size=size, since=older)
    out.write_text(serial.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    _print(out, made, json=json)
    return 0


def _older(moment: Runner, word: str | None) -> Point | None:
    """Return the checkpoint that a size or a file names."""
    if word is None:
        return None
    if word.isdecimal():
        return of_size(moment, int(word))
    return Point.read(read_note(Path(word)))


def _print(out: Path, made: dict[str, Any], *, json: bool) -> None:
    size = Point.read(made["checkpoint"]).checkpoint.size
    if json:
        print_json({"file": str(out), "events": len(made["events"]), "size": size})
    else:
        say(f"{out}: {len(made['events'])} events, proven by the checkpoint of size {size}")
