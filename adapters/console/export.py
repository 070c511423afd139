"""``jinhua export``: hands as files of other programs, and as records that are imported again."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Final, TextIO, cast

from cyclopts import Parameter

from adapters.console.failures import BAD_INPUT, BadInputError
from adapters.console.hands import catch_up
from adapters.console.listing import EVERY, Conditions
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, complain, progress
from adapters.console.viewing import viewer_of
from adapters.exporting.destination import new_directory
from adapters.exporting.formats import DIRECTORIES, Name, lines_of, write_of
from adapters.exporting.source import Choice, Export
from adapters.exporting.source import export as exporting
from adapters.exporting.tables import Table
from adapters.plain_json import json_line
from adapters.whole_files import replacing_text

_NAMED_MAX: Final = 50  # refused hands that are named to a person; JSON has them all


def export(  # noqa: PLR0913 - an option each
    *hands: str,
    form: Annotated[Name, Parameter(name="--format")],
    out: Path | None = None,
    table: Table = "hands",
    raw: Annotated[bool, Parameter(negative=())] = False,
    viewer: str = "auditor",
    claimant: str = "record",
    strict: Annotated[bool, Parameter(negative=())] = False,
    conditions: Conditions = EVERY,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Write hands in another format: all of them, or those that meet every condition.

    `record` is what `jinhua import` reads: what is exported and imported again has the same
    events. `csv` is one table, `parquet` a directory of typed data sets by day. `hledger` and
    `beancount` are journals whose balances are those of `jinhua balances`. `phh` and `ohh` are
    poker hand histories that carry the record. A hand that a format cannot say without loss is
    left out and named, and the exit status is 2. A file or directory takes its place only when it
    is complete. Columns, accounts and what each format cannot say: adapters/exporting/FORMATS.md.

    For example:

        jinhua export --format record --out hands.jsonl
        jinhua export --format csv --table seats --player p001 --since 2026-01-01 > seats.csv
        jinhua export --format parquet --out lake
        jinhua export --format hledger --out chips.journal && hledger -f chips.journal check -s
        jinhua export --format beancount --viewer player:p001 --out p001.beancount
        jinhua export --format phh --state settled --strict --out hands.phhs
        jinhua export t1-0001 --format phh > t1-0001.phh

    Parameters:
        hands: Ids of hands; all of them if none is given.
        form: Which format.
        out: The file, or for parquet the directory, that is written; else standard output.
        table: Of csv: hands, seats, transfers or events.
        raw: Of parquet: the events as they are stored too; not where cards of a running hand are
            in the clear.
        viewer: With whose eyes: auditor, public, or player:NAME, who sees the hands it sat in.
        claimant: Whose claimed settlements the records hold; `jinhua import --claimant` is told it.
        strict: Write nothing, and stop, at the first hand that would be left out.
        json: Tell what was exported as JSON; on standard error where the export itself is printed.
    """
    if form in DIRECTORIES and out is None:
        raise BadInputError(f"{form} is a directory; --out names it")
    if raw and form not in DIRECTORIES:
        raise BadInputError("--raw belongs to --format parquet, and to no other")
    wanted = conditions.wanted._replace(hands=hands or None)
    choice = Choice(viewer_of(viewer), wanted, claimant, strict)
    with opened(where) as store:
        catch_up(store)
        with (
            progress("hands") as told,
            exporting(
                store.ledger.store,
                choice,
                lambda done: told(done, None),
            ) as work,
        ):
            if form in DIRECTORIES:
                with new_directory(cast(Path, out)) as directory:
                    write_of(form, raw=raw)(work, directory)
            else:
                with _text(out) as file:
                    file.writelines(lines_of(form, table)(work))
    _tell(work, form, out, json=json)
    return BAD_INPUT if work.refused else 0


@contextmanager
def _text(out: Path | None) -> Iterator[TextIO]:
    """Lend the file to be written, or standard output, in UTF-8 whatever the terminal has."""
    if out is not None:
        with replacing_text(out) as file:
            yield file
        return
    sys.stdout.flush()
    text = TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="")
    try:
        yield text
        text.flush()
    finally:
        text.detach()


def _tell(work: Export, form: Name, out: Path | None, *, json: bool) -> None:
    """Tell what was exported, and which hands were not."""
    told: dict[str, Any] = {
        "format": form,
        "viewer": work.choice.viewer.role,
        "out": None if out is None else str(out),
        "hands": work.done,
        "position": work.upto,
        "refused": [
            {"hand": refusal.hand, "code": refusal.code, "message": str(refusal)}
            for refusal in work.refused
        ],
    }
    if json:
        place = sys.stderr if out is None else sys.stdout
        place.write(json_line(told).decode())
        return
    for refusal in work.refused[:_NAMED_MAX]:
        complain(f"hand {refusal.hand}: {refusal.code}: {refusal}")
    if len(work.refused) > _NAMED_MAX:
        complain(f"… and {len(work.refused) - _NAMED_MAX} more hands; --json has them all")
    if out is not None or work.refused:
        refused = f", {len(work.refused)} refused" if work.refused else ""
        sys.stderr.write(f"{work.done} hands{refused}, up to position {work.upto}\n")
