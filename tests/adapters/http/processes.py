"""The worker processes of a service that runs."""

import psutil


def workers(pid: int) -> list[psutil.Process]:
    """Return those that live; one that was killed and not yet waited for does not."""
    found = []
    for child in psutil.Process(pid).children(recursive=True):
        try:
            words = child.cmdline()
        except psutil.NoSuchProcess:  # a zombie is one
            continue
        if "spawn_main" in " ".join(words):
            found.append(child)
    return found


def busiest(pid: int) -> psutil.Process:
    """Return the worker that most clients are connected to.

    One of the two may have nobody: who connects is served by whoever is the faster.
    """
    return max(workers(pid), key=lambda worker: len(worker.net_connections()))
