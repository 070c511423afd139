"""The base library as it comes, on a database of its own: what its faults look like."""

from datetime import UTC, datetime
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def datastore(dsn: str, *, db_functions: bool = False) -> PostgresDatastore:
    """Return the library's connections to a database, watched as an actor where the DSN says so."""
    given = {name: str(value) for name, value in conninfo_to_dict(dsn).items()}
    return PostgresDatastore(
        dbname=given["dbname"],
        host=given.get("host", ""),
        port=given.get("port", "5432"),
        user=given.get("user", "postgres"),
        password=given.get("password", ""),
        pool_size=1,
        max_overflow=5,
        enable_db_functions=db_functions,
    )


def recorder(store: PostgresDatastore) -> PostgresApplicationRecorder:
    """Return the library's recorder, with its table."""
    found = PostgresApplicationRecorder(store, events_table_name="stock_events")
    found.create_table()
    return found


def event(version: int, originator: int = 1) -> StoredEvent:
    """Return some event of a stream."""
    return StoredEvent(UUID(int=originator), version, "topic", b"{}")
