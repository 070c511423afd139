"""Legal play, whatever it is: after every event chips are conserved, and replay equals live."""

from collections.abc import Iterable, Sequence
from functools import partial

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from domain import custody
from domain.discrepancies import Recorded
from domain.errors import RefusalError
from domain.events import TOPICS, Event, HandSettled, HandVoided, ToppedUp
from domain.hand import Hand
from domain.money import POT, post, seat_account
from domain.stream import Entry
from domain.verification import verify_hand
from domain.wallet import Wallet
from domain.wallet_verification import verify_wallet
from domain.zhajinhua.play import Action
from domain.zhajinhua.rulebooks import published
from domain.zhajinhua.rules import ZhajinhuaRulebook
from tests.domain.hands import CAUSE
from tests.properties.legal import legal, opened, openings

VERBS = ("look", "call", "raise", "compare", "fold", "all_in", "timeout", "top_up", "fold_all", "x")


class LegalPlay(RuleBasedStateMachine):
    """One hand of one rulebook, one legal action after another, with its players' wallets."""

    def __init__(self, rulebook: ZhajinhuaRulebook) -> None:
        """Nothing is opened yet."""
        super().__init__()
        self.rulebook = rulebook
        self.events: list[Event] = []
        self.accounts: dict[str, int] = {}
        self.brought = 0  # minor units, by carries and top-ups

    @initialize(data=st.data())
    def open(self, data: st.DataObject) -> None:
        """Somebody sits down."""
        self.hand = opened(data.draw(openings(self.rulebook)))
        for seat in self.hand.state.seats.values():
            self.accounts[seat_account(seat.number)] = seat.carry
            self.brought += seat.carry
        self.wallets = {p: Wallet(f"wallet:{p}") for p in custody.players(self.hand)}
        custody.deposit_missing(self.hand, self.wallets, CAUSE)
        custody.reserve(self.hand, self.wallets, CAUSE)
        self._take_in()

    @precondition(lambda self: not self.hand.state.over)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Somebody does what the rules allow; there always is something."""
        choices = legal(self.hand.state)
        action = choices[data.draw(st.integers(0, len(choices) - 1))]
        self.hand.act(action, CAUSE)
        if action.do == "top_up":
            assert action.seat is not None
            assert action.amount is not None
            self._top_up(self.hand.state.seats[action.seat].player, action.seat, action.amount)
        self._take_in()

    def _top_up(self, player: str, seat: int, amount: int) -> None:
        """Bring in what a seat topped up."""
        self.wallets[player].deposit(amount, CAUSE)
        self.wallets[player].reserve(self.hand.hand, seat, amount, CAUSE)
        self.brought += amount

    @rule(
        verb=st.sampled_from(VERBS),
        seat=st.integers(0, 9),
        number=st.integers(-1, 20_000),
    )
    def try_anything(self, verb: str, seat: int, number: int) -> None:
        """Somebody tries something; if it is refused, nothing of it remains."""
        before, version = self.hand.state, self.hand.version
        action = Action(verb, seat, stake=number, target=number % 10, amount=number)
        try:
            Hand.replay(self.hand.id, self.events).act(action, CAUSE)
        except RefusalError as refusal:
            with pytest.raises(type(refusal)):
                self.hand.act(action, CAUSE)
            assert (self.hand.state, self.hand.version) == (before, version)
            assert self.hand.collect_events() == []

    @precondition(lambda self: not self.hand.state.over and len(self.events) > 12)
    @rule(really=st.integers(0, 9))
    def void(self, really: int) -> None:
        """Once in a while the table loses power."""
        if really == 9:
            self.hand.void("the table lost power", CAUSE)
            self._take_in()
            for seat in self.hand.state.seats.values():
                assert seat.stack == seat.carry + sum(seat.top_ups)

    def _take_in(self) -> None:
        """Post what was recorded, event by event, and check the chips after each."""
        for entry in self.hand.collect_events():
            event = entry.event
            if isinstance(event, ToppedUp):
                name = seat_account(event.seat)
                self.accounts[name] += event.amount
            self.events.append(event)
            self.accounts = post(self.accounts, event.transfers)
            self._check_chips()
            if isinstance(event, HandSettled):
                self._check_settlement(event)

    def _check_chips(self) -> None:
        """No seat and no pot is below zero, and together there is what was brought."""
        assert all(b >= 0 for name, b in self.accounts.items() if not name.startswith("house:"))
        assert sum(self.accounts.values()) == self.brought

    def _check_settlement(self, event: HandSettled) -> None:
        """What a seat is left with is what it brought and its net."""
        settlement = event.settlement
        assert self.accounts.get(POT, 0) == 0
        assert sum(result["net"] for result in settlement["seats"].values()) == (
            settlement["house_bonus"] - settlement["rake"] - settlement.get("house_banked", 0)
        )
        for number, seat in self.hand.state.seats.items():
            net = settlement["seats"][str(number)]["net"]
            left = seat.carry + sum(seat.top_ups) + net
            assert left == seat.stack == self.accounts[seat_account(number)]

    @invariant()
    def the_accounts_are_the_stacks(self) -> None:
        """What the events moved is what the state says that each seat has left."""
        for number, seat in self.hand.state.seats.items():
            assert self.accounts[seat_account(number)] == seat.stack

    @invariant()
    def replay_equals_live(self) -> None:
        """The events alone, read back from their stored text, make the same hand."""
        stored = [(event.TOPIC, event.model_dump_json()) for event in self.events]
        read = [TOPICS[topic].model_validate_json(body) for topic, body in stored]

        again = Hand.replay(self.hand.id, read)

        assert (again.state, again.version) == (self.hand.state, self.hand.version)

    def teardown(self) -> None:
        """However far it came, verification agrees with it."""
        if not self.events:
            return
        if self.hand.state.over:
            custody.release(self.hand, self.wallets, CAUSE)
        rows = _rows(self.events)
        entries = custody.collect(self.wallets)

        assert verify_hand(self.hand.hand, rows, _by_player(entries)) == []
        for player, wallet in self.wallets.items():
            mine = [entry.event for entry in entries if entry.originator_id == wallet.id]
            assert list(verify_wallet(player, _rows(mine))) == []
        assert self.hand.state.voided or self._ends_settled()

    def _ends_settled(self) -> bool:
        """Tell whether a hand that is over has its settlement last, and only then."""
        ends = [isinstance(event, (HandSettled, HandVoided)) for event in self.events]
        return any(ends) == self.hand.state.over and not any(ends[:-1])


def _rows(events: Iterable[Event]) -> list[Recorded]:
    return [Recorded(n, n, event) for n, event in enumerate(events, start=1)]


def _by_player(entries: Sequence[Entry]) -> list[tuple[str, Recorded]]:
    return [
        (entry.originator_id.removeprefix("wallet:"), Recorded(n, n, entry.event))
        for n, entry in enumerate(entries, start=1)
        if entry.event.TOPIC.startswith("wallet.carry_")
    ]


@pytest.mark.parametrize("rulebook", published(), ids=lambda rulebook: rulebook.id)
def test_legal_play_conserves_chips_replays_and_verifies(rulebook: ZhajinhuaRulebook) -> None:
    """For every rulebook and table, at every step of whatever the rules allow."""
    examples = settings().max_examples // 3
    tried = settings(max_examples=examples, stateful_step_count=40, deadline=None)

    run_state_machine_as_test(partial(LegalPlay, rulebook), settings=tried)  # type: ignore[arg-type]
