"""Group commit on an event loop: what is sent together, and what becomes of it when it breaks."""

import asyncio
import json
import select
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import psycopg
import pytest
import uvloop
from psycopg.conninfo import make_conninfo

from adapters.appending.append_line import AppendLine
from adapters.appending.batches import (
    Answer,
    Append,
    Batch,
    Conflict,
    Outcome,
    Prepared,
    Replayed,
    Reused,
    Stored,
    prepare,
)
from adapters.appending.group_commit import BATCH_MAX, GroupCommit
from adapters.appending.loop_commit import LoopCommit
from adapters.appending.recorder import append_prepared
from adapters.async_ledger import AsyncLedger
from adapters.errors import LedgerClosedError, StoreUnreachableError
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from tests.adapters.appending.test_group_commit import deposit, unstorable
from tests.adapters.play import balance
from tests.adapters.stored import execute, rows

PATIENCE_S = 30.0

LARGE = json.dumps("x" * 8_000_000)
"""Far more than a socket takes at once."""

WAITS = """
    SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()
"""


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something to come true; meanwhile the loop goes on."""
    while not condition():  # noqa: ASYNC110 - whatever it is
        await asyncio.sleep(0.002)


class Waiter:
    """Waits on the loop for what becomes of an append, on whichever thread it is told."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.outcome: asyncio.Future[Outcome] = self._loop.create_future()

    def set_running_or_notify_cancel(self) -> bool:
        """Say that it does not give up."""
        return True

    def set_result(self, outcome: Outcome, /) -> None:
        """Be told."""
        self._loop.call_soon_threadsafe(self.outcome.set_result, outcome)

    def set_exception(self, error: Exception, /) -> None:
        """Be told that it is not known."""
        self._loop.call_soon_threadsafe(self.outcome.set_exception, error)


class Desk:
    """Takes appends on a loop; tells how many were sent together, and what the group was left."""

    def __init__(self, dsn: str, store: Store) -> None:
        """Begin without a line."""
        self.dsn, self.store = dsn, store
        self.sent: list[int] = []
        self.left: list[str] = []
        self.group = GroupCommit(self._commit)
        self.commit = LoopCommit(store, self.group, self._watch)

    async def connected(self) -> None:
        """Wait until there is a line, and forget how it came about."""
        await self.outcomes(deposit("first", command_id=f"first-{id(object())}"))
        await until(lambda: self.commit._line is not None)
        self.forget()

    def forget(self) -> None:
        """Forget what was sent, and what was left to the group."""
        self.sent.clear()
        self.left.clear()

    def give(self, *brought: Append) -> list[asyncio.Future[Outcome]]:
        """Give appends in one go of the loop."""
        waiters = [Waiter() for _ in brought]
        for append, waiter in zip(brought, waiters, strict=True):
            self.commit.submit(append, waiter)
        return [waiter.outcome for waiter in waiters]

    async def outcomes(self, *brought: Append) -> list[Outcome | BaseException]:
        """Give appends, and wait for what becomes of them."""
        return await asyncio.gather(*self.give(*brought), return_exceptions=True)

    @property
    def line(self) -> AppendLine:
        """The line that there is."""
        assert self.commit._line is not None
        return self.commit._line

    def terminate(self, function: str = "pg_terminate_backend") -> None:
        """Have the server end what is at the other end of the line, and wait until it has."""
        pid = self.line._conn.info.backend_pid
        timeout = ", 30000" if function == "pg_terminate_backend" else ""
        execute(self.dsn, f"SELECT {function}({pid}{timeout})")

    async def until_it_waits(self) -> None:
        """Wait until a batch is with the store, which has somebody else append."""
        await until(lambda: rows(self.dsn, WAITS) != [])

    def _commit(self, batch: Sequence[Prepared]) -> list[Outcome]:
        self.left += [prepared.append.command_id for prepared in batch]
        return append_prepared(self.store, batch)

    def _watch(self, outcomes: Sequence[Outcome], _seconds: float) -> None:
        self.sent.append(len(outcomes))


def received(line: AppendLine) -> Answer:
    """Wait for an answer."""
    while (answer := line.receive()) is None:
        assert select.select([line], [], [], PATIENCE_S)[0]
    return answer


LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def run(work: Callable[[], Awaitable[Any]], loop: str = "asyncio") -> Any:
    """Run a coroutine function on a loop; whatever goes wrong on that beside it is told too."""
    wrong: list[dict[str, Any]] = []

    async def main() -> Any:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        return await asyncio.wait_for(work(), PATIENCE_S)

    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        done = runner.run(main())
    assert wrong == []
    return done


