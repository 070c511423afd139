"""What holds for every request: its size, its time, security headers, and no stack trace ever.

Written against ASGI itself: nothing here waits, or copies a body.
"""

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.http_api.errors import InternalError, RequestTooLargeError, TooSlowError
from adapters.http_api.paths import canonical
from adapters.http_api.problems import logged, problem, respond

BODY_MAX: Final = 2 * 1024 * 1024
"""Bytes of a request; those of a stream are limited line by line."""

TIMEOUT_S: Final = 30.0
"""How long a request may take; a stream may take as long as it likes."""

STREAMS: Final = frozenset({"/v1/imports", "/v1/events"})

_HEADERS: Final = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
"""On every answer that does not say otherwise."""


class Guard:
    """Stands between the server and the application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        body_max: int = BODY_MAX,
        timeout_s: float = TIMEOUT_S,
        streams: frozenset[str] = STREAMS,
    ) -> None:
        self._app = app
        self._streams = streams
        self._body_max = body_max
        self._timeout_s = timeout_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and answer in the application's place where it cannot."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = canonical(scope["raw_path"])
        is_stream = path in self._streams
        exchange = _Exchange(receive, send, None if is_stream else self._body_max)
        error: Exception | None = None
        try:
            exchange.check_length(scope)
            async with asyncio.timeout(None if is_stream else self._timeout_s):
                scope["path"] = path  # in place: whoever is outside sees which route it came to
                await self._app(scope, exchange.receive, exchange.send)
        except RequestTooLargeError as too_large:
            error = too_large
        except TimeoutError:
            seconds = f"{self._timeout_s:g} s"
            error = TooSlowError(f"there was no answer within {seconds}; give it again as it was")
        except Exception as fault:  # noqa: BLE001 - whatever it is, nobody outside is told
            logged(fault)
            error = InternalError("a fault of this service; it was logged")
        error = exchange.too_large or error
        if error is not None and not exchange.has_begun:
            await respond(problem(error))(scope, receive, exchange.answer)


class _Exchange:
    """One request and its answer, as they pass."""

    def __init__(self, receive: Receive, send: Send, body_max: int | None) -> None:
        self._receive, self._send = receive, send
        self._body_max = body_max
        self._received = 0
        self.has_begun = False  # the answer
        self.too_large: RequestTooLargeError | None = None

    def check_length(self, scope: Scope) -> None:
        """Refuse at once what says that it is too long.

        Raises:
            RequestTooLargeError: It does.
        """
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit():
                self._count(int(value))
                self._received = 0

    async def receive(self) -> Message:
        """Pass a part of the request on."""
        message = await self._receive()
        if message["type"] == "http.request":
            self._count(len(message.get("body", b"")))
        return message

    async def send(self, message: Message) -> None:
        """Pass a part of the answer on; of a request that is too long there is another answer."""
        if self.too_large is None:
            await self.answer(message)

    async def answer(self, message: Message) -> None:
        """Pass a part of an answer on, with what every answer has."""
        if message["type"] == "http.response.start":
            self.has_begun = True
            own = {name for name, _ in message["headers"]}
            missing = [header for header in _HEADERS if header[0] not in own]
            message = {**message, "headers": [*message["headers"], *missing]}
        await self._send(message)

    def _count(self, size: int) -> None:
        self._received += size
        if self._body_max is not None and self._received > self._body_max:
            text = f"a request of {self._received} bytes or more; at most {self._body_max} are read"
            self.too_large = RequestTooLargeError(text)
            raise self.too_large
