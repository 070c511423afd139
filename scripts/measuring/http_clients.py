"""Clients of a service over HTTP, as plain as they can be, and the service as a process."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self
from urllib.parse import quote, urlsplit

import psutil

from domain.zhajinhua.play import Action

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_PATIENCE_S: Final = 120.0
_PAUSE_S: Final = 0.05

SERVE: Final = ("-m", "adapters.cli", "serve", "--json", "--port", "0")
BARE: Final = ("-m", "scripts.measuring.bare")


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
        _until_it_listens(url.hostname, url.port)
        yield Service(url.hostname, url.port, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.communicate(timeout=_PATIENCE_S)


def _until_it_listens(host: str, port: int) -> None:
    """Wait until a service takes connections: several processes listen later than their parent."""
    while True:
        try:
            socket.create_connection((host, port), _PATIENCE_S).close()
        except ConnectionRefusedError:
            time.sleep(_PAUSE_S)
        else:
            return


class Request(NamedTuple):
    """A command, and how it is sent."""

    command_id: str
    sent: bytes


def opening(record: Mapping[str, Any], key: str) -> Request:
    """Return what opens the hand of a record."""
    fields = ("hand", "rulebook", "table", "dealer", "opener", "seats", "deal", "bonus_draws")
    body = {name: record[name] for name in fields if name in record}
    return _command("/v1/hands", f"open:{record['hand']}", body, key)


def acting(hand: str, actions: Sequence[Action], key: str) -> Iterator[Request]:
    """Yield what plays a hand, an action a request."""
    address = f"/v1/hands/{quote(hand, safe='')}/actions"
    for at, action in enumerate(actions):
        given = {
            "do": action.do,
            "seat": action.seat,
            "stake": action.stake,
            "with": action.target,
            "amount": action.amount,
        }
        body = {name: value for name, value in given.items() if value is not None}
        yield _command(address, f"{hand}:{at}", body, key)


def _command(address: str, command_id: str, body: Mapping[str, Any], key: str) -> Request:
    content = json.dumps(body).encode()
    head = (
        f"POST {address} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {key}\r\n"
        f'Idempotency-Key: "{command_id}"\r\nContent-Type: application/json\r\n'
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return Request(command_id, head.encode() + content)


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes


class Connection:
    """One connection that is kept."""

    def __init__(
        self, service: Service, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Speak on streams that are open."""
        self._service, self._reader, self._writer = service, reader, writer
        self._was_last = False  # the answer before; the service hangs up after it

    @classmethod
    async def to(cls, service: Service) -> Self:
        """Connect."""
        return cls(service, *await asyncio.open_connection(service.host, service.port))

    def close(self) -> None:
        """Hang up."""
        self._writer.close()

    async def ask(self, request: Request) -> Answer:
        """Send a request, and wait for the answer; after one that was the last, connect anew.

        Raises:
            OSError: The connection broke off.
            asyncio.IncompleteReadError: In the middle of the answer.
        """
        if self._was_last:
            self.close()
            streams = await asyncio.open_connection(self._service.host, self._service.port)
            self._reader, self._writer = streams
        if self._writer.is_closing():
            raise ConnectionResetError  # what is written would be dropped without a word
        self._writer.write(request.sent)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        self._was_last = b"\r\nconnection: close\r\n" in head
        size = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        return Answer(int(head[9:12]), await self._reader.readexactly(size))


@asynccontextmanager
async def connected(service: Service, count: int) -> AsyncIterator[list[Connection]]:
    """Lend so many connections."""
    connections = [await Connection.to(service) for _ in range(count)]
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()
