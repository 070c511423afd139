"""What holds for every request and its answer: how large, how long, and which headers keep it safe.

Written against ASGI itself: nothing here waits, or copies a body.
"""

import asyncio
from typing import Final

from starlette.types import Message, Receive, Send

from adapters.http_api.errors import RequestTooLargeError, TooSlowError

BODY_MAX: Final = 2 * 1024 * 1024
"""Bytes of a request; those of a stream are limited line by line."""

TIMEOUT_S: Final = 30.0
"""How long a request may take; a stream may take as long as it likes."""

LAST_OF: Final = 251
"""One answer of so many is the last on its connection, where several processes serve.

Whoever had it connects anew: so connections spread out again after a process was replaced. A prime,
so that of clients who take turns it is not always the same.
"""

STREAMS: Final = frozenset({"/v1/imports", "/v1/events"})

_HEADERS: Final = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
}
"""On every answer that does not say otherwise."""

_ALL: Final = list(_HEADERS.items())

_CLOSE: Final = (b"connection", b"close")


class Deadline:
    """Ends what is done within it with a TooSlowError, once its time is over.

    Works like ``asyncio.timeout``, also one inside the other, at a third of its time: that shows
    in what a command costs.
    """

    def __init__(self, seconds: float) -> None:
        """Give it so many seconds from where it begins."""
        self._seconds = seconds
        self._is_over = False

    def __enter__(self) -> None:
        """Begin."""
        task = asyncio.current_task()
        assert task is not None  # or nothing could be waited for
        self._task, self._cancelled_before = task, task.cancelling()
        self._timer = task.get_loop().call_later(self._seconds, self._give_up)

    def _give_up(self) -> None:
        self._is_over = True
        self._task.cancel()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End; the task goes on for as long as it likes.

        Raises:
            TooSlowError: It was cancelled by this, and by nobody else.
        """
        self._timer.cancel()
        if not self._is_over:
            return
        is_only_this = self._task.uncancel() <= self._cancelled_before
        if is_only_this and kind is asyncio.CancelledError:
            text = f"there was no answer within {self._seconds:g} s; give it again as it was"
            raise TooSlowError(text)


class Exchange:
    """One request and its answer, as they pass."""

    def __init__(
        self,
        receive: Receive,
        send: Send,
        *,
        request_id: str,
        length: bytes,
        body_max: int | None,
        is_last: bool,
    ) -> None:
        """Pass on what is received and sent.

        Args:
            receive: Gives the request.
            send: Takes the answer.
            request_id: The answer says it.
            length: The request's Content-Length, if it has one.
            body_max: How many bytes of a request are read; None reads all.
            is_last: Whether the connection is closed after the answer.
        """
        self._receive, self._send = receive, send
        self._added = [(b"x-request-id", request_id.encode()), *([_CLOSE] if is_last else [])]
        self._length, self._body_max = length, body_max
        self._received = 0
        self.status = 0
        """Of the answer, once it has begun."""
        self.too_large: RequestTooLargeError | None = None

    def check_length(self) -> None:
        """Refuse at once what says that it is too long.

        Raises:
            RequestTooLargeError: It does.
        """
        if self._length.isdigit():
            self._check(int(self._length))

    async def receive(self) -> Message:
        """Pass a part of the request on."""
        message = await self._receive()
        if message["type"] == "http.request":
            self._received += len(message.get("body", b""))
            self._check(self._received)
        return message

    async def send(self, message: Message) -> None:
        """Pass a part of the answer on; of a request that is too long there is another answer."""
        if self.too_large is None:
            await self.answer(message)

    async def answer(self, message: Message) -> None:
        """Pass a part of an answer on, with what every answer has."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = message["headers"]
            said = {name for name, _ in headers} & _HEADERS.keys()
            missing = [one for one in _HEADERS.items() if one[0] not in said] if said else _ALL
            message = {**message, "headers": [*headers, *missing, *self._added]}
        await self._send(message)

    def _check(self, size: int) -> None:
        if self._body_max is not None and size > self._body_max:
            text = f"a request of {size} bytes or more; at most {self._body_max} are read"
            self.too_large = RequestTooLargeError(text)
            raise self.too_large
