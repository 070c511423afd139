"""What writes over HTTP: keys, versions, and what is said of a command that was given before."""

import pytest

from adapters.http_api.callers import Caller
from adapters.registers.api_keys import Role
from tests.adapters.http_api.playing import act, deposit, opening, post, sit_down

HAND = "/v1/hands/t1%2F1"


def code(response) -> tuple[int, str]:
    """Return the status of a problem and its code."""
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == response.status_code
    return response.status_code, problem["code"]


# --- idempotency -----------------------------------------------------------------------


def test_a_command_given_again_gets_its_first_answer(client):
    """Byte for byte, but for the word that says so; and nothing is stored twice."""
    sit_down(client)
    first = act(client, "call", 1)
    again = act(client, "call", 1)

    assert (first.status_code, again.status_code) == (200, 200)
    assert (first.json()["status"], again.json()["status"]) == ("applied", "replayed")
    assert first.content.replace(b"applied", b"replayed") == again.content
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert client.get(HAND).json()["version"] == 5


def test_another_command_under_the_same_key_is_refused(client):
    """It names the field that differs; nothing of it happens."""
    deposit(client, "ann", 5, key="k")

    other = deposit(client, "ann", 6, key="k")

    assert code(other) == (409, "command_id_reused")
    assert other.json()["field"] == "amount"


# fmt: off
KEYS = {
    # why                              header                    the same key as
    "bare":                           ("8e03978e",               '"8e03978e"'),
    "quoted":                         ('"8e03978e"',             "8e03978e"),
    "a quote inside of it":           (r'"a\"b"',               r'"a\"b"'),
    "a space inside of quotes":       ('"a b"',                  '"a b"'),
}
BAD_KEYS = {
    # why                              header                    code
    "none":                           (None,                     "idempotency_key_missing"),
    "empty":                          ("",                       "bad_request"),
    "empty quotes":                   ('""',                     "bad_request"),
    "not closed":                     ('"a',                     "bad_request"),
    "two of them":                    ('"a", "b"',               "bad_request"),
    "a space":                        ("a b",                    "bad_request"),
    "a parameter":                    ('"a";b=1',                "bad_request"),
    "too long":                       ("a" * 201,                "bad_request"),
}
# fmt: on


@pytest.mark.parametrize(("header", "same"), KEYS.values(), ids=KEYS)
def test_a_key_is_a_string_as_structured_fields_have_it(client, header, same):
    """With its quotes or without."""
    first, again = deposit(client, "ann", 5, key=header), deposit(client, "ann", 5, key=same)

    assert (first.json()["status"], again.json()["status"]) == ("applied", "replayed")
    assert first.json()["command_id"] == again.json()["command_id"]


@pytest.mark.parametrize(("header", "why"), BAD_KEYS.values(), ids=BAD_KEYS)
def test_what_is_no_key_is_refused(client, header, why):
    """Before anything is decided."""
    headers = {} if header is None else {"Idempotency-Key": header}

    response = client.post("/v1/players/ann/deposits", json={"amount": 5}, headers=headers)

    assert code(response) == (400, why)
    assert response.json()["field"] == "Idempotency-Key"


def test_two_headers_with_keys_are_one_too_many(client):
    """Which one is meant is not for us to guess."""
    headers = [("Idempotency-Key", "a"), ("Idempotency-Key", "b")]

    response = client.post("/v1/players/ann/deposits", json={"amount": 5}, headers=headers)

    assert code(response) == (400, "bad_request")


WRITES = [
    ("/v1/hands", opening()),
    (f"{HAND}/actions", {"do": "call", "seat": 1}),
    (f"{HAND}/actions:batch", {"actions": [{"do": "call", "seat": 1}]}),
    (f"{HAND}/void", {"reason": "x"}),
    (f"{HAND}/deck", {"salt": "00" * 32, "deck": "As" * 52}),
    (f"{HAND}/claims", {"claimant": "x", "settlement": {"pot": 1}}),
    ("/v1/players/ann/deposits", {"amount": 1}),
    ("/v1/players/ann/withdrawals", {"amount": 1}),
]


def test_whatever_writes_wants_a_key(client):
    """All of it but an import, in which each hand is its own key."""
    document = client.get("/openapi.json").json()
    posts = {path for path, item in document["paths"].items() if "post" in item}

    told = [code(client.post(address, json=body)) for address, body in WRITES]

    assert len(posts) == len(WRITES) + 1, posts
    assert told == [(400, "idempotency_key_missing")] * len(WRITES)


# --- versions --------------------------------------------------------------------------


