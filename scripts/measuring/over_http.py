"""Over HTTP: clients that keep their connections, one action a request, against a bare endpoint.

Ours: `jinhua serve`, so many workers on one store. Each client plays at a table of its own: before
the clock starts it opens the hands, on the connection that it keeps, and the read models have taken
them in; then it acts, and waits for each answer. A key is looked at, the rules decide, and the
answer comes once the action is committed. The read models follow meanwhile.

Bare: the same framework on the same server with as many workers, given the same requests. It reads
the body as the same type, and answers a constant of the same size; there is no key and no store.

The clients speak HTTP as plainly as it goes, from this process, and are the same for both. The
sides take turns, at most ten seconds each: a machine that is busy is busy for both.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil, inf
from typing import Final, NamedTuple

import uvloop

from adapters.ledger import Ledger
from adapters.registers.api_keys import Role, make_key
from adapters.store.postgres import Store
from scripts.measuring import ours
from scripts.measuring.http_clients import (
    BARE,
    SERVE,
    Connection,
    Request,
    Service,
    acting,
    connected,
    opening,
    served,
)
from scripts.measuring.material import Material
from scripts.measuring.pairs import Measured, Scale, turns
from scripts.measuring.servers import scratch
from scripts.measuring.timing import Tell, Window, at_once, cpu_each, described, percentile, ratio

CLIENTS: Final = 32

WINDOW_S: Final = 10.0
"""The longest turn: whoever asks for longer ones gets more of them.

At a table one hand is open, but here all that are played have to be before the clock starts; those
of a minute would be more than a process remembers (:data:`adapters.commands.standings.HANDS_MAX`),
and each read again before its first action.
"""

_READ_MODELS_S: Final = 120.0


def measure(dsn: str, scale: Scale, workers: int, tell: Tell) -> Measured:
    """Measure both sides on a server, in turns."""
    tell(f"inventing {scale.distinct} hands")
    material = Material(scale.distinct)
    parts = ceil(scale.seconds / WINDOW_S)
    scale = scale._replace(rounds=scale.rounds * parts, seconds=scale.seconds / parts, turns_s=inf)
    with scratch(dsn) as database, Store(database) as store, Ledger(Store(database)) as ledger:
        key = make_key(store, Role.SERVICE, name=ours.ACTOR)
        serve = [*SERVE, "--workers", str(workers), "--dsn", database]
        with served(serve) as our, served([*BARE, str(workers)]) as bare:
            tables = Tables(ledger, material, key)

            def ours_plays() -> Window:
                return tables.played(our, scale.seconds)

            def bare_answers() -> Window:
                return tables.repeated(bare, scale.seconds)

            ours_plays()  # whatever is slow once is over
            bare_answers()
            sides = {"ours": ours_plays, "bare": bare_answers}
            found = turns(sides, scale, "http", tell)
    p99 = {
        side: percentile([one for window in windows for one in window.latencies], 0.99)
        for side, windows in found.items()
    }
    return Measured(
        {
            "http_vs_bare": ratio(found["ours"], found["bare"]),
            "http_p99_vs_bare": p99["bare"] / p99["ours"],
            "http_cpu_vs_bare": cpu_each(found["bare"]) / cpu_each(found["ours"]),
        },
        {
            "http": {
                "clients": CLIENTS,
                "workers": workers,
                **{side: _described(windows) for side, windows in found.items()},
            }
        },
    )


class Player(NamedTuple):
    """What a client sends: before the clock starts, and then."""

    openings: Sequence[Request]
    actions: Iterator[Request]


class Tables(ours.Tables):
    """Hands that are opened and played over HTTP."""

    def __init__(self, ledger: Ledger, material: Material, key: str) -> None:
        super().__init__(ledger, material)
        self._key = key
        self._last: list[ours.Chosen] = []  # as they were played

    def played(self, service: Service, seconds: float) -> Window:
        """Let every client play at a table of its own."""
        self._last = self._choose(CLIENTS, seconds)
        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(self._fund_all, (record for table in self._last for record, _ in table)))
        players = [
            Player([opening(record, self._key) for record, _ in table], self._actions(table))
            for table in self._last
        ]
        window = together(service, players, seconds, ready=self._wait_for_read_models)
        self._per_s[CLIENTS] = max(window.rate, 50.0)
        return window

    def repeated(self, service: Service, seconds: float) -> Window:
        """Send the same again and again, to whom it does not matter what becomes of it."""
        players = [Player([], self._actions(list(table) * 1_000)) for table in self._last]
        return together(service, players, seconds)

    def _actions(self, table: ours.Chosen) -> Iterator[Request]:
        for record, actions in table:
            yield from acting(record["hand"], actions, self._key)

    def _wait_for_read_models(self) -> None:
        last = self.ledger.recorder.max_notification_id()
        self.ledger.wait_for(last or 0, timeout=_READ_MODELS_S)


def _described(windows: Sequence[Window]) -> dict[str, float | str]:
    figures = described(windows, "actions")
    figures["server_cpu_us"] = figures.pop("client_cpu_us", 0.0)
    return figures


def together(
    service: Service,
    players: Sequence[Player],
    seconds: float,
    *,
    ready: Callable[[], None] = lambda: None,
) -> Window:
    """Let clients ask at once, each on a connection that it keeps, until the time is over.

    Args:
        service: Whom they ask.
        players: One a client.
        seconds: From when the clock starts; it stops before, where one of them is through.
        ready: Waits for whatever is not measured, once everything is opened.

    Returns:
        What was done; its processor time is the service's.
    """

    async def play() -> Window:
        async with connected(service, CLIENTS) as connections:
            seated = list(zip(connections, players, strict=True))
            await asyncio.gather(*(_open(connection, player) for connection, player in seated))
            await asyncio.to_thread(ready)
            workers = [_acting(connection, player) for connection, player in seated]
            return await at_once(workers, seconds, lambda: service.cpu)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(play())


async def _open(connection: Connection, player: Player) -> None:
    for request in player.openings:
        await _ask(connection, request, 201)


def _acting(connection: Connection, player: Player) -> Iterator[Awaitable[None]]:
    """Act, one request after the other."""
    for request in player.actions:
        yield _ask(connection, request, 200)


async def _ask(connection: Connection, request: Request, status: int) -> None:
    answer = await connection.ask(request)
    assert answer.status == status, (request, answer)
