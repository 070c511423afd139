"""Connections to PostgreSQL in the application's role, and the lock that gives events their order.

Events get their positions under one lock that is held until they are committed. So positions have
no gaps, and their order is the order of commits: nobody ever sees an event before another that
comes earlier.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, Protocol, Self, TypeVar

import psycopg
from psycopg import Connection, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolTimeout

from adapters.build import Build, build_of
from adapters.errors import StoreUnreachableError
from adapters.store.sealing import NO_KEYS, CardKeys

T = TypeVar("T")

CONNECT_TIMEOUT_S: Final = 10
REWRITE_TIMEOUT_S: Final = 5
# A writer that is stopped between two statements would hold everybody else up.
IDLE_IN_TRANSACTION_TIMEOUT_S: Final = 60

# Any constant will do, so long as it never changes: "events" in ASCII; also in sql/0020_append.sql.
LOCK_APPENDS: Final = f"SELECT pg_advisory_xact_lock({int.from_bytes(b'events')})"
"""Keeps others from appending until the transaction ends."""

SNAPSHOT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
"""First in a transaction: all of it sees one moment."""


class Conn(Connection[TupleRow]):
    """A connection to a store, with the keys to the cards that come over it."""

    cards: CardKeys = NO_KEYS


class Runner(Protocol):
    """Where work on a connection can be done."""

    @property
    def cards(self) -> CardKeys:
        """The keys to the cards of the store."""
        ...

    def run(self, work: Callable[[Conn], T]) -> T:
        """Do it."""
        ...


class Store:
    """A PostgreSQL and a few connections to it, all in the role that the application may have."""

    def __init__(
        self,
        dsn: str,
        *,
        role: str = "jinhua_writer",
        connections_max: int = 4,
        cards: CardKeys = NO_KEYS,
        build: Build | None = None,
    ) -> None:
        """Connect at once, so that a store that cannot be reached is told apart from a slow one.

        Args:
            dsn: Of whoever may take the role on.
            role: What the connections may do.
            connections_max: How many there may be.
            cards: The keys that seal and open the cards in it.
            build: What receipts say carried their commands out; None is the bare version.

        Raises:
            StoreUnreachableError: No connection can be made, or it may not take the role on.
        """
        self._role = role
        self.cards = cards
        self._build = build or build_of()
        self._dsn = dsn
        self.where = place(dsn)
        self.connect().close()  # the pool would try for ten seconds, and not say why
        self._pool = ConnectionPool(
            dsn,
            connection_class=Conn,
            min_size=1,
            max_size=connections_max,
            kwargs={"autocommit": True, "connect_timeout": CONNECT_TIMEOUT_S},
            configure=self._configure,
            timeout=CONNECT_TIMEOUT_S,
            open=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections up."""
        self._pool.close()

    def exported(self, conn: Conn, idle_s: int = 0) -> "Moment":
        """Return the moment that a transaction sees, for other processes to see while it lasts.

        Args:
            conn: In that transaction.
            idle_s: How long one of them may be idle in it before the server ends it; 0 is for ever.
        """
        ((name,),) = conn.execute("SELECT pg_export_snapshot()").fetchall()
        return Moment(self._dsn, self._role, self.cards, name, idle_s)

    def connect(self) -> Conn:
        """Return a connection beside those of the pool; it is to be closed.

        Raises:
            StoreUnreachableError: None can be made, or it may not take the role on.
        """
        try:
            conn = Conn.connect(self._dsn, connect_timeout=CONNECT_TIMEOUT_S, autocommit=True)
            try:
                self._configure(conn)
            except psycopg.Error:
                conn.close()
                raise
        except psycopg.Error as error:
            raise StoreUnreachableError(where=self.where, reason=str(error).strip()) from error
        return conn

    def another(self, *, connections_max: int) -> "Store":
        """Return the same store on connections of its own; it is to be closed."""
        return Store(
            self._dsn,
            role=self._role,
            connections_max=connections_max,
            cards=self.cards,
            build=self._build,
        )

    def elsewhere(self) -> "Elsewhere":
        """Return what another process can open the same store with."""
        return Elsewhere(self._dsn, self._role, self.cards, self._build)

    @property
    def lent(self) -> int:
        """How many connections are in use."""
        stats = self._pool.get_stats()
        return stats["pool_size"] - stats["pool_available"]

    @contextmanager
    def connection(self) -> Iterator[Conn]:
        """Lend a connection; no transaction is open on it.

        Raises:
            StoreUnreachableError: There is none, or it broke off.
        """
        try:
            with self._pool.connection() as conn:
                yield conn
        except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
            raise StoreUnreachableError(where=self.where, reason=str(error).strip()) from error

    def run(self, work: Callable[[Conn], T]) -> T:
        """Do work that may be done twice: once more where the connection was a dead one.

        Raises:
            StoreUnreachableError: It broke off again.
        """
        try:
            with self.connection() as conn:
                return work(conn)
        except StoreUnreachableError:
            self._pool.check()  # whatever else is dead goes too
            with self.connection() as conn:
                return work(conn)

    @contextmanager
    def alone(self) -> Iterator[Runner]:
        """Keep others from appending, do what is done meanwhile, and commit it all at the end.

        Raises:
            StoreUnreachableError: Whether it was committed is not known.
        """
        with self.connection() as conn, conn.transaction():
            conn.execute(LOCK_APPENDS)
            yield Held(conn)

    @contextmanager
    def snapshot(self) -> Iterator[Runner]:
        """Lend one moment of the store: whatever is read in it, however long that takes.

        Raises:
            StoreUnreachableError: The connection broke off.
        """
        with self.connection() as conn, snapshot(conn):
            yield Held(conn)

    def write_anew(self, table: str) -> None:
        """Let the owner write a table anew, so that its file keeps nothing of deleted rows.

        As far as that is possible: whoever connects need not be the owner, and somebody may be
        reading for long.
        """
        with (
            suppress(psycopg.Error),
            psycopg.connect(self._dsn, connect_timeout=CONNECT_TIMEOUT_S, autocommit=True) as conn,
        ):
            conn.execute(f"SET lock_timeout = '{REWRITE_TIMEOUT_S}s'")
            conn.execute(sql.SQL("VACUUM (FULL) {}").format(sql.Identifier(table)))

    def _configure(self, conn: Conn) -> None:
        _configure(conn, self._role, self.cards)
        conn.execute("SELECT set_config('jinhua.build', %s, false)", [self._build])


