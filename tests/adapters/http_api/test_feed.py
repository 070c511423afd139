"""The feed: no event missed and none twice, whatever breaks off, and for whoever reads slowly."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import psycopg
import pytest
import uvicorn

from adapters import following
from adapters.http_api import feed, news
from adapters.http_api.admission import FRESH_S
from adapters.http_api.app import create_app
from adapters.ledger import Ledger
from adapters.registers.api_keys import Role, prefix_of, revoke_key
from adapters.settings import Settings
from adapters.store.postgres import Store
from tests.adapters.commands.test_live_privacy import leaks
from tests.adapters.http_api.keys import bearer, key
from tests.adapters.http_api.playing import FUNDS, act, deposit, sit_down
from tests.adapters.http_api.test_commands import code
from tests.adapters.http_api.test_serve import serving
from tests.adapters.play import fund

PATIENCE_S = 120
STREAM = {"Accept": "text/event-stream"}


# --- pages -----------------------------------------------------------------------------


def walked(client, **query) -> list[dict[str, Any]]:
    """Read all pages."""
    found, after = [], 0
    while True:
        answer = client.get("/v1/events", params={**query, "after": after}).json()
        found += answer["events"]
        assert answer["after"] >= after
        if not answer["events"]:
            return found
        after = answer["after"]


@pytest.mark.parametrize("limit", [1, 3, 1_000])
def test_pages_hold_every_event_once_and_in_order(client, limit):
    """However long they are; an event is told as it is stored."""
    sit_down(client)
    act(client, "fold", 1)

    found = walked(client, limit=limit)

    assert [event["position"] for event in found] == list(range(1, 14))
    assert (found[0]["topic"], found[0]["player"]) == ("wallet.deposited.v1", "ann")
    assert found[0]["event"]["transfers"][0][2] == FUNDS
    own = [event for event in found if event["hand"] == "t1/1" and event["player"] is None]
    assert [event["version"] for event in own] == list(range(1, len(own) + 1))


def test_a_position_of_another_history_is_told(client):
    """After a restore of an old backup, say: whoever waits for it would wait for ever."""
    deposit(client, "ann")

    for headers in ({}, STREAM):
        response = client.get("/v1/events?after=2", headers=headers)
        assert code(response) == (404, "position_unknown")
    wrong = client.get("/v1/events", headers={**STREAM, "Last-Event-ID": "x"})
    assert code(wrong) == (400, "bad_request")


def test_an_event_that_cannot_be_read_is_told_as_one(client, store_dsn):
    """It is not left out, and holds nobody up."""
    deposit(client, "ann")
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("UPDATE events SET topic = 'wallet.conjured.v9'")
    deposit(client, "bob")

    first, second = walked(client)

    assert (first["event"], first["unreadable"]) == (None, "its topic is unknown")
    assert second["unreadable"] is None


def test_cards_come_once_the_hand_is_over(client):
    """Not before; then at the position where they were not."""
    sit_down(client)
    (running,) = [e for e in walked(client) if e["topic"] == "hand.cards_dealt.v1"]
    act(client, "fold", 1)
    address = f"/v1/events?after={running['position'] - 1}&limit=1"
    (over,) = client.get(address).json()["events"]
    own = client.get("/v1/hands/t1%2F1/events").json()["events"]

    assert set(running["event"]["cards"].values()) == {"??????"}
    assert over["event"]["cards"]["1"] == "AsAdAh"
    assert over["event"] in [event["event"] for event in own]
    assert {**running, "event": None} == {**over, "event": None}


# --- waiting ---------------------------------------------------------------------------


def test_where_nobody_follows_nobody_listens(client):
    """A commit that wakes somebody costs those who wait for its answer."""
    pool = client.app.state.service.pools["feed"]

    def is_idle() -> bool:
        deadline = time.monotonic() + PATIENCE_S
        while pool.lent and time.monotonic() < deadline:
            time.sleep(0.02)
        return not pool.lent

    assert is_idle()
    client.get("/v1/events?wait=0.1")
    assert is_idle()


def test_a_long_poll_ends_as_soon_as_something_is_there(client):
    """Or after as long as it said."""
    started = time.monotonic()
    nothing = client.get("/v1/events?wait=0.5").json()
    took = time.monotonic() - started
    later = threading.Timer(0.5, deposit, (client, "ann"))
    later.start()
    something = client.get("/v1/events?wait=30").json()
    took_less = time.monotonic() - started - took
    later.join()

    assert (nothing["events"], nothing["after"]) == ([], 0)
    assert took >= 0.5
    assert [event["position"] for event in something["events"]] == [1]
    assert took_less < 29


def test_more_consumers_than_may_be_are_told_to_come_again(client, monkeypatch):
    """503 at once."""
    monkeypatch.setattr(news, "CONSUMERS_MAX", 0)

    assert code(client.get("/v1/events")) == (503, "busy")


# --- streams ---------------------------------------------------------------------------


@contextmanager
def running(dsn: str, sends: int | None = None) -> Iterator[tuple[str, int]]:
    """Run the application in a server; stopped, it ends its streams as a signal has it do."""
    app = create_app(Settings(dsn=dsn))
    config = uvicorn.Config(app, log_config=None, lifespan="on", log_level="error")
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    if sends is not None:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, sends)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield listener.getsockname()
    finally:
        service = app.state.service
        service.news._loop.call_soon_threadsafe(service.closing.set)
        server.should_exit = True
        thread.join()


@contextmanager
def stream(address, text: str, last: str = "") -> Iterator[http.client.HTTPResponse]:
    """Open a stream, behind the last position that was got."""
    with closing(
        http.client.HTTPConnection(address[0], address[1], timeout=PATIENCE_S)
    ) as connection:
        headers = {**STREAM, **bearer(text)} | ({"Last-Event-ID": last} if last else {})
        connection.request("GET", "/v1/events", headers=headers)
        response = connection.getresponse()
        assert response.status == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield response


def messages(response: http.client.HTTPResponse) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Yield the id of each message and its data, as a browser would, until the stream ends."""
    fields: dict[str, str] = {}
    with suppress(http.client.HTTPException, ConnectionError):
        while line := response.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
                continue
            if "id" in fields:
                yield fields["id"], json.loads(fields["data"]) if "data" in fields else None
            fields = {}


