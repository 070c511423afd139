"""Group commit on an event loop: while one batch is with the store, the next one is decided.

No thread takes part. A batch is sent, and the loop goes on with other callers until the answer is
there; whoever comes meanwhile is in the next batch. Callers who are answered together come back
together. Were all of them one batch again, store and client would take turns; so a batch is at most
half of those who lately were under way at once, and is sent as soon as so many have come.

What goes wrong is not dealt with here. The batch is given to the group commit of threads, which
connects anew where it has to, and tries commands alone where a batch fails; what was stored already
is found by its receipt.
"""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

import psycopg

from adapters.appending.append_line import AppendLine
from adapters.appending.batches import Answer, Append, Batch, Outcome, prepare
from adapters.appending.group_commit import BATCH_MAX, GroupCommit, Waiter, Waiting, Watch
from adapters.errors import LedgerClosedError, StoreUnreachableError
from adapters.store.postgres import Store

_FADING: Final = 0.9
"""What is left of ``_at_once`` after a batch, where fewer are under way."""


class _Sent(NamedTuple):
    """A batch that is with the store."""

    waiting: Sequence[Waiting]
    batch: Batch
    since: float


class LoopCommit:
    """Takes appends on the event loop that it was made on."""

    def __init__(self, store: Store, group: GroupCommit, watch: Watch | None) -> None:
        """Begin without a connection; until there is one, everything is the group's."""
        self._store, self._group, self._watch = store, group, watch
        self._loop = asyncio.get_running_loop()
        self._line: AppendLine | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._waiting: deque[Waiting] = deque()
        self._sent: _Sent | None = None
        self._at_once = 1.0  # callers under way, lately
        self._is_to_send = False

    def submit(self, brought: Append, waiter: Waiter) -> None:
        """Take an append. Its waiter never gives up.

        It is told on the loop, or on the group's thread where the group had to store it.

        Raises:
            LedgerClosedError: It would be the group's, which was closed.
        """
        waiting = Waiting(prepare(brought, self._store.cards), waiter)
        if self._line is None:
            self._group.queue(waiting)
            if self._connecting is None:
                self._connecting = self._loop.create_task(self._connect())
            return
        self._waiting.append(waiting)
        if self._sent is not None:
            return
        if len(self._waiting) >= self._batch_max():
            self._send(self._line)
        else:
            self._send_soon()

    async def close(self) -> None:
        """Give the connection up; nothing may be under way."""
        assert not self._waiting
        assert self._sent is None
        if self._connecting is not None:
            await self._connecting
        self._hang_up()

    # --- the connection --------------------------------------------------------------

    async def _connect(self) -> None:
        try:
            line = await asyncio.to_thread(AppendLine.to, self._store)
        except (psycopg.Error, StoreUnreachableError):
            return  # the group tells why, to whoever is concerned
        finally:
            self._connecting = None
        self._loop.add_reader(line.fileno(), self._receive, line)
        self._line = line

    def _hang_up(self) -> None:
        if self._line is not None:
            self._loop.remove_reader(self._line.fileno())
            self._loop.remove_writer(self._line.fileno())
            self._line.close()
            self._line = None

    # --- batches ---------------------------------------------------------------------

    def _batch_max(self) -> int:
        """Return half of those at once, rounded up."""
        return min(int(self._at_once + 1) // 2, BATCH_MAX)

    def _send_soon(self) -> None:
        """Send once whoever is ready to run has had its turn; then there is nobody to wait for."""
        if not self._is_to_send:
            self._is_to_send = True
            self._loop.call_soon(self._send_now)

    def _send_now(self) -> None:
        self._is_to_send = False
        if self._waiting and self._sent is None and self._line is not None:
            self._send(self._line)

    def _send(self, line: AppendLine) -> None:
        """Send as many of those who wait as make a batch."""
        waiting = self._next()
        batch = Batch([one.prepared for one in waiting])
        self._sent = _Sent(waiting, batch, time.monotonic())
        try:
            if not line.send(batch):
                self._loop.add_writer(line.fileno(), self._flush, line)
        except (psycopg.Error, UnicodeError):
            self._give_up(line)

    def _next(self) -> list[Waiting]:
        """Take the next batch from those who wait; an id that comes again waits for the first."""
        ids: set[str] = set()
        batch: list[Waiting] = []
        while self._waiting and len(batch) < self._batch_max():
            command_id = self._waiting[0].prepared.append.command_id
            if command_id in ids:
                break
            ids.add(command_id)
            batch.append(self._waiting.popleft())
        return batch

    def _flush(self, line: AppendLine) -> None:
        try:
            if line.flush():
                self._loop.remove_writer(line.fileno())
        except psycopg.Error:
            self._give_up(line)

    def _receive(self, line: AppendLine) -> None:
        """Take the answer in, and send the next batch before anybody in this one is told."""
        try:
            answer = line.receive()
        except psycopg.Error:
            self._give_up(line)
            return
        if answer is None:
            return
        assert self._sent is not None
        sent, self._sent = self._sent, None
        seconds = time.monotonic() - sent.since
        self._at_once = max(len(sent.waiting) + len(self._waiting), self._at_once * _FADING)
        if self._waiting:
            self._send(line)
        self._tell(sent, answer, seconds)

    def _tell(self, sent: _Sent, answer: Answer, seconds: float) -> None:
        """Tell everybody in a batch what became of it."""
        found: list[Outcome] = []
        for one, outcome in zip(sent.waiting, sent.batch.outcomes(answer), strict=True):
            if outcome is None:  # it has a receipt
                self._leave_to_group(one)
            else:
                found.append(outcome)
                one.waiter.set_result(outcome)
        if found and self._watch is not None:
            self._watch(found, seconds)

    def _give_up(self, line: AppendLine) -> None:
        """Leave the batch to the group; and all others, where the line is broken."""
        left = [] if self._sent is None else [*self._sent.waiting]
        self._sent = None
        if line.is_broken:
            self._hang_up()
            left += self._waiting
            self._waiting.clear()
        elif self._waiting:
            self._send_soon()
        for one in left:
            self._leave_to_group(one)

    def _leave_to_group(self, one: Waiting) -> None:
        """Leave a command to the group; once that is closed, nobody finds out what became of it."""
        try:
            self._group.queue(one)
        except LedgerClosedError as closed:
            unknown = StoreUnreachableError(where=self._store.where, reason=str(closed))
            one.waiter.set_exception(unknown)
