"""Races: several writers at the same hand, the same wallet, the same command."""

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest

from adapters.ledger import Ledger
from adapters.store.postgres import Store
from domain.errors import RefusalError
from tests.adapters.play import balance, do, fund, sit_down

ROUNDS = 25


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Do everything at the same moment; return what each came to, a refusal as its code."""
    barrier = threading.Barrier(len(works))

    def start(work: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return work()
        except RefusalError as refusal:
            return refusal.code

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(start, works))


@pytest.fixture
def wide(store_dsn: str):
    """A ledger with a connection for each of many threads."""
    with Ledger(Store(store_dsn, connections_max=20)) as ledger:
        yield ledger


def codes(outcomes: Sequence[Any]) -> Counter[str]:
    """Count statuses and refusal codes."""
    return Counter(getattr(outcome, "status", outcome) for outcome in outcomes)


# Waits for a line before each round, so that both processes act at the same moment.
WRITER = """
import sys
from adapters import logs
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from domain.errors import ConflictError
from domain.zhajinhua.play import Action

logs.configure()
me, dsn = sys.argv[1:]
with Ledger(Store(dsn)) as ledger:
    print("ready", flush=True)
    for line in sys.stdin:
        hand = line.strip()
        try:
            receipt = ledger.act(
                hand, Action("call", 1), command_id=f"{hand}:{me}", actor=me, expected_version=4
            )
            print(receipt.status, receipt.last_position, flush=True)
        except ConflictError as conflict:
            print(conflict.code, conflict.expected, conflict.actual, flush=True)
"""


def told(writer: "subprocess.Popen[str]") -> IO[str]:
    """Return where a writer is spoken to."""
    assert writer.stdin is not None
    return writer.stdin


def heard(writer: "subprocess.Popen[str]") -> list[str]:
    """Return the words of a writer's next line."""
    assert writer.stdout is not None
    return writer.stdout.readline().split()


def test_two_processes_at_one_hand(ledger, store_dsn):
    """One wins, the other is told of the conflict with both versions; nothing is doubled."""
    fund(ledger, "ann", "bob", amount=50_000 * ROUNDS)
    root = Path(__file__).parents[3]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, name, store_dsn],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        for name in ("left", "right")
    ]
    try:
        assert [heard(writer) for writer in writers] == [["ready"]] * 2
        for number in range(ROUNDS):
            hand = f"h-{number}"
            sit_down(ledger, hand)
            for writer in writers:
                told(writer).write(f"{hand}\n")
            answers = sorted(heard(writer) for writer in writers)

            rows = ledger.hand(hand)
            assert answers == [["applied", str(rows[-1].position)], ["conflict", "4", "5"]]
            assert [row.entry.originator_version for row in rows] == [1, 2, 3, 4, 5]
    finally:
        for writer in writers:
            writer.communicate()
    assert list(ledger.verify()) == []


def test_twenty_at_one_version_of_a_hand(wide):
    """One success, nineteen conflicts, and stored is what was answered."""
    fund(wide, "ann", "bob")
    sit_down(wide)

    outcomes = at_once(
        *(lambda n=n: do(wide, 1, "call", command_id=f"a-{n}", version=4) for n in range(20))
    )

    assert codes(outcomes) == {"applied": 1, "conflict": 19}
    (applied,) = (outcome for outcome in outcomes if not isinstance(outcome, str))
    assert wide.hand("h-1")[-1].entry.cause.command_id == applied.command_id
    kept = wide.refusals("h-1")
    assert Counter(refusal.code for refusal in kept) == {"conflict": 19}
    assert {refusal.command_id for refusal in kept} == (
        {f"a-{n}" for n in range(20)} - {applied.command_id}
    )


def test_six_reservations_of_a_thousand_out_of_five_thousand(wide):
    """Five are accepted; the wallet ends at zero and never below."""
    players = [f"p{number}" for number in range(6)]
    fund(wide, *players, amount=1_000)
    fund(wide, "ann", amount=5_000)

    outcomes = at_once(
        *(
            lambda n=n, player=player: sit_down(
                wide, f"h-{n}", players=("ann", player), carry=1_000
            )
            for n, player in enumerate(players)
        )
    )

    assert codes(outcomes) == {"applied": 5, "insufficient_funds": 1}
    assert balance(wide, "ann") == 0
    assert sum(balance(wide, player) for player in players) == 1_000
    assert list(wide.verify()) == []


