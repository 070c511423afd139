"""With whose eyes a command writes what leaves the ledger."""

from adapters.console.failures import BadInputError
from adapters.exporting.viewers import Viewer


def viewer_of(text: str) -> Viewer:
    """Return the viewer that a word of a command names.

    Raises:
        BadInputError: It names none.
    """
    try:
        return Viewer.parse(text)
    except ValueError as error:
        raise BadInputError(f"--viewer: {error}") from None
