"""Verification on a Dask cluster: its scheduler and its workers are processes of their own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from adapters.cli import main
from adapters.errors import ClusterUnreachableError, DaskMissingError, StoreUnreachableError
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.postgres import Moment, snapshot
from adapters.store.sealing import NO_KEYS
from adapters.verifying import runs, workers
from adapters.verifying.export import verify_export
from adapters.verifying.portions import Portion
from adapters.verifying.streams import check_portion
from adapters.verifying.workers import shared_among_workers
from tests.adapters.play import lines
from tests.adapters.stored import edit_all_along
from tests.adapters.verifying.test_verifying_parquet import export

ROOT = Path(__file__).parents[3]
START_S = 120  # on a machine that is busy with other tests
WORKERS = 2

_IDLE = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"


@contextmanager
def program(name: str, *words: str, log: Path) -> Iterator[None]:
    """Run a program of Dask's while somebody needs it."""
    command = (sys.executable, "-m", f"distributed.cli.{name}", *words, "--no-dashboard")
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)
        try:
            yield
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Path]:
    """The directory of a cluster's logs; `scheduler.json` says where it listens."""
    directory = tmp_path_factory.mktemp("dask")
    told = directory / "scheduler.json"
    listening = ("--host", "127.0.0.1", "--port", "0", "--no-show", "--scheduler-file", str(told))
    working: tuple[str, ...] = (
        "--nthreads",
        "1",
        "--no-nanny",
        "--memory-limit",
        "0",
        "--host",
        "127.0.0.1",
    )
    working += ("--scheduler-file", str(told), "--local-directory", str(directory))
    with program("dask_scheduler", *listening, log=directory / "scheduler.log"):
        until = time.monotonic() + START_S
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.1)
        with (
            program("dask_worker", *working, log=directory / "worker-0.log"),
            program("dask_worker", *working, log=directory / "worker-1.log"),
        ):
            yield directory


@pytest.fixture
def address(cluster, monkeypatch) -> str:
    """The address of its scheduler."""
    monkeypatch.setattr(workers, "CONNECT_S", START_S)
    return json.loads((cluster / "scheduler.json").read_text())["address"]


@pytest.fixture
def tampered(ledger, store_dsn, monkeypatch) -> Ledger:
    """A ledger of a few hands that is cut small, with something wrong in most portions."""
    ledger.import_hands(lines(*simulate("feifan2017", hands=12, seed=3)))
    monkeypatch.setattr(runs, "PORTIONS", (("dispute", 5), ("hand", 2), ("wallet", 5)))
    edit_all_along(store_dsn)
    return ledger


def test_workers_find_what_one_process_finds(tampered, address, store_dsn, tmp_path, capfd):
    """Of a store and of an export, in the same order; and leave no transaction open."""
    whole = list(tampered.verify())

    assert list(tampered.verify(dask=address)) == whole != []
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        assert owner.execute(_IDLE).fetchall() == [(0,)]
    exported = export(tampered.store, tmp_path)
    assert list(verify_export(exported, NO_KEYS, dask=address, scratch=tmp_path)) == whole
    capfd.readouterr()
    assert main(["verify", "--dask", address, "--dsn", store_dsn, "--json"]) == 3
    told = json.loads(capfd.readouterr().out)
    assert (12, 12 - len({d.hand for d in whole if ":" not in d.hand})) == (
        told["hands"],
        told["agree"],
    )


def test_no_secret_is_in_the_log_of_a_worker(cluster, address):
    """Though it logs the task that failed."""
    dsn = "postgresql://somebody:a-secret-word@127.0.0.1:1/nothing"
    moment = Moment(dsn, "jinhua_writer", NO_KEYS, "00000003-00000002-1", 60)

    with (
        pytest.raises(StoreUnreachableError),
        shared_among_workers(address, moment, check_portion) as checking,
    ):
        list(checking([Portion("hand", "hand:", "hand;")]))

    logs = "".join(file.read_text() for file in cluster.glob("*.log"))
    assert "Compute Failed" in logs
    assert "a-secret-word" not in logs + repr(moment)


def test_a_worker_that_is_killed_while_it_is_busy_loses_nothing(tampered, address, tmp_path):
    """What it had in hand another one does; each discrepancy is there once."""
    whole = list(tampered.verify())
    busy = tmp_path / "busy"

    def kill() -> None:
        until = time.monotonic() + START_S
        while not busy.exists() and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(int(busy.read_text()), signal.SIGKILL)

    killer = Thread(target=kill)
    killer.start()
    with tampered.store.connection() as conn, snapshot(conn):
        portions = list(runs._portions(conn, ""))
        moment = tampered.store.exported(conn)
        check = partial(check_or_be_killed, str(busy))
        with shared_among_workers(address, moment, check) as checking:
            found = [one for checked in checking(portions) for one in checked.found]
    killer.join()

    assert len(portions) > 2 * WORKERS
    assert found == whole


def check_or_be_killed(busy, conn, portion):
    """Check a portion; but whoever comes first says who it is, and does not come back."""
    try:
        with Path(f"{busy}.new").open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return check_portion(conn, portion)
    Path(f"{busy}.new").rename(busy)
    Path(f"{busy}.new").touch()
    time.sleep(START_S)
    raise AssertionError(portion)


def test_no_cluster_and_no_package_are_told(ledger, monkeypatch, store_dsn, capfd):
    """Each in its own words; and what does not go together is refused."""
    monkeypatch.setattr(workers, "CONNECT_S", 0.5)
    for wrong in ("tcp://127.0.0.1:1", "nowhere", "tls://127.0.0.1:1", "carrier-pigeon://a:1"):
        with pytest.raises(ClusterUnreachableError):
            list(ledger.verify(dask=wrong))
    assert main(["verify", "--dask", "tcp://127.0.0.1:1", "--dsn", store_dsn]) == 4
    monkeypatch.setattr(workers, "_MISSING", ModuleNotFoundError("distributed"))
    with pytest.raises(DaskMissingError, match=r"pip install jinhua\[dask\]"):
        list(ledger.verify(dask="tcp://127.0.0.1:1"))
    capfd.readouterr()
    assert main(["verify", "--dask", "tcp://127.0.0.1:1", "--jobs", "2", "--dsn", store_dsn]) == 2
    assert "give one of them" in capfd.readouterr().err
