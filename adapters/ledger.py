"""The ledger: the one way in. Every command is checked, decided, and stored with its receipt.

A command has an id. The same command given again gets its first answer and changes nothing;
another one under the same id is refused. A refusal is raised; nothing of it becomes history, and
that it was refused is kept beside it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, wraps
from typing import Concatenate, NamedTuple, ParamSpec, Self

from adapters.appending.group_commit import GroupCommit, Watch
from adapters.appending.recorder import LedgerRecorder, append_prepared
from adapters.clock import Clock, now
from adapters.commands.asking import Asking
from adapters.commands.execution import Asked, Execution, Receipt
from adapters.commands.imported import ImportReport
from adapters.commands.importing import STORING, Import
from adapters.commands.rehearsing import Rehearsing
from adapters.registers import refusals
from adapters.store.chain import Linked
from adapters.store.codec import Codec
from adapters.store.postgres import Store
from adapters.verifying import runs, streams
from adapters.verifying.bookmark import Bookmark
from adapters.views.waiting import WAIT_S, wait_for
from domain.discrepancies import Discrepancy
from domain.dispute import dispute_stream
from domain.errors import UnknownDisputeError, UnknownHandError, UnknownSeatError
from domain.events import HandOpened
from domain.hand import hand_stream
from domain.record import check_name
from domain.sight import as_seen
from domain.stream import Entry

P = ParamSpec("P")


class PositionedEntry(NamedTuple):
    """An event with its cause, and where it is in the history."""

    position: int
    entry: Entry


def _carried_out(
    ask: Callable[Concatenate[Asking, P], Asked],
) -> Callable[Concatenate["Ledger", P], Receipt]:
    """Return the method that carries a command out, described as what asks for it."""

    @wraps(ask)
    def carry_out(ledger: "Ledger", /, *given: P.args, **named: P.kwargs) -> Receipt:
        return ledger.execution.carry_out(ask(ledger.asking, *given, **named))

    return carry_out


class Ledger:
    """Hands and wallets on one store."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = now,
        watch: Watch | None = None,
    ) -> None:
        """Work on a store, which is closed with the ledger.

        Args:
            store: The one.
            clock: Says when things happen.
            watch: Is told of every batch that is stored.
        """
        self.store = store
        self.recorder = LedgerRecorder(store)
        self.asking = Asking(clock, store.cards)
        self.watch = watch
        self.group = GroupCommit(partial(append_prepared, store), cards=store.cards, watch=watch)
        self.execution = Execution(store, self.group)
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish what was begun, and give the connections up."""
        self.group.close()
        self.store.close()

    # --- commands --------------------------------------------------------------------

    deposit = _carried_out(Asking.deposit)
    withdraw = _carried_out(Asking.withdraw)
    open_hand = _carried_out(Asking.open_hand)
    act = _carried_out(Asking.act)
    act_many = _carried_out(Asking.act_many)
    void_hand = _carried_out(Asking.void_hand)
    disclose_deck = _carried_out(Asking.disclose_deck)
    claim_settlement = _carried_out(Asking.claim_settlement)
    name_player = _carried_out(Asking.name_player)
    erase_player = _carried_out(Asking.erase_player)
    open_dispute = _carried_out(Asking.open_dispute)
    note_dispute = _carried_out(Asking.note_dispute)
    rule_dispute = _carried_out(Asking.rule_dispute)

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
        work = self.importing(deposit_missing=deposit_missing, claimant=claimant)
        report = work.run(lines, progress)
        work.log(report)
        return report

    def importing(self, *, deposit_missing: bool, claimant: str, rehearsed: bool = False) -> Import:
        """Return an import to be carried out, or a rehearsal of it, which stores nothing.

        Raises:
            BadRecordError: The claimant is no name.
        """
        check_name(claimant, "claimant")
        return Import(
            self.store,
            self._clock,
            deposit_missing=deposit_missing,
            claimant=claimant,
            keeper=Rehearsing() if rehearsed else STORING,
        )

    # --- reading ---------------------------------------------------------------------

    def hand(self, hand: str) -> list[PositionedEntry]:
        """Return a hand's events in order, each with its position, and all cards in them.

        They are for what decides and proves. Whatever is shown to anybody is :meth:`shown`.

        Raises:
            UnknownHandError: There is no such hand.
            UnreadableEventError: One of its events cannot be read.
            CardKeyMissingError: Its cards are sealed under a key that is not held.
        """
        stored = self.recorder.select_events(hand_stream(hand))
        if not stored:
            raise UnknownHandError(f"no hand {hand} was ever opened", hand=hand)
        codec = Codec(self.store.cards)
        return [PositionedEntry(row.id, codec.to_domain_event(row)) for row in stored]

    def shown(self, hand: str, seat: int | None = None) -> list[PositionedEntry]:
        """Return a hand's events as somebody may see them.

        Of a hand that has ended that is everything. While it runs cards are hidden, but for
        those of the seat that asks, once it has looked at them.

        Args:
            hand: Its id.
            seat: Who asks; None is somebody who sits nowhere.

        Raises:
            UnknownHandError: There is no such hand.
            UnknownSeatError: Nobody sits there.
            UnreadableEventError: One of its events cannot be read.
            CardKeyMissingError: Its cards are sealed under a key that is not held.
        """
        stored = self.hand(hand)
        events = [entry.event for _, entry in stored]
        seats = {taken.seat for e in events if isinstance(e, HandOpened) for taken in e.seats}
        if seat is not None and seat not in seats:
            raise UnknownSeatError(f"nobody sits in seat {seat} of hand {hand}", seat=seat)
        return [
            PositionedEntry(position, entry._replace(event=event))
            for (position, entry), event in zip(stored, as_seen(events, seat), strict=True)
        ]

    def dispute(self, dispute: str) -> list[PositionedEntry]:
        """Return a dispute's events in order, each with its position.

        Their texts are for who works on it; they are free, and may say anything.

        Raises:
            UnknownDisputeError: There is no such dispute.
            UnreadableEventError: One of its events cannot be read.
        """
        stored = self.recorder.select_events(dispute_stream(dispute))
        if not stored:
            raise UnknownDisputeError(f"no dispute {dispute} was ever opened", dispute=dispute)
        codec = Codec()
        return [PositionedEntry(row.id, codec.to_domain_event(row)) for row in stored]

    def refusals(
        self, hand: str | None = None, command_id: str | None = None
    ) -> list[refusals.StoredRefusal]:
        """Return the commands that were refused, in order.

        Args:
            hand: Only those about this hand.
            command_id: Only those given under this id.
        """
        return refusals.refusals(self.store, hand=hand, command_id=command_id)

    def wait_for(
        self, position: int, projection: str | None = None, *, timeout: float = WAIT_S
    ) -> None:
        """Wait until what was written up to a position can be read.

        Args:
            position: A receipt's ``last_position``, say.
            projection: Where it is to be read; None is in every one of them.
            timeout: How long to wait, seconds.

        Raises:
            KeyError: There is no such projection.
            NotReachedError: It has not come so far in that time.
        """
        wait_for(self.store, position, projection, timeout=timeout)

    def hands(self) -> Iterator[str]:
        """Yield the id of every hand, in the order of their bytes."""
        return streams.hand_ids(self.store)

    def stream_hands(
        self, hands: Sequence[str] | None = None
    ) -> Iterator[tuple[str, list[Linked]]]:
        """Yield hands with their rows as they are stored, in the order of their ids' bytes.

        A body with cards in it is sealed where there was a key, and else in the clear, of
        running hands too: they are for copies and checks of the store, and not to be shown.

        Args:
            hands: Their ids; None is every hand, in flat memory.
        """
        return streams.stream_hands(self.store, hands)

    def verify(
        self,
        hands: Sequence[str] | None = None,
        progress: Callable[[int, int], None] | None = None,
        *,
        notes: Sequence[str] = (),
        key: str | None = None,
        jobs: int = 1,
        dask: str | None = None,
        bookmark: Bookmark | None = None,
    ) -> Iterator[Discrepancy]:
        """Decide everything again from the events alone, and yield what parts.

        Args:
            hands: These alone; None is every hand, every wallet, the history's own order and
                every checkpoint.
            progress: Told, now and then, how many hands and events are done.
            notes: Checkpoints that were kept elsewhere, where everything is verified.
            key: The verifier's text of the key that every checkpoint should be signed with.
            jobs: Processes that share the work on everything, once that is much; they are
                spawned, so a script that asks for several has to guard its ``__main__``.
            dask: The address of a Dask scheduler whose workers share it instead.
            bookmark: Remembers how far everything has come, and what an earlier run had done; to be
                removed when all is done.

        Raises:
            UnknownHandError: There is no such hand.
            MalformedNoteError: A note is no checkpoint.
            MalformedKeyError: The key is none.
            CardKeyMissingError: Cards are sealed under a key that is not held.
            ProcessLostError: Whoever shared the work is gone.
            ClusterError: There is no such cluster, or it cannot do this.
            BookmarkUnusableError: The bookmark is of another history.
        """
        return runs.verify(
            self.store,
            hands,
            progress,
            notes=notes,
            key=key,
            jobs=jobs,
            dask=dask,
            bookmark=bookmark,
        )
