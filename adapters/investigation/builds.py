"""Which build settled which hand, by the receipts of the commands that settled them.

A build is what the program said of itself when it carried the command out; receipts from before
builds were recorded say none.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, NamedTuple

from adapters.errors import AdapterError
from adapters.store.postgres import Store, snapshot
from adapters.verifying.streams import each
from domain.events import HandSettled

UNRECORDED: Final = "unrecorded"
"""Said of hands of which none is recorded. No build is called so: each begins with a version."""

# An event without its receipt is not left out: no build is recorded for it either.
_SETTLED: Final = """
    events LEFT JOIN receipts USING (command_id)
     WHERE topic = %s AND originator_id >= 'hand:' AND originator_id < 'hand;'
"""

_BUILDS: Final = f"""
    SELECT build, count(*), min(position), max(position) FROM {_SETTLED}
     GROUP BY build ORDER BY min(position)
"""  # noqa: S608 - constants

_HANDS: Final = f"""
    SELECT substr(originator_id, 6) FROM {_SETTLED} AND build IS NOT DISTINCT FROM %s::text
     ORDER BY originator_id
"""  # noqa: S608 - constants


class BuildRow(NamedTuple):
    """A build, and what it settled."""

    build: str | None  # None: of these hands none is recorded
    hands: int
    first: int  # position of the first settlement
    last: int


class UnknownBuildError(AdapterError):
    """A build that settled no hand."""

    code: ClassVar[str] = "unknown_build"

    def __init__(self, build: str, known: Sequence[BuildRow]) -> None:
        settled = ", ".join(f"{row.build or UNRECORDED} ({row.hands} hands)" for row in known)
        super().__init__(f"no hand was settled by build {build!r}; there are: {settled or 'none'}")
        self.build, self.known = build, known


def builds(store: Store) -> list[BuildRow]:
    """Return every build that settled hands, in the order in which they began to."""
    with store.connection() as conn:
        return [BuildRow(*row) for row in conn.execute(_BUILDS, [HandSettled.TOPIC])]


def settled_by(store: Store, build: str) -> Iterator[str]:
    """Yield the hands that a build settled, in the order of their ids' bytes, in flat memory.

    Args:
        store: Where.
        build: As it is recorded, whole; or :data:`UNRECORDED`.

    Raises:
        UnknownBuildError: It settled none.
    """
    value = None if build == UNRECORDED else build
    number = 0
    with store.connection() as conn, snapshot(conn):
        for (hand,) in each(conn, _HANDS, values=[HandSettled.TOPIC, value]):
            number += 1
            yield hand
    if not number:
        raise UnknownBuildError(build, builds(store))
