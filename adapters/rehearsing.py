"""An import of which nothing is stored: what would become of each line after those before it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from adapters.appending import Append, Outcome, Stored, StoredReceipt
from adapters.history import History
from adapters.importing import Import
from adapters.postgres import Runner
from domain.events import WalletEvent
from domain.wallet import Wallet, player_of


@dataclass
class _Remembered:
    """What would have been stored, as far as later lines rest on it."""

    receipts: dict[str, StoredReceipt] = field(default_factory=dict)  # by command
    wallets: dict[str, Wallet] = field(default_factory=dict)  # by player

    def take(self, append: Append) -> None:
        """Remember one hand and its players' wallets."""
        given = append.fingerprint
        receipt = StoredReceipt(append.command_id, given.digest, given.fields, 0, 0, append.answer)
        self.receipts[append.command_id] = receipt
        for entry in append.entries:
            if isinstance(entry.event, WalletEvent):
                player = player_of(entry.originator_id)
                version, balance = entry.originator_version, entry.event.balance
                self.wallets[player] = Wallet.resume(player, version=version, balance=balance)


class Rehearsal(Import):
    """One run over one file that leaves the store as it is."""

    logged_as: ClassVar[str] = "hands_rehearsed"

    @cached_property
    def _remembered(self) -> _Remembered:
        """What came before; at first nothing but what the store holds."""
        return _Remembered()

    def _history(self, runner: Runner) -> History:
        return _Rehearsed(runner, self._remembered)

    def _append(self, runner: Runner, appends: Sequence[Append]) -> list[Outcome]:
        """Remember what would be stored, in the place of storing it."""
        del runner
        for append in appends:
            self._remembered.take(append)
        return [Stored(1, len(append.entries)) for append in appends]


class _Rehearsed(History):
    """The history, and after it what would have been stored."""

    def __init__(self, runner: Runner, remembered: _Remembered) -> None:
        super().__init__(runner)
        self._remembered = remembered

    def receipts(self, command_ids: Sequence[str]) -> dict[str, StoredReceipt]:
        """Read receipts, and remember them."""
        known = self._remembered.receipts
        return super().receipts(command_ids) | {
            command_id: known[command_id] for command_id in command_ids if command_id in known
        }

    def wallets(self, players: Sequence[str]) -> dict[str, Wallet]:
        """Read wallets, or remember them."""
        known = self._remembered.wallets
        return super().wallets(players) | {
            player: known[player] for player in players if player in known
        }
