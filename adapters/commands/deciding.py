"""What each command comes to on what it finds: events of its hand, and of the wallets beside it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from adapters.commands.execution import Command, Decide, Decision
from adapters.commands.history import Before, History
from domain.claims import differences
from domain.custody import collect, is_due, players, release, reserve
from domain.errors import (
    BadRecordError,
    CommitmentRequiredError,
    ConflictError,
    HandExistsError,
    RefusalError,
    UnknownHandError,
)
from domain.events import HandSettled
from domain.hand import Hand
from domain.limits import check_count
from domain.money import MAX_AMOUNT
from domain.playing import begin
from domain.record import check_action, check_claim, check_name, read
from domain.stream import Cause, Entry
from domain.wallet import Wallet
from domain.zhajinhua.bonus import check_draws
from domain.zhajinhua.disclosing import proof
from domain.zhajinhua.play import Action
from domain.zhajinhua.state import HandState

PRICED: Final = frozenset({"call", "raise", "compare", "all_in"})
"""The actions whose actor may say which price it saw."""


def moving(move: Callable[[Wallet, int, Cause], None], player: str, amount: int) -> Decide:
    """Move minor units between a wallet and the cashier."""

    def decide(command: Command, before: Before, _: History) -> Decision:
        wallet = Wallet.resume(player, version=before.version, balance=before.balance)
        move(wallet, amount, command.cause)
        return Decision(wallet.collect_events(), {"player": player, "balance": wallet.balance})

    return decide


class Committing(NamedTuple):
    """What an opening says of its deck."""

    commitment: str | None
    is_required: object
    """Whether the table opens no hand without a commitment, as it was given."""

    def check(self, hand: str) -> None:
        """Refuse a hand without the commitment that its table wants.

        Raises:
            BadRecordError: What the table wants is neither true nor false.
            CommitmentRequiredError: There is none.
        """
        if not isinstance(self.is_required, bool):
            raise BadRecordError("is neither true nor false", field="table.commit_deck", hand=hand)
        if self.is_required and self.commitment is None:
            raise CommitmentRequiredError(f"hand {hand} has no commitment to its deck", hand=hand)


def opening(text: str, committing: Committing) -> Decide:
    """Open a hand, given as a record without an action, and reserve every seat's carry."""

    def decide(command: Command, before: Before, history: History) -> Decision:
        record = read(text)
        if before.version:
            message = f"hand {record.hand} is recorded already"
            raise HandExistsError(message, hand=record.hand)
        committing.check(record.hand)
        hand = begin(record, command.cause, committing.commitment)
        check_draws(hand.state)
        wallets = history.wallets(players(hand))
        reserve(hand, wallets, command.cause)
        entries = [*collect(wallets), *hand.collect_events()]
        answer = _answer(hand.hand, hand.version, hand.state)
        if hand.state.over:
            answer |= _settlement(entries)
            entries += _released(hand, wallets, command.cause)
        return Decision(entries, answer, state=hand.state)

    return decide


class Priced(NamedTuple):
    """An action, and the price that its actor decided on."""

    action: Action
    price: int | None
    """What staying in cost the seat, minor units; None where it does not say."""


def acting(hand_id: str, act: Priced, expected: int | None) -> Decide:
    """Take an action in a hand; ``expected`` is its version as the actor knows it."""

    def decide(command: Command, before: Before, history: History) -> Decision:
        course = _Course(_found(hand_id, command, before, expected), history, command.cause)
        course.take(act)
        return course.decision()

    return decide


def acting_many(
    hand_id: str, acts: Sequence[Priced], expected: int | None, *, atomic: bool
) -> Decide:
    """Take actions one after another: all or none, or as many as are not refused."""

    def decide(command: Command, before: Before, history: History) -> Decision:
        if not acts:
            raise BadRecordError("is empty", field="actions")
        check_count(len(acts))
        course = _Course(_found(hand_id, command, before, expected), history, command.cause)
        for at, act in enumerate(acts):
            try:
                course.take(act)
            except RefusalError as refusal:
                refusal.numbers["at"] = at
                if atomic or at == 0:
                    raise
                return course.decision(refused=refusal, applied=at, refusal=_told(refusal))
        return course.decision(applied=len(acts))

    return decide


def voiding(hand_id: str, reason: str, expected: int | None) -> Decide:
    """Let a hand not count; ``expected`` is its version as the actor knows it."""

    def decide(command: Command, before: Before, history: History) -> Decision:
        course = _Course(_found(hand_id, command, before, expected), history, command.cause)
        course.void(reason)
        return course.decision()

    return decide


