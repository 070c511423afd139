import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from adapters.errors import StoreUnreachableError
from adapters.store.embedded_postgres import binary, ensure_running, stop
from adapters.store.server_account import server_account

for_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root steps down to an account")

START = """
import pathlib, sys
from adapters.store.embedded_postgres import ensure_running
ensure_running(pathlib.Path(sys.argv[1]))
"""


@contextmanager
def _directory() -> Iterator[Path]:
    """Name a data directory that does not exist yet; stop its server at the end."""
    # Not pytest's own directory, which is closed to the account that runs the server for root.
    parent = Path(tempfile.mkdtemp(prefix="jinhua-tests-"))
    try:
        yield parent / "data"
    finally:
        stop(parent / "data")
        shutil.rmtree(parent)


@pytest.fixture
def fresh() -> Iterator[Path]:
    """A data directory that does not exist yet."""
    with _directory() as directory:
        yield directory


@pytest.fixture(scope="module")
def pristine() -> Iterator[Path]:
    """A data directory whose server ran once and was stopped; to be copied, which is quicker."""
    with _directory() as directory:
        ensure_running(directory)
        stop(directory)
        yield directory


@pytest.fixture
def data_dir(pristine: Path) -> Iterator[Path]:
    """A data directory whose server ran once and was stopped."""
    with _directory() as directory:
        subprocess.run(["cp", "-a", pristine, directory], check=True)
        yield directory


def start_elsewhere(data_dir: Path) -> subprocess.Popen[str]:
    """Start the server from another process."""
    command = [sys.executable, "-c", START, str(data_dir)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def postmaster(data_dir: Path) -> int:
    """Read the process id of the running server."""
    return int((data_dir / "pgdata" / "postmaster.pid").read_text().split()[0])


def kill(pid: int) -> None:
    """Kill a process without a chance to clean up, and wait until it is gone or a zombie."""
    os.kill(pid, signal.SIGKILL)
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)


def value(uri: str, query: str) -> object:
    """Ask the server for one value."""
    with psycopg.connect(uri) as conn:
        row = conn.execute(query).fetchone()
    assert row is not None
    return row[0]


def test_a_server_starts_from_nothing_and_is_joined_by_the_next_call(fresh):
    """The first call makes the cluster and the database; the second finds the same server."""
    uri = ensure_running(fresh)
    first = postmaster(fresh)

    assert uri == ensure_running(fresh)
    assert first == postmaster(fresh)
    assert value(uri, "SELECT current_database()::text") == "jinhua"


def test_psql_understands_the_uri(data_dir):
    """What a command prints can be pasted into a terminal."""
    command = [str(binary("psql")), ensure_running(data_dir), "--no-psqlrc", "-Atc", "SELECT 1 + 1"]

    assert subprocess.check_output(command, text=True) == "2\n"


def test_what_was_committed_is_found_after_stop_and_start(data_dir):
    """Stopping twice is no error; durability is PostgreSQL's default."""
    uri = ensure_running(data_dir)
    assert value(uri, "SHOW fsync") == "on"
    assert value(uri, "SHOW synchronous_commit") == "on"
    with psycopg.connect(uri) as conn:
        conn.execute("CREATE TABLE kept ()")

    assert stop(data_dir)
    assert not stop(data_dir)
    assert value(ensure_running(data_dir), "SELECT to_regclass('kept') IS NOT NULL")


def test_stopping_where_nothing_ever_ran_makes_nothing(fresh):
    """No directory appears."""
    assert not stop(fresh)
    assert not fresh.exists()


def test_texts_compare_the_same_on_every_machine(data_dir):
    """By code point, in UTF-8, in UTC, whatever the locale and the C library are."""
    uri = ensure_running(data_dir)

    assert value(uri, "SELECT array_agg(x ORDER BY x) FROM unnest('{z,a,B,é,炸}'::text[]) x") == (
        ["B", "a", "z", "é", "炸"]
    )
    assert value(uri, "SHOW server_encoding") == "UTF8"
    assert value(uri, "SHOW timezone") == "UTC"


