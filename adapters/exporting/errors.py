"""What keeps a hand out of an export: one class a reason, each with a stable code.

A hand that a format cannot say without loss is left out and named; nothing is ever left out of a
hand in silence.
"""

from datetime import date
from pathlib import Path
from typing import ClassVar

from adapters.errors import AdapterError, EvidenceError


class UnsayableHandError(AdapterError):
    """This format cannot say this hand without loss."""

    why: ClassVar[str]

    def __init__(self, *, hand: str, detail: str = "") -> None:
        super().__init__(f"{self.why}: {detail}" if detail else self.why)
        self.hand = hand


class RunningHandError(UnsayableHandError):
    """It is still being played; its cards are nobody's yet, and its end is not known."""

    code = "hand_running"
    why = "the hand is still running"


class VoidHandError(UnsayableHandError):
    """It was declared void: a record is of a hand that was settled."""

    code = "hand_void"
    why = "the hand is void, and a record knows settled hands only"


class CommittedHandError(UnsayableHandError):
    """It opened with a commitment to its deck, which a record has no place for."""

    code = "deck_committed"
    why = "a record has no place for the commitment to its deck"


class SeveralClaimsError(UnsayableHandError):
    """More than one foreign settlement is kept beside it; a record has room for one."""

    code = "several_claims"
    why = "a record has room for one claimed settlement"


class OtherClaimantError(UnsayableHandError):
    """The foreign settlement beside it is somebody else's than the one this export is about."""

    code = "other_claimant"
    why = "its claimed settlement is another claimant's"


class OldRulebookError(UnsayableHandError):
    """It was played under a version of its rulebook that is not the newest; a record names none."""

    code = "rulebook_version"
    why = "a record is played under the newest version of its rulebook"


class NotAsPlayedError(UnsayableHandError):
    """Its record, played, gives other events than those stored; `jinhua verify` says which."""

    code = "not_as_played"
    why = "its record does not give the events that are stored"


class AmountTooLargeError(UnsayableHandError):
    """An amount of it is beyond what the format's numbers hold exactly."""

    code = "amount_too_large"
    why = "an amount is beyond what the format holds exactly"


class RefusedHandsError(AdapterError):
    """Hands were refused where the export was to be whole; nothing was written."""

    code = "hands_refused"

    def __init__(self, first: UnsayableHandError) -> None:
        super().__init__(f"hand {first.hand}: {first.code}: {first}; nothing was written")
        self.first = first


class DayOutOfRangeError(AdapterError):
    """Something is said to have happened on a day that the format has no form for."""

    code = "day_out_of_range"

    def __init__(self, *, what: str, day: date) -> None:
        super().__init__(f"{what} is of {day}, a day that the format has no form for")
        self.day = day


class NotForEyesError(AdapterError):
    """What is asked for has in it what the viewer may not see."""

    code = "not_for_eyes"


class PlaceTakenError(AdapterError):
    """Where a directory is to be written there is something already."""

    code = "place_taken"

    def __init__(self, place: Path) -> None:
        super().__init__(f"{place} is there already, and not an empty directory")
        self.place = place


class JournalDisagreesError(EvidenceError):
    """What the exported transfers come to is not what the ledger's accounts hold."""

    code = "journal_disagrees"

    def __init__(self, *, account: str, exported: int, held: int) -> None:
        super().__init__(
            f"{account} comes to {exported} minor units in the journal, and holds {held};"
            " see `jinhua verify`"
        )
        self.account, self.exported, self.held = account, exported, held
