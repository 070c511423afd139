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
