"""Traces and metrics for OpenTelemetry, where an endpoint is configured and the extra installed.

The framework makes a span of each request: its route, its path, its status. What it would log of
its own, the words of exceptions, may hold a card and stays here.
"""

from collections.abc import MutableMapping
from importlib.util import find_spec
from typing import Any, Final

import structlog
from fastapi.telemetry import TelemetryConfig

from adapters.settings import Settings

_PROBES: Final = frozenset({"/healthz", "/readyz", "/metrics"})

log = structlog.get_logger()


def configuration(settings: Settings) -> TelemetryConfig:
    """Return what the framework is to tell, and to whom."""
    is_wanted = settings.otlp_endpoint is not None
    if is_wanted and not _is_installed():
        log.warning("telemetry_not_installed", extra="otel")
        is_wanted = False
    return {
        "tracing": is_wanted,
        "metrics": is_wanted,
        "logs": False,
        "operation_spans": False,
        "auto_configure": is_wanted,
        "exclude": _is_probe,
    }


def _is_installed() -> bool:
    names = ("opentelemetry.sdk", "opentelemetry.exporter")
    return all(find_spec(name) is not None for name in names)


def _is_probe(scope: MutableMapping[str, Any]) -> bool:
    return scope.get("path") in _PROBES
