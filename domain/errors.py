"""Refusals: one class a rule, with a stable code, the numbers that broke it and the rule itself.

A refusal is an answer, not a failure: nothing was recorded. ``rule`` names the
section of ``domain/zhajinhua/RULES.md`` (or of the record format) that refuses.
The order in which refusals are looked for is the order of RULES.md §7.
"""

from typing import ClassVar


class RefusalError(Exception):
    """A command that the rules refuse."""

    code: ClassVar[str]
    rule: ClassVar[str]

    def __init__(self, message: str, **numbers: object) -> None:
        """Say what was refused, in words and in numbers."""
        super().__init__(message)
        self.message = message
        self.numbers = numbers


# --- the record, and what the rulebook decides of it ---------------------------------


class BadRecordError(RefusalError):
    """The record or a parameter is malformed; nothing of it was played."""

    code = "bad_record"
    rule = "hand-record/1"

    def __init__(self, reason: str, *, field: str = "", hand: str | None = None) -> None:
        """Name the field, where one is to blame, and the hand, where it could be read."""
        super().__init__(f"{field}: {reason}" if field else reason, field=field)
        self.hand = hand


class TooLargeError(BadRecordError):
    """More than is taken at once: bytes of a record, or actions of a command."""

    code = "too_large"
    rule = "domain/limits.py"


class UnknownRulebookError(RefusalError):
    """No rulebook of that name, or not in that version."""

    code = "unknown_rulebook"
    rule = "§7.1"


class BadChangeError(RefusalError):
    """A change of the rules that names no field, or gives one what it cannot take."""

    code = "bad_change"
    rule = "rulebook"


# --- at the opening ------------------------------------------------------------------


class SeatCountError(RefusalError):
    """Too few or too many seats for the rulebook."""

    code = "seat_count"
    rule = "§2.1"


class BadDealError(RefusalError):
    """A seat was not dealt three known cards."""

    code = "bad_deal"
    rule = "§2.2"


class DuplicateCardError(RefusalError):
    """One card was dealt twice."""

    code = "duplicate_card"
    rule = "§2.2"


class UnknownSeatError(RefusalError):
    """A seat that nobody sits in."""

    code = "unknown_seat"
    rule = "§2.3"


class NotSupportedError(RefusalError):
    """The rulebook does not know this."""

    code = "not_supported"
    rule = "§7.2"


class CarryTooSmallError(RefusalError):
    """A carry below the ante cannot sit down."""

    code = "carry_too_small"
    rule = "§2.4"


# --- any action ----------------------------------------------------------------------


class HandOverError(RefusalError):
    """The hand has ended; it takes no more actions."""

    code = "hand_over"
    rule = "§3.1"


class FoldAllNotAllowedError(RefusalError):
    """Everyone folds at once only while the banker is in and nobody is all-in."""

    code = "fold_all_not_allowed"
    rule = "§4.6"


class SeatOutError(RefusalError):
    """The seat has folded or lost a duel."""

    code = "seat_out"
    rule = "§3.1"


class AlreadySeenError(RefusalError):
    """The seat has looked at its cards before."""

    code = "already_seen"
    rule = "§3.2"


class LookTooEarlyError(RefusalError):
    """The rulebook allows a look only from a later round on."""

    code = "look_too_early"
    rule = "§3.2"


class TopUpLimitError(RefusalError):
    """Too many top-ups, or too much."""

    code = "top_up_limit"
    rule = "§4.5"


class TopUpNotNeededError(RefusalError):
    """The stack still pays a call."""

    code = "top_up_not_needed"
    rule = "§4.5"


class RaiseLimitError(RefusalError):
    """The chain of further raises is exhausted."""

    code = "raise_limit"
    rule = "§3.5"


class NotYourTurnError(RefusalError):
    """Another seat is to act."""

    code = "not_your_turn"
    rule = "§3.1"


class AllInPendingError(RefusalError):
    """An all-in waits for its answers; only those are taken."""

    code = "all_in_pending"
    rule = "§4.4"


class UnknownActionError(RefusalError):
    """No such verb."""

    code = "unknown_action"
    rule = "§7.2"


# --- one verb ------------------------------------------------------------------------


class BlindLimitError(RefusalError):
    """No more blind bets: look, fold or go all-in."""

    code = "blind_limit"
    rule = "§3.6"


class InsufficientStackError(RefusalError):
    """The stack does not pay the price."""

    code = "insufficient_stack"
    rule = "§3.3"


class RaiseTooLowError(RefusalError):
    """A raise must lift the stake."""

    code = "raise_too_low"
    rule = "§3.4"


class RaiseTooHighError(RefusalError):
    """The stake is bounded by the table."""

    code = "raise_too_high"
    rule = "§3.4"


class AllInTooEarlyError(RefusalError):
    """All-in is allowed only from a later round on."""

    code = "all_in_too_early"
    rule = "§4.3"


