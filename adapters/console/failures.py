"""What exit statuses mean, and what ends a command early."""

from typing import ClassVar, Final

from adapters.errors import AdapterError

FAILED: Final = 1
BAD_INPUT: Final = 2
DISAGREEMENT: Final = 3
UNREACHABLE: Final = 4
INTERRUPTED: Final = 130
NOBODY_READS: Final = 141


class BadInputError(AdapterError):
    """What the user gave cannot be used."""

    code: ClassVar[str] = "bad_input"


class UnexplainableHandError(AdapterError):
    """A hand's events lead nowhere: somebody wrote what no rule gives."""

    code: ClassVar[str] = "unexplainable"

    def __init__(self, hand: str) -> None:
        super().__init__(f"the events of hand {hand} make no hand; see `jinhua verify {hand}`")
        self.hand = hand
