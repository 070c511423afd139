"""``jinhua migrate``, ``rebuild``, ``dsn``, ``doctor`` and ``stop``: the store itself."""

import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated, Any, Final
from urllib.parse import quote, urlencode

import psycopg
from cyclopts import Parameter
from psycopg.conninfo import conninfo_to_dict

from adapters.bootstrap import owner_dsn, prepare_store
from adapters.console.failures import BAD_INPUT, DISAGREEMENT, BadInputError
from adapters.console.options import HERE, Jobs, Where, opened, processes
from adapters.console.output import AsJson, altogether, print_json, progress, say, table
from adapters.copies.examination import examine
from adapters.errors import StoreUnreachableError
from adapters.plain_json import plain
from adapters.store.embedded_postgres import stop as stop_server
from adapters.store.migrations import migrate as apply_migrations
from adapters.store.migrations import pending
from adapters.store.postgres import CONNECT_TIMEOUT_S, Store, place
from adapters.views.catalogue import READ_MODELS
from adapters.views.projector import ROLE, Projector

_SHOWN_MAX: Final = 50  # rows of a table of parked events; JSON has them all


def migrate(*, where: Where = HERE, json: AsJson = False) -> int:
    """Bring the store's shape up to date, as its owner; forwards only.

    The embedded server is migrated by every other command too; a configured one by this alone.

    For example:

        jinhua migrate --dsn postgresql://owner@db.example/jinhua
    """
    with _connected(owner_dsn(where.settings)) as conn:
        applied = apply_migrations(conn)
    if json:
        print_json({"applied": applied})
    else:
        say(*(f"applied {name}" for name in applied), *([] if applied else ["up to date"]))
    return 0


