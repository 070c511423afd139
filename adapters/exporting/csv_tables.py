"""``csv``: one table as RFC 4180 has it, UTF-8 with a header, harmless to spreadsheets.

A text that a spreadsheet would take for a formula gets an apostrophe before it, and so does one
that begins with an apostrophe: whoever reads takes one away. Lists are JSON, times RFC 3339 in UTC,
nothing at all is an empty cell.
"""

import csv
import io
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from adapters.exporting.source import Export
from adapters.exporting.tables import COLUMNS, Table, Value, rows

_BEFORE_FORMULAS: Final = tuple("=+-@\t\r\n'＝＋－＠")
"""What a text begins with that is not to be calculated; spreadsheets take the wide ones too."""


def lines(export: Export, table: Table) -> Iterator[str]:
    """Yield a table row by row, the header first."""
    yield _line(COLUMNS[table])
    for row in rows(export, table):
        yield _line(map(_cell, row.values))


def _line(cells: Iterator[str] | object) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)  # type: ignore[arg-type]
    return line.getvalue()


def _cell(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case tuple():
            return json.dumps(value, ensure_ascii=False)
    return f"'{value}" if value.startswith(_BEFORE_FORMULAS) else value
