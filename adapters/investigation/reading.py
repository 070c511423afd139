"""Hands out of the store, decoded, one by one, in flat memory."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from adapters.errors import UnreadableEventError
from adapters.ledger import Ledger, PositionedEntry
from adapters.store.chain import Linked
from adapters.store.codec import read_event
from adapters.store.sealing import CardKeys
from adapters.verifying.streams import BULK_HANDS, bulks
from domain.events import Event, HandOpened
from domain.stream import Cause, Entry

Progress = Callable[[int, int | None], None]
Wanted = Callable[[HandOpened, Linked], bool]

TOLD_EVERY: Final = 100  # hands


class Unreadable(NamedTuple):
    """A hand of which some event cannot be read."""

    hand: str
    position: int
    reason: str


Read = list[PositionedEntry] | Unreadable


def stored_hands(
    ledger: Ledger,
    progress: Progress,
    *,
    hands: Iterable[str] | None = None,
    wanted: Wanted | None = None,
) -> Iterator[tuple[str, Read]]:
    """Yield hands with their events, all cards in them, in the order of the ids' bytes.

    Args:
        ledger: Where.
        progress: Told, now and then, how many hands have been read, those not wanted too.
        hands: Of these alone, whose ids come in that order; None is every hand.
        wanted: By the opening and its row; None is every hand. One whose opening cannot be
            read is always yielded.

    Raises:
        CardKeyMissingError: Cards are sealed under a key that is not held.
    """
    cards = ledger.store.cards
    number = 0
    for number, (hand, rows) in enumerate(_streamed(ledger, hands), start=1):
        try:
            opening = _event(cards, rows[0])
            asked = wanted is None or not isinstance(opening, HandOpened)
            if asked or (wanted is not None and wanted(opening, rows[0])):  # type: ignore[arg-type]
                yield hand, [_stored(cards, row) for row in rows]
        except UnreadableEventError as error:
            yield hand, Unreadable(hand, error.position, error.reason)
        if number % TOLD_EVERY == 0:
            progress(number, None)
    progress(number, number)


def _streamed(ledger: Ledger, hands: Iterable[str] | None) -> Iterator[tuple[str, list[Linked]]]:
    if hands is None:
        yield from ledger.stream_hands()
        return
    for some in bulks(hands, BULK_HANDS):
        yield from ledger.stream_hands(some)


def _stored(cards: CardKeys, row: Linked) -> PositionedEntry:
    cause = Cause(row.command_id, row.actor, row.happened_at)
    entry = Entry(row.stream, row.version, _event(cards, row), cause)
    return PositionedEntry(row.position, entry)


def _event(cards: CardKeys, row: Linked) -> Event:
    return read_event(cards, row.stream, row.version, row.topic, row.body, row.position)