@pytest.fixture(params=LOOPS)
def at_desk(request, store_dsn, ledger):
    """What runs a coroutine function at a desk that has its line."""

    def at(work: Callable[[Desk], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            desk = Desk(store_dsn, ledger.store)
            await desk.connected()
            try:
                return await work(desk)
            finally:
                await desk.commit.close()
                desk.group.close()

        return run(main, request.param)

    return at


def deposits(prefix: str, count: int) -> list[Append]:
    """Return deposits by so many players."""
    return [deposit(f"{prefix}{n}") for n in range(count)]


# --- what is sent together -------------------------------------------------------------


def test_a_batch_is_half_of_those_who_are_under_way_at_once(at_desk):
    """While it is with the store the others are decided; nobody is left behind."""

    async def work(desk: Desk):
        first = desk.give(deposit("one"))
        others = desk.give(*deposits("p", 9))
        return await asyncio.gather(*first, *others), desk.sent, desk.left

    outcomes, sent, left = at_desk(work)

    assert {type(outcome) for outcome in outcomes} == {Stored}
    assert (sent, left) == ([1, 5, 4], [])


def test_as_many_as_make_a_batch_are_sent_at_once_and_fewer_once_nobody_else_comes(at_desk):
    """Whoever is ready to run comes before the last call."""

    async def work(desk: Desk):
        await desk.outcomes(deposit("one"), *deposits("p", 9))
        desk.forget()

        async def late(n: int):
            await asyncio.sleep(0)
            return await desk.outcomes(deposit(f"late{n}"))

        await asyncio.gather(*(late(n) for n in range(3)))
        few = [*desk.sent]
        desk.forget()
        desk.give(*deposits("q", 3))
        is_sent = [desk.commit._sent is not None]
        many = desk.give(*deposits("r", 6))
        is_sent.append(desk.commit._sent is not None)
        await asyncio.gather(*many)
        return few, is_sent

    assert at_desk(work) == ([3], [False, True])


def test_of_hundreds_no_batch_is_larger_than_it_may_be(at_desk):
    """However many there were at once."""

    async def work(desk: Desk):
        await desk.outcomes(*deposits("p", 600))
        return desk.sent

    sent = at_desk(work)

    assert sent[:2] == [1, BATCH_MAX]
    assert sum(sent) == 600


def test_once_they_are_gone_a_batch_is_small_again(at_desk):
    """How many there were at once is forgotten little by little."""

    async def work(desk: Desk):
        await desk.outcomes(*deposits("p", 20))
        for n in range(30):
            await desk.outcomes(deposit(f"q{n}"))
        return desk.commit._batch_max()

    assert at_desk(work) == 1


def test_an_id_that_comes_again_waits_for_the_first(at_desk, ledger):
    """It finds the receipt; whoever comes behind it is stored as ever."""

    async def work(desk: Desk):
        await desk.outcomes(*deposits("p", 9))  # so that all would be one batch
        desk.forget()
        same = [deposit("ann"), deposit("ann"), deposit("ann", amount=6), deposit("bob")]
        return await desk.outcomes(*same), desk.sent, desk.left

    outcomes, sent, left = at_desk(work)

    first = outcomes[0]
    assert outcomes == [first, Replayed(first.first, first.last, "{}"), Reused("amount"), Stored(
        first.last + 1, first.last + 1
    )]  # fmt: skip
    assert left == ["d:ann:0"] * 2
    assert sum(sent) == 2
    assert balance(ledger, "ann") == 5


def test_each_is_told_what_became_of_its_own(at_desk):
    """A conflict is its caller's alone."""

    async def work(desk: Desk):
        await desk.outcomes(*deposits("p", 9))
        return await desk.outcomes(deposit("ann"), deposit("p1", command_id="late"), deposit("bob"))

    ann, late, bob = at_desk(work)

    assert (type(ann), type(bob)) == (Stored, Stored)
    assert late == Conflict("wallet:p1", expected=0, actual=1)


# --- what cannot be stored -------------------------------------------------------------


def surrogate(player: str) -> Append:
    """A deposit with a text in it that is none."""
    return deposit(player)._replace(answer='"\ud800"')


@pytest.mark.parametrize("spoilt", [unstorable, surrogate])
def test_no_neighbour_is_concerned_by_what_cannot_be_sent(at_desk, spoilt):
    """It fails alone, and the line is as good as before."""

    async def work(desk: Desk):
        line = desk.line
        await desk.outcomes(*deposits("p", 9))
        outcomes = await desk.outcomes(deposit("ann"), spoilt("cat"), deposit("bob"))
        desk.forget()
        await desk.outcomes(deposit("dan"))
        assert desk.line is line
        return [type(outcome) for outcome in outcomes], desk.left

    (ann, cat, bob), left = at_desk(work)

    assert (ann, bob) == (Stored, Stored)
    assert issubclass(cat, psycopg.DataError | UnicodeError)
    assert left == []


def test_any_number_of_those_hold_nobody_up(at_desk):
    """One id again and again is a batch each time: their failures do not pile up."""

    async def work(desk: Desk):
        bad = unstorable("cat")
        given = desk.give(deposit("ann"), *([bad] * 600), deposit("bob"))
        return Counter(
            type(outcome) for outcome in await asyncio.gather(*given, return_exceptions=True)
        )

    assert at_desk(work) == {Stored: 2, psycopg.DataError: 600}


def test_what_the_store_refuses_is_tried_by_the_group(at_desk, ledger):
    """The line is as good as before; those behind are sent on it."""

    async def work(desk: Desk):
        line = desk.line
        with ledger.store.alone():
            given = desk.give(deposit("ann"))
            given += desk.give(*deposits("p", 3))
            await desk.until_it_waits()
            desk.terminate("pg_cancel_backend")
            await until(lambda: desk.left != [])
        outcomes = await asyncio.gather(*given)
        assert desk.line is line
        return {type(outcome) for outcome in outcomes}, desk.left, sum(desk.sent)

    assert at_desk(work) == ({Stored}, ["d:ann:0"], 3)


def test_more_than_the_socket_takes_goes_out_little_by_little(at_desk, ledger):
    """The loop goes on meanwhile."""

    async def work(desk: Desk):
        (large,) = desk.give(deposit("ann")._replace(answer=LARGE))
        others = desk.give(*deposits("p", 3))
        await asyncio.sleep(0)
        assert not large.done()
        return await asyncio.gather(large, *others), sum(desk.sent)

    outcomes, sent = at_desk(work)

    assert {type(outcome) for outcome in outcomes} == {Stored}
    assert sent == 4
    assert longest_answer(ledger) == len(LARGE)


def longest_answer(ledger: Ledger) -> int:
    """Return how long the longest answer in the store is."""
    with ledger.store.connection() as conn:
        ((length,),) = conn.execute("SELECT max(length(answer)) FROM receipts")
    return int(length)


# --- what breaks -----------------------------------------------------------------------


def test_a_line_that_breaks_with_a_batch_on_it(at_desk, ledger):
    """All of them are the group's, sent or not; stored once, and there is another line soon."""

    async def work(desk: Desk):
        with ledger.store.alone():
            given = desk.give(deposit("ann"))
            given += desk.give(*deposits("p", 9))
            await desk.until_it_waits()
            desk.terminate()
            await until(lambda: desk.commit._line is None)
        outcomes = await asyncio.gather(*given)
        left = [*desk.left]
        await desk.connected()
        await desk.outcomes(deposit("bob"))
        return {type(outcome) for outcome in outcomes}, left, desk.sent

    outcomes, left, sent = at_desk(work)

    assert outcomes == {Stored}
    assert left == ["d:ann:0", *(f"d:p{n}:0" for n in range(9))]
    assert sent == [1]
    assert list(ledger.verify()) == []


def test_a_line_that_breaks_before_the_server_has_read_everything(at_desk, ledger):
    """Then there is an error on the socket, after the last words of the server."""

    async def work(desk: Desk):
        with ledger.store.alone():
            given = desk.give(deposit("ann"))
            await desk.until_it_waits()
            desk.line._socket.send(b"more")
            desk.terminate()
            await until(lambda: desk.commit._line is None)
        return await asyncio.gather(*given), desk.left

    assert at_desk(work) == ([Stored(2, 2)], ["d:ann:0"])


def test_a_line_that_breaks_while_nothing_is_on_it(at_desk, ledger):
    """That is noticed, and the next one is the group's."""

    async def work(desk: Desk):
        desk.terminate()
        await until(lambda: desk.commit._line is None)
        await desk.outcomes(deposit("ann"))
        left = [*desk.left]
        await desk.connected()
        return left

    assert at_desk(work) == ["d:ann:0"]
    assert balance(ledger, "ann") == 5


def test_a_line_that_has_broken_unnoticed(at_desk, ledger):
    """Whatever is sent on it is the group's."""

    async def work(desk: Desk):
        desk.terminate()
        outcomes = await desk.outcomes(deposit("ann"), *deposits("p", 9))
        return {type(outcome) for outcome in outcomes}, len(desk.left), desk.sent

    assert at_desk(work) == ({Stored}, 10, [])
    assert list(ledger.verify()) == []


def test_a_line_that_is_known_to_be_broken_only_when_it_is_sent_on(at_desk, ledger):
    """The loop had no time to say so."""

    async def work(desk: Desk):
        line = desk.line
        desk.terminate()
        with pytest.raises(psycopg.OperationalError):
            received(line)
        outcomes = await desk.outcomes(deposit("ann"), *deposits("p", 9))
        assert desk.commit._line is not line
        return {type(outcome) for outcome in outcomes}, len(desk.left)

    assert at_desk(work) == ({Stored}, 10)
    assert list(ledger.verify()) == []


@pytest.mark.parametrize("how", [socket.SHUT_RD, socket.SHUT_WR, socket.SHUT_RDWR])
def test_a_line_that_breaks_with_half_a_batch_out(at_desk, ledger, how):
    """What was not all there is not stored; the group stores it."""

    async def work(desk: Desk):
        line = desk.line
        (large,) = desk.give(deposit("ann")._replace(answer=LARGE))
        await asyncio.sleep(0)
        # There is room again, and the loop is about to be told so.
        assert select.select([], [line], [], PATIENCE_S)[1]
        await asyncio.sleep(0)
        line._socket.shutdown(how)
        return await large, desk.left, desk.sent

    outcome, left, sent = at_desk(work)

    assert (type(outcome), left, sent) == (Stored, ["d:ann:0"], [])
    assert balance(ledger, "ann") == 5


# --- without a line --------------------------------------------------------------------


def test_without_a_line_everything_is_the_groups(store_dsn, ledger):
    """Only one is being connected, however many come meanwhile."""

    async def work():
        desk = Desk(store_dsn, ledger.store)
        outcomes = await desk.outcomes(*deposits("p", 9))
        await desk.commit.close()
        desk.group.close()
        return {type(outcome) for outcome in outcomes}, len(desk.left), desk.sent

    assert run(work) == ({Stored}, 9, [])


def test_a_store_that_cannot_append_is_told_by_the_group(database):
    """Whoever is concerned is told why; once the store can, there is a line soon."""
    execute(database, "ALTER FUNCTION append_commands RENAME TO appended")

    async def work():
        with Store(database) as store:
            desk = Desk(database, store)
            told = await desk.outcomes(deposit("ann"))
            await until(lambda: desk.commit._connecting is None)
            assert desk.commit._line is None
            execute(database, "ALTER FUNCTION appended RENAME TO append_commands")
            again = await desk.outcomes(deposit("ann"))
            await desk.connected()
            await desk.commit.close()
            desk.group.close()
        return told, again

    (told,), (again,) = run(work)

    assert type(told) is psycopg.errors.UndefinedFunction
    assert again == Stored(1, 1)


def test_a_store_that_takes_no_connection_is_told_by_the_group(store_dsn, monkeypatch):
    """It may have some left for the group; then nothing is told at all."""
    with Ledger(Store(store_dsn)) as ledger:
        monkeypatch.setattr(ledger.store, "_dsn", make_conninfo(store_dsn, dbname="nowhere"))

        async def work():
            desk = Desk(store_dsn, ledger.store)
            outcomes = await desk.outcomes(*deposits("p", 3))
            await until(lambda: desk.commit._connecting is None)
            assert desk.commit._line is None
            desk.group.close()
            await desk.commit.close()
            return {type(outcome) for outcome in outcomes}

        assert run(work) == {Stored}


# --- at the end ------------------------------------------------------------------------


def test_closing_while_a_line_is_being_connected_leaves_none(store_dsn):
    """It is waited for, and given up."""
    named = make_conninfo(store_dsn, application_name="closing")

    async def work():
        with Store(named) as store:
            desk = Desk(store_dsn, store)
            given = desk.give(deposit("ann"))
            await desk.commit.close()
            assert desk.commit._line is None
            outcomes = await asyncio.gather(*given)
            desk.group.close()
        return outcomes

    assert run(work) == [Stored(1, 1)]
    left = "SELECT FROM pg_stat_activity WHERE application_name = 'closing'"
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        while owner.execute(left).rowcount:
            owner.execute("SELECT pg_sleep(0.01)")


def test_a_group_that_is_closed_too_early_leaves_nobody_waiting(at_desk, ledger):
    """Of those whose line breaks then nobody knows what became; who comes later is told so."""

    async def work(desk: Desk):
        stored = await desk.outcomes(deposit("ann"))
        with ledger.store.alone():
            given = desk.give(deposit("ann"))  # has a receipt, which only the group reads
            given += desk.give(*deposits("p", 3))
            await desk.until_it_waits()
            desk.group.close()
        known = await asyncio.gather(*given, return_exceptions=True)
        with ledger.store.alone():
            given = desk.give(*deposits("q", 3))
            await desk.until_it_waits()
            desk.terminate()
            await until(lambda: desk.commit._line is None)
        unknown = await asyncio.gather(*given, return_exceptions=True)
        with pytest.raises(LedgerClosedError):
            desk.give(deposit("late"))
        await until(lambda: desk.commit._connecting is None)
        return [[type(outcome) for outcome in found] for found in (stored, known, unknown)]

    stored, known, unknown = at_desk(work)

    assert stored == [Stored]
    assert known == [StoreUnreachableError, Stored, Stored, Stored]
    assert unknown == [StoreUnreachableError] * 3


# --- the line itself -------------------------------------------------------------------


def test_an_answer_is_there_once_and_not_before(ledger):
    """Nobody waits for it in between."""
    with closing(AppendLine.to(ledger.store)) as line:
        batch = Batch([prepare(deposit("ann")), prepare(deposit("bob"))])
        assert line.receive() is None
        with ledger.store.alone():
            assert line.send(batch)
            assert line.receive() is None
        outcomes = batch.outcomes(received(line))
        assert line.receive() is None

    assert outcomes == [Stored(1, 1), Stored(2, 2)]


def test_the_socket_stays_until_the_line_is_closed(store_dsn, ledger):
    """Else a loop could not let go of it, or would of another that has its number by now."""
    with closing(AppendLine.to(ledger.store)) as line:
        number = line.fileno()
        execute(store_dsn, f"SELECT pg_terminate_backend({line._conn.info.backend_pid}, 30000)")
        with pytest.raises(psycopg.OperationalError):
            received(line)

        assert line.is_broken
        assert line.fileno() == number
        assert select.select([line], [], [], PATIENCE_S)[0]


# --- many at once ----------------------------------------------------------------------


@pytest.mark.parametrize("loop", LOOPS)
def test_several_ledgers_on_one_store(store_dsn, ledger, loop):
    """On one loop and on threads, at the same wallets: nothing is lost, nothing doubled."""

    async def work():
        shared = Ledger(Store(store_dsn))
        lives = [AsyncLedger(Ledger(Store(store_dsn))), AsyncLedger(shared), AsyncLedger(shared)]
        with ThreadPoolExecutor(4) as threads:
            others = [
                threads.submit(ledger.deposit, f"p{n % 7}", 1, command_id=f"own-{n}")
                for n in range(40)
            ]
            given = [
                live.deposit(f"p{n % 7}", 1, command_id=f"{'same' if n % 2 else place}-{n}")
                for n in range(60)
                for place, live in enumerate(lives)
            ]
            told = Counter(receipt.status for receipt in await asyncio.gather(*given))
            own = Counter(other.result().status for other in others)
        for live in lives:
            await live.leave()
        for closed in (lives[0].ledger, shared):
            await asyncio.to_thread(closed.close)
        return told, own

    told, own = run(work, loop)

    assert own == {"applied": 40}
    assert told == {"applied": 3 * 30 + 30, "replayed": 2 * 30}
    assert sum(balance(ledger, f"p{n}") for n in range(7)) == 40 + 120
    assert list(ledger.verify()) == []


def test_hundreds_give_one_command_at_once(store_dsn, ledger):
    """It is carried out once, and everybody is told how."""

    async def work():
        async with AsyncLedger(Ledger(Store(store_dsn))) as live:
            await live.deposit("bob", 1, command_id="first")
            await until(lambda: live.commit._line is not None)
            given = (live.deposit("ann", 5, command_id="d-1") for _ in range(200))
            return await asyncio.gather(*given)

    receipts = run(work)

    assert Counter(receipt.status for receipt in receipts) == {"applied": 1, "replayed": 199}
    assert len({receipt.text for receipt in receipts}) == 1
    assert balance(ledger, "ann") == 5
