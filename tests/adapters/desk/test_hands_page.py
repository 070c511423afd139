"""Hands found, page by page, and searches that are kept."""

import re

import pytest

from adapters.desk import paging, saving
from adapters.desk.hands import Conditions
from adapters.http_api.callers import Caller
from adapters.ledger import Ledger
from adapters.registers.api_keys import Role
from adapters.store.postgres import Store
from tests.adapters.desk.conftest import FROM_HERE
from tests.adapters.play import do, fund, sit_down
from tests.adapters.stored import projector

ROW = re.compile(r'<th scope="row" class="id"><a href="[^"]+" title="([^"]+)"')


@pytest.fixture
def seven(store_dsn):
    """Seven hands of Ann and Bob; every other one is over."""
    with Ledger(Store(store_dsn)) as ledger:
        fund(ledger, "ann", "bob", amount=10_000_000)
        for n in range(1, 8):
            sit_down(ledger, f"h-{n}")
            if n % 2:
                do(ledger, 1, "fold", hand=f"h-{n}")
    with projector(store_dsn) as keeper:
        keeper.catch_up()


def shown(text: str) -> list[str]:
    """Return the hands of a page, in the order in which it shows them."""
    return ROW.findall(text)


@pytest.mark.usefixtures("seven")
def test_pages_lead_from_the_newest_to_the_oldest_and_back(auditor, monkeypatch):
    """Each hand is on one page; both ends have no further link."""
    monkeypatch.setattr(paging, "LENGTH", 3)
    link = r'rel="{}" href="([^"]+)"'
    there, address, text = [], "/desk/hands", ""
    while address:
        text = auditor.get(address.replace("&amp;", "&")).text
        there.append(shown(text))
        found = re.search(link.format("next"), text)
        address = found[1] if found else ""
    back = []
    found = re.search(link.format("prev"), text)
    while found:
        text = auditor.get(found[1].replace("&amp;", "&")).text
        back.append(shown(text))
        found = re.search(link.format("prev"), text)

    assert there == [["h-7", "h-6", "h-5"], ["h-4", "h-3", "h-2"], ["h-1"]]
    assert back == [["h-4", "h-3", "h-2"], ["h-7", "h-6", "h-5"]]


# fmt: off
SEARCHES = {
    "all":              ("", 7),
    "left empty":       ("player=&winner=&state=&rulebook=&version=&ante=&since=&until=", 7),
    "running":          ("state=running", 3),
    "won by Bob":       ("winner=bob", 4),
    "at an ante":       ("ante=5", 7),
    "at another ante":  ("ante=5.01", 0),
    "in chips":         ("max_stake=100.00", 7),
    "of a rulebook":    ("rulebook=jiuyou&version=1", 7),
    "of several":       ("player=ann&winner=bob&state=settled&until=2099-01-01", 4),
    "later":            ("since=2099-01-01+12:00", 0),
    "with a flag":      ("flag=compared", 0),
}
# fmt: on


@pytest.mark.usefixtures("seven")
def test_hands_are_found_by_every_condition(auditor):
    """And the form shows again what was asked for."""
    pages = {
        case: auditor.get(f"/desk/hands?{query}").text for case, (query, _) in SEARCHES.items()
    }

    assert {case: count for case, (_, count) in SEARCHES.items()} == {
        case: len(shown(text)) for case, text in pages.items()
    }
    assert 'name="player" value="ann"' in pages["of several"]
    assert '<option value="settled" selected>' in pages["of several"]


def test_what_is_no_condition_is_told(auditor):
    """By the name of its field, and with what is wrong, but without what was in it."""
    for query in ("ante=-1", "ante=1.234", "ante=x", "since=soon", "state=odd", "flag=x"):
        answer = auditor.get(f"/desk/hands?{query}")

        assert answer.status_code == 400
        assert "bad_request" in answer.text
        assert query.partition("=")[0] in answer.text


@pytest.mark.usefixtures("seven")
def test_a_script_is_told_the_address_without_what_was_left_empty(auditor):
    """So that an address can be kept and sent on."""
    answer = auditor.get("/desk/hands?player=&state=running&ante=5", headers={"HX-Request": "true"})

    assert answer.headers["hx-push-url"] == "/desk/hands?ante=5.00&state=running"


def test_conditions_go_through_an_address_and_back():
    """Whatever they are."""
    query = "player=a%2Fb&ante=1.50&since=2026-03-01+12%3A00&state=void&flag=tied&flag=bonus"
    given = {"player": "a/b", "ante": "1.5", "since": "2026-03-01 12:00"}
    wanted = Conditions.model_validate({**given, "state": "void", "flag": ["tied", "bonus"]})

    assert wanted.query == query
    assert wanted.wanted(Caller("x", Role.AUDITOR)).ante == 150


def save(client, name: str, query: str):
    """Save a search in the form."""
    return client.post(
        "/desk/hands/searches", data={"name": name, "query": query}, headers=FROM_HERE
    )


def test_a_search_is_saved_replaced_and_forgotten(auditor, reading):
    """It is its owner's alone."""
    assert save(auditor, "lost <b>", "winner=bob").headers["location"] == "/desk/hands?winner=bob"
    save(auditor, "lost <b>", "winner=ann")
    page = auditor.get("/desk/hands").text
    with reading(Role.AUDITOR) as other:
        assert "lost" not in other.get("/desk/hands").text

    assert page.count("lost &lt;b&gt;") == 3
    assert 'href="/desk/hands?winner=ann"' in page
    assert "winner=bob" not in page
    auditor.post("/desk/hands/searches/forget", data={"name": "lost <b>"}, headers=FROM_HERE)
    assert "lost" not in auditor.get("/desk/hands").text


def test_only_so_many_searches_are_saved(auditor, monkeypatch):
    """A name that is there may be used again."""
    monkeypatch.setattr(saving, "SEARCHES_MAX", 2)
    statuses = [save(auditor, name, "").status_code for name in ("a", "b", "b", "c")]

    assert statuses == [303, 303, 303, 409]
