"""Does it stay as fast as it grows? The same work on ledgers of three sizes, in turns.

All hold hands that are loaded as :mod:`scripts.measuring.loading` does, with every read model
caught up. A ratio is what a piece of work costs on the largest by what it costs on the smallest,
the median over the rounds: 1 is no difference, above it is slower. The one between shows which way
a cost grows.

Whoever asks about any hand of a large ledger asks for pages that nobody had in memory; of a small
one they all are. ``again`` is the same asked about hands that were just asked about: what is left
of the difference there is not the disk's.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle
from math import isqrt
from typing import Any, Final, NamedTuple

import psycopg

from adapters.evidence.checkpoints import make
from adapters.evidence.proofs import hand_proof
from adapters.ledger import Ledger
from adapters.shuffle import Chance
from adapters.simulation.hands import line_of
from adapters.store.postgres import Store
from adapters.views.hand_list import HandFilter
from adapters.views.projector import ROLE, Projector
from adapters.views.views import Views
from scripts.measuring import ours
from scripts.measuring.loading import Loaded, Loader, hand_name, player_name
from scripts.measuring.material import RULEBOOK, SEED, Material
from scripts.measuring.pairs import WRITERS, Measured, Scale, turns
from scripts.measuring.servers import kept, scratch, settle_down
from scripts.measuring.timing import (
    Tell,
    Window,
    described,
    one_core,
    ratio,
    timed,
    together,
)

SMALL_HANDS: Final = 10_000
PAGE: Final = 50  # hands that a filter lists
KNOWN_HANDS: Final = 200  # that are asked about again

_SIZES: Final = """
    SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     ORDER BY pg_total_relation_size(oid) DESC, relname
