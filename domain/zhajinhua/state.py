"""The hand between two events: what each seat has, what it put in, and whose turn it is.

Nothing here decides or changes anything; :mod:`domain.zhajinhua.evolving` does
the changing, from events alone.

A seat and a hand are frozen: setting a field fails. Changed ones are copies:
``_replace`` for a single change, and where a hand goes on event after event, a
:class:`HandDraft`, which is changed in its place as often as need be, and may be
frozen itself. That is what makes a replay fast (scripts/bench.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, NamedTuple, NoReturn

from domain.events import HandOpened
from domain.rulebook import Parameters
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook


class Bet(NamedTuple):
    """One payment into the pot."""

    amount: int  # minor units
    factor: int
    round: int  # 0: the ante


def _refuse(self: object, *_: object) -> NoReturn:
    """Stand in the way of whoever sets a field of what is frozen."""
    raise TypeError(f"a {type(self).__name__} is frozen")


@dataclass
class Seat:
    """One seat of a hand. Amounts in minor units."""

    __setattr__ = __delattr__ = _refuse

    number: int
    player: str
    carry: int
    protect: bool
    stack: int  # what it has left
    cards: str = ""
    seen: bool = False
    out: bool = False
    all_in: bool = False
    bets: tuple[Bet, ...] = ()
    blind_bets: int = 0  # calls, raises and duels paid for while blind
    compared: tuple[int, int] = (0, 0)  # the round of its last duel, and how many in it
    beaten_by: int | None = None  # the seat that won the duel which put it out
    top_ups: tuple[int, ...] = ()
    refund: int = 0  # came back out of the pot
    side: int = 0  # net side payments
    bonus: int = 0

    def draft(self) -> "SeatDraft":
        """Return a copy that can be changed."""
        copy = object.__new__(SeatDraft)
        copy.__dict__ = {**self.__dict__}  # not `.copy()`, see HandState.draft
        return copy

    def freeze(self) -> "Seat":
        """Return the seat itself: it is frozen."""
        return self

    def _replace(self, **changes: Any) -> "Seat":  # noqa: ANN401 - any field's
        return replace(self.draft(), **changes).freeze()

    @property
    def contributed(self) -> int:
        """Return everything that the seat put in, the ante included."""
        return sum([bet.amount for bet in self.bets])

    @property
    def level(self) -> Fraction:
        """Return what the seat put in, each bet divided by its factor. RULES.md §4.1."""
        parts = self._parts()
        return Fraction(sum(amount * (parts // factor) for amount, factor, _ in self.bets), parts)

    @property
    def can_bet(self) -> bool:
        """Tell whether the seat still takes turns."""
        return not self.out and not self.all_in

    def put_in_round(self, number: int) -> int:
        """Return what the seat put in during one round."""
        return sum(bet.amount for bet in self.bets if bet.round == number)

    def put_in_up_to(self, level: Fraction) -> int:
        """Return what the seat put in until its level reached this one, the last bet in part.

        Source: RULES.md §6.7: bets count in order; the part of the last is truncated.
        """
        parts = lcm(self._parts(), level.denominator)  # of a unit; levels are whole in them
        limit = level.numerator * (parts // level.denominator)
        money = reached = 0
        for amount, factor, _ in self.bets:
            step = amount * (parts // factor)
            if reached + step > limit:
                return money + (limit - reached) * factor // parts
            money, reached = money + amount, reached + step
        return money

    def _parts(self) -> int:
        """Return in how many parts a unit is to be cut for every bet's level to be whole."""
        return lcm(*{bet.factor for bet in self.bets})


class SeatDraft(Seat):
    """A seat while it changes."""

    __setattr__ = object.__setattr__  # type: ignore[assignment] # it is not refused here
    __delattr__ = object.__delattr__  # type: ignore[assignment]

    def freeze(self) -> Seat:
        """Return the seat; nothing changes it any more."""
        self.__class__ = Seat  # type: ignore[assignment] # no copy: this is the seat from now on
        return self


class Stand(NamedTuple):
    """A last stand that has lost no duel yet. RULES.md §5.3."""

    seat: int
    due: int  # the full price, minor units
    paid: int  # what the seat could put in
    beaten: tuple[int, ...]


class Chain(NamedTuple):
    """What the seat that acted last may still add to its turn. RULES.md §3.5."""

    seat: int
    verb: str  # "raise" after a call or raise, "compare" after a duel
    links: int  # added so far
    round: int  # of the action it follows


class Shove(NamedTuple):
    """An all-in that the other seats answer. RULES.md §4.3, §4.4."""

    seat: int  # all-in
    amount: int  # what it put in, minor units
    pending: tuple[int, ...]  # the seats still to answer, in order
    looked: tuple[int, ...] = ()  # those of them that looked since