def test_nobody_else_can_reach_the_socket_and_nothing_listens_on_the_network(data_dir):
    """There is no password: the closed directory of the socket takes its place."""
    uri = ensure_running(data_dir)
    socket_dir = str(value(uri, "SHOW unix_socket_directories"))

    assert stat.S_IMODE(Path(socket_dir).stat().st_mode) == 0o700
    assert value(uri, "SHOW listen_addresses") == ""


def test_settings_of_the_callers_environment_do_not_reach_the_server(data_dir, monkeypatch):
    """PGPORT and its like belong to another server."""
    monkeypatch.setenv("PGPORT", "6543")
    monkeypatch.setenv("PGDATA", "/nowhere")
    monkeypatch.setenv("PGHOST", "ledger.example")
    monkeypatch.setenv("LC_ALL", "xx_XX.UTF-8")

    assert value(ensure_running(data_dir), "SHOW port") == "5432"


@pytest.mark.parametrize(
    "name",
    ["x" * 120, '张三 🀄, it\'s "$(touch no)" `touch no` and ?#%&\\ too'],
    ids=["long", "neither ASCII nor plain"],
)
def test_any_path_will_do(fresh, name):
    """A socket's path is short and plain; the data directory's need not be."""
    place = fresh / name
    uri = ensure_running(place)
    socket_dir = Path(str(value(uri, "SHOW unix_socket_directories")))

    assert value(uri, "SELECT 1") == 1
    assert stop(place)
    assert not socket_dir.exists()
    assert ensure_running(place)
    assert stop(place)


def test_a_relative_path_means_the_same_server(data_dir, monkeypatch):
    """The path is resolved where it is given."""
    uri = ensure_running(data_dir)
    monkeypatch.chdir(data_dir.parent)

    assert uri == ensure_running(Path("data"))


@pytest.mark.parametrize("state", ["fresh", "data_dir"], ids=["fresh", "existing"])
def test_four_processes_may_start_it_at_once(state, request):
    """One of them starts it, the others find it; all of them succeed."""
    directory = request.getfixturevalue(state)

    processes = [start_elsewhere(directory) for _ in range(4)]
    said = [process.communicate(timeout=60)[0] for process in processes]

    assert [process.returncode for process in processes] == [0, 0, 0, 0], said
    assert value(ensure_running(directory), "SELECT 1") == 1


@pytest.mark.parametrize("after_s", [0.4, 0.8, 1.2])
def test_a_starter_that_is_killed_midway_does_no_harm(fresh, after_s):
    """The next one finishes or redoes what was begun, wherever it stopped."""
    starter = start_elsewhere(fresh)
    time.sleep(after_s)
    starter.kill()
    starter.communicate()

    assert value(ensure_running(fresh), "SELECT 1") == 1


def test_a_killed_server_is_started_again_with_all_that_was_committed(data_dir):
    """Four at once, on a stale postmaster.pid."""
    uri = ensure_running(data_dir)
    with psycopg.connect(uri) as conn:
        conn.execute("CREATE TABLE kept ()")
    kill(postmaster(data_dir))

    processes = [start_elsewhere(data_dir) for _ in range(4)]
    said = [process.communicate(timeout=60)[0] for process in processes]

    assert [process.returncode for process in processes] == [0, 0, 0, 0], said
    assert value(ensure_running(data_dir), "SELECT to_regclass('kept') IS NOT NULL")


def test_a_killed_server_whose_last_query_still_runs_is_waited_for(data_dir):
    """Two servers never write the same files: the old one's processes must be gone first."""
    uri = ensure_running(data_dir)

    def keep_busy():
        # The answer of the query, or the next request, finds the server gone.
        with suppress(psycopg.OperationalError), psycopg.connect(uri) as conn:
            conn.execute("SELECT count(*) FROM generate_series(1, 6000000)")

    busy = threading.Thread(target=keep_busy)
    busy.start()
    time.sleep(0.3)
    kill(postmaster(data_dir))

    assert value(ensure_running(data_dir), "SELECT 1") == 1
    busy.join()


