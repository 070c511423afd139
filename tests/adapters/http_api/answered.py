"""What clients were answered, held against what is stored."""

from collections.abc import Iterator, Mapping

from adapters.ledger import Ledger
from adapters.store.postgres import Store
from tests.adapters.stored import rows

Answered = Mapping[str, tuple[int, int]]
"""From which position to which a command is stored, by its id, as it was answered."""

_STORED = """
    SELECT r.command_id, r.first_position, r.last_position,
           count(e.position), min(e.position), max(e.position)
      FROM receipts r LEFT JOIN events e USING (command_id)
     GROUP BY r.command_id
"""


def differences(dsn: str, answered: Answered) -> Iterator[str]:
    """Yield what is lost, what nobody was told of, what is stored elsewhere or more than once.

    Args:
        dsn: Of the store.
        answered: Every command that was ever given to it.
    """
    told = dict(answered)
    for command, first, last, count, lowest, highest in rows(dsn, _STORED):
        if told.pop(command, None) != (first, last):
            yield f"{command} is not stored as it was answered"
        if (count, lowest, highest) != (last - first + 1, first, last):
            yield f"{command} has other events than its receipt says"
    yield from (f"{command} was answered, and is lost" for command in told)
    ((strays,),) = rows(
        dsn,
        "SELECT count(*) FROM events LEFT JOIN receipts USING (command_id) WHERE digest IS NULL",
    )
    if strays:
        yield f"{strays} events are of no command"
    with Ledger(Store(dsn)) as ledger:
        yield from (str(discrepancy) for discrepancy in ledger.verify())
