"""What every rulebook of every game has: an id, a version, and a digest over all its fields.

A rulebook is data. A hand pins id, version and digest when it opens and is for
ever settled under exactly those; a changed rule is a new version, never an edit.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from domain.errors import BadRecordError
from domain.money import MAX_AMOUNT

Parameters = dict[str, bool | int | tuple[int, ...] | None]
"""What holds at a table, by name; None where nothing bounds it."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A rule that a table may set for itself, and what it may set it to.

    ``minimum`` and ``maximum`` bound integers, inclusively; ``maximum`` None is
    the largest amount. A ``kind`` of ``"flag"`` takes true and false only, and
    one of ``"list"`` a list of ``length`` bounded integers.
    """

    name: str
    kind: str  # "integer", "flag" or "list"
    minimum: int = 0
    maximum: int | None = None
    length: int = 0


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """The part of a rulebook that the ledger reads; each game adds its own fields."""

    id: str
    version: int
    game: str
    name: str  # as its document calls it
    document: str  # the rule document it rests on
    parameters: tuple[Parameter, ...]  # what a table may set

    @cached_property
    def canonical(self) -> str:
        """Return every field in canonical JSON: what the digest is made of."""
        return json.dumps(plain(self), ensure_ascii=True, sort_keys=True, separators=(",", ":"))

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256, in hex, of every field in canonical JSON."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()


def check_table(rulebook: Rulebook, given: Mapping[str, Any]) -> Parameters:
    """Return every parameter in force: what the table set, else what the rulebook says.

    Raises:
        BadRecordError: A parameter is unknown to the rulebook, of the wrong type
            or out of range, or the ante is missing.
    """
    known = {parameter.name: parameter for parameter in rulebook.parameters}
    for name in given:
        if name not in known:
            raise BadRecordError(f"{rulebook.id} knows no such parameter", field=f"table.{name}")
    table: Parameters = {}
    for name, parameter in known.items():
        if name in given:
            table[name] = _checked(parameter, given[name])
        elif name == "ante":
            raise BadRecordError("a table has an ante", field="table.ante")
        else:  # max_stake: no bound
            table[name] = getattr(rulebook, name, None)
    ante, max_stake = table["ante"], table.get("max_stake")
    if isinstance(max_stake, int) and isinstance(ante, int) and max_stake < ante:
        raise BadRecordError(f"{max_stake} is below the ante of {ante}", field="table.max_stake")
    return table


def _checked(parameter: Parameter, value: object) -> bool | int | tuple[int, ...]:
    """Return a parameter's value, or refuse it."""
    maximum = parameter.maximum or MAX_AMOUNT
    if parameter.kind == "flag" and isinstance(value, bool):
        return value
    if parameter.kind == "integer" and type(value) is int and parameter.minimum <= value <= maximum:
        return value
    field = f"table.{parameter.name}"
    if parameter.kind == "flag":
        raise BadRecordError(f"{value!r} is neither true nor false", field=field)
    listed = parameter.kind == "list"
    numbers = value if listed and isinstance(value, (list, tuple)) else (value,)
    if listed and (numbers is not value or len(numbers) != parameter.length):
        raise BadRecordError(f"{value!r} is no list of {parameter.length} integers", field=field)
    checked: list[int] = []
    for number in numbers:
        if type(number) is not int or not parameter.minimum <= number <= maximum:
            raise BadRecordError(
                f"{number!r} is no integer of {parameter.minimum} to {maximum}", field=field
            )
        checked.append(number)
    return tuple(checked) if listed else checked[0]


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    """Return a value as JSON knows it: data classes as objects by field name."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    assert value is None or isinstance(value, (str, int)), value
    return value
