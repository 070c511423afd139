"""The clients: one for threads, one for asyncio.

A command is given again, under the same key, where the connection broke off or the service said
that it is busy: so it is carried out once. What is refused is raised, with its code and numbers.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

import httpx2
import pydantic_core

from adapters.client import commands, queries
from adapters.client.commands import Call
from adapters.client.errors import UnavailableError, lost, raised, told
from adapters.client.patience import FIRST_S, Patience
from adapters.http_api.shapes import FollowedEvent

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE_S: Final = 60.0
"""For how long something is tried again."""

TIMEOUT_S: Final = 40.0
"""For an answer: longer than the service takes at most, and than a stream is silent."""

_JSON_LINES: Final = "application/jsonl"


def _asked(ask: Callable[P, Call[T]]) -> Callable[Concatenate["Client", P], T]:
    """Return the method that asks, described as what it asks for."""

    @wraps(ask)
    def method(client: "Client", /, *given: P.args, **named: P.kwargs) -> T:
        return client.ask(ask(*given, **named))

    return method


def _awaited(
    ask: Callable[P, Call[T]],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, T]]:
    """Return the same as a coroutine."""

    @wraps(ask)
    async def method(client: "AsyncClient", /, *given: P.args, **named: P.kwargs) -> T:
        return await client.ask(ask(*given, **named))

    return method


class Client:
    """The API for threads, which may share one. Close it, or use it in a ``with``."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        patience_s: float = PATIENCE_S,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Call a service.

        Args:
            url: Where it is.
            key: An API key.
            patience_s: For how long something is tried again, seconds.
            transport: What carries requests; else HTTP/1.1 with connections that are kept.
        """
        self._http = httpx2.Client(
            base_url=url, headers=_headers(key), timeout=TIMEOUT_S, transport=transport
        )
        self._patience_s = patience_s

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections up."""
        self._http.close()

    open_hand = _asked(commands.open_hand)
    act = _asked(commands.act)
    act_many = _asked(commands.act_many)
    void_hand = _asked(commands.void_hand)
    disclose_deck = _asked(commands.disclose_deck)
    claim_settlement = _asked(commands.claim_settlement)
    deposit = _asked(commands.deposit)
    withdraw = _asked(commands.withdraw)

    hand = _asked(queries.hand)
    hand_events = _asked(queries.hand_events)
    hand_timeline = _asked(queries.hand_timeline)
    hand_explanation = _asked(queries.hand_explanation)
    hand_verification = _asked(queries.hand_verification)
    hand_proof = _asked(queries.hand_proof)
    hands = _asked(queries.hands)
    balance = _asked(queries.balance)
    statement = _asked(queries.statement)
    bonuses = _asked(queries.bonuses)
    house = _asked(queries.house)
    event_page = _asked(queries.event_page)
    audit_trail = _asked(queries.audit_trail)
    checkpoints = _asked(queries.checkpoints)
    checkpoint = _asked(queries.checkpoint)
    rulebooks = _asked(queries.rulebooks)
    rulebook = _asked(queries.rulebook)
    get = _asked(queries.get)

    def ask(self, call: Call[T]) -> T:
        """Make a request, again and again where that is safe and may help.

        Raises:
            ServiceError: It was not carried out; of an :class:`UnavailableError` that is not known.
        """
        patience = Patience(self._patience_s)
        while True:
            try:
                response = self._http.request(**_request(call))
                if response.is_success:
                    return call.read(response.content)
                raised(response.status_code, response.headers, response.content, call.key)
            except httpx2.TransportError as error:
                time.sleep(patience.before_again(lost(error, call.key)))
            except UnavailableError as error:
                time.sleep(patience.before_again(error))

    def import_hands(
        self, lines: Iterable[bytes | str], *, deposit: bool = False, claimant: str = "record"
    ) -> Iterator[Mapping[str, Any]]:
        """Store finished hands, and yield what became of each; last comes the ``summary``.

        Args:
            lines: hand-record/1, a hand a line. They are sent before anything is yielded.
            deposit: Bring in from the cashier what a player lacks.
            claimant: Whose figures a record's own settlement is.

        Raises:
            ServiceError: It broke off. Send all of it again: a hand is its own key.
        """
        request = _import(deposit=deposit, claimant=claimant)
        try:
            with self._http.stream(**request, content=map(_line, lines)) as response:
                if not response.is_success:
                    raised(response.status_code, response.headers, response.read(), None)
                for line in response.iter_lines():
                    yield _told(line)
        except httpx2.TransportError as error:
            raise lost(error, None) from error

    def events(self, after: int = 0) -> Iterator[FollowedEvent]:
        """Yield what happened after a position, then what happens, for ever.

        Where the stream breaks off it is taken up again behind the last event.

        Raises:
            ServiceError: It cannot be taken up again.
        """
        feed = _Feed(after, self._patience_s)
        while True:
            try:
                with self._http.stream(**feed.request()) as response:
                    if not response.is_success:
                        raised(response.status_code, response.headers, response.read(), None)
                    for message in httpx2.EventSource(response):
                        yield from feed.taken(message)
            except httpx2.TransportError as error:
                feed.broke_off(lost(error, None))
            except UnavailableError as error:
                feed.broke_off(error)
            time.sleep(feed.pause_s)


