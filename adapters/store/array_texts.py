"""Arrays as PostgreSQL reads them, each as one text.

psycopg takes every element of a list through Python; that was a quarter of what an append costs.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from psycopg import DataError

_BETWEEN = "\0"  # no text that can be stored holds it


def texts(values: Sequence[str]) -> str:
    r"""Return a ``text[]``: ``["a", 'b"']`` is ``{"a","b\""}``.

    Raises:
        psycopg.DataError: One of them holds U+0000, as no text of PostgreSQL may.
    """
    if not values:
        return "{}"
    joined = _BETWEEN.join(values)
    if joined.count(_BETWEEN) != len(values) - 1:
        raise DataError("a text holds U+0000")
    escaped = joined.replace("\\", "\\\\").replace('"', '\\"')
    return '{"' + escaped.replace(_BETWEEN, '","') + '"}'


def numbers(values: Iterable[int]) -> str:
    """Return an ``integer[]``, or a ``bigint[]``."""
    return "{" + ",".join(map(str, values)) + "}"


def moments(values: Iterable[datetime]) -> str:
    """Return a ``timestamptz[]``, exact to the microsecond."""
    told: list[str] = []
    last: datetime | None = None
    for value in values:  # those of one command are often one and the same
        told.append(told[-1] if value is last else f'"{value}"')
        last = value
    return "{" + ",".join(told) + "}"


def binaries(values: Iterable[bytes | None]) -> str:
    """Return a ``bytea[]``; None is NULL."""
    return "{" + ",".join(["NULL" if v is None else f'"\\\\x{v.hex()}"' for v in values]) + "}"
