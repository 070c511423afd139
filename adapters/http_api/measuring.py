"""What is counted and timed, for Prometheus: added up over all the processes of one service."""

import time
from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import psutil
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from adapters.appending.batches import Outcome
from adapters.appending.group_commit import BATCH_MAX
from adapters.async_ledger import AsyncLedger
from adapters.commands.execution import Asked, Receipt
from adapters.errors import AdapterError
from adapters.settings import shared_metrics
from domain.errors import RefusalError

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 30.0)
_SIZES: Final = tuple(2**n for n in range(BATCH_MAX.bit_length()))

APPENDS: Final = Histogram(
    "jinhua_append_seconds",
    "From a command's being taken to its answer, refused or not.",
    ["kind"],
    buckets=_SECONDS,
)
COMMITS: Final = Histogram(
    "jinhua_commit_seconds", "Of a transaction that stores commands.", buckets=_SECONDS
)
GROUPS: Final = Histogram("jinhua_commit_commands", "Commands of one transaction.", buckets=_SIZES)
OUTCOMES: Final = Counter(
    "jinhua_outcomes",
    "What became of what commands brought: stored, replayed, reused, conflict.",
    ["outcome"],
)
REFUSALS: Final = Counter(
    "jinhua_refusals", "Commands that were not carried out, by the code of the problem.", ["code"]
)
REQUEST_SECONDS: Final = Histogram(
    "jinhua_request_seconds",
    "Of a request, to the end of its answer; the status is 0 where none was begun.",
    ["operation", "status"],
    buckets=_SECONDS,
)
LENT: Final = Gauge(
    "jinhua_pool_connections_in_use",
    "Connections to the store that are in use, by pool.",
    ["pool"],
    multiprocess_mode="livesum",
)
UNDER_WAY: Final = Gauge(
    "jinhua_commands_under_way", "Commands under way.", multiprocess_mode="livesum"
)


_append_seconds = cache(APPENDS.labels)  # to look it up takes longer than to observe


class MeasuredLedger(AsyncLedger):
    """A ledger whose commands are timed, and whose refusals are counted."""

    async def carry_out(self, asked: Asked) -> Receipt:
        """Carry a command out: see :meth:`AsyncLedger.carry_out`."""
        started = time.perf_counter()
        try:
            return await super().carry_out(asked)
        except (RefusalError, AdapterError) as error:
            REFUSALS.labels(error.code).inc()
            raise
        finally:
            kind = asked.command.fingerprint.kind
            _append_seconds(kind).observe(time.perf_counter() - started)


def watch(outcomes: Sequence[Outcome], seconds: float) -> None:
    """Count a batch that was stored, and what became of its commands."""
    COMMITS.observe(seconds)
    GROUPS.observe(len(outcomes))
    for kind, count in Tally(map(type, outcomes)).items():
        OUTCOMES.labels(kind.__name__.lower()).inc(count)


def exposition(ages: Mapping[str, float] | None) -> bytes:
    """Return all of it as Prometheus reads it.

    Args:
        ages: How long, seconds, the oldest event has waited for each projection; None where the
            store cannot be asked.
    """
    store = CollectorRegistry()
    store.register(_Store(ages))
    return generate_latest(_processes()) + generate_latest(store)


def _processes() -> CollectorRegistry:
    """Return what the processes have counted: those of several are added up."""
    directory = shared_metrics()
    if directory is None:
        return REGISTRY
    for pid in _gone(directory):
        # What it counted stays; what it held does not.
        mark_process_dead(pid, str(directory))  # type: ignore[no-untyped-call]
    found = CollectorRegistry()
    MultiProcessCollector(found, str(directory))  # type: ignore[no-untyped-call]
    return found


def _gone(directory: Path) -> Iterator[int]:
    """Yield the processes that left gauges behind and are no more."""
    for file in directory.glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not psutil.pid_exists(pid):
            yield pid


class _Store(Collector):
    """What the store says of itself at the moment."""

    def __init__(self, ages: Mapping[str, float] | None) -> None:
        self._ages = ages

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield it."""
        is_up = self._ages is not None
        yield GaugeMetricFamily("jinhua_store_up", "Whether the store answers.", value=is_up)
        lag = GaugeMetricFamily(
            "jinhua_projection_lag_seconds",
            "For how long the oldest event has been there that a projection lacks.",
            labels=["projection"],
        )
        for name, age in sorted((self._ages or {}).items()):
            lag.add_metric([name], age)
        yield lag
