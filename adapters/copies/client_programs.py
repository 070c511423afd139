"""``pg_dump`` and ``pg_restore``: which of the wheel's or the system's fit, and how they are run.

A dump can be read by no older program than the one that wrote it, and SQL that a program from 17
on writes is refused by a server before 17. So the programs of the server's own version come first.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, ClassVar, Final, NamedTuple

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from adapters.errors import AdapterError
from adapters.store.embedded_postgres import binary

# Where distributions keep more than one version side by side.
_PLACES: Final = (
    *("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin"),
    *("/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin"),
)
_VERSION: Final = re.compile(r"\(PostgreSQL\) (\d+)")
_TIMEOUT_S: Final = 30
_SETS_TRANSACTION_TIMEOUT: Final = 17  # the first version that does, in every script


class NoClientProgramError(AdapterError):
    """No ``pg_dump`` or ``pg_restore`` on this machine fits the server."""

    code: ClassVar[str] = "no_client_program"

    def __init__(self, *, name: str, use: str, found: list[int]) -> None:
        there = ", ".join(map(str, sorted(set(found)))) or "none"
        super().__init__(f"no {name} of this machine fits {use}; its versions are: {there}")
        self.name, self.use, self.found = name, use, found


class ClientProgramError(AdapterError):
    """A client program gave up; the reason is its own."""

    code: ClassVar[str] = "client_program_failed"

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.reason = name, reason


class Program(NamedTuple):
    """A client program and its major version."""

    path: Path
    version: int


def for_dump(server: int) -> Program:
    """Return the ``pg_dump`` for a server of a major version.

    Raises:
        NoClientProgramError: All there are are older than the server.
    """
    return _best("pg_dump", f"PostgreSQL {server}", lambda version: version >= server)


def for_restore(server: int, *, written_by: int) -> Program:
    """Return the ``pg_restore`` for a server, and for a dump that a ``pg_dump`` has written.

    Raises:
        NoClientProgramError: None can read the dump and be understood by the server.
    """

    def fits(version: int) -> bool:
        understood = version == server or (version < _SETS_TRANSACTION_TIMEOUT) == (
            server < _SETS_TRANSACTION_TIMEOUT
        )
        return understood and version >= max(written_by, server)

    use = f"PostgreSQL {server} and a dump of version {written_by}"
    return _best("pg_restore", use, fits)


@contextmanager
def running(program: Program, dsn: str, *words: str) -> Iterator[None]:
    """Run a program beside what is done meanwhile, and wait for it; or end it, where that fails.

    Raises:
        ClientProgramError: It gave up.
    """
    with tempfile.TemporaryFile() as said, _without_password(dsn) as conninfo:
        command = [str(program.path), *words, f"--dbname={conninfo}", "--no-password"]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            yield
            status = process.wait()
        finally:
            process.kill()
            process.wait()
        if status != 0:
            raise ClientProgramError(name=program.path.name, reason=_complaint(said))


@contextmanager
def _without_password(dsn: str) -> Iterator[str]:
    """Lend a DSN for all to see in the list of processes: its password is in a file."""
    given = conninfo_to_dict(dsn)
    password = given.pop("password", None)
    if password is None:
        yield dsn
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as passfile:  # readable by us alone
        passfile.write("*:*:*:*:" + re.sub(r"([\\:])", r"\\\1", str(password)) + "\n")
        passfile.flush()
        yield make_conninfo("", **given | {"passfile": passfile.name})


def _complaint(said: IO[bytes]) -> str:
    """Return what went wrong first, in the program's own words."""
    said.seek(0)
    lines = said.read().decode(errors="replace").strip().splitlines()
    errors = [line for line in lines if "error:" in line] or lines or ["it was killed"]
    return errors[0]


def _best(name: str, use: str, fits: Callable[[int], bool]) -> Program:
    """Return the fitting program of the lowest version: where there is one, the server's own."""
    found = list(_installed(name))
    fitting = [program for program in found if fits(program.version)]
    if not fitting:
        raise NoClientProgramError(name=name, use=use, found=[p.version for p in found])
    return min(fitting, key=lambda program: program.version)  # the wheel's among equals


def _installed(name: str) -> Iterator[Program]:
    """Yield what is there, the wheel's first."""
    for path in _paths(name):
        try:
            said = subprocess.run(
                [path, "--version"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=True
            ).stdout
        except (OSError, subprocess.SubprocessError):
            continue
        match = _VERSION.search(said)
        if match:
            yield Program(path, int(match[1]))


def _paths(name: str) -> Iterator[Path]:
    yield binary(name)
    for place in _PLACES:
        yield from sorted(Path("/").glob(f"{place[1:]}/{name}"))
    on_path = shutil.which(name)
    if on_path is not None:
        yield Path(on_path)
