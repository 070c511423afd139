"""A record and the lines that it comes from; and an import that names those lines."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from adapters.commands.imported import ImportReport, Line
from adapters.commands.importing import Import
from domain.errors import RefusalError


class Given(NamedTuple):
    """A record, and where it stands in its source."""

    text: str | bytes
    line: int  # where its hand begins
    action_lines: tuple[int, ...] = ()  # of its actions, where each has a line of its own

    def line_of(self, at: int) -> int:
        """Return the line of an action by its index, or of the hand where it has no other."""
        return self.action_lines[at] if 0 <= at < len(self.action_lines) else self.line


class RefusedLine(NamedTuple):
    """Why something was refused, and on which line it stands."""

    line: int
    hand: str | None
    at: int  # index of the action, or -1
    code: str
    message: str
    rule: str

    @classmethod
    def of(cls, refusal: RefusalError, *, line: int, hand: str | None) -> "RefusedLine":
        """Return what a refusal of a line amounts to."""
        return cls(line, hand, -1, refusal.code, refusal.message, refusal.rule)


Rows = Iterable[Given | RefusedLine]


@dataclass
class Report:
    """What became of a source, line by line where it was refused."""

    counts: ImportReport = field(default_factory=ImportReport)
    refused: list[RefusedLine] = field(default_factory=list)  # in the order of the source


def carry_out(work: Import, rows: Rows, progress: Callable[[int], None]) -> Report:
    """Import what can be, and report on all of it.

    Args:
        work: The import, or a rehearsal of it.
        rows: Records as they are read, and what could not be read as one.
        progress: Told how many hands are done.
    """
    report, done = Report(), 0
    waiting: deque[Given | RefusedLine] = deque()
    for portion in work.overlapped(_texts(rows, waiting)):
        for line in portion:
            _take(report, _next(report, waiting), line)
        done += len(portion)
        progress(done)
    report.refused += [row for row in waiting if isinstance(row, RefusedLine)]
    work.log(report.counts, unread=len(report.refused) - len(report.counts.refused))
    return report


def _texts(rows: Rows, waiting: deque[Given | RefusedLine]) -> Iterator[str | bytes]:
    """Yield the records among the rows; whatever came waits until it is known what became of it."""
    for row in rows:
        waiting.append(row)
        if isinstance(row, Given):
            yield row.text


def _next(report: Report, waiting: deque[Given | RefusedLine]) -> Given:
    """Return the next record; report what was refused before it."""
    while isinstance(row := waiting.popleft(), RefusedLine):
        report.refused.append(row)
    return row


def _take(report: Report, given: Given, line: Line) -> None:
    report.counts.take(line)
    if line.reject is not None:
        reject = line.reject
        number = given.line_of(reject.at)
        report.refused.append(RefusedLine(number, *reject))
