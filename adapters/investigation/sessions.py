"""Who comes and goes together: sessions of two players that begin and end at the same time.

A session is a player's hands with no longer a pause between them than half an hour. A trial is a
session of a player and somebody met in it; it scores 1 where that one has a session that begins and
ends within two minutes of it. What a pair's trials are held against are sessions of either without
the other, of each one whom it met, drawn by chance.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
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
        """Tell whether one of another player's sessions begins and ends when this one does."""
        return any(
            abs(self.begins - other.begins) <= TOGETHER and abs(self.ends - other.ends) <= TOGETHER
            for other in others
        )


class Visits:
    """Keeps when everybody played, and with whom."""

    def __init__(self) -> None:
        self._hands: dict[str, list[tuple[datetime, datetime, tuple[str, ...]]]] = {}
        self._sessions: dict[str, list[Session]] = {}

    def add(self, observed: Observed) -> None:
        """Take a hand in."""
        players = tuple(observed.players.values())
        for player in players:
            others = tuple(other for other in players if other != player)
            visit = observed.opened_at, observed.ended_at, others
            self._hands.setdefault(player, []).append(visit)
        self._sessions.clear()

    def sessions(self, player: str) -> list[Session]:
        """Return a player's sessions, in order."""
        if player not in self._sessions:
            self._sessions[player] = _sessions(sorted(self._hands.get(player, ())))
        return self._sessions[player]

    def trials(self, player: str, other: str) -> tuple[Counter[int], Counter[int]]:
        """Return the scores of a player's sessions with another, and of those without."""
        own: Counter[int] = Counter()
        without: Counter[int] = Counter()
        for session in self.sessions(player):
            if other in session.met:
                own[int(session.is_with(self.sessions(other)))] += 1
            elif session.met:
                chance = Chance("investigation", player, session.begins.isoformat())
                drawn = chance.pick(sorted(session.met))
                without[int(session.is_with(self.sessions(drawn)))] += 1
        return own, without

    def together(self, player: str, other: str) -> list[Session]:
        """Return a player's sessions that another's begin and end with."""
        return [
            session
            for session in self.sessions(player)
            if other in session.met and session.is_with(self.sessions(other))
        ]


def _sessions(hands: Sequence[tuple[datetime, datetime, tuple[str, ...]]]) -> list[Session]:
    found: list[Session] = []
    for opened, ended, others in hands:
        if found and opened - found[-1].ends <= PAUSE_MAX:
            last = found[-1]
            found[-1] = Session(last.begins, max(last.ends, ended), last.met.union(others))
        else:
            found.append(Session(opened, ended, frozenset(others)))
    return found
