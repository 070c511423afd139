"""What is flagged: what one player does towards another, and chance does not make likely.

Each flag is held against two models of chance at once, and the larger p-value counts: that the
giver treats this taker as it treats others, and that others treat the taker as this giver does. So
one who folds to everybody is not flagged, nor one to whom everybody folds. All p-values of a run
are corrected for their number together, after Holm: at most ``alpha`` of the runs over honest play
raise any flag.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from adapters.investigation.encounters import (
    SCORES,
    SPEAKS_FROM,
    ByKind,
    Compared,
    Pair,
    Tally,
    by_kind,
    scores_of,
)
from adapters.investigation.likelihood import Likelihood, Stratum, holm, likelihood
from adapters.investigation.observed import Observed
from adapters.investigation.sessions import Visits

SESSIONS: Final = "sessions_together"

HANDS_LEAST: Final = 10
"""Encounters that a pair needs to be tested, unless it is said; and that the others need."""

_PLACES: Final = {what: place for place, what in enumerate(SCORES)}
_EVERYBODY: Final = "everybody"


class Behind(NamedTuple):
    """A hand behind a flag."""

    hand: str
    position: int  # of its opening
    score: int | None  # of its encounter; None where the flag is of sessions
    chips: int  # that the giver lost to the taker, minor units; below zero that it won


class Flag(NamedTuple):
    """Something that chance does not make likely."""

    what: str  # gives_up, loses_chips, …
    giver: str
    taker: str
    encounters: int
    observed: int  # sum of the scores
    expected_of_giver: float  # from the giver's encounters with others
    expected_of_taker: float  # from others' encounters with the taker
    against: tuple[str, str]  # whose encounters each of these is from: a player's, or everybody's
    p: float  # the larger of the two
    corrected: float  # for the number of tests
    is_exact: bool  # else p is a bound that the p-value is not above
    behind: tuple[Behind, ...] = ()


class Judgement(NamedTuple):
    """What the tests of a run came to."""

    alpha: float
    tests: int
    least: int  # encounters that a pair needed
    flags: list[Flag]
    smallest: list[Flag]  # the likeliest to be something, flagged or not


def judge(
    tally: Tally,
    visits: Visits,
    *,
    alpha: float,
    least: int = HANDS_LEAST,
    told: int = 5,
    progress: Callable[[int, int | None], None] = lambda _done, _of: None,
) -> Judgement:
    """Test every pair that was counted, and flag what stays below alpha once corrected.

    Args:
        tally: The encounters.
        visits: Who played when.
        alpha: In how many of all runs over honest play a flag may be raised.
        least: Encounters that a pair needs to be tested; which are tested depends on nothing else.
        told: How many of the smallest p-values are told of.
        progress: Told how many pairs are tested, and of how many.
    """
    tested = list(_tested(tally, visits, least, progress))
    corrected = holm([flag.p for flag in tested])
    judged = [flag._replace(corrected=p) for flag, p in zip(tested, corrected, strict=True)]
    judged.sort(key=lambda flag: (flag.p, flag.what, flag.giver, flag.taker))
    flags = [flag for flag in judged if flag.corrected <= alpha]
    return Judgement(alpha, len(judged), least, flags, judged[:told])


def with_hands(flags: Sequence[Flag], visits: Visits, hands: Iterable[Observed]) -> list[Flag]:
    """Return flags with the hands behind each, those that weigh most first.

    Args:
        flags: As they were judged.
        visits: Who played when.
        hands: All hands once more.
    """
    found: dict[int, list[Behind]] = {at: [] for at in range(len(flags))}
    for observed in hands:
        seats = {player: seat for seat, player in observed.players.items()}
        for at, flag in enumerate(flags):
            if flag.giver in seats and flag.taker in seats:
                found[at] += _behind(flag, observed, seats, visits)
    return [
        flag._replace(behind=tuple(sorted(found[at], key=_weight))) for at, flag in enumerate(flags)
    ]


def _weight(behind: Behind) -> tuple[int, int, int]:
    return -(behind.score or 0), -behind.chips, behind.position


def _behind(
    flag: Flag, observed: Observed, seats: Mapping[str, int], visits: Visits
) -> Iterator[Behind]:
    """Yield a hand if it speaks for a flag."""
    giver, taker = seats[flag.giver], seats[flag.taker]
    lost = observed.flows.get((giver, taker), 0) - observed.flows.get((taker, giver), 0)
    if flag.what == SESSIONS:
        sessions = visits.together(flag.giver, flag.taker)
        if any(session.begins <= observed.opened_at <= session.ends for session in sessions):
            yield Behind(observed.hand, observed.position, None, lost)
        return
    if not observed.has_betting or len(seats) < len(observed.players):
        return
    score = scores_of(observed, giver, taker)[_PLACES[flag.what]]
    if score is not None and score >= SPEAKS_FROM[flag.what]:
        yield Behind(observed.hand, observed.position, score, lost)


def _tested(
    tally: Tally, visits: Visits, least: int, progress: Callable[[int, int | None], None]
) -> Iterator[Flag]:
    """Yield every test that can be made, not yet corrected."""
    pairs = tally.pairs(least)
    everyone = by_kind(tally.everyone)
    for done, pair in enumerate(pairs, start=1):
        progress(done, len(pairs))
        for what, compared in tally.compared(pair).items():
            flag = _test(what, pair, compared, everyone[what], least)
            if flag is not None:
                yield flag
    for player, other in pairs:
        if player < other:
            flag = _sessions_tested(visits, (player, other), least)
            if flag is not None:
                yield flag


def _test(what: str, pair: Pair, compared: Compared, everyone: ByKind, least: int) -> Flag | None:
    """Test a pair's encounters; where one of it has too few with others, against everybody's."""
    sides: list[tuple[str, Likelihood]] = []
    encounters = 0
    own, *others = compared
    for player, known in zip(pair, others, strict=True):
        is_known = sum(known[kind].total() for kind in own if kind in known) >= HANDS_LEAST
        against = known if is_known else everyone
        strata = [Stratum(own[kind], against[kind]) for kind in own if kind in against]
        encounters = sum(sum(stratum.own.values()) for stratum in strata)
        found = likelihood(strata)
        if found is None or encounters < least:
            return None
        sides.append((player if is_known else _EVERYBODY, found))
    return _flag(what, pair, encounters, sides)


def _sessions_tested(visits: Visits, pair: Pair, least: int) -> Flag | None:
    """Test whether two players come and go together."""
    sides: list[tuple[str, Likelihood]] = []
    encounters = 0
    for player, other in (pair, pair[::-1]):
        own, without = visits.encounters(player, other)
        encounters = own.total()
        found = likelihood([Stratum(own, without)])
        if found is None or min(encounters, without.total()) < least:
            return None
        sides.append((player, found))
    return _flag(SESSIONS, pair, encounters, sides)


def _flag(what: str, pair: Pair, encounters: int, sides: Sequence[tuple[str, Likelihood]]) -> Flag:
    (of_giver, giver), (of_taker, taker) = sides
    stands = max(giver, taker, key=lambda side: side.p)
    return Flag(
        what=what,
        giver=pair[0],
        taker=pair[1],
        encounters=encounters,
        observed=stands.observed,
        expected_of_giver=giver.expected,
        expected_of_taker=taker.expected,
        against=(of_giver, of_taker),
        p=stands.p,
        corrected=1.0,
        is_exact=giver.is_exact and taker.is_exact,
    )
