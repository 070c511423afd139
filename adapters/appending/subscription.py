"""To follow the history as it grows: the base library's subscription, woken by PostgreSQL."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from threading import Thread
from typing import Any, Final

from eventsourcing.persistence import ListenNotifySubscription, TApplicationRecorder_co
from psycopg import Connection

CHANNEL: Final = "jinhua_events"
"""Notified, without words, by every transaction that appends."""

_STOP_CHECK_S: Final = 0.1  # how long the end of a subscription may go unnoticed


class Listening(ListenNotifySubscription[TApplicationRecorder_co]):
    """Entries from a position on, then those still to come. Use it in a ``with``, then iterate."""

    def __init__(
        self,
        recorder: TApplicationRecorder_co,
        connection: Callable[[], AbstractContextManager[Connection[Any]]],
        *,
        gt: int | None,
        topics: Sequence[str],
    ) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        self._connection = connection
        self._listen_thread = Thread(target=self._listen, name="jinhua-listen")
        self._listen_thread.start()

    def __exit__(self, *args: object, **kwargs: object) -> None:
        try:
            super().__exit__(*args, **kwargs)
        finally:
            self._listen_thread.join()

    def _listen(self) -> None:
        try:
            with self._connection() as conn:
                conn.execute(f"LISTEN {CHANNEL}")
                self._has_been_notified.set()  # by what came before this thread listened
                while not self._has_been_stopped:
                    for _ in conn.notifies(timeout=_STOP_CHECK_S, stop_after=1):
                        self._has_been_notified.set()
                conn.execute("UNLISTEN *")
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._thread_error = self._thread_error or error
            self.stop()
