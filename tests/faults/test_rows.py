"""Every fault that the ledger must survive has a test that says so in its own words."""

import ast
from pathlib import Path

import pytest

FAULTS = (
    "one append held open while 11 later ones commit, then released",
    "100 version conflicts burn sequence numbers",
    "20 parallel appends on the same hand version",
    "the COMMIT answer is lost",
    "same command id, other body",
    "restore from backup, then a retried command",
    "six reservations of 1,000 at once from 5,000",
    "void three times",
    "pot 100 among 3 and among 7",
    'amounts 10.85, 1e3, "10", NaN, 2^63, -1, true',
    "every claimant of a layer folded",
    "names 张三🀄, combining marks, both normal forms, U+2028",
    "U+0000 or a lone surrogate in one of a batch of 50",
    "failure after each single SQL statement of an append",
    "writer's clock one hour off",
    "projection stopped and started 200 times",
    "rebuild while live, replay of a window twice",
    "filters on player + table + time + outcome",
    "10,000 events in one append",
    "one event of 1 MB",
    "one event of 17 MB",
    "an event of an unknown type in the middle",
    "kill -9 of the service, of a worker, of PostgreSQL, at random moments",
    "disconnect, timeout, leave",
    "a replay with snapshots, without, from any position",
)


def promises() -> list[str]:
    """Return what the tests beside this one promise, in lower case and on one line each."""
    trees = (
        ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(Path(__file__).parent.glob("test_*.py"))
        if path != Path(__file__)
    )
    return [
        " ".join((ast.get_docstring(node) or "").split()).lower()
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_test(fault):
    """Whose docstring begins with it."""
    assert any(promise.startswith(fault.lower()) for promise in promises())
