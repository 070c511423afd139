#!/usr/bin/env python3
"""Check a proof file of `jinhua proof`, offline: this one file, Python 3.11 and `cryptography`.

    verify_proof.py hand.json --key 'jinhua+1a2b3c4d+AQIDBA…'
    verify_proof.py ann.json --key jinhua.pub --previous monday.checkpoint --lang zh

Exit status: 0 proven, 3 something is wrong (what, and where), 2 unreadable or badly asked.

An event's link is the SHA-256 over the link before it and its own bytes; hashes lead from the last
to the root that is signed. All is recomputed: these events are the ledger's, in this order, none
missing up to the last, and their chips add up. Whether the rules of play decided so is for
`jinhua verify` to say. Begin to read at CHECKS, near the end.
"""
# ruff: noqa: E501 - tables stand as tables, and one blank line is enough: all of this is to be read
# fmt: off

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

Json = Any  # whatever JSON holds; SHAPES say what a proof may
Claim = tuple[Any, ...]  # one of WORDS, and the numbers in it; of a fault, where it is first
Claims = Iterable[Claim]
ZERO: Final = {"version": 0, "link": "00" * 32}  # what is before the first event of a stream
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
TEXT: Final = re.compile("[^\ud800-\udfff]*")
HASH: Final = re.compile(r"[0-9a-f]{64}")
TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
EVENT: Final = {"version": int, "topic": TEXT, "body": TEXT, "command_id": TEXT, "actor": TEXT,
                "happened_at": TIME, "recorded_at": TIME, "link": HASH}
LEAF: Final = {"index": int, "version": int, "link": HASH, "path": [HASH]}
SINCE: Final = {"checkpoint": TEXT, "consistency": [HASH]}
SHAPES: Final[Mapping[str, Json]] = {  # (x,) is x or null, [x] a list, "*" any name
    "jinhua-proof/1": {
        "format": TEXT, "hand": TEXT, "events": [EVENT], "keys": {"*": HASH},
        "rulebook": {"id": TEXT, "version": int, "digest": HASH, "content": TEXT},
        "position": int, "inclusion": [HASH], "checkpoint": TEXT, "since": (SINCE,)},
    "jinhua-player-proof/1": {
        "format": TEXT, "player": TEXT, "events": [EVENT], "leaf": LEAF, "checkpoint": TEXT,
        "since": ({**SINCE, "leaf": (LEAF,)},)},
}

class UnusableError(Exception):
    """The file, or what was given with it, cannot be checked at all."""

class WrongError(Exception):
    """Something does not fit: where, which of WORDS says how, and the numbers in it."""

# --- bytes ---------------------------------------------------------------------------------
def parse(text: str | bytes) -> Json:
    """Return JSON; no field may come twice, for readers differ on which one counts."""
    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a field is given twice")
        return dict(pairs)
    return json.loads(text, object_pairs_hook=once)

def check_shape(value: Json, shape: Json, where: str) -> None:
    """Refuse a value that has not exactly the fields, of the kinds, that its shape names."""
    match shape, value:
        case (tuple(), _):
            if value is not None:
                check_shape(value, shape[0], where)
        case (list(), list()):
            check_shape(dict(enumerate(value)), {"*": shape[0]}, where)
        case (dict(), dict()) if shape.keys() in ({"*"}, value.keys()):
            for name, item in value.items():
                check_shape(item, shape.get(name) or shape["*"], f"{where}.{name}")
        case (re.Pattern(), str()) if shape.fullmatch(value):
            pass
        case _ if type(value) is not shape or not 0 <= value < 1 << 63:
            raise WrongError(where, "shape")

