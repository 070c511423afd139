"""Problems: every code there is has a status and a meaning, and none tells what is nobody's."""

import logging
import re

import pytest
from structlog.testing import capture_logs

from adapters.errors import (
    BusyError,
    CardKeyMissingError,
    NotReachedError,
    StoreUnreachableError,
    UnreadableEventError,
)
from adapters.http_api import problems
from adapters.http_api.errors import RequestError
from domain.errors import (
    BadRecordError,
    ConflictError,
    HandExistsError,
    NotYourTurnError,
    RefusalError,
    TooLargeError,
    UnknownHandError,
)
from tests.adapters.http_api.playing import act, deposit, sit_down

# fmt: off
CASES = {
    # error                                                        status  code
    BadRecordError("is none", field="deal"):                      (400, "bad_record"),
    UnknownHandError("none"):                                     (404, "unknown_hand"),
    HandExistsError("one"):                                       (409, "hand_exists"),
    ConflictError("hand:h", expected=4, actual=5):                (409, "conflict"),
    TooLargeError("long"):                                        (413, "too_large"),
    NotYourTurnError("no", seat=1, turn=2):                       (422, "not_your_turn"),
    BusyError(under_way=3):                                       (503, "busy"),
    NotReachedError(projection="hands", position=2, reached=1):   (503, "not_reached"),
    StoreUnreachableError(where="db.secret", reason="secret"):    (503, "store_unreachable"),
    CardKeyMissingError("secret01"):                              (503, "card_key_missing"),
    UnreadableEventError(position=1, topic="t", reason="r"):      (500, "unreadable_event"),
    ValueError("secret"):                                         (500, "internal"),
}
# fmt: on


@pytest.mark.parametrize(("error", "due"), CASES.items(), ids=lambda c: str(type(c).__name__))
def test_each_error_has_its_status(error, due):
    """Where the store is, and what went wrong inside, is told nobody."""
    response = problems.respond(problems.problem(error))

    assert (response.status_code, problems.problem(error).code) == due
    assert b"secret" not in response.body
    assert (response.headers.get("retry-after") is not None) == (due[0] == 503)


def test_every_refusal_has_a_status_a_title_and_a_meaning():
    """A class that is added has all of it."""
    for name, kind in problems.known().items():
        assert 400 <= problems.status_of(kind) < 600, name
        assert problems.title_of(kind), name
        assert re.fullmatch("[a-z_]+", name)
    kinds = problems.known().values()
    assert sum(issubclass(kind, RefusalError) for kind in kinds) > 40
    assert sum(issubclass(kind, RequestError) for kind in kinds) > 8


def test_a_refusal_is_told_with_its_rule_and_its_numbers(client):
    """What programs look at beside what people read."""
    sit_down(client)

    problem = act(client, "fold", 2).json()

    assert problem == {
        "type": "/problems/not_your_turn",
        "title": "Another seat is to act",
        "status": 422,
        "detail": "seat 2 acts; it is the turn of seat 1",
        "code": "not_your_turn",
        "rule": "§3.1",
        "numbers": {"seat": 2, "turn": 1},
    }


# fmt: off
BODIES = {
    # why                     body                              field
    "a float":              (b'{"amount": 10.85}',              "amount"),
    "an exponent":          (b'{"amount": 1e3}',                "amount"),
    "text":                 (b'{"amount": "10"}',               "amount"),
    "no number":            (b'{"amount": NaN}',                "amount"),
    "too much":             (b'{"amount": 9223372036854775808}', "amount"),
    "below zero":           (b'{"amount": -1}',                 "amount"),
    "zero":                 (b'{"amount": 0}',                  "amount"),
    "true":                 (b'{"amount": true}',               "amount"),
    "null":                 (b'{"amount": null}',               "amount"),
    "nothing":              (b"{}",                             "amount"),
    "a field too many":     (b'{"amount": 1, "rake": 2}',       "rake"),
    "no object":            (b"[]",                             "body"),
    "no JSON":              (b"{",                              "1"),
    "a lone surrogate":     (b'{"amount": 1, "actor": "\\ud800"}', "actor"),
    "a null character":     (b'{"amount": 1, "actor": "\\u0000"}', "actor"),
}
# fmt: on


@pytest.mark.parametrize(("body", "field"), BODIES.values(), ids=BODIES)
def test_bad_input_is_refused_by_the_name_of_its_field(client, body, field):
    """Before any write."""
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json"}

    response = client.post("/v1/players/ann/deposits", content=body, headers=headers)

    assert response.status_code == 400
    assert response.json()["field"] == field
    assert client.get("/v1/players/ann/balance").json()["balance"] == 0


def test_what_is_not_there_is_a_problem_too(client):
    """Addresses, methods and types of bodies."""
    headers = {"Idempotency-Key": "k", "Content-Type": "text/plain"}
    gone = client.get("/v2/hands")
    wrong = client.delete("/v1/hands/h")
    typed = client.post("/v1/players/ann/deposits", content=b"{}", headers=headers)

    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method_not_allowed")
    assert wrong.headers["allow"]
    assert (typed.status_code, typed.json()["code"]) == (400, "bad_request")


def test_a_fault_of_ours_is_told_nobody_and_logged_without_its_words(client, monkeypatch, caplog):
    """Neither a trace nor a message goes out; its words may hold a card."""

    def fail(*_: object, **__: object):
        raise ValueError("AsKsQs")

    deposit(client, "ann")
    monkeypatch.setattr(client.app.state.service.views, "balances", fail)
    with capture_logs() as logged, caplog.at_level(logging.DEBUG):
        response = client.get("/v1/players/ann/balance")

    assert response.status_code == 500
    assert response.json()["code"] == "internal"
    assert [line["error"] for line in logged if line["event"] == "request_failed"] == ["ValueError"]
    assert "AsKsQs" not in response.text + str(logged) + caplog.text
