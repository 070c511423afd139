"""What is known of every request: its id, a line in the log, and its place in the metrics.

A line names the route, not the path, and nothing of a body or an answer: no card is ever logged.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import count
from logging import INFO
from secrets import token_hex
from typing import Final

import structlog
from starlette.types import Scope

from adapters import logs
from adapters.http_api.measuring import REQUEST_SECONDS

_ID: Final = re.compile(rb"[A-Za-z0-9._:+/=-]{1,100}")
_KEY_MAX: Final = 400  # characters of an Idempotency-Key that are logged: all that it may have

_PROCESS: Final = token_hex(10)
_numbers = count(1)

log = structlog.get_logger()

_request_seconds = cache(REQUEST_SECONDS.labels)  # to look it up takes longer than to observe


def request_id(headers: Mapping[bytes, bytes]) -> str:
    """Return the caller's id of a request where it is one, else a new one.

    New ones are counted: to draw each would be a call of the system, and a turn for other threads.
    """
    given = headers.get(b"x-request-id", b"")
    return given.decode() if _ID.fullmatch(given) else f"{_PROCESS}{next(_numbers):012x}"


def tell(scope: Scope, headers: Mapping[bytes, bytes], status: int, seconds: float) -> None:
    """Tell of a request once it is answered; the status is 0 where no answer was begun."""
    operation = getattr(scope.get("route"), "name", "none")
    _request_seconds(operation, status).observe(seconds)
    if not logs.is_heard(INFO):
        return
    key = headers.get(b"idempotency-key", b"").decode("latin-1")[:_KEY_MAX].strip('"')
    log.info(
        "request_answered",
        operation=operation,
        method=scope["method"],
        status=status,
        ms=round(seconds * 1_000, 2),
        **({"command": key} if key else {}),
    )
