"""``beancount``: a ledger that ``bean-check`` accepts, with what is held asserted exactly."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from adapters.exporting.accounts import journal_account
from adapters.exporting.errors import DayOutOfRangeError
from adapters.exporting.journal import COMMODITY, Totals, Transaction, held, in_order, transactions
from adapters.exporting.source import Export
from domain.money import in_chips

_FIRST_DAY: Final = date(1700, 1, 1)
_LAST_DAY: Final = date(2099, 12, 30)
"""The program reads no earlier day and no later one; what is held is asserted on the day after."""

_HEAD: Final = f"""\
; the chips of a jinhua ledger; adapters/exporting/FORMATS.md says which account is which
option "title" "jinhua"
option "operating_currency" "{COMMODITY}"
"""


def lines(export: Export) -> Iterator[str]:
    """Yield the ledger: accounts where they first occur, transactions, and what is held.

    Raises:
        DayOutOfRangeError: Something is said to have happened when the program knows no days.
    """
    yield _HEAD
    totals = Totals()
    for transaction in transactions(export):
        for account in totals.take(transaction):
            yield f"\n{_FIRST_DAY} open {journal_account(account)} {COMMODITY}\n"
        yield _transaction(transaction)
    balances = held(export, totals)
    if balances:
        yield "\n"
        the_day_after = totals.last + timedelta(days=1)  # a balance is of the beginning of its day
        for name, amount in in_order(balances):
            yield f"{the_day_after} balance {name} {in_chips(amount)} ~ 0 {COMMODITY}\n"


def quoted(text: str) -> str:
    """Return a text as a string of a ledger."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _transaction(transaction: Transaction) -> str:
    if not _FIRST_DAY <= transaction.day <= _LAST_DAY:
        raise DayOutOfRangeError(
            what=f"{transaction.what} {transaction.subject}", day=transaction.day
        )
    told = [f"\n{transaction.day} * {quoted(transaction.what)} {quoted(transaction.subject)}\n"]
    told += [f"  {name}: {quoted(text)}\n" for name, text in transaction.notes.items()]
    told += [
        f"  {name}  {in_chips(amount)} {COMMODITY}\n"
        for name, amount in in_order(transaction.postings)
    ]
    return "".join(told)
