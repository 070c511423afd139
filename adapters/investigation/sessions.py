"""Who comes and goes together: sessions of two players that begin and end at the same time.

A session is a player's hands with no longer a pause between them than half an hour. An encounter is
a session of a player and somebody met in it; it scores 1 where that one has a session that begins
and ends within two minutes of it. What a pair's encounters are held against are sessions of either
without the other, of each one whom it met, drawn by chance.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple

from adapters.investigation.observed import Observed
from adapters.shuffle import Chance

PAUSE_MAX: Final = timedelta(minutes=30)
TOGETHER: Final = timedelta(minutes=2)


class Session(NamedTuple):
    """A player's hands without a long pause."""

    begins: datetime
    ends: datetime
    met: frozenset[str]

    def is_with(self, others: Sequence["Session"]) -> bool:
        """Tell whether one of another player's sessions, in order, begins and ends with this."""
        near = bisect_left(others, self.begins - TOGETHER, key=lambda other: other.begins)
        for other in islice(others, near, None):
            if other.begins > self.begins + TOGETHER:
                return False
            if abs(self.ends - other.ends) <= TOGETHER:
                return True
        return False


class Visits:
    """Keeps when everybody played, and with whom."""

    def __init__(self) -> None:
        self._hands: dict[str, list[tuple[datetime, datetime, tuple[str, ...]]]] = {}
        self._sessions: dict[str, list[Session]] = {}
        self._drawn: dict[str, list[tuple[Session, int]]] = {}

    def add(self, observed: Observed) -> None:
        """Take a hand in."""
        players = tuple(observed.players.values())
        for player in players:
            others = tuple(other for other in players if other != player)
            visit = observed.opened_at, observed.ended_at, others
            self._hands.setdefault(player, []).append(visit)
        self._sessions.clear()
        self._drawn.clear()

    def sessions(self, player: str) -> list[Session]:
        """Return a player's sessions, in order."""
        if player not in self._sessions:
            self._sessions[player] = _sessions(sorted(self._hands.get(player, ())))
        return self._sessions[player]

    def encounters(self, player: str, other: str) -> tuple[Counter[int], Counter[int]]:
        """Return the scores of a player's sessions with another, and of those without."""
        own: Counter[int] = Counter()
        without: Counter[int] = Counter()
        others = self.sessions(other)
        for session, of_drawn in self._with_drawn(player):
            if other in session.met:
                own[int(session.is_with(others))] += 1
            else:
                without[of_drawn] += 1
        return own, without

    def together(self, player: str, other: str) -> list[Session]:
        """Return a player's sessions that another's begin and end with."""
        return [
            session
            for session in self.sessions(player)
            if other in session.met and session.is_with(self.sessions(other))
        ]

    def _with_drawn(self, player: str) -> list[tuple[Session, int]]:
        """Return a player's sessions in which somebody was met, with the score of one drawn."""
        if player not in self._drawn:
            self._drawn[player] = found = []
            for session in self.sessions(player):
                if session.met:
                    chance = Chance("investigation", player, session.begins.isoformat())
                    drawn = self.sessions(chance.pick(sorted(session.met)))
                    found.append((session, int(session.is_with(drawn))))
        return self._drawn[player]


def _sessions(hands: Sequence[tuple[datetime, datetime, tuple[str, ...]]]) -> list[Session]:
    found: list[Session] = []
    for opened, ended, others in hands:
        if found and opened - found[-1].ends <= PAUSE_MAX:
            last = found[-1]
            found[-1] = Session(last.begins, max(last.ends, ended), last.met.union(others))
        else:
            found.append(Session(opened, ended, frozenset(others)))
    return found
