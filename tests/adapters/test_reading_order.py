"""The reading order that ``adapters/__init__.py`` gives is the order in which files import."""

import ast
import re
from pathlib import Path

import pytest

import adapters

ROOT = Path(adapters.__file__).parent
ORDER = re.findall(r"^- ``(\w+)``", adapters.__doc__ or "", re.MULTILINE)


def imported(unit: str) -> set[str]:
    """Return the files and packages of adapters that one of them imports, wherever it does so."""
    files = [ROOT / f"{unit}.py", *(ROOT / unit).rglob("*.py")]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files if file.exists()]
    assert trees, f"{unit} is not there"
    found = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.ImportFrom) and node.module == "adapters":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("adapters."):
            found.add(str(node.module).split(".")[1])
    return found - {unit}


@pytest.mark.parametrize("unit", ORDER)
def test_a_file_imports_only_what_stands_above_it(unit):
    """Whoever reads downwards meets nothing that was not there before."""
    below = ORDER[ORDER.index(unit) :]

    assert imported(unit).isdisjoint(below)


def test_the_list_has_every_file_that_another_imports():
    """What is left out is read by nobody."""
    needed = {name for unit in ORDER for name in imported(unit)}

    assert needed <= set(ORDER)
    assert len(ORDER) == len(set(ORDER)) > 40