def unbase64(text: str) -> bytes:
    """Return the bytes of Base64, which is to be written in the one way that there is."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("no Base64")
    return data

def prefixed(*fields: bytes, width: int = 8) -> bytes:
    """Return fields one after another, each after its length: so many bytes, big-endian."""
    return b"".join(len(field).to_bytes(width, "big") + field for field in fields)

def link_of(previous: str, stream: str, event: Json) -> str:
    """Return the link that an event has after another link; times in microseconds since 1970."""
    ages = [datetime.fromisoformat(event[name]) - EPOCH for name in ("recorded_at", "happened_at")]
    numbers = *(age // timedelta(microseconds=1) for age in ages), event["version"]
    texts = stream, event["topic"], event["command_id"], event["actor"], event["body"]
    fields = bytes.fromhex(previous), *(one.to_bytes(8, "big", signed=True) for one in numbers)
    data = prefixed(b"jinhua.event.v1", *fields, *(text.encode() for text in texts))
    return hashlib.sha256(data).hexdigest()

def climb(here: int, last: int, start: bytes, path: Sequence[str]) -> tuple[bytes, bytes]:
    """Return the roots that a path leads to, of the tree up to here and of the whole one."""
    # RFC 9162 §2.1.3.2 (where only the second counts) and §2.1.4.2; empty where it leads to none.
    old = new = start
    for step in map(bytes.fromhex, path):
        if last == 0:
            return b"", b""
        if here & 1 or here == last:
            old, new = (hashlib.sha256(b"\x01" + step + top).digest() for top in (old, new))
            while here and not here & 1:
                here, last = here >> 1, last >> 1
        else:
            new = hashlib.sha256(b"\x01" + new + step).digest()
        here, last = here >> 1, last >> 1
    return (old, new) if last == 0 else (b"", b"")

def is_included(data: bytes, index: int, size: int, root: bytes, path: Sequence[str]) -> bool:
    """Tell whether the leaf of an index, from 0, has this data in the tree under a root."""
    leaf = hashlib.sha256(b"\x00" + data).digest()
    return 0 <= index < size and climb(index, size - 1, leaf, path)[1] == root

# --- checkpoints: c2sp.org/signed-note and c2sp.org/tlog-checkpoint -------------------------
ROOT: Final = "[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]="  # 32 bytes, Base64
NOTE: Final = re.compile(
    f"(?P<text>(?P<origin>[^\\n]+)\\n(?P<size>[0-9]{{1,18}})\\n(?P<root>{ROOT})\\n"
    f"players (?P<players>[0-9]{{1,18}}) (?P<index>{ROOT})\\n)"
    "(?:\\n(?P<signatures>(?:\u2014 [^\\n ]+ [^\\n ]+\\n)+))?"
)
KEY: Final = re.compile(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})")

class Key(NamedTuple):
    """Whose signature counts; each signature repeats the mark."""
    name: str
    mark: bytes
    public: Ed25519PublicKey

    def has_signed(self, text: str, name: str, encoded: str) -> bool:
        """Tell whether a line below a text is this key's signature over it."""
        try:
            self.public.verify(unbase64(encoded)[4:], text.encode())
        except (ValueError, InvalidSignature):
            return False
        return (name, unbase64(encoded)[:4]) == (self.name, self.mark)

def read_key(given: str) -> Key:
    """Read a key as the signer hands it out, `name+hash+Base64`, or the file that holds it."""
    parts = KEY.fullmatch(given) or KEY.fullmatch(Path(given).read_text(encoding="utf-8").strip())
    data = unbase64(parts[3]) if parts else b""
    if not parts or data[:1] != b"\x01":  # which is Ed25519
        raise UnusableError(f"{given} is no Ed25519 key: name+hash+Base64")
    mark = hashlib.sha256(f"{parts[1]}\n".encode() + data).digest()[:4]
    if mark.hex() != parts[2]:
        raise UnusableError(f"the hash of this key is {mark.hex()}, and it says {parts[2]}")
    return Key(parts[1], mark, Ed25519PublicKey.from_public_bytes(data[1:]))

