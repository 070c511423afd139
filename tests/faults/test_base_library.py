"""Three faults of the base library, as it shows them and as the ledger does not have them.

The first half of each pair runs the library as it comes; should an update mend it, that half fails
and says so. The other half holds the ledger to the promise.
"""

import ast
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from eventsourcing.cryptography import AESCipher
from eventsourcing.domain import DomainEvent
from eventsourcing.persistence import DatetimeAsISO, IntegrityError, JSONTranscoder, Mapper
from eventsourcing.utils import Environment
from psycopg.conninfo import make_conninfo

import adapters
import domain
import projections
from adapters.ledger import Ledger
from adapters.store.codec import Codec
from adapters.store.postgres import Store
from tests.adapters.play import balance
from tests.faults.proxy import Proxy, answer, answer_to
from tests.faults.schedule import PATIENCE_S
from tests.faults.statements import APPEND
from tests.faults.stock import AT, datastore, event, recorder

PACKAGES = [Path(str(package.__file__)).parent for package in (adapters, domain, projections)]


def imported() -> Iterator[tuple[Path, str]]:
    """Yield every name that our packages import, with its module."""
    for package in PACKAGES:
        for path in package.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    yield from ((path, alias.name) for alias in node.names)
                if isinstance(node, ast.ImportFrom):
                    yield from ((path, f"{node.module}.{alias.name}") for alias in node.names)


# --- 1: database functions insert without the lock -------------------------------------


def passed_by(dsn: str, *, db_functions: bool) -> bool:
    """Tell whether a forward reader passes an event by that is committed a little late."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        # A commit that takes its time: the first event's waits here until the second is read.
        owner.execute(
            "CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
            " $$BEGIN IF NEW.originator_id::text LIKE '%1' THEN"
            " PERFORM pg_advisory_xact_lock(7); END IF; RETURN NULL; END$$"
        )
        store = datastore(dsn, db_functions=db_functions)
        try:
            stock = recorder(store)
            owner.execute(
                "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON stock_events"
                " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()"
            )
            owner.execute("SELECT pg_advisory_lock(7)")
            late = threading.Thread(target=stock.insert_events, args=([event(1, 1)],))
            late.start()
            _until(owner, "SELECT count(*) FROM pg_locks WHERE NOT granted", 1)
            other = threading.Thread(target=stock.insert_events, args=([event(1, 2)],))
            other.start()
            other.join(2)  # with the lock it waits for the late one
            seen = [row.id for row in stock.select_notifications(start=None, limit=10)]
            owner.execute("SELECT pg_advisory_unlock(7)")
            late.join(PATIENCE_S)
            other.join(PATIENCE_S)
            start = seen[-1] if seen else None
            seen += [
                row.id for row in stock.select_notifications(start, 10, inclusive_of_start=not seen)
            ]
        finally:
            store.close()
    return len(seen) < 2


def _until(owner: psycopg.Connection, query: str, expected: int) -> None:
    for _ in range(10_000):
        if owner.execute(query).fetchone() == (expected,):
            return
    raise AssertionError(query)


def test_database_functions_let_a_reader_pass_an_event_by(database):
    """The library's POSTGRES_ENABLE_DB_FUNCTIONS inserts without the lock."""
    assert passed_by(database, db_functions=True)


def test_without_them_it_does_not(database):
    """So it is that switch."""
    assert not passed_by(database, db_functions=False)


def test_the_ledger_never_uses_them():
    """Its recorder is its own: the library's for PostgreSQL is imported nowhere."""
    used = {name for _, name in imported() if name.startswith("eventsourcing")}

    assert "eventsourcing.persistence.ApplicationRecorder" in used
    assert not [name for name in used if name.startswith("eventsourcing.postgres")]
    assert not [name for name in used if name.startswith("eventsourcing.application")]


@pytest.mark.parametrize("name", ["POSTGRES_ENABLE_DB_FUNCTIONS", "PERSISTENCE_MODULE"])
def test_no_variable_of_the_library_changes_anything(monkeypatch, ledger, name):
    """Whatever its environment says."""
    monkeypatch.setenv(name, "y")

    assert ledger.deposit("ann", 5, command_id="d").status == "applied"


# --- 2: a lost answer to COMMIT --------------------------------------------------------


def test_the_library_raises_integrity_error_though_it_has_stored(database):
    """It retries, meets its own row, and takes it for somebody else's."""
    with Proxy(database) as proxy:
        store = datastore(make_conninfo(proxy.dsn))
        try:
            stock = recorder(store)
            stock.insert_events([event(1)])
            proxy.next(answer("COMMIT"))

            with pytest.raises(IntegrityError):
                stock.insert_events([event(2)])
            assert [row.id for row in stock.select_notifications(None, 10)] == [1, 2]
        finally:
            store.close()


def test_the_ledger_gives_the_answer(store_dsn, ledger):
    """It finds its receipt."""
    with Proxy(store_dsn) as proxy, Ledger(Store(proxy.dsn)) as far:
        far.deposit("ann", 1, command_id="c-1")
        proxy.next(answer_to(APPEND))

        assert far.deposit("ann", 2, command_id="c-2").answer["balance"] == 3
    assert proxy.happened == 1
    assert balance(ledger, "ann") == 3


def test_burnt_numbers_are_the_library_s_own(database):
    """So our own test can fail: 100 conflicts, and its next event is a hundred further on."""
    store = datastore(database)
    try:
        stock = recorder(store)
        stock.insert_events([event(1)])
        for _ in range(100):
            with pytest.raises(IntegrityError):
                stock.insert_events([event(1)])
        stock.insert_events([event(2)])

        assert [row.id for row in stock.select_notifications(None, 10)] == [1, 102]
    finally:
        store.close()


# --- 3: a cipher that binds nothing ----------------------------------------------------


@dataclass(frozen=True)
class Dealt(DomainEvent):
    """An event of a program on the library as it comes."""

    cards: str


def test_the_library_s_cipher_ties_nothing_to_its_event():
    """What was enciphered for one event is read as another's, and nobody notices."""
    key = AESCipher.create_key(32)
    transcoder = JSONTranscoder()
    transcoder.register(DatetimeAsISO())
    mapper = Mapper[UUID](transcoder, cipher=AESCipher(Environment(env={"CIPHER_KEY": key})))
    ann, bob = (
        mapper.to_stored_event(Dealt(UUID(int=number), 1, AT, cards))
        for number, cards in ((1, "AsAdAh"), (2, "2c4d7h"))
    )

    swapped = mapper.to_domain_event(replace(ann, state=bob.state))

    assert swapped == Dealt(UUID(int=1), 1, AT, "2c4d7h")


def test_the_ledger_never_uses_it():
    """Neither the library's ciphers nor its place for one."""
    used = [name for _, name in imported() if name.startswith("eventsourcing")]

    assert not [name for name in used if "cipher" in name.lower() or "crypto" in name.lower()]
    assert Codec().cipher is None
