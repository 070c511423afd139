"""``csv``: a table of actions, a row an action, read as a mapping says.

The rows of a hand follow one another. A row may also say what is so of its whole hand (rulebook,
table, dealer) or of its seat (player, carry, cards): on one row or on all of them, but the same. A
row that does ``sit`` is no action; it only says who sits where.
"""

import csv
import io
import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any, BinaryIO, Final, NamedTuple

from adapters.foreign.errors import BadRowError, BadTableError, RowsApartError
from adapters.foreign.given import Given, RefusedLine
from adapters.foreign.mapping import OF_HAND, OF_SEAT, OF_TABLE, Mapped
from domain.errors import RefusalError
from domain.limits import ACTIONS_MAX

SIT: Final = "sit"

ROWS_MAX: Final = ACTIONS_MAX + 100  # of one hand: its actions, and who sits at it

_OF_VERB: Final = {
    "raise": ("seat", "stake"),
    "compare": ("seat", "with"),
    "top_up": ("seat", "amount"),
    "fold_all": (),
}
_TABLE: Final = tuple(f"table.{name}" for name in OF_TABLE)


class _Row(NamedTuple):
    """One row: what it says, or why it cannot be read."""

    line: int
    hand: str | None
    told: dict[str, Any]
    refusal: RefusalError | None = None


def hands(source: BinaryIO, mapped: Mapped) -> Iterator[Given | RefusedLine]:
    """Yield the hands of a table, each as its record, and each row that cannot be read.

    Raises:
        BadMappingError: The table lacks a column, or has one twice.
    """
    for hand, rows in groupby(_rows(source, mapped), key=lambda row: row.hand):
        yield from _hand(hand, rows, mapped)


def _rows(source: BinaryIO, mapped: Mapped) -> Iterator[_Row]:
    """Yield the rows of a table; those without any cell are passed over.

    Where the table cannot be read on, that is the last row: of the hand that it breaks off in, so
    that no part of a hand is taken for the whole.
    """
    text = io.TextIOWrapper(source, encoding="utf-8-sig", errors="surrogateescape", newline="")
    reader = csv.reader(text, delimiter=mapped.file.delimiter, strict=True)
    hand: str | None = None
    ended = 0
    try:
        header = [name.strip() for name in next(reader, [])]
        mapped.check_header(header)
        ended = reader.line_num
        for cells in reader:
            line, ended = ended + 1, reader.line_num
            if any(cell.strip() for cell in cells):
                row = _row(line, header, cells, mapped)
                hand = row.hand
                yield row
    except csv.Error as error:
        reason = f"the table cannot be read on: {error}"
        yield _Row(ended + 1, hand, {}, BadTableError(reason))
    finally:
        text.detach()


def _row(line: int, header: list[str], cells: list[str], mapped: Mapped) -> _Row:
    row = dict(zip(header, cells, strict=False))
    hand = row.get(mapped.columns["hand"], "").strip() or None
    try:
        if not all(map(is_text, cells)):
            raise BadRowError("holds bytes that are no UTF-8, or U+0000")
        if len(cells) != len(header):
            raise BadRowError(f"has {len(cells)} cells, and the header {len(header)}")
        told = mapped.read(row)
        for field in ("hand", "do"):
            if field not in told:
                raise BadRowError(f"{mapped.columns[field]}: is empty")
    except RefusalError as refusal:
        return _Row(line, hand if hand is None or is_text(hand) else None, {}, refusal)
    return _Row(line, hand, told)


def _hand(hand: str | None, rows: Iterator[_Row], mapped: Mapped) -> Iterator[Given | RefusedLine]:
    """Yield the record of one hand's rows, or every row of it that cannot be read."""
    told = _Told(mapped)
    refused = False
    for row in rows:
        try:
            if row.refusal is not None:
                raise row.refusal
            told.take(row)
        except RefusalError as refusal:
            refused = True
            yield RefusedLine.of(refusal, line=row.line, hand=hand)
    if not refused:
        assert hand is not None, "a row without a hand is refused"
        text = json.dumps(told.record(hand), ensure_ascii=False)
        yield Given(text, told.first, tuple(told.action_lines))


class _Told:
    """What the rows of one hand say of it so far."""

    def __init__(self, mapped: Mapped) -> None:
        self.first = 0
        self.action_lines: list[int] = []
        self._hand: dict[str, Any] = {}
        self._seats: dict[int, dict[str, Any]] = {}
        self._actions: list[dict[str, Any]] = []
        self._constants = mapped.constants
        self._rows = 0

    def take(self, row: _Row) -> None:
        """Take in what a row says.

        Raises:
            RowsApartError: Another row says something else, or there are too many.
        """
        self.first = self.first or row.line
        self._rows += 1
        if self._rows > ROWS_MAX:
            raise RowsApartError(f"more than {ROWS_MAX} rows of one hand")
        for field in (*OF_HAND, *_TABLE):
            _agree(self._hand, field, row.told)
        seat = row.told.get("seat")
        if seat is not None:
            of_seat = self._seats.setdefault(seat, {})
            for field in OF_SEAT:
                _agree(of_seat, field, row.told)
        if row.told["do"] != SIT:
            self._actions.append(_action(row.told))
            self.action_lines.append(row.line)

    def record(self, hand: str) -> dict[str, Any]:
        """Return the record that they come to; what is missing in it, the import says."""
        of_hand = self._constants | self._hand
        record: dict[str, Any] = {"hand": hand}
        record |= {name: of_hand[name] for name in OF_HAND if name in of_hand}
        record["table"] = {
            name.removeprefix("table."): value
            for name, value in of_hand.items()
            if name.startswith("table.")
        }
        of_seats = {
            seat: {name: of_hand[name] for name in OF_SEAT if name in of_hand} | told
            for seat, told in sorted(self._seats.items())
        }
        named = ("player", "carry", "protect")
        record["seats"] = [
            {"seat": seat, **{name: told[name] for name in named if name in told}}
            for seat, told in of_seats.items()
        ]
        for field, column in (("deal", "cards"), ("bonus_draws", "bonus_draw")):
            by_seat = {str(seat): told[column] for seat, told in of_seats.items() if column in told}
            if by_seat or field == "deal":
                record[field] = by_seat
        record["actions"] = self._actions
        return record


def is_text(cell: str) -> bool:
    """Tell whether a cell is Unicode text that can be stored."""
    return "\0" not in cell and not any("\ud800" <= c <= "\udfff" for c in cell)


def _action(told: dict[str, Any]) -> dict[str, Any]:
    """Return a row's action with the fields of its verb.

    Raises:
        BadRowError: The row lacks one of them.
    """
    verb = told["do"]
    needed = _OF_VERB.get(verb, ("seat",))
    for field in needed:
        if field not in told:
            raise BadRowError(f"{verb} needs {field}")
    return {"do": verb, **{name: told[name] for name in (*needed, "at", "id") if name in told}}


def _agree(known: dict[str, Any], field: str, told: dict[str, Any]) -> None:
    """Take a field in, where what is known of it already is the same.

    Raises:
        RowsApartError: It is not.
    """
    if field in told and known.setdefault(field, told[field]) != told[field]:
        raise RowsApartError(f"{field} is {told[field]!r}, and {known[field]!r} on a row before")
