"""The processes of a service that runs: its workers, and the one that keeps the read models up."""

import psutil


def workers(pid: int) -> list[psutil.Process]:
    """Return those that live; one that was killed and not yet waited for does not."""
    return [process for process, listens in _processes(pid) if listens]


def keepers(pid: int) -> list[psutil.Process]:
    """Return those that live and do not answer anybody."""
    return [process for process, listens in _processes(pid) if not listens]


def _processes(pid: int) -> list[tuple[psutil.Process, bool]]:
    """Return each, and whether it listens."""
    found = []
    for child in psutil.Process(pid).children(recursive=True):
        try:
            words = child.cmdline()
            sockets = child.net_connections()
        except psutil.NoSuchProcess:  # a zombie is one
            continue
        if "spawn_main" in " ".join(words):
            found.append((child, any(one.status == psutil.CONN_LISTEN for one in sockets)))
    return found


def busiest(pid: int) -> psutil.Process:
    """Return the worker that most clients are connected to."""
    return max(workers(pid), key=lambda worker: len(worker.net_connections()))