def rebuild(
    *projections: str,
    parked: Annotated[bool, Parameter(negative=())] = False,
    jobs: Jobs = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Build projections anew from the first event on; readers see the old rows until then.

    Where the history is long, processes share it, each at one projection.

    An event that a projection cannot take in is parked: kept aside with the reason, while the
    others go on; `jinhua doctor` counts them. With `--parked` nothing is built anew, and only
    those are tried again: when the program has come to know them, as after an upgrade. The exit
    status is then 3 if any stays parked.

    For example:

        jinhua rebuild
        jinhua rebuild balances
        jinhua rebuild --jobs 1
        jinhua rebuild --parked

    Parameters:
        projections: Which; all of them if none is named.
        parked: Only try again what is parked.
    """
    unknown = sorted(set(projections) - READ_MODELS.keys())
    if unknown:
        known = ", ".join(READ_MODELS)
        raise BadInputError(f"no projection {', '.join(unknown)}; there are {known}")
    names = list(dict.fromkeys(projections or READ_MODELS))
    if parked and jobs:
        raise BadInputError("--jobs are for what is built anew; leave them out with --parked")
    if parked:
        return _retry_parked(names, where, json)
    with opened(where) as store, progress("events") as told:
        reached = store.projectors(processes(jobs)).rebuild(names, altogether(told, names))
    if json:
        print_json({"projections": reached})
    else:
        table(("projection", "position#"), reached.items())
    return 0


def _retry_parked(names: Sequence[str], where: Where, json: AsJson) -> int:
    """Try again what is parked, and say what was taken in, and what was not and why."""
    with opened(where) as store, progress("events") as told:
        retried = store.projector.retry_parked(
            names, progress=lambda _name, done, total: told(done, total)
        )
        left = [event for event in store.projector.parked() if event.projection in names]
    if json:
        print_json({"projections": plain(retried), "parked": plain(left)})
    else:
        table(
            ("projection", "taken in#", "still parked#"),
            ((name, *became) for name, became in retried.items()),
        )
        if left:
            columns = ("projection", "position#", "topic", "reason")
            table(columns, (event[: len(columns)] for event in left[:_SHOWN_MAX]))
        if len(left) > _SHOWN_MAX:
            say(f"… and {len(left) - _SHOWN_MAX} more; --json has them all")
    return DISAGREEMENT if left else 0


def dsn(*, where: Where = HERE, json: AsJson = False) -> int:
    """Print the URI of the store for its owner, as psql takes it. It may hold a password.

    For example:

        psql "$(jinhua dsn)"
    """
    settings = where.settings
    uri = settings.dsn or prepare_store(settings)
    if not uri.startswith(("postgresql://", "postgres://")):
        uri = _as_uri(uri)
    if json:
        print_json({"dsn": uri})
    else:
        say(uri)
    return 0


def stop(*, where: Where = HERE, json: AsJson = False) -> int:
    """Stop the embedded server; the next command starts it again.

    For example:

        jinhua stop
    """
    settings = where.settings
    if settings.dsn is not None:
        raise BadInputError("a configured server is not ours to stop; --data-dir names ours")
    stopped = stop_server(settings.data_dir)
    if json:
        print_json({"stopped": stopped})
    else:
        say("stopped" if stopped else "it was not running")
    return 0


def doctor(*, deep: bool = False, where: Where = HERE, json: AsJson = False) -> int:
    """Say what is running: versions, the store, its migrations, positions and lag.

    The exit status is 4 where the store cannot be reached, 2 where it is not migrated, 3 where a
    deep look finds that it does not agree with itself, else 0.

    For example:

        jinhua doctor --json
        jinhua doctor --deep

    Parameters:
        deep: Derive every receipt again from the events, and look for gaps in positions and in
            versions.
    """
    settings = where.settings
    report: dict[str, Any] = {
        "versions": _versions(),
        "store": "configured" if settings.dsn else "embedded",
        "data_dir": None if settings.dsn else str(settings.data_dir),
    }
    uri = settings.dsn or prepare_store(settings)
    report["where"] = place(uri)
    with _connected(uri) as conn:
        report["versions"]["postgresql"] = conn.info.parameter_status("server_version")
        report["pending"] = pending(conn)
    if not report["pending"]:
        with Store(uri, role=ROLE) as store:
            projector = Projector(store)
            lag, positions, ages = projector.lag(), projector.positions(), projector.ages()
            last = max((positions[name] + behind for name, behind in lag.items()), default=0)
            report["position"] = last
            report["projections"] = {
                name: {
                    "position": positions[name],
                    "lag": lag[name],
                    "lag_seconds": round(ages[name], 3),
                }
                for name in lag
            }
            report["parked"] = [plain(event) for event in projector.parked()]
        if deep:
            with Store(uri) as store:  # which reads events and receipts
                report["findings"] = [plain(finding) for finding in examine(store)]
    if json:
        print_json(report)
    else:
        _print_report(report)
    if report["pending"]:
        return BAD_INPUT
    return DISAGREEMENT if report.get("findings") else 0


def _versions() -> dict[str, str]:
    packages = ("jinhua", "eventsourcing", "psycopg", "pydantic")
    return {"python": platform.python_version()} | {name: version(name) for name in packages}


def _print_report(report: dict[str, Any]) -> None:
    rows = list(report["versions"].items())
    rows += [("store", report["store"]), ("where", report["where"])]
    if report["data_dir"]:
        rows.append(("data", report["data_dir"]))
    if report["pending"]:
        rows.append(("not migrated", f"{', '.join(report['pending'])}; see `jinhua migrate`"))
    else:
        rows.append(("last position", report["position"]))
        for name, at in report["projections"].items():
            rows.append((name, f"at {at['position']}, {_behind(at)}"))
        parked = len(report["parked"])
        rows.append(("parked events", f"{parked}; see `jinhua rebuild --parked`" if parked else 0))
        if "findings" in report:
            rows.append(("findings", len(report["findings"])))
    table(("", ""), rows)
    if report.get("findings"):
        columns = ("what", "subject", "recorded", "derived")
        table(columns, (finding.values() for finding in report["findings"]))


def _behind(at: dict[str, Any]) -> str:
    """Say how far a projection is behind, by events and by the age of the oldest of them."""
    behind = f"{at['lag']} behind"
    return f"{behind} for {at['lag_seconds']:.1f} s" if at["lag"] else behind


def _connected(uri: str) -> psycopg.Connection[Any]:
    """Connect as the owner.

    Raises:
        StoreUnreachableError: That fails.
    """
    try:
        return psycopg.connect(uri, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S)
    except psycopg.Error as error:
        raise StoreUnreachableError(where=place(uri), reason=str(error).strip()) from error


def _as_uri(conninfo: str) -> str:
    """Write keywords and values as a URI."""
    return f"postgresql://?{urlencode(conninfo_to_dict(conninfo), quote_via=quote)}"
