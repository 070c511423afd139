"""``jinhua``: the commands, and what their exit status means.

0 fine, 1 cards are sealed under a key that was not given, or the service cannot start, 2 usage or
bad input, 3 a disagreement was found, 4 the store or a cluster cannot be reached; 130 when
interrupted, 141 when whoever read the output is gone. None of these comes with a traceback.
"""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Final

from cyclopts import App

from adapters.console.failures import (
    BAD_INPUT,
    DISAGREEMENT,
    FAILED,
    INTERRUPTED,
    NOBODY_READS,
    UNREACHABLE,
    UnexplainableHandError,
)
from adapters.console.output import complain
from adapters.errors import (
    AdapterError,
    CardKeyMissingError,
    ClusterUnreachableError,
    EvidenceError,
    StoreUnreachableError,
    UnreadableEventError,
)
from domain.errors import RefusalError

_COMMANDS: Final = {
    # where each is; its help is its docstring
    "settle": "settle:settle",
    "rulebooks": "rulebooks:rulebooks",
    "import": "imports:import_",
    "export": "export:export",
    "verify": "verify:verify",
    "show": "hands:show",
    "explain": "hands:explain",
    "shuffle": "shuffle:shuffle",
    "disclose": "disclose:disclose",
    "whatif": "whatif:whatif",
    "bisect": "parting:bisect",
    "dispute": "disputes:dispute",
    "dossier": "dossier:dossier",
    "hands": "listing:hands",
    "balances": "money:balances",
    "statement": "money:statement",
    "bonuses": "money:bonuses",
    "house": "money:house",
    "audit": "money:audit",
    "name": "names:name",
    "erase": "names:erase",
    "keygen": "checkpoint:keygen",
    "checkpoint": "checkpoint:checkpoint",
    "checkpoints": "checkpoint:checkpoints",
    "consistency": "checkpoint:consistency",
    "proof": "proof:proof",
    "keys": "keys:keys",
    "serve": "serve:serve",
    "rebuild": "store:rebuild",
    "migrate": "store:migrate",
    "dsn": "store:dsn",
    "doctor": "store:doctor",
    "backup": "backup:backup",
    "restore": "backup:restore",
    "stop": "store:stop",
    "simulate": "simulate:simulate",
    "demo": "demo:demo",
}

app = App(
    name="jinhua",
    help="An event-sourced ledger for 炸金花: every hand can be replayed and checked.",
    version=lambda: version("jinhua"),
    result_action="return_value",
    help_format="markdown",
)
for _name, _where in _COMMANDS.items():
    app.command(f"adapters.console.{_where}", name=_name)


def main(words: Sequence[str] | None = None, program: App = app) -> int:
    """Run one command and return its exit status.

    Args:
        words: What was given; None is what the process was given.
        program: Another one, whose exit statuses mean the same.
    """
    status = _run(words, program)
    try:
        sys.stdout.flush()
    except OSError:
        # Or the interpreter would try once more on its way out, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or NOBODY_READS
    return status


def _run(words: Sequence[str] | None, program: App) -> int:
    """Run one command; what can go wrong in the world outside becomes a line and a status."""
    given = sys.argv[1:] if words is None else words
    if program is app and (not given or given[0].startswith("-")):
        for name in _COMMANDS:
            app[name]  # the overview needs the first lines of all
    try:
        return program(words) or 0
    except SystemExit as leaving:  # bad usage, which has been explained, or an interrupt
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return NOBODY_READS
    except Exception as error:
        code, status = _meaning(error)
        if status is None:
            raise
        complain(f"{code}: {error}")
        return status


def _meaning(error: Exception) -> tuple[str, int | None]:
    """Return the code and the exit status of an error; no status where it is a fault of ours."""
    match error:
        case StoreUnreachableError() | ClusterUnreachableError():
            return error.code, UNREACHABLE
        case CardKeyMissingError():
            return error.code, FAILED
        case UnreadableEventError() | UnexplainableHandError() | EvidenceError():
            return error.code, DISAGREEMENT
        case AdapterError() | RefusalError():
            return error.code, BAD_INPUT
        case OSError():
            return "system", BAD_INPUT
    driver = sys.modules.get("psycopg")  # where nothing loaded it, the store was not asked
    if driver is not None:
        refusals = (
            driver.OperationalError,
            driver.InterfaceError,
            driver.errors.InsufficientPrivilege,
        )
        if isinstance(error, refusals):
            return StoreUnreachableError.code, UNREACHABLE
    return "", None


if __name__ == "__main__":
    sys.exit(main())
