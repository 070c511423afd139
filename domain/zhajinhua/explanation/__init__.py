"""The argument for a hand, as a person would argue it: each step, its price, its rule.

The hand is folded event by event; every price comes from the function that the
rules themselves use, and is set beside what was recorded where the two differ.
A hand that is still running is explained without anybody's cards.

Read downwards; a file imports only files above it.

- ``telling``        one event being told: what every topic needs
- ``beginning``      the table, the antes, the cards
- ``bets``           look, call, raise, fold, top up; answers to an all-in
- ``all_ins``        all-in, and who has to answer it
- ``side_payments``  what a decided pair pays beside the pot
- ``duels``          duels, last stands, ties
- ``showing``        why the hands are opened
- ``bonuses``        喜钱
- ``pot``            refunds, layers, shares
- ``results``        prize, rake, nets, claims; the deck disclosed
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.events import (
    ENDINGS,
    AllFolded,
    AllInTaken,
    AntePosted,
    BetCalled,
    BetRaised,
    BonusGranted,
    CardsDealt,
    CardsSeen,
    DeckDisclosed,
    Event,
    HandFolded,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandsOpened,
    HandVoided,
    LastStandTaken,
    Settlement,
    SettlementClaimed,
    ToppedUp,
)
from domain.money import in_chips
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.explanation import (
    all_ins,
    beginning,
    bets,
    bonuses,
    duels,
    results,
    showing,
)
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.phrases import Phrases, sentence_case
from domain.zhajinhua.sources import source
from domain.zhajinhua.state import HandState, opened
from domain.zhajinhua.wording import Language


class Step(NamedTuple):
    """One step of the argument."""

    version: int  # of the event within the hand, 1 for the opening
    text: str
    arithmetic: tuple[str, ...]  # "call 100.00 x 2 = 200.00"; chips, not minor units
    rule: str  # "§3.3" of RULES.md
    document: str
    quotation: str  # the document's own sentence, or nothing where it is silent


def explain(events: Sequence[Event], lang: Language) -> list[Step]:
    """Return the argument for a hand, from its opening on.

    Args:
        events: The hand's whole stream so far, in order.
        lang: The language of the sentences; quotations stay as they are.
    """
    over = any(type(event) in ENDINGS for event in events)
    argument = _Argument(Phrases(lang, shown=over))
    for version, event in enumerate(events, start=1):
        argument.take(version, event)
    argument.say_who_is_next()
    return argument.steps


class _Argument:
    """The steps so far, and the hand as it stands after them."""

    def __init__(self, say: Phrases) -> None:
        self.steps: list[Step] = []
        self._say = say
        self._version = 0
        self._state: HandState | None = None
        self._played: HandState | None = None  # after the last event but bonuses
        self._settlement: Settlement | None = None

    def take(self, version: int, event: Event) -> None:
        """Let one event happen, and argue it."""
        self._version = version
        before = opened(event) if isinstance(event, HandOpened) else self._state
        assert before is not None, "a hand begins with its opening"
        after = before if isinstance(event, HandOpened) else evolve(before, event)
        self._state = after
        tell = Telling(self._say, before, after, self._played or before)
        for remark in self._argue(tell, event):
            self._add(remark, after)
        if isinstance(event, HandSettled):
            self._settlement = event.settlement
        if not isinstance(event, BonusGranted):
            self._played = after

    def say_who_is_next(self) -> None:
        """Add whose turn it is in a hand still running, and what a call would cost."""
        state = self._state
        if state is None or state.turn is None:
            return
        tell = Telling(self._say, state, state, state)
        seat = state.seats[state.turn]
        line = bets.price_line(tell, seat)
        fields = {"who": tell.seat(seat.number), "how": tell.how(seat.number)}
        fields |= {"stack": in_chips(seat.stack), "round": str(state.round)}
        self._add(tell.remark("turn", "running", [line], **fields), state)

    def _add(self, remark: Remark, state: HandState) -> None:
        """Put a remark in its place, with what it rests on."""
        rests_on = source(remark.matter, state.rules)
        said = sentence_case(remark.text)
        self.steps.append(Step(self._version, said, remark.sums, *rests_on))

    def _argue(self, tell: Telling, event: Event) -> Iterator[Remark]:  # noqa: C901, PLR0912
        """Return the remarks on one event; one case an event."""
        match event:
            case HandOpened():
                return beginning.opened(tell, event)
            case AntePosted():
                return beginning.antes(tell)
            case CardsDealt():
                return beginning.dealt(tell)
            case CardsSeen():
                return bets.looked(tell, event)
            case BetCalled():
                return bets.called(tell, event)
            case BetRaised():
                return bets.raised(tell, event)
            case HandFolded():
                return bets.folded(tell, event)
            case AllFolded():
                return bets.everyone_folded(tell, event)
            case ToppedUp():
                return bets.topped_up(tell, event)
            case AllInTaken():
                return all_ins.all_in_taken(tell, event)
            case LastStandTaken():
                return duels.last_stand(tell, event)
            case HandsCompared():
                return duels.compared(tell, event)
            case HandsOpened():
                return showing.opened(tell, event)
            case BonusGranted():
                return bonuses.granted(tell, event)
            case HandSettled():
                return results.settled(tell, event)
            case SettlementClaimed():
                return results.claimed(tell, event, self._settlement)
            case HandVoided():
                return results.voided(tell, event)
            case DeckDisclosed():
                return results.disclosed(tell, event)
            case _:
                raise AssertionError(event)
