"""How far a read model has come, and the step that takes it further, in one transaction."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from adapters.store.postgres import Conn
from adapters.views.catalogue import READ_MODELS
from adapters.views.feed import Stretch
from adapters.views.generation import Generation, take_in
from adapters.views.parking import park
from projections import Recorded

_ALL: Final = "SELECT name, generation, position FROM projections"
_LOCK: Final = f"{_ALL} WHERE name = %s FOR NO KEY UPDATE"
_RECORD: Final = "UPDATE projections SET generation = %s, position = %s WHERE name = %s"
# In one statement: to set it beforehand would be a round trip for every read model.
_RECORD_SOON: Final = f"{_RECORD} RETURNING set_config('synchronous_commit', 'off', true)"


class Tracked(NamedTuple):
    """A generation of a read model, and the position up to which it has taken in everything."""

    name: str
    generation: int
    position: int

    def rows(self, conn: Conn) -> Generation:
        """Return its rows."""
        return READ_MODELS[self.name](conn, self.generation)


def tracked(conn: Conn) -> dict[str, Tracked]:
    """Read how far each read model has come."""
    return {row[0]: Tracked(*row) for row in conn.execute(_ALL)}


def lock(conn: Conn, name: str) -> Tracked:
    """Read how far a read model has come, and let no other projector move it until the commit."""
    (row,) = conn.execute(_LOCK, [name], prepare=True).fetchall()
    return Tracked(*row)


def advance(conn: Conn, at: Tracked, stretch: Stretch) -> Tracked:
    """Take in the stretch that comes next; park the events of it that cannot be taken in."""
    assert at.position == stretch.after, (at, stretch.after)
    rows = at.rows(conn)
    batch = stretch.batch.of(rows.projection.topics)
    park(conn, at.name, at.generation, batch.unreadable)
    take_in_or_park(conn, rows, batch.recorded)
    return at._replace(position=stretch.upto)


def take_in_or_park(conn: Conn, rows: Generation, batch: Sequence[Recorded]) -> list[int]:
    """Take in events, and park those that cannot be. Return the positions of these."""
    left_out = []
    for one in take_in(rows.projection, batch, conn.transaction):
        park(conn, rows.projection.name, rows.generation, [one])
        left_out.append(one.position)
    return left_out


def record(conn: Conn, at: Tracked, *, soon: bool = False) -> None:
    """Make this generation the one that readers see, and its position the one to go on from.

    Args:
        conn: In the transaction that took the events in.
        at: What is recorded.
        soon: Do not wait for the disk at the commit, as a later one will: rows and position are on
            it together or not at all, so a server that fails leaves the step to be done again.
    """
    statement = _RECORD_SOON if soon else _RECORD
    conn.execute(statement, [at.generation, at.position, at.name], prepare=True)