class Checkpoint(NamedTuple):
    """How many events and players there are, and the root over each."""
    size: int
    root: bytes
    players: int
    players_root: bytes

    @classmethod
    def read(cls, note: str, key: Key | None, where: str) -> "Checkpoint":
        """Read a checkpoint that the key has signed; without a key, one that nobody has."""
        if not (read := NOTE.fullmatch(note)):
            raise WrongError(where, "unread")
        lines = [line.split(" ")[1:] for line in (read["signatures"] or "").split("\n")[:-1]]
        if key is None and lines:
            raise UnusableError(f"{where} is signed: give the signer's key as --key")
        if key and not any(key.has_signed(read["text"], *line) for line in lines):
            raise WrongError(where, "signature", key.name, ", ".join(x for x, _ in lines) or "-")
        if key:
            compare(f"{where}, the log's name", read["origin"], key.name)
        roots = unbase64(read["root"]), unbase64(read["index"])
        return cls(int(read["size"]), roots[0], int(read["players"]), roots[1])

    def grew_into(self, new: "Checkpoint", path: Sequence[str]) -> bool:
        """Tell whether the newer tree is this one with leaves added to it, and no other."""
        if self.size in (0, new.size):
            return not path and self.root == (new.root if self.size else hashlib.sha256().digest())
        if self.size & (self.size - 1) == 0:
            path = [self.root.hex(), *path]
        if self.size > new.size or not path:
            return False
        here, last = self.size - 1, new.size - 1
        while here & 1:
            here, last = here >> 1, last >> 1
        return climb(here, last, bytes.fromhex(path[0]), path[1:]) == (self.root, new.root)

# --- what is checked -----------------------------------------------------------------------
class Case(NamedTuple):
    """A proof, and what of it the checks have in common."""
    proof: Json
    stream: str  # that the links of the events are made with
    begin: Json  # the version and link that the events go on from
    happened: Sequence[tuple[Json, Json]]  # each event with its body
    signer: str | None
    checkpoint: Checkpoint  # that the proof leads to
    old: Checkpoint | None  # an older one in the file
    kept: Checkpoint | None  # an older one that somebody kept

    @classmethod
    def read(cls, proof: Json, key: Key | None, kept: str | None) -> "Case":
        """Read a file of the right shape."""
        stream = f"hand:{proof['hand']}" if "hand" in proof else f"wallet:{proof['player']}"
        since, keys = proof["since"] or {}, dict(proof.get("keys", ()))
        happened = [(event, opened(stream, event, keys)) for event in proof["events"]]
        for version in keys:
            raise WrongError(f"keys.{version}", "unread")
        new = Checkpoint.read(proof["checkpoint"], key, "checkpoint")
        notes = (since.get("checkpoint"), "since.checkpoint"), (kept, "--previous")
        older = (None if note is None else Checkpoint.read(note, key, name) for note, name in notes)
        return cls(proof, stream, since.get("leaf") or ZERO, happened, key and key.name, new, *older)

def at(event: Json, field: str) -> str:
    """Return where something is in an event."""
    return f"event {event['version']} ({event['topic']}), {field}"

def compare(where: str, told: Json, due: Json) -> None:
    """Refuse the first figure that is not what it should be."""
    if isinstance(told, dict) and isinstance(due, dict):
        for name in {**told, **due}:
            compare(f"{where}.{name}", told.get(name), due.get(name))
    elif told != due or type(told) is not type(due):
        raise WrongError(where, "figure", told, due)

def opened(stream: str, event: Json, keys: dict[str, str]) -> Json:
    """Return the body of an event; `{"sealed": …}` as it is where the file has no key to it."""
    key, text = keys.pop(str(event["version"]), None), event["body"]
    place = (text.encode() for text in (stream, str(event["version"]), event["topic"]))
    try:
        if key is not None:
            data = unbase64(parse(text)["sealed"].split(":")[1])
            bound = prefixed(b"jinhua.cards.v1", *place, width=4)
            text = AESGCM(bytes.fromhex(key)).decrypt(data[:12], data[12:], bound)
        return {**parse(text)}
    except (ValueError, TypeError, LookupError, AttributeError, InvalidTag, RecursionError):
        raise WrongError(at(event, "body" if key is None else "body or key"), "unread") from None

