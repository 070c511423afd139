"""The reading order that a package's docstring gives is the order in which its files import."""

import ast
import re
from pathlib import Path

import pytest

import adapters

ROOT = Path(adapters.__file__).parent


def order(room: Path) -> list[str]:
    """Return what a package lists, downwards; nothing where it is described otherwise."""
    text = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    return re.findall(r"^- ``(\w+)``", text, re.MULTILINE)


ROOMS = {
    room.name: listed
    for room in [ROOT, *(path.parent for path in sorted(ROOT.glob("*/__init__.py")))]
    if (listed := order(room))
}
UNITS = [(room, unit) for room, listed in ROOMS.items() for unit in listed]


def inside(room: str) -> tuple[Path, str]:
    """Return where a package is, and its name."""
    return (ROOT, "adapters") if room == "adapters" else (ROOT / room, f"adapters.{room}")


def imported(room: str, unit: str) -> set[str]:
    """Return what one file or package of a package imports of the others, wherever it does so."""
    path, package = inside(room)
    files = [path / f"{unit}.py", *(path / unit).rglob("*.py")]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files if file.exists()]
    assert trees, f"{unit} is not there"
    found = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
            found.add(str(node.module).removeprefix(f"{package}.").split(".")[0])
    return found - {unit}


@pytest.mark.parametrize(("room", "unit"), UNITS)
def test_a_file_imports_only_what_stands_above_it(room, unit):
    """Whoever reads downwards meets nothing that was not there before."""
    listed = ROOMS[room]

    assert imported(room, unit).isdisjoint(listed[listed.index(unit) :])


@pytest.mark.parametrize("room", ROOMS)
def test_a_list_has_every_file_that_it_needs(room):
    """Whoever reads it downwards is sent nowhere else in the package."""
    needed = {name for unit in ROOMS[room] for name in imported(room, unit)}

    assert needed <= {*ROOMS[room]}
    assert len(ROOMS[room]) == len({*ROOMS[room]})


def test_every_room_has_a_list():
    """One that is described otherwise would be held to nothing."""
    rooms = {file.parent.name for file in ROOT.glob("*/__init__.py")}

    assert rooms | {"adapters"} == ROOMS.keys()
