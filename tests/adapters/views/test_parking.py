import pytest

from adapters.views.catalogue import READ_MODELS
from adapters.views.projector import Retried
from domain.events import FundsDeposited
from domain.money import Transfer
from domain.stream import Entry
from tests.adapters.stored import (
    BET,
    HANDS,
    agrees,
    event_at,
    execute,
    insert,
    projector,
    replace,
    rows,
    told,
)
from tests.projections.histories import cause_of

MOST = {"balances", "house", "audit_trail"}
"""Those that every event of a hand feeds."""

POISON = {
    # what is wrong         the event's topic and body, and who cannot take it in
    "a topic unknown": ("hand.doubled.v9", "{}", set(READ_MODELS)),
    "no JSON at all": ("hand.bet_called.v1", "{{", MOST | {"hands"}),
    "JSON, but no object": ("hand.bet_called.v1", "[]", MOST | {"hands"}),
    "a field unknown": ("hand.cards_seen.v1", '{"seat":3,"x":1}', MOST),
    "an amount of text": (
        "hand.bet_called.v1",
        '{"transfers":[["seat:1","pot","5","call"]],"seat":1,"seen":true,"by":"choice"}',
        MOST | {"hands"},
    ),
    "a seat that nobody sits in": ("hand.cards_seen.v1", '{"seat":99}', {"audit_trail"}),
    "a bonus for such a seat": (
        "hand.bonus_granted.v1",
        '{"transfers":[["house:bonus","seat:99",5,"bonus"]],"seat":99,"category":"","payer":"house"}',
        {"bonuses", "audit_trail"},
    ),
    "a name that cannot be stored": (
        "hand.bet_called.v1",
        r'{"transfers":[["a\u0000","pot",5,"call"]],"seat":1,"seen":true,"by":"choice"}',
        {"balances", "audit_trail"},
    ),
    "a number that no column holds": (
        "wallet.carry_reserved.v1",
        f'{{"balance":5,"hand":"h1","seat":{2**70}}}',
        {"audit_trail"},
    ),
    "a rulebook unknown": (
        "hand.opened.v1",
        (
            '{"game":"zhajinhua","rulebook":"none","version":1,"digest":"","table":{"ante":5},'
            '"dealer":1,"opener":1,"seats":[],"draws":{}}'
        ),
        {"hands", "audit_trail"},
    ),
}


@pytest.mark.parametrize(("topic", "body", "concerned"), POISON.values(), ids=POISON)
def test_an_event_that_cannot_be_taken_in_is_parked(database, topic, body, concerned):
    """It is kept with its bytes and the reason; every other event is taken in."""
    last, at = insert(database, HANDS), BET
    replace(database, at, topic, body)
    with projector(database) as keeper:
        reached = keeper.catch_up()
        parked = keeper.parked()

        assert reached == dict.fromkeys(READ_MODELS, last)
        assert {event.projection for event in parked} == concerned
        assert {(event.position, event.topic) for event in parked} == {(at, topic)}
        assert all(event.reason for event in parked)
        assert rows(database, "SELECT DISTINCT body FROM parked_events") == [(body,)]
        assert agrees(database)

    trail = told(database).trail
    assert [row.place.position for row in trail] == [n for n in range(1, last + 1) if n != at]


@pytest.mark.parametrize("batch", [29, 10_000])
def test_a_parked_event_is_taken_in_once_it_can_be(database, batch):
    """Afterwards all is as if it had never been parked: what rests on it is told again."""
    insert(database, HANDS)
    with projector(database, batch=batch) as keeper:
        keeper.catch_up()
        expected, at = told(database), BET
        topic, body = event_at(database, at)
        replace(database, at, "hand.doubled.v9", "{}")
        keeper.rebuild()
        assert told(database) != expected
        assert keeper.retry_parked() == dict.fromkeys(READ_MODELS, Retried(0, 1))

        replace(database, at, topic, body)
        retried = keeper.retry_parked()

        assert retried == dict.fromkeys(READ_MODELS, Retried(1, 0))
        assert keeper.parked() == []
        assert told(database) == expected
        assert keeper.retry_parked() == dict.fromkeys(READ_MODELS, Retried(0, 0))


def test_what_stays_parked_says_why_this_time(database):
    """By a program that knows the topic and not the body; since when, and the bytes, stay."""
    insert(database, HANDS)
    with projector(database) as keeper:
        replace(database, BET, "hand.doubled.v9", "{}")
        keeper.catch_up(["balances"])
        (before,) = keeper.parked()
        replace(database, BET, "hand.bet_called.v1", "[]")

        assert keeper.retry_parked(["balances"]) == {"balances": Retried(0, 1)}

        (after,) = keeper.parked()
        assert before == after._replace(reason=before.reason)
        assert before.reason != after.reason
        assert rows(database, "SELECT body FROM parked_events") == [("{}",)]


def test_two_parked_events_of_a_hand_are_taken_in_one_by_one(database):
    """While the later one waits, what rests on it stays unknown; in the end everything is told."""
    insert(database, HANDS)
    with projector(database) as keeper:
        keeper.catch_up(["audit_trail"])
        expected = told(database).trail
        first, second, *_ = [r.place.position for r in expected if r.place.stream == "hand:h20"][5:]
        kept = {at: event_at(database, at) for at in (first, second)}
        for at in kept:
            replace(database, at, "hand.doubled.v9", "{}")
        keeper.rebuild(["audit_trail"])

        for at, (topic, body) in kept.items():
            replace(database, at, topic, body)
            keeper.retry_parked(["audit_trail"])

        assert told(database).trail == expected


def test_ten_thousand_events_of_an_unknown_topic_are_parked_at_once(database):
    """A program older than the history falls behind in no time; a newer one makes up for it."""
    event = FundsDeposited(balance=1, transfers=(Transfer("cashier", "player:a", 1, "deposit"),))
    insert(database, (Entry("wallet:a", n, event, cause_of(n)) for n in range(1, 10_001)))
    execute(database, "UPDATE events SET topic = 'wallet.deposited.v9'")
    with projector(database, batch=5000) as keeper:
        keeper.catch_up(["balances"])
        assert len(keeper.parked()) == 10_000

        execute(database, "UPDATE events SET topic = 'wallet.deposited.v1'")

        assert keeper.retry_parked(["balances"]) == {"balances": Retried(10_000, 0)}
        assert list(keeper.compare_with_fresh_fold(["balances"])) == []
