"""How likely what was counted is by chance: one test for everything that is flagged.

Some encounters of a pair are among others of the same kinds of hand. Were it chance which of them
are the pair's, any as many of each kind would be as likely. So the sum of the pair's scores has a
known distribution, and how likely it is to be so high is computed exactly: nothing is supposed of
how scores are distributed, and no sample is drawn. Where that takes long, a bound stands in that is
never below it (Hoeffding 1963: a sum drawn without replacement is spread less than one with).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln  # type: ignore[import-untyped]

Floats = NDArray[np.float64]

_WORK_MAX: Final = 300_000_000  # multiplications for one exact answer
_UNREMARKABLE: Final = 2.0  # standard deviations above what is expected; below, nothing is flagged
_STEEPEST: Final = 60.0  # exponent of the bound
_STEPS: Final = 60  # of bisection


class Stratum(NamedTuple):
    """Encounters of one kind of hand: the pair's, and the others, by score, which is >= 0."""

    own: Mapping[int, int]
    others: Mapping[int, int]


class Likelihood(NamedTuple):
    """What was seen, what the others would give, and how likely as much or more is by chance."""

    observed: int
    expected: float  # as many encounters of the others, on average
    p: float
    is_exact: bool


def likelihood(strata: Iterable[Stratum]) -> Likelihood | None:
    """Return how likely it is that the pair's scores are so high; None where nothing compares.

    A kind of hand that only one side has is left out. Of what is less than two standard deviations
    above the expected the p-value is given as 1: it would be flagged in no case.
    """
    compared = [stratum for stratum in strata if stratum.own and stratum.others]
    if not compared:
        return None
    observed = sum(_sum(own) for own, _ in compared)
    expected = sum(_count(own) * _sum(others) / _count(others) for own, others in compared)
    if observed <= expected:
        return Likelihood(observed, expected, 1.0, is_exact=True)
    mean = variance = 0.0
    for own, others in compared:
        n, pool = _count(own), _pool(own, others)
        total = _count(pool)
        average = _sum(pool) / total
        mean += n * average
        spread = sum(c * (score - average) ** 2 for score, c in pool.items()) / (total - 1)
        variance += n * (1 - n / total) * spread
    if observed <= mean + _UNREMARKABLE * sqrt(variance):
        return Likelihood(observed, expected, 1.0, is_exact=True)
    if sum(_work(stratum) for stratum in compared) > _WORK_MAX:
        return Likelihood(observed, expected, _bound(compared, observed), is_exact=False)
    distribution = np.ones(1)
    for stratum in compared:
        distribution = np.convolve(distribution, _distribution(stratum))
    p = min(float(distribution[observed:].sum()), 1.0)
    return Likelihood(observed, expected, p, is_exact=True)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for their number, after Holm (1979).

    To flag what is at most alpha then raises a false flag in at most alpha of all runs, however the
    tests depend on each other.
    """
    corrected, highest = [1.0] * len(p_values), 0.0
    for place, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min((len(p_values) - place) * p_values[at], 1.0))
        corrected[at] = highest
    return corrected


def _pool(own: Mapping[int, int], others: Mapping[int, int]) -> Mapping[int, int]:
    return Counter(own) + Counter(others)


def _count(scores: Mapping[int, int]) -> int:
    return sum(scores.values())


def _sum(scores: Mapping[int, int]) -> int:
    return sum(score * count for score, count in scores.items())


def _work(stratum: Stratum) -> int:
    """Return how many multiplications the exact distribution of a stratum takes, about."""
    n, pool = _count(stratum.own), _pool(*stratum)
    return 0 if max(pool) <= 1 else len(pool) * n * n * n * max(pool)


def _distribution(stratum: Stratum) -> Floats:
    """Return how likely each sum of scores is, of as many as are the pair's."""
    n, pool = _count(stratum.own), _pool(*stratum)
    if max(pool) <= 1:
        return _hypergeometric(pool.get(1, 0), _count(pool), n)
    # Independent binomials, given their sum, are draws without replacement: nothing overflows.
    share = n / _count(pool)
    ways = np.zeros((n + 1, n * max(pool) + 1))
    ways[0, 0] = 1.0
    for score, count in pool.items():
        added = np.zeros_like(ways)
        for drawn, weight in enumerate(_binomial(count, share, min(count, n))):
            shift = drawn * score
            added[drawn:, shift:] += weight * ways[: n + 1 - drawn, : ways.shape[1] - shift]
        ways = added
    of_all: Floats = ways[n] / ways[n].sum()
    return of_all


def _hypergeometric(marked: int, total: int, drawn: int) -> Floats:
    """Return how likely 0, 1, 2 … marked ones are among those drawn."""
    hits = np.arange(drawn + 1)
    possible = (hits <= marked) & (drawn - hits <= total - marked)
    found = np.zeros(drawn + 1)
    k = hits[possible]
    ways = _log_ways(marked, k) + _log_ways(total - marked, drawn - k)
    found[possible] = np.exp(ways - _log_ways(total, np.array([drawn])))
    return found


def _binomial(count: int, share: float, most: int) -> Floats:
    hits = np.arange(most + 1)
    if share >= 1:
        return np.asarray(hits == count, dtype=np.float64)
    logs = _log_ways(count, hits) + hits * log(share) + (count - hits) * log(1 - share)
    return np.asarray(np.exp(logs), dtype=np.float64)


def _log_ways(count: int, chosen: NDArray[np.int64]) -> Floats:
    logs = gammaln(count + 1) - gammaln(chosen + 1) - gammaln(count - chosen + 1)
    return np.asarray(logs, dtype=np.float64)


def _bound(strata: Sequence[Stratum], observed: int) -> float:
    """Return what the likelihood is at most, by the exponent that makes that least."""
    low, high = 0.0, _STEEPEST / max(max(_pool(*stratum)) for stratum in strata)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        slope = sum(_moments(stratum, middle)[1] for stratum in strata)
        low, high = (middle, high) if slope < observed else (low, middle)
    return min(exp(sum(_moments(stratum, low)[0] for stratum in strata) - low * observed), 1.0)


def _moments(stratum: Stratum, exponent: float) -> tuple[float, float]:
    """Return the logarithm of the moment generating function of a sum, and its slope."""
    n, pool = _count(stratum.own), _pool(*stratum)
    weights = {score: count * exp(exponent * score) for score, count in pool.items()}
    total = sum(weights.values())
    slope = sum(score * weight for score, weight in weights.items()) / total
    return n * log(total / _count(pool)), n * slope
