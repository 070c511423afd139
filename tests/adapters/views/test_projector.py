import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.errors import StoreUnreachableError
from adapters.shuffle import Chance
from adapters.views import feed
from adapters.views import projector as keeping
from adapters.views.balances import PostgresBalances
from adapters.views.catalogue import READ_MODELS
from tests.adapters.stored import HANDS, agrees, execute, generations, insert, projector, rows

ROOT = Path(__file__).parents[3]

WORKER = """
import sys
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector
with Store(sys.argv[1], role=ROLE) as store:
    projector = Projector(store, batch=13)
    print("ready", flush=True)
    getattr(projector, sys.argv[2])()
"""


def test_catching_up_goes_to_the_end(database):
    """Every projection takes in what is there, and says how far it is and how far behind."""
    last = insert(database, HANDS)
    with projector(database) as keeper:
        assert keeper.lag() == dict.fromkeys(READ_MODELS, last)

        reached = keeper.catch_up()

        assert reached == keeper.positions() == dict.fromkeys(READ_MODELS, last)
        assert keeper.lag() == dict.fromkeys(READ_MODELS, 0)
        assert agrees(database)


def test_lag_has_an_age(database):
    """That of the oldest event not taken in, by the server's clock; 0 where there is none."""
    last = insert(database, HANDS)
    execute(
        database,
        "UPDATE events SET recorded_at = now() - (%s - position) * interval '1 minute'",
        [last + 10],
    )
    with projector(database) as keeper:
        for name, age in keeper.ages().items():
            assert 60 * (last + 9) <= age < 60 * (last + 10), name

        keeper.catch_up(["balances"])
        assert [name for name, age in keeper.ages().items() if age == 0] == ["balances"]

        execute(database, "UPDATE events SET recorded_at = now() + interval '1 hour'")
        assert {0.0} == set(keeper.ages().values())


def test_an_empty_history_is_caught_up_with(database):
    """Nothing to do is no error."""
    with projector(database) as keeper:
        assert keeper.catch_up() == dict.fromkeys(READ_MODELS, 0)
        assert keeper.rebuild() == dict.fromkeys(READ_MODELS, 0)


def test_one_projection_is_caught_up_alone(database):
    """The others stay where they are; an unknown one is an error before anything is done."""
    last = insert(database, HANDS)
    with projector(database) as keeper:
        keeper.catch_up(["bonuses"])

        assert keeper.positions() == dict.fromkeys(READ_MODELS, 0) | {"bonuses": last}
        with pytest.raises(KeyError):
            keeper.catch_up(["bonuses", "bonus"])


def test_progress_is_told_after_every_transaction(database):
    """Each projection's steps, up to the position to reach."""
    last = insert(database, HANDS[:250])
    steps = []
    with projector(database, batch=100) as keeper:
        keeper.catch_up(["balances"], lambda *step: steps.append(step))

    assert steps == [("balances", n, last) for n in (100, 200, 250)]


def stretches_read(monkeypatch):
    """Return a list that grows by each stretch that is read."""
    read, seen = feed.read_stretch, []

    def noted(conn, after, upto, topics):
        seen.append((after, upto))
        return read(conn, after, upto, topics)

    monkeypatch.setattr(keeping, "read_stretch", noted)
    return seen


def test_a_stretch_is_read_once_for_all(database, monkeypatch):
    """However many are equally far, each event is read and decoded once."""
    insert(database, HANDS[:250])
    seen = stretches_read(monkeypatch)
    with projector(database, batch=100) as keeper:
        keeper.catch_up()

    assert seen == [(0, 100), (100, 200), (200, 250)]
    assert agrees(database)


def test_those_behind_catch_up_with_the_others_and_go_on_together(database, monkeypatch):
    """A stretch ends where another one is, so that what follows is read once."""
    last = insert(database, HANDS[:130])
    with projector(database, batch=100) as keeper:
        keeper.catch_up(["balances"])
        last = insert(database, HANDS[130:300], after=last)
        seen = stretches_read(monkeypatch)

        assert keeper.catch_up() == dict.fromkeys(READ_MODELS, last)

    assert seen == [(0, 100), (100, 130), (130, 230), (230, 300)]
    assert agrees(database)


