"""The composition root: from the configuration to a ledger that works."""

import psycopg

from adapters.build import build_of
from adapters.errors import StoreNotMigratedError, StoreUnreachableError
from adapters.ledger import Ledger
from adapters.settings import Settings
from adapters.store.embedded_postgres import ensure_running
from adapters.store.migrations import migrate, pending
from adapters.store.postgres import CONNECT_TIMEOUT_S, Store, place
from adapters.store.sealing import CardKeys


def owner_dsn(settings: Settings) -> str:
    """Return the URI of the store for its owner; the embedded server is started if need be.

    Raises:
        StoreUnreachableError: The embedded server cannot be started.
    """
    return settings.dsn or ensure_running(settings.data_dir)


def prepare_store(settings: Settings) -> str:
    """Return the store's URI once its shape is what this program knows.

    The embedded server is migrated on the way. A configured one is its owner's to migrate.

    Raises:
        StoreUnreachableError: It cannot be started or reached.
        StoreNotMigratedError: A configured store lacks migrations.
        MigrationError: The migrations do not fit together.
    """
    dsn = owner_dsn(settings)
    where = place(dsn)
    try:
        with psycopg.connect(dsn, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as conn:
            if settings.dsn is None:
                migrate(conn)
            elif waiting := pending(conn):
                raise StoreNotMigratedError(pending=waiting)
    except psycopg.OperationalError as error:
        raise StoreUnreachableError(where=where, reason=str(error).strip()) from error
    return dsn


def open_ledger(settings: Settings | None = None) -> Ledger:
    """Return the ledger of the configured store, to be closed: it is a context manager.

    Raises:
        StoreUnreachableError: The store cannot be started or reached.
        MigrationError: Its shape is not what this program knows.
    """
    settings = settings or Settings()
    cards, build = CardKeys(settings.card_keys), build_of(settings.build)
    return Ledger(Store(prepare_store(settings), cards=cards, build=build))
