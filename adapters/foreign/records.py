"""``record``: ``hand-record/1``, a hand a line."""

from collections.abc import Iterator

from adapters.foreign.given import Given
from adapters.lines import Bytes, numbered_lines


def hands(source: Bytes) -> Iterator[Given]:
    """Yield the records of a source; whether they are any, the import says."""
    for number, line in numbered_lines(source):
        yield Given(line, number)
