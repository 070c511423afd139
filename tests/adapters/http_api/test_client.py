"""The Python client: what it asks, what it tries again and what not, and what it raises."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice
from typing import Any

import httpx2
import pytest

from adapters.client import AsyncClient, Client
from adapters.client.errors import (
    BadRequestError,
    DeniedError,
    FaultError,
    NotThereError,
    OvertakenError,
    RefusedError,
    ServiceError,
    UnavailableError,
)
from adapters.client.patience import LONGEST_S, Patience
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from tests.adapters.http_api.playing import opening
from tests.adapters.http_api.test_imports import a_hand, running
from tests.adapters.http_api.test_serve import KEYS, PATIENCE_S, serving
from tests.adapters.play import CARRY, balance

DECK = "".join(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")

URL = "http://service.example"
RECEIPT = {
    "status": "applied", "command_id": "k", "first_position": 1, "last_position": 1, "answer": {},
}  # fmt: skip

Handler = Callable[[httpx2.Request], httpx2.Response]


def from_a_thread(handler: Handler, name: str, *given: Any, patience_s: float = 60, **named: Any):
    """Ask by the client for threads."""
    with Client(
        URL, key="jk", patience_s=patience_s, transport=httpx2.MockTransport(handler)
    ) as client:
        return getattr(client, name)(*given, **named)


def from_a_task(handler: Handler, name: str, *given: Any, patience_s: float = 60, **named: Any):
    """Ask by the client for asyncio."""

    async def ask():
        async with AsyncClient(
            URL, key="jk", patience_s=patience_s, transport=httpx2.MockTransport(handler)
        ) as client:
            return await getattr(client, name)(*given, **named)

    return asyncio.run(ask())


both = pytest.mark.parametrize("ask", [from_a_thread, from_a_task])


class Service:
    """A service that answers as it is told, one after the other; the last answer stays."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        """Answer."""
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def applied() -> httpx2.Response:
    """Return the answer to a command that was carried out."""
    return httpx2.Response(200, json=RECEIPT)


def problem(status: int, code: str = "x", headers: dict[str, str] | None = None, **more: Any):
    """Return a problem."""
    body = {"type": f"/problems/{code}", "title": "t", "status": status, "detail": "d", **more}
    return httpx2.Response(status, json={**body, "code": code}, headers=headers)


# --- what is tried again ---------------------------------------------------------------


@both
def test_a_command_is_given_again_under_its_key(ask):
    """The connection broke off, the service was busy: it is the same command each time."""
    service = Service(
        httpx2.ConnectError("refused"),
        httpx2.ReadError("reset"),
        httpx2.RemoteProtocolError("gone"),
        problem(503, "busy", {"Retry-After": "0"}),
        applied(),
    )

    receipt = ask(service, "deposit", "ann", 5)

    assert receipt.status == "applied"
    assert len(service.asked) == 5
    assert len({request.headers["idempotency-key"] for request in service.asked}) == 1
    assert len({request.content for request in service.asked}) == 1
    assert all(request.headers["authorization"] == "Bearer jk" for request in service.asked)


@both
def test_two_commands_have_two_keys(ask):
    """Where none is given; a given one is sent as structured fields have it."""
    service = Service(applied())
    ask(service, "deposit", "ann", 5)
    ask(service, "deposit", "ann", 5)
    ask(service, "deposit", "ann", 5, key='a"b\\')

    first, second, given = (request.headers["idempotency-key"] for request in service.asked)
    assert first != second
    assert given == r'"a\"b\\"'


@both
@pytest.mark.parametrize("pause", ["1", "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_the_service_says_how_long_to_wait(ask, pause):
    """Seconds, or a date; where that is beyond all patience, it is raised at once."""
    service = Service(problem(503, "busy", {"Retry-After": pause}), applied())
    with pytest.raises(UnavailableError) as raised:
        ask(service, "deposit", "ann", 5, key="k", patience_s=0.9)

    assert (raised.value.code, raised.value.status, raised.value.key) == ("busy", 503, '"k"')
    assert raised.value.retry_after_s is not None
    assert raised.value.retry_after_s >= 1
    assert len(service.asked) == 1


@both
def test_patience_ends(ask):
    """What is raised has the key, and the last reason why."""
    service = Service(httpx2.ConnectError("refused"))

    with pytest.raises(UnavailableError, match="refused") as raised:
        ask(service, "deposit", "ann", 5, key="k", patience_s=0.3)

    assert (raised.value.code, raised.value.status) == ("unreachable", None)
    assert raised.value.key == '"k"'
    assert isinstance(raised.value.__cause__, httpx2.ConnectError)
    assert 2 < len(service.asked) < 20


def test_who_waits_waits_longer_each_time_and_not_in_step():
    """Up to a limit, around a mean."""
    patience = Patience(1e9)
    waits = [patience.before_again(UnavailableError("x", code="busy")) for _ in range(40)]

    assert all(wait <= 1.5 * LONGEST_S for wait in waits)
    assert waits[0] < 0.1
    assert min(waits[10:]) > 0.9
    assert len(set(waits)) > 30


# --- what is raised --------------------------------------------------------------------

# fmt: off
ANSWERS = {
    400: BadRequestError, 401: DeniedError, 403: DeniedError, 404: NotThereError,
    405: BadRequestError, 409: OvertakenError, 412: OvertakenError, 413: BadRequestError,
    415: BadRequestError, 422: RefusedError, 500: FaultError,
}
# fmt: on


@both
@pytest.mark.parametrize(("status", "kind"), ANSWERS.items())
def test_each_answer_is_an_error_of_its_kind(ask, status, kind):
    """With all that the problem has; and it is not asked again."""
    service = Service(problem(status, "c", rule="§4", field="f", numbers={"seat": 1}))

    with pytest.raises(ServiceError) as raised:
        ask(service, "act", "t1/1", "call", seat=1, key="k")

    error = raised.value
    assert type(error) is kind
    assert (error.code, error.status, error.rule, error.field) == ("c", status, "§4", "f")
    assert (error.numbers, error.detail, error.key) == ({"seat": 1}, "d", '"k"')
    assert len(service.asked) == 1


@both
def test_a_proxy_that_answers_is_understood(ask):
    """Its page is no problem; where it says that the service is away it is asked again."""
    page = httpx2.Response(502, text="<html>Bad Gateway</html>")
    array = httpx2.Response(400, json=[])

    assert ask(Service(page, applied()), "deposit", "ann", 5).status == "applied"
    with pytest.raises(BadRequestError) as raised:
        ask(Service(array), "deposit", "ann", 5)
    assert raised.value.code == "http_400"


# --- the feed --------------------------------------------------------------------------


class Broken(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A stream that breaks off."""

    def __init__(self, *parts: bytes, error: Exception | None = None) -> None:
        self._parts, self._error = parts, error

    def __iter__(self) -> Iterator[bytes]:
        yield from self._parts
        if self._error is not None:
            raise self._error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._parts:
            yield part
        if self._error is not None:
            raise self._error


