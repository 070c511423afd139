"""``jinhua settle``: hand records in, what each comes to out. Needs no database."""

import sys
from datetime import UTC, datetime
from typing import Any, Final

from adapters.console.lines import InputFile, open_input, record_lines
from adapters.console.output import AsJson, json_line
from domain.errors import BadRecordError
from domain.record import Reject, play, read, settlement_of
from domain.stream import Cause

_CAUSE: Final = Cause("settle", "settle", datetime.min.replace(tzinfo=UTC))


def settle(
    file: InputFile,
    /,
    *,
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
    """
    out = sys.stdout.buffer
    with open_input(file) as source:
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


def _refused(reject: Reject) -> dict[str, Any]:
    given = {"at": reject.at, "code": reject.code, "message": reject.message}
    return {"hand": reject.hand, "reject": given}
