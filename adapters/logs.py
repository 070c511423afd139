"""One line a use case, on standard error: an event in the past tense, then keys and values.

Quiet unless asked. No card of any hand is ever logged. A line that cannot be written is dropped:
what it tells of is done, and whoever did it must not fail for that.
"""

import logging
import sys
from contextlib import suppress
from typing import Final, TextIO, cast

import structlog


def configure(level: str = "warning", *, for_good: bool = False) -> None:
    """Say from which level on there are log lines: "debug", "info", "warning" or "error".

    Args:
        level: The lowest that is written.
        for_good: This process will not say otherwise, so what logs need not ask again each time.
    """
    stream = sys.stderr
    is_watched = not stream.closed and stream.isatty()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=True)
            if is_watched
            else structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(file=cast("TextIO", _Dropping(stream))),
        cache_logger_on_first_use=for_good,
    )


def is_heard(level: int) -> bool:
    """Tell whether lines of a level of ``logging`` are written.

    Whoever answers many commands asks first: a line for nobody takes several times as long.
    """
    return level >= _HEARD_FROM.get(structlog.get_config()["wrapper_class"], logging.NOTSET)


_HEARD_FROM: Final = {
    structlog.make_filtering_bound_logger(level): level
    for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)
}


class _Dropping:
    """A stream that may be closed, full, or read by nobody."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write a text, if that is possible."""
        with suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        """Let it out, likewise."""
        with suppress(OSError, ValueError):
            self._stream.flush()
