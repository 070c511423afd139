"""A crowd of clients on several workers, one of which is killed; and imports of any length.

With ``--long`` both go on for much longer.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest

from adapters.client import AsyncClient, Client
from adapters.http_api.serving import ANSWERING_S, metrics_directory
from adapters.simulation.hands import simulate
from tests.adapters.http_api.answered import differences
from tests.adapters.http_api.playing import opening
from tests.adapters.http_api.processes import busiest, workers
from tests.adapters.http_api.test_serve import KEYS, PATIENCE_S, serving
from tests.adapters.play import CARRY

CLIENTS = 32
ROUNDS = 3  # of calls before somebody folds


class Counting(httpx2.AsyncHTTPTransport):
    """One connection that is kept, and how often it broke off."""

    def __init__(self) -> None:
        super().__init__(limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1))
        self.broken = 0

    async def handle_async_request(self, request):
        """Carry a request."""
        try:
            return await super().handle_async_request(request)
        except httpx2.TransportError:
            self.broken += 1
            raise


async def play(
    client: AsyncClient, number: int, hands: int, answered: dict[str, tuple[int, int]]
) -> None:
    """Play hands, an action a request; each command is told once it is answered."""

    async def give(name: str, *given: Any, **named: Any) -> None:
        receipt = await getattr(client, name)(*given, **named)
        assert named["key"] not in answered
        answered[named["key"]] = (receipt.first_position, receipt.last_position)

    players = (f"p{number}a", f"p{number}b")
    for player in players:
        await give("deposit", player, hands * CARRY, key=f"fund:{player}")
    for n in range(hands):
        hand = f"t{number}/{n}"
        given = opening(hand, players, deal={1: "AsAdAh", 2: "2c4d7h"})
        given = {name: value for name, value in given.items() if name not in ("hand", "rulebook")}
        await give("open_hand", hand, "jiuyou", **given, key=f"open:{hand}")
        for turn in range(2 * ROUNDS):
            seat = turn % 2 + 1
            await give("act", hand, "call", seat=seat, key=f"{hand}:{turn}")
        await give("act", hand, "fold", seat=1, key=f"{hand}:fold")


async def crowd(url: str, key: str, hands: int, answered: dict[str, tuple[int, int]]) -> int:
    """Let all clients play at once, each on a connection of its own; tell how often one broke."""
    transports = [Counting() for _ in range(CLIENTS)]
    clients = [
        AsyncClient(url, key=key, transport=transport, patience_s=PATIENCE_S)
        for transport in transports
    ]
    await asyncio.gather(*(play(c, n, hands, answered) for n, c in enumerate(clients)))
    await asyncio.gather(*(client.close() for client in clients))
    return sum(transport.broken for transport in transports)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "asked to stop"])
def test_no_command_is_lost_or_doubled_when_a_worker_ends(store_dsn, long, end):
    """What is stored is what was answered: every command once, at the positions that were told."""
    hands = 40 if long else 2
    due = CLIENTS * (2 + hands * (2 + 2 * ROUNDS))
    answered: dict[str, tuple[int, int]] = {}
    with serving(store_dsn, "--workers", "2") as (process, address):

        def strike() -> None:
            while len(answered) < due // 3:
                time.sleep(0.001)
            struck.append(len(answered))
            victim = busiest(process.pid)
            if end == signal.SIGKILL:  # not before somebody waits for it
                victim.suspend()
                time.sleep(0.5)
            victim.send_signal(end)

        struck: list[int] = []
        striking = threading.Thread(target=strike, daemon=True)
        striking.start()
        broken = asyncio.run(crowd(f"http://{address}", KEYS[address], hands, answered))
        striking.join()

    assert struck[0] < due == len(answered)
    if end == signal.SIGKILL:
        assert broken > 0  # some were waiting for the one that was killed
    assert list(differences(store_dsn, answered)) == []


def test_a_worker_that_dies_while_it_is_asked_is_replaced_at_once(store_dsn):
    """It is stopped until the question is on its way, and then killed."""
    with serving(store_dsn, "--workers", "2") as (process, _):
        victim = workers(process.pid)[0]
        victim.suspend()
        time.sleep(2)  # several times as long as between two looks
        victim.kill()
        started = time.monotonic()
        while len(alive := workers(process.pid)) < 2 or victim in alive:
            assert time.monotonic() - started < ANSWERING_S / 2
            time.sleep(0.1)

    assert len(alive) == 2


def test_what_killed_supervisors_left_behind_goes(tmp_path, monkeypatch):
    """The directories of those that live stay, and whatever is no such directory."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    for name in (f"{gone.pid}-a", f"{os.getpid()}-b", "old", "old-c"):
        (tmp_path / f"jinhua-metrics-{name}").mkdir()

    with metrics_directory() as made:
        left = {path.name.removeprefix("jinhua-metrics-") for path in tmp_path.iterdir()}

    mine = Path(made).name.removeprefix("jinhua-metrics-")
    assert left == {mine, f"{os.getpid()}-b", "old", "old-c"}
    assert not Path(made).exists()


# --- memory ----------------------------------------------------------------------------

LINE = 16_384  # bytes of a record, most of them blanks: all of them together are no small thing
GROWTH_MAX = 24 * 2**20


def finished(count: int, prefix: str) -> Iterator[bytes]:
    """Yield hands to import, one after the other."""
    patterns = list(simulate("jiuyou", hands=40, seed=7))
    for n in range(count):
        record = {**patterns[n % len(patterns)], "hand": f"{prefix}/{n}"}
        record.pop("settlement", None)
        yield json.dumps(record).encode().ljust(LINE)


@contextmanager
def watching(process: psutil.Process) -> Iterator[list[int]]:
    """Note now and then how much memory a process has, bytes."""
    noted, over = [process.memory_info().rss], threading.Event()

    def look() -> None:
        while not over.wait(0.05):
            noted.append(process.memory_info().rss)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield noted
    finally:
        over.set()
        thread.join()


def test_an_import_of_any_length_takes_no_more_memory(store_dsn, long):
    """However much is sent, and told of it."""
    count = 50_000 if long else 2_000
    with (
        serving(store_dsn) as (process, address),
        Client(f"http://{address}", key=KEYS[address]) as client,
    ):
        for warming in range(2):  # what is remembered of texts and figures that recur fills up
            few = finished(max(300, count // 20), f"w{warming}")
            list(client.import_hands(few, deposit=True))
        with watching(psutil.Process(process.pid)) as noted:
            told = list(client.import_hands(finished(count, "t"), deposit=True))

    assert told[-1]["summary"]["stored"] == count
    assert count * LINE > GROWTH_MAX
    assert max(noted) - noted[0] < GROWTH_MAX, (noted[0], max(noted))
