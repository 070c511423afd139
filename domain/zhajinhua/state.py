"""The hand as its events made it. ``evolve`` is pure and total: it refuses and decides nothing.

Money comes from the events' transfers alone; the turn and the round follow from
who acted (RULES.md §2.3): a round ends each time the turn reaches or passes the
opener's place.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from domain.events import (
    BetCalled,
    BetRaised,
    CardsDealt,
    CardsSeen,
    Event,
    HandFolded,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandVoided,
    LastStandTaken,
)
from domain.money import POT, Transfer
from domain.rulebook import Parameters
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook


class Bet(NamedTuple):
    """One payment into the pot."""

    amount: int  # minor units
    factor: int
    round: int  # 0: the ante


class Seat(NamedTuple):
    """One seat of a running hand. Amounts in minor units."""

    number: int
    player: str
    carry: int
    protect: bool
    stack: int  # what it has left
    cards: str = ""
    seen: bool = False
    out: bool = False
    bets: tuple[Bet, ...] = ()
    refund: int = 0  # came back out of the pot
    side: int = 0  # net side payments
    bonus: int = 0

    @property
    def contributed(self) -> int:
        """Return everything that the seat put in, the ante included."""
        return sum(bet.amount for bet in self.bets)

    def put_in_round(self, number: int) -> int:
        """Return what the seat put in during one round."""
        return sum(bet.amount for bet in self.bets if bet.round == number)


class Stand(NamedTuple):
    """A last stand that has lost no duel yet."""

    seat: int
    due: int  # the full price, minor units
    paid: int  # what the seat could put in
    beaten: tuple[int, ...]


class HandState(NamedTuple):
    """A hand between two events. Seats by number; ``places`` is the turn order from the opener."""

    rules: ZhajinhuaRulebook  # as in force at this table
    ante: int
    max_stake: int | None
    dealer: int
    places: tuple[int, ...]
    seats: Mapping[int, Seat]
    draws: Mapping[int, int]
    stake: int  # the price at factor 1
    round: int = 1
    acted_round: int = 1  # the round of the last turn action; in it, the hand may end
    turn: int | None = None  # nobody's before the deal and after the end
    stand: Stand | None = None
    settled: bool = False
    voided: bool = False

    @property
    def remaining(self) -> tuple[int, ...]:
        """Return the seats still in, in turn order from the opener."""
        return tuple(place for place in self.places if not self.seats[place].out)

    @property
    def over(self) -> bool:
        """Tell whether the hand takes no more actions."""
        return self.settled or self.voided

    def after(self, seat: int) -> tuple[int, ...]:
        """Return the other places in turn order, from the one after the seat on."""
        at = self.places.index(seat)
        return self.places[at + 1 :] + self.places[:at]


@lru_cache(maxsize=1024)
def _rules_at_table(
    rulebook: str, version: int, table: tuple[tuple[str, object], ...]
) -> ZhajinhuaRulebook:
    """Return the rulebook with the table's own parameters in it."""
    own = {name: value for name, value in table if name not in {"ante", "max_stake"}}
    return replace(find(rulebook, version), **own)  # type: ignore[arg-type]


def rules_at_table(rulebook: str, version: int, table: Parameters) -> ZhajinhuaRulebook:
    """Return the rules in force at a table: the rulebook's, but for what the table set itself."""
    return _rules_at_table(rulebook, version, tuple(sorted(table.items())))


def turn_order(numbers: Iterable[int], opener: int, rules: ZhajinhuaRulebook) -> tuple[int, ...]:
    """Return the seats in the order they act, from the opener on. RULES.md §2.3."""
    order = sorted(numbers, reverse=rules.direction == "counter_clockwise")
    at = order.index(opener)
    return tuple(order[at:] + order[:at])


