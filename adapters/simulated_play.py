"""How simulated seats act: each hand has a temper, and does nothing that the rules refuse."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from adapters.shuffle import Chance
from domain.errors import RefusalError
from domain.zhajinhua.betting import call_price, factor
from domain.zhajinhua.comparing import is_last_stand
from domain.zhajinhua.game import decide
from domain.zhajinhua.play import Action, Play
from domain.zhajinhua.ranking import Category, strength
from domain.zhajinhua.state import HandState, Seat

Weights = Mapping[str, int]

# fmt: off
_TEMPERS: Final[Mapping[str, Weights]] = MappingProxyType({
    # what a seat on turn is inclined to do
    "plain":    {"look": 12, "call": 40, "raise": 14, "compare": 14, "fold": 14, "timeout": 2},
    "patient":  {"look": 6, "call": 88, "raise": 3, "compare": 1, "fold": 1, "timeout": 1},
    "raising":  {"look": 10, "call": 24, "raise": 46, "compare": 8, "fold": 8, "timeout": 1},
    "duelling": {"look": 10, "call": 24, "raise": 8, "compare": 50, "fold": 3, "timeout": 1},
    "sleepy":   {"look": 34, "call": 26, "raise": 3, "compare": 3, "fold": 2, "timeout": 30},
})
_HOW_MANY: Final[Weights] = MappingProxyType(
    {"plain": 45, "patient": 12, "raising": 15, "duelling": 15, "sleepy": 13}
)
_ANSWERS: Final[Weights] = MappingProxyType(
    {"look": 15, "call": 50, "fold": 15, "all_in": 6, "timeout": 3}
)
# fmt: on

_ALL_IN: Final[Weights] = MappingProxyType({"when_short": 40, "shove": 5, "any_turn": 3})
"""How likely an all-in is, by when a rulebook allows it."""


class Table:
    """The seats of one hand."""

    def __init__(self, chance: Chance) -> None:
        """Draw their temper."""
        self._chance = chance
        self._temper = _TEMPERS[chance.weighed(_HOW_MANY)]

    def act(self, state: HandState) -> tuple[Action, Play]:
        """Draw the next action, and decide it."""
        for action in self._out_of_turn(state):
            play = _tried(state, action)
            if play is not None:
                return action, play
        assert state.turn is not None
        seat = state.seats[state.turn]
        weights = self._weights(state, seat)
        while True:
            do = self._chance.weighed(weights) if any(weights.values()) else "fold"
            action = self._action(state, seat, do)
            play = _tried(state, action)
            if play is not None:
                return action, play
            assert weights.pop(do, 0), (state, action)

    def _out_of_turn(self, state: HandState) -> Iterator[Action]:
        """Propose what may be done besides the action of the seat on turn, each now and then."""
        chance, rules = self._chance, state.rules
        if chance.happens(6) and state.round >= rules.look_from_round:
            blind = [number for number in state.remaining if not state.seats[number].seen]
            yield from (Action("look", chance.pick(blind)) for _ in blind[:1])
        if rules.top_up_carries and chance.happens(30):
            short = [
                n for n in state.bettors if state.seats[n].stack < call_price(state, state.seats[n])
            ]
            for number in short[:1]:
                most = max(state.seats[number].carry * rules.top_up_carries // 3, 1)
                yield Action("top_up", number, amount=chance.between(1, most))
        if state.chain is not None and chance.happens(35):
            yield self._action(state, state.seats[state.chain.seat], state.chain.verb)
        if rules.fold_all and chance.happens(1):
            yield Action("fold_all")

    def _weights(self, state: HandState, seat: Seat) -> dict[str, int]:
        """Return how likely the seat on turn does what, as far as it may do it at all."""
        rules, is_short = state.rules, seat.stack < call_price(state, seat)
        weights = dict(self._temper if state.shove is None else _ANSWERS)
        if seat.seen or state.round < rules.look_from_round:
            weights["look"] = 0
        if state.shove is None:
            weights["all_in"] = _ALL_IN.get(rules.all_in, 0) * (5 if is_short else 1)
            if is_short:
                weights["call"] = 0
                weights["compare"] *= 4
            if _stake_max(state, seat) <= state.stake:
                weights["raise"] = 0
            if not _may_compare(state, seat):
                weights["compare"] = 0
        if seat.seen:
            category = strength(seat.cards, rules).category
            if category >= Category.STRAIGHT:
                weights["fold"] = 0
            elif category <= Category.HIGH_CARD:
                weights["fold"] *= 3
        return weights

    def _action(self, state: HandState, seat: Seat, do: str) -> Action:
        """Return an action of a seat with whatever its verb needs."""
        chance = self._chance
        match do:
            case "raise":
                highest = _stake_max(state, seat)
                steps = (1, state.ante, state.ante, state.stake, chance.between(1, state.ante))
                stake = state.stake + chance.pick(steps)
                stake = highest if chance.happens(3) else min(stake, highest)
                return Action(do, seat.number, stake=stake)
            case "compare":
                return Action(do, seat.number, target=chance.pick(_rivals(state, seat)))
            case _:
                return Action(do, seat.number)


def _tried(state: HandState, action: Action) -> Play | None:
    """Decide an action, if it is legal."""
    try:
        return decide(state, action)
    except RefusalError:
        return None


def _may_compare(state: HandState, seat: Seat) -> bool:
    """Tell whether a compare is worth trying."""
    first = state.rules.compare_from_round
    return first is not None and (state.round >= first or is_last_stand(state, seat))


def _rivals(state: HandState, seat: Seat) -> list[int]:
    """Return whom a seat may name; all others where it may name nobody."""
    others = [number for number in state.remaining if number != seat.number]
    if not (state.rules.seen_compares_blind_only and seat.seen):
        return others
    return [number for number in others if not state.seats[number].seen] or others


def _stake_max(state: HandState, seat: Seat) -> int:
    """Return the highest stake that the seat can raise to, minor units."""
    affordable = seat.stack // factor(state, seat)
    return affordable if state.max_stake is None else min(affordable, state.max_stake)
