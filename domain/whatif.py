"""A hand settled under other rules, seat by seat beside what was paid.

What carries over are the facts (:mod:`domain.facts`), and of the table what it set
for itself, as far as the other rulebook knows it: a parameter that had the value
of the hand's own rulebook was left to the rulebook, and is again. Bonuses that
were drawn carry over where the other rulebook draws in the same way; elsewhere
nobody knows what would have been drawn, and none is granted.
"""

from typing import NamedTuple

from domain.facts import Facts, net_of
from domain.rulebook import Parameters
from domain.trial import Outcome, Terms, try_out
from domain.zhajinhua.changing import Changes, changed
from domain.zhajinhua.rules import ZhajinhuaRulebook


class SeatBeside(NamedTuple):
    """What one seat won or lost, and what it would have. Minor units; None: nothing settled."""

    seat: int
    player: str
    claimed: int | None  # by the hand's own system, where it says
    paid: int | None
    would: int | None

    @property
    def difference(self) -> int | None:
        """Return how much more the seat would have come to."""
        if self.paid is None or self.would is None:
            return None
        return self.would - self.paid


class WhatIf(NamedTuple):
    """A hand under its own terms and under others."""

    facts: Facts
    terms: Terms  # the others
    changes: Changes  # to the published rulebook, as asked for
    left_out: tuple[str, ...]  # what did not carry over: parameters, "bonus_draws"
    paid: Outcome
    would: Outcome

    @property
    def seats(self) -> list[SeatBeside]:
        """Return every seat, by number."""
        return [
            SeatBeside(
                taken.seat,
                taken.player,
                net_of(self.facts.claim, taken.seat),
                self.paid.net(taken.seat),
                self.would.net(taken.seat),
            )
            for taken in self.facts.seats
        ]


def what_if(facts: Facts, rulebook: ZhajinhuaRulebook, changes: Changes) -> WhatIf:
    """Settle the same facts under another rulebook, with some of its fields changed.

    Args:
        facts: The hand's.
        rulebook: A published one; the hand's own, to change that.
        changes: Fields of the rulebook and parameters of the table, by name.

    Raises:
        BadRecordError: A table may not set a parameter to that.
        BadChangeError: The rulebook has no such parameter, or its rules would
            contradict each other.
    """
    table, left_out = _carried(facts, rulebook)
    terms = Terms(*changed(rulebook, table, changes))
    same_draws = terms.rulebook.bonus == facts.rulebook.bonus
    if facts.draws and not same_draws:
        left_out = (*left_out, "bonus_draws")
    tried = facts if same_draws else facts._replace(draws={})
    return WhatIf(facts, terms, changes, left_out, as_paid(facts), try_out(tried, terms))


def as_paid(facts: Facts) -> Outcome:
    """Return what a hand came to: as this ledger recorded it, else under its own rulebook."""
    if facts.settled is not None:
        return Outcome(facts.settled)
    return try_out(facts, Terms(facts.rulebook, facts.table))


def _carried(facts: Facts, rulebook: ZhajinhuaRulebook) -> tuple[Parameters, tuple[str, ...]]:
    """Return what the table set for itself and the rulebook knows, and what it does not know."""
    known = {parameter.name for parameter in rulebook.parameters}
    own: Parameters = {
        name: value
        for name, value in facts.table.items()
        if value is not None and value != getattr(facts.rulebook, name, None)
    }
    carried: Parameters = {name: value for name, value in own.items() if name in known}
    return carried, tuple(name for name in own if name not in known)
