"""One line a use case, on standard error: an event in the past tense, then keys and values.

Quiet unless asked. No card of any hand is ever logged.
"""

import logging
import sys
from typing import Final

import structlog

LEVELS: Final = ("debug", "info", "warning", "error")


def configure(level: str = "warning") -> None:
    """Say from which level on there are log lines; one of :data:`LEVELS`."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
            if sys.stderr.isatty()
            else structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
