"""What a decided pair pays beside the pot: banker ratios, blind extras, 通赔, 通杀. RULES.md §5.5.

Each payment is cut at what the payer's stack still holds, in this order; a pair
of which one seat is all-in pays nothing at all.
"""

from collections.abc import Iterable, Sequence

from domain.money import Transfer, part, seat_account, transfer
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.state import HandState, Seat


class Purse:
    """What the seats hold while payments are cut one after another, minor units."""

    def __init__(self, state: HandState, paid: Iterable[Transfer] = ()) -> None:
        """Start from the stacks, less what was just paid for the duel."""
        self.stacks = {number: seat.stack for number, seat in state.seats.items()}
        self.moves: list[Transfer] = []
        for move in paid:
            self.stacks[int(move.source.removeprefix("seat:"))] -= move.amount

    def pay(self, source: int, target: int, amount: int, reason: str) -> None:
        """Pay as much of an amount as the stack still holds."""
        amount = min(amount, self.stacks[source])
        self.stacks[source] -= amount
        self.stacks[target] += amount
        self.moves += transfer(seat_account(source), seat_account(target), amount, reason)


def duel_payments(
    state: HandState, winner: int, loser: int, paid: Sequence[Transfer]
) -> tuple[Transfer, ...]:
    """Return the side payments of a duel that was decided, its price already paid.

    Args:
        state: The hand before the duel.
        winner: The seat that won it.
        loser: The seat that is out by it.
        paid: What the challenger paid for it.
    """
    if not state.rules.blind_extras and not state.rules.banker_ratios:
        return ()
    purse = Purse(state, paid)
    spent = {move.source: move.amount for move in paid}
    emptied = [n for n in (winner, loser) if seat_account(n) in spent and not purse.stacks[n]]
    if emptied or state.seats[winner].all_in or state.seats[loser].all_in:
        return ()
    put = state.seats[loser].contributed + spent.get(seat_account(loser), 0)
    bets = state.seats[winner].contributed + spent.get(seat_account(winner), 0) - state.ante
    _pair(state, purse, winner, loser, put, bets, _still_in(state, {loser}))
    return tuple(purse.moves)


def opening_payments(state: HandState, winner: int) -> tuple[Transfer, ...]:
    """Return the side payments of an opening that one seat won, against each other in turn."""
    if not state.rules.blind_extras and not state.rules.banker_ratios:
        return ()
    purse = Purse(state)
    beaten: set[int] = set()
    for loser in state.remaining:
        if loser == winner:
            continue
        beaten.add(loser)
        if state.seats[winner].all_in or state.seats[loser].all_in:
            continue
        put, bets = state.seats[loser].contributed, state.seats[winner].contributed - state.ante
        _pair(state, purse, winner, loser, put, bets, _still_in(state, beaten))
    return tuple(purse.moves)


def sweep_payments(state: HandState, winner: int) -> tuple[Transfer, ...]:
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
    purse = Purse(state)
    for seat in others:
        if not seat.all_in:
            purse.pay(seat.number, winner, 2 * state.ante, "sweep")
    return tuple(purse.moves)


def _still_in(state: HandState, beaten: set[int]) -> list[Seat]:
    """Return the seats that are not out at this moment, in turn order from the opener."""
    return [state.seats[n] for n in state.remaining if n not in beaten]


def _pair(
    state: HandState,
    purse: Purse,
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
        purse.pay(loser, winner, (ratios.get(category, 1) - 1) * put, "ratio")
    if not seats[winner].seen:
        purse.pay(loser, winner, part(put, 1, 2), "blind_winner")
    elif not seats[loser].seen:
        purse.pay(loser, winner, put, "blind_loser")
    if rules.sweep and loser == state.dealer and category == "trips":
        purse.pay(loser, winner, 2 * bets, "banker_pays")
        for seat in still_in:
            if seat.number != winner and not seat.all_in:
                purse.pay(loser, seat.number, state.ante, "banker_pays")
