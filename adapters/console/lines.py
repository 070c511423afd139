"""What a command reads records from: a file, or ``-`` for standard input."""

import sys
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader
from pathlib import Path
from typing import Annotated, cast

from cyclopts import Parameter

from adapters.console.failures import BadInputError


def _no_option(_: object, given: str) -> None:
    """Refuse a mistyped option where a file is expected."""
    if given.startswith("-") and given != "-":
        raise ValueError(f"unknown option {given}")


InputFile = Annotated[str, Parameter(allow_leading_hyphen=True, validator=_no_option)]
"""A file's name, or ``-`` for standard input."""


def open_input(file: str) -> AbstractContextManager[BufferedReader]:
    """Open a file, or standard input for ``-``.

    Raises:
        BadInputError: It cannot be read.
    """
    if file == "-":
        return nullcontext(cast(BufferedReader, sys.stdin.buffer))
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise BadInputError(f"{file} cannot be read: {error.strerror}") from None
