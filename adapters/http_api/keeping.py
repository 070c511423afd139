"""The read models kept up while the service runs: by one process of all, the others stand by.

Beside workers this is a process of its own: a thread that computes takes turns with the event loop
of its process, and whoever is answered there waits for it.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

import structlog

from adapters.appending.subscription import CHANNEL
from adapters.bootstrap import prepare_store
from adapters.errors import StoreUnreachableError
from adapters.settings import Settings
from adapters.store.postgres import Conn, Store
from adapters.store.sealing import CardKeys
from adapters.views.projector import ROLE, Projector

PAUSE_S: Final = (0.2, 1.0)
"""Between two rounds, the shortest and the longest: what comes meanwhile is taken in together."""

PAUSE_ROUNDS: Final = 9
"""How many times as long as a round takes: what is kept up takes a tenth of a core, and what is
taken in together takes the less of it, the more there is."""

LOOK_S: Final = 0.5
"""How long the end may go unnoticed, and how long after its fall another process steps in."""

# Any constant will do, so long as it never changes: "keeping" in ASCII.
_KEEPING: Final = int.from_bytes(b"keeping")
_TRY_LOCK: Final = f"SELECT pg_try_advisory_lock({_KEEPING})"
_UNLOCK: Final = f"SELECT pg_advisory_unlock({_KEEPING})"

log = structlog.get_logger()


class _StoppedError(Exception):
    """A round is given up in the middle; what it has taken in stays."""


class Keeper:
    """A thread that lets the projections take in what is appended."""

    def __init__(self, store: Store) -> None:
        """Work on a store, in the role of a projector."""
        self._store = store
        self._projector = Projector(store)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jinhua-keeper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, after the transaction that is under way."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                with self._store.connection() as conn:
                    self._take_turns(conn)
            except _StoppedError:
                return
            except StoreUnreachableError as error:
                log.warning("keeper_waits", code=error.code)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next round may do better
                log.error("keeper_failed", error=type(error).__name__)  # noqa: TRY400 - no cards
            self._stopped.wait(LOOK_S)

    def _check(self, _name: str, _reached: int, _upto: int) -> None:
        if self._stopped.is_set():
            raise _StoppedError

    def _take_turns(self, conn: Conn) -> None:
        """Keep the read models up if nobody else does, until stopped."""
        if conn.execute(_TRY_LOCK).fetchone() != (True,):
            return
        try:
            conn.execute(f"LISTEN {CHANNEL}")
            while not self._stopped.is_set():
                begun = time.monotonic()
                self._projector.catch_up(progress=self._check)
                took = time.monotonic() - begun
                self._stopped.wait(min(max(PAUSE_ROUNDS * took, PAUSE_S[0]), PAUSE_S[1]))
                deque(conn.notifies(timeout=LOOK_S, stop_after=1), maxlen=0)
        finally:
            if not conn.broken:
                conn.execute("UNLISTEN *")
                conn.execute(_UNLOCK)


def keep(settings: Settings, wait_for_the_end: Callable[[], object]) -> None:
    """Keep the read models up until another function returns.

    Raises:
        StoreUnreachableError: The store cannot be started or reached.
        MigrationError: Its shape is not what this program knows.
    """
    cards = CardKeys(settings.card_keys)
    with Store(prepare_store(settings), role=ROLE, cards=cards) as store:
        keeper = Keeper(store)
        keeper.start()
        wait_for_the_end()
        keeper.stop()
