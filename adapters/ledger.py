"""The ledger: the one way in. Every command is checked, decided, and stored with its receipt.

A command has an id. The same command given again gets its first answer and changes nothing;
another one under the same id is refused. A refusal is raised, and nothing of it is stored.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

import structlog

from adapters import verifying
from adapters.clock import Clock, now
from adapters.codec import Codec
from adapters.deciding import going_on, moving, opening
from adapters.execution import Command, Execution, Receipt
from adapters.importing import Import, ImportReport
from adapters.postgres import Store
from adapters.recorder import LedgerRecorder
from domain.errors import ConflictError, UnknownHandError
from domain.hand import Hand, hand_stream
from domain.record import check_action, check_name, read
from domain.stream import Cause, Entry
from domain.verification import Discrepancy
from domain.wallet import Wallet, wallet_id
from domain.zhajinhua.play import Action

log = structlog.get_logger()


class StoredHandEvent(NamedTuple):
    """An event of a hand, and where it is in the history."""

    position: int
    entry: Entry


class Ledger:
    """Hands and wallets on one store."""

    def __init__(self, store: Store, *, clock: Clock = now) -> None:
        self.store = store
        self.recorder = LedgerRecorder(store)
        self._execution = Execution(store, clock)
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections up."""
        self.store.close()

    # --- wallets ---------------------------------------------------------------------

    def deposit(
        self, player: str, amount: int, *, command_id: str, actor: str = "cashier"
    ) -> Receipt:
        """Bring in ``amount`` minor units from the cashier.

        Raises:
            RefusalError: The amount, a name or the command id is refused.
        """
        command = self._wallet_command("deposit", player, amount, command_id, actor)
        return self._execution.carry_out(command, moving(Wallet.deposit, player, amount, command))

    def withdraw(
        self, player: str, amount: int, *, command_id: str, actor: str = "cashier"
    ) -> Receipt:
        """Take out ``amount`` minor units to the cashier.

        Raises:
            InsufficientFundsError: The wallet has less.
            RefusalError: The amount, a name or the command id is refused.
        """
        command = self._wallet_command("withdraw", player, amount, command_id, actor)
        return self._execution.carry_out(command, moving(Wallet.withdraw, player, amount, command))

    # --- hands -----------------------------------------------------------------------

    def open_hand(  # noqa: PLR0913 - what a hand opens with, each by name
        self,
        hand: str,
        rulebook_id: str,
        *,
        table: Mapping[str, object],
        dealer: int,
        seats: Sequence[Mapping[str, object]],
        deal: Mapping[int, str],
        command_id: str,
        actor: str,
        opener: int | None = None,
        draws: Mapping[int, int] | None = None,
    ) -> Receipt:
        """Open a hand, and reserve every seat's carry from its wallet.

        Args:
            hand: Its id, new to this ledger.
            rulebook_id: The rulebook, in its newest version.
            table: The table's parameters, as a record gives them.
            dealer: A seat.
            seats: Who sits where with how much, minor units, as a record gives them:
                ``{"seat": 1, "player": "ann", "carry": 50_000}``.
            deal: Each seat's three cards.
            command_id: Under which it may be given again.
            actor: Who gives it.
            opener: The seat to act first, where the rulebook has it recorded.
            draws: Bonuses drawn outside, minor units by seat.

        Raises:
            HandExistsError: There is a hand of that id.
            InsufficientFundsError: A wallet has less than its seat's carry.
            RefusalError: Something else of it is refused, as in a record.
        """
        given: dict[str, object] = {
            "hand": hand,
            "rulebook": rulebook_id,
            "table": dict(table),
            "dealer": dealer,
            "seats": [dict(seat) for seat in seats],
            "deal": {str(seat): cards for seat, cards in deal.items()},
            "actions": [],
        }
        if opener is not None:
            given["opener"] = opener
        if draws:
            given["bonus_draws"] = {str(seat): amount for seat, amount in draws.items()}
        record = read(json.dumps(given, default=repr))
        command = self._execution.command(
            "open_hand", hand_stream(hand), given, command_id=command_id, actor=actor
        )
        return self._execution.carry_out(command, opening(record, command))

    def act(
        self,
        hand: str,
        action: Action,
        *,
        command_id: str,
        actor: str,
        expected_version: int | None = None,
    ) -> Receipt:
        """Take one action in a running hand; the one that ends it settles it and pays out.

        Args:
            hand: Its id.
            action: What is done.
            command_id: Under which it may be given again.
            actor: Who gives it.
            expected_version: How many events the hand has, as far as the actor knows.

        Raises:
            UnknownHandError: There is no such hand.
            ConflictError: The hand has moved on since it was read, or since the actor saw it.
            RefusalError: The rules refuse the action.
        """
        check_action(action)
        body = {name: value for name, value in action._asdict().items() if value is not None}

        def take(running: Hand, cause: Cause) -> None:
            if expected_version is not None and running.version != expected_version:
                raise ConflictError(running.id, expected=expected_version, actual=running.version)
            running.act(action, cause)

        command = self._hand_command("act", hand, body, command_id, actor)
        return self._execution.carry_out(command, going_on(hand, take, command))

    def void_hand(self, hand: str, reason: str, *, command_id: str, actor: str) -> Receipt:
        """Let a running hand not count: every seat gets back all that it brought.

        Raises:
            UnknownHandError: There is no such hand.
            HandOverError: It is settled or void already.
            ConflictError: It has moved on since it was read.
            RefusalError: The reason or a name is empty, too long or cannot be stored.
        """
        check_name(reason, "reason")

        def void(running: Hand, cause: Cause) -> None:
            running.void(reason, cause)

        command = self._hand_command("void_hand", hand, {"reason": reason}, command_id, actor)
        return self._execution.carry_out(command, going_on(hand, void, command))

    def import_hands(
        self,
        lines: Iterable[bytes | str],
        *,
        deposit_missing: bool = True,
        claimant: str = "record",
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Store finished hands, each whole or not at all; twice is as once.

        Args:
            lines: ``hand-record/1``, a hand a line.
            deposit_missing: Bring in from the cashier what a player lacks; else the
                hand is refused with ``insufficient_funds``.
            claimant: Whose figures a record's own settlement is.
            progress: Told, now and then, how many lines are done.
        """
        check_name(claimant, "claimant")
        work = Import(self.store, self._clock, deposit_missing=deposit_missing, claimant=claimant)
        report = work.run(lines, progress)
        log.info(
            "hands_imported",
            hands=report.hands,
            events=report.events,
            already=report.already,
            refused=len(report.refused),
            mismatched=len(report.mismatched),
        )
        return report

    # --- reading ---------------------------------------------------------------------

    def hand(self, hand: str) -> list[StoredHandEvent]:
        """Return a hand's events in order, each with its position.

        Raises:
            UnknownHandError: There is no such hand.
            UnreadableEventError: One of its events cannot be read.
        """
        stored = self.recorder.select_events(hand_stream(hand))
        if not stored:
            raise UnknownHandError(f"no hand {hand} was ever opened", hand=hand)
        codec = Codec()
        return [StoredHandEvent(row.id, codec.to_domain_event(row)) for row in stored]

    def hands(self) -> Iterator[str]:
        """Yield the id of every hand, in the order of their bytes."""
        return verifying.hand_ids(self.store)

    def stream_hands(
        self, hands: Sequence[str] | None = None
    ) -> Iterator[tuple[str, list[verifying.Row]]]:
        """Yield hands with their rows, in the order of their ids' bytes.

        Args:
            hands: Their ids; None is every hand, in flat memory.
        """
        return verifying.stream_hands(self.store, hands)

    def verify(
        self,
        hands: Sequence[str] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Iterator[Discrepancy]:
        """Decide everything again from the events alone, and yield what parts.

        Args:
            hands: These alone; None is every hand, every wallet and the history's own order.
            progress: Told, now and then, how many hands and events are done.

        Raises:
            UnknownHandError: There is no such hand.
        """
        return verifying.verify(self.store, hands, progress)

    # --- commands --------------------------------------------------------------------

    def _wallet_command(
        self, kind: str, player: str, amount: int, command_id: str, actor: str
    ) -> Command:
        check_name(player, "player")
        body = {"player": player, "amount": amount}
        command = self._execution.command(
            kind, wallet_id(player), body, command_id=command_id, actor=actor
        )
        return command._replace(reads_last=1)

    def _hand_command(
        self, kind: str, hand: str, body: Mapping[str, object], command_id: str, actor: str
    ) -> Command:
        check_name(hand, "hand")
        command = self._execution.command(
            kind, hand_stream(hand), {"hand": hand, **body}, command_id=command_id, actor=actor
        )
        return command._replace(is_first_served=True)
