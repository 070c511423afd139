"""The service, its workers and PostgreSQL, killed at any moment: what was answered is stored."""

import asyncio
import time
from contextlib import suppress
from functools import partial

import psutil
import psycopg
import pytest

from adapters.async_ledger import AsyncLedger
from adapters.errors import StoreUnreachableError
from adapters.ledger import Ledger
from adapters.shuffle import Chance
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from adapters.views.catalogue import READ_MODELS
from adapters.views.projector import ROLE, Projector
from tests.adapters.http_api.processes import workers
from tests.adapters.http_api.test_serve import PATIENCE_S, deposit, serving
from tests.adapters.play import balance, lines
from tests.faults.crowd import Crowd, disturb, judge
from tests.faults.servers import Server, private_server
from tests.faults.statements import Failpoints, StoppedError, as_actor, watched


@pytest.fixture
def own():
    """A server that can be killed."""
    with private_server() as server:
        yield server


def kill_and_start(server: Server, chance: Chance) -> None:
    """Kill the server, leave it down for a moment, and start it again."""
    server.kill()
    time.sleep(chance.between(0, 20) / 100)
    server.start()


def test_nothing_acknowledged_is_lost_or_doubled(own, tmp_path, long):
    """Kill -9 of the service, of a worker, of PostgreSQL, at random moments.

    Nothing acknowledged is lost, nothing doubled: every answer is the one that is stored, whatever
    is stored was asked for, and hands, receipts and read models agree.
    """
    chance = Chance("kills", 1)
    crowd = Crowd(own.dsn, tmp_path, seed=1, processes=3, writers=2)
    with crowd.working():
        while crowd.answered() < 20:
            time.sleep(0.1)
        disturb(
            crowd,
            seconds=300 if long else 5,
            chance=chance,
            every_s=0.6,
            kill_server=partial(kill_and_start, own, chance),
        )

    outcome = judge(crowd, own.dsn)

    assert outcome.discrepancies == []
    assert crowd.kills > 2
    assert own.kills > 0
    assert outcome.counts["applied"] > 50, outcome


def test_callers_of_an_event_loop_lose_nothing_either(own):
    """Kill -9 of PostgreSQL under forty who retry until they are answered: each counts once."""
    is_over = asyncio.Event()

    async def caller(live: AsyncLedger, name: str) -> int:
        given = 0
        while not is_over.is_set():
            try:
                await live.deposit(name, 1, command_id=f"{name}:{given}")
            except StoreUnreachableError:
                await asyncio.sleep(0.05)
            else:
                given += 1
        return given

    async def main() -> list[int]:
        async with AsyncLedger(Ledger(Store(own.dsn))) as live:
            callers = [asyncio.create_task(caller(live, f"p{n}")) for n in range(40)]
            for _ in range(2):
                await asyncio.sleep(0.5)
                await asyncio.to_thread(own.kill)
                await asyncio.to_thread(own.start)
            while live.commit._line is None:  # noqa: ASYNC110 - its callers have it connect again
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.5)
            is_over.set()
            return await asyncio.gather(*callers)

    given = asyncio.run(asyncio.wait_for(main(), 120))

    with Ledger(Store(own.dsn)) as ledger:
        assert [balance(ledger, f"p{n}") for n in range(40)] == given
        assert list(ledger.verify()) == []
    assert min(given) > 0


def test_without_waiting_for_the_disk_what_was_acknowledged_is_lost(own):
    """So the test above can fail: COMMIT that waits for nothing loses what it has confirmed."""
    with psycopg.connect(own.dsn, autocommit=True) as owner:
        owner.execute("ALTER SYSTEM SET synchronous_commit = off")
        owner.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
        owner.execute("SELECT pg_reload_conf()")
    with Ledger(Store(own.dsn)) as ledger:
        receipts = [ledger.deposit("ann", 1, command_id=f"d-{n}") for n in range(100)]
        own.kill()

    own.start()

    with Ledger(Store(own.dsn)) as ledger:
        assert (ledger.recorder.max_notification_id() or 0) < receipts[-1].last_position


def test_a_projector_killed_two_hundred_times(store_dsn, ledger, projector, long):
    """Projection stopped and started 200 times: never resets, never doubles.

    Every stop is between two statements of a step, wherever chance has it; a few are of a process.
    """
    ledger.import_hands(lines(*simulate("jiuyou", hands=60, seed=8)))
    chance, stops, at = Chance("stops", 1), 0, dict.fromkeys(projector.positions(), 0)
    with Store(as_actor(store_dsn, "projector"), role=ROLE, connections_max=1) as store:
        while stops < (2_000 if long else 200):
            fragile = Projector(store, batch=chance.between(1, 40))
            with watched(Failpoints(chance.between(1, 60))), suppress(StoppedError):
                fragile.catch_up([chance.pick(list(READ_MODELS))])
                continue
            stops += 1
            reached = projector.positions()
            assert all(reached[name] >= at[name] for name in at), (at, reached)
            at = reached
            if not any(projector.lag().values()):
                ledger.import_hands(lines(*simulate("jisu", hands=20, seed=8, first=20 * stops)))

    projector.catch_up()

    assert list(projector.compare_with_fresh_fold()) == []
    assert projector.parked() == []


def test_without_the_tracking_position_events_count_twice(ledger, projector, store_dsn):
    """So the test above can fail: a position that is lost is a window that is taken in twice."""
    ledger.import_hands(lines(*simulate("jiuyou", hands=5, seed=8)))
    projector.catch_up()
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("UPDATE projections SET position = 10 WHERE name = 'balances'")

    projector.catch_up(["balances"])

    assert list(projector.compare_with_fresh_fold(["balances"])) != []


def test_a_worker_that_dies_while_the_store_is_away_is_replaced_too():
    """By one that cannot start, and that by another, until one can."""
    with (
        private_server() as server,
        serving(server.dsn, "--workers", "1") as (process, address),
    ):
        time.sleep(5)  # many times as long as between two looks at it
        before = begun(process.pid)
        server.kill()
        workers(process.pid)[0].kill()
        until = time.monotonic() + PATIENCE_S
        tried: set[int] = set()
        while len(tried) < 2:
            assert time.monotonic() < until
            assert process.poll() is None
            tried |= begun(process.pid) - before
            time.sleep(0.1)
        server.start()
        while not workers(process.pid):
            assert time.monotonic() < until
            time.sleep(0.2)

        assert deposit(address, "after")[0] == 200


def begun(pid: int) -> set[int]:
    """Return the ids of the processes that a service has begun."""
    children = psutil.Process(pid).children(recursive=True)
    return {child.pid for child in children if child.status() != psutil.STATUS_ZOMBIE}
