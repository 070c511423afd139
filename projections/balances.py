"""Chips of an account, one row each. Source events: every one that moves chips.

The accounts of a hand (``hand:<id>:…``) are there while chips are in them; any other,
once chips have moved through it, stays for good.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from domain.events import TOPICS
from domain.hand import hand_of
from domain.money import account
from domain.stream import Entry
from projections import Projection, Recorded

HAND = "hand:"
"""How the accounts of a hand begin."""


class Balance(NamedTuple):
    """One row. Over all rows the balances sum to zero."""

    account: str
    balance: int  # minor units


class BalancesView(ABC):
    """Port. Keeps the rows."""

    @abstractmethod
    def post(self, changes: Mapping[str, int]) -> None:
        """Add to each account what it changed by, minor units; keep what :func:`is_kept`."""


class Balances(Projection):
    """Posts what each batch of events came to."""

    name: ClassVar[str] = "balances"
    topics: ClassVar[frozenset[str]] = frozenset(TOPICS)

    def __init__(self, view: BalancesView) -> None:
        """Write to a view."""
        self._view = view

    def process(self, batch: Sequence[Recorded]) -> None:
        """Add up what the events moved."""
        self._view.post(changes(recorded.entry for recorded in batch))


def changes(entries: Iterable[Entry]) -> dict[str, int]:
    """Return what each account changed by, under its ledger-wide name. The sum is zero."""
    totals: dict[str, int] = {}
    for stream, moved in _moved(entries).items():
        hand = hand_of(stream)
        for local, change in moved.items():
            name = account(local, hand)
            totals[name] = totals.get(name, 0) + change
    return totals


def _moved(entries: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """Return what each account changed by, under the names that each stream has for them."""
    streams: dict[str, dict[str, int]] = {}
    for entry in entries:
        if transfers := entry.event.transfers:
            moved = streams.setdefault(entry.originator_id, {})
            for source, target, amount, _ in transfers:
                moved[source] = moved.get(source, 0) - amount
                moved[target] = moved.get(target, 0) + amount
    return streams


def is_kept(name: str, balance: int) -> bool:
    """Tell whether an account has a row: a hand's leaves with its last chip."""
    return balance != 0 or not name.startswith(HAND)
