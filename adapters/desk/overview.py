"""The first page: how much was played, what the house took, and whether all is as it should be."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from adapters.clock import now
from adapters.desk.rendering import page, to
from adapters.desk.saving import Run, last_run
from adapters.evidence.checkpoints import StoredCheckpoint, newest
from adapters.http_api.callers import Caller, Reader
from adapters.http_api.service import Here, Service
from adapters.registers.api_keys import Role
from adapters.views.disputes import OpenDisputes
from adapters.views.hand_counts import HandCount
from adapters.views.projector import Projector
from projections.hands.row import State
from projections.house import HouseRow

router = APIRouter()


class Day(NamedTuple):
    """A day: what was played on it, and what the house took and gave."""

    day: date
    hands: int
    volume: int  # minor units, as all that follow
    rake: int
    bonus: int | None  # that the house paid; None where a key is not for all tables


class Played(NamedTuple):
    """The hands under a rulebook, by state."""

    rulebook: str
    version: int
    states: Mapping[State, int]
    volume: int  # minor units


class Overview(NamedTuple):
    """What the first page shows."""

    days: Sequence[Day]
    played: Sequence[Played]
    bonuses: int | None  # minor units, of all players; None where a key is not for all tables
    disputes: OpenDisputes
    events: int
    lag: Mapping[str, int]  # events, by read model
    age: float  # seconds, of the oldest event that one of them lacks
    checkpoint: StoredCheckpoint | None
    run: Run | None

    @property
    def states(self) -> Mapping[State, int]:
        """The number of hands in each state."""
        total = Counter[State]()
        for one in self.played:
            total.update(one.states)
        return total

    @property
    def volume(self) -> int:
        """All that was put into pots."""
        return sum(one.volume for one in self.played)

    @property
    def rake(self) -> int:
        """All that the house took of them."""
        return sum(one.rake for one in self.days)


@router.get("/", response_model=None)
async def overview_page(request: Request, caller: Reader, service: Here) -> Response:
    """Show how the ledger is doing; a player is led to the player's own page."""
    if caller.role is Role.PLAYER:
        return RedirectResponse(to("/players/{player}", player=caller.player), 303)
    overview = await service.read(lambda: _read(service, caller))
    return page(request, "overview.html", overview=overview)


def _read(service: Service, caller: Caller) -> Overview:
    """Read it; of a key that is bound to tables, what concerns them alone."""
    views, store, is_bound = service.views, service.ledger.ledger.store, caller.tables is not None
    counts = views.hand_counts(caller.tables)
    projector = Projector(service.pools["history"])
    return Overview(
        days=_days(counts, None if is_bound else views.house()),
        played=_played(counts),
        bonuses=None if is_bound else views.bonus_total(),
        disputes=views.open_disputes(now(), caller.tables),
        events=service.ledger.ledger.recorder.max_notification_id() or 0,
        lag=projector.lag(),
        age=max(projector.ages().values()),
        checkpoint=newest(store),
        run=None if is_bound else last_run(store),
    )


def _days(counts: Iterable[HandCount], house: Iterable[HouseRow] | None) -> list[Day]:
    """Put hands and the house's accounts together, day by day."""
    hands, volume, rake, bonus = Counter[date](), Counter[date](), Counter[date](), Counter[date]()
    for count in counts:
        hands[count.day] += count.hands
        volume[count.day] += count.volume
        if house is None:
            rake[count.day] += count.rake
    for row in house or ():
        rake[row.day] += row.rake
        bonus[row.day] -= row.bonus
    return [
        Day(day, hands[day], volume[day], rake[day], None if house is None else bonus[day])
        for day in sorted(hands.keys() | rake.keys())
    ]


def _played(counts: Iterable[HandCount]) -> list[Played]:
    found: dict[tuple[str, int], list[HandCount]] = {}
    for count in counts:
        found.setdefault((count.rulebook, count.version), []).append(count)
    played = []
    for (rulebook, version), rows in sorted(found.items()):
        states = Counter[State]()
        for row in rows:
            states[row.state] += row.hands
        played.append(Played(rulebook, version, states, sum(row.volume for row in rows)))
    return played
