"""喜钱: who gets it, and from whom. RULES.md §6.5."""

from collections.abc import Iterator

from domain.errors import BonusNotDueError
from domain.events import BonusGranted
from domain.money import BONUS, seat_account, transfer
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.state import HandState


def check_draws(state: HandState) -> None:
    """Refuse bonus amounts, drawn outside, that are due to nobody.

    Raises:
        BonusNotDueError: For no seat, for a seat without trips, or below zero.
    """
    for number, amount in state.draws.items():
        if amount < 0 or number not in state.seats or not _draw_due(state, number):
            raise BonusNotDueError(
                f"a bonus of {amount} was drawn for seat {number}", seat=number, amount=amount
            )


def bonuses(state: HandState) -> Iterator[BonusGranted]:
    """Yield the bonus of every seat that has one coming, winner, loser or folder alike."""
    due: dict[str, int] = dict(state.rules.bonus_antes)
    for number in sorted(state.seats):
        category = category_name(state.seats[number].cards, state.rules)
        if state.rules.bonus == "antes":
            amount = state.ante * due.get(category, 0)
        else:
            amount = state.draws.get(number, 0) if _draw_due(state, number) else 0
        if amount > 0:
            yield BonusGranted(
                seat=number,
                category=category,
                payer="house",
                transfers=transfer(BONUS, seat_account(number), amount, "bonus"),
            )


def _draw_due(state: HandState, number: int) -> bool:
    """Tell whether a drawn bonus is due to a seat at all."""
    trips = category_name(state.seats[number].cards, state.rules) == "trips"
    return state.rules.bonus == "drawn_for_trips" and trips
