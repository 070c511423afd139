"""The cards of a running hand over HTTP: every query, in every view, for every role."""

import io
from typing import Any

import pytest
import structlog

from adapters import logs
from adapters.http_api.callers import Caller
from adapters.http_api.openapi import operations
from adapters.registers.api_keys import Role
from domain.zhajinhua.wording import faces
from tests.adapters.commands.test_live_privacy import DEAL, KEY, PLAYERS, leaks
from tests.adapters.http_api.keys import key
from tests.adapters.http_api.playing import act, opening, post, sit_down
from tests.adapters.http_api.test_feed import messages, running, stream

HAND = "/v1/hands/t1%2F1"
VIEWS = ["", "?view=auditor", "?view=public", "?view=seat&seat=2", "?lang=zh"]
CALLERS = [
    Caller("service", Role.SERVICE),
    Caller("auditor", Role.AUDITOR),
    Caller("investigator", Role.INVESTIGATOR),
    Caller("player", Role.PLAYER, player="bob"),
    Caller("player", Role.PLAYER, player="dan"),
]
LIVE: dict[str, Any] = {
    "players": PLAYERS,
    "deal": {str(seat): cards for seat, cards in DEAL.items()},
    "dealer": 3,
}


@pytest.fixture(params=["clear", "sealed"])
def card_key(request, monkeypatch):
    """The same with a card key and without."""
    if request.param == "sealed":
        monkeypatch.setenv("JINHUA_CARD_KEY", KEY.hex())


@pytest.fixture
def live(card_key, client):  # noqa: ARG001 - read where the application starts
    """A running hand of three, in which seat 1 has looked."""
    assert sit_down(client, **LIVE).status_code == 201
    assert act(client, "look", 1).status_code == 200
    return client


def addresses(client):
    """Yield the address of everything that can be read, in every view."""
    names = {"hand": "t1%2F1", "player": "ann", "code": "bad_deal", "rulebook": "jiuyou"}
    names |= {"size": "1"}
    for address, method, _ in operations(client.get("/openapi.json").json()):
        if method == "get":
            for view in VIEWS if "{hand}" in address else [""]:
                yield address.format(**names) + view


@pytest.mark.parametrize("caller", CALLERS, ids=lambda c: f"{c.role}-{c.player}")
def test_no_query_tells_a_card_of_a_running_hand(live, calling, caller):
    """Whoever asks, and whatever they ask for; a seat that has not looked sees nothing either."""
    with calling(caller) as asking:
        told = {address: asking.get(address).text for address in addresses(live)}

    assert {address: leaks(text) for address, text in told.items() if leaks(text)} == {}
    is_stranger = caller.player == "dan"
    assert any('"state":"running"' in text for text in told.values()) != is_stranger


def test_a_seat_that_has_looked_sees_its_own_cards_and_no_other(live, calling):
    """Its player, and the service that deals to it."""
    asked = f"{HAND}?view=seat&seat=1"
    with calling(Caller("ann", Role.PLAYER, player="ann")) as ann:
        for told in (live.get(asked), ann.get(asked), ann.get(HAND)):
            assert [seat["cards"] for seat in told.json()["seats"]] == [DEAL[1], None, None]
        assert leaks(ann.get(f"{HAND}?view=public").text) == set()
        assert ann.get(f"{HAND}?view=seat&seat=2").status_code == 403


@pytest.mark.parametrize("what", ["events", "timeline", "explanation", "verification", "proof"])
def test_what_a_seat_is_told_of_its_hand_holds_no_other_s_cards(live, calling, what):
    """Its own, where it has looked and they are told at all."""
    own = leaks(f"{DEAL[1]} {faces(DEAL[1])}")
    with calling(Caller("ann", Role.PLAYER, player="ann")) as ann:
        told = [ann.get(f"{HAND}/{what}{view}").text for view in ("", "?view=seat&seat=1")]
        told += [live.get(f"{HAND}/{what}?view=seat&seat=1").text]

    assert all(leaks(text) <= own for text in told)
    assert (leaks(told[0]) != set()) == (what in {"events", "timeline"})


def test_no_stream_tells_a_card_of_a_running_hand(live, store_dsn):
    """Neither what happened nor what is happening; whoever wants the cards asks once it is over."""
    service = key(store_dsn, Role.SERVICE)
    with running(store_dsn) as address, stream(address, service) as response:
        act(live, "look", 2)
        head = live.get("/v1/events").json()["head"]
        told = []
        for last, event in messages(response):
            told.append(event)
            if int(last) == head:
                break
    post(live, f"{HAND}/void", "v", {"reason": "misdealt"})
    over = live.get(f"{HAND}/events").text

    assert len(told) == head
    assert leaks(str(told)) == set()
    assert leaks(over) >= {*DEAL.values()}


def test_no_log_tells_a_card(live, calling, monkeypatch):
    """Whatever is asked, refused, or goes wrong, and however much is logged."""
    log = io.StringIO()
    logs.configure("debug")
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(file=log))
    for give in WRONG.values():
        give(live)
    for address in addresses(live):
        live.get(address)
    live.get(f"{HAND}?view=seat&seat=1")
    with calling(Caller("ann", Role.PLAYER, player="ann")) as ann:
        ann.get(HAND)

    def fail(*_: object) -> None:
        raise RuntimeError(f"no good: {dict(DEAL)}")

    monkeypatch.setattr("adapters.http_api.queries.timeline", fail)
    failed = live.get(HAND)

    assert failed.status_code == 500
    assert "request_failed" in log.getvalue()
    assert leaks(failed.text) == leaks(log.getvalue()) == set()


@pytest.mark.usefixtures("live")
def test_a_stranger_is_told_that_there_is_no_hand(calling):
    """As of one that was never opened."""
    with calling(Caller("dan", Role.PLAYER, player="dan")) as dan:
        there, nowhere = dan.get(HAND), dan.get("/v1/hands/t1%2F2")

    assert there.status_code == nowhere.status_code == 404
    assert there.json()["code"] == nowhere.json()["code"]


WRONG = {
    "opened again": lambda client: sit_down(client, **LIVE, hand="t1/1", rulebook="platform"),
    "opened with a field too many": lambda client: post(
        client, "/v1/hands", "w-1", opening("t1/2", **LIVE) | {"cards": list(DEAL.values())}
    ),
    "opened with a deal of numbers": lambda client: post(
        client, "/v1/hands", "w-2", opening("t1/2") | {"deal": list(DEAL.values())}
    ),
    "a verb that is cards": lambda client: act(client, "call", 9),
    "looked twice": lambda client: act(client, "look", 1, key="w-3"),
    "an action with cards": lambda client: act(client, "look", 1, key="w-4", cards=DEAL[1]),
}


@pytest.mark.parametrize("case", WRONG)
def test_no_problem_tells_a_card(live, case):
    """What was refused is named, and not what was in it."""
    response = WRONG[case](live)

    assert 400 <= response.status_code < 500
    assert leaks(response.text) == set()


def test_a_card_that_is_told_is_found(live, monkeypatch):
    """Planted: everybody sees everything."""
    monkeypatch.setattr("adapters.ledger.as_seen", lambda events, _seat: events)

    assert leaks(live.get(HAND).text) >= {DEAL[1], DEAL[3]}


def test_a_card_that_the_feed_tells_is_found(live, monkeypatch):
    """Planted: a running hand is taken for one that is over."""
    monkeypatch.setattr("adapters.following._shown", lambda _conn, events: events)

    assert leaks(live.get("/v1/events").text) >= {*DEAL.values()}
