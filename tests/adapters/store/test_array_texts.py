"""Arrays as one text each: what PostgreSQL makes of them is what went in."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import psycopg
import pytest

from adapters.store.array_texts import binaries, moments, numbers, texts

AWKWARD = [
    *("", " ", "NULL", "null", "a,b", "{}", "{a}", '"', "\\", '\\"', '","', "\\\\", "\n\t\x1f\x7f"),
    *(
        "张三🀄",
        "e\u0301",
        "\u2028",
        "'",
        "%s",
        "$1",
        "\\x00",
        '{"a": "b\\"c"}',
        "\ufeff",
        "\uffff",
    ),
]
MOMENTS = [
    datetime(2026, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC),
    datetime(1999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=8))),
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, tzinfo=UTC),
]
ARRAYS: dict[str, tuple[str, Callable[[Any], str], list[Any]]] = {
    # why                    type             written           values
    "texts":                 ("text[]",       texts,            AWKWARD),
    "one empty text":        ("text[]",       texts,            [""]),
    "no text":               ("text[]",       texts,            []),
    "numbers":               ("bigint[]",     numbers,          [0, -1, 2**63 - 1, -(2**63)]),
    "no number":             ("integer[]",    numbers,          []),
    "moments":               ("timestamptz[]", moments,         MOMENTS),
    "binaries":              ("bytea[]",      binaries,         [b"", bytes(range(256)), b"\\x41"]),
    "no binary":             ("bytea[]",      binaries,         []),
}  # fmt: skip


@pytest.mark.parametrize("why", ARRAYS)
def test_what_went_in_is_what_is_read(store_dsn, why):
    """Whatever is in them, in their order."""
    kind, written, values = ARRAYS[why]
    with psycopg.connect(store_dsn) as conn:
        conn.execute("SET TIME ZONE 'UTC'")
        row = conn.execute(f"SELECT %s::{kind}", [written(values)]).fetchone()

    assert row == (values,)


@pytest.mark.parametrize("values", [["\0"], ["a", "b\0c"], ["a\0", "b"]])
def test_what_no_text_may_hold_is_refused(values):
    """It would else pass for the end of one element."""
    with pytest.raises(psycopg.DataError, match=r"U\+0000"):
        texts(values)