def check_checkpoint(case: Case) -> Claims:
    """Check that nothing was rewritten since an older checkpoint, in the file or kept elsewhere."""
    new, old, kept = case.checkpoint, case.old, case.kept
    yield ("signed", case.signer, new.size) if case.signer else ("unsigned", new.size)
    if old:
        if not old.grew_into(new, case.proof["since"]["consistency"]):
            raise WrongError("since.consistency", "fork", old.size, new.size)
        yield "grew", old.size, new.size
    if kept:
        same = next((one for one in (new, old) if one and one.size == kept.size), None)
        if same is None:
            raise UnusableError(f"the file has nothing of the size of --previous, {kept.size}: "
                                "have it made with --since (a player's with --from)")
        if same != kept:
            raise WrongError("--previous", "fork", kept.size, new.size)
        yield "kept", kept.size, new.size

def check_chain(case: Case) -> Claims:
    """Follow the events from version to version and from link to link, without a gap."""
    begin, link = case.begin["version"], case.begin["link"]
    for version, event in enumerate(case.proof["events"], begin + 1):
        if event["version"] != version:
            raise WrongError(at(event, "version"), "gap", event["version"], version)
        if event["link"] != link_of(link, case.stream, event):
            raise WrongError(at(event, "link"), "link")
        link = event["link"]
    yield "chain", case.stream, begin + 1, begin + len(case.proof["events"])

def check_inclusion(case: Case) -> Claims:
    """Check that the checkpoint contains the last event, and by its link all before it."""
    last, position, point = case.proof["events"][-1], case.proof["position"], case.checkpoint
    link, path = bytes.fromhex(last["link"]), case.proof["inclusion"]
    if not is_included(link, position - 1, point.size, point.root, path):
        raise WrongError(at(last, f"inclusion at position {position}"), "inclusion")
    yield "included", last["version"], position, point.size

def check_rulebook(case: Case) -> Claims:
    """Check that the rulebook in the file is the one that the hand pinned when it opened."""
    rulebook, opening = case.proof["rulebook"], case.happened[0][1]
    content, digest = parse(rulebook["content"]), hashlib.sha256(rulebook["content"].encode())
    pinned = {"id": opening["rulebook"], "version": opening["version"], "digest": opening["digest"]}
    compare("rulebook", {name: rulebook[name] for name in pinned}, pinned)
    inside = {"id": content["id"], "version": content["version"], "digest": digest.hexdigest()}
    compare("rulebook.content", inside, pinned)
    yield "rulebook", *pinned.values()

class Money:
    """The chips of a hand by account, and what each seat's came to. Minor units."""
    def __init__(self, opening: Json) -> None:
        self.brought = {f"seat:{taken['seat']}": taken["carry"] for taken in opening["seats"]}
        self.chips = {"pot": 0, "house:rake": 0, "house:bonus": 0, "house:bank": 0, **self.brought}
        names = ("contributed", "won", "refund", "side", "bonus", "rake")
        self.seats = {seat: dict.fromkeys(names, 0) for seat in self.brought}

    def move(self, where: str, source: str, target: str, amount: int, reason: str) -> None:
        """Make a transfer between accounts of the hand; only the house pays what it has not got."""
        if type(amount) is not int or amount <= 0 or not {source, target} <= self.chips.keys():
            raise WrongError(where, "transfer", source, target, amount)
        self.chips[source] -= amount
        self.chips[target] += amount
        if self.chips[source] < 0 and not source.startswith("house:"):
            raise WrongError(where, "overdrawn", source, target, amount)
        of_pot = {source: "contributed", target: "won" if reason == "won" else "refund"}
        for seat, other, gained in ((source, target, -amount), (target, source, amount)):
            if seat in self.seats:  # in which figure it counts, the other account says
                figures = {"pot": of_pot[seat], "house:rake": "rake", "house:bank": "won"}
                figure = figures.get(other, "bonus" if reason == "bonus" else "side")
                self.seats[seat][figure] += amount if figure in ("contributed", "rake") else gained

    def settlement(self) -> dict[str, Json]:
        """Return what the transfers came to, in the words of a settlement."""
        return {
            "pot": sum(own["contributed"] for own in self.seats.values()),
            "winners": sorted(int(seat[5:]) for seat, own in self.seats.items() if own["won"]),
            "rake": self.chips["house:rake"], "house_bonus": -self.chips["house:bonus"],
            "house_banked": self.chips["house:bank"],
            "seats": {seat[5:]: own | {"net": self.chips[seat] - self.brought[seat]}
                      for seat, own in self.seats.items()}}

