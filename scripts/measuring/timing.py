"""Windows of work, timed; and sides that take turns, so that a busy machine is busy for both."""

import asyncio
import math
import os
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median
from typing import Final, NamedTuple

Tell = Callable[[str], None]
"""Told in a line what is being done."""

_END: Final = object()


class Window(NamedTuple):
    """What was done in one stretch of time."""

    done: int
    seconds: float
    latencies: Sequence[float] = ()  # seconds, one each, where they were looked at
    events: int = 0  # written or read, where they are counted
    cpu: float = 0.0  # seconds of this process, whatever it had to wait for

    @property
    def rate(self) -> float:
        """How much was done a second."""
        return self.done / self.seconds


Side = Callable[[], Window]
"""Does a window of work; what has to be made ready is made ready before its clock starts."""


def interleaved(
    sides: Mapping[str, Side],
    *,
    rounds: int,
    name: str,
    tell: Tell,
    seconds_max: float = math.inf,
) -> dict[str, list[Window]]:
    """Let the sides take turns, A B A B …, and return the windows of each.

    Each round begins with another side, so that none always works in another's wake.

    Args:
        sides: By name.
        rounds: How many turns each takes.
        name: Of what is done, to be told.
        tell: Told the rate of every window.
        seconds_max: No round but the first begins after so long.
    """
    found: dict[str, list[Window]] = {side: [] for side in sides}
    order = list(sides)
    begun = time.monotonic()
    for turn in range(rounds):
        if turn and time.monotonic() - begun > seconds_max:
            break
        first = turn % len(order)
        for side in order[first:] + order[:first]:
            window = sides[side]()
            found[side].append(window)
            tell(f"{name} {turn + 1}/{rounds} {side}: {window.rate:,.0f} a second")
    return found


def ratio(ours: Sequence[Window], others: Sequence[Window]) -> float:
    """Return how many times as fast ours is: the median over the rounds."""
    return median(a.rate / b.rate for a, b in zip(ours, others, strict=True))


def lost(with_it: Sequence[Window], without: Sequence[Window]) -> float:
    """Return which part of the rate something costs: the median over the rounds."""
    return 1 - ratio(with_it, without)


def cpu_each(windows: Sequence[Window]) -> float:
    """Return the processor time of the client for one piece of work, seconds: the median."""
    return median(window.cpu / window.done for window in windows)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest of the values that this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def described(windows: Sequence[Window], unit: str) -> dict[str, float | str]:
    """Return the figures of one side, over all its windows."""
    latencies = [one for window in windows for one in window.latencies]
    figures: dict[str, float | str] = {
        "unit": unit,
        "rounds": len(windows),
        "per_s": round(median(window.rate for window in windows), 2),
    }
    if any(window.events for window in windows):
        figures["events_per_s"] = round(median(w.events / w.seconds for w in windows), 1)
    if all(window.cpu for window in windows):
        # Of the client alone. On a busy machine it says more than the clock does.
        figures["client_cpu_us"] = round(cpu_each(windows) * 1e6, 1)
    if latencies:
        figures["p50_ms"] = round(percentile(latencies, 0.50) * 1000, 3)
        figures["p99_ms"] = round(percentile(latencies, 0.99) * 1000, 3)
    return figures


def timed(work: Callable[[], int], events: int = 0) -> Window:
    """Do something once; it says how much it did."""
    cpu, started = time.process_time(), time.perf_counter()
    done = work()
    seconds = time.perf_counter() - started
    return Window(done, seconds, events=events, cpu=time.process_time() - cpu)


def together(workers: Sequence[Iterator[object]], seconds: float) -> Window:
    """Let workers work at once, a thread each, until the time is over or one of them is through.

    Args:
        workers: Each step of one is one piece of work.
        seconds: For how long, at most. Whatever is begun is finished, and counts.
    """
    over = threading.Event()
    barrier = threading.Barrier(len(workers) + 1)

    def work(worker: Iterator[object]) -> tuple[list[float], float]:
        latencies: list[float] = []
        barrier.wait()
        ended = time.perf_counter()
        try:
            while not over.is_set():
                started = ended
                if next(worker, _END) is _END:
                    break
                ended = time.perf_counter()
                latencies.append(ended - started)
        finally:
            over.set()
        return latencies, ended

    with ThreadPoolExecutor(len(workers)) as pool:
        futures = [pool.submit(work, worker) for worker in workers]
        cpu, started = time.process_time(), time.perf_counter()
        barrier.wait()
        over.wait(seconds)
        over.set()
        results = [future.result() for future in futures]
        cpu = time.process_time() - cpu
    latencies = [latency for found, _ in results for latency in found]
    took = max(ended for _, ended in results) - started
    return Window(len(latencies), took, latencies, cpu=cpu)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and those that it starts, on one core where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


async def at_once(
    workers: Sequence[Iterator[Awaitable[object]]],
    seconds: float,
    cpu: Callable[[], float] = time.process_time,
) -> Window:
    """Let workers work at once on an event loop, until the time is over or one of them is through.

    Whoever is through ends it for all: fewer would be another measurement.

    Args:
        workers: Each step of one is one piece of work, to be waited for.
        seconds: For how long, at most. Whatever is begun is finished, and counts.
        cpu: Tells the processor time so far, seconds, of whoever is measured.
    """
    latencies: list[float] = []
    over = asyncio.Event()

    async def work(worker: Iterator[Awaitable[object]]) -> None:
        while not over.is_set():
            piece = next(worker, None)
            if piece is None:
                over.set()
                return
            started = time.perf_counter()
            await piece
            latencies.append(time.perf_counter() - started)

    cpu_before, started = cpu(), time.perf_counter()
    timer = asyncio.get_running_loop().call_later(seconds, over.set)
    await asyncio.gather(*map(work, workers))
    timer.cancel()
    took = time.perf_counter() - started
    return Window(len(latencies), took, latencies, cpu=cpu() - cpu_before)
