"""The events in their order, as pages and as they come.

A position is all that a consumer has to keep. What follows it is read from the store anew, each
time: after a reconnect, after a restart, and by whichever process answers. So nothing is missed
and nothing comes twice, and a consumer that is slow holds no more than a page of its own.
"""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from adapters.errors import AdapterError
from adapters.following import Followed, page
from adapters.http_api.answers import JSON
from adapters.http_api.callers import Auditor, Caller, Callers, key_of
from adapters.http_api.errors import BadRequestError
from adapters.http_api.headers import fields
from adapters.http_api.moments import After
from adapters.http_api.problems import problem, problems
from adapters.http_api.service import Here, Service
from adapters.http_api.shapes import EventPage
from adapters.plain_json import json_line, plain
from adapters.store.codec import encode
from adapters.store.postgres import Conn

router = APIRouter(prefix="/v1", tags=["feed"])

SSE: Final = "text/event-stream"
LAST_EVENT_ID: Final = "Last-Event-ID"

WAIT_MAX_S: Final = 30.0
_PAGE: Final = 500  # events read at once for a stream
_PACE_S: Final = 0.02  # after what was new: what comes meanwhile comes together
_QUIET_S: Final = 1.0  # how long a consumer waits before its key is looked at again
_BEAT_S: Final = 10.0  # how long a stream says nothing, so that nobody takes it for dead
_RETRY_MS: Final = 1_000
_UNBUFFERED: Final = {"X-Accel-Buffering": "no"}  # of a proxy that would collect a page first

_RESPONSES: Final[Any] = {
    200: {
        "model": EventPage,
        "description": "A page; or, where `Accept` asks for it, a stream without end. Of that each"
        " `id` is a position, and each `data` is one of the `events` of a page.",
        "content": {SSE: {"schema": {"type": "string"}}},
    },
    **problems(404),
}

_LAST_EVENT_ID: Final[dict[str, Any]] = {
    "name": LAST_EVENT_ID,
    "in": "header",
    "required": False,
    "description": "Of a stream that broke off: goes on behind it, whatever `after` says.",
    "schema": {"type": "string", "pattern": "^[0-9]{0,19}$"},
}


@router.get(
    "/events",
    response_model=None,
    responses=_RESPONSES,
    openapi_extra={"parameters": [_LAST_EVENT_ID]},
)
async def events(
    request: Request,
    caller: Auditor,
    service: Here,
    *,
    after: After = 0,
    limit: Annotated[int, Query(ge=1, le=1_000, description="Of a page.")] = 100,
    wait: Annotated[
        float,
        Query(ge=0, le=WAIT_MAX_S, description="Where there is nothing yet: how long, seconds."),
    ] = 0,
) -> Response:
    """Read what happened after a position, of a key's tables alone, without cards of running hands.

    Such a deal comes without cards, and its position does not come again: once the hand is settled
    or void, its cards are in its own events, and in the feed for whoever reads that position again.
    """
    consumer = Consumer(request, caller, service)
    if SSE in request.headers.get("accept", ""):
        start = _last_event_id(request, after)
        first = await consumer.read(start, _PAGE)  # what is wrong with the position is said at once
        return StreamingResponse(consumer.stream(first), headers=_UNBUFFERED, media_type=SSE)
    with service.news.consuming():
        found = await consumer.awaited(after, limit, wait)
    listed = b",".join(line for _, line in found.lines)
    body = b'{"events":[%b],"after":%d,"head":%d}\n' % (listed, found.after, found.head)
    return Response(body, media_type=JSON)


class Read(NamedTuple):
    """Some events in their order, each with its position, as they are sent."""

    lines: list[tuple[int, bytes]]
    after: int  # where to read on
    head: int


class Consumer:
    """Whoever follows the history, by one request."""

    def __init__(self, request: Request, caller: Caller, service: Service) -> None:
        self._callers: Callers = request.app.state.callers
        self._key = key_of(fields(request.scope))
        self._tables = caller.tables
        self._news = service.news
        self._closing = service.closing
        self._loop = asyncio.get_running_loop()

    async def read(self, after: int, limit: int) -> Read:
        """Read the next events after a position; look on where none was of these tables."""
        while True:
            found = await self._news.read(partial(self._read, after, limit))
            if found.lines or found.after == found.head:
                return found
            after = found.after

    async def awaited(self, after: int, limit: int, seconds: float) -> Read:
        """Read the next events; where there are none, wait for some."""
        until = self._loop.time() + seconds
        while True:
            coming = self._news.next
            found = await self.read(after, limit)
            left = until - self._loop.time()
            if found.lines or left <= 0 or self._closing.is_set():
                return found
            await self._news.wait(coming, left)
            after = found.after

    async def stream(self, found: Read) -> AsyncIterator[bytes]:
        """Yield events as they come, until the consumer goes, or the service, or the key."""
        yield b"retry: %d\n\n" % _RETRY_MS
        try:
            with self._news.consuming():
                async for part in self._parts(found):
                    yield part
        except AdapterError as error:
            told = problem(error).model_dump(exclude_none=True)
            yield b"event: problem\ndata: %b\n" % json_line(told)

    async def _parts(self, found: Read) -> AsyncIterator[bytes]:
        quiet_until = self._loop.time() + _BEAT_S
        while not self._closing.is_set():
            if found.lines:
                yield b"".join(b"id: %d\ndata: %b\n\n" % told for told in found.lines)
            elif self._loop.time() >= quiet_until:
                yield b"id: %d\n\n" % found.after  # there was nothing for this consumer up to here
            if found.lines or self._loop.time() >= quiet_until:
                quiet_until = self._loop.time() + _BEAT_S
            if 0 < len(found.lines) < _PAGE:
                await asyncio.sleep(_PACE_S)
            await self._callers.check(self._key)
            coming = self._news.next
            found = await self.read(found.after, _PAGE)
            while not (found.lines or coming.is_set() or self._loop.time() >= quiet_until):
                await self._news.wait(coming, _QUIET_S)
                await self._callers.check(self._key)

    def _read(self, after: int, limit: int, conn: Conn) -> Read:
        found = page(conn, after=after, limit=limit, tables=self._tables)
        lines = [(followed.position, _line(followed)) for followed in found.events]
        return Read(lines, found.after, found.head)


def _line(followed: Followed) -> bytes:
    """Return an event as JSON on one line; its own fields are as they are stored."""
    told = plain(followed._replace(event=None))
    del told["event"]
    event = b"null" if followed.event is None else encode(followed.event).encode()
    return b'%b,"event":%b}' % (json_line(told).rstrip()[:-1], event)


def _last_event_id(request: Request, after: int) -> int:
    """Return where a stream goes on.

    Raises:
        BadRequestError: It is no position.
    """
    given = request.headers.get(LAST_EVENT_ID)
    if not given:
        return after
    if not given.isascii() or not given.isdigit():
        raise BadRequestError("is no position", field=LAST_EVENT_ID)
    return int(given[:20])
