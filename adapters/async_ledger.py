"""The ledger for asyncio: the same commands, decided by the same rules, committed together.

A command is read and decided on a few threads; one that goes on unread, on the event loop itself.
While it is on its way into the store nobody but its coroutine waits for it, so thousands may be
under way on those few threads.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, wraps
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

from adapters.appending import Append, Outcome
from adapters.asking import Asking
from adapters.errors import BusyError, LedgerClosedError
from adapters.execution import Asked, Receipt, Steps
from adapters.group_commit import WAITING_MAX
from adapters.ledger import Ledger, StoredDisputeEvent, StoredHandEvent
from adapters.refusals import StoredRefusal
from adapters.waiting import WAIT_S

P = ParamSpec("P")
T = TypeVar("T")

THREADS: Final = 4
"""As many as a store has connections: more would only wait for one."""


def _carried_out(
    ask: Callable[Concatenate[Asking, P], Asked],
) -> Callable[Concatenate["AsyncLedger", P], Coroutine[Any, Any, Receipt]]:
    """Return the method that carries a command out, described as what asks for it."""

    @wraps(ask)
    async def carry_out(ledger: "AsyncLedger", /, *given: P.args, **named: P.kwargs) -> Receipt:
        return await ledger.carry_out(ask(ledger.ledger.asking, *given, **named))

    return carry_out


class AsyncLedger:
    """A ledger whose methods are coroutines. Use it within one event loop, and close it."""

    def __init__(
        self, ledger: Ledger, *, threads: int = THREADS, under_way_max: int | None = None
    ) -> None:
        """Work on a ledger, which may be used beside it, and is closed with it.

        Args:
            ledger: The one.
            threads: That read and decide.
            under_way_max: Commands that may be under way; who comes then is refused at once.
                None lets everybody wait.
        """
        assert under_way_max is None or 0 < under_way_max <= WAITING_MAX, under_way_max
        self._under_way_max = under_way_max
        self.ledger = ledger
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="jinhua-decide")
        self._is_closed = False
        self._under_way: set[asyncio.Task[Receipt]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish what was begun, and give the connections up."""
        self._is_closed = True
        while self._under_way:
            await asyncio.wait(self._under_way)
        await self._run(self.ledger.close)
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
        if self._under_way_max is not None and len(self._under_way) >= self._under_way_max:
            raise BusyError(under_way=len(self._under_way))
        task = asyncio.create_task(self._carry_out(asked))
        self._under_way.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def _carry_out(self, asked: Asked) -> Receipt:
        steps = self.ledger.execution.steps(asked)
        step = self._go_on(steps, None)
        while not isinstance(step, Receipt):
            if step is None:  # it touches the store
                step = await self._run(partial(self._go_on, steps, None))
            else:
                outcome = await asyncio.wrap_future(self.ledger.group.submit(step))
                step = self._go_on(steps, outcome)
        return step

    def _go_on(self, steps: Steps, outcome: Outcome | None) -> Append | Receipt | None:
        """Take a command to where it touches the store, or to its end."""
        try:
            return steps.send(outcome)
        except StopIteration as done:
            receipt: Receipt = done.value
            return receipt

    def _ended(self, task: "asyncio.Task[Receipt]") -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            task.exception()  # whoever still waits gets it; if nobody does, that is no fault

    # --- reading ---------------------------------------------------------------------

    async def hand(self, hand: str) -> list[StoredHandEvent]:
        """Return a hand's events: see :meth:`Ledger.hand`."""
        return await self._run(partial(self.ledger.hand, hand))

    async def shown(self, hand: str, seat: int | None = None) -> list[StoredHandEvent]:
        """Return a hand's events as somebody may see them: see :meth:`Ledger.shown`."""
        return await self._run(partial(self.ledger.shown, hand, seat))

    async def dispute(self, dispute: str) -> list[StoredDisputeEvent]:
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
        in_context = partial(copy_context().run, work)  # what is logged there says for whom
        return await asyncio.get_running_loop().run_in_executor(self._threads, in_context)
