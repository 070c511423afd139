"""Group commit: many callers, few transactions, and nobody answers for a neighbour."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial

import psycopg
import pytest

from adapters.appending.batches import (
    Append,
    Conflict,
    Outcome,
    Prepared,
    Replayed,
    Reused,
    Stored,
    prepare,
)
from adapters.appending.fingerprints import fingerprint
from adapters.appending.group_commit import GroupCommit, Waiting
from adapters.appending.recorder import append_prepared
from adapters.errors import LedgerClosedError, StoreUnreachableError
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from domain.stream import Cause, Entry
from domain.wallet import Wallet
from tests.adapters.play import do, fund, sit_down

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def deposit(player: str, *, amount: int = 5, version: int = 0, command_id: str = "") -> Append:
    """A deposit decided on a wallet at a version."""
    command_id = command_id or f"d:{player}:{version}"
    wallet = Wallet.resume(player, version=version, balance=0)
    wallet.deposit(amount, Cause(command_id, "cashier", NOON))
    body = {"player": player, "amount": amount}
    return Append(command_id, fingerprint("deposit", body), wallet.collect_events(), "{}")


def unstorable(player: str) -> Append:
    """A deposit with a text in it that no PostgreSQL takes."""
    brought = deposit(player)
    (entry,) = brought.entries
    spoilt = Entry(entry.originator_id, 1, entry.event, Cause("d\0", "cashier", NOON))
    return brought._replace(entries=[spoilt])


class Gate:
    """A store that stands still until it is let go, and tells what came together."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.opened, self.entered = threading.Event(), threading.Event()
        self.batches: list[list[str]] = []

    def __call__(self, batch: Sequence[Prepared]) -> list[Outcome]:
        """Commit once the gate is open."""
        self.batches.append([prepared.append.command_id for prepared in batch])
        self.entered.set()
        assert self.opened.wait(10)
        return append_prepared(self._store, batch)


@pytest.fixture
def gate(ledger):
    """A gate before the ledger's store, opened at the end whatever happens."""
    gate = Gate(ledger.store)
    yield gate
    gate.opened.set()


def queued(group: GroupCommit, brought: Append) -> Future[Outcome]:
    """Queue an append, and return where its outcome will be."""
    future: Future[Outcome] = Future()
    group.queue(Waiting(prepare(brought), future))
    return future


def behind(group: GroupCommit, gate: Gate, *brought: Append) -> list[Future[Outcome]]:
    """Let one append reach the gate, and queue the others behind it."""
    first = queued(group, deposit("first"))
    assert gate.entered.wait(10)
    return [first, *(queued(group, one) for one in brought)]


def test_what_piles_up_meanwhile_is_one_transaction(gate):
    """In the order in which it came, at positions that follow."""
    with GroupCommit(gate) as group:
        futures = behind(group, gate, *(deposit(f"p{n}") for n in range(9)))
        gate.opened.set()
        outcomes = [future.result(10) for future in futures]

    assert outcomes == [Stored(n, n) for n in range(1, 11)]
    assert gate.batches == [["d:first:0"], [f"d:p{n}:0" for n in range(9)]]


def test_no_batch_is_larger_than_it_may_be(gate):
    """The rest comes next."""
    with GroupCommit(gate, batch_max=4) as group:
        behind(group, gate, *(deposit(f"p{n}") for n in range(9)))
        gate.opened.set()

    assert [len(batch) for batch in gate.batches] == [1, 4, 4, 1]


def test_whoever_is_alone_commits_at_once_and_needs_no_thread(ledger):
    """Nothing is added to the time of a single caller."""
    threads = []

    def commit(batch: Sequence[Prepared]) -> list[Outcome]:
        threads.append(threading.current_thread())
        return append_prepared(ledger.store, batch)

    with GroupCommit(commit) as group:
        for version in range(3):
            group.append(deposit("ann", version=version))

    assert threads == [threading.current_thread()] * 3


def test_once_the_others_are_gone_a_caller_commits_at_once_again(gate, ledger):
    """The first one after a batch of many gives them a moment to come back; the next does not."""
    threads = []

    def commit(batch: Sequence[Prepared]) -> list[Outcome]:
        threads.append(threading.current_thread())
        return gate(batch)

    with GroupCommit(commit) as group:
        futures = behind(group, gate, *(deposit(f"p{n}") for n in range(5)))
        gate.opened.set()
        futures[-1].result(10)
        for version in range(3):
            group.append(deposit("ann", version=version))

    assert [thread is threading.current_thread() for thread in threads] == [
        *(False, False, False, True, True),
    ]
    assert ledger.recorder.max_notification_id() == 9


