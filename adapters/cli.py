"""``jinhua``: the commands, and what their exit status means.

0 fine, 2 usage or bad input, 3 a disagreement was found, 4 the store cannot be reached; 130 when
interrupted, 141 when whoever read the output is gone. None of these comes with a traceback.
"""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Final

from cyclopts import App

from adapters.console.output import complain
from adapters.errors import AdapterError, StoreUnreachableError
from domain.errors import RefusalError

BAD_INPUT: Final = 2
DISAGREEMENT: Final = 3
UNREACHABLE: Final = 4
INTERRUPTED: Final = 130
NOBODY_READS: Final = 141

_COMMANDS: Final = (
    # where each is; its help is its docstring
    "settle:settle",
    "simulate:simulate",
)

app = App(
    name="jinhua",
    help="An event-sourced ledger for 炸金花: every hand can be replayed and checked.",
    version=lambda: version("jinhua"),
    result_action="return_value",
    help_format="markdown",
)
for _where in _COMMANDS:
    app.command(f"adapters.console.{_where}")


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    status = _run(words)
    try:
        sys.stdout.flush()
    except OSError:
        # Or the interpreter would try once more on its way out, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or NOBODY_READS
    return status


def _run(words: Sequence[str] | None) -> int:
    """Run one command; what can go wrong in the world outside becomes a line and a status."""
    given = sys.argv[1:] if words is None else words
    if not given or given[0].startswith("-"):
        for where in _COMMANDS:
            app[where.split(":")[1]]  # the overview needs their first lines
    try:
        return app(words) or 0
    except SystemExit as leaving:  # bad usage, which has been explained, or an interrupt
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return NOBODY_READS
    except StoreUnreachableError as error:
        return _failed(error.code, error, UNREACHABLE)
    except (AdapterError, RefusalError) as error:
        return _failed(error.code, error, BAD_INPUT)
    except OSError as error:
        return _failed("system", error, BAD_INPUT)


def _failed(code: str, error: Exception, status: int) -> int:
    """Say in one line on stderr what went wrong."""
    complain(f"{code}: {error}")
    return status
