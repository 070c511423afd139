"""Balances of players: the read model, a fresh fold of all events, and another system's CSV.

    .venv/bin/python scripts/reconcile.py
    .venv/bin/python scripts/reconcile.py --csv balances.csv --unit chips --as-of 2026-02-01T00:00Z

Exit status: 0 all agree, 2 bad input, 3 something differs.
"""

import sys
from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, Parameter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from adapters.cli import main
from adapters.console.failures import DISAGREEMENT, BadInputError
from adapters.console.hands import catch_up
from adapters.console.moments import AsOf, moment_of
from adapters.console.names import called
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, progress, say, table
from adapters.investigation.foreign import Unit, read_balances
from adapters.investigation.headings import heading, headings
from adapters.investigation.reconciling import Difference, Reconciliation, reconcile
from adapters.investigation.words import in_words
from adapters.plain_json import plain
from adapters.store.postgres import Store, snapshot
from adapters.views.projector import ROLE
from domain.zhajinhua.wording import Language

app = App(
    name="reconcile.py", help_format="markdown", result_action="return_value", version_flags=()
)

_SHOWN_MAX: Final = 50  # rows of a table; JSON has them all


@app.default
def told(  # noqa: PLR0913 - what a person may ask for
    *,
    csv: Path | None = None,
    player_column: str = "player",
    balance_column: str = "balance",
    unit: Unit = "minor",
    delimiter: str = ",",
    as_of: AsOf = None,
    lang: Language = "en",
    where: Where = HERE,
    json: Annotated[AsJson, Parameter(name="--json")] = False,
) -> int:
    """Compare the balances of all players as they are told in several ways.

    These are what the read model has, what the last event of each wallet says that it holds, the
    sum of all transfers folded afresh, and what another system says in a CSV. Of every player who
    differs all figures are printed, and the last position that moved chips of theirs. A player who
    is missing somewhere has nothing there. Chips in running hands are in none of them.

    As of an earlier moment the read model says nothing, since it knows no past.

    For example:

        .venv/bin/python scripts/reconcile.py
        .venv/bin/python scripts/reconcile.py --csv balances.csv --unit chips --balance-column 余额
        .venv/bin/python scripts/reconcile.py --csv monday.csv --as-of 2026-02-01T00:00Z --json

    Parameters:
        csv: UTF-8, its columns named in the first line.
        player_column: The name of the column with the player's id.
        balance_column: The name of the one with the amount.
        unit: minor counts minor units in integers; chips has up to two decimals.
        delimiter: Between columns.
        as_of: What they held then: a position, or a time in UTC unless it names its zone.
        lang: Of the words.
    """
    moment = moment_of(as_of)
    if len(delimiter) != 1:
        raise BadInputError(f"{delimiter!r} is not one character")
    columns = {"player": player_column, "balance": balance_column}
    foreign = None
    if csv is not None:
        foreign = read_balances(csv, **columns, unit=unit, delimiter=delimiter)
    with opened(where) as store:
        if moment is None:
            catch_up(store)
        with (
            Store(store.dsn, role=ROLE, cards=store.cards) as history,
            history.connection() as conn,
            snapshot(conn),
            progress("events folded") as tell,
        ):
            found = reconcile(conn, as_of=moment, foreign=foreign, progress=tell)
        known = called(store, (difference.player for difference in found.differences))
    differ = bool(found.differences or found.house or found.together or found.unreadable)
    if json:
        rows = [known.beside(plain(difference)) for difference in found.differences]
        print_json({**plain(found), "differences": rows, "agree": not differ})
    else:
        labels = [known.label(difference.player) for difference in found.differences]
        _print(found, labels, lang)
    return DISAGREEMENT if differ or found.parked else 0


def _print(found: Reconciliation, labels: list[str], lang: Language) -> None:
    """Print it for a person: only what was compared has a column."""
    say(in_words(lang, "as_of", position=found.position))
    sides = [name for name in Difference._fields[1:5] if name in found.totals]
    columns = ("player", *(f"{name.replace('_', ' ')}$" for name in sides), "last position#")
    rows: list[tuple[object, ...]] = [
        (label, *(getattr(row, name) for name in sides), row.last_position)
        for label, row in zip(labels, found.differences, strict=True)
    ]
    if rows:
        table(headings(lang, *columns), rows[:_SHOWN_MAX])
    if len(rows) > _SHOWN_MAX:
        say(in_words(lang, "and_more", count=len(rows) - _SHOWN_MAX))
    if found.house:
        pairs = ((name, *pair) for name, pair in found.house.items())
        table(headings(lang, "account", "read model$", "fold$"), pairs)
    totals = [(heading(lang, name.replace("_", " ")), found.totals[name]) for name in sides]
    together = (heading(lang, "all accounts"), found.together)
    table(headings(lang, "", "together$"), [*totals, together])
    if found.parked:
        say(in_words(lang, "parked", count=found.parked))
    if found.unreadable:
        say(in_words(lang, "unread", count=found.unreadable))
    counts = {"players": found.players, "count": len(rows) + len(found.house)}
    say(in_words(lang, "differ" if rows or found.house else "agree", **counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], app))
