"""Finished hands by the thousand: streamed in, and what became of each streamed back.

Most clients read no answer before they have sent everything. So what is to be told goes through a
file, and neither side ever waits for the other; in memory there is one transaction at a time.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from starlette.types import Receive, Scope, Send

from adapters.clock import now
from adapters.commands.imported import Line
from adapters.commands.importing import Import
from adapters.errors import BusyError, LedgerClosedError
from adapters.http_api.callers import Writer
from adapters.http_api.paths import Text
from adapters.http_api.problems import logged, problem, problems
from adapters.http_api.service import IMPORTS_MAX, Here
from adapters.lines import record_lines
from adapters.plain_json import json_line

router = APIRouter(prefix="/v1", tags=["commands"])

JSON_LINES: Final = "application/jsonl"

_PORTION: Final = 64 * 1024  # bytes told at once

_RESPONSES: Final[Any] = {
    200: {
        "description": "A line for each record, then one with the totals under `summary`. Where the"
        " import breaks off, the last line has the `problem` instead: send all of it again.",
        "content": {JSON_LINES: {"schema": {"type": "string"}}},
    },
    **problems(415),
}


@router.post(
    "/imports",
    response_model=None,
    responses=_RESPONSES,
    openapi_extra={
        "requestBody": {
            "required": True,
            "description": "hand-record/1, a hand a line.",
            "content": {JSON_LINES: {"schema": {"type": "string"}}},
        }
    },
)
async def import_hands(
    request: Request,
    caller: Writer,
    service: Here,
    *,
    claimant: Annotated[Text, Query(min_length=1)] = "record",
    deposit: Annotated[
        bool, Query(description="Bring in from the cashier what a player lacks.")
    ] = False,
) -> Response:
    """Store finished hands, each whole or not at all. A hand is its own key: twice is as once."""
    if deposit:
        caller.check_unbound()
    if service.importing.locked():
        raise BusyError(under_way=IMPORTS_MAX)
    work = Import(
        service.ledger.ledger.store,
        now,
        deposit_missing=deposit,
        claimant=claimant,
        admits=caller.may_touch,
    )
    return _Duplex(_told(request, work, service.importing, service.closing))


class _Duplex(Response):
    """An answer that begins before the request has ended.

    The framework's own streaming response reads the request to see whether it breaks off.
    """

    media_type = JSON_LINES

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._parts = parts

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send what there is to be told as it comes."""
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        async for part in self._parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _told(
    request: Request, work: Import, importing: asyncio.Semaphore, closing: asyncio.Event
) -> AsyncIterator[bytes]:
    """Import what a request holds, and yield what is to be told."""
    loop = asyncio.get_running_loop()
    body = _Body(loop, request.stream(), closing)
    async with importing:
        told = _Told(loop)
        thread = asyncio.create_task(asyncio.to_thread(_import, work, body, told))
        thread.add_done_callback(lambda _: told.has_more.set())
        try:
            while not (thread.done() and told.is_read):
                while part := told.read():
                    yield part
                if not thread.done():
                    await told.has_more.wait()
                told.has_more.clear()
        finally:
            await asyncio.wait([thread])
            told.close()


def _import(work: Import, body: "_Body", told: "_Told") -> None:
    """Import in a thread; whatever ends it is told too."""
    totals = {"stored": 0, "already": 0, "refused": 0, "events": 0, "mismatched": 0}
    number = 0
    try:
        for lines in work.portions(record_lines(body)):
            told.write(
                b"".join(json_line(_as_told(n, line)) for n, line in enumerate(lines, number))
            )
            number += len(lines)
            for line in lines:
                totals[line.status] += 1
                totals["events"] += line.events
                totals["mismatched"] += bool(line.differences)
        told.write(json_line({"summary": totals}))
    except Exception as error:  # noqa: BLE001 - the answer has begun; it ends with what is wrong
        logged(error)
        told.write(json_line({"problem": problem(error).model_dump(exclude_none=True)}))


def _as_told(number: int, line: Line) -> dict[str, Any]:
    """Return what became of a record; they are numbered from 0 on."""
    found: dict[str, Any] = {"record": number, "hand": line.hand, "status": line.status}
    if line.reject is None:
        return {**found, "events": line.events, "differences": list(line.differences)}
    reject = line.reject
    refused = {"code": reject.code, "detail": reject.message, "rule": reject.rule}
    return {**found, "at": reject.at, **refused}


class _Body:
    """A request as a thread reads it."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        parts: AsyncIterator[bytes],
        closing: asyncio.Event,
    ) -> None:
        self._loop = loop
        self._parts = parts
        self._closing = closing

    def read1(self, _size: int, /) -> bytes:
        """Return what has come; nothing at the end.

        Raises:
            LedgerClosedError: The service is about to stop; whoever sends may be slow.
            ClientDisconnect: Nobody sends any more.
        """
        part = b""
        while not part:
            found = asyncio.run_coroutine_threadsafe(self._next(), self._loop).result()
            if found is None:
                return b""
            part = found
        return part

    async def _next(self) -> bytes | None:
        part = asyncio.ensure_future(anext(self._parts, None))
        stopping = asyncio.ensure_future(self._closing.wait())
        await asyncio.wait({part, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if part.done():
            return part.result()
        part.cancel()
        raise LedgerClosedError


class _Told:
    """What a thread tells and the event loop reads: a file with two ends."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - see close
        self._written = 0
        self._read = 0
        self.has_more = asyncio.Event()

    @property
    def is_read(self) -> bool:
        """Tell whether everything written so far was read."""
        return self._read == self._written

    def write(self, text: bytes) -> None:
        """Tell something."""
        self._written += os.pwrite(self._file.fileno(), text, self._written)
        self._loop.call_soon_threadsafe(self.has_more.set)

    def read(self) -> bytes:
        """Return what was told since; nothing where that is all."""
        part = os.pread(self._file.fileno(), _PORTION, self._read)
        self._read += len(part)
        return part

    def close(self) -> None:
        """Forget it."""
        self._file.close()
