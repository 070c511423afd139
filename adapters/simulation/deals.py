"""Deals for simulated hands: rare cards come up often enough for every rule to be tried."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from adapters.shuffle import Chance
from domain.cards import CARD_COUNT, DECK, RANKS, SUITS, split

_ACE_LOW_RANKS: Final = RANKS[-1] + RANKS
_RUNS: Final = tuple(_ACE_LOW_RANKS[at : at + CARD_COUNT] for at in range(len(RANKS) - 1))

_TRIES_MAX: Final = 50  # of what is planned; then any cards will do

Maker = Callable[[Chance, Sequence[str]], str]


def deal(
    chance: Chance, seats: Sequence[int], rulebook_id: str = "", dealer: int | None = None
) -> dict[int, str]:
    """Return three cards for every seat, all different, with something planted in many deals.

    Args:
        chance: What decides it.
        seats: Who is dealt in.
        rulebook_id: Some rulebooks have deals of their own.
        dealer: The seat that gets what is meant for the dealer.
    """
    plans = {**_PLANS, **_PLANS_OF.get(rulebook_id, {})}
    name = chance.weighed({name: _weight(name) for name in plans})
    plan = plans[name][: len(seats)]
    free, hands = set(DECK), list[str]()
    for make in plan:
        cards = make(chance, hands)
        tries = 1
        while not free.issuperset(split(cards)) or len(set(split(cards))) < CARD_COUNT:
            # Three of a kind have no twin, for one.
            cards = (make if tries < _TRIES_MAX else _any)(chance, hands)
            tries += 1
        hands.append(cards)
        free -= set(split(cards))
    rest = chance.sample(
        [card for card in DECK if card in free], CARD_COUNT * (len(seats) - len(plan))
    )
    hands += ["".join(rest[at : at + CARD_COUNT]) for at in range(0, len(rest), CARD_COUNT)]
    order = chance.sample(seats, len(seats))
    if name in _FOR_THE_DEALER and dealer is not None:
        order = [dealer, *(seat for seat in order if seat != dealer)]
    return dict(zip(order, hands, strict=True))


def _any(chance: Chance, _: Sequence[str]) -> str:
    return "".join(chance.sample(DECK, CARD_COUNT))


def _trips(chance: Chance, _: Sequence[str]) -> str:
    rank = chance.pick(RANKS)
    return "".join(rank + suit for suit in chance.sample(SUITS, CARD_COUNT))


def _aces(chance: Chance, _: Sequence[str]) -> str:
    return "".join("A" + suit for suit in chance.sample(SUITS, CARD_COUNT))


def _straight_flush(chance: Chance, _: Sequence[str]) -> str:
    suit = chance.pick(SUITS)
    return "".join(rank + suit for rank in chance.pick(_RUNS))


def _spade_run(chance: Chance, _: Sequence[str]) -> str:
    return "".join(rank + "s" for rank in chance.pick(_RUNS))


def _aces_and_a_kicker(chance: Chance, _: Sequence[str]) -> str:
    return "AcAd" + chance.pick(RANKS[:-1]) + chance.pick(SUITS)


def _lowest_run(chance: Chance, _: Sequence[str]) -> str:
    return "".join(rank + chance.pick(SUITS) for rank in _RUNS[0])


def _straight(chance: Chance, _: Sequence[str]) -> str:
    return "".join(rank + chance.pick(SUITS) for rank in chance.pick(_RUNS))


def _flush(chance: Chance, _: Sequence[str]) -> str:
    suit = chance.pick(SUITS)
    return "".join(rank + suit for rank in chance.sample(RANKS, CARD_COUNT))


def _pair(chance: Chance, _: Sequence[str]) -> str:
    rank, kicker = chance.sample(RANKS, 2)
    return "".join(rank + suit for suit in chance.sample(SUITS, 2)) + kicker + chance.pick(SUITS)


def _deuce_three_five(chance: Chance, _: Sequence[str]) -> str:
    return "".join(rank + chance.pick(SUITS) for rank in "532")


def _ace_king_deuce(chance: Chance, _: Sequence[str]) -> str:
    return "".join(rank + chance.pick(SUITS) for rank in "AK2")


def _twin(chance: Chance, hands: Sequence[str]) -> str:
    """Return the cards of the hand before in other suits: where suits do not rank, the two tie."""
    shift = chance.between(1, len(SUITS) - 1)
    turned = {suit: SUITS[(at + shift) % len(SUITS)] for at, suit in enumerate(SUITS)}
    return "".join(card[0] + turned[card[1]] for card in split(hands[-1]))


_PLANS: Final[Mapping[str, tuple[Maker, ...]]] = MappingProxyType(
    {
        "as it comes": (),
        "trips": (_trips,),
        "trips twice": (_trips, _trips),
        "2-3-5 against trips": (_deuce_three_five, _trips),
        "2-3-5 against aces": (_deuce_three_five, _aces),
        "straight flush": (_straight_flush,),
        "all strong": (_straight, _flush, _straight, _straight_flush),
        "a tie of pairs": (_pair, _twin),
        "a tie": (_any, _twin),
        "a tie of three": (_straight, _twin, _twin),
        "A-K-2": (_ace_king_deuce, _twin),
    }
)
_A_TIE_OF_ALL: Final = (_straight, _twin, _twin, _twin)
_LOWEST: Final = (_lowest_run, _straight)
_PLANS_OF: Final[Mapping[str, Mapping[str, tuple[Maker, ...]]]] = MappingProxyType(
    {
        # what else a rulebook has a rule for
        "platform": {"the lowest straight": _LOWEST},
        "yingsanzhang": {"spades in a row": (_spade_run,), "three aces": (_aces,)},
        "tongcheng": {"the best are equal": (_aces_and_a_kicker, _twin), "the lowest": _LOWEST},
        "feifan2017": {
            "the lowest straight": _LOWEST,
            "a tie of all": _A_TIE_OF_ALL,
            "the banker in trips": (_trips,),
            "a player in trips": (_any, _trips),
        },
    }
)
_FOR_THE_DEALER: Final = frozenset({"the banker in trips", "a player in trips"})


def _weight(plan: str) -> int:
    """Return how likely a plan is; that nothing is planted is likelier than any."""
    if plan in _PLANS:
        return 5 if _PLANS[plan] else 40
    return 10