def test_a_stretch_that_another_took_in_is_taken_in_no_second_time(database, monkeypatch):
    """Who comes too late with what it has read goes on from where the other one is."""
    last = insert(database, HANDS[:250])
    read = feed.read_stretch
    late: list[int] = []

    def overtaken(conn, after, upto, topics):
        if not late:
            late.append(after)
            with projector(database, batch=70) as other:
                other.catch_up(["balances", "house"])
        return read(conn, after, upto, topics)

    monkeypatch.setattr(keeping, "read_stretch", overtaken)
    with projector(database, batch=100) as keeper:
        assert keeper.catch_up() == dict.fromkeys(READ_MODELS, last)
    assert agrees(database)


def test_one_that_cannot_go_on_keeps_nobody_else_back(database, monkeypatch):
    """What is no fault of an event is raised, and parks nothing; the others are at the end."""
    last = insert(database, HANDS[:250])

    def fail(_view, _changes):
        raise ArithmeticError

    with projector(database, batch=100) as keeper:
        with monkeypatch.context() as broken:
            broken.setattr(PostgresBalances, "post", fail)
            with pytest.raises(ArithmeticError):
                keeper.catch_up()

        assert keeper.positions() == dict.fromkeys(READ_MODELS, last) | {"balances": 0}
        assert keeper.parked() == []
        keeper.catch_up()
    assert agrees(database)


def test_stopped_and_started_two_hundred_times_nothing_resets_or_doubles(database):
    """Each start goes on where the last one stopped, with batches of any size."""
    chance, stored, before = Chance(3), 0, dict.fromkeys(READ_MODELS, 0)
    for start in range(200):
        more = HANDS[stored : stored + chance.below(len(HANDS) // 90)]
        stored = insert(database, more, after=stored)
        with projector(database, batch=chance.pick((1, 2, 5, 100))) as keeper:
            if start % 3:
                keeper.catch_up([chance.pick(list(READ_MODELS))])
            after = keeper.positions()
        assert all(after[name] >= before[name] for name in READ_MODELS)
        before = after

    with projector(database) as keeper:
        keeper.catch_up()
    assert agrees(database)


def test_two_projectors_at_once_count_each_event_once(database):
    """They take turns at each read model, and come to what one comes to."""
    last = insert(database, HANDS)

    def work(_):
        with projector(database, batch=7) as keeper:
            return keeper.catch_up()

    with ThreadPoolExecutor(4) as pool:
        reached = list(pool.map(work, range(4)))

    assert reached == [dict.fromkeys(READ_MODELS, last)] * 4
    assert agrees(database)


@pytest.mark.parametrize("work", ["catch_up", "rebuild"])
def test_killed_at_any_moment_nothing_is_lost_or_doubled(database, work):
    """A projector killed by the system leaves its step undone, and the next one goes on."""
    chance = Chance(work)
    insert(database, HANDS)
    with projector(database) as keeper:
        if work == "rebuild":
            keeper.catch_up()
    for _ in range(6):
        command = [sys.executable, "-c", WORKER, database, work]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
            try:
                worker.wait(chance.below(600) / 1000)
            except subprocess.TimeoutExpired:
                worker.kill()

    with projector(database) as keeper:
        keeper.catch_up()
        assert agrees(database)
        keeper.rebuild()
    assert agrees(database)
    live = dict(rows(database, "SELECT name, generation FROM projections"))
    assert all(generations(database, name) in ([live[name]], []) for name in READ_MODELS)


def test_connections_that_break_off_are_replaced(database):
    """A server that ends its sessions now and then delays a projector, and that is all."""
    last = insert(database, HANDS)
    ended = threading.Event()

    def end_sessions():
        while not ended.wait(0.15):
            execute(
                database,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )

    thread = threading.Thread(target=end_sessions)
    with projector(database, batch=29) as keeper:
        thread.start()
        reached: dict[str, int] = {}
        try:
            while reached != dict.fromkeys(READ_MODELS, last):
                reached = _patiently(keeper)
        finally:
            ended.set()
            thread.join()
    assert agrees(database)


def _patiently(keeper):
    """Catch up, or find that the store was gone."""
    try:
        return keeper.catch_up()
    except StoreUnreachableError:
        return {}