def streamed(*parts: bytes, error: Exception | None = None) -> httpx2.Response:
    """Return a stream of messages that breaks off in the end."""
    headers = {"Content-Type": "text/event-stream"}
    return httpx2.Response(200, headers=headers, stream=Broken(*parts, error=error))


def message(position: int) -> bytes:
    """Return an event as a message of the feed."""
    event = {
        "position": position, "hand": "t1/1", "player": None, "version": 1, "topic": "x",
        "happened_at": "", "recorded_at": "", "command_id": "k", "actor": "a",
        "unreadable": None, "event": {},
    }  # fmt: skip
    return b"id: %d\ndata: %b\n\n" % (position, json.dumps(event).encode())


def events_of(handler: Handler, count: int, kind: type, **more: Any) -> list[int]:
    """Return the positions of the first events of a feed."""
    transport = httpx2.MockTransport(handler)
    if kind is Client:
        with Client(URL, transport=transport, **more) as client:
            return [event.position for event in islice(client.events(after=3), count)]

    async def collect() -> list[int]:
        async with AsyncClient(URL, transport=transport, **more) as client:
            feed = client.events(after=3)
            return [(await anext(feed)).position for _ in range(count)]

    return asyncio.run(collect())


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_feed_goes_on_behind_the_last_event(kind):
    """However it broke off: in the middle of one, of a word, or between two; an empty one moves."""
    service = Service(
        streamed(b"retry: 5\n\n" + message(4) + b"id: 5\nda", error=httpx2.ReadError("x")),
        httpx2.ConnectError("restarting"),
        streamed(message(5)[:40], message(5)[40:], b": still there\n\nid: 9\n\n"),
        problem(503, "busy", {"Retry-After": "0"}),
        streamed(message(10)),
    )

    found = events_of(service, 3, kind)

    assert found == [4, 5, 10]
    asked = [request.headers["last-event-id"] for request in service.asked]
    assert asked == ["3", "4", "4", "9", "9"]


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_feed_that_is_not_allowed_any_more_is_raised(kind):
    """Told in the stream, or as its answer; a store that is away passes."""
    told = {"status": 403, "code": "not_allowed", "detail": "d"}
    away = {"status": 503, "code": "store_unreachable", "detail": "d"}
    service = Service(
        streamed(b"event: problem\ndata: %b\n\n" % json.dumps(away).encode()),
        streamed(b"event: problem\ndata: %b\n\n" % json.dumps(told).encode()),
    )

    with pytest.raises(DeniedError):
        events_of(service, 1, kind)
    with pytest.raises(UnavailableError):
        events_of(Service(httpx2.ConnectError("x")), 1, kind, patience_s=0.3)
    assert len(service.asked) == 2