@contextmanager
def writing(dsn: str) -> Iterator[list[str]]:
    """Let players bring chips in, one after another; lend the list of those who have."""
    stopped, written = threading.Event(), list[str]()

    def write() -> None:
        with Ledger(Store(dsn)) as ledger:
            while not stopped.is_set():
                name = f"p{len(written)}"
                fund(ledger, name, amount=1)
                written.append(name)
                stopped.wait(0.01)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield written
    finally:
        stopped.set()
        writer.join()


class Following:
    """A consumer that keeps what it got and the last position."""

    def __init__(self, text: str) -> None:
        self.key = text
        self._last = ""
        self.got: list[dict[str, Any]] = []

    def follow(self, address: tuple[str, int], count: int | None = None) -> None:
        """Take in so many events from where it was, or all until the stream ends."""
        before = len(self.got)
        # It may end before it has answered.
        broken = suppress(http.client.HTTPException, ConnectionError)
        with broken, stream(address, self.key, self._last) as response:
            for self._last, event in messages(response):
                self.got += [event] if event else []
                if len(self.got) - before == count:
                    break

    def check(self, written: list[str]) -> None:
        """Check that it got everything, once and in order."""
        assert [event["position"] for event in self.got] == list(range(1, len(written) + 1))
        assert [event["player"] for event in self.got] == written


def test_nothing_is_missed_or_doubled_over_fifty_restarts(store_dsn):
    """Of the service, while others write; in between the consumer itself breaks off, too."""
    consumer = Following(key(store_dsn, Role.AUDITOR))
    ended = 0
    with writing(store_dsn) as written:
        for _ in range(50):
            with running(store_dsn) as address:
                consumer.follow(address, 3)
                reader = threading.Thread(target=consumer.follow, args=(address,))
                reader.start()
                time.sleep(0.05)
            reader.join()
            ended += 1
    with running(store_dsn) as address:
        consumer.follow(address, len(written) - len(consumer.got))

    assert ended == 50
    assert len(written) >= 150
    consumer.check(written)


def test_nothing_is_missed_or_doubled_where_the_service_is_killed(store_dsn):
    """In the middle of whatever it was sending."""
    consumer = Following(key(store_dsn, Role.AUDITOR))
    with writing(store_dsn) as written:
        for _ in range(3):
            with serving(store_dsn) as (process, where):
                host, _, port = where.partition(":")
                killer = threading.Timer(0.5, process.kill)
                killer.start()
                consumer.follow((host, int(port)))
                killer.join()
    with running(store_dsn) as address:
        consumer.follow(address, len(written) - len(consumer.got))

    assert len(written) > 3
    consumer.check(written)


