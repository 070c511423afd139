"""The formats by name: one of lines is a text, one that is written is a directory."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, Literal, TypeAlias

from adapters.exporting.source import Export
from adapters.exporting.tables import Table

Name = Literal["record", "csv", "parquet", "hledger", "beancount", "phh", "ohh"]
Lines: TypeAlias = Callable[..., Iterator[str]]
Write: TypeAlias = Callable[[Export, Path], None]

_MODULES: Final[dict[Name, str]] = {"csv": "csv_tables"}  # the others are called as their format

DIRECTORIES: Final[frozenset[Name]] = frozenset({"parquet"})
"""The formats that need a directory; every other is a single text."""


def lines_of(name: Name, table: Table = "hands") -> Lines:
    """Return what yields the text of a format.

    Args:
        name: Not one of :data:`DIRECTORIES`.
        table: Which one, where the format is one of tables.
    """
    lines: Lines = _module(name).lines
    return partial(lines, table=table) if name == "csv" else lines


def write_of(name: Name, *, raw: bool = False) -> Write:
    """Return what writes a format of :data:`DIRECTORIES`.

    Args:
        name: Which.
        raw: With the events as they are stored.
    """
    write: Callable[..., None] = _module(name).write
    return partial(write, raw=raw)


def _module(name: Name) -> ModuleType:
    # Loaded when it is asked for: that of Parquet takes a quarter of a second.
    return import_module(f"adapters.exporting.{_MODULES.get(name, name)}")