class AsyncClient:
    """The API for asyncio. Close it, or use it in an ``async with``."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        patience_s: float = PATIENCE_S,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """Call a service: see :class:`Client`."""
        self._http = httpx2.AsyncClient(
            base_url=url, headers=_headers(key), timeout=TIMEOUT_S, transport=transport
        )
        self._patience_s = patience_s

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Give the connections up."""
        await self._http.aclose()

    open_hand = _awaited(commands.open_hand)
    act = _awaited(commands.act)
    act_many = _awaited(commands.act_many)
    void_hand = _awaited(commands.void_hand)
    disclose_deck = _awaited(commands.disclose_deck)
    claim_settlement = _awaited(commands.claim_settlement)
    deposit = _awaited(commands.deposit)
    withdraw = _awaited(commands.withdraw)

    hand = _awaited(queries.hand)
    hand_events = _awaited(queries.hand_events)
    hand_timeline = _awaited(queries.hand_timeline)
    hand_explanation = _awaited(queries.hand_explanation)
    hand_verification = _awaited(queries.hand_verification)
    hand_proof = _awaited(queries.hand_proof)
    hands = _awaited(queries.hands)
    balance = _awaited(queries.balance)
    statement = _awaited(queries.statement)
    bonuses = _awaited(queries.bonuses)
    house = _awaited(queries.house)
    event_page = _awaited(queries.event_page)
    audit_trail = _awaited(queries.audit_trail)
    checkpoints = _awaited(queries.checkpoints)
    checkpoint = _awaited(queries.checkpoint)
    rulebooks = _awaited(queries.rulebooks)
    rulebook = _awaited(queries.rulebook)
    get = _awaited(queries.get)

    async def ask(self, call: Call[T]) -> T:
        """Make a request: see :meth:`Client.ask`."""
        patience = Patience(self._patience_s)
        while True:
            try:
                response = await self._http.request(**_request(call))
                if response.is_success:
                    return call.read(response.content)
                raised(response.status_code, response.headers, response.content, call.key)
            except httpx2.TransportError as error:
                await asyncio.sleep(patience.before_again(lost(error, call.key)))
            except UnavailableError as error:
                await asyncio.sleep(patience.before_again(error))

    async def import_hands(
        self, lines: Iterable[bytes | str], *, deposit: bool = False, claimant: str = "record"
    ) -> AsyncIterator[Mapping[str, Any]]:
        """Store finished hands: see :meth:`Client.import_hands`."""
        request = _import(deposit=deposit, claimant=claimant)
        try:
            async with self._http.stream(**request, content=_each(lines)) as response:
                if not response.is_success:
                    raised(response.status_code, response.headers, await response.aread(), None)
                async for line in response.aiter_lines():
                    yield _told(line)
        except httpx2.TransportError as error:
            raise lost(error, None) from error

    async def events(self, after: int = 0) -> AsyncIterator[FollowedEvent]:
        """Yield what happened after a position, then what happens: see :meth:`Client.events`."""
        feed = _Feed(after, self._patience_s)
        while True:
            try:
                async with self._http.stream(**feed.request()) as response:
                    if not response.is_success:
                        raised(response.status_code, response.headers, await response.aread(), None)
                    async for message in httpx2.EventSource(response):
                        for event in feed.taken(message):
                            yield event
            except httpx2.TransportError as error:
                feed.broke_off(lost(error, None))
            except UnavailableError as error:
                feed.broke_off(error)
            await asyncio.sleep(feed.pause_s)


class _Feed:
    """How far a consumer has come, and how long it waits before it comes back."""

    def __init__(self, after: int, patience_s: float) -> None:
        self._after = after
        self._patience_s = patience_s
        self._patience = Patience(patience_s)
        self.pause_s = FIRST_S

    def request(self) -> dict[str, Any]:
        """Return the request that takes the stream up."""
        self.pause_s = FIRST_S
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(self._after)}
        return {
            "method": "GET",
            "url": "/v1/events",
            "params": {"after": self._after},
            "headers": headers,
        }

    def taken(self, message: httpx2.ServerSentEvent) -> Iterator[FollowedEvent]:
        """Take a message in, and yield what is to be told of it: an event, or nothing.

        Raises:
            ServiceError: The service says what is wrong; whether it passes, its class says.
        """
        if message.event == "problem":
            raise told(pydantic_core.from_json(message.data), None)
        if message.id.isdigit():
            self._after = int(message.id)
            self._patience = Patience(self._patience_s)  # it gets on
            if message.data:
                yield FollowedEvent.model_validate_json(message.data)

    def broke_off(self, error: UnavailableError) -> None:
        """Say that the stream did.

        Raises:
            UnavailableError: It has not got on for too long.
        """
        self.pause_s = self._patience.before_again(error)


def _headers(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}


def _request(call: Call[Any]) -> dict[str, Any]:
    return {
        "method": call.method,
        "url": call.path,
        "params": dict(call.query),
        "headers": dict(call.headers),
        "json": call.body,
    }


def _import(*, deposit: bool, claimant: str) -> dict[str, Any]:
    return {
        "method": "POST",
        "url": "/v1/imports",
        "params": {"deposit": deposit, "claimant": claimant},
        "headers": {"Content-Type": _JSON_LINES},
        "timeout": httpx2.Timeout(TIMEOUT_S, read=None),  # it may be a long one
    }


def _line(line: bytes | str) -> bytes:
    given = line.encode() if isinstance(line, str) else line
    return given if given.endswith(b"\n") else given + b"\n"


async def _each(lines: Iterable[bytes | str]) -> AsyncIterator[bytes]:
    for line in lines:
        yield _line(line)


def _told(line: str) -> Mapping[str, Any]:
    """Return a line of an import's answer.

    Raises:
        ServiceError: The import broke off there.
    """
    found: dict[str, Any] = pydantic_core.from_json(line)
    if "problem" in found:
        raise told(found["problem"], None)
    return found
