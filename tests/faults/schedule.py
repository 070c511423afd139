"""Several actors, one round trip at a time, in an order that is decided and not left to chance.

Each actor works on its own connections, as a process of its own would. Before every round trip it
halts, until everyone else has halted, waits for a lock inside PostgreSQL, or is done; then one is
chosen to go on. So a seed gives the same order of statements and of commits in every run.
"""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

import psycopg

from adapters.ledger import Ledger
from adapters.shuffle import Chance
from adapters.store.postgres import Store
from domain.errors import RefusalError
from tests.faults.statements import Go, Trip, as_actor, watched

Choose = Callable[[Mapping[str, str]], str]
"""Which actor goes on, given those that may and what each is about to do."""

PATIENCE_S = 60.0
_POLL_S = 0.002
_WAITING = "SELECT pid FROM pg_locks WHERE NOT granted"


def by_seed(seed: int) -> Choose:
    """Choose at random; the same seed chooses the same."""
    chance = Chance("schedule", seed)
    return lambda halted: chance.pick(sorted(halted))


def holding(actor: str, at: str) -> Choose:
    """Hold an actor where it is about to do something, until nobody else can go on.

    Until then it goes before everybody; afterwards the others go by their names.
    """
    reached = False

    def choose(halted: Mapping[str, str]) -> str:
        nonlocal reached
        reached = reached or halted.get(actor, "").startswith(at)
        others = sorted(name for name in halted if name != actor)
        if actor in halted and not (reached and others):
            return actor
        return others[0]

    return choose


class Schedule:
    """Runs actors on one store in a decided order."""

    def __init__(self, dsn: str, choose: Choose, *, meanwhile: Callable[[], object] = int) -> None:
        """Work on the store of an owner's DSN; ``meanwhile`` is called between any two steps."""
        self.trace: list[str] = []
        self._dsn = dsn
        self._choose = choose
        self._meanwhile = meanwhile
        self._changed = threading.Condition()
        self._halted: dict[str, Trip] = {}
        self._going: dict[str, int] = {}  # the backend of each actor that goes on
        self._done: set[str] = set()
        self._is_over = False

    def run(self, works: Mapping[str, Callable[[Ledger], Any]]) -> dict[str, Any]:
        """Let every actor do its work; return what each came to: an answer, a code, an error."""
        results: dict[str, Any] = {}
        with ExitStack() as closing:
            ledgers = {
                actor: closing.enter_context(Ledger(Store(as_actor(self._dsn, actor))))
                for actor in works
            }
            for ledger in ledgers.values():
                ledger.store.run(lambda conn: conn.execute("SELECT"))
            control = closing.enter_context(psycopg.connect(self._dsn, autocommit=True))
            threads = [
                threading.Thread(target=self._play, args=(actor, work, ledgers[actor], results))
                for actor, work in works.items()
            ]
            with watched(self._halt):
                for thread in threads:
                    thread.start()
                try:
                    self._conduct(set(works), control)
                finally:
                    self._let_go()
                    for thread in threads:
                        thread.join(PATIENCE_S)
        return results

    def _play(
        self,
        actor: str,
        work: Callable[[Ledger], Any],
        ledger: Ledger,
        results: dict[str, Any],
    ) -> None:
        try:
            results[actor] = work(ledger)
        except RefusalError as refusal:
            results[actor] = refusal.code
        except Exception as error:  # noqa: BLE001 - the test says what it expected
            results[actor] = error
        with self._changed:
            self._going.pop(actor, None)
            self._done.add(actor)
            self._changed.notify_all()

    def _halt(self, trip: Trip, go: Go) -> Any:
        """Wait to be chosen, then make the trip."""
        with self._changed:
            self._going.pop(trip.actor, None)
            self._halted[trip.actor] = trip
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_over or trip.actor not in self._halted)
            if self._is_over:
                raise psycopg.OperationalError("the play was broken off")
        return go()

    def _let_go(self) -> None:
        """Let nobody wait for ever where the play was broken off."""
        with self._changed:
            self._is_over = bool(self._halted or self._going)
            self._changed.notify_all()

    def _conduct(self, actors: set[str], control: psycopg.Connection[Any]) -> None:
        """Choose, again and again, once everybody is still."""
        while self._are_still(actors, control):
            self._meanwhile()
            with self._changed:
                what = {actor: trip.what for actor, trip in self._halted.items()}
                actor = self._choose(what)
                trip = self._halted.pop(actor)
                self._going[actor] = trip.connection.info.backend_pid
                self.trace.append(f"{actor}: {trip.what[:40]}")
                self._changed.notify_all()

    def _are_still(self, actors: set[str], control: psycopg.Connection[Any]) -> bool:
        """Wait until nobody moves; return whether somebody can be chosen."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with self._changed:
                self._changed.wait_for(lambda: not self._moving(actors), _POLL_S)
                moving = self._moving(actors)
                if self._done >= actors:
                    return False
            # Whoever was halted before this question is so still; so nobody can have set those free
            # who are found waiting by the answer.
            waiting = {pid for (pid,) in control.execute(_WAITING)} if moving else set()
            if self._halted and moving <= waiting:
                return True
            assert time.monotonic() < deadline, f"nobody goes on: {self._halted}, {self._going}"

    def _moving(self, actors: set[str]) -> set[int | None]:
        """Return the backends of the actors that have neither halted nor are done."""
        return {
            self._going.get(actor)
            for actor in actors
            if actor not in self._halted and actor not in self._done
        }
