"""Whether a hand is what the rules give, as its page says it."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from adapters.desk.wording import Say, chips
from adapters.ledger import PositionedEntry
from adapters.show import deal_proof, verdict_of
from domain.claims import NO_AMOUNTS
from domain.discrepancies import Discrepancy
from domain.events import HandOpened
from domain.zhajinhua.disclosing import Proof

Kind = Literal["agrees", "parts", "claim_parts", "runs", "runs_own", "is_void"]

_OF_A_CLAIM: Final = "claim."
_NO_AMOUNTS: Final = NO_AMOUNTS | {
    *("seat", "seats", "winner", "round", "version", "dealer", "opener"),
    *("challenger", "challenged", "named", "out", "turn", "events", "link"),
}
"""Figures that are integers and no amounts, by the last names of their paths."""


class Parted(NamedTuple):
    """One thing recorded that the rules do not give."""

    step: int | None
    what: str
    recorded: str
    derived: str
    rule: str
    is_withheld: bool


class Verdict(NamedTuple):
    """What was found, and what is said of it."""

    kind: Kind
    title: str
    about: str
    found: tuple[Parted, ...]
    proof: Proof


def verdict(
    hand: str,
    stored: Sequence[PositionedEntry],
    found: Sequence[Discrepancy],
    say: Say,
    *,
    is_own: bool,
) -> Verdict:
    """Return the verdict on a hand.

    Args:
        hand: Its id.
        stored: Its events as their reader may see them.
        found: What its verification found.
        say: The texts of a language.
        is_own: Whether the reader has a seat's own eyes.
    """
    events = [entry.event for _, entry in stored]
    state, _ = verdict_of(events)
    kind = _kind(state, found, is_own=is_own)
    steps = {position: entry.originator_version for position, entry in stored}
    opening = events[0]
    rulebook = f"{opening.rulebook}.v{opening.version}" if isinstance(opening, HandOpened) else "?"
    text = "hand.parts_one" if kind == "parts" and len(found) == 1 else f"hand.{kind}"
    fields = {"events": len(events), "rulebook": rulebook, "count": len(found)}
    return Verdict(
        kind,
        say(text, **fields),
        say(f"hand.{kind}_about", **fields),
        tuple(_parted(one, steps, is_withheld=state == "running") for one in found),
        deal_proof(hand, events),
    )


def _kind(state: str, found: Sequence[Discrepancy], *, is_own: bool) -> Kind:
    if any(not one.what.startswith(_OF_A_CLAIM) for one in found):
        return "parts"
    if found:
        return "claim_parts"
    if state == "running":
        return "runs_own" if is_own else "runs"
    return "is_void" if state == "void" else "agrees"


def _parted(one: Discrepancy, steps: Mapping[int, int], *, is_withheld: bool) -> Parted:
    """Return a discrepancy as texts; of a running hand what parts may be a card."""
    step = steps.get(one.position) if one.position is not None else None
    if is_withheld:
        return Parted(step, one.what, "", "", one.rule, is_withheld=True)
    recorded, derived = (_said(one.what, value) for value in (one.recorded, one.derived))
    return Parted(step, one.what, recorded, derived, one.rule, is_withheld=False)


def _said(what: str, value: object) -> str:
    """Print a figure: an amount as chips, anything else as it is."""
    names = [name for name in what.split(".") if not name.isdigit()]
    if type(value) is int and names and names[-1] not in _NO_AMOUNTS:
        return chips(value)
    return "–" if value is None else str(value)