def check_money(case: Case) -> Claims:
    """Make every transfer again, and hold the end of the hand against what they come to."""
    money, over = Money(case.happened[0][1]), False
    for event, body in case.happened:
        if event["topic"] == "hand.topped_up.v1":
            for purse in (money.brought, money.chips):
                purse[f"seat:{body['seat']}"] += body["amount"]
        for number, transfer in enumerate(body.get("transfers", ())):
            if over:
                raise WrongError(at(event, f"transfers.{number}"), "after", *transfer[:3])
            money.move(at(event, f"transfers.{number}"), *transfer)
        compare(at(event, "all chips"), sum(money.chips.values()), sum(money.brought.values()))
        if event["topic"] in ("hand.settled.v1", "hand.voided.v1"):
            over, due = True, money.settlement()
            compare(at(event, "chips left in the pot"), money.chips["pot"], 0)
            if "settlement" not in body:  # void
                compare(at(event, "chips of the seats"), money.chips | money.brought, money.chips)
            told = {"house_banked": 0} | body.get("settlement", due)
            due["winners"] = due["winners"] or told.get("winners") or []  # a prize may come to 0
            compare(at(event, "settlement"), told, due | {"rounds": told.get("rounds")})
    yield "money" if over else "running", case.happened[-1][0]["version"], money.settlement()["pot"]

ALL_CARDS: Final = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
cards_of: Final = re.compile("..?", re.DOTALL).findall  # two characters each

def check_deck(case: Case) -> Claims:
    """Hold a disclosed deck against the commitment of the opening, and against the cards dealt."""
    opening, told = case.happened[0][1], {event["topic"]: (event, b) for event, b in case.happened}
    for topic in ("hand.opened.v1", "hand.cards_dealt.v1", "hand.deck_disclosed.v1"):
        how_many = [event["topic"] for event, _ in case.happened].count(topic)
        compare(f"events, how many are {topic}", max(how_many, 1), 1)
    event, disclosed = told.get("hand.deck_disclosed.v1", (None, None))
    if opening.get("commitment") is None or disclosed is None:
        return [("deck_absent" if opening.get("commitment") is None else "deck_not_disclosed",)]
    salt, deck = bytes.fromhex(disclosed["salt"]), disclosed["deck"]
    bound = case.proof["hand"].encode(), opening["digest"].encode(), salt, deck.encode()
    commitment = hashlib.sha256(prefixed(b"jinhua.deck.v1", *bound)).hexdigest()
    compare(at(event, "deck"), commitment, opening["commitment"])
    compare(at(event, "salt, in bytes"), len(salt), 32)
    compare(at(event, "deck, in order"), sorted(cards_of(deck)), sorted(ALL_CARDS))
    dealt, body = told["hand.cards_dealt.v1"]
    if "sealed" in body:
        return [("deck_sealed",)]
    held = {seat: sorted(cards_of(cards)) for seat, cards in body["cards"].items()}
    is_reverse = parse(case.proof["rulebook"]["content"])["direction"] == "counter_clockwise"
    compare(at(dealt, "cards"), held, deal_of(deck, opening, is_reverse=is_reverse))
    return [("deck_proven",)]

def deal_of(deck: str, opening: Json, *, is_reverse: bool) -> dict[str, list[str]]:
    """Return what a deck gives each seat: one card at a time, three times around, dealer first."""
    # Source: RULES.md §2.6; the order of the seats is that of their turns, §2.3.
    seats = sorted((taken["seat"] for taken in opening["seats"]), reverse=is_reverse)
    first, cards, count = seats.index(opening["dealer"]), cards_of(deck), len(seats)
    order = enumerate(seats[first:] + seats[:first])
    return {str(seat): sorted(cards[place : 3 * count : count]) for place, seat in order}

