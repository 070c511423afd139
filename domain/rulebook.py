"""What every rulebook of every game has: an id, a version, and a digest over all its fields.

A rulebook is data. A hand pins id, version and digest when it opens and is for
ever settled under exactly those; a changed rule is a new version, never an edit.
"""

import hashlib
import json
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A rule that a table may set for itself, and what it may set it to.

    ``minimum`` and ``maximum`` bound integers, inclusively; ``maximum`` None is
    the largest amount. A ``kind`` of ``"flag"`` takes true and false only, and
    one of ``"list"`` a list of ``length`` bounded integers.
    """

    name: str
    kind: str  # "integer", "flag" or "list"
    minimum: int = 0
    maximum: int | None = None
    length: int = 0


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """The part of a rulebook that the ledger reads; each game adds its own fields."""

    id: str
    version: int
    game: str
    name: str  # as its document calls it
    document: str  # the rule document it rests on
    parameters: tuple[Parameter, ...]  # what a table may set

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256, in hex, of every field in canonical JSON."""
        canonical = json.dumps(_plain(self), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    """Return a value as JSON knows it: data classes as objects by field name."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    assert value is None or isinstance(value, (str, int)), value
    return value
