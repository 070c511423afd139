"""How much is taken at once: bytes of a record, actions of a command, characters of a text.

What is refused here is refused before anything of it is decided, so nothing of it is stored.
"""

from typing import Final

from domain.errors import BadRecordError, TooLargeError

RECORD_BYTES_MAX: Final = 16 * 1024 * 1024
"""Bytes of one record. No event is longer than the record that it comes from."""

ACTIONS_MAX: Final = 10_000
"""Actions of one record, or of one command; all that they come to is stored in one append."""


TEXT_CHARACTERS_MAX: Final = 4_000
"""Characters of a free text, such as a note: more than a page."""


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


def check_text(text: object, field: str) -> None:
    """Refuse what is no free text that can be stored.

    Raises:
        BadRecordError: It is no text, is blank, or holds what PostgreSQL cannot store.
        TooLargeError: It is too long.
    """
    if not isinstance(text, str) or not text.strip():
        raise BadRecordError("is no text, or blank", field=field)
    if len(text) > TEXT_CHARACTERS_MAX:
        reason = f"has {len(text)} characters; at most {TEXT_CHARACTERS_MAX} are taken"
        raise TooLargeError(reason, field=field)
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise BadRecordError("holds U+0000, or half of a character", field=field)
