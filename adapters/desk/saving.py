"""Searches that a reader saved under a name, and verifications that came to their end."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from adapters.http_api.callers import Caller
from adapters.http_api.errors import RequestError
from adapters.plain_json import json_line, plain
from adapters.store.postgres import Runner
from domain.discrepancies import Discrepancy

SEARCHES_MAX: Final = 50
"""Of a reader."""

SHOWN_MAX: Final = 100
"""Of a run, the discrepancies that are kept."""

_SAVED: Final = """
    SELECT name, query
      FROM (SELECT DISTINCT ON (name) name, query FROM saved_searches WHERE owner = %s
             ORDER BY name, number DESC) AS last
     WHERE query IS NOT NULL ORDER BY name
"""
_SAVE: Final = "INSERT INTO saved_searches (owner, name, query) VALUES (%s, %s, %s)"

_LAST_RUN: Final = """
    SELECT started_by, started_at, ended_at, hands, events, discrepancies, found
      FROM verification_runs ORDER BY number DESC LIMIT 1
"""
_RAN: Final = """
    INSERT INTO verification_runs (started_by, started_at, hands, events, discrepancies, found)
    VALUES (%s, %s, %s, %s, %s, %s)
"""


class TooManySearchesError(RequestError):
    """As many searches are saved as one reader may save."""

    code = "too_many_searches"
    status = 409

    def __init__(self) -> None:
        super().__init__(f"{SEARCHES_MAX} searches are saved; forget one first")


class SavedSearch(NamedTuple):
    """A search under a name."""

    name: str
    query: str
    """As an address has it."""


class Run(NamedTuple):
    """A verification of everything."""

    started_by: str
    started_at: datetime
    ended_at: datetime
    hands: int
    events: int
    discrepancies: int
    found: Sequence[dict[str, Any]]
    """The first of them, as JSON has them."""


def owner_of(caller: Caller) -> str:
    """Return whose searches a caller's are: of the key's name, which outlives the key."""
    return f"{caller.role}:{caller.name}"


def saved(store: Runner, owner: str) -> list[SavedSearch]:
    """Return an owner's searches, by name."""
    rows = store.run(lambda conn: conn.execute(_SAVED, [owner]).fetchall())
    return [SavedSearch(*row) for row in rows]


def save(store: Runner, owner: str, name: str, query: str) -> None:
    """Save a search; one of the same name makes way.

    Raises:
        TooManySearchesError: There are too many already.
    """
    names = {search.name for search in saved(store, owner)}
    if name not in names and len(names) >= SEARCHES_MAX:
        raise TooManySearchesError
    store.run(lambda conn: conn.execute(_SAVE, [owner, name, query]))


def forget(store: Runner, owner: str, name: str) -> None:
    """Forget a search, if there is one of that name."""
    if any(search.name == name for search in saved(store, owner)):
        store.run(lambda conn: conn.execute(_SAVE, [owner, name, None]))


def last_run(store: Runner) -> Run | None:
    """Return the verification of everything that ended last, if one did."""
    row = store.run(lambda conn: conn.execute(_LAST_RUN).fetchone())
    return None if row is None else Run._make((*row[:-1], json.loads(row[-1])))


def note_run(
    store: Runner,
    *,
    by: str,
    started_at: datetime,
    hands: int,
    events: int,
    discrepancies: int,
    found: Sequence[Discrepancy],
) -> None:
    """Keep that a verification of everything came to its end."""
    told = json_line(plain(list(found[:SHOWN_MAX]))).decode()
    values = [by, started_at, hands, events, discrepancies, told]
    store.run(lambda conn: conn.execute(_RAN, values))
