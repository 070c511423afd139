"""The base library as its documentation shows it: an application, an aggregate, a projection.

Everything is its default: UUIDs, the JSON transcoder, PostgresApplicationRecorder, a pool of five
connections and ten more, one-row tracking, no snapshots, no cache. Its database functions, off by
default, stay off: with them its readers miss events (tests/faults/test_base_library.py).
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatchmethod
from threading import Event
from typing import Any, ClassVar
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import InfrastructureFactory, Tracking
from eventsourcing.postgres import (
    PostgresApplicationRecorder,
    PostgresDatastore,
    PostgresTrackingRecorder,
)
from eventsourcing.projection import Projection, ProjectionRunner
from eventsourcing.utils import Environment, get_topic
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from scripts.measuring.material import Fact, Stored
from scripts.measuring.timing import Window, timed

PROJECTING_S_MAX = 600.0


class StockStream(Aggregate):
    """A bare aggregate: keeps what it is told, counts it, and asks nothing."""

    @event("Begun")
    def __init__(self, topic: str, body: dict[str, Any]) -> None:
        """Begin with a first fact."""
        del body
        self.last, self.facts = topic, 1

    @event("Moved")
    def move(self, topic: str, body: dict[str, Any]) -> None:
        """Keep a fact that moves chips."""
        del body
        self.last, self.facts = topic, self.facts + 1

    @event("Happened")
    def happen(self, topic: str, body: dict[str, Any]) -> None:
        """Keep a fact that moves none."""
        del body
        self.last, self.facts = topic, self.facts + 1


class StockLedger(Application[UUID]):
    """The application: the library's own, with nothing added."""

    def load(self, hands: Iterable[Stored]) -> tuple[list[UUID], int]:
        """Store hands with their wallets.

        Returns:
            The hands' ids, and the notification id of the last event that moves chips.
        """
        streams: dict[str, StockStream] = {}
        found, last = [], 0
        for hand in hands:
            for recording in self.save(*told(hand.facts, streams)):
                if "transfers" in getattr(recording.domain_event, "body", ()):
                    last = recording.notification.id
            found.append(streams[hand.of_hand[0].stream].id)
        return found, last

    def settle_down(self) -> None:
        """Let the server plan with what is there, as it may for ours."""
        assert isinstance(self.recorder, PostgresApplicationRecorder), self.recorder
        with self.recorder.datastore.get_connection() as conn:
            conn.execute("VACUUM (ANALYZE)")


def environment(dsn: str) -> dict[str, str]:
    """Return the library's configuration for a database."""
    given = {name: str(value) for name, value in conninfo_to_dict(dsn).items()}
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": given["dbname"],
        "POSTGRES_HOST": given.get("host", "localhost"),
        "POSTGRES_PORT": given.get("port", "5432"),
        "POSTGRES_USER": given.get("user", "postgres"),
        "POSTGRES_PASSWORD": given.get("password", ""),
    }


def told(facts: Iterable[Fact], streams: dict[str, StockStream]) -> list[StockStream]:
    """Tell aggregates what happened; return those that were told something, to be saved."""
    touched: dict[str, StockStream] = {}
    for fact in facts:
        touched[fact.stream] = tell(streams, fact)
    return list(touched.values())


def tell(streams: dict[str, StockStream], fact: Fact) -> StockStream:
    """Tell one aggregate one fact."""
    body, stream = fact.body, streams.get(fact.stream)
    if stream is None:
        stream = streams[fact.stream] = StockStream(fact.topic, body)
    elif "transfers" in body:
        stream.move(fact.topic, body)
    else:
        stream.happen(fact.topic, body)
    return stream


def saving(app: StockLedger, facts: Sequence[Fact]) -> Iterator[None]:
    """Save facts, one event a save, for ever: an aggregate for each hand, kept in memory."""
    while True:
        streams: dict[str, StockStream] = {}
        for fact in facts:
            app.save(tell(streams, fact))
            yield


