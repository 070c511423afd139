"""The store against itself: receipts, positions and versions as the events alone give them.

A receipt is what its command's events say: the first and the last of their positions. So it can be
derived again from the events' metadata, which survive whatever becomes of the receipts.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from adapters.store.postgres import SNAPSHOT, Conn, Store


class Finding(NamedTuple):
    """Something in which the store does not agree with itself."""

    what: str
    subject: str  # a command's id, a stream, or positions
    recorded: object  # None: there is none
    derived: object  # None: the events give none


# Each receipt beside what the events of its command come to; one of them may be absent.
_RECEIPTS: Final = """
    SELECT command_id, r.first_position, r.last_position, e.first, e.last, e.events
      FROM (SELECT command_id, min(position) AS first, max(position) AS last, count(*) AS events
              FROM events GROUP BY command_id) AS e
           FULL JOIN receipts r USING (command_id)
     WHERE (r.first_position, r.last_position) IS DISTINCT FROM (e.first, e.last)
           OR e.events <> e.last - e.first + 1
     ORDER BY coalesce(e.first, r.first_position), command_id
"""

_MISSING_POSITIONS: Final = """
    SELECT before + 1, position - 1
      FROM (SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before
              FROM events) AS steps
     WHERE position > before + 1
     ORDER BY position
"""

# The first place of each stream where its versions, in the order of positions, are not 1, 2, 3 …
_VERSIONS: Final = """
    SELECT DISTINCT ON (originator_id) originator_id, position, originator_version, due
      FROM (SELECT originator_id, position, originator_version,
                   row_number() OVER (PARTITION BY originator_id ORDER BY position) AS due
              FROM events) AS steps
     WHERE originator_version <> due
     ORDER BY originator_id, due
"""


def examine(store: Store) -> Iterator[Finding]:
    """Yield every finding: receipts, then positions, then versions; all of one moment.

    Raises:
        StoreUnreachableError: The store cannot be reached, or breaks off.
    """
    with store.connection() as conn, conn.transaction():
        conn.execute(SNAPSHOT)
        conn.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield from _receipts(conn)
        yield from _positions(conn)
        yield from _versions(conn)


def _receipts(conn: Conn) -> Iterator[Finding]:
    """Yield receipts that are not what their command's events give."""
    with conn.cursor(name="examined_receipts") as cursor:
        for command, first, last, derived_first, derived_last, events in cursor.execute(_RECEIPTS):
            recorded = None if first is None else (first, last)
            derived = None if derived_first is None else (derived_first, derived_last)
            if recorded != derived:
                yield Finding(_kind(recorded, derived), command, recorded, derived)
            if derived is not None and events != derived_last - derived_first + 1:
                span = derived_last - derived_first + 1
                yield Finding("command_scattered", command, events, span)


def _kind(recorded: object, derived: object) -> str:
    if recorded is None:
        return "receipt_missing"
    return "receipt_extra" if derived is None else "receipt_differs"


def _positions(conn: Conn) -> Iterator[Finding]:
    """Yield where positions are missing."""
    with conn.cursor(name="examined_positions") as cursor:
        for first, last in cursor.execute(_MISSING_POSITIONS):
            yield Finding("positions_missing", f"{first} to {last}", None, (first, last))


def _versions(conn: Conn) -> Iterator[Finding]:
    """Yield streams whose versions do not run from 1 without a gap, in the order of positions."""
    with conn.cursor(name="examined_versions") as cursor:
        for stream, position, recorded, due in cursor.execute(_VERSIONS):
            yield Finding("version_out_of_order", f"{stream} at {position}", recorded, due)
