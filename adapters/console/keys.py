"""``jinhua keys``: who may call the HTTP API, and as what."""

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import App, Parameter

from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say, table
from adapters.registers.api_keys import ApiKey, Role, list_keys, make_key, prefix_of, revoke_key

keys = App(
    name="keys",
    help="Make, list and revoke the keys that callers of the HTTP API hold.",
    help_format="markdown",
    result_action="return_value",
)


@keys.command
def create(
    *,
    role: Role,
    table: Annotated[Sequence[str], Parameter(negative=())] = (),
    player: str | None = None,
    name: str | None = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Make a key and print it, this once: the store keeps no more than its SHA-256.

    A service writes and reads. An auditor reads everything but the cards of running hands, and an
    investigator does. A player reads the player's own hands and money. A key that is bound to
    tables sees and writes only the hands whose id begins with one of them and a slash.

    For example:

        jinhua keys create --role service --table t1 --table t2 --name backend-1
        jinhua keys create --role auditor --json
        jinhua keys create --role player --player ann

    Parameters:
        role: What it is for.
        table: Bind it to this table; may be given again.
        player: Whose key it is, of the role player.
        name: As whom its holder writes; the role and the prefix if none is given.
    """
    with opened(where) as store:
        key = make_key(store.ledger.store, role, name=name, tables=table, player=player)
    if json:
        print_json({"key": key, "prefix": prefix_of(key)})
    else:
        say(key)
    return 0


@keys.command(name="list")
def listed(*, where: Where = HERE, json: AsJson = False) -> int:
    """List every key that was made, by its prefix; no key can be read from it.

    For example:

        jinhua keys list
        jinhua keys list --json
    """
    with opened(where) as store:
        rows = list_keys(store.ledger.store)
    if json:
        print_json({"keys": [_as_json(row) for row in rows]})
        return 0
    columns = ("prefix", "role", "name", "tables", "player", "made", "revoked")
    table(columns, (_cells(row) for row in rows))
    return 0


@keys.command
def revoke(prefix: str, /, *, where: Where = HERE, json: AsJson = False) -> int:
    """Revoke a key for good: no service takes it two seconds later; its feeds end after three.

    For example:

        jinhua keys revoke 1f0c22ab

    Parameters:
        prefix: The eight digits behind jinhua_ that name it.
    """
    with opened(where) as store:
        row = revoke_key(store.ledger.store, prefix)
    if json:
        print_json(_as_json(row))
    else:
        say(f"{row.prefix} ({row.name}) is revoked since {row.revoked_at:%Y-%m-%d %H:%M:%S}")
    return 0


def _as_json(row: ApiKey) -> dict[str, Any]:
    told = row._asdict()
    del told["digest"]
    return told


def _cells(row: ApiKey) -> tuple[object, ...]:
    return (
        *(row.prefix, row.role, row.name, " ".join(row.tables or ()), row.player),
        f"{row.made_at:%Y-%m-%d %H:%M:%S}",
        row.revoked_at and f"{row.revoked_at:%Y-%m-%d %H:%M:%S}",
    )
