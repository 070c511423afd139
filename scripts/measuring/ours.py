"""Our ledger's side: its public commands, and nothing that a user could not call."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import psycopg
import uvloop

from adapters.async_ledger import AsyncLedger
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector
from domain.zhajinhua.play import Action
from scripts.measuring.material import Material
from scripts.measuring.timing import Window, at_once, timed, together

PURSE: Final = 10**13
"""What every player of a table has, minor units: enough for any number of hands."""

ACTOR: Final = "bench"

Table = Sequence[tuple[str, list[Action]]]
"""Hands that are open, each with what is to be done in it."""

Chosen = Sequence[tuple[dict[str, Any], list[Action]]]
"""Hands to be opened, each as a record, and what is to be done in it."""


class Tables:
    """Hands of a ledger, opened before the clock starts, and played one action an append."""

    def __init__(self, ledger: Ledger, material: Material) -> None:
        self.ledger = ledger
        self._material = material
        self._rich: set[str] = set()
        self._per_s: dict[int, float] = {}  # by the number of writers, as the last window was

    def window(self, writers: int, seconds: float) -> Window:
        """Let writers act at once, each at tables of its own, and count what was taken."""
        tables = self._open(writers, seconds)
        window = together([acting(self.ledger, table) for table in tables], seconds)
        self._per_s[writers] = max(window.rate, 50.0)
        return window

    def window_async(self, writers: int, seconds: float) -> Window:
        """Let coroutines of one event loop act at once, each at tables of its own."""
        tables = self._open(writers, seconds)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            window = runner.run(_all_at_once(self.ledger, tables, seconds))
        self._per_s[writers] = max(window.rate, 50.0)
        return window

    def _open(self, writers: int, seconds: float) -> list[Table]:
        """Open as many hands as will be played in that time, and some more."""
        chosen = self._choose(writers, seconds)
        with ThreadPoolExecutor(writers) as pool:
            list(pool.map(self._open_all, chosen))
        return [[(record["hand"], actions) for record, actions in table] for table in chosen]

    def _choose(self, writers: int, seconds: float) -> list[Chosen]:
        """Return these hands, by writer."""
        actions = self._per_s.get(writers, 500.0) * seconds * 1.4 / writers
        each = int(actions / self._material.actions_per_hand) + 2
        return [self._next(each, writer) for writer in range(writers)]

    def _next(self, count: int, writer: int) -> Chosen:
        # A hand that is over as it opens has no action to be taken.
        return [(r, actions) for r, actions in self._material.next(count, f"w{writer}-") if actions]

    def _open_all(self, table: Chosen) -> None:
        for record, _ in table:
            self._fund_all(record)
            open_hand(self.ledger, record)

    def _fund_all(self, record: Mapping[str, Any]) -> None:
        for seat in record["seats"]:
            self._fund(seat["player"])

    def _fund(self, player: str) -> None:
        if player not in self._rich:
            self._rich.add(player)
            self.ledger.deposit(player, PURSE, command_id=f"fund:{player}", actor=ACTOR)

    def whole(self, count: int) -> Window:
        """Play whole hands from one caller: one command opens each, one takes all its actions."""
        chosen = [(r, a) for r, a in self._material.next(count, "w0-") if a]
        for record, _ in chosen:
            self._fund_all(record)

        def work() -> int:
            for record, actions in chosen:
                open_hand(self.ledger, record)
                self.ledger.act_many(
                    record["hand"], actions, command_id=f"all:{record['hand']}", actor=ACTOR
                )
            return len(chosen)

        return timed(work)


def open_hand(ledger: Ledger, record: Mapping[str, Any]) -> None:
    """Open the hand of a record."""
    ledger.open_hand(
        record["hand"],
        record["rulebook"],
        table=record["table"],
        dealer=record["dealer"],
        opener=record.get("opener"),
        seats=record["seats"],
        deal={int(seat): cards for seat, cards in record["deal"].items()},
        draws={int(seat): amount for seat, amount in record.get("bonus_draws", {}).items()},
        command_id=f"open:{record['hand']}",
        actor=ACTOR,
    )


def acting(ledger: Ledger, table: Table) -> Iterator[None]:
    """Take one action after another."""
    for hand, actions in table:
        for at, action in enumerate(actions):
            ledger.act(hand, action, command_id=f"{hand}:{at}", actor=ACTOR)
            yield


async def _all_at_once(ledger: Ledger, tables: Sequence[Table], seconds: float) -> Window:
    """Let a coroutine a table act until the time is over or one of them is through."""
    acting_ledger = AsyncLedger(ledger)

    def actions(table: Table) -> Iterator[Awaitable[object]]:
        for hand, actions in table:
            for at, action in enumerate(actions):
                yield acting_ledger.act(hand, action, command_id=f"{hand}:{at}", actor=ACTOR)

    window = await at_once([actions(table) for table in tables], seconds)
    await acting_ledger.leave()
    return window


def importing(ledger: Ledger, lines: Sequence[str]) -> Window:
    """Import finished hands, in batches as an import makes them."""
    events = 0

    def work() -> int:
        nonlocal events
        report = ledger.import_hands(lines)
        assert not report.refused, report.refused
        events = report.events
        return report.hands

    return timed(work)._replace(events=events)


def verifying(ledger: Ledger, hands: int, events: int) -> Window:
    """Verify the whole history: every hand, every wallet, every link, and the order of it all."""

    def work() -> int:
        found = deque(ledger.verify(), maxlen=1)
        assert not found, found
        return hands

    return timed(work, events)


def copying_out(dsn: str, events: int) -> Window:
    """Read every event as fast as the server gives it, and look at nothing."""
    with psycopg.connect(dsn, autocommit=True) as conn:

        def work() -> int:
            with conn.cursor().copy("COPY events TO STDOUT") as out:
                return sum(1 for _ in out)

        return timed(work, events)


def projecting(dsn: str, events: int, names: Collection[str] | None = None) -> Window:
    """Let the projector catch up from the first event.

    Args:
        dsn: Of a database whose read models have taken in nothing.
        events: How many events are stored.
        names: Of read models; all of them if not given.
    """
    with Store(dsn, role=ROLE) as store:
        projector = Projector(store)
        window = timed(lambda: len(projector.catch_up(names)), events)
        assert not projector.parked(), projector.parked()
    return window._replace(done=events)


def unchain(dsn: str) -> None:
    """Let a store give every event one and the same link, and hash nothing; the column stays.

    What is stored from then on does not verify. Nothing of the ledger can be told to do this.
    """
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("""
            CREATE OR REPLACE FUNCTION event_link(
                previous bytea, recorded_at timestamptz, happened_at timestamptz,
                originator_version integer, originator_id text, topic text, command_id text,
                actor text, body text
            ) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE RETURN previous
        """)