def test_the_etag_of_a_hand_is_its_version(client):
    """Of every answer about it; who has it already gets no body."""
    opened = sit_down(client)
    acted = act(client, "call", 1, If_Match=opened.headers["etag"])
    read = client.get(HAND)

    assert (opened.headers["etag"], acted.headers["etag"]) == ('"4"', '"5"')
    assert read.headers["etag"] == '"5"'
    assert opened.headers["location"] == HAND
    same = client.get(HAND, headers={"If-None-Match": '"5"'})
    assert (same.status_code, same.content) == (304, b"")


def test_an_action_on_a_hand_that_has_moved_on_is_refused(client):
    """412 for whoever says what it expects; with the versions."""
    sit_down(client)
    act(client, "call", 1)

    late = act(client, "call", 2, If_Match='"4"')
    batch = {"actions": [{"do": "call", "seat": 2}]}
    late_batch = post(client, f"{HAND}/actions:batch", "b", batch, If_Match='"4"')
    late_void = post(client, f"{HAND}/void", "v", {"reason": "x"}, If_Match='"4"')

    for response in (late, late_batch, late_void):
        assert code(response) == (412, "conflict")
        numbers = response.json()["numbers"]
        assert (numbers["expected"], numbers["actual"]) == (4, 5)
    assert act(client, "call", 2, key="now", If_Match="*").status_code == 200


@pytest.mark.parametrize("tag", ["4", '"four"', 'W/"4"', '"4", "5"', '"0"', '"-1"', "", '"04"'])
def test_what_is_no_etag_of_a_hand_is_refused(client, tag):
    """Nothing is done on a guess."""
    sit_down(client)

    assert code(act(client, "call", 1, If_Match=tag)) == (400, "bad_request")
    assert client.get(HAND).json()["version"] == 4


# --- ids in paths ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "hand", ["t1/1", "张三🀄/一局", "a b?c#d", "50%2F50", "../x", "t1/1/actions", "a:batch", "é"]
)
def test_a_hand_may_have_any_id(client, hand):
    """Slashes and percent signs too; each is another hand."""
    opened = sit_down(client, hand)
    acted = act(client, "call", 1, hand=hand)
    read = client.get(opened.headers["location"])

    assert (opened.status_code, acted.status_code) == (201, 200)
    assert read.json()["hand"] == hand
    assert read.json()["version"] == 5


def test_an_id_that_is_no_text_is_refused(client):
    """Bytes that are no UTF-8, or too many."""
    assert code(client.get("/v1/hands/%ff%fe")) == (400, "bad_request")
    assert code(client.get(f"/v1/hands/{'a' * 201}")) == (400, "bad_request")
    assert code(client.get("/v1/hands/a%00b")) == (400, "bad_request")


# --- batches ---------------------------------------------------------------------------


def test_a_batch_is_taken_whole_or_as_far_as_it_goes(client):
    """An atomic one changes nothing; another says how far it came, and why no further."""
    sit_down(client)
    actions = [{"do": "call", "seat": 1}, {"do": "call", "seat": 1}]

    whole = post(client, f"{HAND}/actions:batch", "b-1", {"actions": actions})
    part = post(client, f"{HAND}/actions:batch", "b-2", {"actions": actions, "atomic": False})

    assert code(whole) == (422, "not_your_turn")
    assert whole.json()["numbers"]["at"] == 1
    answer = part.json()["answer"]
    assert (answer["applied"], answer["version"]) == (1, 5)
    assert answer["refusal"]["code"] == "not_your_turn"


# --- who may ---------------------------------------------------------------------------


def test_a_key_bound_to_tables_writes_their_hands_and_no_wallet(calling):
    """Whether a foreign hand is there or not is the same to it."""
    with calling() as service, calling(Caller("t1", Role.SERVICE, ("t1",))) as bound:
        sit_down(service, "t1/1")
        sit_down(service, "t10/1")

        assert act(bound, "call", 1).status_code == 200
        for hand in ("t10/1", "t10/2", "t1"):
            assert code(act(bound, "call", 1, hand=hand)) == (403, "not_allowed")
        assert code(post(bound, "/v1/hands", "o", opening("t2/1"))) == (403, "not_allowed")
        assert code(deposit(bound, "ann", key="d")) == (403, "not_allowed")
        assert code(bound.get("/v1/hands/t10%2F1")) == (403, "not_allowed")
        assert [h["hand"] for h in bound.get("/v1/hands?min_position=12").json()["hands"]] == [
            "t1/1"
        ]


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.INVESTIGATOR, Role.PLAYER])
def test_only_a_service_writes(calling, role):
    """Whatever it is, and whatever its table."""
    with calling(Caller("somebody", role, player="ann")) as client:
        told = [code(post(client, address, "k", body)) for address, body in WRITES]
        told.append(code(client.post("/v1/imports", content=b"")))

    assert told == [(403, "not_allowed")] * (len(WRITES) + 1)
