"""Tables for simulated hands: what they set for themselves, who sits down, with how much."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from adapters.shuffle import Chance
from domain.rulebook import Parameter
from domain.zhajinhua.ranking import Category, strength
from domain.zhajinhua.rules import ZhajinhuaRulebook

PLAYERS: Final = tuple(f"p{number:03}" for number in range(1, 61))
"""Who sits at the tables: few enough for everyone to play many hands."""

SEAT_NUMBER_MAX: Final = 9

_ANTES: Final = (100, 200, 500, 500, 1000, 333, 10_033)  # minor units
_SMALL_PURSES: Final = (0, 0, 0, 30, 80)  # percent of the seats, table by table
_SMALL_PURSES_WITH_ALL_IN: Final = (0, 0, 30, 60, 100)
_MULTIPLE_MAX: Final = 2000  # hundredths


def table(rulebook: ZhajinhuaRulebook, chance: Chance) -> dict[str, Any]:
    """Draw the table's parameters; most tables leave most rules alone."""
    ante = chance.pick(_ANTES)
    drawn: dict[str, Any] = {"ante": ante}
    others = {parameter.name: parameter for parameter in rulebook.parameters}
    del others["ante"]
    if others.pop("max_stake", None) and chance.happens(80):
        drawn["max_stake"] = ante * chance.pick((1, 4, 20, 40, 100))
    if others.pop("round_limit", None) and chance.happens(25):
        drawn["round_limit"] = chance.between(1, 6)
    others.pop("wangzha", None)  # nobody may switch it on
    if others and chance.happens(40):
        for name in chance.sample(list(others), chance.between(1, len(others))):
            drawn[name] = _setting(others[name], chance)
    return drawn


def _setting(parameter: Parameter, chance: Chance) -> Any:  # noqa: ANN401 - whatever its kind is
    """Draw a value of a parameter."""
    if parameter.kind == "flag":
        return chance.happens(50)
    if parameter.kind == "list":
        return [chance.between(0, _MULTIPLE_MAX) for _ in range(parameter.length)]
    lowest, highest = parameter.minimum, parameter.maximum or 100
    return chance.pick((lowest, highest, chance.between(lowest, highest)))


def seats(rulebook: ZhajinhuaRulebook, chance: Chance, ante: int) -> list[dict[str, Any]]:
    """Draw who sits where, and with how much; at some tables purses are small."""
    count = chance.between(rulebook.seats_min, rulebook.seats_max)
    places = range(1, SEAT_NUMBER_MAX + 1 if chance.happens(40) else count + 1)
    purse = _purses(rulebook, chance, ante)
    sitting = []
    for number, player in zip(
        sorted(chance.sample(places, count)), chance.sample(PLAYERS, count), strict=True
    ):
        seat = {"seat": number, "player": player, "carry": purse()}
        if rulebook.timeout == "protected" and chance.happens(20):
            seat["protect"] = chance.happens(30)
        sitting.append(seat)
    return sitting


def _purses(rulebook: ZhajinhuaRulebook, chance: Chance, ante: int) -> Callable[[], int]:
    """Draw what kind of purses a table has, and return what draws one of them, minor units."""
    all_in = rulebook.all_in != "never"
    small = chance.pick(_SMALL_PURSES_WITH_ALL_IN if all_in else _SMALL_PURSES)

    def mixed() -> int:
        antes = chance.between(1, 12) if chance.happens(small) else chance.between(40, 600)
        return ante * antes + chance.below(ante)

    def often_exact() -> int:
        carry = mixed()
        return chance.pick((carry, carry, carry, carry - carry % ante, ante))

    def alike() -> int:
        return ante * few + uneven * chance.below(ante)

    def stairs() -> int:
        return ante * chance.between(4, 7) + uneven * chance.below(ante)

    if not all_in:
        return mixed
    few, uneven = chance.between(1, 6), chance.below(2)
    return chance.pick((mixed, mixed, mixed, often_exact, often_exact, alike, stairs))


def bonus_draws(
    rulebook: ZhajinhuaRulebook, chance: Chance, record: Mapping[str, Any]
) -> dict[str, int]:
    """Draw the bonuses of the seats that have one coming, where the rulebook draws any."""
    ante, dealt = record["table"]["ante"], record["deal"]
    match rulebook.bonus:
        case "drawn_for_trips":
            return {
                number: ante * chance.between(0, 20)
                for number, cards in dealt.items()
                if strength(cards, rulebook).category == Category.TRIPS and chance.happens(80)
            }
        case "drawn":
            most = rulebook.draw_antes_max * ante
            return {
                number: chance.pick((0, ante, most, chance.between(0, most)))
                for number in dealt
                if chance.happens(15)
            }
    return {}
