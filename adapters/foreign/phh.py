"""``phh``: poker hand histories that jinhua wrote, one in a file or many as numbered tables.

Only the ``_zjh_`` fields are read: they are the record. Where the format's own fields for the
opening say something else than they do, somebody has changed one side, and the hand is refused.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.exporting.phh import ABOUT, PREFIX, opening_of
from adapters.foreign.errors import FieldsApartError, NotOursError, NotTomlError
from adapters.foreign.given import Given, RefusedLine
from adapters.lines import Bytes, numbered_lines
from domain.errors import RefusalError, TooLargeError
from domain.limits import RECORD_BYTES_MAX

_HEADER: Final = re.compile(rb"\[\s*\d+\s*\]\s*(#.*)?")
_AT_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass
class _Text:
    """The text of one hand: its lines, as long as they are not too much, and their numbers."""

    numbers: list[int] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, number: int, line: bytes) -> None:
        """Take in one more line."""
        self.size += len(line) + 1
        self.numbers.append(number)
        if not self.is_too_long:
            self.lines.append(line)

    @property
    def is_too_long(self) -> bool:
        """Tell whether no record is so long."""
        return self.size > RECORD_BYTES_MAX


def hands(source: Bytes) -> Iterator[Given | RefusedLine]:
    """Yield the hands of a source, each as its record, or why it has none."""
    for text in _texts(source):
        yield _read(text)


def _texts(source: Bytes) -> Iterator[_Text]:
    """Cut a source where a numbered table begins; lines that are comments are in no hand."""
    text = _Text()
    for number, line in numbered_lines(source):
        if line.startswith(b"#"):
            continue
        if _HEADER.fullmatch(line) and text.numbers:
            yield text
            text = _Text()
        text.add(number, line)
    if text.numbers:
        yield text


def _read(text: _Text) -> Given | RefusedLine:
    """Return the record of one hand."""
    first, hand = text.numbers[0], None
    try:
        fields = _parsed(text)
        record = {
            name.removeprefix(PREFIX): value
            for name, value in fields.items()
            if name.startswith(PREFIX) and name != ABOUT
        }
        given = record.get("hand", fields.get("hand"))
        hand = given if isinstance(given, str) else None
        if not record:
            raise NotOursError(f"has no field that begins with {PREFIX}")
        _check_agrees(fields, record)
        record_text = _as_json(record, first)
    except RefusalError as refusal:
        line = refusal.numbers.get("line", first)
        assert isinstance(line, int), line
        return RefusedLine.of(refusal, line=line, hand=hand)
    return Given(record_text, first)


def _as_json(record: dict[str, Any], line: int) -> str:
    """Return a record as JSON; what is no value of one is refused where the record is read.

    Raises:
        NotTomlError: It has a number, or a depth, that no record has.
    """
    try:
        return json.dumps(record, ensure_ascii=False, default=repr)
    except (ValueError, RecursionError) as error:
        raise NotTomlError(f"is no record: {error}", line=line) from None


def _parsed(text: _Text) -> dict[str, Any]:
    """Return the fields of one hand history.

    Raises:
        NotTomlError: It is none; the refusal has the line.
        TooLargeError: It is longer than a record may be.
    """
    if text.is_too_long:
        raise TooLargeError(f"is longer than {RECORD_BYTES_MAX} bytes")
    try:
        found = tomllib.loads(b"\n".join(text.lines).decode())
    except (ValueError, RecursionError) as error:
        place = _AT_LINE.search(str(error))
        number = text.numbers[min(int(place[1]), len(text.numbers)) - 1 if place else 0]
        reason = _AT_LINE.sub("", str(error)).strip()
        raise NotTomlError(f"is no TOML: {reason}", line=number) from None
    if _HEADER.fullmatch(text.lines[0]) and len(found) == 1:
        (found,) = found.values()
    return found


def _check_agrees(fields: dict[str, Any], record: dict[str, Any]) -> None:
    """Refuse a hand whose standard fields are not those of its record.

    Raises:
        FieldsApartError: They are not; the first is named.
    """
    try:
        due = opening_of(record)
    except (LookupError, TypeError):
        return  # no record: the import says what is wrong with it
    for name, value in due.items():
        if fields.get(name, value) != value:
            raise FieldsApartError(f"{name} is {fields[name]!r}, and by our fields {value!r}")
