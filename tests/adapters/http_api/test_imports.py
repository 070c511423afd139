"""Imports over HTTP: a line in, a line out, and neither side waits for the other."""

import json
import socket
import threading
import time
from contextlib import contextmanager
from typing import Any

import uvicorn

from adapters.http_api.app import create_app
from adapters.http_api.callers import Caller
from adapters.registers.api_keys import Role
from adapters.settings import Settings
from adapters.simulation.hands import line_of, simulate
from tests.adapters.http_api.conftest import Only
from tests.adapters.play import lines
from tests.domain.hands import record


def a_hand(hand: str, **more) -> str:
    """Return a finished hand of two as a line."""
    return lines(record("1 AsAdAh, 2 2c4d7h", "2 fold", dealer=1) | {"hand": hand} | more)[0]


def told(response) -> list[dict[str, Any]]:
    """Return the lines of an answer."""
    assert response.headers["content-type"].startswith("application/jsonl")
    return [json.loads(line) for line in response.text.splitlines()]


def test_each_record_is_answered_in_its_order(client):
    """What was stored, what was there, what was refused and why; and the totals."""
    given = "\n".join([a_hand("t1/1"), "{", a_hand("t1/2", settlement={"pot": 1}), a_hand("t1/1")])

    first = told(client.post("/v1/imports?deposit=true&claimant=them", content=given))
    again = told(client.post("/v1/imports?deposit=true&claimant=them", content=given))

    assert [line.get("status") for line in first] == [
        "stored",
        "refused",
        "stored",
        "already",
        None,
    ]
    assert [line.get("record") for line in first] == [0, 1, 2, 3, None]
    assert first[1]["code"] == "bad_record"
    assert first[2]["differences"] == [{"path": "pot", "claimed": 1, "derived": 1_000}]
    totals = {"stored": 2, "already": 1, "refused": 1, "events": 26, "mismatched": 1}
    assert first[-1] == {"summary": totals}
    assert again[-1]["summary"]["already"] == 3


def test_chips_come_in_only_where_that_is_asked_for(client, calling):
    """A key that is bound to tables may not ask, and imports hands of its tables alone."""
    (refused, _) = told(client.post("/v1/imports", content=a_hand("t1/1")))
    assert (refused["status"], refused["code"]) == ("refused", "insufficient_funds")
    with calling(Caller("t1", Role.SERVICE, ("t1",))) as bound:
        response = bound.post("/v1/imports?deposit=true", content=a_hand("t1/1"))
        assert response.json()["code"] == "not_allowed"
        given = "\n".join([a_hand("t1/1"), a_hand("t2/1")])
        codes = [line.get("code") for line in told(bound.post("/v1/imports", content=given))]
    assert codes == ["insufficient_funds", "not_allowed", None]


def test_an_import_that_breaks_off_says_so(client, monkeypatch):
    """Its last line is the problem; what was told before it is stored."""

    def fail(*_: object) -> None:
        raise RuntimeError("AsAdAh")

    monkeypatch.setattr("adapters.commands.importing.Import._keep", fail)

    (line,) = told(client.post("/v1/imports?deposit=true", content=a_hand("t1/1")))

    assert line["problem"]["code"] == "internal"
    assert "AsAdAh" not in str(line)


@contextmanager
def running(dsn: str):
    """Run the application in a server, on a port of its own."""
    app = create_app(Settings(dsn=dsn), callers=Only(Caller("service", Role.SERVICE)))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on", log_level="error"))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()
    finally:
        server.should_exit = True
        thread.join()


HEAD = b"POST /v1/imports?deposit=true HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    """Return a part of a chunked request."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def test_who_reads_no_answer_before_all_is_sent_is_not_waited_for(store_dsn):
    """Refused lines tell more than they hold: far more than the sockets between both sides take."""
    line = b'{"hand":"' + b"h" * 150 + b'"}\n'
    count = 25_000
    with running(store_dsn) as address, socket.create_connection(address, timeout=120) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        client.sendall(HEAD)
        for _ in range(count // 1_000):
            client.sendall(chunk(line * 1_000))
        client.sendall(chunk(b""))
        size, last = 0, b""
        while not last.endswith(b"0\r\n\r\n"):
            part = client.recv(1 << 20)
            assert part
            size, last = size + len(part), (last + part)[-1_000:]

    assert f'"refused":{count}'.encode() in last
    assert size > 7_000_000


def test_results_come_while_records_still_go(store_dsn):
    """As soon as a transaction is full: long before the request ends."""
    hands = [line_of(record) for record in simulate("jiuyou", hands=250, seed=7)]
    with running(store_dsn) as address, socket.create_connection(address, timeout=60) as client:
        client.sendall(HEAD + chunk("".join(f"{hand}\n" for hand in hands).encode()))
        got = b""
        while got.count(b'"stored"') < 200:
            got += client.recv(1 << 16)
        client.sendall(chunk(b""))
        while not got.endswith(b"0\r\n\r\n"):
            got += client.recv(1 << 16)

    assert got.count(b'"status":"stored"') == 250


def test_who_stops_sending_does_not_hold_the_service_up(store_dsn):
    """What was committed stays; asked to stop, the service does not wait for the rest."""
    hand = a_hand("t1/1").encode()
    with running(store_dsn) as address:
        first = socket.create_connection(address, timeout=60)
        first.sendall(HEAD + chunk(hand + b"\n"))
        first.close()
        with socket.create_connection(address, timeout=60) as second:
            second.sendall(HEAD + chunk(hand + b"\n") + chunk(b""))
            got = b""
            while not got.endswith(b"0\r\n\r\n"):
                got += second.recv(1 << 16)

    assert b'"summary"' in got
