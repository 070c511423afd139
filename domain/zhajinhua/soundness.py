"""Which fields of a rulebook contradict each other: policies that cannot be combined.

Every published rulebook is sound; one that somebody makes up for a trial need not be.
"""

from collections.abc import Iterator

from domain.zhajinhua.ranking import Category
from domain.zhajinhua.rules import ZhajinhuaRulebook


def contradictions(rules: ZhajinhuaRulebook) -> Iterator[str]:
    """Yield what does not fit together, naming the fields."""
    if rules.seats_min > rules.seats_max:
        yield f"seats_min {rules.seats_min} is above seats_max {rules.seats_max}"
    yield from _endings(rules)
    yield from _all_ins(rules)
    yield from _duels(rules)
    yield from _last_stands(rules)
    yield from _rankings(rules)


def _endings(rules: ZhajinhuaRulebook) -> Iterator[str]:
    if rules.play == "showdown":
        if len(rules.multiples_pct) != len(Category) - 1:
            yield "play=showdown pays a prize: multiples_pct takes six numbers"
        if not rules.suits:
            yield "play=showdown has one winner: suits=true"
        if rules.invalid_ace_king_deuce:
            yield "play=showdown knows six categories: invalid_ace_king_deuce=false"
    elif rules.at_limit == "forced_duels" and rules.forced_duels_from == "never":
        yield "at_limit=forced_duels: forced_duels_from names who initiates the first"


def _all_ins(rules: ZhajinhuaRulebook) -> Iterator[str]:
    waits = rules.empty_is_all_in or rules.all_in in {"when_short", "any_turn"}
    if waits and rules.opens_early == "never":
        yield "a hand where everyone is all-in must end: opens_early names when"


def _duels(rules: ZhajinhuaRulebook) -> Iterator[str]:
    if rules.compare_from_round is not None and not rules.compare_calls:
        yield "a compare has its price: compare_calls is at least 1"
    if _has_duels(rules) and rules.equal_duel == "never":
        yield "two hands of a duel may be equal: equal_duel names what then"
    if rules.equal_duel == "push" and rules.pots == "side_pots":
        yield "who leaves an equal duel whole leaves no layer: equal_duel=push with one pot"
    if rules.equal_duel == "impossible" and not rules.suits:
        yield "equal_duel=impossible rests on suits=true"


def _has_duels(rules: ZhajinhuaRulebook) -> bool:
    """Tell whether two hands may meet alone."""
    return (
        rules.compare_from_round is not None
        or rules.at_limit == "forced_duels"
        or (rules.all_in == "any_turn" and rules.blind_all_in_duel)
    )


def _last_stands(rules: ZhajinhuaRulebook) -> Iterator[str]:
    if rules.short_compare == "last_stand":
        if rules.equal_duel == "push":
            yield "a last stand is won or lost: short_compare=last_stand with no equal_duel=push"
        if rules.pots != "whole":
            yield "a last stand refunds out of one pot: short_compare=last_stand with pots=whole"
    if rules.timeout == "protected" and (
        rules.short_compare != "last_stand" or rules.compare_from_round is None
    ):
        yield "a protected seat that is short takes its last stand: short_compare=last_stand"


def _rankings(rules: ZhajinhuaRulebook) -> Iterator[str]:
    if rules.deuce_three_five != "off" and _opens(rules):
        yield "a 2-3-5 that beats trips makes no order: no opening compares more than two hands"


def _opens(rules: ZhajinhuaRulebook) -> bool:
    """Tell whether a hand may be opened, all its cards at once."""
    return (
        rules.play == "showdown"
        or rules.at_limit == "open"
        or rules.all_in == "shove"
        or rules.opens_early != "never"
        or rules.opens_when_short
    )
