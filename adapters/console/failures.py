"""What users give that cannot be used."""

from typing import ClassVar

from adapters.errors import AdapterError


class BadInputError(AdapterError):
    """What the user gave cannot be used."""

    code: ClassVar[str] = "bad_input"