def test_a_stranger_with_the_number_of_the_dead_server_is_left_alone(data_dir):
    """After a restart of the machine any process may bear the number in postmaster.pid."""
    ensure_running(data_dir)
    pid_file = data_dir / "pgdata" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    owner = pid_file.stat().st_uid
    stop(data_dir)
    account = {"user": owner, "cwd": "/"} if os.geteuid() == 0 else {}
    stranger = subprocess.Popen(["sleep", "60"], **account)
    try:
        text = "\n".join([str(stranger.pid), *lines[1:]]) + "\n"
        pid_file.write_text(text)
        os.chown(pid_file, owner, -1)
        (data_dir / "pgdata" / ".s.PGSQL.5432.lock").write_text(text)

        assert value(ensure_running(data_dir), "SELECT 1") == 1
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_data_directory_that_was_deleted_under_its_server_begins_anew(data_dir):
    """The orphan neither stands in the way nor is mistaken for the new server."""
    ensure_running(data_dir)
    orphan = postmaster(data_dir)
    shutil.rmtree(data_dir)
    try:
        assert value(ensure_running(data_dir), "SELECT 1") == 1
        assert orphan != postmaster(data_dir)
    finally:
        with suppress(ProcessLookupError):  # it may have noticed by itself
            kill(orphan)


def test_a_half_made_cluster_is_thrown_away(fresh):
    """Only a whole cluster ever bears the name pgdata."""
    leftover = fresh / "pgdata.new-abc"
    leftover.mkdir(parents=True)
    (leftover / "PG_VERSION").write_text("18\n")

    ensure_running(fresh)

    assert not leftover.exists()


def test_a_place_that_cannot_be_written_is_a_clear_refusal(fresh):
    """The error names the directory and what the system said."""
    fresh.write_text("a file")

    with pytest.raises(
        StoreUnreachableError, match=r"below a file cannot be reached: .*Not a directory"
    ):
        ensure_running(fresh / "below a file")
    fresh.unlink()


def test_a_cluster_of_another_version_is_refused_in_the_servers_own_words(data_dir):
    """The reason is the server's; its log is named."""
    (data_dir / "pgdata" / "PG_VERSION").write_text("16\n")

    with pytest.raises(StoreUnreachableError, match=r"FATAL.*incompatible.*server\.log"):
        ensure_running(data_dir)


@for_root
def test_root_runs_the_server_of_a_users_directory_as_that_user(fresh):
    """Root and the owner then share one server, and no file changes hands."""
    nobody = pwd.getpwnam("nobody").pw_uid
    fresh.mkdir()
    os.chown(fresh, nobody, -1)

    ensure_running(fresh)

    assert psutil.Process(postmaster(fresh)).uids().real == nobody
    assert {path.stat().st_uid for path in fresh.rglob("*")} == {nobody}


@for_root
def test_root_lets_the_servers_account_through_a_closed_home_but_nobody_look_into_it(fresh):
    """The directories above gain `o+x` where the account could not enter, and never `o+r`."""
    home = fresh / "home"
    (home / "share").mkdir(parents=True)
    home.chmod(0o700)

    ensure_running(home / "share" / "jinhua")
    stop(home / "share" / "jinhua")

    assert stat.S_IMODE(home.stat().st_mode) == 0o701


@for_root
def test_binaries_installed_under_a_strict_umask_are_made_readable(tmp_path):
    """Root's umask may be 077; the server's account has to read what pip installed."""
    tree = tmp_path / "install"
    (tree / "bin").mkdir(parents=True)
    for name, mode in (("bin/postgres", 0o700), ("bin/data", 0o600)):
        (tree / name).touch()
        (tree / name).chmod(mode)
    tree.chmod(0o700)

    server_account(tmp_path / "absent").let_read(tree)

    modes = {
        name: stat.S_IMODE((tree / name).stat().st_mode) for name in ("bin/postgres", "bin/data")
    }
    assert modes == {"bin/postgres": 0o705, "bin/data": 0o604}
