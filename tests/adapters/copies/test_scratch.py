"""Throw-away databases: dropped at the end, and those of killed processes by the next one."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from adapters.copies.scratch import scratch_copy

MAKER = """
import sys
from adapters.copies.scratch import scratch_copy
with scratch_copy(sys.argv[1]) as copy:
    print(copy, flush=True)
    sys.stdin.readline()
"""

Make = Callable[[], tuple[subprocess.Popen[str], str]]


@pytest.fixture
def make(database: str) -> Iterator[Make]:
    """What starts a process that has made a copy and waits: itself, and the copy's name."""
    begun: list[subprocess.Popen[str]] = []

    def run() -> tuple[subprocess.Popen[str], str]:
        program = [sys.executable, "-c", MAKER, database]
        maker = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        begun.append(maker)
        assert maker.stdout
        return maker, name_of(maker.stdout.readline())

    yield run
    for maker in begun:
        maker.kill()
        maker.communicate()
    with scratch_copy(database):
        pass  # drops what they left


def name_of(dsn: str) -> str:
    """Return the name of a database."""
    return str(conninfo_to_dict(dsn.strip())["dbname"])


def there(dsn: str) -> set[str]:
    """Return the throw-away databases of the server."""
    with psycopg.connect(dsn) as conn:
        found = conn.execute("SELECT datname FROM pg_database WHERE datname ~ '^jinhua_scratch'")
        return {name for (name,) in found}


def kill(maker: subprocess.Popen[str], dsn: str, name: str) -> None:
    """Kill a process, and wait until the server has noticed."""
    maker.kill()
    maker.wait()
    with psycopg.connect(dsn, autocommit=True) as conn:
        query = "SELECT FROM pg_stat_activity WHERE pid::text = %s"
        while conn.execute(query, [name.split("_")[2]]).rowcount:
            time.sleep(0.02)


def test_what_a_killed_process_left_is_dropped_by_the_next_one(make, database):
    """But for what is still needed: by its maker, or by whoever looks into it."""
    (killed, left), (looked_at, seen), (_, live) = make(), make(), make()
    with psycopg.connect(database, dbname=seen) as looking:
        kill(killed, database, left)
        kill(looked_at, database, seen)
        assert {left, seen, live} == there(database)

        with scratch_copy(database) as own:
            assert {seen, live, name_of(own)} == there(database)
            assert looking.execute("SELECT count(*) FROM events").fetchone() == (0,)

    with scratch_copy(database) as own:
        assert {live, name_of(own)} == there(database)


def test_a_copy_that_ends_as_it_should_leaves_nothing(make, database):
    """Though another was made meanwhile."""
    maker, theirs = make()
    with scratch_copy(database) as own:
        maker.communicate("go on\n")
        assert {name_of(own)} == there(database)

    assert (0, set()) == (maker.returncode, there(database))
    assert theirs != name_of(own)
