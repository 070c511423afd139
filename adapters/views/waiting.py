"""To read one's own write: wait until the projections have come as far as it."""

import time
from typing import Final

from adapters.errors import NotReachedError
from adapters.store.postgres import Conn, Runner
from adapters.views.catalogue import READ_MODELS

WAIT_S: Final = 5.0
"""How long whoever does not say is ready to wait."""

_PAUSE_S: Final = (0.001, 0.05)  # the first, and the longest, between two looks

_REACHED: Final = """
    SELECT name, position FROM projections WHERE name = ANY(%s) ORDER BY position, name LIMIT 1
"""


def wait_for(
    runner: Runner, position: int, projection: str | None = None, *, timeout: float = WAIT_S
) -> None:
    """Wait until a projection, or every one of them, has come as far as a position.

    Raises:
        KeyError: There is no such projection.
        NotReachedError: It has not in ``timeout`` seconds.
    """
    names = list(READ_MODELS) if projection is None else [projection]
    for name in names:
        READ_MODELS[name]
    until, pause = time.monotonic() + timeout, _PAUSE_S[0]
    while True:
        name, reached = runner.run(lambda conn: _furthest_behind(conn, names))
        if reached >= position:
            return
        if time.monotonic() >= until:
            raise NotReachedError(projection=name, position=position, reached=reached)
        time.sleep(pause)
        pause = min(2 * pause, _PAUSE_S[1])


def _furthest_behind(conn: Conn, names: list[str]) -> tuple[str, int]:
    ((name, reached),) = conn.execute(_REACHED, [names], prepare=True).fetchall()
    return name, reached
