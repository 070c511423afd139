"""What each command about a dispute asks for."""

from collections.abc import Mapping
from datetime import UTC, datetime

from adapters.commands.commanding import Commanding
from adapters.commands.disputing import (
    Disputed,
    check_verdict,
    noting_dispute,
    opening_dispute,
    ruling_dispute,
)
from adapters.commands.execution import Asked, Command
from domain.dispute import dispute_stream
from domain.events import EvidenceFile, Verdict
from domain.record import check_name


class AskingDisputes(Commanding):
    """The commands that there are about disputes."""

    def open_dispute(
        self,
        dispute: str,
        hand: str,
        *,
        by: str,
        claims: str,
        due: datetime,
        command_id: str,
        actor: str,
        claim: int | None = None,
    ) -> Asked:
        """Hold something against a hand, running or over; the hand stays as it is.

        All texts of a dispute are kept for ever, in clear: ids belong there, and no names.

        Args:
            dispute: Its id, new to this ledger.
            hand: The hand's.
            by: Whose dispute it is: a player of the hand, or anybody else.
            claims: What is said.
            due: When the verdict is, a time with its zone.
            command_id: Under which it may be given again.
            actor: Who gives it.
            claim: The version of the hand's event with the foreign figures that it rests on, as
                the answer of `claim_settlement` has it.

        Raises:
            UnknownHandError: There is no such hand.
            UnknownClaimError: The hand has no such claim.
            DisputeExistsError: There is a dispute of that id.
            DuePassedError: The verdict would be due already.
            BadRecordError: A name or a text is none.
        """
        check_name(hand, "hand")
        check_name(by, "by")
        body: dict[str, object] = {"hand": hand, "by": by, "claims": claims}
        body["due"] = due.astimezone(UTC).isoformat()
        if claim is not None:
            body["claim"] = claim
        command = self._dispute_command("open_dispute", dispute, body, command_id, actor)
        asked = Disputed(hand, by, claims, due, claim)
        return Asked(command, opening_dispute(dispute, asked), "dispute_opened")

    def note_dispute(
        self,
        dispute: str,
        text: str,
        *,
        command_id: str,
        actor: str,
        evidence: EvidenceFile | None = None,
    ) -> Asked:
        """Put a note on file, and what the file of evidence was that it is about.

        Args:
            dispute: Its id.
            text: Kept for ever, in clear.
            command_id: Under which it may be given again.
            actor: Who gives it.
            evidence: Name, size and SHA-256 of a file; the file itself is not kept here.

        Raises:
            UnknownDisputeError: There is no such dispute.
            DisputeRuledError: It has its verdict.
            BadRecordError: A name or a text is none.
        """
        body: dict[str, object] = {"text": text}
        if evidence is not None:
            body["evidence"] = evidence.model_dump()
        command = self._dispute_command("note_dispute", dispute, body, command_id, actor)
        return Asked(command, noting_dispute(dispute, text, evidence), "dispute_noted")

    def rule_dispute(
        self, dispute: str, verdict: Verdict, why: str, *, command_id: str, actor: str
    ) -> Asked:
        """Decide a dispute, once. No chip moves: what is owed is paid by commands of its own.

        Args:
            dispute: Its id.
            verdict: "upheld", "partly_upheld", "rejected" or "withdrawn".
            why: The reasons; kept for ever, in clear.
            command_id: Under which it may be given again.
            actor: Who gives it.

        Raises:
            UnknownDisputeError: There is no such dispute.
            DisputeRuledError: It has its verdict.
            BadRecordError: The verdict is none of these, or a name or a text is none.
        """
        check_verdict(verdict)
        body = {"verdict": verdict, "why": why}
        command = self._dispute_command("rule_dispute", dispute, body, command_id, actor)
        return Asked(command, ruling_dispute(dispute, verdict, why), "dispute_ruled")

    def _dispute_command(
        self, kind: str, dispute: str, body: Mapping[str, object], command_id: str, actor: str
    ) -> Command:
        check_name(dispute, "dispute")
        full = {"dispute": dispute, **body}
        return self._command(kind, dispute_stream(dispute), full, command_id, actor)