def opened(event: HandOpened) -> HandState:
    """Return the hand that begins with this event."""
    rules = rules_at_table(event.rulebook, event.version, event.table)
    ante, max_stake = event.table["ante"], event.table.get("max_stake")
    assert isinstance(ante, int), ante
    assert max_stake is None or isinstance(max_stake, int), max_stake
    return HandState(
        rules=rules,
        ante=ante,
        max_stake=max_stake,
        dealer=event.dealer,
        places=turn_order((taken.seat for taken in event.seats), event.opener, rules),
        seats={
            taken.seat: Seat(taken.seat, taken.player, taken.carry, taken.protect, taken.carry)
            for taken in event.seats
        },
        draws=event.draws,
        stake=ante,
    )


def evolve(state: HandState, event: Event) -> HandState:
    """Return the hand after one more event."""
    state = _move(state, event.transfers)
    match event:
        case BetCalled(seat=seat):
            return _pass_turn(state, seat)
        case BetRaised(seat=seat, stake=stake):
            return _pass_turn(state._replace(stake=stake), seat)
        case CardsSeen(seat=seat):
            return _change(state, seat, seen=True)
        case HandFolded(seat=seat):
            return _pass_turn(_change(state, seat, out=True), seat)
        case HandsCompared():
            return _compared(state, event)
        case LastStandTaken(seat=seat, due=due):
            return state._replace(stand=Stand(seat, due, event.paid, ()))
        case CardsDealt(cards=cards):
            dealt = {
                number: seat._replace(cards=cards.get(number, ""))
                for number, seat in state.seats.items()
            }
            return state._replace(seats=dealt, turn=state.places[0])
        case HandSettled():
            return state._replace(settled=True, turn=None)
        case HandVoided():
            return state._replace(voided=True, turn=None)
        case _:  # AntePosted, BonusGranted: money alone; SettlementClaimed: nothing of ours
            return state


def _change(state: HandState, number: int, **fields: object) -> HandState:
    """Return the hand with one seat changed."""
    seat = state.seats[number]._replace(**fields)  # type: ignore[arg-type]
    return state._replace(seats={**state.seats, number: seat})


def _move(state: HandState, transfers: Iterable[Transfer]) -> HandState:
    """Return the hand after the chips moved between its seats, the pot and the house."""
    for source, target, amount, reason in transfers:
        for name, sign in ((source, -1), (target, 1)):
            if name.startswith("seat:"):
                other = target if sign < 0 else source
                state = _book(state, int(name[5:]), sign * amount, other, reason)
    return state


def _book(state: HandState, number: int, change: int, other: str, reason: str) -> HandState:
    """Return the hand after one seat's stack changed, kept under what it changed for."""
    seat = state.seats[number]
    kept: dict[str, object] = {"stack": seat.stack + change}
    if other == POT and change < 0:
        factor = 1
        if reason != "ante":
            factor = state.rules.seen_factor if seat.seen else state.rules.blind_factor
        bet = Bet(-change, factor, 0 if reason == "ante" else state.round)
        kept["bets"] = (*seat.bets, bet)
    elif other == POT and reason == "refund":
        kept["refund"] = seat.refund + change
    elif reason == "bonus":
        kept["bonus"] = seat.bonus + change
    elif other.startswith("seat:"):
        kept["side"] = seat.side + change
    return _change(state, number, **kept)


def _compared(state: HandState, event: HandsCompared) -> HandState:
    """Return the hand after a duel: who lost is out, and a last stand goes on or fails."""
    for seat in event.out:
        state = _change(state, seat, out=True)
    if event.why == "compare":
        return _pass_turn(state, event.challenger)
    if event.why == "last_stand" and state.stand is not None:
        stand = state.stand
        if event.winner != stand.seat:
            return _pass_turn(state._replace(stand=None), stand.seat)
        return state._replace(
            stand=stand._replace(beaten=(*stand.beaten, event.challenged)),
            acted_round=state.round,
        )
    return state


def _pass_turn(state: HandState, seat: int) -> HandState:
    """Return the hand with the turn moved on from the seat that used it up. RULES.md §2.3."""
    at, count = state.places.index(seat), len(state.places)
    for step in range(1, count + 1):
        place = state.places[(at + step) % count]
        if not state.seats[place].out:
            ended = at + step >= count
            return state._replace(turn=place, round=state.round + ended, acted_round=state.round)
    return state._replace(turn=None, acted_round=state.round)