def saving_hands(app: StockLedger, hands: Sequence[Stored]) -> Window:
    """Save finished hands, each with its wallets in one save."""
    streams: dict[str, StockStream] = {}

    def work() -> int:
        for hand in hands:
            app.save(*told(hand.facts, streams))
        return len(hands)

    return timed(work, sum(len(hand.facts) for hand in hands))


def getting(app: StockLedger, ids: Sequence[UUID], events: int) -> Window:
    """Rebuild hands from their events, one after another."""

    def work() -> int:
        for one in ids:
            app.repository.get(one)
        return len(ids)

    return timed(work, events)


# --- a view that keeps balances ----------------------------------------------------------


class StockBalances(PostgresTrackingRecorder):
    """Balances beside the tracking record, written in one transaction, as the library shows it."""

    def __init__(self, datastore: PostgresDatastore, **named: Any) -> None:  # noqa: ANN401
        super().__init__(datastore, **named)
        self.table = self.tracking_table_name.replace("_tracking", "_view")
        self.check_identifier_length(self.table)
        place = Identifier(self.datastore.schema), Identifier(self.table)
        self.sql_create_statements.append(
            SQL(
                "CREATE TABLE IF NOT EXISTS {}.{} (account text PRIMARY KEY, balance numeric)"
            ).format(*place)
        )
        # One statement an event, however many accounts it moves chips between.
        self._post = SQL(
            "INSERT INTO {0}.{1} AS kept SELECT * FROM unnest(%s::text[], %s::numeric[])"
            " ON CONFLICT (account) DO UPDATE SET balance = kept.balance + excluded.balance"
        ).format(*place)

    def post(self, changes: Mapping[str, int], tracking: Tracking) -> None:
        """Change balances, and record how far this has come."""
        with self.datastore.transaction(commit=True) as cursor:
            if changes:
                values = [list(changes), list(changes.values())]
                cursor.execute(self._post, values, prepare=True)
            self._insert_tracking(cursor, tracking)


class StockBalancesProjection(Projection[StockBalances]):
    """Takes in what moves chips; the library leaves the other topics in the database."""

    name = "stockbalances"
    topics = tuple(f"{get_topic(StockStream)}.{name}" for name in ("Begun", "Moved"))
    last: ClassVar[int] = 0
    reached: ClassVar[Event] = Event()

    @singledispatchmethod
    def process_event(self, domain_event: Any, tracking: Tracking) -> None:  # noqa: ANN401
        """Take in one event."""
        changes: dict[str, int] = {}
        for source, target, amount, _ in domain_event.body.get("transfers", ()):
            changes[source] = changes.get(source, 0) - amount
            changes[target] = changes.get(target, 0) + amount
        self.view.post(changes, tracking)
        if tracking.notification_id >= self.last:
            self.reached.set()


def projecting(dsn: str, last: int, events: int) -> Window:
    """Let a runner catch up with everything that is stored; its tables are there already.

    Args:
        dsn: Of a database that holds events, and no projection.
        last: The notification id of the last event that moves chips.
        events: How many events are stored.
    """
    env = environment(dsn)
    factory = InfrastructureFactory[PostgresTrackingRecorder].construct(
        Environment(StockBalancesProjection.name, env)
    )
    factory.tracking_recorder(StockBalances)
    factory.close()
    StockBalancesProjection.last = last
    StockBalancesProjection.reached.clear()
    cpu, started = time.process_time(), time.perf_counter()
    with ProjectionRunner(
        application_class=StockLedger,
        projection_class=StockBalancesProjection,
        view_class=StockBalances,
        env=env,
    ) as runner:
        reached = StockBalancesProjection.reached.wait(PROJECTING_S_MAX)
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
        if not reached:
            runner.run_forever(0)  # raises what stopped it, if anything did
            raise TimeoutError(f"the library's runner took more than {PROJECTING_S_MAX} s")
    return Window(events, seconds, events=events, cpu=cpu)
