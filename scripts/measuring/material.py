"""What both sides are given: simulated hands, and the very events that our ledger makes of them.

Random hands are slow to invent, so a few hundred are, and are given again under other ids and to
other players. What is stored of a hand is decided here as an import decides it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from adapters.clock import now
from adapters.simulation.hands import line_of, simulate
from adapters.store.codec import encode
from domain.custody import collect, deposit_missing, players, release, reserve
from domain.hand import Hand
from domain.playing import play
from domain.record import HandRecord, read
from domain.stream import Cause, Entry
from domain.wallet import Wallet
from domain.zhajinhua.play import Action

RULEBOOK = "platform"
SEED = 20_260_102


class Fact(NamedTuple):
    """One event as the other sides store it: the same topic, the same JSON."""

    stream: str
    topic: str
    text: str

    @property
    def body(self) -> dict[str, Any]:
        """Its JSON, taken apart."""
        body: dict[str, Any] = json.loads(self.text)
        return body


class Stored(NamedTuple):
    """A finished hand, and everything that an import of it stores, wallets included."""

    line: str
    facts: list[Fact]

    @property
    def of_hand(self) -> list[Fact]:
        """The events of the hand alone."""
        return [fact for fact in self.facts if fact.stream.startswith("hand:")]


class Material:
    """Hands to play, by the dozen."""

    def __init__(self, distinct: int) -> None:
        """Invent so many hands; nobody claims anything of them."""
        invented = simulate(RULEBOOK, hands=distinct, seed=SEED)
        self.records = [_unclaimed(record) for record in invented]
        self.actions = [_actions(record) for record in self.records]
        self._given = 0

    def skip(self, ids: int) -> None:
        """Give away none of the first ids: others have them."""
        self._given = ids

    def next(self, count: int, who: str = "") -> Iterator[tuple[dict[str, Any], list[Action]]]:
        """Yield so many records with their actions, under ids that were never given.

        Args:
            count: How many.
            who: Begins the name of every player, so that others do not sit at these tables.
        """
        for _ in range(count):
            at, self._given = self._given % len(self.records), self._given + 1
            yield renamed(self.records[at], f"h{self._given}", who), self.actions[at]

    def endless(self, who: str) -> Iterator[tuple[dict[str, Any], list[Action]]]:
        """Yield for ever, as :meth:`next` does, hands in which there is something to be done."""
        while True:
            yield from ((record, actions) for record, actions in self.next(1, who) if actions)

    @property
    def actions_per_hand(self) -> float:
        """How many on average."""
        return sum(map(len, self.actions)) / len(self.actions)


def renamed(record: Mapping[str, Any], hand: str, who: str) -> dict[str, Any]:
    """Return a record under another id and of other players."""
    seats = [{**seat, "player": f"{who}{seat['player']}"} for seat in record["seats"]]
    return {**record, "hand": hand, "seats": seats}


def stored(
    records: Iterable[Mapping[str, Any]], wallets: dict[str, Wallet] | None = None
) -> list[Stored]:
    """Return what an import of these records stores.

    Args:
        records: Of hands.
        wallets: What earlier hands left their players, by player; they go on. None: nothing.
    """
    known = {} if wallets is None else wallets
    made = []
    for record in records:
        line = line_of(record)
        facts = [_fact(entry) for entry in entries(read(line), known)]
        made.append(Stored(line, facts))
    return made


def entries(record: HandRecord, wallets: dict[str, Wallet]) -> list[Entry]:
    """Return what an import of a record stores, as adapters/commands decides it.

    Args:
        record: Legal, and without a claim.
        wallets: By player, as far as they are known; they go on.
    """
    cause = Cause(f"import:{record.hand}", "import", now())
    hand = play(record, cause)
    assert isinstance(hand, Hand), hand
    for player in players(hand):
        wallets.setdefault(player, Wallet.resume(player, version=0, balance=0))
    sitting = {player: wallets[player] for player in players(hand)}
    deposit_missing(hand, sitting, cause)
    reserve(hand, sitting, cause)
    before = collect(sitting)
    played = hand.collect_events()
    release(hand, sitting, cause)
    return [*before, *played, *collect(sitting)]


def _fact(entry: Entry) -> Fact:
    return Fact(entry.originator_id, entry.event.TOPIC, encode(entry.event))


def _unclaimed(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "settlement"}


def _actions(record: Mapping[str, Any]) -> list[Action]:
    return [recorded.action for recorded in read(line_of(record)).actions]
