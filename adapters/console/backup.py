"""``jinhua backup`` and ``restore``: the whole store in a file, and back from it."""

from pathlib import Path
from typing import Any

from adapters.bootstrap import owner_dsn
from adapters.console.failures import DISAGREEMENT, BadInputError
from adapters.console.options import HERE, Where
from adapters.console.output import AsJson, print_json, progress, say, table
from adapters.copies.backup import backup as write
from adapters.copies.restore import restore as bring_back
from adapters.plain_json import plain


def backup(file: Path, /, *, where: Where = HERE, json: AsJson = False) -> int:
    """Write the whole store to a file, of one moment, while others go on writing.

    The file appears whole or not at all, and only its maker can read it: it holds every card. Any
    pg_restore reads it too; `jinhua restore` also proves that what comes back is what went in.

    For example:

        jinhua backup monday.jinhua

    Parameters:
        file: Replaced where there is one.
    """
    with progress("rows read") as told:
        manifest = write(owner_dsn(where.settings), file, lambda rows: told(rows, None))
    if json:
        print_json({"file": str(file), **manifest.model_dump()})
    else:
        figures = manifest.figures
        say(f"{file}: up to position {figures['position']}, of {manifest.made_at}")
        _print_tables(figures)
    return 0


def restore(
    file: Path, /, *, into: str | None = None, where: Where = HERE, json: AsJson = False
) -> int:
    """Bring a store back from a backup, whole or not at all, and compare it with the original.

    Where the backup has the key of a player who was erased by then, it is destroyed again. Of
    players who were erased after the backup was made it knows nothing: erase them again.

    The database has to be empty; that of the embedded server may hold a ledger without events. The
    exit status is 3 where a figure of the restored store is not the original's.

    For example:

        jinhua restore monday.jinhua --data-dir /var/lib/jinhua-new
        jinhua restore monday.jinhua --into monday

    Parameters:
        file: A file of `jinhua backup`.
        into: Make a database of this name on the same server, and restore to that.
    """
    if into is not None and not into.strip():
        raise BadInputError("--into needs a name")
    settings = where.settings
    with progress("rows compared") as told:
        restored = bring_back(
            owner_dsn(settings), file, into=into, is_ours=settings.dsn is None, progress=told
        )
    result = {
        "file": str(file),
        "database": restored.database,
        "position": restored.manifest.figures["position"],
        "made_at": restored.manifest.made_at,
        "unequal": [plain(figure) for figure in restored.unequal],
        "erased": restored.erased,
    }
    if json:
        print_json(result)
    else:
        _print_restored(result, restored.manifest.figures)
    return DISAGREEMENT if restored.unequal else 0


def _print_restored(result: dict[str, Any], figures: dict[str, int | str]) -> None:
    say(f"{result['database']}: up to position {result['position']}, of {result['made_at']}")
    if result["unequal"]:
        table(("figure", "in the backup", "restored"), (row.values() for row in result["unequal"]))
    else:
        _print_tables(figures)
        say("equal to the original in every figure")
    if result["erased"]:
        say(f"destroyed again: the keys of {result['erased']} erased players")


def _print_tables(figures: dict[str, int | str]) -> None:
    names = [name.removesuffix(".rows") for name in figures if name.endswith(".rows")]
    rows = ((name, figures[f"{name}.rows"], figures[f"{name}.sha256"]) for name in names)
    table(("table", "rows#", "sha256"), rows)
