"""A record played: from its opening to its settlement, or to where the rules refuse it."""

from collections.abc import Iterator
from typing import NamedTuple

from domain.errors import BadRecordError, HandNotOverError, RefusalError
from domain.events import HandSettled, Settlement
from domain.hand import Hand, hand_stream
from domain.record import HandRecord, RecordedAction
from domain.rulebook import Parameters, check_table
from domain.stream import Cause
from domain.zhajinhua.bonus import check_draws
from domain.zhajinhua.play import Action
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook


class Reject(NamedTuple):
    """Why a record was refused, and at which action: -1 before the first."""

    hand: str | None
    at: int
    code: str
    message: str
    rule: str

    @classmethod
    def of(cls, refusal: RefusalError, *, hand: str | None, at: int) -> "Reject":
        """Return the reject that a refusal amounts to."""
        return cls(hand, at, refusal.code, refusal.message, refusal.rule)


def play(record: HandRecord, cause: Cause) -> Hand | Reject:
    """Play a record from its opening to its settlement.

    Args:
        record: A record that was read.
        cause: The command, actor and time of whatever the record itself does not
            date or key.

    Returns:
        The settled hand, its events pending, or why it was refused.
    """
    at = -1

    def steps() -> Iterator[tuple[Action, Cause]]:
        nonlocal at
        for recorded in record.actions:
            at += 1
            yield recorded.action, _cause_of(recorded, cause)
        at += 1

    try:
        hand = begin(record, cause)
        hand.act_all(steps())
        if not hand.state.settled:
            raise HandNotOverError(f"the hand waits for seat {hand.state.turn}", hand=record.hand)
        check_draws(hand.state)
    except RefusalError as refusal:
        return Reject.of(refusal, hand=record.hand, at=at)
    return hand


def settlement_of(hand: Hand) -> Settlement:
    """Return the settlement of a hand just played, its events still pending."""
    events = (entry.event for entry in hand.collect_events())
    return next(event.settlement for event in events if isinstance(event, HandSettled))


def begin(record: HandRecord, cause: Cause, commitment: str | None = None) -> Hand:
    """Open the hand of a record: the rulebook first, then what the rulebook decides.

    Args:
        record: A record that was read.
        cause: Why.
        commitment: To the deck; no record has one, for it is made before the hand is played.

    Raises:
        RefusalError: The first that applies, in the order of RULES.md §7.
    """
    rulebook, table = played_under(record)
    hand = Hand(hand_stream(record.hand))
    hand.open(
        rulebook,
        table=table,
        dealer=record.dealer,
        opener=record.opener if "opener" in record.model_fields_set else None,
        seats=record.taken,
        deal=record.cards,
        draws=record.draws,
        cause=cause,
        commitment=commitment,
    )
    return hand


def played_under(record: HandRecord) -> tuple[ZhajinhuaRulebook, Parameters]:
    """Return the rulebook of a record, and every parameter in force at its table.

    Raises:
        UnknownRulebookError: There is no such rulebook.
        BadRecordError: The record has what the rulebook does not take.
    """
    rulebook = find(record.rulebook)
    table = check_table(rulebook, record.table.model_dump(exclude_unset=True))
    given = record.model_fields_set
    if rulebook.opener == "recorded" and "opener" not in given:
        raise BadRecordError(f"{rulebook.id} records its opener", field="opener")
    if rulebook.opener != "recorded" and "opener" in given:
        raise BadRecordError(f"{rulebook.id} does not record an opener", field="opener")
    protected = any("protect" in seat.model_fields_set for seat in record.seats)
    if protected and rulebook.timeout != "protected":
        raise BadRecordError(f"{rulebook.id} knows no protection", field="seats.protect")
    if not rulebook.bonus.startswith("drawn") and "bonus_draws" in given:
        raise BadRecordError(f"{rulebook.id} draws no bonus", field="bonus_draws")
    return rulebook, table


def _cause_of(recorded: RecordedAction, cause: Cause) -> Cause:
    """Return the cause of one action: its own key and time where it has them."""
    command_id, at = recorded.command_id, recorded.time
    if command_id is None and at is None:
        return cause
    return Cause(command_id or cause.command_id, cause.actor, at or cause.at)
