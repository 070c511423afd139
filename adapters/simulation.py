"""Random legal hands as ``hand-record/1``, the same for the same seed.

A hand depends on the rulebook, the seed and its number alone: the hundredth is the same hand
whether a hundred are asked for or a million. Cards, purses and tempers are drawn so that rare
turns of play (a last stand won, a tie, forced duels, a protected timeout) come up all the time.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from adapters.shuffle import Chance
from adapters.simulated_deal import deal
from domain.errors import RefusalError
from domain.events import HandSettled, SeatTaken, Settlement
from domain.rulebook import Parameters, check_table
from domain.zhajinhua.betting import call_price, factor
from domain.zhajinhua.comparing import is_last_stand
from domain.zhajinhua.game import decide, open_hand
from domain.zhajinhua.play import Action, Play
from domain.zhajinhua.ranking import Category, strength
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import HandState, Seat

PLAYERS: Final = tuple(f"p{number:03}" for number in range(1, 61))
"""Who sits at the tables: few enough for everyone to play many hands."""

SEAT_NUMBER_MAX: Final = 9

_TEMPERS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType({
    # what a seat on turn is inclined to do
    "plain":    {"look": 12, "call": 40, "raise": 14, "compare": 14, "fold": 14, "timeout": 2},
    "patient":  {"look": 6, "call": 88, "raise": 3, "compare": 1, "fold": 1, "timeout": 1},
    "raising":  {"look": 10, "call": 24, "raise": 46, "compare": 8, "fold": 8, "timeout": 1},
    "duelling": {"look": 10, "call": 24, "raise": 8, "compare": 50, "fold": 3, "timeout": 1},
    "sleepy":   {"look": 34, "call": 26, "raise": 3, "compare": 3, "fold": 2, "timeout": 30},
})  # fmt: skip
_TEMPER_WEIGHTS: Final = {"plain": 45, "patient": 12, "raising": 15, "duelling": 15, "sleepy": 13}

_VERBS_OF: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {
        # verbs that only some rulebooks know, by rulebook id
    }
)

_ANTES: Final = (100, 200, 500, 500, 1000, 333, 10_033)  # minor units


def simulate(
    rulebook_id: str, *, hands: int, seed: int, first: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield random legal hands, each a whole record with its settlement.

    Args:
        rulebook_id: A published rulebook.
        hands: How many.
        seed: What decides them.
        first: The number of the first hand.

    Raises:
        UnknownRulebookError: There is no such rulebook.
    """
    rulebook = find(rulebook_id)
    for number in range(first, first + hands):
        yield _simulate_hand(
            rulebook, f"sim-{rulebook_id}-{seed}-{number}", Chance(rulebook_id, seed, number)
        )


def line_of(record: Mapping[str, Any]) -> str:
    """Return a record as one line of JSON, names readable as they are."""
    return json.dumps(record, ensure_ascii=False)


def _simulate_hand(rulebook: ZhajinhuaRulebook, hand: str, chance: Chance) -> dict[str, Any]:
    """Draw a table, deal, and play the hand to its end."""
    table = _table(rulebook, chance)
    seats = _seats(rulebook, chance, table["ante"])
    numbers = [seat["seat"] for seat in seats]
    record: dict[str, Any] = {
        "hand": hand,
        "rulebook": rulebook.id,
        "table": table,
        "dealer": chance.pick(numbers),
        "seats": seats,
        "deal": {str(number): cards for number, cards in sorted(deal(chance, numbers).items())},
    }
    if rulebook.opener == "recorded":
        record["opener"] = chance.pick(numbers)
    draws = _bonus_draws(rulebook, chance, record)
    if draws:
        record["bonus_draws"] = draws
    record["actions"], record["settlement"] = _play(_open(rulebook, record), chance)
    return record


def _table(rulebook: ZhajinhuaRulebook, chance: Chance) -> dict[str, Any]:
    """Draw the table's parameters; most tables leave most rules alone."""
    known = {parameter.name for parameter in rulebook.parameters}
    ante = chance.pick(_ANTES)
    table: dict[str, Any] = {"ante": ante}
    if "max_stake" in known and chance.happens(80):
        table["max_stake"] = ante * chance.pick((1, 4, 20, 40, 100))
    if "round_limit" in known and chance.happens(25):
        table["round_limit"] = chance.between(1, 6)
    return table


def _seats(rulebook: ZhajinhuaRulebook, chance: Chance, ante: int) -> list[dict[str, Any]]:
    """Draw who sits where, and with how much; at some tables purses are small."""
    count = chance.between(rulebook.seats_min, rulebook.seats_max)
    places = range(1, SEAT_NUMBER_MAX + 1 if chance.happens(40) else count + 1)
    small_purses = chance.pick((0, 0, 0, 30, 80))  # percent of the seats
    seats = []
    for number, player in zip(
        sorted(chance.sample(places, count)), chance.sample(PLAYERS, count), strict=True
    ):
        antes = chance.between(1, 12) if chance.happens(small_purses) else chance.between(40, 600)
        seat = {"seat": number, "player": player, "carry": ante * antes + chance.below(ante)}
        if rulebook.timeout == "protected" and chance.happens(20):
            seat["protect"] = chance.happens(30)
        seats.append(seat)
    return seats


