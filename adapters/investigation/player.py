"""All hands of a player, or of everybody: what they came to, who won from whom, what is flagged."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from adapters.investigation.encounters import Tally
from adapters.investigation.observed import Observed, observe
from adapters.investigation.reading import Read, Unreadable
from adapters.investigation.sessions import Visits
from domain.errors import HandNotOverError, UnknownRulebookError
from domain.stream import BROKEN


class Span(NamedTuple):
    """When a hand has to have opened to count. ``None`` leaves an end open."""

    since: datetime | None = None
    until: datetime | None = None

    def holds(self, moment: datetime) -> bool:
        """Tell whether a moment is in it; its end is not."""
        return (self.since is None or moment >= self.since) and (
            self.until is None or moment < self.until
        )


class Result(NamedTuple):
    """What hands came to for a player: under one rulebook, or against one opponent."""

    name: str  # "jiuyou.v1", or the opponent
    hands: int
    won: int  # minor units; from the opponent
    lost: int
    net: int


class SharedActor(NamedTuple):
    """Somebody who gave the commands of two players, of nobody else, and not at one table only."""

    actor: str
    players: tuple[str, str]
    hands: tuple[int, int]  # of each, in which the actor moved
    together: int  # of these, those that the two shared


class Inquiry:
    """Takes hands in, one after another, in memory that grows with players and pairs."""

    def __init__(self, player: str | None = None, span: Span | None = None) -> None:
        """Look at one player, or at everybody."""
        self.player = player
        self.tally = Tally(player)
        self.visits = Visits()
        self.hands = 0  # settled, in the span; of the player where there is one
        self.left_out: Counter[str] = Counter()  # running or void, unreadable, outside the span
        self._span = span or Span()
        self._by_rulebook: dict[str, Counter[str]] = {}
        self._against: dict[str, Counter[str]] = {}
        self._actors: dict[str, Counter[str]] = {}
        self._with_both: Counter[str] = Counter()

    def observed(self, hands: Iterable[tuple[str, Read]]) -> Iterator[Observed]:
        """Yield the hands that count; of the others it is kept how many and why."""
        for hand, read in hands:
            seen = self._observe(hand, read)
            if isinstance(seen, Observed):
                yield seen
            else:
                self.left_out[seen] += 1

    def add(self, observed: Observed) -> None:
        """Take a hand in."""
        self.tally.add(observed)
        self.visits.add(observed)
        self._note_actors(observed)
        if self.player is None:
            self.hands += 1
            return
        own = [seat for seat, player in observed.players.items() if player == self.player]
        if not own:
            return
        self.hands += 1
        rulebook = f"{observed.rulebook}.v{observed.version}"
        self._by_rulebook.setdefault(rulebook, Counter()).update(
            hands=1, net=sum(observed.net[seat] for seat in own)
        )
        for other in {*observed.players.values()} - {self.player}:
            self._against.setdefault(other, Counter())["hands"] += 1
        for (loser, winner), amount in observed.flows.items():
            giver, taker = observed.players[loser], observed.players[winner]
            if giver != taker and self.player in {giver, taker}:
                other, word = (giver, "won") if taker == self.player else (taker, "lost")
                self._against[other][word] += amount

    @property
    def by_rulebook(self) -> list[Result]:
        """Return what the player's hands came to, by rulebook, rake and bonuses included."""
        return [
            Result(name, of["hands"], max(of["net"], 0), max(-of["net"], 0), of["net"])
            for name, of in sorted(self._by_rulebook.items())
        ]

    @property
    def opponents(self) -> list[Result]:
        """Return what the player won from each opponent and lost, most lost first."""
        found = [
            Result(name, of["hands"], of["won"], of["lost"], of["won"] - of["lost"])
            for name, of in self._against.items()
        ]
        return sorted(found, key=lambda result: (result.net, result.name))

    @property
    def shared_actors(self) -> list[SharedActor]:
        """Return who gave the commands of two players and of no third, in hands apart too."""
        found = []
        for actor, hands in sorted(self._actors.items()):
            if len(hands) == 2 and (self.player is None or self.player in hands):  # noqa: PLR2004
                one, other = sorted(hands)
                together = self._with_both[actor]
                if min(hands.values()) > together:
                    counted = hands[one], hands[other]
                    found.append(SharedActor(actor, (one, other), counted, together))
        return found

    def _observe(self, hand: str, read: Read) -> Observed | str:
        """Return a hand, or why it does not count."""
        if isinstance(read, Unreadable):
            return "unreadable"
        try:
            seen = observe(hand, read)
        except HandNotOverError:
            return "not_settled"
        except BROKEN:
            return "unreadable"
        except UnknownRulebookError:
            return "unknown_rulebook"
        return seen if self._span.holds(seen.opened_at) else "other_time"

    def _note_actors(self, observed: Observed) -> None:
        moved: dict[str, set[str]] = {}
        for seat, actors in observed.actors.items():
            for actor in actors:
                moved.setdefault(actor, set()).add(observed.players[seat])
        for actor, players in moved.items():
            known = self._actors.setdefault(actor, Counter())
            if len(known) <= 2:  # noqa: PLR2004 - of a third one no more is kept
                known.update(players)
                self._with_both[actor] += len(players) > 1
