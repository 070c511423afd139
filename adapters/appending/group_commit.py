"""Group commit: the appends of many callers in one transaction, and one wait for the disk.

Whoever finds nobody committing commits at once, alone. Meanwhile others queue up, and one thread
takes all of them together as soon as it may. Callers who were answered together come back
together: so after a batch of many the next one is given a moment, a small part of what a commit
takes, to become as large. So a batch is as large as the load, and a single caller waits at most
once, after a batch of many.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, NamedTuple, Protocol, Self

from adapters.appending.batches import Append, Outcome, Prepared, prepare
from adapters.errors import LedgerClosedError, StoreUnreachableError
from adapters.store.sealing import NO_KEYS, CardKeys

BATCH_MAX: Final = 256
"""Appends a transaction: beyond this, a commit more costs less than the wait for the others."""

WAITING_MAX: Final = 4_096
"""Appends that wait; who comes then waits to be let in."""

GATHERING_SHARE: Final = 0.25
"""How much of the time of the last commit the next batch may wait for those of the last one."""

Commit = Callable[[Sequence[Prepared]], list[Outcome]]
"""Stores many, each whole or not at all, and returns what became of each in their order."""

Watch = Callable[[Sequence[Outcome], float], object]
"""Is told what became of a batch, but for those that were left to another, and its seconds."""


class Waiter(Protocol):
    """Whoever waits for an outcome, as whoever commits sees it. A ``Future`` is one."""

    def set_running_or_notify_cancel(self) -> bool:
        """Tell whether anybody waits still; from then on it is too late to give up."""
        ...

    def set_result(self, outcome: Outcome, /) -> None:
        """Take what became of the append."""
        ...

    def set_exception(self, error: Exception, /) -> None:
        """Take why nothing is known of it, or why it cannot be stored."""
        ...


class Waiting(NamedTuple):
    """An append that is made ready, and who waits for it."""

    prepared: Prepared
    waiter: Waiter


class GroupCommit:
    """Takes appends from any number of threads."""

    def __init__(
        self,
        commit: Commit,
        *,
        cards: CardKeys = NO_KEYS,
        watch: Watch | None = None,
        batch_max: int = BATCH_MAX,
        waiting_max: int = WAITING_MAX,
    ) -> None:
        self._commit = commit
        self._cards = cards
        self._watch = watch
        self._batch_max = batch_max
        self._waiting_max = waiting_max
        self._waiting: deque[Waiting] = deque()
        self._changed = threading.Condition()  # guards all that follows
        self._is_committing = False
        self._is_closed = False
        self._wanted = 1  # so many have to wait before the thread is woken
        self._last_size = 0  # of a batch
        self._last_s = 0.0  # what it took
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, brought: Append) -> Outcome:
        """Store one command together with those of others; wait for what becomes of it.

        Raises:
            StoreUnreachableError: Whether it was stored is not known; to give the same command
                again is safe.
            LedgerClosedError: The ledger was closed.
        """
        future: Future[Outcome] = Future()
        waiting = Waiting(prepare(brought, self._cards), future)
        with self._changed:
            at_once = self._last_size <= 1 and not (
                self._waiting or self._is_committing or self._is_closed
            )
            self._is_committing |= at_once
        if at_once:
            self._settle([waiting])
        else:
            self.queue(waiting)
        return future.result()

    def queue(self, waiting: Waiting) -> None:
        """Queue what is made ready; who waits for it is told on the thread that commits it.

        Raises:
            LedgerClosedError: The group was closed.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: len(self._waiting) < self._waiting_max or self._is_closed
            )
            if self._is_closed:
                raise LedgerClosedError
            self._waiting.append(waiting)
            if self._thread is None:
                # A daemon: whoever waits keeps the process alive, and without one nothing is lost.
                self._thread = threading.Thread(
                    target=self._run, name="jinhua-group-commit", daemon=True
                )
                self._thread.start()
            if len(self._waiting) >= self._wanted:
                self._changed.notify_all()

    def close(self) -> None:
        """Take nothing more, and return once all that was taken is answered."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()
        with self._changed:
            self._changed.wait_for(lambda: not self._is_committing)

    def _run(self) -> None:
        """Commit what waits, batch after batch, until closed and empty."""
        while batch := self._next():
            # Whoever gave up before this is not stored, and after it is.
            self._settle([w for w in batch if w.waiter.set_running_or_notify_cancel()])

    def _next(self) -> list[Waiting]:
        """Return the next batch once nobody else is committing; nothing at the end."""
        with self._changed:
            self._changed.wait_for(
                lambda: not self._is_committing and (self._waiting or self._is_closed)
            )
            if self._last_size > 1:
                # Those of the last batch are about to be back.
                self._wanted = min(self._last_size, self._waiting_max)
                self._changed.wait_for(
                    lambda: len(self._waiting) >= self._wanted or self._is_closed,
                    timeout=self._last_s * GATHERING_SHARE,
                )
                self._wanted = 1
            count = min(len(self._waiting), self._batch_max)
            batch = [self._waiting.popleft() for _ in range(count)]
            self._is_committing = bool(batch)
            return batch

    def _settle(self, batch: Sequence[Waiting]) -> None:
        """Commit a batch, answer everybody in it, and let the next one begin."""
        started = time.monotonic()
        try:
            self._commit_all(batch)
        finally:
            self._done(len(batch), time.monotonic() - started)

    def _done(self, size: int, seconds: float) -> None:
        """Let others commit, who are told how large this batch was and how long it took."""
        with self._changed:
            self._last_size, self._last_s = size, seconds
            self._is_committing = False
            self._changed.notify_all()

    def _commit_all(self, batch: Sequence[Waiting]) -> None:
        started = time.monotonic()  # of each try: a batch may be tried again one by one
        try:
            outcomes = self._commit([waiting.prepared for waiting in batch])
        except StoreUnreachableError as error:
            for waiting in batch:
                own = StoreUnreachableError(where=error.where, reason=error.reason)
                waiting.waiter.set_exception(own)
        except Exception as error:  # noqa: BLE001 - raised again where it is waited for
            if len(batch) == 1:
                batch[0].waiter.set_exception(error)
                return
            # One of them holds what the store does not take; it is the only one to fail.
            for waiting in batch:
                self._commit_all([waiting])
        else:
            if self._watch is not None:
                self._watch(outcomes, time.monotonic() - started)
            for waiting, outcome in zip(batch, outcomes, strict=True):
                waiting.waiter.set_result(outcome)