def test_withdrawals_race_for_the_last_chips(wide):
    """Whoever comes too late is refused, whatever the order."""
    for number in range(10):
        wide.deposit(f"ann-{number}", 300, command_id=f"d-{number}")

        outcomes = at_once(
            *(
                lambda n=n, number=number: wide.withdraw(
                    f"ann-{number}", 100, command_id=f"w-{number}-{n}"
                )
                for n in range(8)
            )
        )

        assert codes(outcomes) == {"applied": 3, "insufficient_funds": 5}
        assert balance(wide, f"ann-{number}") == 0


def test_many_overdraft_races_end_at_what_was_there(wide):
    """Whatever a seed lets eight writers take and bring in, no wallet is ever below zero."""
    for seed in range(12):
        chance = Random(seed)  # noqa: S311 - a test's own, by seed
        player = f"ann-{seed}"
        wide.deposit(player, 500, command_id=f"d:{seed}")
        moves = [(wide.withdraw if chance.random() < 0.8 else wide.deposit) for _ in range(8)]
        amounts = [chance.randint(50, 400) for _ in range(8)]

        outcomes = at_once(
            *(
                partial(move, player, amount, command_id=f"{seed}:{n}")
                for n, (move, amount) in enumerate(zip(moves, amounts, strict=True))
            )
        )

        rows = wide.recorder.select_events(f"wallet:{player}")
        balances = [json.loads(row.state)["balance"] for row in rows]
        signed = (
            amount if move == wide.deposit else -amount
            for move, amount, outcome in zip(moves, amounts, outcomes, strict=True)
            if outcome != "insufficient_funds"
        )
        assert min(balances) >= 0
        assert balances[-1] == balance(wide, player) == 500 + sum(signed)
        kept = [k.command_id for k in wide.refusals() if k.stream == f"wallet:{player}"]
        refused = [n for n, outcome in enumerate(outcomes) if outcome == "insufficient_funds"]
        assert sorted(kept) == [f"{seed}:{n}" for n in refused]
    assert list(wide.verify()) == []


def test_a_player_at_many_tables_conflicts_at_none(wide):
    """One wallet under eight hands that open and end at once: tried again inside, told nobody."""
    players = [f"p{n}" for n in range(8)]
    fund(wide, *players, amount=1_000)
    fund(wide, "ann", amount=8_000)

    def play(n: int) -> list[str]:
        hand = f"h-{n}"
        receipts = [
            sit_down(wide, hand, players=("ann", players[n]), carry=1_000),
            do(wide, 1, "call", hand=hand),
            wide.void_hand(hand, "misdeal", command_id=f"v-{n}", actor="floor"),
        ]
        return [receipt.status for receipt in receipts]

    outcomes = at_once(*(partial(play, n) for n in range(8)))

    assert outcomes == [["applied"] * 3] * 8
    assert balance(wide, "ann") == 8_000
    assert wide.refusals() == []


def test_the_same_command_from_eight_sides(wide):
    """It is applied once; all the others get the same answer."""
    outcomes = at_once(*[lambda: wide.deposit("ann", 5, command_id="d-1")] * 8)

    assert codes(outcomes) == {"applied": 1, "replayed": 7}
    assert len({outcome[1:] for outcome in outcomes}) == 1
    assert balance(wide, "ann") == 5


def test_one_hand_opened_from_eight_sides(wide):
    """One opening is applied; the others find the hand there. No carry is reserved twice."""
    fund(wide, "ann", "bob", amount=1_000_000)

    outcomes = at_once(*(lambda n=n: sit_down(wide, command_id=f"o-{n}") for n in range(8)))

    assert codes(outcomes) == {"applied": 1, "hand_exists": 7}
    assert balance(wide, "ann") == balance(wide, "bob") == 950_000


def test_many_deposits_into_one_wallet(wide):
    """None is lost to another that was faster, and none conflicts."""
    outcomes = at_once(
        *(
            lambda n=n: [wide.deposit("ann", 1, command_id=f"{n}-{k}").status for k in range(10)]
            for n in range(16)
        )
    )

    assert json.dumps(outcomes) == json.dumps([["applied"] * 10] * 16)
    assert balance(wide, "ann") == 160
