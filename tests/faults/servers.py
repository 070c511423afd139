"""A PostgreSQL of one's own, to be killed."""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from adapters.store.embedded_postgres import ensure_running, stop
from adapters.store.migrations import migrate


class Server:
    """An embedded server under a directory of its own."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self.kills = 0
        self.dsn = ensure_running(data_dir)
        with psycopg.connect(self.dsn, autocommit=True) as owner:
            migrate(owner)

    def kill(self) -> None:
        """Kill it, without a chance to finish anything: the postmaster first, then all the rest."""
        self.kills += 1
        pid = int((self._data_dir / "pgdata" / "postmaster.pid").read_text().split()[0])
        processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        for process in processes:
            while _runs(process):
                time.sleep(0.005)

    def start(self) -> None:
        """Start it again; it recovers by itself."""
        assert ensure_running(self._data_dir) == self.dsn


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@contextmanager
def private_server() -> Iterator[Server]:
    """Run a server; stop it at the end, and remove all that it had."""
    # Not pytest's own directory, which is closed to the account that runs the server for root.
    data_dir = Path(tempfile.mkdtemp(prefix="jinhua-faults-"))
    try:
        yield Server(data_dir)
    finally:
        stop(data_dir)
        shutil.rmtree(data_dir)