# --- with the service itself -----------------------------------------------------------


def test_a_hand_is_played_by_both_clients(store_dsn):
    """Every command and every query, against the service."""
    with running(store_dsn) as (host, port):
        with Client(f"http://{host}:{port}") as client:
            for player in ("ann", "bob"):
                client.deposit(player, 2 * CARRY)
            given = opening("t1/甲 1", deal={1: "AsAdAh", 2: "2c4d7h"})
            opened = client.open_hand(given.pop("hand"), given.pop("rulebook"), **given)
            assert client.hand("t1/甲 1").version == opened.answer["version"] == 4
            with pytest.raises(OvertakenError) as overtaken:
                client.act("t1/甲 1", "call", seat=1, expected_version=3)
            with pytest.raises(RefusedError) as refused:
                client.act("t1/甲 1", "call", seat=2)
        found = asyncio.run(_played_on(f"http://{host}:{port}"))

    assert (overtaken.value.status, overtaken.value.code) == (412, "conflict")
    assert overtaken.value.numbers == {"expected": 3, "actual": 4, "stream": "hand:t1/甲 1"}
    assert (refused.value.code, refused.value.rule) == ("not_your_turn", "§3.1")
    assert found == ("settled", "settled", CARRY)


async def _first(feed: AsyncIterator[Any], count: int) -> AsyncIterator[Any]:
    for _ in range(count):
        yield await anext(feed)


