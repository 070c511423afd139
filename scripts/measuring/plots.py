"""Throughput and p99 by the number of writers, drawn as SVG without a drawing library."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from html import escape
from math import floor, log2, log10
from pathlib import Path
from typing import Any, Final

from scripts.measuring import ours, stock
from scripts.measuring.material import Material, stored
from scripts.measuring.pairs import Measured, Scale, lent_ledger, lent_stock, turns
from scripts.measuring.raw import Raw
from scripts.measuring.servers import scratch
from scripts.measuring.timing import Side, Tell, described, together

WRITERS: Final = (1, 2, 4, 8, 16, 32, 64)

Line = Sequence[tuple[int, float]]
"""Values by number of writers."""

_COLOURS: Final = {"ours": "#c0392b", "stock": "#2c3e50", "raw": "#7f8c8d"}
_NAMES: Final = {
    "ours": "jinhua: rules, receipts, chain, wallets",
    "stock": "eventsourcing: bare aggregate",
    "raw": "INSERT + COMMIT: no rules",
}
_WIDTH: Final = 640
_HEIGHT: Final = 360
_LEFT: Final = 70
_RIGHT: Final = 20
_TOP: Final = 40
_BOTTOM: Final = 90


def sweep(dsn: str, scale: Scale, directory: Path, tell: Tell) -> Measured:
    """Let more and more writers append; draw what came of it into a directory.

    Every side has as many writers as the others; as each pair of pairs.py is defined otherwise.

    Returns:
        The figures by number of writers, by side.
    """
    material = Material(scale.distinct)
    facts = [f for hand in stored(material.records[:50]) for f in hand.of_hand]
    found: dict[str, Any] = {}
    with ExitStack() as stack:
        tables = ours.Tables(stack.enter_context(lent_ledger(dsn)), material)
        app = stack.enter_context(lent_stock(dsn))
        raw = Raw(stack.enter_context(scratch(dsn, migrated=False)))
        for writers in WRITERS:

            def saving(writers: int = writers) -> Any:  # noqa: ANN401 - a window
                return together([stock.saving(app, facts) for _ in range(writers)], scale.seconds)

            sides: dict[str, Side] = {
                "ours": lambda writers=writers: tables.window(writers, scale.seconds),  # type: ignore[misc]
                "stock": saving,
                "raw": lambda writers=writers: raw.window(facts, writers, scale.seconds),  # type: ignore[misc]
            }
            windows = turns(sides, scale, f"{writers} writers", tell)
            found[str(writers)] = {
                side: described(all_of_it, "appends") for side, all_of_it in windows.items()
            }
    directory.mkdir(parents=True, exist_ok=True)
    for name, title, unit in (
        ("per_s", "Appends a second", "appends/s"),
        ("p99_ms", "99 of 100 appends take at most so many ms", "ms"),
    ):
        lines = {
            side: [(writers, float(found[str(writers)][side][name])) for writers in WRITERS]
            for side in _NAMES
        }
        path = directory / f"bench-{name.removesuffix('_ms').replace('_', '-')}.svg"
        path.write_text("\n".join(drawing(title, unit, lines)), encoding="utf-8")
        tell(f"drew {path}")
    return Measured({}, {f"writers_{writers}": sides for writers, sides in found.items()})


def drawing(title: str, unit: str, lines: Mapping[str, Line]) -> Iterator[str]:
    """Yield the lines of an SVG: both axes logarithmic, to base 2 and to base 10.

    Args:
        title: What is drawn.
        unit: Of its values.
        lines: Positive values by side.
    """
    values = [value for line in lines.values() for _, value in line]
    low, high = _decade(min(values)), _decade(max(values)) + 1
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        ' font-family="sans-serif" font-size="12">'
    )
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>'
    yield f'<text x="{_LEFT}" y="24" font-size="15">{escape(title)}, by number of writers</text>'
    for power in range(low, high + 1):
        y = _y(10.0**power, low, high)
        yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#dddddd"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:,g}</text>'
    for writers in WRITERS:
        x, y = _x(writers), _HEIGHT - _BOTTOM
        yield f'<text x="{x:.1f}" y="{y + 18}" text-anchor="middle">{writers}</text>'
    for place, (side, line) in enumerate(lines.items()):
        yield from _drawn(side, line, low, high, unit, place)
    yield "</svg>\n"


def _drawn(side: str, line: Line, low: int, high: int, unit: str, place: int) -> Iterator[str]:
    """Yield one side's line with its points, and what it is called."""
    colour = _COLOURS[side]
    at = [(_x(writers), _y(value, low, high), value) for writers, value in line]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in at)
    yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, y, value in at:
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
            f"<title>{value:,.4g} {unit}</title></circle>"
        )
    y = _HEIGHT - _BOTTOM + 40 + 16 * place
    yield f'<path d="M{_LEFT} {y - 4}h24" stroke="{colour}" stroke-width="2"/>'
    yield f'<text x="{_LEFT + 32}" y="{y}">{escape(_NAMES[side])}</text>'


def _x(writers: int) -> float:
    span = _WIDTH - _LEFT - _RIGHT - 40
    return _LEFT + 20 + span * log2(writers) / log2(WRITERS[-1])


def _y(value: float, low: int, high: int) -> float:
    span = _HEIGHT - _TOP - _BOTTOM
    return _TOP + span * (1 - (log10(value) - low) / (high - low))


def _decade(value: float) -> int:
    return floor(log10(value))
