"""Hand records a line at a time, from whatever gives bytes, in memory that does not grow."""

from collections.abc import Callable, Iterator
from typing import Final, Protocol


class Bytes(Protocol):
    """Where bytes come from: a file, a pipe, a request."""

    def read1(self, size: int, /) -> bytes:
        """Return what has come, at most so many bytes; nothing at the end."""
        ...


LINE_LENGTH_MAX: Final = 16 * 1024 * 1024
"""Bytes of one record. A hand of a thousand actions has about fifty thousand."""

_CHUNK: Final = 256 * 1024
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_TOO_LONG: Final = b"\0 this line is too long"
"""Stands for a line beyond the limit: no JSON either, and refused as such."""


def record_lines(source: Bytes, *, pause: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    r"""Yield the lines that are not blank, without their ends.

    Only ``\n`` ends a line, ``\r\n`` too; a byte order mark before the first is no part of it.

    Args:
        source: What is read, in whatever portions it comes.
        pause: Called whenever everything that has come was given out, before waiting for more.
    """
    return (text for _, text in numbered_lines(source, pause=pause))


def numbered_lines(
    source: Bytes, *, pause: Callable[[], None] = lambda: None
) -> Iterator[tuple[int, bytes]]:
    """Yield the same lines, each with its number; blank ones are counted too, from 1 on."""
    for number, line in enumerate(_split(source, pause), start=1):
        text = (line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line).strip(b" \t\r")
        if text:
            yield number, text


def _split(source: Bytes, pause: Callable[[], None]) -> Iterator[bytes]:
    """Yield lines as long as they are no longer than the limit, and a stand-in for one that is."""
    begun: list[bytes] = []
    length = 0
    while True:
        pause()
        chunk = source.read1(_CHUNK)
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
