"""Logs: on standard error alone, quiet unless asked, one line a use case."""

import json
import os
import sys
from contextlib import suppress
from typing import Any

import pytest

from adapters import logs
from adapters.clock import now
from adapters.commands.asking import Asking
from domain.zhajinhua.play import Action
from tests.adapters.play import balance, do, fund, sit_down
from tests.adapters.stored import execute, projector


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


BY = {"command_id": "c-1", "actor": "ann"}
MOVED = {"player": "ann", "amount": 1}
OPENED = {"rulebook_id": "jiuyou", "table": {}, "dealer": 1, "seats": [], "deal": {}}
DISPUTE = {"dispute": "d-1"}
# fmt: off
LOGGED: dict[str, tuple[str, dict[str, Any]]] = {
    # command             what it is logged as   what is given, beside its id and its actor
    "deposit":          ("funds_deposited",    MOVED),
    "withdraw":         ("funds_withdrawn",    MOVED),
    "name_player":      ("player_named",       {"player": "ann", "name": "Ann"}),
    "erase_player":     ("player_erased",      {"player": "ann", "why": "asked for"}),
    "open_hand":        ("hand_opened",        {"hand": "h-1", **OPENED}),
    "act":              ("action_taken",       {"hand": "h-1", "action": Action("look", 1)}),
    "act_many":         ("actions_taken",      {"hand": "h-1", "actions": []}),
    "void_hand":        ("hand_voided",        {"hand": "h-1", "reason": "misdeal"}),
    "disclose_deck":    ("deck_disclosed",     {"hand": "h-1", "salt": "", "deck": ""}),
    "claim_settlement": ("settlement_claimed", {"hand": "h-1", "settlement": {}, "claimant": "a"}),
    "open_dispute":     ("dispute_opened",     {**DISPUTE, "hand": "h-1", "by": "ann",
                                                "claims": "more", "due": now()}),
    "note_dispute":     ("dispute_noted",      {**DISPUTE, "text": "seen"}),
    "rule_dispute":     ("dispute_ruled",      {**DISPUTE, "verdict": "upheld", "why": "seen"}),
}
# fmt: on


def test_every_command_is_logged_as_what_it_did():
    """Whoever watches the lines tells them apart."""
    asking = Asking(now)
    commands = {name for kind in Asking.__mro__ for name in vars(kind) if not name.startswith("_")}

    logged = {
        name: getattr(asking, name)(**given, **BY).done for name, (_, given) in LOGGED.items()
    }

    assert logged.keys() == commands
    assert logged == {name: done for name, (done, _) in LOGGED.items()}


def test_an_event_that_is_parked_is_told_of_unasked(ledger, store_dsn, capfd):
    """Which one, by whom, and why: a read model that lacks something has to be looked at."""
    logs.configure()
    fund(ledger, "ann", "bob", "cai")
    execute(store_dsn, "UPDATE events SET topic = 'wallet.gifted.v9' WHERE position > 1")

    with projector(store_dsn) as keeper:
        keeper.catch_up(["balances"])

    (line,) = (json.loads(line) for line in capfd.readouterr().err.splitlines())
    assert line | {"timestamp": None} == {
        "event": "events_parked",
        "level": "warning",
        "timestamp": None,
        "projection": "balances",
        "generation": 1,
        "count": 2,
        "position": 2,
        "reason": "its topic is unknown",
    }


def test_where_all_is_taken_in_nothing_is_said(ledger, store_dsn, capfd):
    """So the line above means something."""
    logs.configure()
    fund(ledger, "ann")

    with projector(store_dsn) as keeper:
        keeper.catch_up()

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("is_closed", [False, True], ids=["nobody reads it", "it is closed"])
def test_a_line_that_cannot_be_written_makes_no_error_of_what_is_stored(
    ledger, store_dsn, monkeypatch, is_closed
):
    """Neither of a command, nor of a read model that tells what it parked."""
    reading, writing = os.pipe()
    os.close(reading)
    stream = os.fdopen(writing, "w")
    if is_closed:
        stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure("info")

    fund(ledger, "ann", "bob")
    execute(store_dsn, "UPDATE events SET topic = 'wallet.gifted.v9' WHERE position = 2")
    with projector(store_dsn) as keeper:
        reached = keeper.catch_up(["balances"])

    assert reached == {"balances": 2}
    assert balance(ledger, "ann") > 0
    with suppress(BrokenPipeError):
        stream.close()
