"""Over HTTP while a worker is killed: how fast it is, and what is lost or doubled.

Clients that keep their connections play at tables of their own, one command a request; each opens
a hand, plays it to its end, and opens the next. In the middle of the time the worker that most of
them are connected to is killed (``kill -9``). Whoever was not answered connects again, to whichever
worker takes it, and gives the same command under the same key, until it is answered.

Afterwards the store is asked: each answered command is to be there once, at the positions that were
told, and nothing else; and everything is verified. The bare endpoint is given the same requests
before and after, and nobody kills it.
"""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import mean
from typing import Any, Final

import uvloop

from adapters.ledger import Ledger
from adapters.registers.api_keys import Role, make_key
from adapters.store.postgres import Store
from scripts.measuring import ours
from scripts.measuring.http_clients import (
    BARE,
    SERVE,
    Answer,
    Connection,
    Request,
    Service,
    acting,
    opening,
    served,
)
from scripts.measuring.material import Material
from scripts.measuring.over_http import CLIENTS
from scripts.measuring.pairs import Measured, Scale
from scripts.measuring.servers import scratch
from scripts.measuring.timing import Tell, percentile
from tests.adapters.http_api.answered import differences
from tests.adapters.http_api.processes import busiest

SHARE_OF_BARE: Final = 0.25
"""For which part of the time the bare endpoint is asked, each time."""

_WARMING_S: Final = 1.0  # until whatever is slow once is over
_PAUSE_S: Final = 0.05  # before a command is given again
_FAULTS_SHOWN: Final = 5


class Crowd:
    """Clients that play, and what each was answered."""

    def __init__(self, service: Service, material: Material, key: str) -> None:
        """Let them play hands of the material."""
        self._service, self._material, self._key = service, material, key
        self.answered: dict[str, tuple[int, int]] = {}
        self.again: dict[str, str] = {}  # what those were told that were given again, by command
        self.broken = 0  # connections
        self.busy = 0  # answers that said: come again
        self.latencies: list[float] = []  # from the first try to the answer
        self.seconds = 0.0

    @property
    def rate(self) -> float:
        """How many were answered a second."""
        return len(self.latencies) / self.seconds

    def play(self, seconds: float) -> None:
        """Let all play until the time is over; what is begun then is finished."""
        self.latencies.clear()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._play(seconds))

    async def _play(self, seconds: float) -> None:
        started = time.perf_counter()
        until = started + seconds
        await asyncio.gather(*(self._sit(client, until) for client in range(CLIENTS)))
        self.seconds = time.perf_counter() - started

    async def _sit(self, client: int, until: float) -> None:
        connection: Connection | None = None
        for request in self._requests(client):
            started = time.perf_counter()
            if started >= until:
                break
            connection = await self._give(request, connection)
            self.latencies.append(time.perf_counter() - started)
        if connection is not None:
            connection.close()

    def _requests(self, client: int) -> Iterator[Request]:
        for record, actions in self._material.endless(_who(client)):
            yield opening(record, self._key)
            yield from acting(record["hand"], actions, self._key)

    async def _give(self, request: Request, connection: Connection | None) -> Connection:
        """Give a command until it is answered; return the connection to go on with."""
        is_again = False
        while True:
            try:
                if (
                    connection is None
                ):  # a worker that is killed also breaks what waits to be let in
                    connection = await Connection.to(self._service)
                answer = await connection.ask(request)
                if answer.status in {200, 201}:
                    self._note(request, answer, is_again=is_again)
                    return connection
                assert answer.status == 503, (request, answer)  # noqa: PLR2004 - come again
                self.busy += 1
            except (OSError, asyncio.IncompleteReadError):
                self.broken += 1
                if connection is not None:
                    connection.close()
                    connection = None
            is_again = True
            await asyncio.sleep(_PAUSE_S)

    def _note(self, request: Request, answer: Answer, *, is_again: bool) -> None:
        receipt = json.loads(answer.body)
        assert request.command_id not in self.answered, request
        self.answered[request.command_id] = (receipt["first_position"], receipt["last_position"])
        if is_again:
            self.again[request.command_id] = receipt["status"]


def measure(dsn: str, scale: Scale, workers: int, tell: Tell) -> Measured:
    """Play for so many seconds, kill in the middle, and prove what is stored."""
    tell(f"inventing {scale.distinct} hands")
    material = Material(scale.distinct)
    with scratch(dsn) as database, Store(database) as store, Ledger(Store(database)) as ledger:
        key = make_key(store, Role.SERVICE, name=ours.ACTOR)
        funded = _fund(ledger, material)
        serve = [*SERVE, "--workers", str(workers), "--dsn", database]
        bare: list[Crowd] = []

        def ask_bare(service: Service) -> None:
            bare.append(Crowd(service, material, key))
            bare[-1].play(_WARMING_S)
            bare[-1].play(scale.seconds * SHARE_OF_BARE)
            tell(f"bare: {bare[-1].rate:,.0f} a second")

        with served(serve) as our, served([*BARE, str(workers)]) as barely:
            ask_bare(barely)
            crowd = Crowd(our, material, key)
            crowd.play(_WARMING_S)
            killing = threading.Timer(scale.seconds / 2, lambda: busiest(our.process.pid).kill())
            killing.start()
            crowd.play(scale.seconds)
            killing.join()
            tell(f"ours: {crowd.rate:,.0f} a second")
            ask_bare(barely)
        tell("proving what is stored")
        faults = list(differences(database, {**funded, **crowd.answered}))
    return Measured(
        {"http_killed_vs_bare": crowd.rate / mean(one.rate for one in bare)},
        {
            "http_killed": {
                "clients": CLIENTS,
                "workers": workers,
                "bare_per_s": round(mean(one.rate for one in bare), 1),
                **_described(crowd),
                "faults": len(faults),
                **({"first_faults": faults[:_FAULTS_SHOWN]} if faults else {}),
            }
        },
    )


def _described(crowd: Crowd) -> dict[str, Any]:
    told = list(crowd.again.values())
    return {
        "seconds": round(crowd.seconds, 1),
        "answered": len(crowd.answered),
        "per_s": round(crowd.rate, 1),
        "p50_ms": round(percentile(crowd.latencies, 0.50) * 1000, 2),
        "p99_ms": round(percentile(crowd.latencies, 0.99) * 1000, 2),
        "max_ms": round(max(crowd.latencies) * 1000, 2),
        "connections_broken": crowd.broken,
        "told_to_come_again": crowd.busy,
        "given_again": len(told),
        "of_these_stored_before": told.count("replayed"),
        "of_these_stored_then": told.count("applied"),
    }


def _who(client: int) -> str:
    """Return what the names of a client's players begin with."""
    return f"w{client}-"


def _fund(ledger: Ledger, material: Material) -> dict[str, tuple[int, int]]:
    """Make everybody rich; return where that is stored, by command."""
    seats = {seat["player"] for record in material.records for seat in record["seats"]}
    players = [f"{_who(client)}{name}" for client in range(CLIENTS) for name in sorted(seats)]

    def fund(player: str) -> tuple[str, tuple[int, int]]:
        command_id = f"fund:{player}"
        told = ledger.deposit(player, ours.PURSE, command_id=command_id, actor=ours.ACTOR)
        return command_id, (told.first_position, told.last_position)

    with ThreadPoolExecutor(CLIENTS) as pool:
        return dict(pool.map(fund, players))
