"""The files that commands about checkpoints are given: notes and keys."""

from pathlib import Path
from typing import Final

from adapters.console.failures import BadInputError

_LONGEST: Final = 1_000_000  # bytes; a note of a hundred signatures has a tenth of that


def read_note(file: Path) -> str:
    """Return the text of a note that was kept in a file.

    Raises:
        BadInputError: It is not UTF-8, or far too long.
        OSError: It cannot be read.
    """
    with file.open("rb") as source:
        data = source.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise BadInputError(f"{file} is too long for a note")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadInputError(f"{file} is not UTF-8") from None


def verifier_text(file: Path) -> str:
    """Return the text of a verifier's key.

    Raises:
        MalformedKeyError: The file holds none.
        OSError: It cannot be read.
    """
    from adapters.evidence.keys import read_verifier  # noqa: PLC0415 - where a key is given

    return read_verifier(file).text
