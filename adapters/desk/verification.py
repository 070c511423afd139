"""Everything decided again, or one hand, while the reader looks on.

The run belongs to the request that asked for it: it ends with it, and nothing of it goes on where
nobody looks.
"""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from adapters.clock import now
from adapters.desk.rendering import page, rendered
from adapters.desk.running import FOUND_MAX, Run, Runs
from adapters.desk.saving import last_run, note_run
from adapters.desk.session import PATH
from adapters.errors import AdapterError
from adapters.http_api.callers import Auditor, Caller, Callers, key_of
from adapters.http_api.feed import SSE
from adapters.http_api.headers import fields
from adapters.http_api.paths import Text
from adapters.http_api.problems import logged, problem
from adapters.http_api.service import Here, Service
from adapters.plain_json import json_line, plain
from domain.errors import RefusalError

router = APIRouter()

PROGRESS: Final = "/verification/progress"
STREAM: Final = PATH + PROGRESS
"""The one path here that may take as long as it likes."""

_PACE_S: Final = 0.25  # between two looks
_UNBUFFERED: Final = {"X-Accel-Buffering": "no"}


@router.get("/verification", response_model=None)
async def verification_page(
    request: Request, caller: Auditor, service: Here, *, hand: Text = ""
) -> Response:
    """Show how the last verification ended, and let another begin."""
    store = service.ledger.ledger.store
    run = None if caller.tables else await service.read(partial(last_run, store))
    return page(request, "verification.html", run=run, hand=hand.strip(), found_max=FOUND_MAX)


@router.get(PROGRESS, response_model=None)
async def verification_progress(
    request: Request, caller: Auditor, service: Here, *, hand: Text = ""
) -> Response:
    """Verify, and tell how far it is and what was found, as events."""
    wanted = hand.strip() or None
    if wanted is None:
        caller.check_unbound()
    else:
        caller.check_hand(wanted)
    runs: Runs = request.app.state.runs
    run = Run(service.ledger.ledger.store, wanted, now())
    watched = _Watched(request, caller, service, run, runs.start(run))
    return StreamingResponse(watched.stream(), headers=_UNBUFFERED, media_type=SSE)


class _Watched:
    """A run and whoever looks at it."""

    def __init__(
        self,
        request: Request,
        caller: Caller,
        service: Service,
        run: Run,
        task: asyncio.Future[bool],
    ) -> None:
        self._request = request
        self._caller = caller
        self._service = service
        self._run, self._task = run, task
        self._callers: Callers = request.app.state.callers
        self._key = key_of(fields(request.scope))

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield events until the run ends, the reader goes, the service stops, or the key does."""
        try:
            async for part in self._parts():
                yield part
        except (AdapterError, RefusalError) as error:
            yield _event("problem", self._rendered("verification_problem.html", problem(error)))
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader is told
            logged(error)
            yield _event("problem", self._rendered("verification_problem.html", problem(error)))
        finally:
            self._run.stop()

    async def _parts(self) -> AsyncIterator[bytes]:
        head = await self._service.read(self._service.ledger.ledger.recorder.max_notification_id)
        while not self._service.closing.is_set():
            await asyncio.wait({self._task}, timeout=_PACE_S)
            is_done = self._task.done()
            for found in self._run.news():
                yield _event("found", self._rendered("verification_found.html", plain(found)))
            yield _event("progress", self._progress(head or 0))
            if is_done:
                await self._ended(await self._task)
                yield _event("done", self._rendered("verification_done.html", self._run))
                return
            await self._callers.check(self._key)

    async def _ended(self, has_ended: bool) -> None:  # noqa: FBT001 - what the run returned
        """Keep what a verification of everything came to."""
        run = self._run
        if has_ended and run.hand is None:
            keep = partial(
                note_run,
                self._service.ledger.ledger.store,
                by=self._caller.name,
                started_at=run.started_at,
                hands=run.hands,
                events=run.events,
                discrepancies=run.discrepancies,
                found=run.first,
            )
            await self._service.read(keep)

    def _progress(self, head: int) -> str:
        run = self._run
        told = {"hands": run.hands, "events": run.events, "discrepancies": run.discrepancies}
        return json_line({**told, "of": None if run.hand else head}).decode()

    def _rendered(self, template: str, value: Any) -> str:  # noqa: ANN401 - what it shows
        return rendered(self._request, template, value=value)


def _event(name: str, text: str) -> bytes:
    """Return a server-sent event."""
    lines = "".join(f"data: {line}\n" for line in text.strip().splitlines())
    return f"event: {name}\n{lines}\n".encode()
