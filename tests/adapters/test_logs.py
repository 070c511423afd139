"""Logs: on standard error alone, quiet unless asked, one line a use case."""

import json
from collections.abc import Iterator

import pytest
import structlog

from adapters import logs
from tests.adapters.play import do, fund, sit_down


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave the logging of other tests alone."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def test_nothing_is_said_unless_asked(ledger, capfd):
    """Not even on standard error, and never on standard output."""
    logs.configure()

    fund(ledger, "ann")

    assert capfd.readouterr() == ("", "")


def test_a_line_is_an_event_with_keys_and_values(ledger, capfd):
    """In a form that programs read where nobody watches, and without any card."""
    logs.configure("info")

    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "look", command_id="a-1")

    out, err = capfd.readouterr()
    lines = [json.loads(line) for line in err.splitlines()]
    assert [line["event"] for line in lines] == [
        *("funds_deposited", "funds_deposited", "hand_opened", "action_taken")
    ]
    assert lines[-1] | {"timestamp": None} == {
        "event": "action_taken",
        "level": "info",
        "timestamp": None,
        "command": "a-1",
        "stream": "hand:h-1",
        "status": "applied",
        "position": 9,
    }
    assert out == ""
    assert "AsAdAh" not in err
