"""Random legal hands as ``hand-record/1``, the same for the same seed.

A hand depends on the rulebook, the seed and its number alone: the hundredth is the same hand
whether a hundred are asked for or a million. Cards, purses and tempers are drawn so that rare
turns of play (a last stand won, a tie, forced duels, a protected timeout) come up all the time.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from adapters.shuffle import Chance
from adapters.simulated_deal import deal
from adapters.simulated_play import Table
from domain.events import HandSettled, SeatTaken, Settlement
from domain.rulebook import Parameter, Parameters, check_table
from domain.zhajinhua.game import open_hand
from domain.zhajinhua.play import Action, Play
from domain.zhajinhua.ranking import Category, strength
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook

PLAYERS: Final = tuple(f"p{number:03}" for number in range(1, 61))
"""Who sits at the tables: few enough for everyone to play many hands."""

SEAT_NUMBER_MAX: Final = 9

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
    ante = chance.pick(_ANTES)
    table: dict[str, Any] = {"ante": ante}
    others = {parameter.name: parameter for parameter in rulebook.parameters}
    del others["ante"]
    if others.pop("max_stake", None) and chance.happens(80):
        table["max_stake"] = ante * chance.pick((1, 4, 20, 40, 100))
    if others.pop("round_limit", None) and chance.happens(25):
        table["round_limit"] = chance.between(1, 6)
    others.pop("wangzha", None)  # nobody may switch it on
    if others and chance.happens(30):
        for name in chance.sample(list(others), chance.between(1, len(others))):
            table[name] = _drawn(others[name], chance)
    return table


def _drawn(parameter: Parameter, chance: Chance) -> Any:  # noqa: ANN401 - whatever its kind is
    """Draw a value of a parameter."""
    if parameter.kind == "flag":
        return chance.happens(50)
    if parameter.kind == "list":
        return [chance.between(0, 2000) for _ in range(parameter.length)]
    return chance.between(parameter.minimum, parameter.maximum or 100)


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
    ante = record["table"]["ante"]
    if rulebook.bonus == "drawn":
        most = rulebook.draw_antes_max * ante
        return {n: chance.between(0, most) for n in record["deal"] if chance.happens(15)}
    if rulebook.bonus != "drawn_for_trips":
        return {}
    return {
        number: ante * chance.between(0, 20)
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
    seats = Table(chance)
    actions: list[dict[str, Any]] = []
    while not play.state.over:
        action, play = seats.act(play.state)
        actions.append(_as_recorded(action))
    settled = next(event for event in play.events if isinstance(event, HandSettled))
    return actions, settled.settlement


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
