"""How simulated seats act: each hand has a temper, and does nothing that the rules refuse."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from adapters.shuffle import Chance
from domain.errors import RefusalError
from domain.zhajinhua.betting import call_price, factor, top_up_bounds
from domain.zhajinhua.comparing import is_last_stand
from domain.zhajinhua.game import decide
from domain.zhajinhua.play import Action, Play
from domain.zhajinhua.pots import best
from domain.zhajinhua.ranking import Category, strength
from domain.zhajinhua.state import HandState, Seat

Weights = Mapping[str, int]

# fmt: off
_VERBS: Final = ("look", "call", "raise", "compare", "fold", "timeout", "all_in")
_TEMPERS: Final[Mapping[str, Sequence[int]]] = MappingProxyType({
    # what a seat on turn is inclined to do
    "plain":    (12, 40, 14, 14, 14,  2,  2),
    "patient":  ( 6, 88,  3,  1,  1,  1,  1),
    "raising":  (10, 24, 46,  8,  8,  1,  3),
    "duelling": (10, 24,  8, 50,  3,  1,  1),
    "sleepy":   (34, 26,  3,  3,  2, 30,  1),
    "shoving":  ( 8, 40, 10,  4,  3,  1, 34),
    "storming": ( 5, 10, 42, 14,  8,  1, 20),
})
# fmt: on
_HOW_MANY: Final[Weights] = MappingProxyType(
    {"plain": 45, "patient": 12, "raising": 15, "duelling": 15, "sleepy": 13}
)
_ANSWERS: Final[Weights] = MappingProxyType(
    {"look": 16, "call": 42, "fold": 20, "timeout": 5, "all_in": 17}
)
"""To an all-in; what is no answer there, the rules refuse."""

_WITH_ALL_IN: Final[Weights] = MappingProxyType({"shoving": 20, "storming": 15})
"""How many more, where a rulebook knows an all-in."""
_ALL_IN_WHEN_SHORT: Final = 30

# fmt: off
_PLOT: Final[Mapping[tuple[bool, str], Weights]] = MappingProxyType({
    # at some tables the best hands wait and shove, and the others raise, duel and leave
    (True,  "early"):  {"look": 60, "call": 60},
    (True,  "late"):   {"look": 45, "call": 5, "all_in": 50},
    (True,  "answer"): {"look": 20, "call": 60, "all_in": 20},
    (False, "early"):  {"look": 5, "call": 50, "raise": 35},
    (False, "late"):   {"call": 10, "raise": 35, "compare": 50},
    (False, "answer"): {"call": 35, "fold": 50},
})
# fmt: on
_PLOTS: Final = 15  # percent of the hands, where all others answer an all-in
_LEAPS: Final = 3  # percent of the raises go as high as they can
_LEAP_MAX: Final = 6  # antes, in a plot

_LOOKS: Final = 6  # percent of all turns
_LINKS: Final = 40  # … where there is a chain to add to
_TOP_UPS: Final = 35  # … where somebody is short
_EVERYBODY_FOLDS: Final = 1


class Table:
    """The seats of one hand."""

    def __init__(self, state: HandState, chance: Chance) -> None:
        """Draw their temper."""
        self._chance, rules = chance, state.rules
        more = _WITH_ALL_IN if rules.all_in != "never" else {}
        temper = _TEMPERS[chance.weighed({**_HOW_MANY, **more})]
        self._temper = dict(zip(_VERBS, temper, strict=True))
        tied = len(best(state, state.remaining)) > 1
        self._plots = rules.all_in == "shove" and chance.happens(_PLOTS * (5 if tied else 1))

    def act(self, state: HandState) -> tuple[Action, Play]:
        """Draw the next action, and decide it; what is refused is drawn no more."""
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
        chance, rules, chain = self._chance, state.rules, state.chain
        if chance.happens(_LOOKS) and state.round >= rules.look_from_round:
            blind = [number for number in state.remaining if not state.seats[number].seen]
            yield from (Action("look", chance.pick(blind)) for _ in blind[:1])
        if rules.top_ups:
            yield from self._top_up(state)
        if chain is not None and state.shove is None and chance.happens(_LINKS):
            seat = state.seats[chain.seat]
            if chain.seat != state.turn and (chain.verb == "raise" or _rivals(state, seat)):
                yield self._action(state, seat, chain.verb)
        if rules.fold_all and chance.happens(_EVERYBODY_FOLDS):
            yield Action("fold_all")

    def _top_up(self, state: HandState) -> Iterator[Action]:
        """Propose a top-up of a seat that cannot pay its call: a little, enough, or all it may."""
        short = [
            seat
            for seat in (state.seats[number] for number in state.bettors)
            if seat.stack < call_price(state, seat) and len(seat.top_ups) < state.rules.top_ups
        ]
        if short and self._chance.happens(_TOP_UPS):
            seat = self._chance.pick(short)
            most = max(top_up_bounds(state, seat).most, 1)
            enough = min(call_price(state, seat) - seat.stack, most)
            amounts = (enough, enough, most, self._chance.between(1, most))
            yield Action("top_up", seat.number, amount=self._chance.pick(amounts))

    def _weights(self, state: HandState, seat: Seat) -> dict[str, int]:
        """Return how likely the seat on turn does what, as far as it may do it at all."""
        if self._plots:
            return self._plotted(state, seat)
        if state.shove is not None:
            return {**_ANSWERS, "look": 0 if seat.seen else _ANSWERS["look"]}
        weights = dict(self._temper)
        if seat.seen or state.round < state.rules.look_from_round:
            weights["look"] = 0
        if seat.stack < call_price(state, seat):
            weights["call"] = 0
            weights["compare"] *= 4
            weights["all_in"] = _ALL_IN_WHEN_SHORT
        for verb, may in _MAY.items():
            weights[verb] *= may(state, seat)
        if seat.seen:
            category = strength(seat.cards, state.rules).category
            if category >= Category.STRAIGHT:
                weights["fold"] = 0
            elif category <= Category.HIGH_CARD:
                weights["fold"] *= 3
        return weights

    def _plotted(self, state: HandState, seat: Seat) -> dict[str, int]:
        """Return what a seat does for its table's plot; what it may not do, the rules refuse."""
        strong = seat.number in best(state, state.remaining)
        when = "late" if state.round >= state.rules.all_in_from_round else "early"
        weights = dict(_PLOT[strong, "answer" if state.shove is not None else when])
        if seat.seen or state.round < state.rules.look_from_round:
            weights.pop("look", None)
        if _stake_max(state, seat) <= state.stake:
            weights.pop("raise", None)
        if seat.stack < call_price(state, seat):
            weights["all_in"] = _ALL_IN_WHEN_SHORT
        return weights

    def _action(self, state: HandState, seat: Seat, do: str) -> Action:
        """Return an action of a seat with whatever its verb needs."""
        chance = self._chance
        match do:
            case "raise":
                highest = _stake_max(state, seat)
                steps = (1, state.ante, state.ante, state.stake, chance.between(1, state.ante))
                stake = state.stake + chance.pick(steps)
                if self._plots:
                    stake = state.stake + state.ante * chance.between(1, _LEAP_MAX)
                stake = highest if chance.happens(_LEAPS) else min(stake, highest)
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


