"""Hands played on a ledger, for tests: who sits down with how much, and what is done."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.commands.execution import Receipt
from adapters.commands.history import History
from adapters.ledger import Ledger
from domain.zhajinhua.play import Action

DEAL: Mapping[int, str] = {1: "AsAdAh", 2: "2c4d7h"}  # seat 1 wins whatever is compared
TABLE: Mapping[str, object] = {"ante": 500, "max_stake": 10_000}
CARRY = 50_000

VECTORS = Path(__file__).parents[1] / "vectors"


def fund(ledger: Ledger, *players: str, amount: int = CARRY) -> None:
    """Give each player so much."""
    for player in players:
        ledger.deposit(player, amount, command_id=f"fund:{player}")


def sit_down(
    ledger: Ledger,
    hand: str = "h-1",
    *,
    players: tuple[str, str] = ("ann", "bob"),
    carry: int = CARRY,
    command_id: str | None = None,
    **more: Any,
) -> Receipt:
    """Open a hand of two: the first player, in seat 1, has the better cards."""
    given: dict[str, Any] = {
        "table": TABLE,
        "dealer": 2,
        "seats": [
            {"seat": seat, "player": player, "carry": carry}
            for seat, player in enumerate(players, start=1)
        ],
        "deal": DEAL,
    }
    return ledger.open_hand(
        hand,
        "jiuyou",
        command_id=command_id or f"open:{hand}",
        actor="table-1",
        **(given | more),
    )


def do(
    ledger: Ledger, seat: int, verb: str, *, hand: str = "h-1", command_id: str = "", **more: Any
) -> Receipt:
    """Take one action; ``version`` is what the actor expects."""
    version = more.pop("version", None)
    return ledger.act(
        hand,
        Action(verb, seat, **more),
        command_id=command_id or f"{hand}:{seat}:{verb}:{version}",
        actor=f"seat-{seat}",
        expected_version=version,
    )


def balance(ledger: Ledger, player: str) -> int:
    """Return what a player has outside any hand, minor units."""
    return History(ledger.store).wallets([player])[player].balance


def vectors(name: str) -> list[dict[str, Any]]:
    """Return the hand records of a vector file."""
    lines = (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def lines(*records: Mapping[str, Any]) -> list[str]:
    """Return records as the lines of a file."""
    return [json.dumps(record) for record in records]
