"""Stored JSON, walked through and changed at one place."""

import json
from collections.abc import Iterator
from typing import Any

Way = tuple[str | int, ...]
"""How to get to a value: field names, and places in lists."""


def nodes(node: Any, path: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Yield every value of a JSON text with the way to it."""
    yield path, node
    if isinstance(node, (dict, list)):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from nodes(value, (*path, key))


def replaced(body: str, path: Way, value: Any) -> str:
    """Return the text with one value in another's place."""
    *way, last = path
    whole = json.loads(body)
    node = whole
    for key in way:
        node = node[key]
    node[last] = value
    return json.dumps(whole)


def removed(body: str, path: Way) -> str:
    """Return the text without one field."""
    *way, last = path
    whole = json.loads(body)
    node = whole
    for key in way:
        node = node[key]
    del node[last]
    return json.dumps(whole)
