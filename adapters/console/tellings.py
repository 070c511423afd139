"""Tellings of hands that a command is given: hand records in a file or a pipe, or a stored hand.

``-`` is standard input, a file that exists is read, and anything else is the id of a stored hand.
"""

from collections.abc import Iterator
from pathlib import Path

from adapters.console.failures import BadInputError, UnexplainableHandError
from adapters.console.lines import open_input
from adapters.console.options import Where, opened
from adapters.lines import record_lines
from domain.errors import RefusalError, UnknownHandError
from domain.facts import Facts, of_events, of_record
from domain.playing import Reject
from domain.record import read
from domain.stream import BROKEN


def is_file(telling: str) -> bool:
    """Tell whether a telling is read from a file or a pipe."""
    path = Path(telling)
    return telling == "-" or (path.exists() and not path.is_dir())


def recorded(file: str) -> Iterator[Facts | Reject]:
    """Yield the facts of each record of a file, or why it is refused."""
    with open_input(file) as source:
        for line in record_lines(source):
            hand = None
            try:
                record = read(line)
                hand = record.hand
                yield of_record(record)
            except RefusalError as refusal:
                name = getattr(refusal, "hand", None) or hand
                yield Reject.of(refusal, hand=name, at=-1)


def stored(hand: str, where: Where) -> Facts:
    """Return the facts of a stored hand.

    Raises:
        UnknownHandError: There is none, nor is there such a file.
        HandNotOverError: It is not settled.
        UnexplainableHandError: Its events make no hand.
    """
    with opened(where) as store:
        try:
            events = [entry.event for _, entry in store.ledger.shown(hand)]
        except UnknownHandError as unknown:
            message = f"{unknown.message}, nor is there such a file"
            raise UnknownHandError(message, hand=hand) from None
    try:
        return of_events(hand, events)
    except BROKEN:
        raise UnexplainableHandError(hand) from None


def one(telling: str, hand: str | None, where: Where) -> Facts:
    """Return the facts of the one hand that a telling is of.

    Args:
        telling: A file, ``-`` or a stored hand's id.
        hand: Which hand of a file that has several.
        where: The store.

    Raises:
        BadInputError: A file holds no such hand, or several and none was named, or
            the one that is meant is refused.
    """
    if not is_file(telling):
        return stored(telling, where)
    found = [facts for facts in recorded(telling) if hand in (None, facts.hand)]
    if len(found) != 1:
        wanted = f"hand {hand}" if hand else "one hand; name one with --hand"
        raise BadInputError(f"{telling} holds {len(found)} records, not {wanted}")
    if isinstance(found[0], Reject):
        reject = found[0]
        raise BadInputError(f"{telling}: {reject.code}: {reject.message}")
    return found[0]
