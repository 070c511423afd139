"""``hledger``: a journal that ``hledger check --strict`` accepts, with what is held asserted."""

import json
from collections.abc import Iterator
from typing import Final

from adapters.exporting.accounts import journal_account
from adapters.exporting.journal import COMMODITY, Totals, Transaction, held, in_order, transactions
from adapters.exporting.source import Export
from domain.money import in_chips

_HEAD: Final = f"""\
; the chips of a jinhua ledger; adapters/exporting/FORMATS.md says which account is which
decimal-mark .
commodity 1000.00 {COMMODITY}
"""

_ENDS: Final = frozenset(";|")
"""What would end a description, or part it in two."""

_FOUR_DIGITS: Final = 0x10000  # below it, JSON has a form of a character in its number


def lines(export: Export) -> Iterator[str]:
    """Yield the journal: accounts where they first occur, transactions, and what is held."""
    yield _HEAD
    totals = Totals()
    for transaction in transactions(export):
        for account in totals.take(transaction):
            yield f"\naccount {journal_account(account)}\n"
        yield _transaction(transaction)
    balances = held(export, totals)
    if balances:
        yield f"\n{totals.last} balances\n"
        for name, amount in in_order(balances):
            yield f"    {name}  {in_chips(0)} {COMMODITY} = {in_chips(amount)} {COMMODITY}\n"


def quoted(text: str) -> str:
    """Return a text in quotation marks as JSON has it, without what ends a description."""
    spelled = json.dumps(text, ensure_ascii=False)
    return "".join(
        f"\\u{ord(character):04x}"
        if character in _ENDS or (ord(character) < _FOUR_DIGITS and not character.isprintable())
        else character
        for character in spelled
    )


def _transaction(transaction: Transaction) -> str:
    told = [f"\n{transaction.day} {transaction.what} {quoted(transaction.subject)}\n"]
    told += [f"    ; {name}: {quoted(text)}\n" for name, text in transaction.notes.items()]
    told += [
        f"    {name}  {in_chips(amount)} {COMMODITY}\n"
        for name, amount in in_order(transaction.postings)
    ]
    return "".join(told)
