"""The ledger for asyncio: the same commands, decided by the same rules, committed together.

A command is read and decided on a few threads; one that goes on unread, on the event loop itself.
While it is on its way into the store no thread waits for it, and no task, so thousands may be under
way on those few threads. What a commit came to wakes the loop once for all that were in it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial, wraps
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

from adapters.appending.batches import Append, Outcome
from adapters.appending.group_commit import WAITING_MAX
from adapters.appending.loop_commit import LoopCommit
from adapters.commands.asking import Asking
from adapters.commands.execution import AT_THE_STORE, Asked, Pause, Receipt, Steps
from adapters.errors import BusyError, LedgerClosedError
from adapters.ledger import Ledger, PositionedEntry
from adapters.registers.refusals import StoredRefusal
from adapters.views.waiting import WAIT_S

P = ParamSpec("P")
T = TypeVar("T")

THREADS: Final = 4
"""That read and decide, as many as a store has connections: more would only wait for one."""


def _carried_out(
    ask: Callable[Concatenate[Asking, P], Asked],
) -> Callable[Concatenate["AsyncLedger", P], Coroutine[Any, Any, Receipt]]:
    """Return the method that carries a command out, described as what asks for it."""

    @wraps(ask)
    async def carry_out(ledger: "AsyncLedger", /, *given: P.args, **named: P.kwargs) -> Receipt:
        return await ledger.carry_out(ask(ledger.ledger.asking, *given, **named))

    return carry_out


class _Answers:
    """What became of appends, on its way to the event loop from whichever thread knows it."""

    def __init__(self) -> None:
        """Bring it to the loop that runs."""
        self._loop = asyncio.get_running_loop()
        self._given: deque[tuple[_UnderWay, Outcome | Exception]] = deque()
        self._is_called_for = False

    def give(self, command: "_UnderWay", outcome: Outcome | Exception) -> None:
        """Let a command go on, on the event loop: those of one batch together."""
        self._given.append((command, outcome))
        if not self._is_called_for:
            self._is_called_for = True
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                self._loop.call_soon_threadsafe(self._take)

    def _take(self) -> None:
        self._is_called_for = False  # first: what is given from here on calls again
        while self._given:
            command, outcome = self._given.popleft()
            command.go_on(outcome)


class _UnderWay:
    """A command on its way: whatever it waits for takes it further, until it has a receipt."""

    def __init__(self, steps: Steps, ledger: "AsyncLedger", ended: Callable[[], None]) -> None:
        """Begin with no step taken; ``ended`` is called after the last."""
        self.receipt: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._steps, self._ledger, self._ended = steps, ledger, ended
        self._context = copy_context()  # what is logged on the way says for whom

    def go_on(self, outcome: Outcome | Exception | None) -> None:
        """Take it, on the event loop, to where it waits next, or to its end."""
        try:
            self._wait(self._step(outcome))
        except Exception as error:  # noqa: BLE001 - raised where the receipt is waited for
            self._end(self.receipt.set_exception, error)

    def _step(self, outcome: Outcome | Exception | None) -> Append | Pause | Receipt:
        take = self._steps.throw if isinstance(outcome, Exception) else self._steps.send
        try:
            return self._context.run(take, outcome)  # type: ignore[arg-type]
        except StopIteration as done:
            receipt: Receipt = done.value
            return receipt

    def _wait(self, step: Append | Pause | Receipt) -> None:
        if isinstance(step, Receipt):
            self._end(self.receipt.set_result, step)
        elif isinstance(step, Append):
            self._ledger.commit.submit(step, self)
        else:
            assert step is AT_THE_STORE, step
            apart = self._ledger.apart(partial(self._step, None))
            apart.add_done_callback(self._come_back)

    def _come_back(self, apart: "asyncio.Future[Append | Pause | Receipt]") -> None:
        try:
            self._wait(apart.result())
        except Exception as error:  # noqa: BLE001 - as above
            self._end(self.receipt.set_exception, error)

    def _end(self, tell: Callable[[T], None], what: T) -> None:
        if not self.receipt.done():  # somebody waits still
            tell(what)
        self._ended()

    # --- as whoever commits sees it --------------------------------------------------

    def set_running_or_notify_cancel(self) -> bool:
        """Say that it is not given up, whoever waits."""
        return True

    def set_result(self, outcome: Outcome) -> None:
        """Go on with what became of the append."""
        self._ledger.answers.give(self, outcome)

    def set_exception(self, error: Exception) -> None:
        """Go on with why that is not known."""
        self._ledger.answers.give(self, error)


class AsyncLedger:
    """A ledger whose methods are coroutines. Use it within one event loop, and close it."""

    def __init__(self, ledger: Ledger, *, under_way_max: int | None = None) -> None:
        """Work on a ledger, which may be used beside it, and is closed by :meth:`close`.

        Args:
            ledger: The one.
            under_way_max: Commands that may be under way; who comes then is refused at once.
                None lets everybody wait; but while the loop has no connection of its own, at
                the start or after a failure, those beyond 4,096 keep the whole loop waiting.
        """
        assert under_way_max is None or 0 < under_way_max <= WAITING_MAX, under_way_max
        self._under_way_max = under_way_max
        self.ledger = ledger
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="jinhua-decide")
        self._is_closed = False
        self.answers = _Answers()
        self.commit = LoopCommit(ledger.store, ledger.group, ledger.watch)
        self.under_way = 0
        """Commands."""
        self._nothing_under_way = asyncio.Event()
        self._nothing_under_way.set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave, and close the ledger too, unless it was left before; once is enough."""
        if not self._is_closed:
            await self.leave()
            await asyncio.to_thread(self.ledger.close)

    async def leave(self) -> None:
        """Finish what was begun, and leave the ledger open for others."""
        if self._is_closed:
            return
        self._is_closed = True
        await self._nothing_under_way.wait()
        await self.commit.close()
        self._threads.shutdown()

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

    async def carry_out(self, asked: Asked) -> Receipt:
        """Carry a command out; whoever stops waiting does not stop it.

        Raises:
            RefusalError: As it is refused.
            LedgerClosedError: The ledger was closed.
            BusyError: As many commands as may be are under way.
        """
        if self._is_closed:
            raise LedgerClosedError
        if self._under_way_max is not None and self.under_way >= self._under_way_max:
            raise BusyError(under_way=self.under_way)
        self.under_way += 1
        self._nothing_under_way.clear()
        command = _UnderWay(self.ledger.execution.steps(asked), self, self._ended)
        command.go_on(None)
        return await command.receipt

    def _ended(self) -> None:
        self.under_way -= 1
        if not self.under_way:
            self._nothing_under_way.set()

    def apart(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        """Do work that touches the store on one of the few threads."""
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    # --- reading ---------------------------------------------------------------------

    async def hand(self, hand: str) -> list[PositionedEntry]:
        """Return a hand's events: see :meth:`Ledger.hand`."""
        return await self._run(partial(self.ledger.hand, hand))

    async def shown(self, hand: str, seat: int | None = None) -> list[PositionedEntry]:
        """Return a hand's events as somebody may see them: see :meth:`Ledger.shown`."""
        return await self._run(partial(self.ledger.shown, hand, seat))

    async def dispute(self, dispute: str) -> list[PositionedEntry]:
        """Return a dispute's events: see :meth:`Ledger.dispute`."""
        return await self._run(partial(self.ledger.dispute, dispute))

    async def refusals(
        self, hand: str | None = None, command_id: str | None = None
    ) -> list[StoredRefusal]:
        """Return the commands that were refused: see :meth:`Ledger.refusals`."""
        return await self._run(partial(self.ledger.refusals, hand, command_id))

    async def wait_for(
        self,
        position: int,
        projection: str | None = None,
        *,
        timeout: float = WAIT_S,  # noqa: ASYNC109 - as there
    ) -> None:
        """Wait until what was written can be read: see :meth:`Ledger.wait_for`."""
        wait = partial(self.ledger.wait_for, position, projection, timeout=timeout)
        # Not on the few threads, which it would keep from their work.
        await asyncio.to_thread(wait)

    async def _run(self, work: Callable[[], T]) -> T:
        return await self.apart(partial(copy_context().run, work))
