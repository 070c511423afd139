"""What a settled hand tells of each seat: what it came to, whom it gave up to, how it moved."""

import itertools
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from adapters.investigation.flows import flows
from adapters.ledger import PositionedEntry
from domain.errors import HandNotOverError
from domain.events import (
    AllInTaken,
    BetCalled,
    BetRaised,
    CardsDealt,
    Event,
    HandFolded,
    HandOpened,
    HandsCompared,
    HandSettled,
    LastStandTaken,
)
from domain.zhajinhua.ranking import duel
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import rules_at_table

_MOVES: Final = (BetCalled, BetRaised, HandFolded, AllInTaken, LastStandTaken, HandsCompared)


class Observed(NamedTuple):
    """A settled hand as an investigator counts it. Seats by number, amounts in minor units."""

    hand: str
    position: int  # of its opening
    opened_at: datetime  # as whoever gave the command says, as all times here
    ended_at: datetime
    rulebook: str
    version: int
    ante: int
    has_betting: bool
    players: Mapping[int, str]
    net: Mapping[int, int]
    flows: Mapping[tuple[int, int], int]  # from loser to winner
    gave_up_to: Mapping[int, frozenset[int]]  # a seat that folded: the others then still in
    raised: frozenset[int]
    winners: frozenset[int]
    answers: Mapping[tuple[int, int], tuple[float, ...]]  # a seat after another: seconds
    actors: Mapping[int, frozenset[str]]  # who gave a seat's commands
    cards: Mapping[int, str]
    rules: ZhajinhuaRulebook  # in force at its table

    @property
    def kind(self) -> str:
        """Return the kind of hand, to be compared with no other: its rulebook and how many sat."""
        return f"{self.rulebook}.v{self.version}/{len(self.players)}"

    def gave_up(self, seat: int, other: int) -> bool:
        """Tell whether a seat folded while another was in that then won."""
        return other in self.winners and other in self.gave_up_to.get(seat, ())

    def beats(self, seat: int, other: int) -> bool:
        """Tell whether a seat held better cards than another."""
        return duel(self.cards[seat], self.cards[other], self.rules) > 0


def observe(hand: str, stored: Sequence[PositionedEntry]) -> Observed:
    """Return what a hand tells.

    Args:
        hand: Its id.
        stored: Its whole stream, in order.

    Raises:
        HandNotOverError: It is running, or was declared void: nobody won anything.
    """
    events = [entry.event for _, entry in stored]
    opening = next(event for event in events if isinstance(event, HandOpened))
    ended = next((s for s in stored if isinstance(s.entry.event, HandSettled)), None)
    if ended is None:
        raise HandNotOverError(f"hand {hand} is not settled", hand=hand)
    settled = ended.entry.event
    assert isinstance(settled, HandSettled), settled
    rulebook = find(opening.rulebook, opening.version)
    ante = opening.table["ante"]
    assert isinstance(ante, int), ante
    settlement = settled.settlement
    return Observed(
        hand=hand,
        position=stored[0].position,
        opened_at=stored[0].entry.cause.at,
        ended_at=ended.entry.cause.at,
        rulebook=opening.rulebook,
        version=opening.version,
        ante=ante,
        has_betting=rulebook.play == "betting",
        players={taken.seat: taken.player for taken in opening.seats},
        net={int(seat): result["net"] for seat, result in settlement["seats"].items()},
        flows=flows(settlement),
        gave_up_to=_folds(events, {taken.seat for taken in opening.seats}),
        raised=frozenset(event.seat for event in events if isinstance(event, BetRaised)),
        winners=frozenset(settlement["winners"]),
        answers=_answers(stored),
        actors=_actors(stored),
        cards=next(event.cards for event in events if isinstance(event, CardsDealt)),
        rules=rules_at_table(rulebook, opening.table),
    )


def _folds(events: Sequence[Event], seats: set[int]) -> dict[int, frozenset[int]]:
    """Return, of each seat that folded, the others that were still in."""
    left, folded = set(seats), {}
    for event in events:
        if isinstance(event, HandFolded):
            left.discard(event.seat)
            folded[event.seat] = frozenset(left)
        elif isinstance(event, HandsCompared):
            left.difference_update(event.out)
    return folded


def _answers(stored: Sequence[PositionedEntry]) -> dict[tuple[int, int], tuple[float, ...]]:
    """Return how long each seat took to move after each other; nothing where no time was kept.

    A hand that was imported may have one time for all of its events.
    """
    moves = [
        (seat, entry.cause.at, getattr(entry.event, "by", "choice"))
        for _, entry in stored
        if isinstance(entry.event, _MOVES) and (seat := _mover(entry.event)) is not None
    ]
    if len({at for _, at, _ in moves}) < 2:  # noqa: PLR2004 - one time is none
        return {}
    found: dict[tuple[int, int], list[float]] = {}
    for (before, since, _), (seat, at, by) in itertools.pairwise(moves):
        if seat != before and by == "choice" and at >= since:
            found.setdefault((seat, before), []).append((at - since).total_seconds())
    return {pair: tuple(seconds) for pair, seconds in found.items()}


def _actors(stored: Sequence[PositionedEntry]) -> dict[int, frozenset[str]]:
    """Return who gave the commands by which each seat moved."""
    found: dict[int, set[str]] = {}
    for _, entry in stored:
        if isinstance(entry.event, _MOVES) and (seat := _mover(entry.event)) is not None:
            found.setdefault(seat, set()).add(entry.cause.actor)
    return {seat: frozenset(actors) for seat, actors in found.items()}


def _mover(event: Event) -> int | None:
    """Return whose move an event is; a duel that the rules demand is nobody's."""
    if isinstance(event, HandsCompared):
        return event.challenger if event.why in {"compare", "shove"} else None
    seat: int | None = getattr(event, "seat", None)
    return seat
