"""The history in PostgreSQL: whole commands or nothing, receipts, and positions without gaps."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import psycopg
import pytest
from eventsourcing.persistence import EventStore, IntegrityError

from adapters.appending import recorder as recording
from adapters.appending.batches import Append, Conflict, Replayed, Reused, Stored
from adapters.appending.fingerprints import fingerprint
from adapters.appending.recorder import LedgerRecorder
from adapters.appending.subscription import CHANNEL
from adapters.errors import StoreUnreachableError
from adapters.store.codec import Codec
from adapters.store.postgres import LOCK_APPENDS, Store
from domain.events import FundsDeposited
from domain.stream import Cause, Entry

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def recorder(store_dsn) -> Iterator[LedgerRecorder]:
    """A recorder on an empty history."""
    with Store(store_dsn) as store:
        yield LedgerRecorder(store)


def entry(stream: str, version: int, command_id: str = "c") -> Entry:
    """Return some event of a stream."""
    return Entry(stream, version, FundsDeposited(balance=version), Cause(command_id, "ann", AT))


def append(command_id: str, *places: tuple[str, int], answer: str = "{}", **body: object) -> Append:
    """Return a command that writes to these streams at these versions."""
    given = {"places": [list(place) for place in places], **body}
    entries = [entry(stream, version, command_id) for stream, version in places]
    return Append(command_id, fingerprint("test", given), entries, answer)


def history(recorder: LedgerRecorder) -> list[tuple[int, object, int]]:
    """Return position, stream and version of everything stored."""
    stored = recorder.select_notifications(start=1, limit=1_000_000)
    return [(row.id, row.originator_id, row.originator_version) for row in stored]


# --- appending -------------------------------------------------------------------------


def test_a_command_is_stored_over_several_streams_at_once(recorder):
    """Its events take consecutive positions, from the first."""
    outcomes = recorder.append([append("a", ("hand:1", 1), ("hand:1", 2), ("wallet:ann", 1))])

    assert outcomes == [Stored(1, 3)]
    assert history(recorder) == [(1, "hand:1", 1), (2, "hand:1", 2), (3, "wallet:ann", 1)]


def test_a_conflict_does_not_fail_its_neighbours(recorder):
    """What conflicts is left out and told where its stream is; no position is lost to it."""
    recorder.append([append("before", ("hand:1", 1), ("hand:1", 2))])

    outcomes = recorder.append(
        [
            append("a", ("hand:2", 1)),
            append("late", ("wallet:ann", 1), ("hand:1", 2)),
            append("early", ("hand:1", 5)),
            append("b", ("wallet:ann", 1)),
        ]
    )

    assert outcomes == [
        Stored(3, 3),
        Conflict("hand:1", expected=1, actual=2),
        Conflict("hand:1", expected=4, actual=2),
        Stored(4, 4),
    ]
    assert [position for position, _, _ in history(recorder)] == [1, 2, 3, 4]


def test_a_later_command_may_build_on_an_earlier_one_of_its_batch(recorder):
    """And one that does not know of it conflicts."""
    outcomes = recorder.append(
        [append("a", ("hand:1", 1)), append("b", ("hand:1", 2)), append("c", ("hand:1", 2))]
    )

    assert outcomes == [Stored(1, 1), Stored(2, 2), Conflict("hand:1", expected=1, actual=2)]


def test_the_same_command_gets_the_first_answer_again(recorder):
    """Byte for byte, whether it comes later or in the same batch, and is stored once."""
    answer = '{"balance": 5,  "名": "张三🀄"}'
    first = append("a", ("wallet:ann", 1), answer=answer)

    outcomes = recorder.append([first, first._replace(answer="another")])
    again = recorder.append([first._replace(entries=[entry("wallet:ann", 9, "a")])])

    assert outcomes == [Stored(1, 1), Replayed(1, 1, answer)]
    assert again == [Replayed(1, 1, answer)]
    assert len(history(recorder)) == 1


def test_a_command_that_a_thousand_give_at_once_is_stored_once(recorder):
    """And all others are answered together, not one after another."""
    first = append("a", ("wallet:ann", 1))

    outcomes = recorder.append([first] * 1_000)

    assert outcomes == [Stored(1, 1), *[Replayed(1, 1, "{}")] * 999]


def test_where_nothing_is_stored_nobody_is_told(recorder, store_dsn):
    """A command that is replayed, or conflicts, waits for no disk and wakes nobody."""
    first = append("a", ("wallet:ann", 1))
    recorder.append([first])

    with psycopg.connect(store_dsn, autocommit=True) as listening:
        listening.execute(f"LISTEN {CHANNEL}")
        recorder.append([first, append("b", ("wallet:ann", 1))])
        assert list(listening.notifies(timeout=0.2, stop_after=1)) == []
        recorder.append([append("c", ("wallet:ann", 2))])
        assert len(list(listening.notifies(timeout=10, stop_after=1))) == 1


def test_another_command_under_the_same_id_is_told_what_differs(recorder):
    """The id stays with its first command."""
    first = append("a", ("wallet:ann", 1), amount=5, table={"ante": 5})

    outcomes = recorder.append(
        [
            first,
            append("a", ("wallet:ann", 1), amount=6, table={"ante": 5}),
            append("a", ("wallet:ann", 1), amount=5, table={"ante": 6}),
            append("a", ("wallet:ann", 1), amount=5),
        ]
    )

    assert outcomes == [Stored(1, 1), Reused("amount"), Reused("table.ante"), Reused("table.ante")]


def test_an_empty_batch_is_no_error(recorder):
    """Nothing is asked for and nothing happens."""
    assert recorder.append([]) == []
    assert recorder.max_notification_id() is None


# --- positions -------------------------------------------------------------------------


def test_positions_have_no_gaps_and_a_reader_misses_nothing(recorder, store_dsn):
    """Eight writers, conflicts and rolled back transactions among them, and a reader on the run.

    Whoever has read up to N never sees an event at or before N later.
    """
    rounds, writers = 40, 8
    done = threading.Event()

    def write(writer: int) -> int:
        stored = 0
        with Store(store_dsn, connections_max=1) as store:
            own = LedgerRecorder(store)
            for number in range(rounds):
                batch = [
                    append(f"{writer}-{number}", (f"hand:{writer}", number + 1)),
                    append(f"{writer}-{number}-late", (f"hand:{writer}", number + 1)),
                    append(
                        f"{writer}-{number}-own", *((f"hand:{writer}.{number}", v) for v in (1, 2))
                    ),
                ]
                stored += sum(isinstance(outcome, Stored) for outcome in own.append(batch))
        return stored

    def give_up() -> None:
        with psycopg.connect(store_dsn) as conn:
            while not done.is_set():
                conn.execute(LOCK_APPENDS)
                conn.execute(
                    "INSERT INTO events SELECT max(position) + 1, 'hand:never', 1, 't', 'b', 'c',"
                    " 'a', now(), now(), sha256('') FROM events HAVING max(position) > 0"
                )
                conn.rollback()

    def read() -> list[int]:
        seen: list[int] = []
        with Store(store_dsn, connections_max=1) as store:
            own = LedgerRecorder(store)
            while True:
                last = done.is_set()
                news = own.select_notifications(
                    seen[-1] if seen else 0, 50, inclusive_of_start=False
                )
                seen += [row.id for row in news]
                if last and not news:
                    return seen

    with ThreadPoolExecutor(writers + 2) as threads:
        reader = threads.submit(read)
        giver = threads.submit(give_up)
        try:
            stored = sum(threads.map(write, range(writers)))
        finally:
            done.set()
        giver.result()

        assert stored == writers * rounds * 2
        assert reader.result() == list(range(1, writers * rounds * 3 + 1))
    assert [position for position, _, _ in history(recorder)] == reader.result()


# --- faults ----------------------------------------------------------------------------


def test_a_lost_answer_to_commit_is_found_by_the_receipt(recorder, monkeypatch):
    """The batch is given again; what had been stored is not stored twice."""
    real = recording._append
    lost: list[object] = []

    def append_and_break_off(conn, batch):
        outcomes = real(conn, batch)
        if not lost:
            lost.append(outcomes)
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return outcomes

    monkeypatch.setattr(recording, "_append", append_and_break_off)

    outcomes = recorder.append([append("a", ("hand:1", 1), answer="first")])

    assert lost == [[Stored(1, 1)]]
    assert outcomes == [Replayed(1, 1, "first")]
    assert len(history(recorder)) == 1


@pytest.mark.parametrize("table", ["events", "receipts"])
def test_a_failure_in_the_middle_leaves_nothing(recorder, store_dsn, table):
    """Either all of a batch is stored or none of it, wherever the server fails."""
    recorder.append([append("before", ("hand:1", 1))])
    before = history(recorder)
    batch = [append("a", ("hand:1", 2), ("wallet:ann", 1)), append("b", ("h", 1))]
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS"
            " $$BEGIN RAISE 'power cut'; END$$"
        )
        owner.execute(f"CREATE TRIGGER t AFTER INSERT ON {table} EXECUTE FUNCTION fail()")

        with pytest.raises(psycopg.errors.RaiseException, match="power cut"):
            recorder.append(batch)
        assert history(recorder) == before

        owner.execute("DROP FUNCTION fail CASCADE")
    assert recorder.append(batch) == [Stored(2, 3), Stored(4, 4)]


def test_dead_connections_are_replaced(recorder, store_dsn):
    """A server that went down and came back is not noticed by the next command."""
    recorder.append([append("a", ("hand:1", 1))])
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    assert recorder.append([append("b", ("hand:1", 2))]) == [Stored(2, 2)]


def test_an_unreachable_store_is_told_without_its_password():
    """The error names the place; a DSN that cannot be read is not quoted either."""
    with pytest.raises(StoreUnreachableError, match=r"127\.0\.0\.1/none") as raised:
        Store("postgresql://ann:secret@127.0.0.1:1/none?connect_timeout=1")
    assert "secret" not in str(raised.value)

    with pytest.raises(StoreUnreachableError) as raised:
        Store("password=secret nonsense")
    assert "secret" not in str(raised.value)


# --- as the base library sees it -------------------------------------------------------


def test_the_event_store_of_the_base_library_works_on_it(recorder):
    """It puts and gets entries, and a stream that has moved on is its own integrity error."""
    store = EventStore(Codec(), recorder)
    entries = [entry("wallet:ann", version, "c-1") for version in (1, 2, 3)]

    recordings = store.put(entries)

    assert [recording.notification.id for recording in recordings] == [1, 2, 3]
    assert list(store.get("wallet:ann")) == entries
    assert list(store.get("wallet:ann", gt=1, lte=2)) == entries[1:2]
    assert list(store.get("wallet:ann", desc=True, limit=1)) == entries[2:]
    assert recorder.insert_events([]) == []
    with pytest.raises(IntegrityError, match="wallet:ann"):
        store.put([entry("wallet:ann", 3, "c-2")])


def test_notifications_are_read_by_position_and_topic(recorder):
    """Bounds are inclusive unless told otherwise."""
    recorder.append([append("a", *(("hand:1", version) for version in range(1, 6)))])

    def positions(*args: object, **more: object) -> list[int]:
        return [row.id for row in recorder.select_notifications(*args, **more)]

    assert positions(2, 10) == [2, 3, 4, 5]
    assert positions(2, 2) == [2, 3]
    assert positions(2, 10, 3) == [2, 3]
    assert positions(2, 10, inclusive_of_start=False) == [3, 4, 5]
    assert positions(None, 2) == [1, 2]
    assert positions(1, 10, topics=["wallet.deposited.v1"]) == [1, 2, 3, 4, 5]
    assert positions(1, 10, topics=["hand.opened.v1"]) == []


def test_a_subscription_yields_what_is_there_and_what_comes(recorder):
    """It wakes when something is appended."""
    recorder.append([append("a", ("hand:1", 1), ("hand:1", 2))])

    with recorder.subscribe(gt=1) as subscription:
        assert next(subscription).id == 2
        recorder.append([append("b", ("hand:1", 3))])
        assert next(subscription).id == 3


def test_a_command_that_rests_on_one_left_out_is_left_out_too(recorder):
    """A stream that others have brought to the same version holds other events."""
    recorder.append([append("a", ("hand:1", 1))])
    recorder.append([append("other", ("wallet:ann", 1))])
    again = append("a", ("hand:1", 1))
    next_one = append("b", ("wallet:ann", 2))._replace(rests_on=frozenset({"a"}))
    last = append("c", ("wallet:bo", 1))._replace(rests_on=frozenset({"b"}))

    outcomes = recorder.append([again, next_one, last, append("d", ("wallet:cai", 1))])

    assert outcomes == [
        Replayed(1, 1, "{}"),
        Conflict("wallet:ann", 1, 1),
        Conflict("wallet:bo", 0, 0),
        Stored(3, 3),
    ]


def test_what_is_given_twice_is_left_out_twice(recorder):
    """The command that it rests on was left out, as often as it is given."""
    recorder.append([append("other", ("wallet:ann", 1))])
    late = append("a", ("wallet:ann", 1))
    next_one = append("b", ("wallet:ann", 2))._replace(rests_on=frozenset({"a"}))

    outcomes = recorder.append([late, next_one, next_one])

    assert outcomes == [Conflict("wallet:ann", 0, 1), *[Conflict("wallet:ann", 1, 1)] * 2]
