"""A hand as frames: how the table stood after each event, and what is to be said of it.

A pure function of the events as their reader may see them (adapters/http_api/sights.py): a card
that is hidden there is hidden here. Of events that somebody tampered with, there are as many
frames as lead somewhere.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import accumulate
from typing import Final, NamedTuple, TypeVar

from adapters.hand_words import bonus_of, kind_of
from adapters.ledger import PositionedEntry
from adapters.registers.refusals import StoredRefusal
from adapters.show import Moment, timeline
from domain.cards import are_three_known
from domain.errors import RefusalError
from domain.events import (
    AllFolded,
    BetRaised,
    BonusGranted,
    Event,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandsOpened,
    HandVoided,
    SettlementClaimed,
    ToppedUp,
)
from domain.sight import as_seen
from domain.stream import BROKEN
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.explanation import Step, explain
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import HandState, Seat, opened
from domain.zhajinhua.wording import VOCABULARIES, Language

T = TypeVar("T")

LEADS_NOWHERE: Final = (RefusalError, *BROKEN)
"""What following events raises that make no hand."""


class Deed(NamedTuple):
    """What an event is, in as little as a few words need."""

    kind: str  # the event's own word: "bet_called"; of a duel why, too: "hands_compared_forced"
    seat: int | None = None  # who did it, or whom it is about
    other: int | None = None  # whom it met
    amount: int | None = None  # that it is about, minor units: a stake, a bonus, a top-up
    price: int | None = None  # that the seat put into the pot, minor units
    seats: tuple[int, ...] = ()  # those that it put out, that won, or that were opened
    who: str = ""  # who claims, or why the hand is void
    timed_out: bool = False


class SeatFrame(NamedTuple):
    """How one seat stood. Amounts in minor units."""

    seat: int
    player: str
    stack: int
    put_in: int
    cards: str  # as their reader may see them; nothing before the deal
    category: str  # of these, in the language; nothing where they are not shown
    seen: bool | None  # None where the rules let nobody look
    out: bool
    all_in: bool
    on_turn: bool
    won: bool
    net: int | None  # once the hand is settled
    last: Deed | None  # what the seat did last


class Frame(NamedTuple):
    """The table after one event. Amounts in minor units."""

    step: int  # the event's version: 1 for the opening
    position: int
    at: datetime
    actor: str
    command_id: str
    deed: Deed
    pot: int
    stake: int
    round: int
    is_over: bool
    seats: tuple[SeatFrame, ...]  # by number
    argument: tuple[Step, ...]


class Replay(NamedTuple):
    """A hand's frames, and how many events they should have been."""

    frames: Sequence[Frame]
    events: int

    @property
    def end(self) -> int:
        """Return the step that the hand ended with: settled, or void; else the last there is."""
        over = (frame.step for frame in self.frames if frame.is_over)
        return next(over, len(self.frames))

    @property
    def is_whole(self) -> bool:
        """Tell whether every event leads somewhere."""
        return len(self.frames) == self.events


def replay(stored: Sequence[PositionedEntry], lang: Language) -> Replay:
    """Return the frames of a hand.

    Args:
        stored: Its events as their reader may see them.
        lang: Of the argument.
    """
    events = [entry.event for _, entry in stored]
    told = as_seen(events)  # a running hand is argued without anybody's cards
    arguing = _as_far_as_it_goes(len(events), lambda upto: explain(told[:upto], lang))
    argument: dict[int, list[Step]] = {}
    for step in arguing or ():
        argument.setdefault(step.version, []).append(step)
    work = partial(_frames, argument=argument, lang=lang)
    frames = _as_far_as_it_goes(len(events), lambda upto: work(stored[:upto]))
    return Replay(_without_a_turn(frames or [], len(events)), len(events))


def _without_a_turn(frames: list[Frame], events: int) -> list[Frame]:
    """Return frames that break off without saying whose turn it is: the hand went on."""
    if 0 < len(frames) < events and any(seat.on_turn for seat in frames[-1].seats):
        frames[-1] = frames[-1]._replace(argument=frames[-1].argument[:-1])
    return frames


def placed(
    refused: Iterable[StoredRefusal], frames: Sequence[Frame]
) -> dict[int, list[StoredRefusal]]:
    """Return what was refused, by the step after which it was; 0 is before the opening.

    A refusal has no place among the events. It is put where the clock of whoever decided both
    has it, which proves nothing of their order.
    """
    found: dict[int, list[StoredRefusal]] = {}
    for refusal in refused:
        before = [frame.step for frame in frames if frame.at <= refusal.happened_at]
        found.setdefault(max(before, default=0), []).append(refusal)
    return found


