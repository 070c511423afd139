"""What commands print: tables or JSON on standard output, progress where somebody watches."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

from cyclopts import Parameter

from adapters.plain_json import json_line
from domain.money import in_chips

AsJson = Annotated[bool, Parameter(name="--json", negative=(), help="Print JSON.")]
"""The flag that every command has."""

_WIDTH_OF_FILES: Final = 200  # characters of a table that no terminal limits
_CELL_MAX: Final = 80  # characters of one cell; JSON has them all


def print_json(value: object) -> None:
    """Print one line of JSON."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json_line(value))
    sys.stdout.buffer.flush()


def say(*lines: str) -> None:
    """Print lines for a person."""
    for line in lines:
        sys.stdout.write(f"{line}\n")


def complain(line: str) -> None:
    """Say on standard error what went wrong."""
    sys.stderr.write(f"jinhua: {line}\n")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table. A column whose name ends in ``#`` holds numbers, one in ``$`` minor units."""
    from rich.console import Console  # noqa: PLC0415 - a tenth of a second that JSON does not need
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    shown = Table(
        box=None,
        pad_edge=False,
        header_style="bold",
        padding=(0, 2, 0, 0),
        show_header=any(columns),
    )
    for name in columns:
        shown.add_column(name.rstrip("#$"), justify="right" if name[-1:] in {"#", "$"} else "left")
    for row in rows:
        cells = (_cell(name, value) for name, value in zip(columns, row, strict=True))
        shown.add_row(*(Text(cell) for cell in cells))
    sys.stdout.flush()
    Console(width=None if sys.stdout.isatty() else _WIDTH_OF_FILES).print(shown)


def _cell(column: str, value: object) -> str:
    if value is None:
        return ""
    if column.endswith("$") and isinstance(value, int):
        return in_chips(value)
    text = str(value)
    return text if len(text) <= _CELL_MAX else f"{text[: _CELL_MAX - 1]}…"


def altogether(
    told: Callable[[int, int | None], None], names: Collection[str]
) -> Callable[[str, int, int], None]:
    """Return what is told how far each of some has come, and tells how far all are together.

    Each is taken to have as far to go as the one that reported last.
    """
    reached = dict.fromkeys(names, 0)

    def tell(name: str, done: int, total: int) -> None:
        reached[name] = done
        told(sum(reached.values()), total * len(reached))

    return tell


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int | None], None]]:
    """Show how far work has come, on standard error, if that is a terminal; else do nothing.

    Yields:
        Where to tell how much is done, and of how much where that is known.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - needed where somebody watches
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
