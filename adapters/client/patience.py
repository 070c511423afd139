"""How long to wait before something is tried again, and when to give it up."""

import secrets
import time
from typing import Final

from adapters.client.errors import UnavailableError

FIRST_S: Final = 0.05
LONGEST_S: Final = 2.0

_PARTS: Final = 1_000


class Patience:
    """Of one thing that is tried again: longer from time to time, and never in step with others."""

    def __init__(self, seconds: float) -> None:
        """Have so much of it."""
        self._until = time.monotonic() + seconds
        self._next_s = FIRST_S

    def before_again(self, error: UnavailableError) -> float:
        """Return how long to wait, seconds: at least as long as the service says.

        Raises:
            UnavailableError: It has been tried for long enough; it is the one that was given.
        """
        wait_s = self._next_s * (0.5 + secrets.randbelow(_PARTS) / _PARTS)
        wait_s = max(wait_s, error.retry_after_s or 0.0)
        self._next_s = min(self._next_s * 2, LONGEST_S)
        if time.monotonic() + wait_s > self._until:
            raise error
        return wait_s
