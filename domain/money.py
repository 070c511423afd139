"""Money is an integer count of minor units (分, 1/100 of a chip); it moves between accounts.

Accounts are named by their owner. Inside a hand's own events the local names
``seat:<n>`` and ``pot`` are used; :func:`account` gives the ledger-wide name
(``hand:<id>:seat:<n>``, ``hand:<id>:pot``). The others are ledger-wide already:
``player:<id>``, ``house:rake``, ``house:bonus``, ``house:bank``, ``cashier``.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

MAX_AMOUNT: Final = 2**63 - 1
"""The largest amount, minor units: what a PostgreSQL ``bigint`` holds."""

POT: Final = "pot"
RAKE: Final = "house:rake"
BONUS: Final = "house:bonus"
BANK: Final = "house:bank"
CASHIER: Final = "cashier"


class Transfer(NamedTuple):
    """Chips from one account to another. It cannot unbalance."""

    source: str
    target: str
    amount: int  # minor units, > 0
    reason: str  # "ante", "call", "won", "rake" …


@lru_cache(maxsize=1024)
def seat_account(seat: int) -> str:
    """Return the local account that holds what a seat has not yet put in."""
    return f"seat:{seat}"


def player_account(player: str) -> str:
    """Return the account of a player's chips outside any hand."""
    return f"player:{player}"


def account(local: str, hand: str) -> str:
    """Return the ledger-wide name of an account as a hand's event names it."""
    return f"hand:{hand}:{local}" if local == POT or local.startswith("seat:") else local


def transfer(source: str, target: str, amount: int, reason: str) -> tuple[Transfer, ...]:
    """Return the one transfer, or none at all where nothing moves."""
    assert amount >= 0, (source, target, amount, reason)
    return (Transfer(source, target, amount, reason),) if amount else ()


def received(transfers: Iterable[Transfer], account: str) -> int:
    """Return what transfers bring to an account, minor units."""
    return sum(move.amount for move in transfers if move.target == account)


def post(balances: Mapping[str, int], transfers: Iterable[Transfer]) -> dict[str, int]:
    """Return the balances after the transfers, minor units; their sum is what it was."""
    after = dict(balances)
    for source, target, amount, _ in transfers:
        after[source] = after.get(source, 0) - amount
        after[target] = after.get(target, 0) + amount
    return after


def in_chips(amount: int) -> str:
    """Print minor units as chips with two decimals: ``-11500`` is ``"-115.00"``."""
    whole, minor = divmod(abs(amount), 100)
    return f"{'-' if amount < 0 else ''}{whole}.{minor:02}"


def part(amount: int, numerator: int, denominator: int) -> int:
    """Return ``amount x numerator / denominator``, truncated toward zero.

    The one place where a fraction of a minor unit is dropped; what is dropped
    stays with whoever pays. All three are non-negative.

    Source: domain/zhajinhua/RULES.md §1.3; the thirteen-card example of document 004.
    """
    assert amount >= 0, amount
    assert numerator >= 0, numerator
    assert denominator > 0, denominator
    return amount * numerator // denominator


def share(amount: int, sharers: Sequence[int]) -> dict[int, int]:
    """Divide an amount into equal parts; the odd units go to the first sharers, one each.

    Args:
        amount: Minor units, >= 0.
        sharers: Seats in the order in which they take the odd units; not empty.

    Source: domain/zhajinhua/RULES.md §6.2.
    """
    each, odd = divmod(amount, len(sharers))
    return {seat: each + (place < odd) for place, seat in enumerate(sharers)}
