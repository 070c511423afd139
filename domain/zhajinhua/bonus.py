"""喜钱: who gets it, and from whom. RULES.md §6.5."""

from collections.abc import Collection, Iterator
from typing import Literal

from domain.cards import split
from domain.errors import BonusNotDueError
from domain.events import BonusGranted
from domain.making import decided
from domain.money import BONUS, Transfer, seat_account, transfer
from domain.zhajinhua.ranking import ACE, category_name, strength
from domain.zhajinhua.state import HandState, Seat

_bonus_granted = decided(BonusGranted)


def check_draws(state: HandState) -> None:
    """Refuse bonus amounts, drawn outside, that are due to nobody or out of range.

    Raises:
        BonusNotDueError: For no seat, for a seat that has none coming, below
            zero or above the most that can be drawn.
    """
    for number, amount in state.draws.items():
        if not _is_due(state, number, amount):
            raise BonusNotDueError(
                f"a bonus of {amount} was drawn for seat {number}", seat=number, amount=amount
            )


def bonuses(state: HandState, winners: Collection[int]) -> Iterator[BonusGranted]:
    """Yield the bonus of every seat that has one coming.

    Args:
        state: The ended hand, before anything is paid out of the pot.
        winners: The seats that win something of the pot.
    """
    if state.rules.bonus == "from_opponents":
        yield from _from_opponents(state, winners)
        return
    for number, amount in _from_house(state):
        if amount > 0:
            yield _granted(
                state, number, "house", transfer(BONUS, seat_account(number), amount, "bonus")
            )


def _granted(
    state: HandState, number: int, payer: Literal["house", "seats"], transfers: tuple[Transfer, ...]
) -> BonusGranted:
    category = category_name(state.seats[number].cards, state.rules)
    return _bonus_granted(seat=number, category=category, payer=payer, transfers=transfers)


def _from_house(state: HandState) -> Iterator[tuple[int, int]]:
    """Yield what the house grants seats, winner, loser or folder alike, minor units by seat."""
    if state.rules.bonus == "antes":
        antes: dict[str, int] = dict(state.rules.bonus_antes)
        for number, seat in sorted(state.seats.items()):
            yield number, state.ante * antes.get(category_name(seat.cards, state.rules), 0)
        return
    for number, amount in sorted(state.draws.items()):
        if _is_due(state, number, amount):
            yield number, amount


def _is_due(state: HandState, number: int, amount: int) -> bool:
    """Tell whether a drawn bonus may be granted."""
    rules = state.rules
    if number not in state.seats or amount < 0:
        return False
    if rules.bonus == "drawn_for_trips":
        return category_name(state.seats[number].cards, rules) == "trips"
    return rules.bonus == "drawn" and amount <= rules.draw_antes_max * state.ante


def _from_opponents(state: HandState, winners: Collection[int]) -> Iterator[BonusGranted]:
    """Yield what the other seats owe a winner with a rare hand, as far as their stacks reach.

    Receivers come in turn order from the seat after the dealer. What a seat wins
    or receives does not count among what it can pay.
    """
    left = {number: seat.stack for number, seat in state.seats.items()}
    for number in state.from_after_dealer():
        antes = _rare(state, state.seats[number]) if number in winners else 0
        moves: list[Transfer] = []
        for payer in state.from_after_dealer():
            amount = min(antes * state.ante, left[payer]) if payer != number else 0
            left[payer] -= amount
            moves += transfer(seat_account(payer), seat_account(number), amount, "bonus")
        if antes:
            yield _granted(state, number, "seats", tuple(moves))


def _rare(state: HandState, seat: Seat) -> int:
    """Return the antes due for three aces or a spade straight flush; else 0."""
    held = strength(seat.cards, state.rules)
    antes: dict[str, int] = dict(state.rules.bonus_antes)
    category = held.category.name.lower()
    if category == "trips" and held.ranks != (ACE,):
        return 0
    if category == "straight_flush" and not all(card.endswith("s") for card in split(seat.cards)):
        return 0
    return antes.get(category, 0)
