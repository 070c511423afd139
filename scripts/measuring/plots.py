"""Drawings of what was measured: the sweep of writers, and what things cost as a ledger grows."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Figures = Mapping[str, Any]
"""What a run measured, by pair, by side, as its JSON holds it under "absolute"."""

_SIDES: Final = {
    # its name in the drawing, its colour: told apart by whoever sees few colours, too
    "ours": ("jinhua, from an event loop: rules, receipts, chain, wallets", "#c0392b"),
    "threads": ("jinhua, from threads: the same", "#e59866"),
    "stock": ("eventsourcing: bare aggregate", "#2c3e50"),
    "raw": ("INSERT and COMMIT: no rules", "#95a5a6"),
}
_STYLE: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "jinhua",  # the same figures, the same bytes
    "font.size": 9,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_BAR: Final = 1.1  # what a cost on the largest ledger may be of that on the smallest


def draw(figures: Figures, directory: Path) -> list[Path]:
    """Draw whatever of these figures has a drawing; return the files."""
    directory.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(_STYLE):
        return [*_writers(figures, directory), *_growth(figures, directory)]


def _writers(figures: Figures, directory: Path) -> Iterator[Path]:
    """Draw throughput and p99 by the number of writers."""
    counts = [int(name[8:]) for name in figures if name.startswith("writers_")]
    if not counts:
        return
    for name, file, title in (
        ("per_s", "writers-throughput", "appends a second"),
        ("p99_ms", "writers-p99", "99 of 100 appends take at most, ms"),
    ):
        with _drawing(directory / f"{file}.svg", "callers at once", title) as axes:
            for side, (label, colour) in _SIDES.items():
                values = [float(figures[f"writers_{count}"][side][name]) for count in counts]
                axes.plot(counts, values, "o-", color=colour, label=label, markersize=4)
            _logarithmic(axes, counts, "{:g}")
        yield directory / f"{file}.svg"


def _growth(figures: Figures, directory: Path) -> Iterator[Path]:
    """Draw what each piece of work costs by the size of the ledger, of its cost on the smallest."""
    sizes = sorted(int(n.split("_")[2]) for n in figures if n.startswith("growth_to_"))
    if not sizes:
        return
    path = directory / "growth.svg"
    colours = dict[str, str]()
    with _drawing(path, "hands in the ledger", "cost, of that on the smallest ledger") as axes:
        for name, sides in figures.items():
            if name.startswith("growth_") and not name.startswith("growth_to_"):
                rates = [float(sides[f"{size}_hands"]["per_s"]) for size in sizes]
                label = name.removeprefix("growth_").replace("_", " ")
                first = label.removesuffix(" again")  # dashed, and in the same colour
                colour = colours.setdefault(first, f"C{len(colours)}")
                line = "o-" if first == label else "o--"
                axes.plot(sizes, [rates[0] / r for r in rates], line, color=colour, label=label)
        axes.axhline(_BAR, color="#c0392b", linestyle=":", label=f"the bar: {_BAR}")
        axes.set_xscale("log")
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.minorticks_off()
        axes.set_ylim(bottom=0)
    yield path


@contextmanager
def _drawing(path: Path, along: str, up: str) -> Iterator[Axes]:
    """Lend the axes of a drawing, and write it once they are filled."""
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    yield axes
    axes.set_xlabel(along)
    axes.set_ylabel(up)
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def _logarithmic(axes: Axes, ticks: Sequence[int], form: str) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(ticks, [form.format(tick) for tick in ticks])
