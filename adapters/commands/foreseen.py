"""The history as it will be: what the store holds, and appends that it is about to hold."""

from collections.abc import Iterable, Sequence

from adapters.appending.batches import Append, StoredReceipt
from adapters.commands.history import History
from adapters.store.postgres import Runner
from domain.events import WalletEvent
from domain.wallet import Wallet, player_of


class Assumed:
    """Appends that are taken to be stored, as far as later ones rest on them."""

    def __init__(self, appends: Iterable[Append] = ()) -> None:
        """Take these, in order."""
        self.receipts: dict[str, StoredReceipt] = {}  # by command
        self.wallets: dict[str, Wallet] = {}  # by player
        for append in appends:
            self.take(append)

    def take(self, append: Append) -> None:
        """Take one more, which comes after the others."""
        given = append.fingerprint
        receipt = StoredReceipt(append.command_id, given.digest, given.fields, 0, 0, append.answer)
        self.receipts[append.command_id] = receipt
        for entry in append.entries:
            if isinstance(entry.event, WalletEvent):
                player = player_of(entry.originator_id)
                version, balance = entry.originator_version, entry.event.balance
                self.wallets[player] = Wallet.resume(player, version=version, balance=balance)


class Foreseen(History):
    """The history, and after it appends that are taken to be stored.

    Streams need no foreseeing: whoever asks for a hand looks for its receipt too.
    """

    def __init__(self, runner: Runner, assumed: Assumed) -> None:
        """See both; positions of what is assumed are not known yet, and told as 0."""
        super().__init__(runner)
        self._assumed = assumed

    def receipts(self, command_ids: Sequence[str]) -> dict[str, StoredReceipt]:
        """Read receipts, or foresee them."""
        known = self._assumed.receipts
        found = {id_: known[id_] for id_ in command_ids if id_ in known}
        others = [id_ for id_ in command_ids if id_ not in known]
        return found | super().receipts(others) if others else found

    def wallets(self, players: Sequence[str]) -> dict[str, Wallet]:
        """Read wallets, or foresee them."""
        known = self._assumed.wallets
        found = {player: known[player] for player in players if player in known}
        others = [player for player in players if player not in known]
        return found | super().wallets(others) if others else found