def check_index(case: Case) -> Claims:
    """Check that the checkpoints name the wallet's versions and links at both ends of the list."""
    older = [("since.leaf", case.begin, case.old)] if case.old and case.begin is not ZERO else []
    for where, leaf, point in [*older, ("leaf", case.proof["leaf"], case.checkpoint)]:
        last = leaf["version"].to_bytes(8, "big"), bytes.fromhex(leaf["link"])
        data = prefixed(b"jinhua.player.v1", case.stream.encode(), *last)
        if not is_included(data, leaf["index"], point.players, point.players_root, leaf["path"]):
            raise WrongError(where, "no_leaf", case.stream, leaf["version"])
        yield "leaf", case.stream, leaf["version"], point.size

def check_hands(case: Case) -> Claims:
    """Check that the list ends where the checkpoint says, and name the hands in it."""
    last, leaf = [case.begin, *case.proof["events"]][-1], case.proof["leaf"]
    if (last["version"], last["link"]) != (leaf["version"], leaf["link"]):
        raise WrongError(f"event {last['version']}, the last", "cut", leaf["version"])
    hands: dict[str, list[int]] = {}
    for event, body in case.happened:
        if "hand" in body:
            is_back = event["topic"] == "wallet.carry_released.v1"
            amount = sum(transfer[2] for transfer in body.get("transfers", ()))
            hands.setdefault(body["hand"], [0, 0])[is_back] += amount
    for hand, amounts in hands.items():
        yield "hand", hand, *amounts
    size = case.old.size if case.old and case.begin is not ZERO else 0
    yield "hands", len(hands), case.proof["player"], size, case.checkpoint.size

CHECKS: Final[Mapping[str, Sequence[Callable[[Case], Claims]]]] = {
    "jinhua-proof/1": (check_checkpoint, check_chain, check_inclusion,
                       check_rulebook, check_money, check_deck),
    "jinhua-player-proof/1": (check_checkpoint, check_chain, check_index, check_hands),
}

def verify(proof: Json, key: Key | None, kept: str | None = None) -> tuple[list[Claim], ...]:
    """Return what is proven, as Claims, and what is wrong: where, and the same."""
    name = str(proof.get("format")) if isinstance(proof, dict) else ""
    if name not in SHAPES:
        raise UnusableError(f"its format is none of {', '.join(SHAPES)}")
    claims, faults = list[Claim](), list[Claim]()
    try:
        check_shape(proof, SHAPES[name], "proof")
        case = Case.read(proof, key, kept)
    except WrongError as wrong:
        return [], [wrong.args]
    for check in CHECKS[name]:
        try:
            claims += check(case)
        except WrongError as wrong:
            faults.append(wrong.args)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            faults.append(("proof", "unlike", check.__name__, repr(error)))
    return claims, faults

