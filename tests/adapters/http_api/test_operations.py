"""What an operator sees: probes, figures, a line for each request; and no card in any of it."""

import http.client
import http.server
import json
import re
import signal
import threading
import time
from contextlib import closing, contextmanager

import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from adapters.appending.batches import Conflict, Stored
from adapters.errors import StoreUnreachableError
from adapters.http_api import measuring, telemetry
from adapters.settings import Settings
from tests.adapters.http_api.playing import act, deposit, post, sit_down
from tests.adapters.http_api.processes import workers
from tests.adapters.http_api.test_serve import PATIENCE_S, serving
from tests.adapters.http_api.test_serve import deposit as give
from tests.adapters.play import DEAL
from tests.adapters.stored import execute, rows


def figures(text: str) -> dict[str, float]:
    """Return every sample of an exposition by its name and labels."""
    return {
        sample.name
        + "".join(f",{name}={value}" for name, value in sorted(sample.labels.items())): (
            sample.value
        )
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scrape(client) -> dict[str, float]:
    """Return the figures of an application."""
    response = client.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    return figures(response.text)


def ask_text(address: str, path: str) -> str:
    """Return what is at an address, on a connection of its own."""
    with closing(http.client.HTTPConnection(address, timeout=PATIENCE_S)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read().decode()


# --- probes ----------------------------------------------------------------------------


def test_a_service_is_alive_whatever_becomes_of_the_store(client, monkeypatch):
    """A probe that restarts it would not bring the store back."""
    monkeypatch.setattr(client.app.state.service, "check_store", lambda: 1 / 0)

    assert client.get("/healthz").json() == {"status": "alive"}


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM jinhua_migrations WHERE number = (SELECT max(number) FROM jinhua_migrations)",
        "INSERT INTO jinhua_migrations (number, name, sha256) VALUES (9000, 'later', 'x')",
        "UPDATE jinhua_migrations SET sha256 = 'x' WHERE number = 1",
    ],
    ids=["one is lacking", "one is newer", "one was edited"],
)
def test_a_store_of_another_shape_is_not_ready(client, store_dsn, change):
    """Such a process would not start on it either, and shall get no requests."""
    assert client.get("/readyz").json() == {"status": "ready"}
    before = rows(store_dsn, "SELECT number, name, sha256 FROM jinhua_migrations")
    execute(store_dsn, change)
    try:
        response = client.get("/readyz")
    finally:
        execute(store_dsn, "DELETE FROM jinhua_migrations")
        for row in before:
            insert = "INSERT INTO jinhua_migrations (number, name, sha256) VALUES (%s, %s, %s)"
            execute(store_dsn, insert, row)

    assert (response.status_code, response.json()["code"]) == (503, "not_ready")
    assert response.headers["retry-after"] == "1"


# --- figures ---------------------------------------------------------------------------


def test_commands_are_timed_and_refusals_counted(client):
    """Each once, whatever became of it."""
    sit_down(client)
    before = scrape(client)
    act(client, "call", 1)
    act(client, "call", 1)
    act(client, "fold", 1, key="not-mine")
    after = scrape(client)

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert grown("jinhua_append_seconds_count,kind=act") == 3
    assert grown("jinhua_refusals_total,code=not_your_turn") == 1
    assert grown("jinhua_outcomes_total,outcome=stored") == 1
    assert grown("jinhua_commit_commands_count") == grown("jinhua_commit_seconds_count") == 1
    assert grown("jinhua_request_seconds_count,operation=act,status=200") == 2
    assert grown("jinhua_request_seconds_count,operation=act,status=422") == 1
    assert after["jinhua_commands_under_way"] == 0
    assert after["jinhua_store_up"] == 1
    pools = {name for name in after if name.startswith("jinhua_pool_connections_in_use")}
    assert len(pools) == 5


def test_a_conflict_of_appends_is_counted():
    """By what the store said, whether or not the command was tried again."""
    before = figures(measuring.exposition({}).decode())

    measuring.watch([Conflict("hand:h", 1, 2), Stored(1, 2)], 0.001)

    after = figures(measuring.exposition({}).decode())
    for outcome in ("conflict", "stored"):
        name = f"jinhua_outcomes_total,outcome={outcome}"
        assert after[name] - before.get(name, 0) == 1


def test_the_lag_is_the_age_of_what_is_not_taken_in(client, store_dsn, monkeypatch):
    """In seconds, for every projection; a store that is away is told in a figure, not a failure."""
    deposit(client, "ann")
    projections = [name for (name,) in rows(store_dsn, "SELECT name FROM projections")]

    told = scrape(client)
    monkeypatch.setattr(client.app.state.service, "lag", away)
    without = scrape(client)

    assert all(f"jinhua_projection_lag_seconds,projection={p}" in told for p in projections)
    assert without["jinhua_store_up"] == 0
    assert not any(name.startswith("jinhua_projection_lag_seconds") for name in without)