class AllInNotShortError(RefusalError):
    """Only a seat that cannot pay its call goes all-in."""

    code = "all_in_not_short"
    rule = "§4.2"


class MustCompareError(RefusalError):
    """Whoever looked after a blind all-in duels and cannot fold."""

    code = "must_compare"
    rule = "§4.4"


class CompareTooEarlyError(RefusalError):
    """Duels are allowed only from a later round on."""

    code = "compare_too_early"
    rule = "§5.1"


class CompareSelfError(RefusalError):
    """A seat cannot duel itself."""

    code = "compare_self"
    rule = "§5.1"


class CompareTargetOutError(RefusalError):
    """The named seat is no longer in."""

    code = "compare_target_out"
    rule = "§5.1"


class CompareLimitError(RefusalError):
    """No more duels in this round."""

    code = "compare_limit"
    rule = "§5.1"


class CompareTargetSeenError(RefusalError):
    """A seen seat may duel only a blind one."""

    code = "compare_target_seen"
    rule = "§5.1"


# --- settling ------------------------------------------------------------------------


class HandNotOverError(RefusalError):
    """The hand came to no settlement: seats have still to act, or it was declared void."""

    code = "hand_not_over"
    rule = "§6.1"


class BonusNotDueError(RefusalError):
    """A drawn bonus for a seat that has none coming, or out of range."""

    code = "bonus_not_due"
    rule = "§6.5"


# --- the deck ------------------------------------------------------------------------


class CommitmentRequiredError(RefusalError):
    """The table plays no hand without a commitment to its deck."""

    code = "commitment_required"
    rule = "§2.6"


class HandRunningError(RefusalError):
    """A deck is disclosed, and cards that can be read are proven, once the hand is over."""

    code = "hand_running"
    rule = "§2.6"


class NoCommitmentError(RefusalError):
    """The hand opened without a commitment; nothing can be held against it."""

    code = "no_commitment"
    rule = "§2.6"


class AlreadyDisclosedError(RefusalError):
    """The deck of the hand is disclosed; it is so once."""

    code = "already_disclosed"
    rule = "§2.6"


class CommitmentMismatchError(RefusalError):
    """The deck and salt are not those that the opening committed to."""

    code = "commitment_mismatch"
    rule = "§2.6"


# --- wallets, disputes and the ledger ------------------------------------------------


class InsufficientFundsError(RefusalError):
    """A wallet never goes below zero."""

    code = "insufficient_funds"
    rule = "wallet"


class AmountOutOfRangeError(RefusalError):
    """Not an integer of minor units in 1..2^63-1, or a balance beyond it."""

    code = "amount_out_of_range"
    rule = "money"


class PlayerErasedError(RefusalError):
    """A player who was erased gets no name again."""

    code = "player_erased"
    rule = "wallet"


class AlreadyErasedError(RefusalError):
    """A player is erased once."""

    code = "already_erased"
    rule = "wallet"


class UnknownPlayerError(RefusalError):
    """No player of that id ever had a wallet here."""

    code = "unknown_player"
    rule = "wallet"


class DisputeExistsError(RefusalError):
    """A dispute of that id is already open, or was."""

    code = "dispute_exists"
    rule = "dispute"


class UnknownDisputeError(RefusalError):
    """No dispute of that id was ever opened."""

    code = "unknown_dispute"
    rule = "dispute"


class DisputeRuledError(RefusalError):
    """The dispute has its verdict; it takes nothing more."""

    code = "dispute_ruled"
    rule = "dispute"


class DuePassedError(RefusalError):
    """A verdict is due after the dispute is opened, not before."""

    code = "due_passed"
    rule = "dispute"


class UnknownClaimError(RefusalError):
    """The event of the hand that a dispute is to rest on is no foreign system's claim."""

    code = "unknown_claim"
    rule = "dispute"


class HandExistsError(RefusalError):
    """A hand of that id is already recorded."""

    code = "hand_exists"
    rule = "ledger"


class UnknownHandError(RefusalError):
    """No hand of that id was ever opened."""

    code = "unknown_hand"
    rule = "ledger"


class PriceChangedError(RefusalError):
    """The seat decided on another price than it would pay now: somebody raised in between."""

    code = "price_changed"
    rule = "ledger"


class CommandIdReusedError(RefusalError):
    """The id was given to another command before; ``field`` is what differs."""

    code = "command_id_reused"
    rule = "ledger"


class ConflictError(RefusalError):
    """Somebody else was first: the stream is no longer at the expected version."""

    code = "conflict"
    rule = "ledger"

    def __init__(self, stream: str, *, expected: int, actual: int) -> None:
        """Tell where the stream was thought to be, and where it is."""
        message = f"{stream} is at version {actual}, not {expected}"
        super().__init__(message, stream=stream, expected=expected, actual=actual)
        self.stream, self.expected, self.actual = stream, expected, actual