@dataclass(frozen=True)
class Elsewhere:
    """A store as it is sent to another process, password, keys and all.

    Whoever prints it, or logs it, prints no secret.
    """

    dsn: str = field(repr=False)
    role: str
    cards: CardKeys = field(repr=False)
    build: Build

    def opened(self) -> Store:
        """Return it on connections of its own; it is to be closed.

        Raises:
            StoreUnreachableError: No connection can be made, or it may not take the role on.
        """
        return Store(self.dsn, role=self.role, cards=self.cards, build=self.build)


@dataclass(frozen=True)
class Moment:
    """One moment of a store as it is sent to another process, password, keys and all.

    It is good for as long as the transaction that exported it is open. Whoever prints it, or logs
    it, prints no secret.
    """

    dsn: str = field(repr=False)
    role: str
    cards: CardKeys = field(repr=False)
    name: str
    idle_s: int

    @contextmanager
    def opened(self) -> Iterator[Conn]:
        """Lend a connection of its own that sees it.

        Raises:
            StoreUnreachableError: There is none, or the moment is not to be seen there.
        """
        try:
            with Conn.connect(self.dsn, connect_timeout=CONNECT_TIMEOUT_S, autocommit=True) as conn:
                _configure(conn, self.role, self.cards)
                with snapshot(conn, self.name, idle_s=self.idle_s):
                    yield conn
        except psycopg.Error as error:
            where, reason = place(self.dsn), str(error).strip()
            raise StoreUnreachableError(where=where, reason=reason) from error


def _configure(conn: Conn, role: str, cards: CardKeys) -> None:
    conn.cards = cards
    conn.execute(f"""
        SET ROLE {role};
        SET idle_in_transaction_session_timeout = '{IDLE_IN_TRANSACTION_TIMEOUT_S}s';
        -- Whoever waited for the lock has to see what was committed meanwhile.
        SET default_transaction_isolation = 'read committed';
        -- What is asked here takes less time than to compile it.
        SET jit = off
    """)


@contextmanager
def snapshot(conn: Conn, exported: str | None = None, *, idle_s: int = 0) -> Iterator[None]:
    """Let a connection see one moment, for however long it takes; or one that another exported."""
    with conn.transaction():
        conn.execute(SNAPSHOT)
        if exported is not None:
            conn.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(exported))
        conn.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{idle_s}s'")
        yield


class Held:
    """One connection in one transaction."""

    def __init__(self, conn: Conn) -> None:
        self._conn = conn
        self.cards = conn.cards

    def run(self, work: Callable[[Conn], T]) -> T:
        """Do work in that transaction."""
        return work(self._conn)


def place(dsn: str) -> str:
    """Return which store a DSN leads to, without its password."""
    try:
        given = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        # Its text may hold the password.
        raise StoreUnreachableError(where="JINHUA_DSN", reason="it is no DSN") from None
    return f"{given.get('host', '')}/{given.get('dbname', '')}"
