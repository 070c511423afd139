"""Verification by one worker of a Dask cluster and by two, and by as many processes of ours.

The clusters are on this machine and listen to it alone, a scheduler each; a worker is a process of
one thread. All sides verify the same store, in turns. What the client and PostgreSQL do is in every
side's time, and they run on the same processors: with two of these, two workers cannot be twice as
fast as one. So the processor time of the workers is told beside it, by the hand: where the second
one costs nothing but itself, that is the same for one and for two.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import inf
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import psutil

from adapters.ledger import Ledger
from adapters.store.postgres import Store
from scripts.measuring import ours
from scripts.measuring.material import Material, stored
from scripts.measuring.pairs import Measured, Scale, turns
from scripts.measuring.servers import scratch, settle_down
from scripts.measuring.timing import Tell, Window, described, ratio, timed

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_PATIENCE_S: Final = 120.0


class _Cluster(NamedTuple):
    address: str
    workers: Sequence[psutil.Process]

    def cpu(self) -> float:
        """Return the processor seconds that the workers have taken."""
        return sum(sum(worker.cpu_times()[:2]) for worker in self.workers)


def measure(dsn: str, scale: Scale, tell: Tell) -> Measured:
    """Measure all sides on a server, in turns."""
    tell(f"inventing {scale.distinct} hands")
    chosen = stored([record for record, _ in Material(scale.distinct).next(scale.hands)])
    events = sum(len(hand.facts) for hand in chosen)
    cpu: dict[str, list[float]] = {"one": [], "two": []}
    with scratch(dsn) as database, Ledger(Store(database)) as ledger, ExitStack() as closing:
        ours.importing(ledger, [hand.line for hand in chosen])
        settle_down(database)
        clusters = {
            "one": closing.enter_context(_cluster(1)),
            "two": closing.enter_context(_cluster(2)),
        }

        def by_workers(side: str) -> Window:
            cluster, before = clusters[side], clusters[side].cpu()
            window = timed(_agreeing(ledger, len(chosen), dask=cluster.address), events)
            cpu[side].append((cluster.cpu() - before) / len(chosen))
            return window

        sides: dict[str, Callable[[], Window]] = {
            "one": lambda: by_workers("one"),
            "two": lambda: by_workers("two"),
            "processes": lambda: timed(_agreeing(ledger, len(chosen), jobs=2), events),
        }
        for side in clusters:
            by_workers(side)  # the modules loaded
            cpu[side].clear()
        found = turns(sides, scale._replace(turns_s=inf), "dask", tell)
    absolute = {side: described(windows, "hands") for side, windows in found.items()}
    for side, each in cpu.items():
        absolute[side]["workers_cpu_us"] = round(median(each) * 1e6, 1)
    return Measured(
        {
            "dask_two_vs_one": ratio(found["two"], found["one"]),
            "dask_two_vs_processes": ratio(found["two"], found["processes"]),
        },
        {"dask": absolute},
    )


def _agreeing(
    ledger: Ledger, hands: int, *, jobs: int = 1, dask: str | None = None
) -> Callable[[], int]:
    """Return what verifies everything, and says how many hands that was."""

    def work() -> int:
        found = list(ledger.verify(jobs=jobs, dask=dask))
        assert not found, found
        return hands

    return work


@contextmanager
def _cluster(workers: int) -> Iterator[_Cluster]:
    """Lend a cluster on this machine."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as closing:
        told = Path(name) / "scheduler.json"
        where = ["--scheduler-file", str(told), "--host", "127.0.0.1", "--no-dashboard"]
        closing.enter_context(_program("dask_scheduler", [*where, "--port", "0", "--no-show"]))
        until = time.monotonic() + _PATIENCE_S
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.1)
        alone = [*where, "--nthreads", "1", "--no-nanny", "--memory-limit", "0"]
        alone += ["--local-directory", name]
        running = [closing.enter_context(_program("dask_worker", alone)) for _ in range(workers)]
        yield _Cluster(json.loads(told.read_text())["address"], running)


@contextmanager
def _program(name: str, words: Sequence[str]) -> Iterator[psutil.Process]:
    """Run a program of Dask's."""
    command = [sys.executable, "-m", f"distributed.cli.{name}", *words]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=_ROOT, stdout=quiet, stderr=quiet)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.kill()
        process.wait()
