"""The application as processes: one for all there is to do, or workers at one address.

Workers have two processes more: one that keeps the read models up for all, and one that watches
over the others.
"""

import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from socket import socket
from typing import Final

import psutil
import structlog
from fastapi import FastAPI
from uvicorn import Config, Server
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from adapters.errors import AdapterError
from adapters.garbage import leave_what_is_there
from adapters.http_api.keeping import keep
from adapters.http_api.listening import BACKLOG
from adapters.logs import configure
from adapters.settings import Settings, sharing_metrics

KEEP_ALIVE_S: Final = 75  # longer than the minute that proxies keep a connection
FINISHING_S: Final = 30  # for what is under way when asked to stop
ANSWERING_S: Final = 60  # a worker that says nothing for so long is replaced

_METRICS: Final = "jinhua-metrics-"
_NOT_STARTED: Final = 3  # the exit status of a worker whose application did not start
_SPAWN: Final = multiprocessing.get_context("spawn")

log = structlog.get_logger()

Application = Callable[..., FastAPI]
"""What makes the application of a process: a function of a module, for other processes to call.

It takes the settings, and how many ``workers`` there are; None where it is alone.
"""


def run(
    settings: Settings, listener: socket, workers: int | None, application: Application
) -> bool:
    """Answer requests until a signal asks to stop, then finish what was begun.

    Args:
        settings: Of every process.
        listener: Where requests come in.
        workers: How many processes; one that dies is replaced, and so is the one that keeps the
            read models up. None: this process does all of it, and nobody watches over it.
        application: What answers in each of them.

    Returns:
        Whether it came to answering requests at all; why not was said.
    """
    config = Config(
        partial(_application, settings, application, workers),
        factory=True,
        workers=workers,
        lifespan="on",
        backlog=BACKLOG,
        access_log=False,
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=FINISHING_S,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_worker_healthcheck=ANSWERING_S,
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        # The server raises it once more when all is finished; that is the end, and no failure.
        signal.signal(number, lambda _number, _frame: None)
    if workers is None:
        return _serve_alone(config, listener)
    supervisor = _Supervisor(config, listener, settings)
    with metrics_directory() as shared, sharing_metrics(shared):
        supervisor.run()
    return supervisor.has_served or all(
        process.exitcode != _NOT_STARTED for process in supervisor.processes
    )


@contextmanager
def metrics_directory() -> Iterator[str]:
    """Lend a directory of this process; those of processes that were killed go."""
    for left in Path(tempfile.gettempdir()).glob(f"{_METRICS}*-*"):
        pid = left.name.removeprefix(_METRICS).partition("-")[0]
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{_METRICS}{os.getpid()}-") as made:
        yield made


class _Supervisor(Multiprocess):
    """Replaces processes that die: workers, and the one that keeps the read models up."""

    def __init__(self, config: Config, listener: socket, settings: Settings) -> None:
        super().__init__(config, sockets=[listener])
        self._settings = settings
        self.has_served = False
        """Whether all workers were ready at once; then what keeps one from starting will pass."""

    def init_processes(self) -> None:
        """Begin every process."""
        super().init_processes()
        self._keeper = self._begin_to_keep()

    def keep_subprocess_alive(self) -> None:
        """Look after every process; also after one that dies just as it is asked."""
        if self.should_exit.is_set():
            return
        for process in self.processes:
            # The worker's end of the pipe: while it is open here too, nobody hears that it is gone.
            process.child_conn.close()
        self.has_served = self.has_served or all(process.is_ready() for process in self.processes)
        super().keep_subprocess_alive()
        if self.should_exit.is_set():  # a worker did not start, which ends the base class's service
            if not self.has_served:
                return
            self.should_exit.clear()
            self.processes = [self._started(process) for process in self.processes]
        if not self._keeper.is_alive():
            self._keeper = self._begin_to_keep()

    def _started(self, process: Process) -> Process:
        """Return a worker, or another in the place of one that did not start."""
        if process.exitcode != _NOT_STARTED:
            return process
        another = Process(self.config, self.sockets)
        another.start()
        return another

    def join_all(self) -> None:
        """Wait for every process to end: the keeper when the workers have stored their last."""
        super().join_all()
        self._keeper.terminate()
        self._keeper.join()

    def _begin_to_keep(self) -> BaseProcess:
        keeper = _SPAWN.Process(target=_keep, args=(self._settings,))
        keeper.start()
        return keeper


def _serve_alone(config: Config, listener: socket) -> bool:
    server = Server(config)
    try:
        server.run(sockets=[listener])
    except SystemExit:
        return False
    return server.started


def _application(settings: Settings, application: Application, workers: int | None) -> FastAPI:
    """Return the application of this process."""
    _begin(settings)
    made = application(settings, workers=workers)
    leave_what_is_there()
    return made


def _keep(settings: Settings) -> None:
    """Keep the read models up in this process, until the supervisor ends it."""
    # Before any thread is started, for those do as this one does. What interrupts the terminal is
    # not meant for the keeper: it ends when there is nothing more to be taken in.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    _begin(settings)
    try:
        keep(settings, partial(signal.sigwait, {signal.SIGTERM}))
    except AdapterError as error:  # the next one may do better
        log.error("keeper_not_started", code=error.code)  # noqa: TRY400 - no traceback


def _begin(settings: Settings) -> None:
    """Prepare this process, whatever it is for."""
    configure(settings.log_level, for_good=True)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    """Stop once the process is gone that would replace this one, and stop it."""
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
