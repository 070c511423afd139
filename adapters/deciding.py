"""What each command comes to on what it finds: events of its hand, and of the wallets beside it."""

from collections.abc import Callable, Mapping

from adapters.execution import Command, Decide, Decision
from adapters.history import Before, History
from domain.custody import collect, is_due, players, release, reserve
from domain.errors import ConflictError, HandExistsError, UnknownHandError
from domain.events import HandSettled, WalletEvent
from domain.hand import Hand
from domain.record import begin, check_action, check_name, read
from domain.stream import Cause
from domain.wallet import Wallet
from domain.zhajinhua.bonus import check_draws
from domain.zhajinhua.play import Action


def moving(
    move: Callable[[Wallet, int, Cause], None], player: str, amount: int, command: Command
) -> Decide:
    """Move minor units between a wallet and the cashier."""

    def decide(before: Before, _: History) -> Decision:
        balance = 0
        for event in before.events:  # the last, where there is one
            assert isinstance(event, WalletEvent), event
            balance = event.balance
        wallet = Wallet.resume(player, version=before.version, balance=balance)
        move(wallet, amount, command.cause)
        return Decision(wallet.collect_events(), {"player": player, "balance": wallet.balance})

    return decide


def opening(text: str, command: Command) -> Decide:
    """Open a hand, given as a record without an action, and reserve every seat's carry."""

    def decide(before: Before, history: History) -> Decision:
        record = read(text)
        if before.version:
            message = f"hand {record.hand} is recorded already"
            raise HandExistsError(message, hand=record.hand)
        hand = begin(record, command.cause)
        check_draws(hand.state)
        wallets = history.wallets(players(hand))
        reserve(hand, wallets, command.cause)
        return _decision(hand, wallets, command.cause)

    return decide


def acting(hand_id: str, action: Action, command: Command, expected: int | None) -> Decide:
    """Take an action in a hand; ``expected`` is its version as the actor knows it."""

    def act(hand: Hand, cause: Cause) -> None:
        check_action(action)
        if expected is not None and hand.version != expected:
            raise ConflictError(hand.id, expected=expected, actual=hand.version)
        hand.act(action, cause)

    return _going_on(hand_id, act, command)


def voiding(hand_id: str, reason: str, command: Command) -> Decide:
    """Let a hand not count."""

    def void(hand: Hand, cause: Cause) -> None:
        check_name(reason, "reason")
        hand.void(reason, cause)

    return _going_on(hand_id, void, command)


def _going_on(hand_id: str, do: Callable[[Hand, Cause], None], command: Command) -> Decide:
    """Go on with a running hand; once it is over, release what every seat is left with."""

    def decide(before: Before, history: History) -> Decision:
        if not before.events:
            raise UnknownHandError(f"no hand {hand_id} was ever opened", hand=hand_id)
        hand = Hand.replay(command.stream, before.events)
        since = hand.state
        do(hand, command.cause)
        wallets: dict[str, Wallet] = {}
        if is_due(hand, since):
            wallets = history.wallets(players(hand))
            reserve(hand, wallets, command.cause, since=since)
        return _decision(hand, wallets, command.cause)

    return decide


def _decision(hand: Hand, wallets: Mapping[str, Wallet], cause: Cause) -> Decision:
    """Return what a hand and its wallets come to; one that is over pays out."""
    entries = [*collect(wallets), *hand.collect_events()]
    state = hand.state
    answer: dict[str, object] = {
        "hand": hand.hand,
        "version": hand.version,
        "turn": state.turn,
        "over": state.over,
    }
    if state.over:
        release(hand, wallets, cause)
        events = (entry.event for entry in entries)
        settled = next((event for event in events if isinstance(event, HandSettled)), None)
        if settled is not None:
            answer["settlement"] = settled.settlement
        entries += collect(wallets)
    return Decision(entries, answer)