def test_a_stream_ends_with_the_service_and_nothing_of_it_is_lost(store_dsn):
    """Asked to stop, the service does not wait for those who would listen for ever."""
    auditor = key(store_dsn, Role.AUDITOR)
    with Ledger(Store(store_dsn)) as ledger:
        fund(ledger, "ann")
    got: list[str] = []

    def read() -> None:
        with stream(address, auditor) as response:
            for last, _ in messages(response):
                got.append(last)
                began.set()
        ended.set()

    began, ended = threading.Event(), threading.Event()
    reader = threading.Thread(target=read)
    with running(store_dsn) as address:
        reader.start()
        assert began.wait(PATIENCE_S)
    assert ended.wait(PATIENCE_S)
    reader.join()

    assert got[0] == "1"


def test_a_stream_ends_once_its_key_is_revoked(store_dsn):
    """It is told why; what happens afterwards is not told."""
    auditor = key(store_dsn, Role.AUDITOR)
    with Store(store_dsn) as store, Ledger(Store(store_dsn)) as ledger, running(store_dsn) as to:
        fund(ledger, "ann")
        with stream(to, auditor) as response:
            while not response.readline().startswith(b"data: "):
                pass
            revoke_key(store, prefix_of(auditor) or "")
            time.sleep(FRESH_S)
            fund(ledger, "bob")
            rest = response.read().decode()

    assert "event: problem" in rest
    assert '"code":"unauthenticated"' in rest
    assert '"bob"' not in rest


def test_a_consumer_that_does_not_read_holds_nobody_up(store_dsn, monkeypatch):
    """It is read for no further than its connection takes; the rest is there once it reads on."""
    count, upto = 600, list[int]()
    real = following.page
    monkeypatch.setattr(feed, "_PAGE", 20)

    def noted(*given: Any, **named: Any) -> Any:
        upto.append(named["after"])
        return real(*given, **named)

    monkeypatch.setattr(feed, "page", noted)
    auditor, slow = Following(key(store_dsn, Role.AUDITOR)), socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    slow.settimeout(PATIENCE_S)
    lines = ["GET /v1/events HTTP/1.0", "Accept: text/event-stream"]
    lines += [f"Authorization: Bearer {auditor.key}", "", ""]
    with Ledger(Store(store_dsn)) as ledger, running(store_dsn, sends=4_096) as address, slow:
        slow.connect(address)
        slow.sendall("\r\n".join(lines).encode())
        for n in range(count):
            ledger.deposit(f"p{n}", 1, command_id=f"{'d' * 190}-{n}")
        time.sleep(0.5)
        reached = max(upto)
        auditor.follow(address, count)  # another one has them all meanwhile
        got = b""
        while b"id: %d\n" % count not in got:
            got += slow.recv(1 << 16)

    assert reached < count / 2
    assert len(auditor.got) == count
    ids = [int(line[4:]) for line in got.splitlines() if line.startswith(b"id: ")]
    assert ids == list(range(1, count + 1))


def _first(found, count: int):
    for n, one in enumerate(found, 1):
        yield one
        if n == count:
            return


def test_a_stream_of_a_key_bound_to_tables_has_their_hands_alone(client, store_dsn, monkeypatch):
    """It is told how far it has come all the same, so that it never reads the rest again."""
    monkeypatch.setattr(feed, "_BEAT_S", 0.2)
    sit_down(client, "t1/1")
    act(client, "fold", 1, hand="t1/1")
    sit_down(client, "t2/1", players=("cai", "dan"))
    head = client.get("/v1/events").json()["head"]
    bound = key(store_dsn, Role.SERVICE, "t2")
    with running(store_dsn) as address, stream(address, bound) as response:
        got = [event for _, event in _first(messages(response), 4)]
    with running(store_dsn) as address, stream(address, bound, str(head - 1)) as response:
        (beat,) = _first(((i, e) for i, e in messages(response) if e is None), 1)

    assert {event["hand"] for event in got} == {"t2/1"}
    assert [event["version"] for event in got] == [1, 2, 3, 4]
    assert not leaks(str(got))
    assert beat == (str(head), None)
