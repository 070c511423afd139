"""What a decided pair pays beside the pot: banker ratios, blind extras, 通赔, 通杀. RULES.md §5.6.

Each payment is cut at what the payer's stack still holds, in this order; a pair
of which one seat is all-in pays nothing at all.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.money import Transfer, part, seat_account, transfer
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import HandState, Seat


class Payment(NamedTuple):
    """One payment from seat to seat: ``base x numerator / denominator``, as far as it reaches."""

    source: int
    target: int
    reason: str  # ratio, blind_winner, blind_loser, banker_pays, sweep
    base: int  # minor units: what the loser put in, the winner's bets, or an ante
    numerator: int
    denominator: int
    held: int  # what the payer's stack held just then, minor units

    @property
    def due(self) -> int:
        """Return what is owed, minor units."""
        return part(self.base, self.numerator, self.denominator)

    @property
    def amount(self) -> int:
        """Return what is paid of it, minor units."""
        return min(self.due, self.held)


class Pair(NamedTuple):
    """Two seats of which one beat the other, and what is paid for it."""

    winner: int
    loser: int
    all_in: tuple[int, ...] = ()  # those of the two that are all-in: then nothing is paid
    payments: tuple[Payment, ...] = ()


def transfers_of(payments: Iterable[Payment]) -> tuple[Transfer, ...]:
    """Return the transfers that the payments come to."""
    return tuple(
        move
        for paid in payments
        for move in transfer(
            seat_account(paid.source), seat_account(paid.target), paid.amount, paid.reason
        )
    )


def has_side_payments(rules: ZhajinhuaRulebook) -> bool:
    """Tell whether anything is ever paid from seat to seat for a decided pair."""
    return rules.blind_extras or bool(rules.banker_ratios)


def duel_pair(state: HandState, winner: int, loser: int, paid: Sequence[Transfer]) -> Pair:
    """Return the side payments of a duel that was decided, its price already paid.

    Args:
        state: The hand before the duel.
        winner: The seat that won it.
        loser: The seat that is out by it.
        paid: What the challenger paid for it.
    """
    if not has_side_payments(state.rules):
        return Pair(winner, loser)
    purse = _Purse(state, paid)
    spent = {move.source: move.amount for move in paid}
    all_in = tuple(
        number
        for number in (winner, loser)
        if state.seats[number].all_in
        or (seat_account(number) in spent and not purse.stacks[number])
    )
    if all_in:
        return Pair(winner, loser, all_in)
    put = state.seats[loser].contributed + spent.get(seat_account(loser), 0)
    bets = state.seats[winner].contributed + spent.get(seat_account(winner), 0) - state.ante
    _pay(state, purse, winner, loser, put, bets, _still_in(state, {loser}))
    return Pair(winner, loser, (), tuple(purse.payments))


def opening_pairs(state: HandState, winner: int) -> tuple[Pair, ...]:
    """Return what an opening that one seat won pays, seat after seat that it beat."""
    if not has_side_payments(state.rules):
        return ()
    purse = _Purse(state)
    beaten: set[int] = set()
    pairs: list[Pair] = []
    for loser in state.remaining:
        if loser == winner:
            continue
        beaten.add(loser)
        all_in = tuple(number for number in (winner, loser) if state.seats[number].all_in)
        purse.payments = []
        if not all_in:
            put, bets = state.seats[loser].contributed, state.seats[winner].contributed - state.ante
            _pay(state, purse, winner, loser, put, bets, _still_in(state, beaten))
        pairs.append(Pair(winner, loser, all_in, tuple(purse.payments)))
    return tuple(pairs)


def sweep_payments(state: HandState, winner: int) -> tuple[Payment, ...]:
    """Return what a banker with trips takes who beat every other seat itself. RULES.md §5.6 (通杀).

    Args:
        state: The ended hand, opened or down to one seat.
        winner: The one seat that takes the pot.
    """
    banker = state.seats[winner]
    if not state.rules.sweep or winner != state.dealer or banker.all_in:
        return ()
    others = [state.seats[n] for n in state.places if n != winner]
    if category_name(banker.cards, state.rules) != "trips":
        return ()
    if not all(seat.beaten_by == winner or (state.opened and not seat.out) for seat in others):
        return ()
    purse = _Purse(state)
    for seat in others:
        if not seat.all_in:
            purse.pay(seat.number, winner, "sweep", state.ante, 2)
    return tuple(purse.payments)


class _Purse:
    """What the seats hold while payments are cut one after another, minor units."""

    def __init__(self, state: HandState, paid: Iterable[Transfer] = ()) -> None:
        """Start from the stacks, less what was just paid for the duel."""
        self.stacks = {number: seat.stack for number, seat in state.seats.items()}
        self.payments: list[Payment] = []
        for move in paid:
            self.stacks[int(move.source.removeprefix("seat:"))] -= move.amount

    def pay(
        self,
        source: int,
        target: int,
        reason: str,
        base: int,
        numerator: int,
        denominator: int = 1,
    ) -> None:
        """Pay as much of an amount as the stack still holds; nothing where nothing is owed."""
        held = self.stacks[source]
        payment = Payment(source, target, reason, base, numerator, denominator, held)
        if payment.due:
            self.stacks[source] -= payment.amount
            self.stacks[target] += payment.amount
            self.payments.append(payment)


def _still_in(state: HandState, beaten: set[int]) -> list[Seat]:
    """Return the seats that are not out at this moment, in turn order from the opener."""
    return [state.seats[n] for n in state.remaining if n not in beaten]


def _pay(
    state: HandState,
    purse: _Purse,
    winner: int,
    loser: int,
    put: int,
    bets: int,
    still_in: Sequence[Seat],
) -> None:
    """Pay for one decided pair: ``put`` is all the loser's, ``bets`` the winner's but the ante."""
    rules, seats = state.rules, state.seats
    category = category_name(seats[winner].cards, rules)
    if state.dealer in (winner, loser):
        ratios: dict[str, int] = dict(
            rules.banker_ratios if winner == state.dealer else rules.player_ratios
        )
        purse.pay(loser, winner, "ratio", put, ratios.get(category, 1) - 1)
    if not seats[winner].seen:
        purse.pay(loser, winner, "blind_winner", put, 1, 2)
    elif not seats[loser].seen:
        purse.pay(loser, winner, "blind_loser", put, 1)
    if rules.sweep and loser == state.dealer and category == "trips":
        purse.pay(loser, winner, "banker_pays", bets, 2)
        for seat in still_in:
            if seat.number != winner and not seat.all_in:
                purse.pay(loser, seat.number, "banker_pays", state.ante, 1)
