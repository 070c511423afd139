"""Pairs of players counted: in each hand that two shared, what one did towards the other.

An encounter is a hand, one who may give and one who may take. Its scores say, the higher the
stranger, how far the giver gave. What to hold a pair's encounters against are hands of the same
kind that the giver shared with others, or the taker: of each such hand one other player is drawn by
chance (from the hand's id, so that the same ledger gives the same answer), for the seats of one
hand are not independent of each other.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from math import log2
from statistics import median
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from adapters.investigation.observed import Observed
from adapters.shuffle import Chance

K = TypeVar("K")

Scores = tuple[int | None, ...]
Pair = tuple[str, str]  # the one who gives, the one who takes
Bin = tuple[str, Scores]  # the kind of hand, the scores

_CHIPS_NONE: Final = 6  # the score of no chips either way
_CHIPS_CLASS_MAX: Final = 6  # 1,024 antes and more
_SLOWEST: Final = 10  # 128 seconds and more
_PARTS_OF_A_SECOND: Final = 8


def _gives_up(observed: Observed, giver: int, taker: int) -> int:
    return int(observed.gave_up(giver, taker))


def _gives_up_better(observed: Observed, giver: int, taker: int) -> int:
    return int(observed.gave_up(giver, taker) and observed.beats(giver, taker))


def _raises_then_folds(observed: Observed, giver: int, taker: int) -> int:
    return int(giver in observed.raised and observed.gave_up(giver, taker))


def _loses_chips(observed: Observed, giver: int, taker: int) -> int:
    """Score a loss by how often the ante has to be quadrupled to reach it; a win below zero."""
    lost = observed.flows.get((giver, taker), 0)
    won = observed.flows.get((taker, giver), 0)
    return _CHIPS_NONE + _class_of(lost, observed.ante) - _class_of(won, observed.ante)


def _class_of(amount: int, ante: int) -> int:
    if not amount:
        return 0
    quadruplings = (max(amount // ante, 1).bit_length() - 1) // 2
    return min(1 + quadruplings, _CHIPS_CLASS_MAX)


def _answers_quickly(observed: Observed, giver: int, taker: int) -> int | None:
    """Score how quickly the giver moves after the taker: one more for half the time."""
    seconds = observed.answers.get((giver, taker))
    if not seconds:
        return None
    parts = max(median(seconds) * _PARTS_OF_A_SECOND, 1)
    return _SLOWEST - min(int(log2(parts)), _SLOWEST)


SCORES: Final[Mapping[str, Callable[[Observed, int, int], int | None]]] = MappingProxyType(
    {
        "gives_up": _gives_up,
        "gives_up_better": _gives_up_better,
        "raises_then_folds": _raises_then_folds,
        "loses_chips": _loses_chips,
        "answers_quickly": _answers_quickly,
    }
)
"""What is looked at in an encounter."""

SPEAKS_FROM: Final[Mapping[str, int]] = MappingProxyType(
    dict.fromkeys(SCORES, 1) | {"loses_chips": _CHIPS_NONE + 1}
)
"""The score from which on a hand speaks for the flag rather than against it."""


def scores_of(observed: Observed, giver: int, taker: int) -> Scores:
    """Return the scores of an encounter, in the order of :data:`SCORES`, by the two seats."""
    return tuple(score(observed, giver, taker) for score in SCORES.values())


ByKind = dict[str, Counter[int]]
"""How often each score came, by kind of hand."""


class Compared(NamedTuple):
    """The encounters of a pair, and those to hold them against, of one thing that is looked at."""

    shared: ByKind
    by_giver: ByKind  # the giver with others
    by_taker: ByKind  # others with the taker


class Tally:
    """Counts encounters, hand after hand, in memory that grows with the pairs that met."""

    def __init__(self, only: str | None = None) -> None:
        """Count the pairs of everybody, or those of one player."""
        self._only = only
        self._shared: dict[Pair, Counter[Bin]] = {}
        self._giving: dict[str, Counter[Bin]] = {}  # of each giver, one encounter a hand
        self._taking: dict[str, Counter[Bin]] = {}
        self._giving_beside: dict[Pair, Counter[Bin]] = {}  # … in the hands that the pair shared
        self._taking_beside: dict[Pair, Counter[Bin]] = {}
        self.everyone: Counter[Bin] = Counter()  # one encounter of any two, of each hand
        self._known: dict[tuple[bool, str], dict[str, ByKind]] = {}

    def add(self, observed: Observed) -> None:
        """Count a hand. One in which somebody sits twice, or nobody bets, tells nothing."""
        players = observed.players
        if not observed.has_betting or len(set(players.values())) < len(players):
            return
        self._known.clear()
        chance = Chance("investigation", observed.hand)
        bins = {
            (giver, taker): (observed.kind, scores_of(observed, giver, taker))
            for giver in players
            for taker in players
            if giver != taker
        }
        self.everyone[bins[chance.pick(list(bins))]] += 1
        giving, taking = {}, {}
        for seat in players:
            other = chance.pick([number for number in players if number != seat])
            giving[seat], taking[seat] = bins[seat, other], bins[other, seat]
            _count(self._giving, players[seat], giving[seat])
            _count(self._taking, players[seat], taking[seat])
        for (giver, taker), bin_ in bins.items():
            pair = players[giver], players[taker]
            if self._only is None or self._only in pair:
                _count(self._shared, pair, bin_)
                _count(self._giving_beside, pair, giving[giver])
                _count(self._taking_beside, pair, taking[taker])

    def pairs(self, least: int) -> list[Pair]:
        """Return the pairs that shared so many hands, in the order of their names."""
        return sorted(pair for pair, bins in self._shared.items() if bins.total() >= least)

    def compared(self, pair: Pair) -> dict[str, Compared]:
        """Return a pair's encounters, and those of either of them in hands without the other."""
        giver, taker = pair
        shared = by_kind(self._shared[pair])
        giving, taking = self._all(self._giving, giver), self._all(self._taking, taker)
        giving_beside = by_kind(self._giving_beside[pair])
        taking_beside = by_kind(self._taking_beside[pair])
        return {
            what: Compared(
                shared[what],
                _without(giving[what], giving_beside[what], shared[what]),
                _without(taking[what], taking_beside[what], shared[what]),
            )
            for what in SCORES
        }

    def _all(self, counters: dict[str, Counter[Bin]], player: str) -> dict[str, ByKind]:
        """Return all encounters of a player as a giver or as a taker; they are asked for often."""
        key = (counters is self._giving, player)
        if key not in self._known:
            self._known[key] = by_kind(counters[player])
        return self._known[key]


def by_kind(bins: Mapping[Bin, int]) -> dict[str, ByKind]:
    """Return, of each thing looked at, how often each score came, by kind of hand."""
    found: dict[str, ByKind] = {what: {} for what in SCORES}
    for (kind, scores), count in bins.items():
        for of, score in zip(found.values(), scores, strict=True):
            if score is not None:
                if kind not in of:
                    of[kind] = Counter()
                of[kind][score] += count
    return found


def _without(encounters: ByKind, beside: ByKind, kinds: ByKind) -> ByKind:
    """Return encounters but for those in hands that a pair shared, of these kinds of hand."""
    left = {kind: encounters.get(kind, Counter()) - beside.get(kind, Counter()) for kind in kinds}
    return {kind: scores for kind, scores in left.items() if scores}


def _count(counters: dict[K, Counter[Bin]], key: K, bin_: Bin) -> None:
    if key not in counters:
        counters[key] = Counter()
    counters[key][bin_] += 1
