"""Every page, for every role, at its own table and at a foreign one; and no card of a running hand.

Whatever the pages route is in the table below: a route that is added fails until it is.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from fastapi.routing import APIRoute

from adapters.desk import app as app_module
from adapters.desk import session, wording
from adapters.evidence.checkpoints import make
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from tests.adapters.commands.test_live_privacy import DEAL, PLAYERS, leaks
from tests.adapters.desk.conftest import FROM_HERE, pages
from tests.adapters.http_api.keys import bearer, key
from tests.adapters.http_api.playing import act, sit_down
from tests.adapters.http_api.test_authorisation import AT_T1, CALLERS, READERS, UNBOUND
from tests.adapters.proving import SIGNER
from tests.adapters.stored import projector

ALL = set(CALLERS)


class Route(NamedTuple):
    """Who may see a page, and how it is asked for: at the table t1, or about Ann."""

    who: set[str]
    address: str
    form: Mapping[str, str] | None = None


AT_T2 = {"service t2", "auditor t2", "investigator t2"}

# fmt: off
ROUTES: Mapping[tuple[str, str], Route] = {
    ("GET", "/"):                        Route(ALL, "/"),
    ("GET", "/hands"):                   Route(ALL, "/hands"),
    ("POST", "/hands/searches"):         Route(ALL, "/hands/searches", {"name": "x", "query": ""}),
    ("POST", "/hands/searches/forget"):  Route(ALL, "/hands/searches/forget", {"name": "x"}),
    ("GET", "/hands/{hand}/proof"):      Route(UNBOUND | AT_T1 | {"Ann"}, "/hands/t1%2F1/proof"),
    ("GET", "/hands/{hand}"):            Route(UNBOUND | AT_T1 | {"Ann"}, "/hands/t1%2F1"),
    ("GET", "/hands/{hand}/what-if"):    Route(UNBOUND | AT_T1 | {"Ann"}, "/hands/t1%2F1/what-if"),
    ("GET", "/hands/{hand}/dossier"):    Route(UNBOUND | AT_T1 | {"Ann"}, "/hands/t1%2F1/dossier"),
    ("GET", "/players"):                 Route(ALL, "/players?player=ann"),
    ("GET", "/players/{player}"):        Route(UNBOUND | {"Ann"}, "/players/ann"),
    ("GET", "/trail"):                   Route(READERS, "/trail"),
    ("GET", "/disputes"):                Route(READERS, "/disputes"),
    ("GET", "/disputes/{dispute}"):      Route(UNBOUND | AT_T1, "/disputes/d1"),
    ("GET", "/verification"):            Route(READERS, "/verification"),
    ("GET", "/verification/progress"):   Route(UNBOUND, "/verification/progress"),
    ("GET", "/checkpoints"):             Route(ALL, "/checkpoints"),
    ("POST", "/checkpoints"):            Route(READERS, "/checkpoints", {"note": "x"}),
    ("GET", "/checkpoints/{size}"):      Route(ALL, "/checkpoints/{size}"),
    ("GET", "/proof"):                   Route(ALL, "/proof?hand=t1/1"),
    ("GET", "/rulebooks"):               Route(ALL, "/rulebooks"),
    ("GET", "/rulebooks/{rulebook}"):    Route(ALL, "/rulebooks/jiuyou"),
    ("GET", "/sign-in"):                 Route(ALL | {"nobody"}, "/sign-in"),
    ("POST", "/sign-in"):                Route(set(), "/sign-in", {"key": "x"}),
    ("POST", "/sign-out"):               Route(set(), "/sign-out", {}),
}

MORE: Mapping[str, Route] = {
    "a hand's trail":        Route(UNBOUND | AT_T1, "/trail?hand=t1/1"),
    "a hand's disputes":     Route(UNBOUND | AT_T1, "/disputes?hand=t1/1"),
    "another table's":       Route(UNBOUND | AT_T2, "/disputes/d2"),
    "a hand's verification": Route(UNBOUND | AT_T1, "/verification/progress?hand=t1/1"),
    "Ann's hands":           Route(READERS | {"Ann"}, "/hands?player=ann"),
    "Ann, earlier":          Route(UNBOUND | {"Ann"}, "/players/ann?as_of=3"),
    "two checkpoints":       Route(ALL, "/checkpoints?old={size}&new={size}"),
}
# fmt: on


def test_every_route_is_in_the_table():
    """And nothing else is."""
    routed = {
        (method, route.path)
        for router in app_module._ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }

    assert routed == ROUTES.keys()


@pytest.fixture
def holders(store_dsn):
    """A hand of Ann and Bob at t1, over, and one of three at t2, running; with all keys."""
    keys = {
        who: key(store_dsn, given["role"], *given.get("tables", ()), player=given.get("player"))
        for who, given in CALLERS.items()
    }
    live = {"players": PLAYERS, "dealer": 3, "deal": {str(n): cards for n, cards in DEAL.items()}}
    with pages(store_dsn) as client:
        client.headers.update(bearer(keys["service"]))
        sit_down(client, "t1/1")
        act(client, "fold", 1, hand="t1/1")
        sit_down(client, "t2/1", **live)
        act(client, "look", 1, hand="t2/1")
        del client.headers["Authorization"]
        with Ledger(Store(store_dsn)) as ledger:
            for dispute, hand in (("d1", "t1/1"), ("d2", "t2/1")):
                said: dict[str, Any] = {
                    "by": "ann",
                    "claims": "short",
                    "due": datetime(2999, 1, 1, tzinfo=UTC),
                }
                ledger.open_dispute(dispute, hand, **said, command_id=dispute, actor="desk")
            size = make(ledger.store, SIGNER).stored.size
        with projector(store_dsn) as keeper:
            keeper.catch_up()
        yield client, {**keys, "size": str(size)}


def ask(client, method: str, route: Route, who: str, keys: Mapping[str, str]) -> Any:
    """Make the request of a route, with the cookie of somebody."""
    client.cookies.clear()
    if who in keys:
        client.cookies.set(session.COOKIE, keys[who], path=session.PATH)
    address = session.PATH + route.address.replace("{size}", keys["size"])
    if method == "POST":
        return client.post(address, data=route.form, headers=FROM_HERE)
    return client.get(address)


def is_let_in(answer: Any) -> bool:
    """Tell whether an answer is what was asked for: no refusal, and not the way to the form."""
    is_led_away = answer.headers.get("location", "").startswith("/desk/sign-in")
    return answer.status_code in {200, 303, 400} and not is_led_away


def test_each_page_is_for_whom_the_table_says(holders):
    """Who is not signed in is led to the form; others are told that it is not theirs. No card."""
    client, keys = holders
    cases = {**{str(case): (case[0], route) for case, route in ROUTES.items()}}
    cases |= {case: ("GET", route) for case, route in MORE.items()}
    let_in, told = {}, {}

    for case, (method, route) in cases.items():
        answers = {who: ask(client, method, route, who, keys) for who in (*CALLERS, "nobody")}
        let_in[case] = {who for who, answer in answers.items() if is_let_in(answer)}
        told[case] = leaks("".join(answer.text for answer in answers.values()))
        refused = {answers[who].status_code for who in CALLERS.keys() - let_in[case]}
        assert refused <= {303, 401, 403, 404, 429}, case

    assert {case: route.who for case, (_, route) in cases.items()} == let_in
    assert {case: found for case, found in told.items() if found} == {}


def test_lists_hold_what_is_the_caller_s_alone(holders):
    """Other tables' hands are in no list; and a player finds no other's."""
    client, keys = holders

    def listed(who: str, address: str) -> tuple[bool, bool]:
        text = ask(client, "GET", Route(set(), address), who, keys).text
        return "t1/1" in text, "t2/1" in text

    for address in ("/hands", "/trail", "/disputes"):
        assert listed("auditor", address) == (True, True)
        assert listed("auditor t1", address) == (True, False)
        assert listed("auditor t2", address) == (False, True)
    assert listed("Ann", "/hands") == (True, True)
    assert listed("Dan", "/hands") == (False, False)


def test_the_running_hand_is_on_the_pages_and_its_cards_are_on_none(holders):
    """Pages that would tell them are among those that were searched."""
    client, keys = holders
    told = [
        ask(client, "GET", Route(set(), address), "auditor", keys).text
        for address in ("/hands?state=running", "/trail?hand=t2/1", "/players/ann")
    ]

    assert all("t2/1" in text for text in told)
    assert all(leaks(text) == set() for text in told)


def test_a_card_that_a_page_tells_is_found(holders, monkeypatch):
    """Planted: a text that names one."""
    client, keys = holders
    monkeypatch.setitem(wording.WORDS, "en", {**wording.WORDS["en"], "events": DEAL[1]})

    assert leaks(ask(client, "GET", Route(set(), "/trail"), "auditor", keys).text) >= {DEAL[1]}
