"""A wallet's events checked: each command given again to the wallet that its past made."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from domain.discrepancies import Discrepancy, Recorded, event_word, unequal
from domain.errors import RefusalError
from domain.events import (
    CarryReleased,
    CarryReserved,
    Event,
    FundsDeposited,
    FundsWithdrawn,
    PlayerErased,
    PlayerNamed,
)
from domain.stream import Cause
from domain.wallet import Wallet, wallet_id

_AGAIN: Final = Cause("verification", "verification", datetime.min.replace(tzinfo=UTC))

# By type, since to ask pydantic whether an event is of a class takes longer than to follow it.
_COMMANDS: Final[Mapping[type[object], Callable[[Wallet, Any], None]]] = MappingProxyType(
    {
        FundsDeposited: lambda wallet, event: wallet.deposit(event.paid, _AGAIN),
        FundsWithdrawn: lambda wallet, event: wallet.withdraw(event.paid, _AGAIN),
        CarryReserved: lambda wallet, event: wallet.reserve(
            event.hand, event.seat, event.paid, _AGAIN
        ),
        CarryReleased: lambda wallet, event: wallet.release(
            event.hand, event.seat, event.paid, _AGAIN
        ),
        PlayerNamed: lambda wallet, event: wallet.name(event.sealed, _AGAIN),
        PlayerErased: lambda wallet, event: wallet.erase(event.why, _AGAIN),
    }
)
"""The command that each event of a wallet came from."""


class _Checked(Wallet):
    """A wallet that keeps what was decided last, and makes no entries: the store has them."""

    decided: Event

    def keep(self, event: Event, cause: Cause) -> None:
        """Keep a new event."""
        del cause
        self.version += 1
        self.decided = event


def verify_wallet(player: str, rows: Iterable[Recorded]) -> Iterator[Discrepancy]:
    """Check every event of one wallet: its amounts, its running balance, never below zero.

    Args:
        player: Whose wallet.
        rows: Its whole stream in order; long ones may come as they are read.
    """
    name = wallet_id(player)
    wallet = _Checked(name)
    before = 0
    for due, row in enumerate(rows, start=1):
        if row.position <= before:
            ascending = f"> {before}"
            yield Discrepancy(name, row.position, "position", row.position, ascending, "wallet")
        before = row.position
        if row.version != due:
            yield Discrepancy(name, row.position, "version", row.version, due, "wallet")
            return
        event = row.event
        command = _COMMANDS.get(type(event))
        if event is None or command is None:
            yield Discrepancy(
                name, row.position, "event", event_word(row), "a wallet's event", "wallet"
            )
            return
        derived = _decide_again(wallet, event, command)
        if derived == event:
            continue
        if isinstance(derived, RefusalError):
            yield Discrepancy(
                name, row.position, event_word(row), "recorded", derived.code, derived.rule
            )
        else:
            old, new = event.model_dump(mode="json"), derived.model_dump(mode="json")
            for path, was, is_due in unequal(old, new):
                what = f"{event_word(row)}.{path}"
                yield Discrepancy(name, row.position, what, was, is_due, "wallet")
        wallet.evolve(event)


def _decide_again(
    wallet: _Checked, event: Event, command: Callable[[Wallet, Any], None]
) -> Event | RefusalError:
    """Give a wallet the recorded command again."""
    try:
        command(wallet, event)
    except RefusalError as refusal:
        return refusal
    return wallet.decided