def _may_raise(state: HandState, seat: Seat) -> bool:
    """Tell whether a raise is worth trying."""
    return _stake_max(state, seat) > state.stake


def _may_compare(state: HandState, seat: Seat) -> bool:
    """Tell whether a compare is worth trying."""
    first = state.rules.compare_from_round
    if first is None or not _rivals(state, seat):
        return False
    return state.round >= first or is_last_stand(state, seat)


def _may_go_all_in(state: HandState, seat: Seat) -> bool:
    """Tell whether an all-in is worth trying."""
    rules, is_short = state.rules, seat.stack < call_price(state, seat)
    if rules.all_in == "shove":
        return is_short or state.round >= rules.all_in_from_round
    return rules.all_in == "any_turn" or (rules.all_in == "when_short" and is_short)


_MAY: Final[Mapping[str, Callable[[HandState, Seat], bool]]] = MappingProxyType(
    {"raise": _may_raise, "compare": _may_compare, "all_in": _may_go_all_in}
)


def _rivals(state: HandState, seat: Seat) -> Sequence[int]:
    """Return whom a seat may name for a duel."""
    others = [number for number in state.remaining if number != seat.number]
    if state.rules.seen_compares_blind_only and seat.seen:
        return [number for number in others if not state.seats[number].seen]
    return others


def _stake_max(state: HandState, seat: Seat) -> int:
    """Return the highest stake that the seat can raise to, minor units."""
    affordable = seat.stack // factor(state, seat)
    return affordable if state.max_stake is None else min(affordable, state.max_stake)
