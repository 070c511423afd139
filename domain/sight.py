"""Who may see which cards: of a running hand a seat its own, of one that has ended everybody all.

A seat that plays blind has not seen its own cards either; it sees them from its look on.
"""

from collections.abc import Iterable, Sequence

from domain.cards import HIDDEN
from domain.events import ENDINGS, CardsDealt, CardsSeen, Event


def is_over(events: Iterable[Event | None]) -> bool:
    """Tell whether a hand has ended: it is settled, or void."""
    return not ENDINGS.isdisjoint(map(type, events))


def as_seen(events: Sequence[Event], seat: int | None = None) -> list[Event]:
    """Return the events of a hand as somebody may see them.

    Args:
        events: The hand's whole stream so far.
        seat: Who looks at it; None is somebody who sits nowhere.
    """
    if is_over(events):
        return list(events)
    looked = any(isinstance(event, CardsSeen) and event.seat == seat for event in events)
    own = seat if looked else None
    return [_hidden(event, own) if isinstance(event, CardsDealt) else event for event in events]


def _hidden(dealt: CardsDealt, own: int | None) -> CardsDealt:
    """Return a deal without the cards, but for those of one seat."""
    cards = {seat: held if seat == own else HIDDEN for seat, held in dealt.cards.items()}
    return dealt.model_copy(update={"cards": cards})
