"""A proxy in front of PostgreSQL that loses, delays or cuts off what is said to and fro.

It listens on TCP at 127.0.0.1 and speaks to the server's own socket. It reads the protocol far
enough to know a question's SQL and the tag of an answer, so that a fault hits where it is meant to:
``COMMIT`` was carried out, and nobody is told.
"""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

from psycopg.conninfo import conninfo_to_dict, make_conninfo

_HEADER: Final = 5  # a letter and four bytes of length
_QUERY, _PARSE, _BIND = b"Q", b"P", b"B"
_COMPLETE: Final = b"C"
_ENCRYPTION: Final = ((80877103).to_bytes(4, "big"), (80877104).to_bytes(4, "big"))
"""What a client asks first, and is refused: TLS, and GSSAPI."""


class Message(NamedTuple):
    """One message of either side."""

    kind: bytes  # empty for the first of a connection
    body: bytes
    sql: str = ""  # what a question asks, in full or by the name of what was prepared
    answers: str = ""  # in what the server says: what was asked last on its connection

    @property
    def tag(self) -> str:
        """What was carried out, in an answer that says so."""
        return self.body.rstrip(b"\0").decode() if self.kind == _COMPLETE else ""


class Fault(NamedTuple):
    """What happens to the first message that it fits; then it is used up."""

    fits: Callable[[Message], bool]
    delay_s: float | None  # None: the connection is cut instead, and the message lost


def question(word: str, *, delay_s: float | None = None) -> Fault:
    """Lose or delay a question before the server has it."""
    return Fault(lambda message: message.sql.startswith(word), delay_s)


def answer(tag: str, *, delay_s: float | None = None) -> Fault:
    """Lose or delay an answer after the server has done it."""
    return Fault(lambda message: message.tag.startswith(tag), delay_s)


def answer_to(word: str, *, delay_s: float | None = None) -> Fault:
    """Lose or delay the answer to a question after the server has done it."""
    return Fault(lambda message: bool(message.tag) and message.answers.startswith(word), delay_s)


class Proxy:
    """Stands between a store's clients and its server."""

    def __init__(self, dsn: str) -> None:
        """Stand in front of the server that a DSN leads to."""
        self._given = conninfo_to_dict(dsn)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._faults: list[Fault] = []
        self._lock = threading.Lock()
        self._links: list[_Link] = []
        self.happened = 0
        port = str(self._listener.getsockname()[1])
        self.dsn = make_conninfo(dsn, host="127.0.0.1", port=port)

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()

    def next(self, *faults: Fault) -> None:
        """Let these faults happen, each once, whenever a message fits the first that is left."""
        with self._lock:
            self._faults += faults

    def cut(self) -> None:
        """Cut every connection."""
        with self._lock:
            links, self._links = self._links, []
        for link in links:
            link.cut()

    def struck(self, message: Message) -> Fault | None:
        """Return what is to happen to a message, and use it up."""
        with self._lock:
            if self._faults and self._faults[0].fits(message):
                self.happened += 1
                return self._faults.pop(0)
        return None

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                link = _Link(self, client, self._connect())
                with self._lock:
                    self._links.append(link)
                link.start()

    def _connect(self) -> socket.socket:
        host, port = str(self._given.get("host", "127.0.0.1")), int(self._given.get("port") or 5432)
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        server.connect(str(Path(host) / f".s.PGSQL.{port}"))
        return server


class _Link:
    """One client and its connection to the server."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._prepared: dict[bytes, str] = {}
        self._asked_last = ""

    def start(self) -> None:
        for source, target in ((self._client, self._server), (self._server, self._client)):
            threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def cut(self) -> None:
        for end in (self._client, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        """Pass messages on in one direction until something is cut."""
        is_first = source is self._client
        with suppress(OSError), source.makefile("rb") as reading:
            while True:
                head = reading.read(_HEADER - 1 if is_first else _HEADER)
                length = int.from_bytes(head[-4:], "big") - 4
                body = reading.read(length) if len(head) >= _HEADER - 1 else b""
                if not head or len(body) < length:
                    break
                if is_first and body in _ENCRYPTION:
                    source.sendall(b"N")
                    continue
                kind = b"" if is_first else head[:1]
                is_first = False
                fault = self._proxy.struck(self._message(source, kind, body))
                if fault and fault.delay_s is None:
                    break
                if fault and fault.delay_s:
                    time.sleep(fault.delay_s)
                target.sendall(head + body)
        self.cut()

    def _message(self, source: socket.socket, kind: bytes, body: bytes) -> Message:
        """Return a message with the question that it asks, or that it answers."""
        if source is self._server:
            return Message(kind, body, answers=self._asked_last)
        asked = self._asked(kind, body)
        self._asked_last = asked or self._asked_last
        return Message(kind, body, sql=asked)

    def _asked(self, kind: bytes, body: bytes) -> str:
        """Return the SQL of a client's message; what is prepared is asked for again by its name."""
        if kind == _QUERY:
            return body.rstrip(b"\0").decode()
        if kind == _PARSE:
            name, sql, *_ = body.split(b"\0")
            self._prepared[name] = " ".join(sql.decode().split())
            return self._prepared[name]
        return self._prepared[body.split(b"\0")[1]] if kind == _BIND else ""
