"""Every round trip to PostgreSQL passes here: to be counted, held back, or never to return.

An append is one statement, and a transaction of its own. Here that transaction is made explicit, so
that it can be held open or broken off inside: BEGIN, the statement, COMMIT.
Only connections of an actor are watched: one whose ``application_name`` says so (:func:`as_actor`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakSet

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

APPEND = "SELECT firsts"
"""How the statement begins that appends."""

_READY = ("SET ", "SELECT set_config(")
_ACTOR = "actor:"
_NAMES = {"_commit_gen": "COMMIT", "_rollback_gen": "ROLLBACK"}


class Trip(NamedTuple):
    """One round trip that is about to be made."""

    connection: psycopg.Connection[Any]
    actor: str
    what: str  # its SQL on one line, or what the driver does


Go = Callable[[], Any]
Watcher = Callable[[Trip, Go], Any]
"""Makes the trip, or does not. Called on the thread that makes it."""


def as_actor(dsn: str, actor: str) -> str:
    """Return a DSN whose connections are watched, under this name."""
    return make_conninfo(dsn, application_name=f"{_ACTOR}{actor}")


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Let a watcher make every round trip of actors."""
    real = psycopg.Connection.wait

    def wait(self: psycopg.Connection[Any], gen: Any, *args: Any, **more: Any) -> Any:
        if self in _STOPPED:
            raise StoppedError
        name = self.info.parameter_status("application_name") or ""
        if not name.startswith(_ACTOR):
            return real(self, gen, *args, **more)
        trip = Trip(self, name.removeprefix(_ACTOR), _what(gen))
        idle = self.info.transaction_status == TransactionStatus.IDLE
        if trip.what.startswith(_READY) or (idle and trip.what in _NAMES.values()):
            # A new connection is made ready, or the driver has nothing to ask of the server.
            return real(self, gen, *args, **more)

        def go() -> Any:
            return real(self, gen, *args, **more)

        if idle and trip.what.startswith(APPEND):
            return _in_three(trip, go, watcher)
        return watcher(trip, go)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg.Connection, "wait", wait)
        yield


def _in_three(trip: Trip, go: Go, watcher: Watcher) -> Any:
    """Make the trip of a statement that is its own transaction as three."""
    pgconn = trip.connection.pgconn
    watcher(trip._replace(what="BEGIN"), lambda: pgconn.exec_(b"BEGIN"))
    try:
        result = watcher(trip, go)
    except psycopg.Error:
        pgconn.exec_(b"ROLLBACK")
        raise
    watcher(trip._replace(what="COMMIT"), lambda: _committed(pgconn.exec_(b"COMMIT")))
    return result


def _committed(result: PGresult) -> None:
    """Raise what the driver would have raised."""
    if result.status != ExecStatus.COMMAND_OK:
        raise psycopg.errors.error_from_result(result)


def _what(gen: Any) -> str:
    """Say what a round trip is, from the generator that makes it."""
    query = gen.gi_frame.f_locals.get("query") if gen.gi_frame else None
    if query is None:
        return _NAMES.get(gen.__name__, str(gen.__name__))
    return " ".join(str(query).split())


class StoppedError(Exception):
    """The program has stopped here, as if it had been killed."""


class Failpoints:
    """The program stops at the n-th round trip, before or after it, and asks for nothing more."""

    def __init__(self, at: int, *, before: bool = False) -> None:
        """Stop at a round trip, counted from 1."""
        self.trips: list[str] = []
        self._at = at
        self._before = before

    def __call__(self, trip: Trip, go: Go) -> Any:
        """Make the trip, or stop."""
        self.trips.append(trip.what)
        if len(self.trips) != self._at:
            return go()
        if not self._before:
            go()
        _STOPPED.add(trip.connection)
        trip.connection.pgconn.finish()  # whatever was not committed is undone
        raise StoppedError(trip.what)


_STOPPED: WeakSet[psycopg.Connection[Any]] = WeakSet()


def committing_each(watcher: Watcher) -> Watcher:
    """Return the watcher on connections without transactions: each statement is committed alone."""

    def watch(trip: Trip, go: Go) -> Any:
        def go_and_commit() -> Any:
            result = go()
            conn = trip.connection
            if conn.info.transaction_status == TransactionStatus.INTRANS:
                conn.pgconn.exec_(b"COMMIT")
                conn.pgconn.exec_(b"BEGIN")
            return result

        return watcher(trip, go_and_commit)

    return watch
