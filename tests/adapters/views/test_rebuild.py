import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg

from tests.adapters.stored import (
    HALF,
    HANDS,
    agrees,
    execute,
    generations,
    insert,
    projector,
    told,
    views,
)


def test_a_rebuild_mends_what_was_broken(database):
    """Whatever became of the rows, afterwards they are what the events give."""
    insert(database, HANDS)
    with projector(database) as keeper:
        keeper.catch_up()
        before = told(database)
        execute(database, "DELETE FROM projected_audit_trail WHERE position %% 3 = 0")
        execute(database, "UPDATE projected_balances SET balance = balance + 1")
        execute(database, "UPDATE projected_bonuses SET times = 0")
        execute(database, "UPDATE projected_house SET rake = 0")
        execute(database, "DELETE FROM projected_hands WHERE rake > 0")
        assert not agrees(database)

        keeper.rebuild()

    assert told(database) == before
    assert agrees(database)


def test_one_projection_is_rebuilt_alone(database):
    """The others keep their rows."""
    insert(database, HANDS)
    with projector(database) as keeper:
        keeper.catch_up()
        execute(database, "UPDATE projected_balances SET balance = balance + 1")
        execute(database, "UPDATE projected_bonuses SET times = 0")

        keeper.rebuild(["balances"])

        different = {found.projection for found in keeper.compare_with_fresh_fold()}
    assert different == {"bonuses"}


def test_no_reader_sees_half_of_a_rebuild(database):
    """While events arrive and everything is rebuilt again and again, each look is at a whole."""
    insert(database, HANDS[:HALF])
    with projector(database) as keeper:
        keeper.catch_up()
    finished, seen = threading.Event(), []

    def read_on():
        with views(database) as read:
            while not finished.is_set():
                seen.append((dict(read.balances()), read.audit_trail()))

    def write_on():
        for at in range(HALF, len(HANDS), 70):
            insert(database, HANDS[at : at + 70], after=at)
            with projector(database) as keeper:
                keeper.catch_up()

    def rebuild_on():
        while not finished.is_set():
            with projector(database, batch=50) as keeper:
                keeper.rebuild()

    with ThreadPoolExecutor(3) as pool:
        working = [pool.submit(work) for work in (read_on, rebuild_on)]
        try:
            pool.submit(write_on).result()
        finally:
            finished.set()
        for work in working:
            work.result()

    assert len(seen) > 3
    trail_before = HALF
    for balances, trail in seen:
        assert sum(balances.values()) == 0
        positions = [row.place.position for row in trail]
        assert positions == list(range(1, len(positions) + 1))
        assert len(positions) >= trail_before
        trail_before = len(positions)
    assert agrees(database)


def test_a_reader_that_began_before_the_switch_keeps_its_view(database):
    """In one transaction of its own a reader sees the old rows to the last, and then the new."""
    insert(database, HANDS)
    count = "SELECT count(*), sum(balance), max(balance) FROM balances"
    with projector(database) as keeper, psycopg.connect(database) as reader:
        keeper.catch_up()
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        before = reader.execute(count).fetchone()
        execute(database, "UPDATE projected_balances SET balance = balance * 2")

        keeper.rebuild()

        assert reader.execute(count).fetchone() == before
        reader.commit()
        assert reader.execute(count).fetchone() == before


def test_two_rebuilds_at_once_take_turns(database):
    """The second begins when the first is done; nothing of either is left over."""
    insert(database, HANDS)

    def work(_):
        with projector(database) as keeper:
            return keeper.rebuild(["audit_trail"])

    with ThreadPoolExecutor(2) as pool:
        assert len(list(pool.map(work, range(2)))) == 2

    assert generations(database, "audit_trail") == [3]
    with projector(database) as keeper:
        assert list(keeper.compare_with_fresh_fold(["audit_trail"])) == []