def _as_far_as_it_goes(count: int, work: Callable[[int], T]) -> T | None:
    """Return what comes of the longest beginning of a hand that leads anywhere, if any does."""

    def fails(upto: int) -> bool:
        try:
            work(upto)
        except LEADS_NOWHERE:
            return True
        return False

    try:
        return work(count)
    except LEADS_NOWHERE:
        pass
    upto = bisect_left(range(1, count + 1), 1, key=fails)
    return work(upto) if upto else None


def _frames(
    stored: Sequence[PositionedEntry], argument: Mapping[int, Sequence[Step]], lang: Language
) -> list[Frame]:
    """Return a frame for each event.

    Raises:
        LEADS_NOWHERE: One of them makes no hand.
    """
    events = [entry.event for _, entry in stored]
    opening = events[0]
    assert isinstance(opening, HandOpened), "a hand begins with its opening"
    states = accumulate(events[1:], evolve, initial=opened(opening))
    last: dict[int, Deed] = {}
    settled: HandSettled | None = None
    frames = []
    for moment, event, state in zip(timeline(stored), events, states, strict=True):
        deed = deed_of(event)._replace(price=moment.price)
        last |= dict.fromkeys(_doers(event, deed), deed)
        settled = event if isinstance(event, HandSettled) else settled
        seats = tuple(
            _seat(state, state.seats[number], settled, last.get(number), lang)
            for number in sorted(state.seats)
        )
        frames.append(_frame(moment, deed, state, seats, argument.get(moment.version, ())))
    return frames


def _frame(
    moment: Moment,
    deed: Deed,
    state: HandState,
    seats: tuple[SeatFrame, ...],
    argument: Iterable[Step],
) -> Frame:
    return Frame(
        step=moment.version,
        position=moment.position,
        at=moment.at,
        actor=moment.actor,
        command_id=moment.command_id,
        deed=deed,
        pot=moment.pot,
        stake=state.stake,
        round=state.acted_round if state.turn is None else state.round,
        is_over=state.over,
        seats=seats,
        argument=tuple(argument),
    )


def _seat(
    state: HandState, seat: Seat, settled: HandSettled | None, last: Deed | None, lang: Language
) -> SeatFrame:
    """Return how a seat stood after an event."""
    settlement = settled.settlement if settled else None
    return SeatFrame(
        seat=seat.number,
        player=seat.player,
        stack=seat.stack,
        put_in=seat.contributed,
        cards=seat.cards,
        category=_category(seat.cards, state.rules, lang),
        seen=seat.seen if state.rules.play == "betting" else None,
        out=seat.out,
        all_in=seat.all_in,
        on_turn=state.turn == seat.number,
        won=settlement is not None and seat.number in settlement["winners"],
        net=None if settlement is None else settlement["seats"][str(seat.number)]["net"],
        last=last,
    )


def _category(cards: str, rules: ZhajinhuaRulebook, lang: Language) -> str:
    """Name the category of three cards, where they are shown."""
    if not are_three_known(cards):
        return ""
    return VOCABULARIES[lang].categories[category_name(cards, rules)]


def _doers(event: Event, deed: Deed) -> tuple[int, ...]:
    """Return the seats whose last deed an event is."""
    if isinstance(event, AllFolded):
        return event.seats
    return () if deed.seat is None else (deed.seat,)


def deed_of(event: Event) -> Deed:
    """Return what an event is, in as little as a few words need."""
    kind = kind_of(event)
    seat: int | None = getattr(event, "seat", None)
    late = getattr(event, "by", "choice") == "timeout"
    match event:
        case HandsCompared():
            who, whom = event.challenger, event.challenged
            return Deed(kind, who, whom, seats=event.out, timed_out=late)
        case BetRaised(stake=amount) | ToppedUp(amount=amount):
            return Deed(kind, seat, amount=amount, timed_out=late)
        case BonusGranted():
            return Deed(kind, seat, amount=bonus_of(event))
        case AllFolded(seats=seats) | HandsOpened(seats=seats):
            return Deed(kind, seats=seats)
        case HandSettled(settlement=settlement):
            return Deed(kind, seats=tuple(settlement["winners"]))
        case SettlementClaimed(claimant=who):
            return Deed(kind, who=who)
        case HandVoided(reason=why):
            return Deed(kind, who=why)
        case _:
            return Deed(kind, seat, timed_out=late)
