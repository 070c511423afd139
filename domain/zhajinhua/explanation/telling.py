"""What is told of one event: the remarks, and what every topic needs to make them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from domain.money import in_chips
from domain.zhajinhua.betting import factor
from domain.zhajinhua.phrases import Phrases, level_of
from domain.zhajinhua.state import HandState, Seat


class Remark(NamedTuple):
    """One step of the argument, before it has its place and its source."""

    matter: str  # what it rests on, a key of domain.zhajinhua.sources
    text: str
    sums: tuple[str, ...] = ()


class Telling:
    """One event being told: the hand before it and after it, and the words."""

    def __init__(
        self, say: Phrases, before: HandState, after: HandState, played: HandState
    ) -> None:
        """Take up an event.

        Args:
            say: The language, and whether cards may be shown.
            before: The hand that the event happened to.
            after: The hand that it made.
            played: ``before``, but without the bonuses granted since play was over.
        """
        self.say = say
        self.before = before
        self.after = after
        self.played = played

    def remark(self, matter: str, text: str, sums: Iterable[str] = (), **fields: object) -> Remark:
        """Return one sentence as a remark."""
        return Remark(matter, self.say(text, **fields), tuple(sums))

    def seat(self, number: int) -> str:
        """Name a seat."""
        return self.say.seat(self.before.seats[number])

    def seats(self, numbers: Iterable[int]) -> str:
        """Name several seats."""
        return self.say.seats(self.before.seats[number] for number in numbers)

    def how(self, number: int) -> str:
        """Tell whether a seat is blind or seen."""
        return self.say("seen" if self.before.seats[number].seen else "blind")

    def stake_formula(self, state: HandState, seat: Seat) -> str:
        """Return the price of a call as it is worked out: ``100.00 x 2``."""
        return f"{in_chips(state.stake)} x {factor(state, seat)}"

    def level_sum(self, seat: Seat) -> str:
        """Return a seat's level as it is worked out: ``level 15.00 / 1 + 20.00 / 2 = 25.00``."""
        by_factor: dict[int, int] = {}
        for bet in seat.bets:
            by_factor[bet.factor] = by_factor.get(bet.factor, 0) + bet.amount
        terms = [f"{in_chips(by_factor[times])} / {times}" for times in sorted(by_factor)]
        return self.say.sum("level", level_of(seat.level), " + ".join(terms))

    def emptied(self, number: int) -> Iterator[Remark]:
        """Yield that a bet left a seat with nothing, where that makes it all-in."""
        if self.after.seats[number].all_in and not self.before.seats[number].all_in:
            text = "emptied_out" if self.after.seats[number].out else "emptied"
            sums = [self.level_sum(self.after.seats[number])]
            yield self.remark("emptied", text, sums, who=self.seat(number))
