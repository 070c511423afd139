"""Changes of single rules, to try a hand under them: ``rake_bp=300``, ``equal_duel=push``.

A change names a field of the rulebook or a parameter of the table, and a value of its
kind: a number, ``true`` or ``false``, one of the field's choices, ``none``, numbers with
commas (``1600,1000,500,400,100,30``), or numbers by category (``trips:5,straight_flush:2``).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType, NoneType
from typing import Final, Literal, get_args, get_origin, get_type_hints

from domain.errors import BadChangeError
from domain.rulebook import Parameters, check_table
from domain.zhajinhua.meanings import MEANINGS
from domain.zhajinhua.rules import ByCategory, CategoryName, ZhajinhuaRulebook
from domain.zhajinhua.soundness import contradictions

Value = bool | int | str | tuple[int, ...] | ByCategory | None
Changes = Mapping[str, Value]

_FIXED: Final = frozenset({"id", "version", "game", "name", "document", "parameters"})
_KINDS: Final[Mapping[str, object]] = MappingProxyType(
    {
        name: hint
        for name, hint in get_type_hints(ZhajinhuaRulebook).items()
        if name not in _FIXED and name in MEANINGS
    }
    | {"ante": int, "max_stake": int | None}
)
_TRUTH: Final = {"true": True, "false": False}
_NONE: Final = "none"
_INTEGER: Final = re.compile(r"-?[0-9]{1,19}")


def read_changes(texts: Iterable[str]) -> dict[str, Value]:
    """Read changes as a person writes them, each ``field=value``.

    Raises:
        BadChangeError: No field is called so, it cannot be changed, it takes no such
            value, or it is given twice.
    """
    changes: dict[str, Value] = {}
    for text in texts:
        name, equals, written = (part.strip() for part in text.partition("="))
        if not equals:
            raise BadChangeError(f"{text!r} is no field=value")
        if name in changes:
            raise BadChangeError(f"{name} is given twice", field=name)
        changes[name] = _value(name, _kind(name), written)
    return changes


def changed(
    rulebook: ZhajinhuaRulebook, table: Mapping[str, object], changes: Changes
) -> tuple[ZhajinhuaRulebook, Parameters]:
    """Return a rulebook and a table with changes in them.

    Args:
        rulebook: A published one.
        table: What the table sets for itself; the ante at least.
        changes: By name. What a table may set is set for the table.

    Returns:
        The rulebook, and every parameter in force.

    Raises:
        BadRecordError: A table may not set a parameter to that.
        BadChangeError: The rulebook has no such parameter, or its rules would
            contradict each other.
    """
    known = {parameter.name for parameter in rulebook.parameters}
    for name in changes:
        if name not in known and not hasattr(rulebook, name):
            raise BadChangeError(f"{rulebook.id} knows no {name}", field=name)
    own = {name: value for name, value in changes.items() if name not in known}
    set_here = {name: value for name, value in changes.items() if name in known}
    given = {name: value for name, value in {**table, **set_here}.items() if value is not None}
    in_force = check_table(rulebook, given)
    in_force |= {name: None for name, value in set_here.items() if value is None}
    made = replace(rulebook, **own)  # type: ignore[arg-type]
    for fault in contradictions(replace(made, **_fields(in_force))):  # type: ignore[arg-type]
        raise BadChangeError(fault)
    return made, in_force


def _fields(table: Parameters) -> dict[str, object]:
    """Return the parameters that are fields of a rulebook."""
    return {name: value for name, value in table.items() if name not in {"ante", "max_stake"}}


def _kind(name: str) -> object:
    """Return the type of what may be changed."""
    if name in _FIXED:
        raise BadChangeError(f"{name} tells which rulebook it is and cannot be set", field=name)
    kind = _KINDS.get(name)
    if kind is None:
        near = get_close_matches(name, _KINDS, cutoff=0.5)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise BadChangeError(f"no field is called {name!r}{hint}", field=name)
    return kind


def _value(name: str, kind: object, written: str) -> Value:
    """Return what a text says, as a value of the field's kind."""
    if get_origin(kind) is Literal:
        return _one_of(name, get_args(kind), written)
    if kind is bool:
        return _TRUTH[_one_of(name, tuple(_TRUTH), written)]
    if NoneType in get_args(kind) and written == _NONE:
        return None
    if kind == tuple[int, ...]:
        parts = [] if written in {"", _NONE} else written.split(",")
        return tuple(_number(name, part.strip()) for part in parts)
    if kind == ByCategory:
        parts = [] if written in {"", _NONE} else written.split(",")
        return _by_category(name, parts)
    return _number(name, written)


def _one_of(name: str, choices: tuple[str, ...], written: str) -> str:
    if written not in choices:
        raise BadChangeError(
            f"{name} is one of {', '.join(choices)}; {written!r} is none of them", field=name
        )
    return written


def _number(name: str, written: str) -> int:
    """Return an integer within the field's bounds."""
    low, high = MEANINGS[name].minimum, MEANINGS[name].maximum
    number = int(written) if _INTEGER.fullmatch(written) else None
    if number is None or not low <= number <= high:
        raise BadChangeError(
            f"{name} takes an integer of {low} to {high}; {written!r} is none", field=name
        )
    return number


def _by_category(name: str, parts: Iterable[str]) -> ByCategory:
    """Return numbers by category, each category once."""
    numbers: dict[CategoryName, int] = {}
    for part in parts:
        written, _, number = (piece.strip() for piece in part.partition(":"))
        category = next((c for c in get_args(CategoryName) if c == written), None)
        if category is None or category in numbers:
            raise BadChangeError(
                f"{name} takes numbers by category, like trips:5,flush:2; {part!r} is none",
                field=name,
            )
        numbers[category] = _number(name, number)
    return tuple(numbers.items())
