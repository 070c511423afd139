"""Two tellings of one hand: the first fact in which they part, and what that is worth.

The opening's facts come first, in the order in which a hand opens; then the
actions, one by one; then, where both tellings give them, the figures. Tellings
that share all of these are equal, however each was kept: the order of seats and
of a seat's cards, the times and the ids of commands are no part of the hand.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from domain.claims import differences
from domain.facts import Facts, net_of
from domain.rulebook import Parameters
from domain.trial import Outcome, Terms, try_out
from domain.zhajinhua.play import Action

Said = object
"""What a telling says of a fact; None where it says nothing."""


class Fork(NamedTuple):
    """Where two tellings part."""

    at: int  # index of the action; -1 the opening, the number of actions the figures
    what: str  # "table.ante", "seats.3.carry", "action", "settlement.seats.3.net"
    says: tuple[Said, Said]

    @property
    def in_figures(self) -> bool:
        """Tell whether the tellings share all facts, and part in what they say these came to."""
        return self.what.startswith("settlement.")


class SeatApart(NamedTuple):
    """What one seat comes to under each telling. Minor units; None: nothing settled."""

    seat: int
    player: str
    figures: tuple[int | None, int | None]  # as each telling's own system has it
    nets: tuple[int | None, int | None]  # as the rules give it on each telling's facts
    difference: int | None  # how much more the second telling gives it


class Parting(NamedTuple):
    """Two tellings of one hand."""

    tellings: tuple[Facts, Facts]
    fork: Fork | None  # None: they are equal
    outcomes: tuple[Outcome, Outcome]

    @property
    def seats(self) -> list[SeatApart]:
        """Return every seat of either telling, by number."""
        names: dict[int, str] = {}
        for facts in reversed(self.tellings):
            names |= {taken.seat: taken.player for taken in facts.seats}
        first, second = self.outcomes
        ours, theirs = map(_own_figures, self.tellings)
        apart = []
        for seat, player in sorted(names.items()):
            figures = (net_of(ours, seat), net_of(theirs, seat))
            nets = (first.net(seat), second.net(seat))
            given = figures if self.fork and self.fork.in_figures else nets
            apart.append(SeatApart(seat, player, figures, nets, _difference(*given)))
        return apart


def set_apart(first: Facts, second: Facts) -> Parting:
    """Return where two tellings part, and what each comes to under its own rules."""
    fork = next(_forks(first, second), None)
    outcomes = (
        try_out(first, Terms(first.rulebook, first.table)),
        try_out(second, Terms(second.rulebook, second.table)),
    )
    return Parting((first, second), fork, outcomes)


def _forks(first: Facts, second: Facts) -> Iterator[Fork]:
    """Yield every fact in which two tellings part, the earliest first."""
    for what, left, right in _opening(first, second):
        if left != right:
            yield Fork(-1, what, (left, right))
    for at, (one, other) in enumerate(zip_longest(first.actions, second.actions)):
        if one != other:
            yield Fork(at, "action", (written(one), written(other)))
    yield from _figures(first, second)


def written(action: Action | None) -> dict[str, object] | None:
    """Return an action as a hand record has it."""
    if action is None:
        return None
    names = {"target": "with"}
    given = action._asdict().items()
    return {names.get(name, name): value for name, value in given if value is not None}


def _opening(first: Facts, second: Facts) -> Iterator[tuple[str, Said, Said]]:
    """Yield what each telling says of the opening, fact by fact."""
    yield "rulebook", _pinned(first), _pinned(second)
    yield from _by_name("table", first.table, second.table)
    yield "dealer", first.dealer, second.dealer
    yield "opener", first.opener, second.opener
    mine, theirs = ({taken.seat: taken for taken in facts.seats} for facts in (first, second))
    for seat in sorted({*mine, *theirs}):
        left, right = mine.get(seat), theirs.get(seat)
        for fact in ("player", "carry", "protect"):
            yield f"seats.{seat}.{fact}", getattr(left, fact, None), getattr(right, fact, None)
    for seat in sorted({*first.deal, *second.deal}):
        yield f"deal.{seat}", first.deal.get(seat), second.deal.get(seat)
    for seat in sorted({*first.draws, *second.draws}):
        yield f"bonus_draws.{seat}", first.draws.get(seat), second.draws.get(seat)


def _pinned(facts: Facts) -> str:
    return f"{facts.rulebook.id}.v{facts.rulebook.version}"


def _by_name(of: str, first: Parameters, second: Parameters) -> Iterator[tuple[str, Said, Said]]:
    for name in dict.fromkeys((*first, *second)):
        yield f"{of}.{name}", first.get(name), second.get(name)


def _difference(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else second - first


def _own_figures(facts: Facts) -> Mapping[str, object]:
    """Return what a telling itself says that the hand came to, as far as it does."""
    return facts.settled or facts.claim or {}


def _figures(first: Facts, second: Facts) -> Iterator[Fork]:
    """Yield the figures that the two tellings both give and do not share."""
    left, right = _own_figures(first), _own_figures(second)
    for path, ours, theirs in differences(left, right):
        if theirs is not None:
            yield Fork(len(first.actions), f"settlement.{path}", (ours, theirs))
