"""``jinhua simulate``: random legal hands, the same for the same seed. Needs no database."""

import sys

from adapters.console.output import AsJson
from adapters.simulation.hands import line_of
from adapters.simulation.hands import simulate as simulated
from domain.zhajinhua.rulebooks import published


def simulate(
    *,
    hands: int = 100,
    seed: int = 1,
    rulebook: str = "jiuyou",
    json: AsJson = False,  # noqa: ARG001 - records always are
) -> int:
    """Write random legal hands, one record a line, each with its settlement.

    The same seed gives the same hands, to the byte, and a hand does not depend on how many are
    asked for. What is rare at real tables (a last stand won, equal hands, forced duels, bonuses)
    comes up often.

    For example:

        jinhua simulate --hands 200 --seed 7 > hands.jsonl
        jinhua simulate --hands 1000 --rulebook all | jinhua import -

    Parameters:
        hands: How many, of each rulebook.
        seed: Any integer.
        rulebook: Its id; all for every published one.
    """
    known = list(dict.fromkeys(published_one.id for published_one in published()))
    for name in known if rulebook == "all" else [rulebook]:
        for record in simulated(name, hands=hands, seed=seed):
            sys.stdout.buffer.write(f"{line_of(record)}\n".encode())
    sys.stdout.buffer.flush()
    return 0
