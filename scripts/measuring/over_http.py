"""Over HTTP: clients that keep their connections, one action a request, against a bare endpoint.

Ours: `jinhua serve`, so many workers on one store; each client plays hands of its own, opened
beforehand, and waits for each answer before it goes on. A key is looked at, the hand is read back,
the rules decide, and the answer comes once the action is committed.

Bare: the same framework on the same server with as many workers, given the same requests. It reads
the body as the same type, and answers a constant of the same size; there is no key and no store.

The clients speak HTTP as plainly as it goes, from this process, and are the same for both.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

import psutil
import uvloop

from adapters.api_keys import Role, make_key
from adapters.ledger import Ledger
from adapters.postgres import Store
from domain.zhajinhua.play import Action
from scripts.measuring import ours
from scripts.measuring.material import Material
from scripts.measuring.pairs import Measured, Scale, turns
from scripts.measuring.servers import scratch
from scripts.measuring.timing import Tell, Window, cpu_each, described, percentile, ratio

CLIENTS: Final = 32

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_SERVE: Final = ("-m", "adapters.cli", "serve", "--json", "--port", "0")
_BARE: Final = ("-m", "scripts.measuring.bare")
_PATIENCE_S: Final = 120.0


def measure(dsn: str, scale: Scale, workers: int, tell: Tell) -> Measured:
    """Measure both sides on a server, in turns."""
    tell(f"inventing {scale.distinct} hands")
    material = Material(scale.distinct)
    with scratch(dsn) as database, Store(database) as store, Ledger(Store(database)) as ledger:
        key = make_key(store, Role.SERVICE, name=ours.ACTOR)
        serve = [*_SERVE, "--workers", str(workers), "--dsn", database]
        with served(serve) as our, served([*_BARE, str(workers)]) as bare:
            tables = Tables(ledger, material)

            def ours_plays() -> Window:
                return tables.played(our, key, scale.seconds)

            def bare_answers() -> Window:
                # The same requests; it matters to nobody what becomes of them.
                played = [repeated(table) for table in tables.last]
                return together(bare, [requests(table, key) for table in played], scale.seconds)

            ours_plays()  # whatever is slow once is over
            bare_answers()
            sides = {"ours": ours_plays, "bare": bare_answers}
            found = turns(sides, scale._replace(turns_s=inf), "http", tell)
    p99 = {
        side: percentile([one for window in windows for one in window.latencies], 0.99)
        for side, windows in found.items()
    }
    return Measured(
        {
            "http_vs_bare": ratio(found["ours"], found["bare"]),
            "http_p99_vs_bare": p99["bare"] / p99["ours"],
            "http_cpu_vs_bare": cpu_each(found["bare"]) / cpu_each(found["ours"]),
        },
        {
            "http": {
                "clients": CLIENTS,
                "workers": workers,
                **{side: _described(windows) for side, windows in found.items()},
            }
        },
    )


class Tables(ours.Tables):
    """Hands that are opened before the clock starts, and played over HTTP."""

    def __init__(self, ledger: Ledger, material: Material) -> None:
        super().__init__(ledger, material)
        self.last: list[ours.Table] = []  # as they were played

    def played(self, service: "Service", key: str, seconds: float) -> Window:
        """Let every client play at tables of its own."""
        self.last = self._open(CLIENTS, seconds)
        window = together(service, [requests(table, key) for table in self.last], seconds)
        self._per_s[CLIENTS] = max(window.rate, 50.0)
        return window


class Service(NamedTuple):
    """A service that runs."""

    host: str
    port: int
    process: psutil.Process

    @property
    def cpu(self) -> float:
        """The processor time of all its processes, seconds; that of the store is not in it."""
        processes = [self.process, *self.process.children(recursive=True)]
        return sum(sum(process.cpu_times()[:2]) for process in processes)


@contextmanager
def served(words: Sequence[str]) -> Iterator[Service]:
    """Run a service, and lend it once it says that it is ready."""
    process = subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, text=True, cwd=_ROOT
    )
    try:
        assert process.stdout is not None
        url = urlsplit(json.loads(process.stdout.readline())["ready"])
        assert url.hostname is not None
        assert url.port is not None
        yield Service(url.hostname, url.port, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.communicate(timeout=_PATIENCE_S)


def _described(windows: Sequence[Window]) -> dict[str, float | str]:
    figures = described(windows, "actions")
    figures["server_cpu_us"] = figures.pop("client_cpu_us", 0.0)
    return figures


def repeated(table: ours.Table) -> ours.Table:
    """Return a table that goes on for ever, as far as one window is concerned."""
    return list(table) * 1_000


def requests(table: ours.Table, key: str) -> Iterator[bytes]:
    """Yield the requests that play a table, one after the other."""
    for hand, actions in table:
        address = f"/v1/hands/{quote(hand, safe='')}/actions"
        for at, action in enumerate(actions):
            body = json.dumps(_body(action)).encode()
            head = (
                f"POST {address} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {key}\r\n"
                f'Idempotency-Key: "{hand}:{at}"\r\nContent-Type: application/json\r\n'
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            yield head.encode() + body


def _body(action: Action) -> dict[str, object]:
    given = {
        "do": action.do,
        "seat": action.seat,
        "stake": action.stake,
        "with": action.target,
        "amount": action.amount,
    }
    return {name: value for name, value in given.items() if value is not None}


def together(service: Service, clients: Sequence[Iterator[bytes]], seconds: float) -> Window:
    """Let clients ask at once, each on a connection that it keeps, until the time is over.

    Returns:
        What was done; its processor time is the service's.
    """

    async def ask() -> Window:
        connections = [await asyncio.open_connection(service.host, service.port) for _ in clients]
        cpu, started = service.cpu, time.perf_counter()
        until = started + seconds
        found = await asyncio.gather(
            *(
                _asking(reader, writer, asked, until)
                for (reader, writer), asked in zip(connections, clients, strict=True)
            )
        )
        took, cpu = time.perf_counter() - started, service.cpu - cpu
        for _, writer in connections:
            writer.close()
        latencies = [latency for one in found for latency in one]
        return Window(len(latencies), took, latencies, cpu=cpu)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(ask())


async def _asking(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    asked: Iterator[bytes],
    until: float,
) -> list[float]:
    """Ask one after the other; return how long each answer took, seconds."""
    latencies = []
    ended = time.perf_counter()
    while ended < until and (request := next(asked, None)) is not None:
        started = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        body = await reader.readexactly(size)
        assert head.startswith(b"HTTP/1.1 200 "), (request, head, body)
        ended = time.perf_counter()
        latencies.append(ended - started)
    return latencies
