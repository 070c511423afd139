"""A verification under way: in a thread of its own, looked at from the event loop.

It keeps counts and what was found since somebody looked last, and nothing else, however long the
history is. On a large ledger the work is done by processes (adapters/jobs.py), so the
service's own goes on answering.
"""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Final

from adapters.errors import BusyError
from adapters.http_api.hand_queries import withheld
from adapters.store.postgres import Store
from adapters.verifying.runs import verify
from domain.discrepancies import Discrepancy
from domain.events import ENDINGS
from domain.hand import hand_stream

RUNS_MAX: Final = 2
"""Verifications under way in a process."""

FOUND_MAX: Final = 500
"""Of a run, the discrepancies that are told; further ones are counted."""

_JOBS: Final = 2  # processes of a run, where it is worth them
_CONNECTIONS: Final = 2  # the one that verifies, and one to look into a hand

_IS_RUNNING: Final = """
    SELECT NOT bool_or(topic = ANY(%s)) FROM events WHERE originator_id = %s
"""
_ENDS: Final = [ending.TOPIC for ending in ENDINGS]


class _StoppedError(Exception):
    """Nobody looks any more."""


class Run:
    """One of them."""

    def __init__(self, store: Store, hand: str | None, started_at: datetime) -> None:
        """Verify a hand, or everything, on connections of its own to a store."""
        self.hand = hand
        self.started_at = started_at
        self.hands = self.events = self.discrepancies = 0
        self.first: list[Discrepancy] = []
        self._told = 0
        self._store = store
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Give it up, after the portion that is under way."""
        self._stopped.set()

    def news(self) -> Sequence[Discrepancy]:
        """Return what was found since the last time."""
        found = self.first[self._told :]
        self._told += len(found)
        return found

    def carry_out(self) -> bool:
        """Verify, to the end or until stopped; return whether it came to the end.

        Raises:
            UnknownHandError: There is no such hand.
            StoreUnreachableError: The store does not answer any more.
        """
        hands = None if self.hand is None else [self.hand]
        try:
            with self._store.another(connections_max=_CONNECTIONS) as store:
                for found in verify(store, hands, self._count, jobs=_JOBS):
                    self._note(store, found)
        except _StoppedError:
            return False
        return True

    def _count(self, hands: int, events: int) -> None:
        self.hands, self.events = hands, events
        self._check()

    def _note(self, store: Store, found: Discrepancy) -> None:
        self.discrepancies += 1
        if self.discrepancies <= FOUND_MAX:
            self.first.append(found if _may_be_told(store, found.hand) else withheld(found))
        self._check()

    def _check(self) -> None:
        if self._stopped.is_set():
            raise _StoppedError


class Runs:
    """Those of one process: only so many at once."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(RUNS_MAX, thread_name_prefix="jinhua-verify")
        self._under_way = 0

    def start(self, run: Run) -> asyncio.Future[bool]:
        """Begin one.

        Raises:
            BusyError: As many are under way as may.
        """
        if self._under_way >= RUNS_MAX:
            raise BusyError(under_way=self._under_way)
        self._under_way += 1
        task = asyncio.get_running_loop().run_in_executor(self._threads, run.carry_out)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, run: asyncio.Future[bool]) -> None:
        self._under_way -= 1
        if not run.cancelled():
            run.exception()  # looked at, though whoever asked may have gone


def _may_be_told(store: Store, name: str) -> bool:
    """Tell whether what is wrong may be shown: of a running hand it may be a card.

    What else than a hand is named, ``ledger`` or ``wallet:ann``, may be the name of a hand too.
    """
    values = [_ENDS, hand_stream(name)]
    return store.run(lambda conn: conn.execute(_IS_RUNNING, values).fetchone()) != (True,)
