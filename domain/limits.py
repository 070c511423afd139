"""How much is taken at once: bytes of a record, actions of a command.

What is refused here is refused before anything of it is decided, so nothing of it is stored.
"""

from typing import Final

from domain.errors import TooLargeError

RECORD_BYTES_MAX: Final = 16 * 1024 * 1024
"""Bytes of one record. No event is longer than the record that it comes from."""

ACTIONS_MAX: Final = 10_000
"""Actions of one record, or of one command; all that they come to is stored in one append."""


def check_size(record: str | bytes) -> None:
    """Refuse a record that is too long to be read.

    Raises:
        TooLargeError: It is.
    """
    size = len(record.encode(errors="surrogatepass") if isinstance(record, str) else record)
    if size > RECORD_BYTES_MAX:
        raise TooLargeError(f"a record of {size} bytes; at most {RECORD_BYTES_MAX} are taken")


def check_count(actions: int) -> None:
    """Refuse more actions than are taken at once.

    Raises:
        TooLargeError: They are.
    """
    if actions > ACTIONS_MAX:
        raise TooLargeError(f"are {actions}; at most {ACTIONS_MAX} are taken", field="actions")