def test_no_neighbour_is_concerned_by_a_conflict_or_a_used_id(ledger, gate):
    """Each is told what became of its own."""
    fund(ledger, "ann")
    with GroupCommit(gate) as group:
        futures = behind(
            group,
            gate,
            deposit("ann", command_id="late"),  # at version 1 by now
            deposit("bob"),
            deposit("bob", amount=6),
            deposit("bob"),
            deposit("cat", version=3),
            deposit("dan"),
        )
        gate.opened.set()
        outcomes = [future.result(10) for future in futures]

    assert outcomes == [
        Stored(2, 2),
        Conflict("wallet:ann", expected=0, actual=1),
        Stored(3, 3),
        Reused("amount"),
        Replayed(3, 3, "{}"),
        Conflict("wallet:cat", expected=3, actual=0),
        Stored(4, 4),
    ]


def test_no_neighbour_is_concerned_by_what_cannot_be_stored(ledger, gate):
    """One of fifty fails, alone; the other 49 are stored, once."""
    brought = [deposit(f"p{n}") for n in range(50)]
    brought[20] = unstorable("p20")
    with GroupCommit(gate) as group:
        futures = behind(group, gate, *brought)[1:]
        gate.opened.set()
        errors = [future.exception(10) for future in futures]

    assert [n for n, error in enumerate(errors) if error] == [20]
    assert not isinstance(errors[20], StoreUnreachableError)
    assert ledger.recorder.max_notification_id() == 50


def test_closing_finishes_what_was_taken_and_takes_nothing_more(ledger, gate):
    """Whoever was let in is answered; whoever comes later is told so."""
    group = GroupCommit(gate)
    futures = behind(group, gate, *(deposit(f"p{n}") for n in range(5)))
    closing = threading.Thread(target=group.close)
    closing.start()
    gate.opened.set()
    closing.join(10)

    assert [future.done() for future in futures] == [True] * 6
    assert ledger.recorder.max_notification_id() == 6
    for give in (group.append, partial(queued, group)):
        with pytest.raises(LedgerClosedError):
            give(deposit("late"))
    group.close()


def test_the_queue_is_bounded(gate):
    """Whoever finds it full waits to be let in, and is."""
    with GroupCommit(gate, waiting_max=2) as group, ThreadPoolExecutor(1) as others:
        behind(group, gate, deposit("p1"), deposit("p2"))
        third = others.submit(group.append, deposit("p3"))
        with pytest.raises(TimeoutError):
            third.result(0.2)
        gate.opened.set()
        assert third.result(10) == Stored(4, 4)


def test_a_store_that_is_gone_fails_everybody_who_waits(gate):
    """Each by its own error; the next ones are tried again."""
    gone = True

    def commit(batch: Sequence[Prepared]) -> list[Outcome]:
        outcomes = gate(batch)
        if gone:
            raise StoreUnreachableError(where="here", reason="gone")
        return outcomes

    with GroupCommit(commit) as group:
        futures = behind(group, gate, *(deposit(f"p{n}") for n in range(5)))
        gate.opened.set()
        errors = [future.exception(10) for future in futures]
        gone = False
        again = group.append(deposit("p0"))

    assert {type(error) for error in errors} == {StoreUnreachableError}
    assert len(set(map(id, errors))) == 6
    assert again == Replayed(2, 2, "{}")  # it had been stored; only its answer was lost


def test_a_lost_answer_to_a_commit_is_found_by_the_receipts(ledger, gate, monkeypatch):
    """The batch is given again by itself; nothing is stored twice and everybody is answered."""
    commit, losses = psycopg.Connection.commit, iter([True])

    def lossy(conn: psycopg.Connection) -> None:
        commit(conn)
        if next(losses, False):
            conn.close()
            raise psycopg.OperationalError("the answer was lost")

    gate.opened.set()
    with GroupCommit(gate) as group:
        monkeypatch.setattr(psycopg.Connection, "commit", lossy)
        outcomes = [group.append(deposit(player)) for player in ("p1", "p2")]

    assert outcomes == [Replayed(1, 1, "{}"), Stored(2, 2)]
    assert ledger.recorder.max_notification_id() == 2


def test_whoever_gives_up_before_its_batch_is_not_stored(ledger, gate):
    """Later it is stored, whether somebody waits or not."""
    with GroupCommit(gate) as group:
        first, second, third = behind(group, gate, deposit("p1"), deposit("p2"))
        assert (first.cancel(), second.cancel()) == (False, True)
        gate.opened.set()
        assert third.result(10) == Stored(2, 2)

    assert ledger.recorder.max_notification_id() == 2


def test_sixteen_threads_at_their_own_hands(store_dsn):
    """All is stored, in few transactions, and the ledger verifies."""
    with Ledger(Store(store_dsn)) as ledger:
        for n in range(16):
            fund(ledger, f"a{n}", f"b{n}")
            sit_down(ledger, f"h-{n}", players=(f"a{n}", f"b{n}"))

        def play(n: int) -> list[str]:
            return [
                do(ledger, seat, verb, hand=f"h-{n}").status
                for seat, verb in ((1, "look"), (1, "call"), (2, "fold"))
            ]

        with ThreadPoolExecutor(16) as threads:
            statuses = list(threads.map(play, range(16)))
        assert statuses == [["applied"] * 3] * 16
        assert list(ledger.verify()) == []
