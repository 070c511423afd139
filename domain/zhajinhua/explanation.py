"""The argument for a hand, as a person would argue it: each step, its price, its rule.

The hand is folded event by event; every price comes from the function that the
rules themselves use, and is set beside what was recorded where the two differ.
A hand that is still running is explained without anybody's cards.
"""

from collections.abc import Iterable, Sequence
from functools import singledispatchmethod
from typing import NamedTuple

from domain.events import (
    AntePosted,
    BetCalled,
    BetRaised,
    BonusGranted,
    CardsDealt,
    CardsSeen,
    Event,
    HandFolded,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandVoided,
    LastStandTaken,
    SettlementClaimed,
)
from domain.money import in_chips
from domain.zhajinhua.betting import call_price, factor
from domain.zhajinhua.comparing import compare_price
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.explained_settlement import Settled
from domain.zhajinhua.phrases import Phrases
from domain.zhajinhua.ranking import category_name, duel, strength
from domain.zhajinhua.sources import source
from domain.zhajinhua.state import HandState, Seat, opened
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
    over = any(isinstance(event, (HandSettled, HandVoided)) for event in events)
    argument = _Argument(Phrases(lang, shown=over))
    for version, event in enumerate(events, start=1):
        argument.take(version, event)
    argument.say_who_is_next()
    return argument.steps


