"""Who takes which part of the pot, and what goes back. RULES.md §6.2, §6.3, §6.7."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from domain.money import part, share
from domain.zhajinhua.ranking import strength
from domain.zhajinhua.state import HandState


class Division(NamedTuple):
    """How a pot is divided, minor units by seat. What is not won goes back."""

    won: dict[int, int]
    refunds: dict[int, int]


class Layer(NamedTuple):
    """One pot of several: who paid how much of it, and who contests it."""

    paid: dict[int, int]
    contestants: tuple[int, ...]
    level: Fraction | None  # up to which; None: everything above the layer below

    @property
    def amount(self) -> int:
        """Return the money in it, minor units."""
        return sum(self.paid.values())


class Award(NamedTuple):
    """One layer and where it goes: in parts to its winners, or back to its only payer."""

    layer: Layer
    winners: tuple[int, ...]  # nobody where it goes back
    passed_over: int | None  # the contestant excluded for an earlier all-in, RULES.md §6.7
    parts: dict[int, int]  # minor units by winner, in the order of the odd units


class Excess(NamedTuple):
    """What an all-in seat put in beyond everyone else's level."""

    seat: int
    level: Fraction
    second: Fraction  # the second-highest level of all seats
    contributed: int  # minor units
    kept: int  # of it, up to the second level

    @property
    def amount(self) -> int:
        """Return what goes back, minor units."""
        return self.contributed - self.kept


def divide(state: HandState) -> Division:
    """Divide the pot of an ended hand.

    Args:
        state: A hand that was opened, or that has one seat left.

    Returns:
        What each seat wins and what it gets back; together, all that is left in
        the pot.
    """
    if has_layers(state):
        return _sum_of(awards(state))
    refunds = last_stand_refunds(state)
    back = excess(state)
    if back:
        refunds[back.seat] = back.amount
    left = sum([seat.contributed - seat.refund for seat in state.seats.values()])
    left -= sum(refunds.values())
    return Division(_shared(state, left, best(state, state.remaining)), refunds)


def has_layers(state: HandState) -> bool:
    """Tell whether the pot of an ended hand is divided layer by layer: somebody in it is all-in."""
    if state.rules.pots != "side_pots" or not state.is_contested:
        return False
    return any(state.seats[number].all_in for number in state.remaining)


def best(state: HandState, seats: Iterable[int]) -> tuple[int, ...]:
    """Return the seats that hold the best cards among these; several where they tie."""
    held = {number: strength(state.seats[number].cards, state.rules) for number in seats}
    top = max(held.values())
    return tuple(number for number, value in held.items() if value == top)


def last_stand_refunds(state: HandState) -> dict[int, int]:
    """Return what each opponent beaten in a won last stand gets back, minor units.

    ``bets in this round x (due - paid) / due``, truncated. RULES.md §6.3.
    """
    if state.stand is None:
        return {}
    _, due, paid, beaten = state.stand
    return {
        number: part(state.seats[number].put_in_round(state.acted_round), due - paid, due)
        for number in beaten
    }


def excess(state: HandState) -> Excess | None:
    """Return what an all-in seat put in beyond everyone else's level, if anything. RULES.md §6.3.

    However the hand ends and whoever wins; levels of all seats count, out or not.
    A seat that left whole has everything back already.
    """
    if state.rules.pots != "excess_back":
        return None
    by_level = sorted(state.seats.values(), key=lambda seat: seat.level)
    second, highest = by_level[-2:]
    if not highest.all_in or highest.refund:
        return None
    kept = highest.put_in_up_to(second.level)
    back = Excess(highest.number, highest.level, second.level, highest.contributed, kept)
    return back if back.amount else None


def layers(state: HandState) -> Sequence[Layer]:
    """Return the pots between the levels of the all-in seats still in, lowest first.

    The layer above the highest level belongs to the seats that are not all-in;
    where there is none, it falls to the layer below. RULES.md §6.7.
    """
    remaining = [state.seats[number] for number in state.remaining]
    levels = sorted({seat.level for seat in remaining if seat.all_in})
    found: list[Layer] = []
    below = dict.fromkeys(state.seats, 0)
    for level in levels:
        up_to = {number: seat.put_in_up_to(level) for number, seat in state.seats.items()}
        reach = tuple(s.number for s in remaining if not s.all_in or s.level >= level)
        found.append(Layer(_difference(up_to, below), reach, level))
        below = up_to
    everything = {number: seat.contributed for number, seat in state.seats.items()}
    above = _difference(everything, below)
    bettors = tuple(seat.number for seat in remaining if not seat.all_in)
    if bettors:
        found.append(Layer(above, bettors, None))
    elif above:
        top = found[-1]
        paid = {n: top.paid.get(n, 0) + above.get(n, 0) for n in (*top.paid, *above)}
        found[-1] = Layer(paid, top.contestants, None)
    return [layer for layer in found if layer.paid]


def _difference(upper: dict[int, int], lower: dict[int, int]) -> dict[int, int]:
    """Return who paid how much between two levels."""
    return {n: amount - lower[n] for n, amount in upper.items() if amount > lower[n]}


def awards(state: HandState) -> list[Award]:
    """Return each layer with where it goes, lowest first.

    A layer whose only payer is its only contestant goes back to it. Where the
    rulebook says so, the earliest all-in among the seats tied for a layer is
    excluded, once a hand, from it and from every later layer that somebody else
    contests. RULES.md §6.7.
    """
    found: list[Award] = []
    excluded: int | None = None
    for layer in layers(state):
        if len(layer.contestants) == 1 and tuple(layer.paid) == layer.contestants:
            found.append(Award(layer, (), None, {}))
            continue
        rivals = tuple(n for n in layer.contestants if n != excluded) or layer.contestants
        winners = best(state, rivals)
        if state.rules.earliest_all_in_loses_tie and excluded is None and len(winners) > 1:
            excluded = next((n for n in state.all_ins if n in winners), None)
            winners = tuple(n for n in winners if n != excluded)
        contests = excluded in layer.contestants and layer.contestants != (excluded,)
        parts = _shared(state, layer.amount, winners)
        found.append(Award(layer, winners, excluded if contests else None, parts))
    return found


def _sum_of(found: Iterable[Award]) -> Division:
    """Add up what the layers come to for each seat."""
    won: dict[int, int] = {}
    refunds: dict[int, int] = {}
    for award in found:
        for number, amount in award.parts.items():
            won[number] = won.get(number, 0) + amount
        if not award.winners:
            (payer,) = award.layer.contestants
            refunds[payer] = refunds.get(payer, 0) + award.layer.amount
    return Division(won, refunds)


def _shared(state: HandState, amount: int, winners: Collection[int]) -> dict[int, int]:
    """Share an amount; odd units go out in turn order from the seat after the dealer."""
    sharers = [number for number in state.from_after_dealer() if number in winners]
    return share(amount, sharers)
