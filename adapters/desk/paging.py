"""Pages of what is in the order of positions, the newest first, from one page to the next."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, NamedTuple, Protocol
from urllib.parse import urlencode

from fastapi import Depends, Query

from adapters.http_api.bodies import Position

LENGTH: Final = 50

_END: Final = 2**63 - 1


class Reads(Protocol):
    """What reads forwards from a position, or backwards."""

    def __call__(self, *, after: int, before: int | None, limit: int) -> Sequence[Any]:
        """Read so many rows."""
        ...


class Page(NamedTuple):
    """Some rows, the newest first, and where those before and behind them begin."""

    rows: Sequence[Any]
    newer: int | None  # the position to read forwards from
    older: int | None  # the position to read backwards from


class Place(NamedTuple):
    """Where a page begins: behind a position, before one, or with the newest of all."""

    after: int | None = None
    before: int | None = None

    def of(self, read: Reads, place: Callable[[Any], int], *, upto: int | None = None) -> Page:
        """Read a page.

        Args:
            read: What reads rows.
            place: The position of one.
            upto: The last position that counts.
        """
        end = _END if upto is None else upto + 1
        if self.after is not None:  # one more than shown tells whether there is another page
            found = read(after=self.after, before=None, limit=LENGTH + 1)
            found = [row for row in found if place(row) < end]
            rows, has_newer = list(reversed(found[:LENGTH])), len(found) > LENGTH
            has_older = self.after > 0
        else:
            start = min(end, _END if self.before is None else self.before)
            found = read(after=0, before=start, limit=LENGTH + 1)
            rows, has_older = list(found[:LENGTH]), len(found) > LENGTH
            has_newer = self.before is not None
        return Page(
            rows,
            place(rows[0]) if rows and has_newer else None,
            place(rows[-1]) if rows and has_older else None,
        )

    def address(self, query: str) -> str:
        """Return a query together with this place."""
        own = {name: value for name, value in self._asdict().items() if value is not None}
        return "?" + "&".join(part for part in (query, urlencode(own)) if part)


FIRST: Final = Place()


async def _place(
    after: Annotated[Position | None, Query()] = None,
    before: Annotated[Position | None, Query()] = None,
) -> Place:
    return Place(after, before)


Paged = Annotated[Place, Depends(_place)]
