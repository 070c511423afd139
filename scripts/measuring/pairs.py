"""The pairs: what of ours is held against what of theirs, and why that is fair.

Both sides of a pair do their work in one run, on one server with its default durability, in turns.
A ratio is the median over the rounds of rate by rate; above 1 ours is the faster. Where a choice
had to be made it was made for the other side, and its docstring says which.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any, Final, NamedTuple

from adapters.ledger import Ledger
from adapters.simulation.hands import line_of
from adapters.store.postgres import Store
from domain.wallet import Wallet
from projections.balances import Balances
from scripts.measuring import ours, stock
from scripts.measuring.material import Fact, Material, stored
from scripts.measuring.raw import Raw
from scripts.measuring.servers import scratch, settle_down
from scripts.measuring.timing import (
    Side,
    Tell,
    Window,
    described,
    interleaved,
    lost,
    one_core,
    ratio,
    together,
)

WRITERS: Final = 16
STOCK_WRITERS: Final = 8


class Scale(NamedTuple):
    """How much is done."""

    rounds: int
    seconds: float  # a window of appends
    hands: int  # imported a round; verified
    projected: int  # hands whose events are projected
    distinct: int  # hands invented
    turns_s: float = inf  # of one pair: no further round begins after so long


QUICK: Final = Scale(rounds=3, seconds=0.6, hands=200, projected=60, distinct=120, turns_s=4.5)
FULL: Final = Scale(rounds=7, seconds=3.0, hands=2000, projected=400, distinct=600)


class Measured(NamedTuple):
    """What came of some pairs."""

    ratios: dict[str, float]
    absolute: dict[str, Any]  # by pair, by side


def measure(dsn: str, scale: Scale, tell: Tell) -> Measured:
    """Measure every pair on a server."""
    tell(f"inventing {scale.distinct} hands")
    material = Material(scale.distinct)
    ratios: dict[str, float] = {}
    absolute: dict[str, Any] = {}
    for pair in (appends, hands, verification, projection):
        found = pair(dsn, material, scale, tell)
        ratios |= found.ratios
        absolute |= found.absolute
    # What the chain costs where it costs more: that is what has to stay below the bar.
    costs = {name: ratios.pop(f"chain_cost_{name}") for name in ("append", "import")}
    absolute["chain_cost"] = costs
    return Measured({**ratios, "chain_cost": max(costs.values())}, absolute)


def appends(dsn: str, material: Material, scale: Scale, tell: Tell) -> Measured:
    """One action an append, against one event a save and one row an INSERT.

    Ours: ``act``. It goes on from where this process left the hand (ADR 0021), decides by the
    rules, and has the store append, under its lock, the action's events with their links, the
    command's receipt and, as a hand ends, its players' wallets. 16 coroutines of one event loop
    (``AsyncLedger``, as a server calls it) share one ledger; each plays hands of its own, one after
    another, opened beforehand. Each one's players are its own, as nobody sits at two tables at
    once. ``threads``: the same from 16 threads (``Ledger``).

    The library's: ``Application.save`` of one event on an aggregate that is kept in memory, as ours
    is; no receipt, no rule. 8 threads, because more of them only wait for its table lock. Its
    events are those of the same hands, wallets aside.

    Raw: the same columns and bytes, inserted a row a transaction by 16 connections, each statement
    prepared and its own transaction. There is no version to be asked for, and positions come from
    a sequence, whose readers would miss rows; no receipt, no chain.

    Alone: the same with one caller, a coroutine or a thread. Without the chain: the same as ours,
    in the same turns, on a store that hashes nothing.
    """
    with _appending(dsn, material) as appending:

        def warmed(sides: Callable[[float], dict[str, Side]], name: str) -> dict[str, list[Window]]:
            for side in sides(scale.seconds / 4).values():
                side()  # every connection made, every statement prepared
            return turns(sides(scale.seconds), scale, name, tell)

        many = warmed(appending.at_once, "append_concurrent")
        one = warmed(appending.alone, "append_single")
    return Measured(
        {
            "append_concurrent_vs_stock": ratio(many["ours"], many["stock"]),
            "append_threads_vs_stock": ratio(many["threads"], many["stock"]),
            "append_concurrent_vs_raw_insert": ratio(many["ours"], many["raw"]),
            "append_single_vs_stock": ratio(one["ours"], one["stock"]),
            "append_single_thread_vs_stock": ratio(one["threads"], one["stock"]),
            "chain_cost_append": lost(many["ours"], many["without_chain"]),
        },
        {
            "append_concurrent": _described(many, "appends"),
            "append_single": _described(one, "appends"),
        },
    )


class _Appending(NamedTuple):
    """Whoever appends, each to a database of its own."""

    tables: ours.Tables
    unchained: ours.Tables
    app: stock.StockLedger
    raw: Raw
    facts: Sequence[Fact]

    def at_once(self, seconds: float) -> dict[str, Side]:
        """Return the sides with many callers, for windows of so long."""
        return {
            "ours": lambda: self.tables.window_async(WRITERS, seconds),
            "threads": lambda: self.tables.window(WRITERS, seconds),
            "stock": lambda: self._saving(STOCK_WRITERS, seconds),
            "raw": lambda: self.raw.window(self.facts, WRITERS, seconds),
            "without_chain": lambda: self.unchained.window_async(WRITERS, seconds),
        }

    def alone(self, seconds: float) -> dict[str, Side]:
        """Return the sides with one caller."""
        return {
            "ours": lambda: self.tables.window_async(1, seconds),
            "threads": lambda: self.tables.window(1, seconds),
            "stock": lambda: self._saving(1, seconds),
        }

    def _saving(self, writers: int, seconds: float) -> Window:
        return together([stock.saving(self.app, self.facts) for _ in range(writers)], seconds)


@contextmanager
def _appending(dsn: str, material: Material) -> Iterator[_Appending]:
    facts = [f for hand in stored(material.records[:50]) for f in hand.of_hand]
    with (
        lent_ledger(dsn) as ledger,
        lent_ledger(dsn, chained=False) as unchained,
        lent_stock(dsn) as app,
        scratch(dsn, migrated=False) as rows,
    ):
        chained, others = ours.Tables(ledger, material), ours.Tables(unchained, material)
        yield _Appending(chained, others, app, Raw(rows), facts)


def hands(dsn: str, material: Material, scale: Scale, tell: Tell) -> Measured:
    """Finished hands, against one save of the same events.

    Ours: ``Ledger.import_hands`` of JSON lines, one caller, batches as it makes them: each line is
    parsed, fingerprinted, played by the rules, its wallets moved, every event linked, a receipt
    written. ``act_many`` is the way of a running table instead: a command opens the hand, another
    takes all its actions.

    The library's: one ``Application.save`` a hand of the same events, the wallets' included, on
    aggregates kept in memory. Its clock runs from events that are taken apart already to the
    commit; it parses no record and decides nothing. It has no way to save hands by the hundred
    that keeps each one's conflict its own.
    """
    with (
        lent_ledger(dsn) as ledger,
        lent_ledger(dsn, chained=False) as unchained,
        lent_stock(dsn) as app,
    ):
        tables = ours.Tables(ledger, material)

        wallets: dict[str, Wallet] = {}

        def batch() -> list[dict[str, Any]]:
            return [record for record, _ in material.next(scale.hands)]

        sides: dict[str, Side] = {
            "ours": lambda: ours.importing(ledger, list(map(line_of, batch()))),
            "stock": lambda: stock.saving_hands(app, stored(batch(), wallets)),
            "without_chain": lambda: ours.importing(unchained, list(map(line_of, batch()))),
            "act_many": lambda: tables.whole(max(scale.hands // 10, 3)),
        }
        found = turns(sides, scale, "hand", tell)
    return Measured(
        {
            "hand_vs_stock": ratio(found["ours"], found["stock"]),
            "hand_act_many_vs_stock": ratio(found["act_many"], found["stock"]),
            "chain_cost_import": lost(found["ours"], found["without_chain"]),
        },
        {
            "hand": _described(found, "hands"),
        },
    )


def verification(dsn: str, material: Material, scale: Scale, tell: Tell) -> Measured:
    """Verify everything, against rebuilding the same hands, and against reading the same bytes.

    Ours: ``Ledger.verify()``: every event of every hand decided again, every wallet, every link,
    gaps and strangers. The library's: ``repository.get`` of each hand, which rebuilds its state
    and checks nothing; the wallets, which ours verifies too, it is spared. So hands a second are
    compared, not events. ``COPY events TO STDOUT`` reads our rows and drops them: the bound that no
    verification can reach.

    The client is kept on one core. The server is not: it is a process of its own, and each side
    waits for it as it must. All that is seconds of a clock, so the server's work is in both sides'
    figures as far as they wait for it.
    """
    chosen = stored([record for record, _ in material.next(scale.hands)])
    of_hands = sum(len(hand.of_hand) for hand in chosen)
    events = sum(len(hand.facts) for hand in chosen)
    with scratch(dsn) as database, lent_stock(dsn) as app, Ledger(Store(database)) as ledger:
        ours.importing(ledger, [hand.line for hand in chosen])
        ids, _ = app.load(chosen)
        app.settle_down()
        settle_down(database)
        with one_core():
            sides: dict[str, Side] = {
                "ours": lambda: ours.verifying(ledger, len(chosen), events),
                "stock": lambda: stock.getting(app, ids, of_hands),
                "copy_out": lambda: ours.copying_out(database, events)._replace(done=len(chosen)),
            }
            found = turns(sides, scale, "verify", tell)
    return Measured(
        {
            "verify_vs_stock": ratio(found["ours"], found["stock"]),
            "verify_vs_copy_out": ratio(found["ours"], found["copy_out"]),
        },
        {"verify": _described(found, "hands")},
    )


def projection(dsn: str, material: Material, scale: Scale, tell: Tell) -> Measured:
    """Catch up with the same events from the first one on: ours all read models, theirs one.

    Ours: ``Projector.catch_up`` of all. The library's: ``ProjectionRunner`` with a view on
    ``PostgresTrackingRecorder`` that keeps balances alone, as its documentation shows: view and
    tracking in one transaction an event. Events that move no chips it never sees, by its own filter
    of topics. Ours with the balances alone is told beside it.

    Every window begins with a fresh copy of its database.
    """
    chosen = stored([record for record, _ in material.next(scale.projected)])
    events = sum(len(hand.facts) for hand in chosen)
    with scratch(dsn) as database, scratch(dsn, migrated=False) as others:
        with Ledger(Store(database)) as ledger:
            ours.importing(ledger, [hand.line for hand in chosen])
        app = stock.StockLedger(stock.environment(others))
        _, last = app.load(chosen)
        app.close()

        def ours_catches_up(names: Collection[str] | None = None) -> Window:
            with scratch(dsn, template=database) as copy:
                settle_down(copy)
                return ours.projecting(copy, events, names)

        def theirs_catches_up() -> Window:
            with scratch(dsn, template=others) as copy:
                settle_down(copy)
                return stock.projecting(copy, last, events)

        sides: dict[str, Side] = {
            "ours": ours_catches_up,
            "stock": theirs_catches_up,
            "ours_balances_alone": lambda: ours_catches_up([Balances.name]),
        }
        found = turns(sides, scale, "projection", tell)
    return Measured(
        {
            "projection_vs_stock": ratio(found["ours"], found["stock"]),
            "projection_balances_vs_stock": ratio(found["ours_balances_alone"], found["stock"]),
        },
        {"projection": _described(found, "events")},
    )


def turns(
    sides: Mapping[str, Side], scale: Scale, name: str, tell: Tell
) -> dict[str, list[Window]]:
    """Let sides take turns, as many as the scale allows."""
    return interleaved(sides, rounds=scale.rounds, name=name, tell=tell, seconds_max=scale.turns_s)


def _described(found: dict[str, list[Window]], unit: str) -> dict[str, Any]:
    return {side: described(windows, unit) for side, windows in found.items()}


@contextmanager
def lent_ledger(dsn: str, *, chained: bool = True) -> Iterator[Ledger]:
    """Lend a ledger on a database of its own, which hashes its events or does not."""
    with scratch(dsn) as database:
        if not chained:
            ours.unchain(database)
        with Ledger(Store(database)) as ledger:
            yield ledger


@contextmanager
def lent_stock(dsn: str) -> Iterator[stock.StockLedger]:
    """Lend the library's application on a database of its own."""
    with scratch(dsn, migrated=False) as database:
        app = stock.StockLedger(stock.environment(database))
        try:
            yield app
        finally:
            app.close()
