"""Sixteen writers for so many minutes, killed and killed again with their server; then the truth.

    scripts/soak.py --minutes 10 --seed 1
    scripts/soak.py --minutes 1 --seed 7 --json

The writers open hands, act, void, deposit, withdraw and import, through the ledger's own commands,
at shared tables. Processes of writers and PostgreSQL itself are killed (``kill -9``) at random
moments and started again. Afterwards everything is verified: each hand and wallet, receipts against
events, each answer that a writer was given against what is stored, balances together zero, each
read model against a fresh fold. The exit status is 3 where anything is not as it should be.

The server is an embedded one of its own, in a temporary directory. With ``--dsn`` it is yours, in
an empty database: that is migrated, filled, and not killed.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from adapters import logs
from adapters.shuffle import Chance
from adapters.store.migrations import migrate
from tests.faults.crowd import Crowd, disturb, judge
from tests.faults.servers import Server, private_server


def main(words: list[str]) -> int:
    """Run the soak, print its figures, and return the exit status."""
    asked = _parser().parse_args(words)
    logs.configure("error")
    with _store(asked.dsn) as (dsn, server), tempfile.TemporaryDirectory() as directory:
        figures = soak(asked, dsn, server, Path(directory))
    if asked.json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        for name, value in figures.items():
            print(f"{name:14} {value}")
    return 3 if figures["discrepancies"] else 0


def soak(
    asked: argparse.Namespace, dsn: str, server: Server | None, directory: Path
) -> dict[str, Any]:
    """Let the writers work and be killed; return what it came to."""
    chance = Chance("soak", asked.seed)
    crowd = Crowd(
        dsn,
        directory,
        seed=asked.seed,
        processes=asked.processes,
        writers=asked.writers // asked.processes,
    )
    started = time.monotonic()
    with crowd.working():
        disturb(
            crowd,
            seconds=asked.minutes * 60,
            chance=chance,
            every_s=asked.kill_every,
            kill_server=None if server is None else partial(_kill, server, chance),
            told=_teller(crowd, started, quiet=asked.json),
        )
    seconds = time.monotonic() - started
    judging = time.monotonic()
    outcome = judge(crowd, dsn)
    return {
        "seed": asked.seed,
        "seconds": round(seconds, 1),
        "writers": asked.writers,
        **outcome.counts,
        "events": outcome.events,
        "events_per_s": round(outcome.events / seconds, 1),
        "hands": outcome.hands,
        "kills_writers": crowd.kills,
        "kills_server": 0 if server is None else server.kills,
        "verified_in_s": round(time.monotonic() - judging, 1),
        "discrepancies": outcome.discrepancies,
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="decides what is done, and the kills")
    parser.add_argument("--writers", type=int, default=16)
    parser.add_argument("--processes", type=int, default=8, help="that the writers share")
    parser.add_argument("--kill-every", type=float, default=2.0, help="seconds, on average")
    parser.add_argument("--dsn", help="the owner's, of an empty database; the server is not killed")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


@contextmanager
def _store(dsn: str | None) -> Iterator[tuple[str, Server | None]]:
    """Lend a store, and its server where that may be killed."""
    if dsn is None:
        with private_server() as server:
            yield server.dsn, server
        return
    with psycopg.connect(dsn, autocommit=True) as owner:
        migrate(owner)
        ((used,),) = owner.execute("SELECT EXISTS (SELECT FROM events)").fetchall()
    if used:
        sys.exit("soak: the database is not empty")
    yield dsn, None


def _kill(server: Server, chance: Chance) -> None:
    """Kill the server, leave it down for a moment, and start it again."""
    server.kill()
    time.sleep(chance.between(0, 100) / 100)
    server.start()


def _teller(crowd: Crowd, started: float, *, quiet: bool) -> Callable[[str], None]:
    """Return what says on standard error how it goes, every now and then."""
    last = started

    def tell(killed: str) -> None:
        nonlocal last
        if quiet or time.monotonic() - last < 10:  # noqa: PLR2004 - seconds
            return
        last = time.monotonic()
        line = f"{last - started:6.0f} s  {crowd.answered()} answered, {crowd.kills} kills"
        print(f"{line}, the last of {killed}", file=sys.stderr, flush=True)

    return tell


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
