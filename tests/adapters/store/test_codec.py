"""Entries as rows: what is stored of an event, that it reads back, and what cannot be read."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.errors import UnreadableEventError
from adapters.store.codec import (
    RECURRING_CHARACTERS_MAX,
    Codec,
    StoredEntry,
    decode,
    encode,
)
from domain.events import AntePosted, CardsSeen, CarryReserved, FundsDeposited, HandVoided
from domain.money import Transfer
from domain.stream import Cause, Entry
from domain.wallet import wallet_id

CAUSE = Cause("command-1", "ann", datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC))
SAMPLES = {
    f"{number} {line.split()[0]}": line.split(" ", 1)
    for number, line in enumerate(
        (Path(__file__).parents[2] / "domain" / "stored_events.txt")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    if not line.startswith("#")
}


@pytest.mark.parametrize(("topic", "body"), SAMPLES.values(), ids=SAMPLES)
def test_what_was_stored_is_read_and_written_back_byte_for_byte(topic, body):
    """The body of an event is a function of the event alone."""
    assert encode(decode(topic, body, 1)) == body


def test_transfers_are_left_out_only_where_no_chips_moved():
    """Every other field is written, defaults too."""
    looked = CardsSeen(seat=3)
    moved = FundsDeposited(balance=5, transfers=(Transfer("cashier", "player:ann", 5, "deposit"),))

    assert encode(looked) == '{"seat":3}'
    assert json.loads(encode(moved)) == {
        "transfers": [["cashier", "player:ann", 5, "deposit"]],
        "balance": 5,
    }


@pytest.mark.parametrize(
    "name", ["张三🀄", "e\u0301", "é", "a\u2028b", '"quoted" \\ and\nbroken', "x" * 200, "\x7f"]
)
def test_names_come_back_unchanged(name):
    """No form of a name is normalised, escaped away or cut."""
    stored = CarryReserved(balance=0, hand=name, seat=1)

    assert decode(stored.TOPIC, encode(stored), 1) == stored


def test_an_entry_is_a_row_and_back():
    """Stream, version and cause have columns of their own; the position is the row's."""
    entry = Entry(wallet_id("ann"), 7, FundsDeposited(balance=5), CAUSE)

    row = Codec().to_stored_event(entry)

    assert Codec().to_domain_event(row) == entry
    assert (row.originator_id, row.originator_version) == ("wallet:ann", 7)
    assert (row.topic, row.state, row.id) == ("wallet.deposited.v1", b'{"balance":5}', 0)


# fmt: off
UNREADABLE = {
    # why                        topic          body                                reason
    "a topic of tomorrow":      ("hand.doubled", "{}",                               "is unknown"),
    "no JSON":                  ("hand.cards_seen", "{",                             "JSON"),
    "nothing at all":           ("hand.cards_seen", "",                              "JSON"),
    "no object":                ("hand.cards_seen", "[3]",                           "object"),
    "a field is missing":       ("hand.cards_seen", "{}",                            "seat"),
    "a field too many":         ("hand.cards_seen", '{"seat":3,"by":"choice"}',      "by"),
    "a number as text":         ("hand.cards_seen", '{"seat":"3"}',                  "seat"),
    "a number with a point":    ("hand.cards_seen", '{"seat":3.5}',                  "seat"),
    "a truth for a number":     ("hand.cards_seen", '{"seat":true}',                 "seat"),
    "a negative balance":       ("wallet.deposited", '{"balance":-1}',               "balance"),
    "a balance beyond 2^63-1":  ("wallet.deposited", f'{{"balance":{2**63}}}',       "balance"),
    "a transfer of too little": ("wallet.deposited",
                                 '{"balance":1,"transfers":[["a","b",1]]}',          "transfers.0"),
    "an amount as text":        ("wallet.deposited",
                                 '{"balance":1,"transfers":[["a","b","1","c"]]}',    "transfers.0"),
}
# fmt: on


@pytest.mark.parametrize(("topic", "body", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_says_where_and_why(topic, body, reason):
    """An unreadable event names its position, its topic and what is wrong with it."""
    with pytest.raises(UnreadableEventError, match="position 42") as raised:
        decode(f"{topic}.v1", body, 42)

    assert (raised.value.position, raised.value.topic) == (42, f"{topic}.v1")
    assert raised.value.code == "unreadable_event"
    assert reason in raised.value.reason


def test_an_unreadable_row_is_not_an_entry():
    """The base library's mapper gives the same answer."""
    row = StoredEntry("hand:h", 1, HandVoided.TOPIC, b'{"reason":7}', 9, CAUSE)

    with pytest.raises(UnreadableEventError, match=r"position 9 \(hand.voided.v1\).*reason"):
        Codec().to_domain_event(row)


def test_a_body_that_recurs_is_read_once_but_is_no_other_topics():
    """Only short ones of topics that name no hand and no balance; what cannot be read, never."""
    seen = decode("hand.cards_seen.v1", '{"seat":3}', 1)
    long = '{"seat":3' + " " * RECURRING_CHARACTERS_MAX + "}"

    assert decode("hand.cards_seen.v1", '{"seat":3}', 2) is seen
    assert type(decode("hand.ante_posted.v1", '{"seat":3}', 3)) is AntePosted
    assert decode("hand.cards_seen.v1", long, 4) == seen
    assert decode("hand.cards_seen.v1", long, 5) is not decode("hand.cards_seen.v1", long, 6)
    for position in (7, 8):
        with pytest.raises(UnreadableEventError, match=f"position {position}"):
            decode("hand.cards_seen.v1", '{"seat":true}', position)
    deposit = '{"balance":1}'
    assert decode("wallet.deposited.v1", deposit, 9) is not decode(
        "wallet.deposited.v1", deposit, 10
    )
