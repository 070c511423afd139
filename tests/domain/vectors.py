"""The vectors of ``tests/vectors``: records with the answer that they must meet."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "vectors"
ANSWERS = ("settlement", "reject")


@cache
def vectors() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return every vector with the name of its file."""
    return tuple(_lines())


def _lines() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, json.loads(line)


@cache
def named(hand: str) -> dict[str, Any]:
    """Return the vector of that hand."""
    (vector,) = (vector for _, vector in vectors() if vector["hand"] == hand)
    return vector


def asked(vector: dict[str, Any]) -> dict[str, Any]:
    """Return the record without its answer."""
    return {name: value for name, value in vector.items() if name not in ANSWERS}
