"""The mapping of a CSV of actions: which of its columns is what, as a TOML file says it.

::

    [file]                       # may be left out, and so may each of its keys
    delimiter = ","
    money_factor = 100           # minor units of one unit of the file's amounts
    time_format = "%Y-%m-%d %H:%M:%S"   # else RFC 3339; UTC where it has no zone

    [columns]                    # ours = "theirs"
    hand = "HandNo"
    do = "Action"
    seat = "Seat"
    player = "Nick"
    carry = "BuyIn"
    cards = "Cards"
    stake = "Amount"
    with = "Opponent"

    [constants]                  # the same in every hand
    rulebook = "jiuyou"
    "table.ante" = 500           # amounts here are minor units already

    [values.do]                  # theirs = "ours"; what is not here is taken as it is
    CALL = "call"
    SIT = "sit"

    [cards]                      # replaced in what the column of cards holds, in this order
    "10" = "T"
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from adapters.foreign.errors import BadMappingError, BadRowError
from domain.money import MAX_AMOUNT

Kind = Literal["text", "integer", "money", "flag", "time"]

OF_HAND: Final[Mapping[str, Kind]] = {
    "rulebook": "text",
    "dealer": "integer",
    "opener": "integer",
}
OF_TABLE: Final[Mapping[str, Kind]] = {
    "ante": "money",
    "max_stake": "money",
    "round_limit": "integer",
    "top_ups": "integer",
    "chain": "integer",
    "blind_limit": "integer",
    "push_antes": "integer",
    "suits": "flag",
    "a23": "flag",
    "blind_all_in_duel": "flag",
    "sweep": "flag",
}
OF_SEAT: Final[Mapping[str, Kind]] = {
    "player": "text",
    "carry": "money",
    "protect": "flag",
    "cards": "text",
    "bonus_draw": "money",
}
OF_ACTION: Final[Mapping[str, Kind]] = {
    "hand": "text",
    "do": "text",
    "seat": "integer",
    "stake": "money",
    "with": "integer",
    "amount": "money",
    "at": "time",
    "id": "text",
}
KINDS: Final[Mapping[str, Kind]] = {
    **OF_HAND,
    **{f"table.{name}": kind for name, kind in OF_TABLE.items()},
    **OF_SEAT,
    **OF_ACTION,
}
"""Every field of ours that a column may hold."""

_LISTS: Final = frozenset({"table.multiples_pct"})  # as constants only
_FLAGS: Final = {"true": True, "false": False, "1": True, "0": False}
_NEEDED: Final = ("hand", "do")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,19}(\.[0-9]{1,9})?")
_INTEGER: Final = re.compile(r"([+-]?[0-9]{1,25})(\.0*)?")


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _File(_Part):
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] = ","
    money_factor: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    time_format: str | None = None


class Mapped(_Part):
    """A mapping as its file says it."""

    file: _File = _File()
    columns: dict[str, str]
    constants: dict[str, Any] = {}
    values: dict[str, dict[str, str]] = {}
    cards: dict[str, str] = {}

    def check_header(self, header: Sequence[str]) -> None:
        """Refuse a table that lacks a column, or has one twice.

        Raises:
            BadMappingError: It does.
        """
        for ours, theirs in self.columns.items():
            if header.count(theirs) != 1:
                times = "no" if theirs not in header else "more than one"
                raise BadMappingError(f"{ours}: the table has {times} column {theirs!r}")

    def read(self, row: Mapping[str, str]) -> dict[str, Any]:
        """Return what a row says, by our names; cells that are empty say nothing.

        Raises:
            BadRowError: A cell is not what its column holds.
        """
        told = {}
        for ours, theirs in self.columns.items():
            cell = row[theirs].strip()
            if cell:
                told[ours] = self._value(ours, theirs, cell)
        return told

    def _value(self, ours: str, theirs: str, cell: str) -> object:
        """Return a cell as the value that it stands for."""
        text = self.values.get(ours, {}).get(cell, cell)
        if ours == "cards":
            for old, new in self.cards.items():
                text = text.replace(old, new)
            return "".join(text.split())
        try:
            match KINDS[ours]:
                case "integer":
                    return _integer(text)
                case "money":
                    return self._minor_units(text)
                case "flag":
                    return _FLAGS[text.lower()]
                case "time":
                    return self._time(text)
                case _:
                    return text
        except (ValueError, KeyError, OverflowError):
            kind = KINDS[ours]
            raise BadRowError(f"{theirs}: {cell!r} is no {kind}", column=theirs) from None

    def _minor_units(self, text: str) -> int:
        """Return an amount of the file in minor units; there are no fractions of one."""
        if not _DECIMAL.fullmatch(text):
            raise ValueError(text)
        return _integer(f"{Decimal(text) * self.file.money_factor:f}")

    def _time(self, text: str) -> str:
        """Return a time as a record has it."""
        if self.file.time_format is None:
            time = datetime.fromisoformat(text)
        else:
            time = datetime.strptime(text, self.file.time_format)  # noqa: DTZ007 - see below
        in_utc = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        return in_utc.isoformat().replace("+00:00", "Z")


def _integer(text: str) -> int:
    """Return an integer that a record can hold."""
    found = _INTEGER.fullmatch(text)
    if not found or abs(int(found[1])) > MAX_AMOUNT:
        raise ValueError(text)
    return int(found[1])


def mapping_of(text: bytes) -> Mapped:
    """Read a mapping.

    Raises:
        BadMappingError: It is not TOML, or has what no mapping has.
    """
    try:
        mapped = Mapped.model_validate(tomllib.loads(text.decode()))
        json.dumps(mapped.constants)  # they go into records
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BadMappingError(f"{place}: {first['msg']}") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise BadMappingError(f"the mapping is no TOML that a record can hold: {error}") from None
    _check_time_format(mapped.file.time_format)
    for ours in (*mapped.columns, *mapped.values):
        if ours not in KINDS:
            raise BadMappingError(f"{ours}: a row of actions has no such field")
    for ours in mapped.constants:
        if ours not in KINDS.keys() | _LISTS or ours in OF_ACTION:
            raise BadMappingError(f"{ours}: is not the same in every hand")
    for ours in _NEEDED:
        if ours not in mapped.columns:
            raise BadMappingError(f"{ours}: which column it is, the mapping has to say")
    return mapped


def _check_time_format(given: str | None) -> None:
    """Refuse what is no format of times.

    Raises:
        BadMappingError: It is none.
    """
    if given is None:
        return
    sample = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    try:
        datetime.strptime(sample.strftime(given), given)  # noqa: DTZ007 - only whether it can be
    except (ValueError, re.error) as error:
        raise BadMappingError(f"file.time_format: {given!r} reads no time: {error}") from None
