"""Every route, for every role, at its own table and at a foreign one.

Whatever the application routes is in the table below: a route that is added fails until it is.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from adapters.http_api import app as app_module
from adapters.http_api import commands
from adapters.registers.api_keys import Role
from adapters.settings import Settings
from tests.adapters.http_api.keys import application, bearer, key
from tests.adapters.http_api.playing import act, opening, sit_down

OWN, FOREIGN = "/v1/hands/t1%2F1", "/v1/hands/t2%2F1"


class Route(NamedTuple):
    """Who may call a route, and with what it is tried: at the table t1, or about Ann."""

    who: str
    address: str
    body: Any = None


_CALL = {"do": "call", "seat": 1}
_DECK = {"salt": "00" * 32, "deck": "As" * 52}
_CLAIM = {"claimant": "x", "settlement": {"pot": 1}}
_CHIP = {"amount": 1}
_ANN = "/v1/players/ann"

# fmt: off
ROUTES: Mapping[tuple[str, str], Route] = {
    ("POST", "/v1/hands"): Route("t1 writes", "/v1/hands", opening("t1/2")),
    ("POST", "/v1/hands/{hand}/actions"): Route("t1 writes", f"{OWN}/actions", _CALL),
    ("POST", "/v1/hands/{hand}/actions:batch"):
        Route("t1 writes", f"{OWN}/actions:batch", {"actions": [_CALL]}),
    ("POST", "/v1/hands/{hand}/void"): Route("t1 writes", f"{OWN}/void", {"reason": "x"}),
    ("POST", "/v1/hands/{hand}/deck"): Route("t1 writes", f"{OWN}/deck", _DECK),
    ("POST", "/v1/hands/{hand}/claims"): Route("t1 writes", f"{OWN}/claims", _CLAIM),
    ("POST", "/v1/players/{player}/deposits"): Route("unbound writes", f"{_ANN}/deposits", _CHIP),
    ("POST", "/v1/players/{player}/withdrawals"):
        Route("unbound writes", f"{_ANN}/withdrawals", _CHIP),
    ("POST", "/v1/imports"): Route("any writes", "/v1/imports", ""),
    ("GET", "/v1/hands/{hand}"): Route("of t1", OWN),
    ("GET", "/v1/hands/{hand}/events"): Route("of t1", f"{OWN}/events"),
    ("GET", "/v1/hands/{hand}/timeline"): Route("of t1", f"{OWN}/timeline"),
    ("GET", "/v1/hands/{hand}/explanation"): Route("of t1", f"{OWN}/explanation"),
    ("GET", "/v1/hands/{hand}/verification"): Route("of t1", f"{OWN}/verification"),
    ("GET", "/v1/hands/{hand}/proof"): Route("of t1", f"{OWN}/proof"),
    ("GET", "/v1/hands"): Route("filtered", "/v1/hands"),
    ("GET", "/v1/players/{player}/balance"): Route("Ann's", f"{_ANN}/balance"),
    ("GET", "/v1/players/{player}/statement"): Route("Ann's", f"{_ANN}/statement"),
    ("GET", "/v1/players/{player}/bonuses"): Route("Ann's", f"{_ANN}/bonuses"),
    ("GET", "/v1/bonuses"): Route("of all", "/v1/bonuses"),
    ("GET", "/v1/house"): Route("of all", "/v1/house"),
    ("GET", "/v1/audit-trail"): Route("filtered, no player", "/v1/audit-trail"),
    ("GET", "/v1/events"): Route("filtered, no player", "/v1/events"),
    ("GET", "/v1/checkpoints"): Route("any key", "/v1/checkpoints"),
    ("GET", "/v1/checkpoints/{size}"): Route("any key", "/v1/checkpoints/1"),
    ("GET", "/v1/rulebooks"): Route("any key", "/v1/rulebooks"),
    ("GET", "/v1/rulebooks/{rulebook}"): Route("any key", "/v1/rulebooks/jiuyou"),
    ("GET", "/healthz"): Route("anybody", "/healthz"),
    ("GET", "/readyz"): Route("anybody", "/readyz"),
    ("GET", "/metrics"): Route("anybody", "/metrics"),
    ("GET", "/problems/{code}"): Route("anybody", "/problems/busy"),
    ("GET", "/openapi.json"): Route("anybody", "/openapi.json"),
}

CALLERS: Mapping[str, dict[str, Any]] = {
    "service":          {"role": Role.SERVICE},
    "service t1":       {"role": Role.SERVICE, "tables": ["t1"]},
    "service t2":       {"role": Role.SERVICE, "tables": ["t2"]},
    "service t":        {"role": Role.SERVICE, "tables": ["t"]},  # a prefix, but of no table
    "auditor":          {"role": Role.AUDITOR},
    "auditor t1":       {"role": Role.AUDITOR, "tables": ["t1"]},
    "auditor t2":       {"role": Role.AUDITOR, "tables": ["t2"]},
    "investigator":     {"role": Role.INVESTIGATOR},
    "investigator t1":  {"role": Role.INVESTIGATOR, "tables": ["t1"]},
    "investigator t2":  {"role": Role.INVESTIGATOR, "tables": ["t2"]},
    "Ann":              {"role": Role.PLAYER, "player": "ann"},
    "Dan":              {"role": Role.PLAYER, "player": "dan"},
}

SERVICES = {"service", "service t1", "service t2", "service t"}
READERS = CALLERS.keys() - {"Ann", "Dan"}
UNBOUND = {"service", "auditor", "investigator"}
AT_T1 = {"service t1", "auditor t1", "investigator t1"}

MAY: Mapping[str, set[str]] = {
    "t1 writes":           {"service", "service t1"},
    "unbound writes":      {"service"},
    "any writes":          SERVICES,
    "of t1":               UNBOUND | AT_T1 | {"Ann"},
    "filtered":            set(CALLERS),
    "filtered, no player": READERS,
    "Ann's":               UNBOUND | {"Ann"},
    "of all":              UNBOUND,
    "any key":             set(CALLERS),
    "anybody":             {*CALLERS, "nobody"},
}
# fmt: on


def routed() -> set[tuple[str, str]]:
    """Return everything that the application routes: method and path."""
    return {
        (method, route.path)
        for router in (commands.router, *app_module._ROUTERS)
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }


def test_every_route_is_in_the_table():
    """And nothing else is; nothing is routed past the routers."""
    app = app_module.create_app(Settings(dsn="postgresql://127.0.0.1:1/none"))

    assert routed() == ROUTES.keys()
    assert len(app.routes) == len(commands.router.routes) + len(app_module._ROUTERS)


@pytest.fixture
def holders(store_dsn):
    """A hand of Ann and Bob at t1, over, and one of Cai and Dan at t2, running; with all keys."""
    keys = {
        who: key(store_dsn, given["role"], *given.get("tables", ()), player=given.get("player"))
        for who, given in CALLERS.items()
    }
    with application(store_dsn) as client:
        client.headers.update(bearer(keys["service"]))
        sit_down(client, "t1/1")
        act(client, "fold", 1, hand="t1/1")
        last = sit_down(client, "t2/1", players=("cai", "dan")).json()["last_position"]
        client.get("/v1/audit-trail", params={"min_position": last})
        client.get("/v1/hands", params={"min_position": last})
        del client.headers["Authorization"]
        yield client, {**{who: bearer(text) for who, text in keys.items()}, "nobody": {}}


def ask(client: TestClient, method: str, route: Route, headers: Mapping[str, str], key: str):
    """Make the request of a route."""
    given = {**headers, "Idempotency-Key": key.replace(" ", "-")}
    if isinstance(route.body, str):
        return client.request(method, route.address, content=route.body, headers=given)
    return client.request(method, route.address, json=route.body, headers=given)


def is_let(response) -> bool:
    """Tell whether a caller was let in; what became of the request is another matter."""
    if response.is_success:
        return True
    # Who sits in none of its seats is not told that there is such a hand.
    return response.json()["code"] not in {"unauthenticated", "not_allowed", "unknown_hand"}


def test_every_route_lets_in_whom_it_should(holders):
    """And nobody else: at the own table, at a foreign one, about oneself, about another."""
    client, headers = holders
    told = {
        (method, path): {
            who
            for who, given in headers.items()
            if is_let(ask(client, method, route, given, f"{who}:{path}"))
        }
        for (method, path), route in ROUTES.items()
    }

    assert told == {at: MAY[route.who] for at, route in ROUTES.items()}


def test_who_is_not_let_in_is_told_why_and_nothing_more(holders):
    """401 without a key, 403 with one; no hand of another is named, and nothing is done."""
    client, headers = holders
    before = client.get("/v1/events", headers=headers["auditor"]).json()["head"]
    for (method, path), route in ROUTES.items():
        for who in headers.keys() - MAY[route.who]:
            response = ask(client, method, route, headers[who], f"{who}:{path}")
            status = (
                401 if who == "nobody" else 404 if route.who == "of t1" and who == "Dan" else 403
            )
            assert (response.status_code, who) == (status, who), (path, response.text)
            assert response.headers["content-type"] == "application/problem+json"

    assert client.get("/v1/events", headers=headers["auditor"]).json()["head"] == before


SEES = {
    # whoever reads      sees of t1, and of t2
    "service":          (True, True),
    "service t1":       (True, False),
    "service t2":       (False, True),
    "service t":        (False, False),
    "auditor":          (True, True),
    "auditor t1":       (True, False),
    "auditor t2":       (False, True),
    "investigator":     (True, True),
    "investigator t1":  (True, False),
    "investigator t2":  (False, True),
    "Ann":              (True, False),
    "Dan":              (False, True),
}  # fmt: skip


@pytest.mark.parametrize("path", [at[1] for at, r in ROUTES.items() if r.who.startswith("filter")])
def test_lists_hold_what_their_reader_may_see(holders, path):
    """Hands of foreign tables are in none of them, nor who played there, nor any wallet."""
    client, headers = holders
    for who in MAY[ROUTES["GET", path].who]:
        response = client.get(path, headers=headers[who])
        assert response.status_code == 200
        text = response.text
        assert ('"t1/1"' in text, '"t2/1"' in text) == SEES[who], who
        assert ('"ann"' in text, '"cai"' in text) == SEES[who], who
        assert ("wallet" in text) == (who in UNBOUND and path != "/v1/hands"), who


def test_a_condition_gives_nothing_that_the_key_does_not(holders):
    """Whatever is asked for, by hand or by player, of lists and of the feed's positions."""
    client, headers = holders
    for address in ("/v1/hands?player=cai", "/v1/audit-trail?player=cai"):
        for who in ("auditor t1", "service t1"):
            rows = client.get(address, headers=headers[who]).json()
            assert next(iter(rows.values())) == [], (address, who)
    named = client.get("/v1/audit-trail?hand=t2/1", headers=headers["auditor t1"])
    assert (named.status_code, named.json()["code"]) == (403, "not_allowed")
    other = client.get("/v1/hands?player=cai", headers=headers["Dan"])
    assert (other.status_code, other.json()["code"]) == (403, "not_allowed")


def test_a_player_has_the_eyes_of_the_own_seat(holders):
    """Of a hand that runs: not those of another, of an auditor, or of another hand's."""
    client, headers = holders
    dan = headers["Dan"]

    own = client.get(f"{FOREIGN}?view=seat&seat=2", headers=dan)
    asked = {
        "another's": client.get(f"{FOREIGN}?view=seat&seat=1", headers=dan),
        "an auditor's": client.get(f"{FOREIGN}?view=auditor", headers=dan),
    }

    assert (own.status_code, own.json()["view"]) == (200, "seat")
    for why, response in asked.items():
        assert (response.status_code, response.json()["code"]) == (403, "not_allowed"), why


def test_a_hand_of_a_foreign_table_is_refused_whether_or_not_it_is_there(holders):
    """So that nobody finds out by asking."""
    client, headers = holders
    there = client.get(FOREIGN, headers=headers["auditor t1"])
    not_there = client.get("/v1/hands/t2%2Fnone", headers=headers["auditor t1"])

    assert there.status_code == not_there.status_code == 403
    assert there.json() == not_there.json()
