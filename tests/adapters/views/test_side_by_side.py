"""Read models rebuilt and checked by several processes: what comes of it is what one comes to."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import active_children

import psycopg
import pytest

from adapters.errors import ProcessLostError
from adapters.store.postgres import Store
from adapters.views import side_by_side
from adapters.views.catalogue import READ_MODELS
from adapters.views.projector import _LOCK_REBUILD, _REBUILD, ROLE
from adapters.views.side_by_side import Projectors
from tests.adapters.stored import HANDS, agrees, execute, insert, projector, rows, told


@pytest.fixture
def kept(database, monkeypatch) -> str:
    """A store whose read models are up to date, and whose history is long enough to be shared."""
    monkeypatch.setattr(side_by_side, "EVENTS_WORTH_A_PROCESS", 1)
    insert(database, HANDS)
    with projector(database) as keeper:
        keeper.catch_up()
    return database


@contextmanager
def projectors(dsn: str, jobs: int = 2) -> Iterator[Projectors]:
    """Lend what works in so many processes."""
    with Store(dsn, role=ROLE) as store:
        yield Projectors(store, jobs=jobs)


def spoil(dsn: str) -> None:
    """Make four read models wrong."""
    execute(dsn, "DELETE FROM projected_audit_trail WHERE position %% 300 = 0")
    execute(dsn, "UPDATE projected_balances SET balance = balance + 1")
    execute(dsn, "UPDATE projected_bonuses SET times = 0")
    execute(dsn, "DELETE FROM projected_hands WHERE rake > 100")


def test_processes_rebuild_what_one_rebuilds(kept):
    """All of it, and each tells how far it came."""
    before, progress = told(kept), dict[str, tuple[int, int]]()
    spoil(kept)
    assert not agrees(kept)

    with projectors(kept) as several:
        reached = several.rebuild(
            progress=lambda name, done, total: progress.update({name: (done, total)})
        )

    assert list(reached.items()) == [(name, len(HANDS)) for name in READ_MODELS]
    assert progress == dict.fromkeys(READ_MODELS, (len(HANDS), len(HANDS)))
    assert told(kept) == before
    assert rows(kept, "SELECT DISTINCT generation FROM projections") == [(2,)]
    assert agrees(kept)


def test_some_are_rebuilt_and_the_others_keep_their_rows(kept):
    """In the order in which they were named."""
    spoil(kept)

    with projectors(kept) as several:
        reached = several.rebuild(["hands", "audit_trail"])
        different = {found.projection for found in several.compare_with_fresh_fold()}

    assert list(reached) == ["hands", "audit_trail"]
    assert different == {"balances", "bonuses"}


def test_processes_find_what_one_finds_in_the_same_order(kept):
    """Every difference of every read model."""
    spoil(kept)

    with projectors(kept) as several, projector(kept) as keeper:
        together = list(several.compare_with_fresh_fold())
        alone = list(keeper.compare_with_fresh_fold())

    assert {found.projection for found in alone} == {"audit_trail", "balances", "bonuses", "hands"}
    assert together == alone


@pytest.mark.parametrize(
    ("jobs", "names", "long_from"), [(1, None, 1), (2, ["house"], 1), (2, None, 10**6)]
)
def test_no_process_is_begun_for_one_or_for_little(kept, monkeypatch, jobs, names, long_from):
    """For one at a time, for one read model, for a history that is short."""
    monkeypatch.setattr(side_by_side, "EVENTS_WORTH_A_PROCESS", long_from)
    monkeypatch.delattr(side_by_side, "shared_among_processes")

    with projectors(kept, jobs) as few:
        assert few.rebuild(names) == dict.fromkeys(names or READ_MODELS, len(HANDS))
        assert list(few.compare_with_fresh_fold(names)) == []


@contextmanager
def held_up(dsn: str, name: str) -> Iterator[None]:
    """Let no rebuild of a read model begin meanwhile."""
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(_LOCK_REBUILD, [_REBUILD, name])
        yield


def waits(dsn: str) -> bool:
    """Tell whether somebody waits to rebuild."""
    waiting = """
        SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
         WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
    """
    return bool(rows(dsn, waiting))


def test_a_process_that_is_killed_leaves_the_old_rows(kept):
    """What it was at, and what nobody had come to, is as it was; the next rebuild is whole."""
    before = told(kept)

    def kill() -> None:
        while not waits(kept):
            time.sleep(0.05)
        for child in active_children():
            child.kill()

    with held_up(kept, "audit_trail"), projectors(kept) as several:
        killing = threading.Thread(target=kill)
        killing.start()
        with pytest.raises(ProcessLostError):
            several.rebuild()
        killing.join()

    assert told(kept) == before
    with projectors(kept) as several:
        several.rebuild()
    assert told(kept) == before
    assert agrees(kept)


def test_what_fails_in_one_ends_the_others(kept):
    """And is told as it is where one process does it all."""
    execute(kept, "DROP TABLE projected_bonuses CASCADE")

    with projectors(kept) as several, pytest.raises(psycopg.errors.UndefinedTable):
        several.rebuild()

    assert active_children() == []


def test_a_process_stops_where_nobody_waits_for_it():
    """A process notes how far it is after each transaction, and is told there that it may stop."""
    noted = side_by_side._Noted(["a"], [0, 0, 0])
    noted.note("a", 5, 9)
    assert noted.numbers == [5, 9, 0]

    with pytest.raises(KeyboardInterrupt), noted.until_the_end():
        raise KeyboardInterrupt

    with pytest.raises(side_by_side._StoppedError):
        noted.note("a", 9, 9)
    assert noted.numbers == [5, 9, 1]
