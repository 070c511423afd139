"""More and more writers at once: how many appends a second, and how long the slowest take."""

from contextlib import ExitStack
from typing import Any, Final

from scripts.measuring import ours, stock
from scripts.measuring.material import Material, stored
from scripts.measuring.pairs import Measured, Scale, lent_ledger, lent_stock, turns
from scripts.measuring.raw import Raw
from scripts.measuring.servers import scratch
from scripts.measuring.timing import Side, Tell, described, together

WRITERS: Final = (1, 2, 4, 8, 16, 32, 64)


def measure(dsn: str, scale: Scale, tell: Tell) -> Measured:
    """Let more and more writers append.

    Every side has as many writers as the others; as each pair of pairs.py is defined otherwise.

    Returns:
        No ratio; the figures of every side, by number of writers.
    """
    material = Material(scale.distinct)
    facts = [f for hand in stored(material.records[:50]) for f in hand.of_hand]
    found: dict[str, Any] = {}
    with ExitStack() as stack:
        tables = ours.Tables(stack.enter_context(lent_ledger(dsn)), material)
        app = stack.enter_context(lent_stock(dsn))
        raw = Raw(stack.enter_context(scratch(dsn, migrated=False)))

        def sides(writers: int) -> dict[str, Side]:
            saving = [stock.saving(app, facts) for _ in range(writers)]
            return {
                "ours": lambda: tables.window_async(writers, scale.seconds),
                "threads": lambda: tables.window(writers, scale.seconds),
                "stock": lambda: together(saving, scale.seconds),
                "raw": lambda: raw.window(facts, writers, scale.seconds),
            }

        for writers in WRITERS:
            windows = turns(sides(writers), scale, f"{writers} writers", tell)
            found[f"writers_{writers}"] = {
                side: described(all_of_it, "appends") for side, all_of_it in windows.items()
            }
    return Measured({}, found)
