"""``jinhua settle``: hand records in, what each comes to out. Needs no database."""

import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from adapters.console.lines import InputFile, open_input
from adapters.console.output import AsJson
from adapters.lines import record_lines
from adapters.plain_json import json_line
from domain.errors import BadRecordError
from domain.playing import Reject, play, settlement_of
from domain.record import read
from domain.stream import Cause

if TYPE_CHECKING:
    from multiprocessing.pool import AsyncResult

_PORTION: Final = 200  # lines that a process is given at once

_CAUSE: Final = Cause("settle", "settle", datetime.min.replace(tzinfo=UTC))


def settle(
    file: InputFile,
    /,
    *,
    jobs: int = 1,
    json: AsJson = False,  # noqa: ARG001 - the answers always are
) -> int:
    """Settle hand records without a database, one answer a line.

    Each line of FILE is one hand (`hand-record/1`); each line of the output answers one of them,
    in order:

        {"hand":"h1","settlement":{…}}
        {"hand":"h2","reject":{"at":3,"code":"not_your_turn","message":"…"}}

    Empty lines are skipped. A refused or malformed record does not stop the others, and a refusal
    is an answer: the exit status is 0 as soon as every line was answered.

    For example:

        jinhua settle hands.jsonl
        jinhua simulate --hands 3 --seed 1 | jinhua settle -

    Parameters:
        file: The records, one JSON object a line; - is standard input.
        jobs: Processes that share the work. With one, a pipe gets each answer as soon as its line
            came; with several, answers come in portions, still in order.
    """
    out = sys.stdout.buffer
    with open_input(file) as source:
        if jobs > 1:
            for portion in _in_parallel(record_lines(source), jobs):
                out.write(portion)
        else:
            for line in record_lines(source, pause=out.flush):
                out.write(json_line(answer(line)))
        out.flush()
    return 0


def answer(line: bytes) -> dict[str, Any]:
    """Return what one record comes to: its settlement, or why it is refused."""
    try:
        record = read(line)
    except BadRecordError as error:
        return _refused(Reject.of(error, hand=error.hand, at=-1))
    played = play(record, _CAUSE)
    if isinstance(played, Reject):
        return _refused(played)
    return {"hand": record.hand, "settlement": settlement_of(played)}


def _in_parallel(lines: Iterable[bytes], jobs: int) -> Iterator[bytes]:
    """Yield the answers to lines in order, in portions; no more than a few are under way."""
    from multiprocessing import Pool  # noqa: PLC0415 - what one process does not need

    rest = iter(lines)
    with Pool(jobs, initializer=_leave_interrupts_to_the_parent) as pool:
        waiting: deque[AsyncResult[bytes]] = deque()
        while portion := list(islice(rest, _PORTION)):
            waiting.append(pool.apply_async(_answers, (portion,)))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().get()
        while waiting:
            yield waiting.popleft().get()


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _answers(lines: Iterable[bytes]) -> bytes:
    return b"".join(json_line(answer(line)) for line in lines)


def _refused(reject: Reject) -> dict[str, Any]:
    given = {"at": reject.at, "code": reject.code, "message": reject.message}
    return {"hand": reject.hand, "reject": given}
