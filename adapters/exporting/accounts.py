"""The chart of accounts of a journal: each account of the ledger under a name of its own, and back.

=========================== ==================================
here                        in a journal
=========================== ==================================
``player:ann``              ``Assets:Players:P-ann``
``hand:t1:seat:3``          ``Assets:Hands:H-t1:Seat-3``
``hand:t1:pot``             ``Assets:Hands:H-t1:Pot``
``house:rake``              ``Assets:House:Rake``
``house:bonus``             ``Assets:House:Bonus``
``house:bank``              ``Assets:House:Bank``
``cashier``                 ``Equity:Cashier``
=========================== ==================================

An account holds what it holds here, of the same sign. Both programs take letters of any script,
decimal digits and ``-`` in a name; every other character of an id is written as its number in
hexadecimal between two ``-``, and ``-`` itself twice: ``p.1 张-3`` is ``P-p-2e-1-20-张--3``.
"""

import re
from typing import Final

from domain.money import BANK, BONUS, CASHIER, POT, RAKE

_HOUSE: Final = {
    RAKE: "Assets:House:Rake",
    BONUS: "Assets:House:Bonus",
    BANK: "Assets:House:Bank",
    CASHIER: "Equity:Cashier",
}
_HERE: Final = {name: account for account, name in _HOUSE.items()}
_PLAYER: Final = "Assets:Players:P-"
_HAND: Final = "Assets:Hands:H-"
_OF_HAND: Final = re.compile(r"hand:(?P<hand>.*):(?:(?P<pot>pot)|seat:(?P<seat>-?\d+))", re.DOTALL)
_ESCAPED: Final = re.compile("-(?:(-)|([0-9a-f]+)-)")


def journal_account(account: str) -> str:
    """Return what a journal calls one of the ledger's accounts."""
    if account in _HOUSE:
        return _HOUSE[account]
    if account.startswith("player:"):
        return _PLAYER + escaped(account.removeprefix("player:"))
    found = _OF_HAND.fullmatch(account)
    assert found, account
    place = "Pot" if found["pot"] else f"Seat-{found['seat']}"
    return f"{_HAND}{escaped(found['hand'])}:{place}"


def ledger_account(name: str) -> str:
    """Return the ledger's account that a journal calls so."""
    if name in _HERE:
        return _HERE[name]
    if name.startswith(_PLAYER):
        return f"player:{unescaped(name.removeprefix(_PLAYER))}"
    hand, _, place = name.removeprefix(_HAND).partition(":")
    local = POT if place == "Pot" else f"seat:{place.removeprefix('Seat-')}"
    return f"hand:{unescaped(hand)}:{local}"


def escaped(text: str) -> str:
    """Return a text as a part of an account's name, from which it can be read again."""
    return "".join(_escaped(character) for character in text)


def unescaped(part: str) -> str:
    """Return the text that a part of an account's name says."""
    return _ESCAPED.sub(lambda found: found[1] or chr(int(found[2], 16)), part)


def _escaped(character: str) -> str:
    if character == "-":
        return "--"
    if character.isalpha() or character.isdecimal():  # letters and decimal digits of any script
        return character
    return f"-{ord(character):x}-"