class _Argument:
    """The steps so far, and the hand as it stands after them."""

    def __init__(self, phrases: Phrases) -> None:
        self.steps: list[Step] = []
        self._say = phrases
        self._state: HandState | None = None
        self._version = 0
        self._settled: Settled | None = None

    @property
    def state(self) -> HandState:
        assert self._state is not None, "a hand begins with its opening"
        return self._state

    def take(self, version: int, event: Event) -> None:
        """Argue one event, then let it happen."""
        self._version = version
        if isinstance(event, HandOpened):
            self._state = opened(event)
            self._opened(event)
            return
        before = self.state
        self._state = evolve(before, event)
        self._argue(event, before)

    def say_who_is_next(self) -> None:
        """Add whose turn it is in a hand still running, and what a call would cost."""
        if self._state is None or self.state.turn is None:
            return
        seat = self.state.seats[self.state.turn]
        formula = f"{in_chips(self.state.stake)} x {factor(self.state, seat)}"
        line = self._say.sum("call", in_chips(call_price(self.state, seat)), formula)
        how, stack = self._how(seat), in_chips(seat.stack)
        number = self.state.round
        self._add("turn", "running", [line], who=seat.number, how=how, stack=stack, round=number)

    def _add(self, matter: str, text: str, sums: Iterable[str] = (), **fields: object) -> None:
        """Add one step; seats among its fields are given by number."""
        for role in ("who", "other", "winner", "out", "rightful"):
            if isinstance(fields.get(role), int):
                fields[role] = self._say.seat(self.state.seats[fields[role]])  # type: ignore[index]
        said = self._say(text, **fields)
        rests_on = source(matter, self.state.rules)
        self.steps.append(Step(self._version, said[0].upper() + said[1:], tuple(sums), *rests_on))

    def _how(self, seat: Seat) -> str:
        return self._say("seen" if seat.seen else "blind")

    @singledispatchmethod
    def _argue(self, event: Event, before: HandState) -> None:  # noqa: ARG002 - one signature for all
        """Add the steps of one event that has just happened to ``before``."""
        raise AssertionError(event)

    def _opened(self, event: HandOpened) -> None:
        say, seats = self._say, self.state.seats
        carries = (
            say("seat_carry", who=say.seat(seat), carry=in_chips(seat.carry))
            for seat in seats.values()
        )
        bound = self.state.max_stake
        self._add(
            "opening",
            "opened",
            rulebook=event.rulebook,
            version=event.version,
            name=self.state.rules.name,
            ante=in_chips(self.state.ante),
            max_stake=say("no_bound") if bound is None else in_chips(bound),
            limit=self.state.rules.round_limit,
            dealer=say.seat(seats[event.dealer]),
            opener=say.seat(seats[event.opener]),
            seats=say("join").join(carries),
        )

    @_argue.register
    def _ante_posted(self, _: AntePosted, __: HandState) -> None:
        """Argue all antes in one step, with the last of them."""
        antes = [seat.contributed for seat in self.state.seats.values()]
        if 0 in antes:
            return
        total = f"{len(antes)} x {in_chips(self.state.ante)}"
        line = self._say.priced("ante", total, len(antes) * self.state.ante, sum(antes))
        self._add("ante", "antes", [line], count=len(antes))

    @_argue.register
    def _dealt(self, _: CardsDealt, __: HandState) -> None:
        say, rules = self._say, self.state.rules
        if not say.shown:
            self._add("deal", "dealt_hidden")
            return
        cards = (
            say(
                "seat_cards",
                who=say.seat(seat),
                faces=say.faces(seat.cards),
                category=say.category(category_name(seat.cards, rules)),
            )
            for seat in self.state.seats.values()
        )
        self._add("deal", "dealt", cards=say("all").join(cards))

    @_argue.register
    def _looked(self, event: CardsSeen, _: HandState) -> None:
        price = factor(self.state, self.state.seats[event.seat])
        self._add("look", "looked", who=event.seat, factor=price)

    @_argue.register
    def _called(self, event: BetCalled, before: HandState) -> None:
        seat = before.seats[event.seat]
        formula = f"{in_chips(before.stake)} x {factor(before, seat)}"
        line = self._say.priced("call", formula, call_price(before, seat), event.paid)
        if event.by == "timeout":
            self._add("timeout_call", "called_by_timeout", [line], who=event.seat)
        else:
            matter = "call_seen" if seat.seen else "call_blind"
            self._add(matter, "called", [line], who=event.seat, how=self._how(seat))

    @_argue.register
    def _raised(self, event: BetRaised, before: HandState) -> None:
        seat, raised = before.seats[event.seat], before._replace(stake=event.stake)
        formula = f"{in_chips(event.stake)} x {factor(raised, seat)}"
        line = self._say.priced("raise", formula, call_price(raised, seat), event.paid)
        old, new = in_chips(before.stake), in_chips(event.stake)
        self._add("raise", "raised", [line], who=event.seat, how=self._how(seat), old=old, new=new)

    @_argue.register
    def _folded(self, event: HandFolded, _: HandState) -> None:
        text = "folded" if event.by == "choice" else f"folded_by_{event.by}"
        matter = "timeout" if event.by == "timeout" else "fold"
        put_in = in_chips(self.state.seats[event.seat].contributed)
        self._add(matter, text, who=event.seat, contributed=put_in)

    @_argue.register
    def _compared(self, event: HandsCompared, before: HandState) -> None:
        matter, result = self._result(event)
        text, sums = f"{event.why}_duel", []
        if event.why == "compare":
            text = "compared_by_timeout" if event.by == "timeout" else "compared"
            seat = before.seats[event.challenger]
            price = compare_price(before, seat)
            sums = [self._say.priced("compare", _compare_formula(before, seat), price, event.paid)]
            if event.by == "timeout" and matter == "compare":
                matter = "timeout_compare"
        how = self._how(before.seats[event.challenger])
        self._add(
            matter, text, sums, who=event.challenger, other=event.challenged, how=how, result=result
        )

    def _result(self, event: HandsCompared) -> tuple[str, str]:
        """Return what a duel's outcome rests on, and the outcome in words."""
        matter = {
            "compare": "compare",
            "forced": "forced_duel",
            "last_stand": "last_stand_duel",
            "shove": "shove_duel",
        }[event.why]
        if event.winner is None:
            return "equal", self._say("nobody_out")
        challenger, challenged = (self.state.seats[n] for n in (event.challenger, event.challenged))
        rules = self.state.rules
        winner, loser = challenger, challenged
        if event.winner != event.challenger:
            winner, loser = challenged, challenger
        fields = self._say.duel_fields(winner, loser, rules)
        if not self._say.shown:
            return matter, self._say("beats", **fields)
        order = duel(challenger.cards, challenged.cards, rules)
        rightful = challenger if order > 0 else challenged
        if rightful != winner:
            return matter, self._say("wrongly", rightful=self._say.seat(rightful), **fields)
        if order == 0:
            return "equal", self._say("equal_shown", **fields)
        if strength(winner.cards, rules) < strength(loser.cards, rules):
            return "deuce_three_five", self._say("beats_235", **fields)
        if event.why == "last_stand" and winner == challenged:
            matter = "last_stand_lost"
        return matter, self._say("beats_shown", **fields)

    @_argue.register
    def _last_stand(self, event: LastStandTaken, before: HandState) -> None:
        seat = before.seats[event.seat]
        due = compare_price(before, seat)
        sums = [
            self._say.priced("due", _compare_formula(before, seat), due, event.due),
            self._say.priced("paid", "", seat.stack, event.paid),
        ]
        text = "last_stand_by_timeout" if event.by == "timeout" else "last_stand"
        stack = in_chips(seat.stack)
        self._add("last_stand", text, sums, who=event.seat, how=self._how(seat), stack=stack)

    @_argue.register
    def _bonus(self, event: BonusGranted, _: HandState) -> None:
        rules, sums = self.state.rules, [self._say.sum("bonus", in_chips(event.paid))]
        if rules.bonus == "antes":
            antes = next((n for name, n in rules.bonus_antes if name == event.category), 0)
            formula = f"{antes} x {in_chips(self.state.ante)}"
            sums = [self._say.priced("bonus", formula, antes * self.state.ante, event.paid)]
        category = self._say.category(event.category)
        self._add("bonus", "bonus", sums, who=event.seat, category=category)

    @_argue.register
    def _settled_at(self, event: HandSettled, before: HandState) -> None:
        self._settled = Settled(before, event, self._say)
        rounds = event.settlement["rounds"]
        for matter, text, seat, sums, net in self._settled.steps():
            self._add(matter, text, sums, who=seat, rounds=rounds, net=in_chips(net))

    @_argue.register
    def _claimed(self, event: SettlementClaimed, _: HandState) -> None:
        parts = self._settled.differences(event.settlement) if self._settled else []
        text = "claim_differs" if parts else "claim_agrees"
        self._add("claim", text, parts, claimant=event.claimant)

    @_argue.register
    def _voided(self, event: HandVoided, _: HandState) -> None:
        sums = [self._say.sum("returned", in_chips(move.amount)) for move in event.transfers]
        self._add("void", "voided", sums, reason=event.reason)


def _compare_formula(state: HandState, seat: Seat) -> str:
    """Return the price of a duel as it is worked out: calls times stake times factor."""
    return f"{state.rules.compare_calls} x {in_chips(state.stake)} x {factor(state, seat)}"
