"""What it comes to, to open a dispute about a hand, to put something on file, and to rule it."""

from datetime import datetime
from typing import NamedTuple, get_args

from adapters.commands.execution import Command, Decide, Decision
from adapters.commands.history import Before, History
from domain.dispute import Dispute, dispute_stream
from domain.errors import BadRecordError, UnknownClaimError, UnknownHandError
from domain.events import EvidenceFile, SettlementClaimed, Verdict
from domain.hand import hand_stream


class Disputed(NamedTuple):
    """What a dispute opens with."""

    hand: str
    by: str
    claims: str
    due: datetime
    claim: int | None


def opening_dispute(dispute: str, asked: Disputed) -> Decide:
    """Open a dispute, if there is such a hand, and the claim that it rests on."""

    def decide(command: Command, before: Before, history: History) -> Decision:
        opened = Dispute.replay(dispute_stream(dispute), before.events)
        _check_hand(asked, history)
        opened.open(
            asked.hand,
            by=asked.by,
            claims=asked.claims,
            due=asked.due,
            claim=asked.claim,
            cause=command.cause,
        )
        return _decision(opened)

    return decide


def noting_dispute(dispute: str, text: str, evidence: EvidenceFile | None) -> Decide:
    """Put a note on file."""

    def decide(command: Command, before: Before, _: History) -> Decision:
        noted = Dispute.replay(dispute_stream(dispute), before.events)
        noted.note(text, command.cause, evidence)
        return _decision(noted)

    return decide


def ruling_dispute(dispute: str, verdict: Verdict, why: str) -> Decide:
    """Decide a dispute."""

    def decide(command: Command, before: Before, _: History) -> Decision:
        ruled = Dispute.replay(dispute_stream(dispute), before.events)
        ruled.rule(verdict, why, command.cause)
        return _decision(ruled)

    return decide


def check_verdict(verdict: object) -> None:
    """Refuse what is no verdict.

    Raises:
        BadRecordError: It is none.
    """
    if verdict not in get_args(Verdict):
        known = ", ".join(get_args(Verdict))
        raise BadRecordError(f"is none of {known}", field="verdict")


def _check_hand(asked: Disputed, history: History) -> None:
    """Refuse a hand that there never was, and a claim that is none.

    Raises:
        UnknownHandError: There is no such hand.
        UnknownClaimError: The event of that version is no claim.
    """
    stream = hand_stream(asked.hand)
    if not history.existing([stream]):
        raise UnknownHandError(f"no hand {asked.hand} was ever opened", hand=asked.hand)
    if asked.claim is None:
        return
    if history.topics(stream).get(asked.claim) != SettlementClaimed.TOPIC:
        raise UnknownClaimError(
            f"event {asked.claim} of hand {asked.hand} is no claim of a settlement",
            hand=asked.hand,
            claim=asked.claim,
        )


def _decision(dispute: Dispute) -> Decision:
    state = "open" if dispute.ruling is None else "ruled"
    answer = {
        "dispute": dispute.dispute,
        "hand": dispute.hand,
        "version": dispute.version,
        "state": state,
    }
    return Decision(dispute.collect_events(), answer)
