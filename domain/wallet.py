"""The aggregate of one player's chips outside any hand: deposit, withdraw, reserve, release.

Beside the chips it keeps whatever names the player, sealed, and that the player was erased.
"""

from typing import Final, Self

from domain.errors import (
    AlreadyErasedError,
    AmountOutOfRangeError,
    InsufficientFundsError,
    PlayerErasedError,
    UnknownPlayerError,
)
from domain.events import (
    CarryReleased,
    CarryReserved,
    Event,
    FundsDeposited,
    FundsWithdrawn,
    PlayerErased,
    PlayerNamed,
    WalletEvent,
)
from domain.making import decided
from domain.money import CASHIER, MAX_AMOUNT, account, player_account, seat_account, transfer
from domain.stream import Cause, Stream

_deposited, _withdrawn = decided(FundsDeposited), decided(FundsWithdrawn)
_reserved, _released = decided(CarryReserved), decided(CarryReleased)

_OF_WALLETS: Final = "wallet:"


def wallet_id(player: str) -> str:
    """Return the id of a player's wallet stream."""
    return f"{_OF_WALLETS}{player}"


def player_of(stream_id: str) -> str:
    """Return the player whose wallet's stream it is."""
    return stream_id.removeprefix(_OF_WALLETS)


class Wallet(Stream):
    """One player's chips. The balance never goes below zero."""

    def __init__(self, stream_id: str) -> None:
        """Start empty."""
        super().__init__(stream_id)
        self.player = player_of(stream_id)
        self.balance = 0  # minor units
        self.erased = False

    @classmethod
    def resume(
        cls,
        player: str,
        *,
        version: int,
        balance: int,
        erased: bool = False,
    ) -> Self:
        """Return the wallet as its last event left it: every event holds all of the chips.

        Whether the player was erased is asked by :meth:`name` and :meth:`erase` alone; whoever
        gives neither command need not know.
        """
        wallet = cls(wallet_id(player))
        wallet.version, wallet.balance = version, balance
        wallet.erased = erased
        return wallet

    def evolve(self, event: Event) -> None:
        """Take in one event."""
        assert isinstance(event, WalletEvent), event
        self.balance = event.balance
        self.erased |= isinstance(event, PlayerErased)

    def deposit(self, amount: int, cause: Cause) -> None:
        """Bring in chips from the cashier.

        Raises:
            AmountOutOfRangeError: ``amount`` (minor units) is not in 1..2^63-1, or
                the balance would not be.
        """
        self._check_amount(amount)
        balance = self._credited(amount)
        moved = transfer(CASHIER, player_account(self.player), amount, "deposit")
        self.record(_deposited(balance=balance, transfers=moved), cause)

    def withdraw(self, amount: int, cause: Cause) -> None:
        """Take out chips to the cashier.

        Raises:
            AmountOutOfRangeError: ``amount`` (minor units) is not in 1..2^63-1.
            InsufficientFundsError: The balance is less.
        """
        self._check_amount(amount)
        balance = self._debited(amount)
        moved = transfer(player_account(self.player), CASHIER, amount, "withdrawal")
        self.record(_withdrawn(balance=balance, transfers=moved), cause)

    def reserve(self, hand: str, seat: int, amount: int, cause: Cause) -> None:
        """Put a seat's carry, or a top-up of it, into a hand.

        Raises:
            AmountOutOfRangeError: ``amount`` (minor units) is not in 1..2^63-1.
            InsufficientFundsError: The balance is less.
        """
        self._check_amount(amount)
        balance = self._debited(amount)
        seat_at = account(seat_account(seat), hand)
        moved = transfer(player_account(self.player), seat_at, amount, "reserve")
        self.record(_reserved(hand=hand, seat=seat, balance=balance, transfers=moved), cause)

    def release(self, hand: str, seat: int, amount: int, cause: Cause) -> None:
        """Take back what a seat was left with, minor units; zero too, so that the trail shows it.

        Raises:
            AmountOutOfRangeError: ``amount``, or the balance, is not in 0..2^63-1.
        """
        self._check_amount(amount, least=0)
        balance = self._credited(amount)
        seat_at = account(seat_account(seat), hand)
        moved = transfer(seat_at, player_account(self.player), amount, "release")
        self.record(_released(hand=hand, seat=seat, balance=balance, transfers=moved), cause)

    def name(self, sealed: str, cause: Cause) -> None:
        """Keep a name, sealed under the player's own key; it counts until the next one.

        Raises:
            PlayerErasedError: The player was erased.
        """
        self.check_nameable()
        self.record(PlayerNamed(sealed=sealed, balance=self.balance), cause)

    def check_nameable(self) -> None:
        """Refuse a name for a player who was erased.

        Raises:
            PlayerErasedError: This one was.
        """
        if self.erased:
            raise PlayerErasedError(f"{self.player} was erased", player=self.player)

    def erase(self, why: str, cause: Cause) -> None:
        """Say that the player's key is destroyed, and why. The chips stay where they are.

        Raises:
            AlreadyErasedError: It was before.
            UnknownPlayerError: There is nothing of that player; a mistyped id, say.
        """
        if self.erased:
            raise AlreadyErasedError(f"{self.player} was erased before", player=self.player)
        if not self.version:
            raise UnknownPlayerError(f"{self.player} never had a wallet here", player=self.player)
        self.record(PlayerErased(why=why, balance=self.balance), cause)

    def _check_amount(self, amount: int, *, least: int = 1) -> None:
        """Refuse what is no amount: only integers up to 2^63-1 minor units are."""
        if type(amount) is not int or not least <= amount <= MAX_AMOUNT:
            raise AmountOutOfRangeError(
                f"{amount!r} is not an amount: an integer of {least} to {MAX_AMOUNT} minor units",
                player=self.player,
                amount=amount,
            )

    def _credited(self, amount: int) -> int:
        """Return the balance after so much more."""
        balance = self.balance + amount
        if balance > MAX_AMOUNT:
            raise AmountOutOfRangeError(
                f"{self.player} would hold {balance}; the most is {MAX_AMOUNT}",
                player=self.player,
                balance=balance,
            )
        return balance

    def _debited(self, amount: int) -> int:
        """Return the balance after so much less."""
        if self.balance < amount:
            raise InsufficientFundsError(
                f"{self.player} has {self.balance}; {amount} is due",
                player=self.player,
                balance=self.balance,
                due=amount,
            )
        return self.balance - amount
