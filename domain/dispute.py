"""The aggregate of one dispute about a hand: opened, noted, ruled.

It moves no chip and changes nothing of the hand. Once ruled it takes nothing more: whoever is not
content with a verdict opens another dispute.
"""

from datetime import UTC, datetime
from typing import Final

from domain.errors import (
    BadRecordError,
    DisputeExistsError,
    DisputeRuledError,
    DuePassedError,
    UnknownDisputeError,
)
from domain.events import (
    DisputeEvent,
    DisputeNoted,
    DisputeOpened,
    DisputeRuled,
    Event,
    EvidenceFile,
    Verdict,
)
from domain.limits import check_text
from domain.stream import Cause, Stream

_OF_DISPUTES: Final = "dispute:"


def dispute_stream(dispute: str) -> str:
    """Return the id of a dispute's stream."""
    return f"{_OF_DISPUTES}{dispute}"


def dispute_of(stream_id: str) -> str:
    """Return the dispute whose stream it is."""
    return stream_id.removeprefix(_OF_DISPUTES)


class Dispute(Stream):
    """What somebody holds against a hand, up to the verdict."""

    def __init__(self, stream_id: str) -> None:
        """Start before the opening."""
        super().__init__(stream_id)
        self.dispute = dispute_of(stream_id)
        self.opening: DisputeOpened | None = None
        self.ruling: DisputeRuled | None = None

    @property
    def hand(self) -> str:
        """Return the hand that it is about.

        Raises:
            UnknownDisputeError: It was never opened.
        """
        if self.opening is None:
            raise UnknownDisputeError(
                f"no dispute {self.dispute} was ever opened", dispute=self.dispute
            )
        return self.opening.hand

    def evolve(self, event: Event) -> None:
        """Take in one event."""
        assert isinstance(event, DisputeEvent), event
        if isinstance(event, DisputeOpened):
            self.opening = event
        elif isinstance(event, DisputeRuled):
            self.ruling = event

    def open(
        self,
        hand: str,
        *,
        by: str,
        claims: str,
        due: datetime,
        cause: Cause,
        claim: int | None = None,
    ) -> None:
        """Hold something against a hand.

        Args:
            hand: Its id. That there is such a hand, and such a claim, is for the caller to see to.
            by: Whose dispute it is.
            claims: What is said.
            due: When the verdict is, a time with its zone.
            cause: Why.
            claim: The version of the hand's event with the foreign figures that it rests on.

        Raises:
            DisputeExistsError: It was opened before.
            DuePassedError: The verdict would be due before, or as, it is opened.
            BadRecordError: A text is none, is blank or too long.
        """
        if self.opening is not None:
            raise DisputeExistsError(
                f"dispute {self.dispute} was opened before", dispute=self.dispute
            )
        check_text(by, "by")
        check_text(claims, "claims")
        if due <= cause.at:
            raise DuePassedError(
                f"a verdict is due at {due.isoformat()}, and it is {cause.at.isoformat()}",
                due=due.isoformat(),
            )
        try:
            at = due.astimezone(UTC)
        except OverflowError:
            raise BadRecordError("is beyond the calendar", field="due") from None
        self.record(DisputeOpened(hand=hand, by=by, claims=claims, due=at, claim=claim), cause)

    def note(self, text: str, cause: Cause, evidence: EvidenceFile | None = None) -> None:
        """Put a note on file, and the evidence that it is about where there is some.

        Raises:
            UnknownDisputeError: It was never opened.
            DisputeRuledError: It has its verdict.
            BadRecordError: The text, or the name of the evidence, is none, blank or too long.
        """
        hand = self._check_open()
        check_text(text, "text")
        if evidence is not None:
            check_text(evidence.name, "evidence.name")
        self.record(DisputeNoted(hand=hand, text=text, evidence=evidence), cause)

    def rule(self, verdict: Verdict, why: str, cause: Cause) -> None:
        """Decide it, with reasons.

        Raises:
            UnknownDisputeError: It was never opened.
            DisputeRuledError: It has its verdict.
            BadRecordError: The reasons are none, are blank or too long.
        """
        hand = self._check_open()
        check_text(why, "why")
        self.record(DisputeRuled(hand=hand, verdict=verdict, why=why), cause)

    def _check_open(self) -> str:
        """Return the hand of a dispute that still takes something."""
        hand = self.hand
        if self.ruling is not None:
            raise DisputeRuledError(
                f"dispute {self.dispute} is ruled: {self.ruling.verdict}",
                dispute=self.dispute,
                verdict=self.ruling.verdict,
            )
        return hand
