"""The way of every request: what is limited and watched of it, and who answers it."""

import time
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import count
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from adapters.http_api.errors import InternalError, RequestTooLargeError, TooSlowError
from adapters.http_api.limits import Deadline, Exchange
from adapters.http_api.paths import canonical
from adapters.http_api.problems import logged, problem, respond
from adapters.http_api.watching import request_id, tell
from adapters.http_api.writing import CommandRoute

_TRACED: Final = "fastapi.telemetry"
"""What the framework notes in the scope of a request whose span it makes."""


class Passage:
    """Stands between the server and the application.

    What writes it gives to its route at once: the framework has a dozen layers for whatever a route
    might want, and these want none of them. Where traces are made, they are the framework's, and
    all requests take its way.
    """

    def __init__(
        self,
        app: ASGIApp,
        commands: Sequence[CommandRoute],
        *,
        body_max: int,
        timeout_s: float,
        streams: frozenset[str],
        last_of: int | None,
    ) -> None:
        """Let requests through.

        Args:
            app: What answers them.
            commands: Those of its routes that may be taken at once.
            body_max: Bytes of a request.
            timeout_s: How long a request may take, seconds.
            streams: The paths of those that may take as long as they like.
            last_of: One answer of so many is the last on its connection; None lets all stay.
        """
        self._app = app
        self._commands = commands
        self._streams = streams
        self._body_max = body_max
        self._timeout_s = timeout_s
        self._last_of, self._answers = last_of, count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and tell of it once it is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        scope["path"] = path = canonical(scope["raw_path"])
        is_stream = path in self._streams
        headers = dict(scope["headers"])  # of one given twice the last: a length is counted anyway
        id_ = request_id(headers)
        body_max = None if is_stream else self._body_max
        is_last = self._last_of is not None and next(self._answers) % self._last_of == 0
        exchange = Exchange(
            receive,
            send,
            request_id=id_,
            length=headers.get(b"content-length", b""),
            body_max=body_max,
            is_last=is_last,
        )
        # A request has a task of its own, and what is bound ends with it.
        bind_contextvars(request_id=id_)
        try:
            await self._pass(scope, exchange, None if is_stream else self._timeout_s)
        finally:
            tell(scope, headers, exchange.status, time.perf_counter() - started)

    async def _pass(self, scope: Scope, exchange: Exchange, timeout_s: float | None) -> None:
        """Have a request answered, and answer in the application's place where it cannot."""
        error: Exception | None = None
        try:
            exchange.check_length()
            with nullcontext() if timeout_s is None else Deadline(timeout_s):
                await self._chosen(scope)(scope, exchange.receive, exchange.send)
        except (RequestTooLargeError, TooSlowError) as refusal:
            error = refusal
        except Exception as fault:  # noqa: BLE001 - whatever it is, nobody outside is told
            logged(fault)
            error = InternalError("a fault of this service; it was logged")
        error = exchange.too_large or error
        if error is not None and not exchange.status:
            await respond(problem(error))(scope, exchange.receive, exchange.answer)

    def _chosen(self, scope: Scope) -> ASGIApp:
        """Return who answers a request."""
        if scope["method"] == "POST" and _TRACED not in scope:
            for route in self._commands:
                if found := route.path_regex.match(scope["path"]):
                    scope["route"], scope["path_params"] = route, found.groupdict()
                    return route.answer
        return self._app