# --- words ---------------------------------------------------------------------------------
WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "proven": ("proven", "已证明"),
    "signed": ("{} has signed the checkpoint of {} events", "检查点由 {} 签名，含 {} 个事件"),
    "unsigned": ("NOTHING IS SIGNED: anybody may have made this file, all of its {} events", "没有签名：任何人都可能伪造此文件及其 {} 个事件"),
    "chain": ("the events of {}, versions {} to {}, follow each other without a gap", "{} 的事件，版本 {} 至 {}，逐个相扣，无一缺失"),
    "included": ("event {} is at position {} of the {} that the checkpoint covers", "事件 {} 位于检查点所含事件的第 {} 位（共 {}）"),
    "grew": ("from {} events to {} the history only grew", "自 {} 至 {} 个事件，历史只增未改"),
    "kept": ("the checkpoint that was kept, of {} events, is of the same history as this of {}", "所存检查点（{}）与此（{}）属同一历史"),
    "rulebook": ("the rulebook is {} version {}, {}, as pinned at the opening", "规则为 {} 第 {} 版（{}），即开局时所定"),
    "money": ("the chips add up to event {}; the settlement is what the transfers come to, of a pot of {}", "至事件 {} 资金相符：结算与逐笔转账一致，底池 {}"),
    "running": ("the chips add up to event {}, of a pot of {}; the hand is NOT OVER there, and how it ended is not in this file", "至事件 {} 资金相符，底池 {}；牌局未结束，文件不含结局"),
    "deck_proven": ("the deal is PROVEN: of the deck committed to at the opening", "发牌已证明：出自开局时承诺的牌序"),
    "deck_sealed": ("the deal is NOT PROVEN: the deck is the one committed to, the cards dealt are sealed", "发牌未证明：牌序与承诺一致，所发之牌封存"),
    "deck_not_disclosed": ("the deal is NOT PROVEN: a deck was committed to and is not disclosed", "发牌未证明：有承诺，牌序未公开"),
    "deck_absent": ("nothing of the deal: no deck was committed to (ABSENT)", "发牌无从证明：开局时没有承诺牌序"),
    "leaf": ("{} is at version {} where the checkpoint covers {} events", "{} 为版本 {}（检查点含 {} 个事件）"),
    "hand": ("hand {}: {} went in, {} came back", "牌局 {}：带入 {}，带回 {}"),
    "hands": ("these {} hands are ALL in which chips of {} went in or came back between the checkpoints of {} and {} events", "以上 {} 局为 {} 在检查点 {} 与 {} 之间有筹码进出的全部牌局"),
    "wrong": ("WRONG", "错误"),
    "shape": ("it is not as the format has it", "不合格式"),
    "unread": ("it cannot be read or opened", "无法读取或开启"),
    "unlike": ("no event of the ledger comes to this: {} {}", "账本事件不会如此：{} {}"),
    "gap": ("it is {} and should be {}: an event is missing, added or moved", "为 {}，应为 {}：有事件缺失、增加或移位"),
    "link": ("it does not fit: this event was changed, or what is before it", "不相扣：此事件或其前之事件被改动"),
    "signature": ("it has no valid signature of {} (those it has: {})", "没有 {} 的有效签名（现有：{}）"),
    "fork": ("the histories of {} and {} events are two: what had happened was rewritten", "{} 与 {} 处的历史不一致：既往被改写"),
    "inclusion": ("the checkpoint does not contain this event there", "检查点在该处不含此事件"),
    "no_leaf": ("the checkpoint does not say that {} is at version {}", "检查点未载 {} 为版本 {}"),
    "cut": ("the checkpoint has another last event, version {}", "检查点所载最后事件不同，为版本 {}"),
    "figure": ("it is {} and should be {}", "为 {}，应为 {}"),
    "transfer": ("this is no transfer of the hand: {} to {}, {}", "非本局转账：{} 至 {}，{}"),
    "overdrawn": ("{} has not got what it pays to {}, {}", "{} 不足以付予 {}：{}"),
    "after": ("the hand was over, and yet chips moved: {} to {}, {}", "牌局已结束仍有转账：{} 至 {}，{}"),
}

def main(words: Sequence[str] | None = None) -> int:
    """Check one file, say what came of it, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", help="made by `jinhua proof`")
    signer = parser.add_mutually_exclusive_group(required=True)
    signer.add_argument("--key", help="the signer's: name+hash+Base64, or a file that holds it")
    signer.add_argument("--unsigned", action="store_true", help="nobody signed the checkpoint")
    parser.add_argument("--previous", help="a file with a checkpoint that was kept")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    try:
        key = read_key(asked.key) if asked.key else None
        kept = Path(asked.previous).read_text(encoding="utf-8") if asked.previous else None
        claims, faults = verify(parse(Path(asked.file).read_bytes()), key, kept)
    except (UnusableError, OSError, ValueError, RecursionError) as error:
        print(f"{asked.file}: {error}", file=sys.stderr)
        return 2
    texts = {word: pair[asked.lang == "zh"] for word, pair in WORDS.items()}
    said = [{"claim": word, "what": texts[word].format(*n)} for word, *n in claims]
    wrong = [{"where": where, "what": texts[word].format(*n)} for where, word, *n in faults]
    if asked.json:
        print(json.dumps({"proven": not wrong, "claims": said, "wrong": wrong}))
    else:
        lines = [f"{texts['wrong']}: {fault['where']}: {fault['what']}" for fault in wrong]
        print(*lines or [f"{texts['proven']}: {claim['what']}" for claim in said], sep="\n")
    return 3 if wrong else 0

if __name__ == "__main__":
    sys.exit(main())
