"""What holds for every request: how long, how large, and what every answer has."""

import asyncio
import time
from contextlib import suppress

import pytest

from adapters.http_api import service
from adapters.http_api.errors import TooSlowError
from adapters.http_api.limits import Deadline
from tests.adapters.http_api.playing import deposit, post

SECURITY = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


@pytest.mark.parametrize("address", ["/healthz", "/v1/hands/none", "/nowhere", "/v1/hands?after=x"])
def test_every_answer_has_the_headers_that_keep_it_safe(client, address):
    """Good ones and problems."""
    headers = client.get(address).headers

    assert {name: headers[name] for name in SECURITY} == SECURITY
    assert "server" not in headers


def parts(size: int):
    """Yield a body whose length nobody is told."""
    for _ in range(size // 100):
        yield b" " * 100


@pytest.mark.parametrize("body", [b" " * 2_000, parts(2_000)], ids=["with its length", "without"])
def test_a_request_that_is_too_long_is_not_read(calling, body):
    """Whether it says so or not."""
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json"}
    with calling(body_max=1_000) as client:
        response = client.post("/v1/players/ann/deposits", content=body, headers=headers)
        short = deposit(client, "ann")

    assert (response.status_code, response.json()["code"]) == (413, "too_large")
    assert short.status_code == 200


def test_a_request_that_takes_too_long_is_given_up(calling, monkeypatch):
    """The caller is told to try again; what is under way goes on."""

    async def slow(*_: object):
        await asyncio.sleep(60)

    with calling(timeout_s=0.5) as client:
        deposit(client, "ann")
        monkeypatch.setattr(client.app.state.service, "wait_for", slow)
        started = time.monotonic()
        response = client.get("/v1/players/ann/balance")

    assert (response.status_code, response.json()["code"]) == (503, "too_slow")
    assert response.headers["retry-after"] == "1"
    assert time.monotonic() - started < 30


def test_a_timeout_inside_of_the_service_is_a_fault_of_it(calling, monkeypatch):
    """To give the request again would not help; nothing says that its own time was over."""

    async def failing(*_: object):
        raise TimeoutError

    with calling() as client:
        monkeypatch.setattr(client.app.state.service, "wait_for", failing)
        response = client.get("/v1/players/ann/balance")

    assert (response.status_code, response.json()["code"]) == (500, "internal")


def test_what_is_in_time_is_not_cancelled_later():
    """The timer goes with the deadline."""

    async def work() -> str:
        with Deadline(0.01):
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        return "done"

    assert asyncio.run(work()) == "done"


@pytest.mark.parametrize("seconds", [30.0, 0.0], ids=["in time", "and too late"])
def test_whoever_is_cancelled_by_others_is_not_too_slow(seconds):
    """A service that stops is not answered for, even where the time was over as well."""

    async def work() -> None:
        task = asyncio.create_task(slow())
        await asyncio.sleep(0)
        if not seconds:
            await asyncio.sleep(0)
        task.cancel()
        await task

    async def slow() -> None:
        with Deadline(seconds):
            await asyncio.sleep(60)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work())


@pytest.mark.parametrize(
    ("outer", "inner", "passes"),
    [(30.0, 0.01, "0.01"), (0.01, 30.0, "0.01"), (0.0, 0.0, "0")],
    ids=["the inner one", "the outer one", "both at once"],
)
def test_one_deadline_in_another_passes_once(outer, inner, passes):
    """And whoever is in it goes on."""

    async def work() -> str:
        late = pytest.raises(TooSlowError, match=rf"within {passes} s")
        with late, Deadline(outer), Deadline(inner):
            await asyncio.sleep(60)
        await asyncio.sleep(0.02)
        return "done"

    assert asyncio.run(work()) == "done"


def test_an_answer_that_came_with_the_end_of_the_time_stays():
    """Whoever swallows the end, as a wait that was over already does, is not too slow."""

    async def work() -> str:
        with Deadline(0.01):
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        return "done"

    assert asyncio.run(work()) == "done"


def test_more_than_may_be_under_way_is_told_to_come_again(client, monkeypatch):
    """Commands, queries and imports: 503 at once, and nothing of it is begun."""
    monkeypatch.setattr(client.app.state.service.ledger, "_under_way_max", 0)
    monkeypatch.setattr(service, "READS_MAX", 0)
    monkeypatch.setattr(client.app.state.service.importing, "locked", lambda: True)

    told = [
        post(client, "/v1/players/ann/deposits", "k", {"amount": 1}),
        client.get("/v1/players/ann/balance"),
        client.post("/v1/imports", content=b"{}"),
    ]

    assert [(r.status_code, r.json()["code"]) for r in told] == [(503, "busy")] * 3
    assert all(r.headers["retry-after"] == "1" for r in told)


def test_a_position_that_nobody_was_told_is_not_waited_for(client):
    """It is said at once: no receipt can have it."""
    last = deposit(client, "ann").json()["last_position"]
    started = time.monotonic()

    beyond = client.get(f"/v1/players/ann/balance?min_position={last + 1}")

    assert (beyond.status_code, beyond.json()["field"]) == (400, "min_position")
    assert time.monotonic() - started < 5
    assert client.get(f"/v1/players/ann/balance?min_position={last}").json()["balance"] > 0
