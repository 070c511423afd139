"""Small histories: hands of the vectors played, with the wallets that pay for them."""

import json
import random
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from domain.custody import collect, deposit_missing, players, release, reserve
from domain.hand import Hand
from domain.playing import play
from domain.record import read
from domain.stream import Cause, Entry
from domain.wallet import Wallet, wallet_id
from domain.zhajinhua.rulebooks import published
from projections import Recorded

VECTORS = Path(__file__).parents[1] / "vectors"
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def cause_of(number: int) -> Cause:
    """Return a cause that no other hand has."""
    return Cause(f"command-{number}", "tests", START + timedelta(seconds=number))


@cache
def _vectors() -> tuple[Mapping[str, Any], ...]:
    """Return hands that settle, one of each published rulebook in turn."""
    files = (VECTORS / f"{rulebook.id}.jsonl" for rulebook in published())
    read_lines = (path.read_text(encoding="utf-8").splitlines() for path in files)
    return tuple(json.loads(line) for lines in zip(*read_lines, strict=False) for line in lines)


def records(count: int) -> list[dict[str, Any]]:
    """Return so many records, hands of the vectors over and over under ids of their own."""
    vectors = _vectors()
    return [{**vectors[n % len(vectors)], "hand": f"h{n}"} for n in range(count)]


def entries_of(played: Iterable[Mapping[str, Any]]) -> Iterator[Entry]:
    """Yield the events of each record: carries paid in, the hand, carries paid back."""
    wallets: dict[str, Wallet] = {}
    for number, record in enumerate(played):
        cause = cause_of(number)
        hand = play(read(json.dumps(record)), cause)
        assert isinstance(hand, Hand), hand
        own = {
            player: wallets.setdefault(player, Wallet(wallet_id(player)))
            for player in players(hand)
        }
        deposit_missing(hand, own, cause)
        reserve(hand, own, cause)
        yield from collect(own)
        yield from hand.collect_events()
        release(hand, own, cause)
        yield from collect(own)


@cache
def history(hands: int) -> tuple[Entry, ...]:
    """Return what so many hands leave behind, one after the other."""
    return tuple(entries_of(records(hands)))


def shuffled(entries: Iterable[Entry], seed: int) -> list[Entry]:
    """Return the same streams, each in its order, but taking turns as tables do."""
    streams: dict[str, deque[Entry]] = {}
    for entry in entries:
        streams.setdefault(entry.originator_id, deque()).append(entry)
    chance, waiting, found = random.Random(seed), list(streams.values()), []  # noqa: S311 - seeded
    while waiting:
        at = chance.randrange(min(len(waiting), 7))
        found.append(waiting[at].popleft())
        if not waiting[at]:
            waiting.pop(at)
    return found


def recorded(entries: Iterable[Entry]) -> list[Recorded]:
    """Put entries into their places, each a second after it happened."""
    return [
        Recorded(position, entry, entry.cause.at + timedelta(seconds=1))
        for position, entry in enumerate(entries, 1)
    ]


def in_batches(events: Sequence[Recorded], sizes: Sequence[int]) -> Iterator[list[Recorded]]:
    """Yield the events in batches of these sizes, the last size for the rest."""
    left, size = iter(events), sizes[-1]
    for size in sizes:
        yield list(islice(left, size))
    while batch := list(islice(left, size)):
        yield batch
