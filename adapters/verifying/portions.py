"""A portion of a verification, and what it comes to; portions follow one another as bytes do."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from adapters.verifying.bookmark import Bookmark, Found
from domain.discrepancies import Discrepancy
from domain.hand import hand_stream

P = TypeVar("P", bound="Portion")

Progress = Callable[[int, int], None]
"""Told how many hands and events are done."""


@dataclass(frozen=True)
class Portion:
    """Streams of one kind that follow one another, in the order of bytes."""

    kind: str  # "hand", "wallet" or "dispute"
    first: str
    before: str
    streams: Sequence[str] = ()
    """These alone; without any, all from the first on."""

    def placed(self, found: Iterable[Discrepancy]) -> Iterator[Found]:
        """Yield what was found in it, each with its stream."""
        for one in found:
            yield Found(hand_stream(one.hand) if self.kind == "hand" else one.hand, one)


class Checked(NamedTuple):
    """What was found in a portion, and how much of it there was."""

    found: list[Discrepancy]
    hands: int
    events: int


Checking = Callable[[Iterable[P]], Iterator[Checked]]
"""What checks portions, wherever that is done, and answers in their order."""


def tallied(
    portions: Sequence[P],
    checking: Checking[P],
    progress: Progress,
    counted: tuple[int, int] = (0, 0),
    bookmark: Bookmark | None = None,
) -> Iterator[Discrepancy]:
    """Yield what is found in portions, and tell how far it has come.

    Args:
        portions: What is to be checked.
        checking: Checks it.
        progress: Told after each portion.
        counted: The hands and events that are done already.
        bookmark: Remembers how far it has come.
    """
    hands, events = counted
    if bookmark is not None:
        progress(hands, events)
    for portion, (found, more_hands, more_events) in zip(portions, checking(portions), strict=True):
        yield from found
        hands, events = hands + more_hands, events + more_events
        progress(hands, events)
        if bookmark is not None:
            bookmark.advance(portion.before, portion.placed(found), hands, events)
