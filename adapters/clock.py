"""The one place where the time of day is read."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""What gives the time where one is needed: in UTC, with its zone."""


def now() -> datetime:
    """Return the time of day, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is the clock