def away():
    """Be a store that does not answer."""
    raise StoreUnreachableError(where="x", reason="y")


def test_the_figures_of_several_workers_are_added_up(store_dsn):
    """Whichever is asked; one that is killed keeps what it counted, and holds nothing any more."""

    def counted() -> dict[str, float]:
        return figures(ask_text(address, "/metrics"))

    with serving(store_dsn, "--workers", "2") as (process, address):
        for n in range(40):
            assert give(address, f"d-{n}")[0] == 200
        before = [counted() for _ in range(6)]
        victim = workers(process.pid)[0]
        victim.kill()
        psutil.wait_procs([victim], timeout=PATIENCE_S)
        deadline, after = time.monotonic() + PATIENCE_S, None
        while after is None and time.monotonic() < deadline:
            try:
                after = counted()
            except OSError:  # it came to the one that is no more
                time.sleep(0.1)

    name = "jinhua_append_seconds_count,kind=deposit"
    assert [one[name] for one in before] == [40] * 6
    assert after is not None
    assert after[name] == 40
    assert after["jinhua_commands_under_way"] == 0


# --- lines -----------------------------------------------------------------------------


def test_a_request_has_an_id_and_a_line(client):
    """The caller's where it gives one; every line that is logged on the way has it too."""
    with capture_logs(processors=[merge_contextvars]) as lines:
        own = post(client, "/v1/players/ann/deposits", "k-1", {"amount": 5}, X_Request_ID="r-1")
        made = client.get("/nowhere")

    assert own.headers["x-request-id"] == "r-1"
    assert re.fullmatch("[0-9a-f]{32}", made.headers["x-request-id"])
    told = {line["event"]: line for line in lines if line.get("request_id") == "r-1"}
    assert told.keys() == {"funds_deposited", "request_answered"}
    answered = told["request_answered"]
    assert answered.items() >= {
        "operation": "deposit", "method": "POST", "status": 200, "command": "k-1",
    }.items()  # fmt: skip
    assert answered["ms"] > 0
    assert told["funds_deposited"]["command"] == "k-1"


@pytest.mark.parametrize("given", ["", "a b", "x" * 101, 'a"b', "a\x7f"])
def test_an_id_that_is_none_is_not_passed_on(client, given):
    """Nor is it logged: it might be anything."""
    response = client.get("/healthz", headers={"X-Request-ID": given})

    assert re.fullmatch("[0-9a-f]{32}", response.headers["x-request-id"])


def test_no_card_is_logged_or_counted(client):
    """Neither of a deal, nor of one that is refused, nor in a path."""
    with capture_logs(processors=[merge_contextvars]) as lines:
        sit_down(client, deal={str(seat): cards for seat, cards in DEAL.items()})
        post(client, "/v1/hands", "bad", {"hand": "AsKsQs", "deal": {"1": "AsKsQs"}})
        client.get("/v1/hands/AsKsQs")
        act(client, "look", 1)
    text = client.get("/metrics").text + json.dumps(lines, default=str)

    assert "request_answered" in text
    for cards in (*DEAL.values(), "AsKsQs"):
        assert cards not in text


def test_the_lines_of_a_service_are_json(store_dsn, monkeypatch):
    """One each on standard error, where they are asked for."""
    monkeypatch.setenv("JINHUA_LOG_LEVEL", "info")
    with serving(store_dsn) as (process, address):
        give(address, "d-1")
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate(timeout=PATIENCE_S)

    lines = [json.loads(line) for line in complaints.splitlines()]
    (answered,) = [line for line in lines if line.get("operation") == "deposit"]
    assert (answered["event"], answered["command"]) == ("request_answered", "d-1")
    assert {"request_id", "timestamp", "level"} <= answered.keys()


# --- traces ----------------------------------------------------------------------------


@contextmanager
def collecting():
    """Run what takes in traces; lend its address and the paths and bodies that it got."""
    got: list[tuple[str, bytes]] = []

    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", got
        finally:
            server.shutdown()
            thread.join()


def test_traces_go_to_where_they_are_wanted(store_dsn, monkeypatch):
    """A span of each request, by its route; probes make none."""
    with collecting() as (endpoint, got):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        with serving(store_dsn) as (_, address):
            give(address, "d-1")
    traces = b"".join(body for path, body in got if path == "/v1/traces")

    assert b"/v1/players/{player}/deposits" in traces
    assert b"/readyz" not in traces


def test_without_the_extra_there_are_none_and_a_word(monkeypatch):
    """The service runs all the same; unasked, nothing is told of it."""
    monkeypatch.setattr(telemetry, "find_spec", lambda _: None)
    with capture_logs() as lines:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
        lacking = telemetry.configuration(Settings())
        monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
        unasked = telemetry.configuration(Settings())

    assert [line["event"] for line in lines] == ["telemetry_not_installed"]
    for told in (lacking, unasked):
        assert (told["auto_configure"], told["tracing"], told["metrics"]) == (False,) * 3