"""


class Grown(NamedTuple):
    """One of the ledgers."""

    dsn: str
    ledger: Ledger
    projector: Projector
    views: Views
    material: Material
    tables: ours.Tables
    loaded: Loaded
    chance: Chance


Work = Callable[[Grown, Scale], Window]
Ask = Callable[[Grown, int], Iterator[None]]
"""What is asked about a hand, by its number; a question a step."""


def measure(dsn: str, *, hands: int, scale: Scale, tell: Tell, keep: bool = False) -> Measured:
    """Load the ledgers, and do the same work on each.

    Args:
        dsn: Of the server.
        hands: How many the largest has; the smallest has 10,000, or a tenth if that is less.
        scale: Of the windows and rounds.
        tell: Told how it goes.
        keep: Leave the ledgers there, and go on with those that an earlier run has left.
    """
    ratios: dict[str, float] = {}
    absolute: dict[str, Any] = {}
    with ExitStack() as stack:
        ledgers = {
            f"{size}_hands": stack.enter_context(_grown(dsn, size, scale, tell, keep=keep))
            for size in sizes(hands)
        }
        for name, grown in ledgers.items():
            absolute[f"growth_to_{name}"] = {
                "hands": grown.loaded.hands,
                "events": grown.loaded.events,
                **_catch_up(grown, tell),
                **_sizes(grown),
                "checkpoint_s": _checkpointed(grown, tell),
            }
            settle_down(grown.dsn)
        names = list(ledgers)
        for name, (work, unit) in _WORKS.items():
            sides = {side: partial(work, grown, scale) for side, grown in ledgers.items()}
            found = turns(sides, scale, f"growth_{name}", tell)
            ratios[f"growth_{name}"] = ratio(found[names[0]], found[names[-1]])
            absolute[f"growth_{name}"] = {
                side: described(windows, unit) for side, windows in found.items()
            }
    return Measured(ratios, absolute)


def sizes(hands: int) -> list[int]:
    """Return how many hands each ledger has: few, as many as these, and so many times more."""
    few = min(SMALL_HANDS, max(hands // 10, 1))
    return sorted({few, isqrt(few * hands), hands})


@contextmanager
def _grown(dsn: str, hands: int, scale: Scale, tell: Tell, *, keep: bool) -> Iterator[Grown]:
    """Lend a ledger that holds so many hands."""
    material = Material(scale.distinct)

    def load(database: str) -> str:
        with psycopg.connect(database, autocommit=True) as owner:
            events = Loader(owner, material).load(hands, tell).events
        settle_down(database)
        return str(events)

    with ExitStack() as stack:
        if keep:
            database, events = kept(dsn, f"growth_{hands}", load)
        else:
            database = stack.enter_context(scratch(dsn))
            events = load(database)
        ledger = stack.enter_context(Ledger(Store(database)))
        if keep:
            # Each hand of an earlier run took a position at least: its id is among so many.
            material.skip(_last(ledger))
        projecting = stack.enter_context(Store(database, role=ROLE))
        reading = stack.enter_context(Store(database, role="jinhua_reader"))
        yield Grown(
            database,
            ledger,
            Projector(projecting),
            Views(reading),
            material,
            ours.Tables(ledger, material),
            Loaded(hands, int(events)),
            Chance(SEED),
        )


def _last(ledger: Ledger) -> int:
    """Return the last position in use."""
    return ledger.recorder.max_notification_id() or 0


# --- the work ------------------------------------------------------------------------


def _appending(grown: Grown, scale: Scale) -> Window:
    """Append an action at a time, 16 callers at once."""
    return grown.tables.window(WRITERS, scale.seconds)


def _importing(grown: Grown, scale: Scale) -> Window:
    """Import finished hands."""
    return ours.importing(grown.ledger, _lines(grown, scale))


def _verifying(grown: Grown, scale: Scale, *, again: bool = False) -> Window:
    """Verify hands from all over the history, on one core."""
    count = min(scale.hands, grown.loaded.hands)
    chosen = {hand_name(_any_hand(grown)) for _ in range(count)}

    def work() -> int:
        found = deque(grown.ledger.verify(sorted(chosen)), maxlen=1)
        assert not found, found
        return len(chosen)

    with one_core():
        if again:
            work()
        return timed(work)


def _projecting(grown: Grown, scale: Scale) -> Window:
    """Take new events into all read models, which hold all the others already."""
    grown.projector.catch_up()
    report = grown.ledger.import_hands(_lines(grown, scale))

    def work() -> int:
        grown.projector.catch_up()
        return report.events

    return timed(work)


def _asking(grown: Grown, scale: Scale, *, ask: Ask, again: bool = False) -> Window:
    """Ask about hands from all over the history, from one caller."""
    known = [_any_hand(grown) for _ in range(KNOWN_HANDS)] if again else []

    def asking() -> Iterator[None]:
        for hand in cycle(known) if known else iter(partial(_any_hand, grown), None):
            yield from ask(grown, hand)

    for hand in known:
        deque(ask(grown, hand), maxlen=0)
    return together([asking()], scale.seconds)


def _read(grown: Grown, hand: int) -> Iterator[None]:
    """Read it."""
    grown.ledger.hand(hand_name(hand))
    yield


def _list(grown: Grown, hand: int) -> Iterator[None]:
    """List a page of hands by a filter: of a player, of a rulebook, of what happened in them."""
    player = player_name(hand, 1, grown.loaded.hands)
    for wanted in (
        HandFilter(player=player, state="settled"),
        HandFilter(winner=player, rulebook=RULEBOOK),
        HandFilter(rulebook=RULEBOOK, state="settled"),
    ):
        grown.views.hands(wanted, limit=PAGE)
        yield


def _prove(grown: Grown, hand: int) -> Iterator[None]:
    """Write its proof; the checkpoint has been made before."""
    with grown.ledger.store.snapshot() as moment:
        hand_proof(moment, hand_name(hand))
    yield


def _any_hand(grown: Grown) -> int:
    return grown.chance.below(grown.loaded.hands)


_WORKS: Final[Mapping[str, tuple[Work, str]]] = {
    "append": (_appending, "appends"),
    "import": (_importing, "hands"),
    "hand_read": (partial(_asking, ask=_read), "hands"),
    "hand_read_again": (partial(_asking, ask=_read, again=True), "hands"),
    "verify": (_verifying, "hands"),
    "verify_again": (partial(_verifying, again=True), "hands"),
    "projection": (_projecting, "events"),
    "hand_list": (partial(_asking, ask=_list), "pages"),
    "hand_list_again": (partial(_asking, ask=_list, again=True), "pages"),
    "proof": (partial(_asking, ask=_prove), "proofs"),
    "proof_again": (partial(_asking, ask=_prove, again=True), "proofs"),
}


def _lines(grown: Grown, scale: Scale) -> list[str]:
    return [line_of(record) for record, _ in grown.material.next(scale.hands)]


def _catch_up(grown: Grown, tell: Tell) -> dict[str, float]:
    """Take what is missing into every read model; return events a second, if there were any."""
    behind = _last(grown.ledger) - min(grown.projector.positions().values())
    window = timed(lambda: len(grown.projector.catch_up()), behind)
    assert not grown.projector.parked(), grown.projector.parked()[:1]
    if not behind:
        return {}
    rate = behind / window.seconds
    tell(f"read models of {grown.loaded.hands:,} hands: {rate:,.0f} events a second")
    return {"read_models_events_per_s": round(rate, 1)}


def _sizes(grown: Grown) -> dict[str, float]:
    """Return the bytes an event of every table and of its indexes."""
    found = {}
    with psycopg.connect(grown.dsn, autocommit=True) as conn:
        for table, data, indexes in conn.execute(_SIZES):
            found[f"{table}_bytes"] = round(data / grown.loaded.events, 1)
            found[f"{table}_index_bytes"] = round(indexes / grown.loaded.events, 1)
    return found


def _checkpointed(grown: Grown, tell: Tell) -> float:
    """Make a checkpoint, which reads every event; return the seconds."""
    window = timed(lambda: make(grown.ledger.store, None).stored.size)
    tell(f"checkpoint of {grown.loaded.hands:,} hands: {window.rate:,.0f} events a second")
    return round(window.seconds, 3)
