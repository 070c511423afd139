"""What is known of every request: its id, a line in the log, and its place in the metrics.

A line names the route, not the path, and nothing of a body or an answer: no card is ever logged.
"""

import re
import time
from functools import cache
from itertools import count
from secrets import token_hex
from typing import Final

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from adapters.http_api.measuring import REQUEST_SECONDS, REQUESTS

_ID: Final = re.compile(rb"[A-Za-z0-9._:+/=-]{1,100}")
_KEY_MAX: Final = 400  # characters of an Idempotency-Key that are logged: all that it may have

_PROCESS: Final = token_hex(10)
_numbers = count(1)

log = structlog.get_logger()

# To look a figure up by its labels takes longer than to count.
_requests = cache(REQUESTS.labels)
_request_seconds = cache(REQUEST_SECONDS.labels)


class Watch:
    """Stands outside of everything else that answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and tell of it once it is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        given = dict(scope["headers"])  # of a header given twice the last; it is only told
        request_id = _request_id(given.get(b"x-request-id", b""))
        status = 0  # of whoever goes away before there is an answer

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message["headers"], (b"x-request-id", request_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        # A request has a task of its own, and what is bound ends with it.
        bind_contextvars(request_id=request_id)
        try:
            await self._app(scope, receive, told)
        finally:
            seconds = time.perf_counter() - started
            operation = getattr(scope.get("route"), "name", "none")
            _requests(operation, status).inc()
            _request_seconds(operation).observe(seconds)
            key = given.get(b"idempotency-key", b"").decode("latin-1")[:_KEY_MAX].strip('"')
            log.info(
                "request_answered",
                operation=operation,
                method=scope["method"],
                status=status,
                ms=round(seconds * 1_000, 2),
                **({"command": key} if key else {}),
            )


def _request_id(given: bytes) -> str:
    """Return the caller's id of a request where it is one, else a new one.

    New ones are counted: to draw each would be a call of the system, and a turn for other threads.
    """
    return given.decode() if _ID.fullmatch(given) else f"{_PROCESS}{next(_numbers):012x}"