def disclosing(hand_id: str, salt: object, deck: object) -> Decide:
    """Disclose the deck of a hand; no chip moves."""

    def decide(command: Command, before: Before, _: History) -> Decision:
        hand = _found(hand_id, command, before)
        hand.disclose(salt, deck, command.cause)
        entries = hand.collect_events()
        proven = proof(hand_id, [*before.events, *(entry.event for entry in entries)])
        answer = {
            "hand": hand_id,
            "version": hand.version,
            "verdict": proven.verdict,
            "reason": proven.reason,
        }
        return Decision(entries, answer)

    return decide


def claiming(hand_id: str, claimant: str, settlement: Mapping[str, object]) -> Decide:
    """Keep a foreign system's figures beside a hand's own; no chip moves."""

    def decide(command: Command, before: Before, _: History) -> Decision:
        claim = check_claim(settlement)
        hand = _found(hand_id, command, before)
        hand.claim(claimant, claim, command.cause)
        own = next(e.settlement for e in before.events if isinstance(e, HandSettled))
        parted = [difference._asdict() for difference in differences(claim, own)]
        answer = {"hand": hand_id, "version": hand.version, "differences": parted}
        return Decision(hand.collect_events(), answer)

    return decide


def _found(hand_id: str, command: Command, before: Before, expected: int | None = None) -> Hand:
    """Return a hand as its events made it, read now or before.

    Raises:
        UnknownHandError: There are none.
        ConflictError: It is not at the version that the actor expects.
    """
    if before.state is not None:
        hand = Hand.resume(command.stream, version=before.version, state=before.state)
    elif before.events:
        hand = Hand.replay(command.stream, before.events)
    else:
        raise UnknownHandError(f"no hand {hand_id} was ever opened", hand=hand_id)
    if expected is not None and hand.version != expected:
        raise ConflictError(hand.id, expected=expected, actual=hand.version)
    return hand


class _Course:
    """A hand that goes on, and the wallets beside it; what is refused leaves nothing."""

    def __init__(self, hand: Hand, history: History, cause: Cause) -> None:
        self._hand, self._history, self._cause = hand, history, cause
        self._wallets: dict[str, Wallet] = {}
        self._entries: list[Entry] = []
        self._state, self._version = hand.state, hand.version

    def take(self, act: Priced) -> None:
        """Take one action; what it tops up is reserved."""
        action, price = act
        check_action(action)
        if price is not None:
            _check_price(action, price)
        self._hand.act(action, self._cause, price=price)
        self._keep()

    def void(self, reason: str) -> None:
        """Let the hand not count."""
        check_name(reason, "reason")
        self._hand.void(reason, self._cause)
        self._keep()

    def _keep(self) -> None:
        hand = self._hand
        if is_due(hand, self._state):
            self._wallets = self._wallets or self._history.wallets(players(hand))
            reserve(hand, self._wallets, self._cause, since=self._state)
        self._entries += [*collect(self._wallets), *hand.collect_events()]
        self._state, self._version = hand.state, hand.version

    def decision(self, refused: RefusalError | None = None, **more: object) -> Decision:
        """Return what it all came to; a hand that is over pays out."""
        answer = _answer(self._hand.hand, self._version, self._state)
        entries = self._entries
        if self._state.over:
            answer |= _settlement(entries)
            entries += _released(self._hand, self._wallets, self._cause)
        return Decision(entries, answer | more, refused, self._state)


def _answer(hand_id: str, version: int, state: HandState) -> dict[str, object]:
    return {"hand": hand_id, "version": version, "turn": state.turn, "over": state.over}


def _settlement(entries: Sequence[Entry]) -> dict[str, object]:
    """Return what the answer has of a hand that is over; nothing of one that does not count."""
    events = (entry.event for entry in entries)
    settled = next((event for event in events if isinstance(event, HandSettled)), None)
    return {} if settled is None else {"settlement": settled.settlement}


def _released(hand: Hand, wallets: Mapping[str, Wallet], cause: Cause) -> list[Entry]:
    """Release what every seat of a hand that is over is left with."""
    release(hand, wallets, cause)
    return collect(wallets)


def _check_price(action: Action, price: object) -> None:
    """Refuse a price that is none, or of an action that has none.

    Raises:
        BadRecordError: It is one of these.
    """
    if action.do not in PRICED:
        raise BadRecordError(f"{action.do!r} has none", field="price")
    if type(price) is not int or not 0 <= price <= MAX_AMOUNT:
        raise BadRecordError("is no amount of minor units", field="price")


def _told(refusal: RefusalError) -> dict[str, object]:
    """Return a refusal as an answer holds it."""
    return {
        "code": refusal.code,
        "message": refusal.message,
        "rule": refusal.rule,
        "numbers": refusal.numbers,
    }
