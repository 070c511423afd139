"""How fast the ledger is, in pairs with what one would use instead, in one run.

    scripts/bench.py                     every pair, some minutes
    scripts/bench.py --quick --json      the same, shorter: under a minute on two quiet cores
    scripts/bench.py --writers           throughput and p99 with 1 to 64 callers at once
    scripts/bench.py --growth            the same work at 10,000 hands and at 1,000,000
    scripts/bench.py --peers             other stores: message-db, Emmett
    scripts/bench.py --http              over HTTP: 32 clients, against a bare endpoint
    scripts/bench.py --kill --seconds 60 the same while a worker is killed: what is lost or doubled
    scripts/bench.py --dask              verification by two workers of a cluster, against one

Each pair says in scripts/measuring/pairs.py what it compares and why that is fair. Both sides take
turns, A B A B …, with fsync and synchronous_commit on; a ratio is the median over the rounds, and
is above 1 where ours is the faster. The server is an embedded one of its own in the temporary
directory; `--dsn` names yours, whose owner may make databases: they are dropped afterwards. How it
goes is said on standard error. `--plot DIR` draws what --writers and --growth measure, as SVG; with
`--figures FILE` it draws what an earlier run printed as JSON, and measures nothing. Exit status: 0
measured, 2 not asked rightly, 4 no server.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from adapters import logs
from adapters.errors import StoreUnreachableError
from scripts.measuring import (
    dask_workers,
    growth,
    killing,
    over_http,
    pairs,
    peers,
    plots,
    report,
    sweep,
)
from scripts.measuring.servers import NotDurableError, server

UNREACHABLE: Final = 4


def main(words: list[str]) -> int:
    """Measure what is asked for, print it, and return the exit status."""
    asked = _parser().parse_args(words)
    logs.configure("error")
    try:
        figures = _figures(asked)
    except NotDurableError as error:
        _tell(str(error))
        return 2
    except (StoreUnreachableError, psycopg.OperationalError) as error:
        _tell(str(error).strip())
        return UNREACHABLE
    if asked.plot is not None:
        for path in plots.draw(figures["absolute"], asked.plot):
            _tell(f"drew {path}")
    if asked.json:
        print(json.dumps(figures))
    else:
        print("\n".join(report.table(figures)))
    return 0


def _figures(asked: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of an earlier run if they are given, else those of one made now."""
    if asked.figures is not None:
        figures: dict[str, Any] = json.loads(asked.figures.read_text(encoding="utf-8"))
        return figures
    with server(asked.dsn, asked.keep) as dsn:
        return measured(asked, dsn)


def measured(asked: argparse.Namespace, dsn: str) -> dict[str, Any]:
    """Return the figures that are asked for."""
    begun = time.monotonic()
    scale = scale_of(asked)
    machine = report.machine(dsn, embedded=asked.dsn is None)
    found: list[pairs.Measured] = []
    if asked.writers:
        found.append(sweep.measure(dsn, scale, _tell))
    if asked.growth:
        keep = asked.keep is not None
        found.append(growth.measure(dsn, hands=asked.hands, scale=scale, tell=_tell, keep=keep))
    if asked.peers:
        found.append(peers.measure(dsn, scale, asked.peer_dir, _tell))
    if asked.http:
        found.append(over_http.measure(dsn, scale, asked.workers, _tell))
    if asked.kill:
        found.append(killing.measure(dsn, scale, asked.workers, _tell))
    if asked.dask:
        found.append(dask_workers.measure(dsn, scale, _tell))
    if not found:
        found.append(pairs.measure(dsn, scale, _tell))
    return {
        "ratios": {name: value for one in found for name, value in one.ratios.items()},
        "absolute": {name: value for one in found for name, value in one.absolute.items()},
        "machine": machine,
        "seconds": round(time.monotonic() - begun, 1),
    }


def scale_of(asked: argparse.Namespace) -> pairs.Scale:
    """Return how much is to be done."""
    scale = pairs.QUICK if asked.quick else pairs.FULL
    given: Mapping[str, Any] = {
        name: getattr(asked, name)
        for name in ("rounds", "seconds")
        if getattr(asked, name) is not None
    }
    counts = {
        name: max(int(getattr(scale, name) * asked.scale), 4)
        for name in ("hands", "projected", "distinct")
    }
    return scale._replace(**given, **counts)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter, and rougher")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--dsn", help="the owner's, of a server that may be kept busy")
    parser.add_argument("--rounds", type=_positive, help="turns that each side takes")
    parser.add_argument("--seconds", type=float, help="of each window of appends")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="of the numbers of hands: 0.1 is a tenth of them"
    )
    parser.add_argument("--writers", action="store_true", help="let 1 to 64 callers append")
    parser.add_argument("--growth", action="store_true", help="compare small and large ledgers")
    parser.add_argument(
        "--hands", type=_positive, default=1_000_000, help="of the large ledger; some 20 kB each"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="leave the ledgers of --growth there, for next time",
    )
    parser.add_argument("--peers", action="store_true", help="compare with other stores")
    parser.add_argument(
        "--peer-dir", type=Path, metavar="DIR", help="where npm has installed them; else it does so"
    )
    parser.add_argument("--http", action="store_true", help="measure the service over HTTP")
    parser.add_argument(
        "--plot", type=Path, metavar="DIR", help="draw there what --writers and --growth measure"
    )
    parser.add_argument(
        "--figures", type=Path, metavar="FILE", help="measure nothing: take those of this JSON"
    )
    parser.add_argument("--kill", action="store_true", help="kill a worker of it in the middle")
    parser.add_argument("--dask", action="store_true", help="measure workers of a Dask cluster")
    parser.add_argument("--workers", type=_positive, default=2, help="of the service")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("is at least 1")
    return number


def _tell(line: str) -> None:
    print(f"bench: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
