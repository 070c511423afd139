"""Other event stores on PostgreSQL, with one event an append and 16 callers at once, as ours.

They are not part of this project: what they are is taken from npm when it is asked for, or from a
directory into which somebody has installed them::

    npm install --prefix DIR @eventide/message-db @event-driven-io/emmett-postgresql

Neither knows a rule, a receipt or a chain. Whatever cannot be had is told, with the reason.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from scripts.measuring import ours
from scripts.measuring.material import Fact, Material, stored
from scripts.measuring.pairs import WRITERS, Measured, Scale, lent_ledger, turns
from scripts.measuring.servers import scratch
from scripts.measuring.timing import (
    Side,
    Tell,
    Window,
    described,
    ratio,
    together,
)

PACKAGES: Final = ("@eventide/message-db", "@event-driven-io/emmett-postgresql")
INSTALL_S_MAX: Final = 300.0
NODE_S_MAX: Final = 120.0  # beyond the window itself

# In the order of its own install.sh. Its role and its grants are for others than the owner, and
# its one extension is for a function that PostgreSQL has had of its own since version 13.
_FIRST: Final = ("schema/message-store.sql", "tables/messages.sql", "types/message.sql")
_LAST: Final = (
    "indexes/messages-id.sql",
    "indexes/messages-stream.sql",
    "indexes/messages-category.sql",
)
_WRITE: Final = "SELECT write_message(%s, %s, %s, %s, NULL, %s)"

_runs: Final = count()


class UnavailableError(Exception):
    """A store cannot be had here."""


def measure(dsn: str, scale: Scale, directory: Path | None, tell: Tell) -> Measured:
    """Let ours and theirs take turns.

    Args:
        dsn: Of the server.
        scale: Of the windows and rounds.
        directory: Where the others are installed; None: install them for now.
        tell: Told how it goes.
    """
    material = Material(scale.distinct)
    facts = [f for hand in stored(material.records[:50]) for f in hand.of_hand]
    missing: dict[str, str] = {}
    with ExitStack() as stack:
        tables = ours.Tables(stack.enter_context(lent_ledger(dsn)), material)
        sides: dict[str, Side] = {"ours": partial(tables.window, WRITERS, scale.seconds)}
        try:
            home = directory or stack.enter_context(_installed(tell))
        except UnavailableError as error:
            missing = dict.fromkeys(_PEERS, str(error))
        else:
            for name, peer in _PEERS.items():
                try:
                    database = stack.enter_context(scratch(dsn, migrated=False))
                    sides[name] = peer(home, database, facts, scale.seconds)
                except UnavailableError as error:
                    missing[name] = str(error)
        for side in sides.values():
            side()  # every connection made, every statement prepared
        found = turns(sides, scale, "peers", tell)
    for name, reason in missing.items():
        tell(f"{name} is not measured: {reason}")
    return Measured(
        {
            f"append_concurrent_vs_{name}": ratio(found["ours"], windows)
            for name, windows in found.items()
            if name != "ours"
        },
        {
            "peers": {name: described(windows, "appends") for name, windows in found.items()}
            | {name: f"not measured: {reason}" for name, reason in missing.items()}
        },
    )


def _message_db(home: Path, dsn: str, facts: Sequence[Fact], seconds: float) -> Side:
    """message-db: its SQL functions, called by psycopg on a connection for each caller.

    Streams are named as it wants, ``hand-<id>``: one category, whose writers it lets in one by one.
    The expected version is given, as ours checks it too.
    """
    places = (home / "database", home / "node_modules" / PACKAGES[0] / "database")
    sql = next((place for place in places if place.is_dir()), None)
    if sql is None:
        raise UnavailableError(f"{home} holds no message-db")
    dsn = make_conninfo(dsn, options="-c search_path=message_store,public")
    functions = sorted(f"functions/{path.name}" for path in sql.glob("functions/*.sql"))
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("SET client_min_messages = warning")
        for name in (*_FIRST, *functions, *_LAST):
            owner.execute((sql / name).read_bytes())

    def window() -> Window:
        with ExitStack() as stack:
            conns = [
                stack.enter_context(psycopg.connect(dsn, autocommit=True)) for _ in range(WRITERS)
            ]
            run = next(_runs)
            writers = [_writing(conn, facts, f"hand-{run}x{n}") for n, conn in enumerate(conns)]
            return together(writers, seconds)

    return window


def _writing(conn: psycopg.Connection[Any], facts: Sequence[Fact], stream: str) -> Iterator[None]:
    for version, fact in enumerate(cycle(facts), start=-1):
        row = [str(uuid4()), stream, fact.topic, fact.text, version]
        conn.execute(_WRITE, row, prepare=True)
        yield


def _emmett(home: Path, dsn: str, facts: Sequence[Fact], seconds: float) -> Side:
    """Emmett: ``appendToStream`` in a process of node, its own pool of ten connections.

    Its callers are 16 asynchronous loops, which cost it less than threads cost Python.
    """
    node = shutil.which("node")
    if node is None:
        raise UnavailableError("there is no node on the path")
    if not (home / "node_modules" / PACKAGES[1]).is_dir():
        raise UnavailableError(f"{home} holds no {PACKAGES[1]}")
    script = Path(__file__).with_name("emmett.mjs").read_text(encoding="utf-8")

    def window() -> Window:
        with tempfile.TemporaryDirectory() as directory:
            given = Path(directory) / "facts.json"
            told = [{"topic": fact.topic, "body": fact.body} for fact in facts]
            given.write_text(json.dumps(told), encoding="utf-8")
            words = [_url(dsn), str(given), str(WRITERS), str(seconds), str(next(_runs))]
            done = subprocess.run(
                [node, "--input-type=module", "-", *words],
                cwd=home,
                input=script,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
                timeout=seconds + NODE_S_MAX,
            )
        return Window(**json.loads(done.stdout.splitlines()[-1]))

    return window


_PEERS: Final[dict[str, Callable[[Path, str, Sequence[Fact], float], Side]]] = {
    "message_db": _message_db,
    "emmett": _emmett,
}


@contextmanager
def _installed(tell: Tell) -> Iterator[Path]:
    """Lend a directory with the packages in it.

    Raises:
        UnavailableError: There is no npm, or it cannot get them.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise UnavailableError("there is no npm on the path, and no --peer-dir")
    with tempfile.TemporaryDirectory(prefix="jinhua-bench-peers-") as directory:
        tell(f"npm install {' '.join(PACKAGES)}")
        words = [npm, "install", "--no-audit", "--no-fund", "--prefix", directory, *PACKAGES]
        try:
            subprocess.run(
                words, cwd=directory, check=True, capture_output=True, timeout=INSTALL_S_MAX
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise UnavailableError(f"npm cannot install them: {error}") from error
        yield Path(directory)


def _url(dsn: str) -> str:
    """Return a DSN as a URL that node understands; the host may be the directory of a socket."""
    given = {name: str(value) for name, value in conninfo_to_dict(dsn).items()}
    user = quote(given.get("user", "postgres"), safe="")
    if "password" in given:
        user += f":{quote(given['password'], safe='')}"
    host = quote(given.get("host", "localhost"), safe="")
    return f"postgresql://{user}@{host}:{given.get('port', '5432')}/{given['dbname']}"
