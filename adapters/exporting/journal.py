"""What both journals say: a transaction for each hand and each movement of a wallet alone.

A hand's transaction is what all of its events and its custody came to, account by account: one that
is over moves chips between its players, the house and nobody else. The accounts of a hand that is
running, or that somebody left open, are there with what is in them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from heapq import merge
from typing import Final, NamedTuple

from adapters.exporting.accounts import journal_account
from adapters.exporting.errors import JournalDisagreesError
from adapters.exporting.source import Export
from adapters.exporting.told import Told, ToldHand
from domain.money import player_account
from domain.wallet import player_of
from projections.balances import changes, is_kept

COMMODITY: Final = "CHIP"
"""A chip is 100 minor units; journals count chips with two decimals."""


class Transaction(NamedTuple):
    """Chips that moved, by the ledger's accounts; the amounts are minor units and sum to zero."""

    position: int  # where it began in the history: what journals are sorted by
    day: date
    what: str  # "hand", "deposit", "withdrawal"
    subject: str  # the hand's id, or the player's
    postings: Mapping[str, int]
    notes: Mapping[str, str]  # what else is worth knowing, by name


@dataclass
class Totals:
    """What the transactions so far come to."""

    last: date = date.min
    balances: dict[str, int] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)  # accounts that were declared

    def take(self, transaction: Transaction) -> list[str]:
        """Take a transaction in; return the accounts in it that no other had, by name."""
        self.last = max(self.last, transaction.day)
        for account, amount in transaction.postings.items():
            self.balances[account] = self.balances.get(account, 0) + amount
        new = sorted(transaction.postings.keys() - self.seen)
        self.seen.update(new)
        return new


def transactions(export: Export) -> Iterator[Transaction]:
    """Yield what is to be told, in the order in which it began."""
    of_hands = (_of_hand(export, hand) for hand in export.hands())
    of_wallets = (_of_wallet(told) for told in export.wallets_alone())
    yield from merge(of_hands, of_wallets, key=lambda transaction: transaction.position)


def held(export: Export, totals: Totals) -> dict[str, int]:
    """Return what the accounts of which this journal has every movement hold, minor units.

    For an auditor these are all accounts, for a player the player's own; a journal of some hands
    has every movement of none.

    Raises:
        JournalDisagreesError: The ledger's accounts hold something else.
    """
    if not export.choice.is_whole:
        return {}
    own = export.choice.viewer.player
    wanted = None if own is None else player_account(own)
    kept = {row.account: row.balance for row in export.balances() if wanted in (None, row.account)}
    ours = {
        account: balance
        for account, balance in totals.balances.items()
        if wanted in (None, account) and is_kept(account, balance)
    }
    for account in sorted(kept.keys() | ours):
        exported, due = ours.get(account, 0), kept.get(account, 0)
        if exported != due:
            raise JournalDisagreesError(account=account, exported=exported, held=due)
    return kept


def in_order(postings: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return postings by a journal's names of the accounts, minor units."""
    return sorted((journal_account(account), amount) for account, amount in postings.items())


def _of_hand(export: Export, hand: ToldHand) -> Transaction:
    """Return what a hand came to, so far or for good."""
    row = hand.row
    moved = changes(told.entry for told in (*hand.told, *hand.custody))
    players = {player_account(player) for player in row.players}
    postings = {name: change for name, change in moved.items() if change or name in players}
    notes = {"rulebook": f"{row.rulebook} v{row.version}", "state": row.state}
    if row.winners:
        notes["winners"] = ", ".join(row.winners)
    ended = row.ended_at or row.opened_at
    export.wrote()
    return Transaction(row.opened_position, _day(ended), "hand", row.hand, postings, notes)


def _of_wallet(told: Told) -> Transaction:
    """Return a deposit, or a withdrawal."""
    (move,) = told.event.transfers
    postings = {move.source: -move.amount, move.target: move.amount}
    player = player_of(told.entry.originator_id)
    notes = {"actor": told.entry.cause.actor}
    return Transaction(told.position, _day(told.happened_at), move.reason, player, postings, notes)


def _day(moment: datetime) -> date:
    return moment.astimezone(UTC).date()
