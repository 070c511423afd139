"""``jinhua import``: finished hands into the ledger, as records or as others keep them."""

from collections.abc import Callable, Mapping
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from cyclopts import Parameter

from adapters.console.failures import BAD_INPUT, DISAGREEMENT, BadInputError
from adapters.console.hands import catch_up
from adapters.console.lines import InputFile, open_input
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, progress, say, table
from adapters.foreign import action_table, phh, records
from adapters.foreign.given import Rows, carry_out
from adapters.foreign.mapping import mapping_of
from adapters.plain_json import plain

Form = Literal["record", "phh", "csv"]

_SHOWN_MAX: Final = 50  # rows of a table of findings; JSON has them all


def import_(
    file: InputFile,
    /,
    *,
    form: Annotated[Form, Parameter(name="--format")] = "record",
    mapping: Path | None = None,
    dry_run: Annotated[bool, Parameter(negative=())] = False,
    deposit: bool = True,
    claimant: str = "record",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Store finished hands, each whole or not at all.

    A hand that is imported again changes nothing, so a run that was killed is simply run again. A
    record's own settlement is kept as a claim and compared. The exit status is 3 where a claim is
    not what the rules give, 2 where anything was refused, else 0; whatever can be stored is stored.
    Each refusal has the line that it is about. A dry run says the same, and stores nothing. What a
    mapping is: adapters/exporting/FORMATS.md.

    For example:

        jinhua import hands.jsonl
        jinhua import hands.jsonl --dry-run
        jinhua simulate --hands 2000 --seed 7 | jinhua import - --json
        jinhua import hands.phhs --format phh
        jinhua import actions.csv --format csv --mapping site.toml --dry-run

    Parameters:
        file: Hands in the format; - is standard input.
        form: record is hand-record/1, a hand a line; phh, what `jinhua export` wrote; csv, a table
            of actions.
        mapping: Of csv: a TOML file that says which column is what.
        dry_run: Say what would become of each hand, and store none.
        deposit: Bring in from the cashier what a player lacks; --no-deposit refuses the hand.
        claimant: Whose figures the records' settlements are.
    """
    read = _reader(form, mapping)
    with open_input(file) as source, opened(where) as store:
        work = store.ledger.importing(deposit_missing=deposit, claimant=claimant, rehearsed=dry_run)
        with progress("hands") as told:
            report = carry_out(work, read(source), lambda done: told(done, None))
        if not dry_run:
            catch_up(store)
    counts = report.counts
    result = plain({**vars(counts), "refused": report.refused})
    if dry_run:
        result["dry_run"] = True
    if json:
        print_json(result)
    else:
        _print_import(result)
    if counts.mismatched:
        return DISAGREEMENT
    return BAD_INPUT if report.refused else 0


def _reader(form: Form, mapping: Path | None) -> Callable[[BufferedReader], Rows]:
    """Return what reads a format.

    Raises:
        BadInputError: A mapping is missing, out of place, or cannot be read.
        BadMappingError: It is none.
    """
    if form == "csv" and mapping is None:
        raise BadInputError("--format csv needs --mapping FILE, which says what each column is")
    if form != "csv" and mapping is not None:
        raise BadInputError(f"--mapping belongs to --format csv, not to {form}")
    if mapping is None:
        return phh.hands if form == "phh" else records.hands
    try:
        text = mapping.read_bytes()
    except OSError as error:
        raise BadInputError(f"{mapping} cannot be read: {error.strerror}") from None
    return partial(action_table.hands, mapped=mapping_of(text))


def _print_import(result: Mapping[str, Any]) -> None:
    counts = ("hands", "events", "already")
    told = ", ".join(f"{result[name]} {name}" for name in counts)
    say(f"{told}; nothing is stored" if "dry_run" in result else told)
    if result["refused"]:
        say(f"refused: {len(result['refused'])}")
        columns = ("line", "hand", "at", "code", "message")
        rows = ([refused[name] for name in columns] for refused in result["refused"])
        table(("line#", "hand", "at#", "code", "why"), list(rows)[:_SHOWN_MAX])
    if result["mismatched"]:
        say(f"claims that are not what the rules give: {len(result['mismatched'])}")
        parted = (
            [row["hand"], d["path"], d["claimed"], d["derived"]]
            for row in result["mismatched"]
            for d in row["differences"]
        )
        table(("hand", "figure", "claimed", "derived"), list(parted)[:_SHOWN_MAX])