@dataclass
class HandState:
    """A hand between two events. Seats by number; ``places`` is the turn order from the opener."""

    __setattr__ = __delattr__ = _refuse

    rules: ZhajinhuaRulebook  # as in force at this table
    ante: int
    max_stake: int | None
    dealer: int
    places: tuple[int, ...]
    seats: Mapping[int, Seat]
    draws: Mapping[int, int]
    digest: str  # of the rulebook, as the opening pins it
    commitment: str | None  # to the deck, if one was made
    stake: int  # the price at factor 1
    round: int = 1
    acted_round: int = 1  # the round of the last turn action; in it, the hand may end
    turn: int | None = None  # nobody's before the deal and after the end
    stand: Stand | None = None
    chain: Chain | None = None
    shove: Shove | None = None
    all_ins: tuple[int, ...] = ()  # seats in the order of their all-in actions
    acted: frozenset[int] = frozenset()  # seats that acted since some seat last became all-in
    opened: bool = False
    settled: bool = False
    voided: bool = False
    disclosed: bool = False  # the deck

    def draft(self) -> "HandDraft":
        """Return a copy that can be changed, and so can its seats."""
        copy = object.__new__(HandDraft)
        # `.copy()` might share its keys with others, and whatever reads a field of it then would
        # take several times as long: CPython looks for it anew each time.
        copy.__dict__ = {**self.__dict__}
        copy.seats = {number: seat.draft() for number, seat in self.seats.items()}
        return copy

    def _replace(self, **changes: Any) -> "HandState":  # noqa: ANN401 - any field's
        return replace(self.draft(), **changes).freeze()

    @property
    def remaining(self) -> tuple[int, ...]:
        """Return the seats still in, in turn order from the opener."""
        seats = self.seats
        return tuple([place for place in self.places if not seats[place].out])

    @property
    def is_contested(self) -> bool:
        """Tell whether more than one seat is still in."""
        seats, others = self.seats, False
        for place in self.places:
            if not seats[place].out:
                if others:
                    return True
                others = True
        return False

    @property
    def bettors(self) -> tuple[int, ...]:
        """Return the seats that still take turns, in turn order from the opener."""
        seats = self.seats
        return tuple([place for place in self.places if seats[place].can_bet])

    @property
    def over(self) -> bool:
        """Tell whether the hand takes no more actions."""
        return self.settled or self.voided

    def after(self, number: int) -> tuple[int, ...]:
        """Return the other places in turn order, from the one after the seat on."""
        at = self.places.index(number)
        return self.places[at + 1 :] + self.places[:at]

    def from_after_dealer(self) -> tuple[int, ...]:
        """Return all places in turn order, from the one after the dealer on."""
        return (*self.after(self.dealer), self.dealer)


class HandDraft(HandState):
    """A hand while it changes. Whoever made it may change it, and nobody else."""

    seats: dict[int, SeatDraft]

    __setattr__ = object.__setattr__  # type: ignore[assignment] # it is not refused here
    __delattr__ = object.__delattr__  # type: ignore[assignment]

    def freeze(self) -> HandState:
        """Return the hand; nothing changes it any more."""
        for seat in self.seats.values():
            seat.freeze()
        self.__class__ = HandState  # type: ignore[assignment] # no copy: this is the hand now
        return self


@lru_cache(maxsize=1024)
def _rules_at_table(
    rulebook: str, version: int, table: tuple[tuple[str, object], ...]
) -> ZhajinhuaRulebook:
    """Return a published rulebook with the table's own parameters in it."""
    return _with(find(rulebook, version), table)


def _with(rulebook: ZhajinhuaRulebook, table: tuple[tuple[str, object], ...]) -> ZhajinhuaRulebook:
    own = {name: value for name, value in table if name not in {"ante", "max_stake"}}
    return replace(rulebook, **own)  # type: ignore[arg-type]


def rules_at_table(rulebook: ZhajinhuaRulebook, table: Parameters) -> ZhajinhuaRulebook:
    """Return the rules in force at a table: the rulebook's, but for what the table set itself."""
    items = tuple(sorted(table.items()))
    if rulebook is find(rulebook.id, rulebook.version):
        return _rules_at_table(rulebook.id, rulebook.version, items)
    return _with(rulebook, items)


def turn_order(numbers: Iterable[int], opener: int, rules: ZhajinhuaRulebook) -> tuple[int, ...]:
    """Return the seats in the order they act, from the opener on. RULES.md §2.3."""
    order = sorted(numbers, reverse=rules.direction == "counter_clockwise")
    at = order.index(opener)
    return tuple(order[at:] + order[:at])


def opened(event: HandOpened) -> HandState:
    """Return the hand that begins with this event."""
    rules = rules_at_table(find(event.rulebook, event.version), event.table)
    return begun(event, rules).freeze()


def begun(event: HandOpened, rules: ZhajinhuaRulebook) -> HandDraft:
    """Return the hand that begins with this event, to go on with.

    Args:
        event: The opening.
        rules: What is in force at the table, published or not.
    """
    ante, max_stake = event.table["ante"], event.table.get("max_stake")
    assert isinstance(ante, int), ante
    assert max_stake is None or isinstance(max_stake, int), max_stake
    return HandDraft(
        rules=rules,
        ante=ante,
        max_stake=max_stake,
        dealer=event.dealer,
        places=turn_order((taken.seat for taken in event.seats), event.opener, rules),
        seats={
            taken.seat: SeatDraft(taken.seat, taken.player, taken.carry, taken.protect, taken.carry)
            for taken in event.seats
        },
        draws=event.draws,
        digest=event.digest,
        commitment=event.commitment,
        stake=ante,
    )
