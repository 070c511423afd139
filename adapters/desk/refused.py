"""What was asked for in a hand and refused, as its page tells it, and to whom."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from adapters.desk.wording import Say, chips
from adapters.http_api.callers import AUDITORS, Caller
from adapters.http_api.sights import Sight
from adapters.registers.api_keys import Role
from adapters.registers.refusals import StoredRefusal


class Refused(NamedTuple):
    """One refusal."""

    at: datetime  # by the clock of whoever decided
    after: int | None  # the step that it is put after, which proves nothing of their order
    actor: str
    asked: str
    code: str
    message: str
    rule: str


def visible(refusals: Iterable[StoredRefusal], caller: Caller, seen: Sight) -> list[StoredRefusal]:
    """Return the refusals that a caller may see: an auditor all, a player those of its own seat."""
    if caller.role in AUDITORS:
        return list(refusals)
    assert caller.role is Role.PLAYER, caller
    return [row for row in refusals if row.asked and row.asked.get("seat") == seen.seat]


def rows(placed: Mapping[int, Iterable[StoredRefusal]], say: Say) -> list[Refused]:
    """Return refusals as rows, in order.

    Args:
        placed: By the step after which they were.
        say: The texts of a language.
    """
    return [
        Refused(
            row.happened_at,
            step or None,
            row.actor,
            asked_said(row.kind, row.asked or {}, say),
            row.code,
            row.message,
            row.rule,
        )
        for step, refusals in sorted(placed.items())
        for row in refusals
    ]


def asked_said(kind: str, asked: Mapping[str, Any], say: Say) -> str:
    """Say what was asked for: an action as ``seat 3 raises to 7.00``, else what kind it was."""
    do, seat = asked.get("do"), asked.get("seat")
    if not isinstance(do, str):
        return say.one_of("hand.kind", kind)
    stake, amount = asked.get("stake"), asked.get("amount")
    given = stake if stake is not None else amount
    words = say.one_of("hand.verb", do).format(
        other=asked.get("target"), amount=chips(given) if type(given) is int else given
    )
    return (
        words if seat is None else say("hand.does", who=say("hand.seat_n", seat=seat), deed=words)
    )
