"""Hand records from a file or a pipe, a line at a time, in memory that does not grow."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO, Final

from cyclopts import Parameter

from adapters.console.failures import BadInputError


def _no_option(_: object, given: str) -> None:
    """Refuse a mistyped option where a file is expected."""
    if given.startswith("-") and given != "-":
        raise ValueError(f"unknown option {given}")


InputFile = Annotated[str, Parameter(allow_leading_hyphen=True, validator=_no_option)]
"""A file's name, or ``-`` for standard input."""

LINE_LENGTH_MAX: Final = 16 * 1024 * 1024
"""Bytes of one record. A hand of a thousand actions has about fifty thousand."""

_CHUNK: Final = 256 * 1024
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_TOO_LONG: Final = b"\0 this line is too long"
"""Stands for a line beyond the limit: no JSON either, and refused as such."""


def open_input(file: str) -> AbstractContextManager[BinaryIO]:
    """Open a file, or standard input for ``-``.

    Raises:
        BadInputError: It cannot be read.
    """
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise BadInputError(f"{file} cannot be read: {error.strerror}") from None


def record_lines(source: BinaryIO, *, pause: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    r"""Yield the lines that are not blank, without their ends.

    Only ``\n`` ends a line, ``\r\n`` too; a byte order mark before the first is no part of it.

    Args:
        source: What is read, in whatever portions it comes.
        pause: Called whenever everything that has come was given out, before waiting for more.
    """
    first = True
    for line in _split(source, pause):
        text = (line.removeprefix(_BYTE_ORDER_MARK) if first else line).strip(b" \t\r")
        first = False
        if text:
            yield text


def _split(source: BinaryIO, pause: Callable[[], None]) -> Iterator[bytes]:
    """Yield lines as long as they are no longer than the limit, and a stand-in for one that is."""
    begun: list[bytes] = []
    length = 0
    while True:
        pause()
        chunk = source.read1(_CHUNK)  # type: ignore[attr-defined] # every buffered reader has it
        *ended, rest = chunk.split(b"\n")
        for end in ended:
            yield _joined(begun, length + len(end), end)
            begun, length = [], 0
        length += len(rest)
        if length <= LINE_LENGTH_MAX:
            begun.append(rest)
        else:
            begun.clear()
        if not chunk:
            yield _joined(begun, length, b"")
            return


def _joined(begun: list[bytes], length: int, end: bytes) -> bytes:
    return b"".join([*begun, end]) if length <= LINE_LENGTH_MAX else _TOO_LONG
