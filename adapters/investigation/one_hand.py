"""Everything that a ledger knows of one hand, at once."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from adapters.evidence.checkpoints import stored as stored_checkpoints
from adapters.investigation.choices import Choice, choices
from adapters.ledger import Ledger, PositionedEntry
from adapters.registers.refusals import StoredRefusal
from adapters.show import Moment, deal_proof, timeline, verdict_of
from domain.claims import Difference, differences
from domain.discrepancies import Discrepancy
from domain.errors import HandNotOverError, RefusalError
from domain.events import Event, Settlement, SettlementClaimed
from domain.facts import of_events
from domain.stream import BROKEN
from domain.whatif import WhatIf, what_if
from domain.zhajinhua.disclosing import Proof
from domain.zhajinhua.explanation import Step, explain
from domain.zhajinhua.rulebooks import published
from domain.zhajinhua.wording import Language

DISAGREEING = frozenset({"commitment_mismatch", "deal_differs", "unreadable"})
"""Reasons for which a deal is not proven that are a disagreement, and not only a lack."""


class Claim(NamedTuple):
    """What a foreign system says, and where that is not what was settled."""

    claimant: str
    position: int
    differences: list[Difference]


class OneHand(NamedTuple):
    """All that is known. What cannot be told of events that make no hand is None."""

    hand: str
    state: str  # running, settled, void
    settlement: Settlement | None
    moments: list[Moment] | None
    steps: list[Step] | None
    choices: list[Choice] | None
    discrepancies: list[Discrepancy]
    refusals: list[StoredRefusal]
    claims: list[Claim]
    proof: Proof  # of the deal
    checkpoint: int | None  # the size of the newest one, where it covers the hand
    elsewhere: list[WhatIf]  # under every other rulebook

    @property
    def disagrees(self) -> bool:
        """Tell whether anything of it is not as it should be."""
        return bool(
            self.discrepancies
            or self.moments is None
            or self.steps is None
            or any(claim.differences for claim in self.claims)
            or self.proof.reason in DISAGREEING
        )


def look_into(ledger: Ledger, hand: str, lang: Language) -> OneHand:
    """Return all that is known of a hand; of a running one no card.

    Args:
        ledger: Where it is.
        hand: Its id.
        lang: Of the words.

    Raises:
        UnknownHandError: There is no such hand.
        UnreadableEventError: One of its events cannot be read.
        CardKeyMissingError: Its cards are sealed under a key that is not held.
    """
    stored = ledger.shown(hand)
    events = [entry.event for _, entry in stored]
    state, settlement = verdict_of(events)
    covered = [point.size for point in stored_checkpoints(ledger.store)]
    newest = max(covered, default=0)
    return OneHand(
        hand=hand,
        state=state,
        settlement=settlement,
        moments=_if_a_hand(partial(timeline, stored, lang)),
        steps=_if_a_hand(partial(explain, events, lang)),
        choices=_if_a_hand(partial(choices, stored)),
        discrepancies=list(ledger.verify([hand])),
        refusals=ledger.refusals(hand),
        claims=_claims(stored, settlement),
        proof=deal_proof(hand, events),
        checkpoint=newest if newest >= stored[-1].position else None,
        elsewhere=_elsewhere(hand, events),
    )


def _if_a_hand(work: Any) -> Any:  # noqa: ANN401 - what is worked out, and nothing else
    """Do work on events that may make no hand; None where they make none."""
    try:
        return work()
    except BROKEN:
        return None


def _claims(stored: Sequence[PositionedEntry], settlement: Settlement | None) -> list[Claim]:
    return [
        Claim(
            entry.event.claimant,
            position,
            list(differences(entry.event.settlement, dict(settlement or {}))),
        )
        for position, entry in stored
        if isinstance(entry.event, SettlementClaimed)
    ]


def _elsewhere(hand: str, events: Sequence[Event]) -> list[WhatIf]:
    """Settle a hand under every other rulebook, in its newest version."""
    try:
        facts = of_events(hand, events)
    except (HandNotOverError, *BROKEN):
        return []
    newest = {rulebook.id: rulebook for rulebook in published()}
    found = []
    for rulebook in newest.values():
        if rulebook.id != facts.rulebook.id:
            try:
                found.append(what_if(facts, rulebook, {}))
            except (RefusalError, *BROKEN):
                continue  # the table sets what that rulebook does not let it
    return found