async def _played_on(url: str) -> tuple[Any, ...]:
    async with AsyncClient(url) as client:
        looked = [{"do": "look", "seat": 1}, {"do": "call", "seat": 1}]
        await client.act_many("t1/甲 1", looked, expected_version=4)
        folded = await client.act("t1/甲 1", "fold", seat=2, actor="bob")
        await client.claim_settlement("t1/甲 1", {"winners": [1]}, claimant="them")
        state = (await client.hand("t1/甲 1")).state
        (row,) = (await client.hands(player="ann", min_position=folded.last_position)).hands
        await client.withdraw("ann", CARRY)
        with pytest.raises(NotThereError):
            await client.void_hand("t1/2", "x")
        with pytest.raises(RefusedError):
            await client.disclose_deck("t1/甲 1", "5f" * 32, DECK)
        trail = await client.audit_trail(hand="t1/甲 1", limit=2)
        assert (len(trail.lines), trail.after is None) == (2, False)
        assert (await client.hand_verification("t1/甲 1")).agrees
        assert (await client.hand_explanation("t1/甲 1", lang="zh")).lang == "zh"
        assert (await client.hand_timeline("t1/甲 1", lang="zh")).moments[1].what == "下底注"
        events = (await client.hand_events("t1/甲 1", view="seat", seat=1)).events
        page = await client.event_page(limit=1_000)
        assert {event.position for event in events} < {event.position for event in page.events}
        told = [event async for event in _first(client.events(after=2), 3)]
        assert told == page.events[2:5]
        statement = await client.statement("ann", min_position=page.head)
        assert statement.movements[-1].balance == (await client.balance("ann")).balance
        assert (await client.bonuses()).bonuses == (await client.bonuses("ann")).bonuses
        assert len((await client.house(rulebook="jiuyou")).house) == 1
        assert (await client.checkpoints()).checkpoints == []
        names = [book.id for book in (await client.rulebooks()).rulebooks]
        assert (await client.rulebook(names[0], lang="zh")).id == names[0]
        for asked in (client.checkpoint(7), client.hand_proof("t1/甲 1")):
            with pytest.raises(NotThereError):
                await asked
        ready = await client.get("/readyz")
        assert ready == {"status": "ready"}
        before = await client.balance("ann", as_of=1)
        return state, row.state, before.balance // 2


def test_a_feed_outlives_the_service(store_dsn):
    """It goes on where it was, once there is a service again: every event once, in its order."""
    told: list[int] = []
    with serving(store_dsn) as (process, address):
        reader = Client(f"http://{address}", key=KEYS[address], patience_s=PATIENCE_S)
        for n in range(5):
            reader.deposit("ann", 1, key=f"a{n}")
        feed = reader.events()
        told += [next(feed).position for _ in range(3)]
        process.kill()
    with serving(store_dsn, port=address.rpartition(":")[2]), reader:
        reader.deposit("ann", 1, key="b")
        told += [next(feed).position for _ in range(3)]

    assert told == [1, 2, 3, 4, 5, 6]


def test_hands_are_imported_by_both_clients(store_dsn):
    """A line of answer for each; what breaks the import off is raised."""
    given: list[bytes | str] = [a_hand("t1/1"), a_hand("t1/2").encode()]

    async def again(url: str) -> list[Any]:
        async with AsyncClient(url) as client:
            return [line async for line in client.import_hands(given, deposit=True)]

    with running(store_dsn) as (host, port):
        url = f"http://{host}:{port}"
        with Client(url) as client:
            first = list(client.import_hands(given, deposit=True))
        second = asyncio.run(again(url))

    assert [line.get("status") for line in first] == ["stored", "stored", None]
    assert second[-1]["summary"]["already"] == 2


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_an_import_that_breaks_off_is_raised(kind):
    """By what the last line says, or by what became of the connection."""
    line = b'{"problem": {"status": 500, "code": "internal", "detail": "d"}}\n'
    broken = Service(httpx2.Response(200, stream=Broken(b'{"record": 0}\n', line)))
    gone = Service(httpx2.Response(200, stream=Broken(error=httpx2.ReadError("reset"))))

    def imported(service: Service) -> list[Any]:
        transport = httpx2.MockTransport(service)
        if kind is Client:
            with Client(URL, transport=transport) as client:
                return list(client.import_hands(["{}"]))

        async def collect() -> list[Any]:
            async with AsyncClient(URL, transport=transport) as client:
                return [found async for found in client.import_hands(["{}"])]

        return asyncio.run(collect())

    with pytest.raises(FaultError):
        imported(broken)
    with pytest.raises(UnavailableError):
        imported(gone)


def test_threads_may_share_a_client(store_dsn):
    """Each command is carried out once."""
    with running(store_dsn) as (host, port), Client(f"http://{host}:{port}") as client:
        threads = [threading.Thread(target=client.deposit, args=("ann", 1)) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert client.balance("ann", min_position=16).balance == 16
    with Ledger(Store(store_dsn)) as ledger:
        assert balance(ledger, "ann") == 16
