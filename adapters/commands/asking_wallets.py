"""What each command about a wallet asks for."""

from functools import partial

from adapters.commands.commanding import Commanding
from adapters.commands.deciding import moving
from adapters.commands.execution import Asked, Command
from adapters.commands.naming import erasing, keyed_fingerprint, naming
from adapters.registers.player_keys import destroy_keys
from domain.record import check_name
from domain.wallet import Wallet, wallet_id


class AskingWallets(Commanding):
    """The commands that there are about wallets."""

    def deposit(
        self, player: str, amount: int, *, command_id: str, actor: str = "cashier"
    ) -> Asked:
        """Bring in ``amount`` minor units from the cashier.

        Raises:
            RefusalError: The amount, a name or the command id is refused.
        """
        command = self._wallet_command("deposit", player, amount, command_id, actor)
        return Asked(command, moving(Wallet.deposit, player, amount), "funds_deposited")

    def withdraw(
        self, player: str, amount: int, *, command_id: str, actor: str = "cashier"
    ) -> Asked:
        """Take out ``amount`` minor units to the cashier.

        Raises:
            InsufficientFundsError: The wallet has less.
            RefusalError: The amount, a name or the command id is refused.
        """
        command = self._wallet_command("withdraw", player, amount, command_id, actor)
        return Asked(command, moving(Wallet.withdraw, player, amount), "funds_withdrawn")

    def name_player(
        self, player: str, name: str, *, command_id: str, actor: str = "operator"
    ) -> Asked:
        """Keep what a player is called, sealed under the player's own key; the last name counts.

        Nothing that is remembered of the command holds the name, or lets it be guessed.

        Raises:
            PlayerErasedError: The player was erased; so is whatever told names apart.
            RefusalError: A name or the command id is refused.
        """
        check_name(player, "player")
        check_name(name, "name")
        body = {"player": player}
        stream = wallet_id(player)
        command = self._command("name_player", stream, body, command_id, actor, reads_last=1)
        tell_apart = partial(keyed_fingerprint, player, name, {**body, "actor": actor})
        command = command._replace(tell_apart=tell_apart)
        afterwards = partial(destroy_keys, player=player)
        return Asked(command, naming(player, name), "player_named", afterwards)

    def erase_player(
        self, player: str, why: str, *, command_id: str, actor: str = "operator"
    ) -> Asked:
        """Destroy the key of a player's names: nobody reads them again, and every hash stays.

        The chips, the id and every event stay. Given again, under any id, it destroys what a
        crash or a restore has left of the key.

        Args:
            player: The id.
            why: Kept for ever, in clear; it should name nobody.
            command_id: Under which it may be given again.
            actor: Who gives it.

        Raises:
            AlreadyErasedError: The player was erased before.
            UnknownPlayerError: The player never had a wallet here.
            RefusalError: A name, the reason or the command id is refused.
        """
        check_name(player, "player")
        check_name(why, "why")
        body = {"player": player, "why": why}
        stream = wallet_id(player)
        command = self._command("erase_player", stream, body, command_id, actor, reads_last=1)
        afterwards = partial(destroy_keys, player=player)
        return Asked(command, erasing(player, why), "player_erased", afterwards)

    def _wallet_command(
        self, kind: str, player: str, amount: int, command_id: str, actor: str
    ) -> Command:
        check_name(player, "player")
        body = {"player": player, "amount": amount}
        return self._command(kind, wallet_id(player), body, command_id, actor, reads_last=1)