def _bonus_draws(
    rulebook: ZhajinhuaRulebook, chance: Chance, record: Mapping[str, Any]
) -> dict[str, int]:
    """Draw the bonuses of the seats that have one coming, where the rulebook draws any."""
    if rulebook.bonus != "drawn_for_trips":
        return {}
    return {
        number: record["table"]["ante"] * chance.between(0, 20)
        for number, cards in record["deal"].items()
        if strength(cards, rulebook).category == Category.TRIPS and chance.happens(80)
    }


def _open(rulebook: ZhajinhuaRulebook, record: Mapping[str, Any]) -> Play:
    """Open the hand of a record."""
    table: Parameters = check_table(rulebook, record["table"])
    return open_hand(
        rulebook,
        table=table,
        dealer=record["dealer"],
        opener=record.get("opener"),
        seats=[SeatTaken(**seat) for seat in record["seats"]],
        deal={int(number): cards for number, cards in record["deal"].items()},
        draws={int(number): amount for number, amount in record.get("bonus_draws", {}).items()},
    )


def _play(play: Play, chance: Chance) -> tuple[list[dict[str, Any]], Settlement]:
    """Let the seats act until the hand is over; return what they did and what it came to."""
    temper = _TEMPERS[chance.weighed(_TEMPER_WEIGHTS)]
    actions: list[dict[str, Any]] = []
    while not play.state.over:
        action, play = _next(play.state, temper, chance)
        actions.append(_as_recorded(action))
    settled = next(event for event in play.events if isinstance(event, HandSettled))
    return actions, settled.settlement


def _next(state: HandState, temper: Mapping[str, int], chance: Chance) -> tuple[Action, Play]:
    """Draw the next action and decide it; what turns out to be illegal is drawn no more."""
    if chance.happens(6):
        curious = [number for number in state.remaining if not state.seats[number].seen]
        if curious and state.round >= state.rules.look_from_round:
            action = Action("look", chance.pick(curious))
            return action, decide(state, action)
    assert state.turn is not None
    weights = _weights(state, state.seats[state.turn], temper)
    while True:
        do = chance.weighed(weights) if any(weights.values()) else "fold"
        action = _action(state, state.seats[state.turn], do, chance)
        try:
            return action, decide(state, action)
        except RefusalError:
            assert weights.pop(do, 0), (state, action)


def _weights(state: HandState, seat: Seat, temper: Mapping[str, int]) -> dict[str, int]:
    """Return how likely the seat on turn does what, as far as it may do it at all."""
    weights = {**temper, **_VERBS_OF.get(state.rules.id, {})}
    first = state.rules.compare_from_round
    if seat.seen or state.round < state.rules.look_from_round:
        weights["look"] = 0
    if seat.stack < call_price(state, seat):
        weights["call"] = 0
        weights["compare"] *= 4
    if _stake_max(state, seat) <= state.stake:
        weights["raise"] = 0
    if first is None or (state.round < first and not is_last_stand(state, seat)):
        weights["compare"] = 0
    if seat.seen:
        category = strength(seat.cards, state.rules).category
        if category >= Category.STRAIGHT:
            weights["fold"] = 0
        elif category <= Category.HIGH_CARD:
            weights["fold"] *= 3
    return weights


def _stake_max(state: HandState, seat: Seat) -> int:
    """Return the highest stake that the seat can raise to, minor units."""
    affordable = seat.stack // factor(state, seat)
    return affordable if state.max_stake is None else min(affordable, state.max_stake)


def _action(state: HandState, seat: Seat, do: str, chance: Chance) -> Action:
    """Return an action of a seat with whatever its verb needs."""
    match do:
        case "raise":
            highest = _stake_max(state, seat)
            step = chance.pick(
                (1, state.ante, state.ante, state.stake, chance.between(1, state.ante))
            )
            stake = highest if chance.happens(3) else min(state.stake + step, highest)
            return Action(do, seat.number, stake=stake)
        case "compare":
            others = [number for number in state.remaining if number != seat.number]
            return Action(do, seat.number, target=chance.pick(others))
        case _:
            return Action(do, seat.number)


def _as_recorded(action: Action) -> dict[str, Any]:
    """Return an action as a record holds it."""
    given: Sequence[tuple[str, Any]] = (
        ("seat", action.seat),
        ("do", action.do),
        ("stake", action.stake),
        ("with", action.target),
        ("amount", action.amount),
    )
    return {name: value for name, value in given if value is not None}
