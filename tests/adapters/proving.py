"""Proof files for tests: made by a small ledger or forged, changed, and given to the verifier."""

import importlib.util
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from adapters.evidence.checkpoints import make
from adapters.evidence.notes import Checkpoint, Signer, sign, text
from adapters.evidence.proofs import Point, hand_proof, player_proof
from adapters.evidence.tree import Tree
from adapters.ledger import Ledger
from adapters.store.chain import GENESIS, Linked, link_of
from adapters.store.codec import encode
from domain.playing import Reject, play
from domain.record import read
from domain.stream import Cause
from domain.zhajinhua.rulebooks import find
from tests.adapters.play import do, fund, sit_down

SCRIPT = Path(__file__).parents[2] / "scripts" / "verify_proof.py"
SIGNER = Signer("jinhua", bytes(range(32)))
OTHER = Signer("jinhua", bytes(32))
AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
TIME = "2026-01-02T03:04:05.678901Z"

Path_ = tuple[Any, ...]
"""Where something is in a JSON value."""


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_proof", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verifier = _load()
"""scripts/verify_proof.py"""

KEY = verifier.read_key(SIGNER.verifier.text)


class Proven(NamedTuple):
    """A hand, and a player's hands, proven from one checkpoint to the next."""

    hand: dict[str, Any]
    player: dict[str, Any]
    monday: str  # the older checkpoint, as it was kept


def play_hand(ledger: Ledger, hand: str) -> None:
    """Play a hand of two to its end."""
    sit_down(ledger, hand)
    do(ledger, 1, "raise", hand=hand, stake=1_000)
    do(ledger, 2, "look", hand=hand)
    do(ledger, 2, "call", hand=hand)
    do(ledger, 1, "compare", hand=hand, target=2)


def prove(ledger: Ledger, signer: Signer | None = SIGNER, *, funds: int = 1_000_000) -> Proven:
    """Play two hands before a checkpoint and two after it, and prove the third."""
    fund(ledger, "ann", "bob", "cai", amount=funds)
    play_hand(ledger, "h-1")
    play_hand(ledger, "h-2")
    monday = make(ledger.store, signer).stored.note
    play_hand(ledger, "h-3")
    play_hand(ledger, "h-4")
    make(ledger.store, signer)
    with ledger.store.snapshot() as moment:
        since = Point.read(monday)
        hand = hand_proof(moment, "h-3", since=since)
        return Proven(hand, player_proof(moment, "ann", since=since), monday)


# --- forged: what an operator could sign -------------------------------------------------


def forged(
    happened: Iterable[tuple[str, str]], *, hand: str = "h-1", rulebook: str = "jiuyou"
) -> dict[str, Any]:
    """Return the proof of a hand of these topics and bodies: chained, in a tree, signed."""
    events = [
        {"version": version, "topic": topic, "body": body, "command_id": "c", "actor": "a",
         "happened_at": TIME, "recorded_at": TIME}
        for version, (topic, body) in enumerate(happened, start=1)
    ]  # fmt: skip
    rules = find(rulebook)
    pinned = {"id": rules.id, "version": rules.version, "digest": rules.digest}
    proof: dict[str, Any] = {"format": "jinhua-proof/1", "hand": hand, "events": events, "keys": {}}
    proof["rulebook"] = {**pinned, "content": rules.canonical}
    rechain(proof)
    tree = Tree()
    tree.extend(bytes.fromhex(event["link"]) for event in proof["events"])
    point = Checkpoint("jinhua", tree.size, tree.root(tree.size), 0, Tree().root(0))
    path = [node.hex() for node in tree.inclusion(tree.size - 1, tree.size)]
    return proof | {
        "position": tree.size, "inclusion": path, "checkpoint": sign(point, SIGNER), "since": None,
    }  # fmt: skip


def rechain(proof: dict[str, Any], link: bytes = GENESIS) -> None:
    """Give every event of a proof the link that it should have."""
    stream = f"hand:{proof['hand']}" if "hand" in proof else f"wallet:{proof['player']}"
    for event in proof["events"]:
        happened_at, recorded_at = (
            datetime.fromisoformat(event[name]) for name in ("happened_at", "recorded_at")
        )
        told = (event["topic"], event["body"], event["command_id"], event["actor"])
        made = Linked(0, stream, event["version"], *told, happened_at, recorded_at, b"")
        link = link_of(link, made)
        event["link"] = link.hex()


def recorded(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the topics and bodies of a hand record, played."""
    hand = play(read(json.dumps(record)), Cause("c", "a", AT))
    assert not isinstance(hand, Reject), hand
    return [(entry.event.TOPIC, encode(entry.event)) for entry in hand.collect_events()]


def signed_again(note: str, signer: Signer) -> str:
    """Return a checkpoint under another signature."""
    return sign(Point.read(note).checkpoint, signer)


def unsigned(note: str) -> str:
    """Return a checkpoint that nobody signed."""
    return text(Point.read(note).checkpoint)


# --- changed, and checked ----------------------------------------------------------------


def faults(proof: Any, kept: str | None = None, key: Any = KEY) -> list[tuple[str, str]]:
    """Return what the verifier finds wrong: where, and which of its words says how."""
    try:
        _, found = verifier.verify(proof, key, kept)
    except verifier.UnusableError as error:
        return [("", str(error))]
    return [(str(where), str(word)) for where, word, *_ in found]


def claims(proof: Any, kept: str | None = None, key: Any = KEY) -> list[str]:
    """Return what the verifier finds proven; nothing is wrong."""
    found, wrong = verifier.verify(proof, key, kept)
    assert wrong == []
    return [word for word, *_ in found]


def leaves(value: Any, *path: Any) -> Iterator[Path_]:
    """Yield the path of every leaf of a JSON value."""
    if isinstance(value, (dict, list)) and value:
        for step, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, *path, step)
    else:
        yield path


def at(value: Any, path: Path_) -> Any:
    """Return what is at a path."""
    for step in path:
        value = value[step]
    return value


def copied(proof: Any) -> Any:
    """Return a copy that can be changed."""
    return json.loads(json.dumps(proof))


def changed(proof: Any, path: Path_, value: Any) -> Any:
    """Return a copy with another value at a path."""
    copy = copied(proof)
    at(copy, path[:-1])[path[-1]] = copied(value)
    return copy
