"""``jinhua serve`` as its users run it: ready, stopped, killed, and its exit statuses."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
import pytest

from adapters.ledger import Ledger
from adapters.registers.api_keys import Role, make_key
from adapters.store.postgres import Store
from tests.adapters.http_api.processes import keepers, workers
from tests.adapters.play import balance

ROOT = Path(__file__).parents[3]
PATIENCE_S = 120

KEYS: dict[str, str] = {}
"""Of a service, by the address of each that was started."""


def started(*words: str, port: str = "0") -> subprocess.Popen[str]:
    """Run the command."""
    return subprocess.Popen(
        [sys.executable, "-m", "adapters.cli", "serve", "--json", "--port", port, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


@contextmanager
def serving(dsn: str, *words: str, port: str = "0"):
    """Run the service until it is ready; end it at the end, whatever became of it."""
    with Store(dsn) as store:
        key = make_key(store, Role.SERVICE)
    process = started("--dsn", dsn, *words, port=port)
    try:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        address = ready["ready"].removeprefix("http://")
        KEYS[address] = key
        yield process, address
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


def ask(address: str, method: str, path: str, body: object = None, key: str | None = None):
    """Make one request on a connection of its own: the status and the JSON of its answer."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEYS[address]}"}
    headers |= {"Idempotency-Key": key} if key else {}
    with closing(http.client.HTTPConnection(address, timeout=PATIENCE_S)) as connection:
        content = None if body is None else json.dumps(body)
        connection.request(method, path, content, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())


def deposit(address: str, key: str):
    """Bring one minor unit in."""
    return ask(address, "POST", "/v1/players/ann/deposits", {"amount": 1}, key)


@pytest.mark.parametrize("words", [(), ("--workers", "1"), ("--workers", "2")])
def test_it_says_when_it_is_ready_and_ends_when_asked(store_dsn, words):
    """What it answered is stored; the exit status is 0, and nothing is complained of."""
    with serving(store_dsn, *words) as (process, address):
        status, receipt = deposit(address, "d-1")
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate(timeout=PATIENCE_S)

    assert (status, receipt["status"]) == (200, "applied")
    assert process.returncode == 0
    assert complaints == ""
    with Ledger(Store(store_dsn)) as ledger:
        assert balance(ledger, "ann") == 1


def test_what_is_under_way_when_asked_to_stop_is_finished(store_dsn, ledger):
    """Every answer that was given holds, and every request that was taken has one."""
    answers: list[int] = []
    stopping = threading.Event()

    def give(worker: int) -> None:
        for n in range(10_000):
            try:
                status, _ = deposit(address, f"d-{worker}-{n}")
            except (OSError, http.client.HTTPException):
                return  # no new connection is taken any more
            answers.append(status)
            if len(answers) > 40:
                stopping.set()

    with serving(store_dsn) as (process, address):
        givers = [threading.Thread(target=give, args=(n,)) for n in range(8)]
        for giver in givers:
            giver.start()
        assert stopping.wait(PATIENCE_S)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
        for giver in givers:
            giver.join()

    assert process.returncode == 0
    assert {*answers} <= {200, 503}
    assert balance(ledger, "ann") == answers.count(200)


@pytest.mark.parametrize("count", [1, 2])
def test_a_worker_that_is_killed_is_replaced_and_the_others_go_on(store_dsn, ledger, count):
    """Whoever retries under the same key has its command carried out once."""
    with serving(store_dsn, "--workers", str(count)) as (process, address):
        victim = workers(process.pid)[0]
        for n in range(60):
            if n == 20:
                victim.kill()
            while True:
                try:
                    status, _ = deposit(address, f"d-{n}")
                except (OSError, http.client.HTTPException):
                    time.sleep(0.05)
                    continue
                if status == 200:
                    break
        deadline, alive = time.monotonic() + PATIENCE_S, []
        while time.monotonic() < deadline:
            alive = workers(process.pid)
            if len(alive) == count and victim not in alive:
                break
            time.sleep(0.1)

    assert len(alive) == count
    assert balance(ledger, "ann") == 60


def only_keeper(pid: int) -> psutil.Process:
    """Return who keeps the read models up, once both workers listen."""
    deadline = time.monotonic() + PATIENCE_S
    while len(workers(pid)) < 2 or len(keepers(pid)) != 1:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return keepers(pid)[0]


def test_who_keeps_the_read_models_up_is_one_and_replaced_when_killed(store_dsn):
    """What is written while nobody keeps them is read once somebody does again."""
    with serving(store_dsn, "--workers", "2") as (process, address):
        victim = only_keeper(process.pid)
        victim.kill()
        _, receipt = deposit(address, "d-1")
        position = receipt["last_position"]
        asked = f"/v1/players/ann/balance?min_position={position}"
        deadline = time.monotonic() + PATIENCE_S
        while (told := ask(address, "GET", asked))[0] == 503 and time.monotonic() < deadline:
            pass  # it waits itself, for somebody to keep them up
        keeper = only_keeper(process.pid)

    assert told[0] == 200, told
    assert told[1]["balance"] == 1
    assert keeper != victim
    assert not keeper.is_running()


def test_workers_end_with_the_process_that_watches_over_them(store_dsn):
    """Nobody would replace them, and nobody would stop them."""
    with serving(store_dsn, "--workers", "2") as (process, _):
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGKILL)
        gone, alive = psutil.wait_procs(children, timeout=PATIENCE_S)

    assert len(gone) >= 2
    assert alive == []


def test_an_address_that_is_taken_is_bad_input(store_dsn):
    """Said in a line, without a traceback."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        process = started("--dsn", store_dsn, port=port)
        _, complaints = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 2
    assert "system: " in complaints
    assert "Traceback" not in complaints


def test_a_store_that_cannot_be_reached_is_said_before_anything_is_started(empty_database):
    """4 where it is away, 2 where it is not migrated."""
    away = started("--dsn", "postgresql://127.0.0.1:1/none")
    bare = started("--dsn", empty_database)
    for process, status, code in ((away, 4, "store_unreachable"), (bare, 2, "store_not_migrated")):
        out, complaints = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, out) == (status, "")
        assert code in complaints


def test_the_service_stops_taking_requests_before_it_is_gone(store_dsn):
    """Whoever balances load sees it in time."""
    with serving(store_dsn) as (process, address):
        assert ask(address, "GET", "/readyz") == (200, {"status": "ready"})
        os.kill(process.pid, signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 0
