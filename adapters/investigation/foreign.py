"""Balances as another system has them, from a CSV: a player and an amount a row."""

import csv
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import ClassVar, Final, Literal

from adapters.errors import AdapterError
from domain.money import MAX_AMOUNT

Unit = Literal["minor", "chips"]

_MINOR: Final = re.compile(r"-?[0-9]{1,19}")
_CHIPS: Final = re.compile(r"-?[0-9]{1,17}(\.[0-9]{1,2})?")
_MINOR_A_CHIP: Final = 100


class BadForeignError(AdapterError):
    """A CSV of balances cannot be used."""

    code: ClassVar[str] = "bad_csv"

    def __init__(self, line: int | None, why: str) -> None:
        super().__init__(why if line is None else f"line {line}: {why}")
        self.line = line


def read_balances(
    file: Path, *, player: str, balance: str, unit: Unit, delimiter: str = ","
) -> dict[str, int]:
    """Return what each player has, minor units. Nothing is guessed: what is odd is refused.

    Args:
        file: UTF-8, with the names of the columns in its first line.
        player: The column of the player's id.
        balance: The column of the amount.
        unit: What an amount counts: integers of minor units, or chips of up to two decimals.
        delimiter: Between columns.

    Raises:
        BadForeignError: The file cannot be read, a column is missing, a player comes twice,
            or something is no amount.
    """
    found: dict[str, int] = {}
    try:
        for line, name, text in _rows(file, player, balance, delimiter):
            if not name:
                raise BadForeignError(line, f"{player} is empty")
            if name in found:
                raise BadForeignError(line, f"{name} comes twice")
            found[name] = _amount(line, text, unit)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadForeignError(None, f"{file} cannot be read: {error}") from None
    return found


def _rows(file: Path, player: str, balance: str, delimiter: str) -> Iterator[tuple[int, str, str]]:
    """Yield the number, the player and the amount of each line."""
    with file.open(encoding="utf-8-sig", newline="") as source:
        reader = csv.reader(source, delimiter=delimiter, strict=True)
        columns = next(reader, [])
        for name in (player, balance):
            if columns.count(name) != 1:
                known = ", ".join(columns) or "none"
                raise BadForeignError(1, f"there is not one column {name!r}; there are: {known}")
        at_player, at_balance = columns.index(player), columns.index(balance)
        for cells in reader:
            if cells:
                if len(cells) != len(columns):
                    wrong = f"{len(cells)} columns in place of {len(columns)}"
                    raise BadForeignError(reader.line_num, wrong)
                yield reader.line_num, cells[at_player], cells[at_balance].strip()


def _amount(line: int, text: str, unit: Unit) -> int:
    """Return an amount in minor units."""
    form = _MINOR if unit == "minor" else _CHIPS
    if not form.fullmatch(text):
        kind = "an integer of minor units" if unit == "minor" else "chips of up to two decimals"
        raise BadForeignError(line, f"{text!r} is not {kind}")
    amount = int(text) if unit == "minor" else int(Decimal(text) * _MINOR_A_CHIP)
    if abs(amount) > MAX_AMOUNT:
        raise BadForeignError(line, f"{text} is beyond any amount")
    return amount
