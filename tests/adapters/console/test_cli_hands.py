"""``jinhua hands``, and the money commands as of an earlier moment."""

import io
import json
import re
import sys

import pytest

from adapters.cli import main
from adapters.simulation.hands import line_of, simulate


@pytest.fixture
def jinhua(database, capfd):
    """Run a command on a fresh store: its status, and what it printed, read as JSON if asked."""

    def run(*words):
        status = main([*words, "--dsn", database])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return status, json.loads(out) if out and "--json" in words else out or err

    return run


@pytest.fixture
def imported(jinhua, monkeypatch):
    """The same, with twenty hands of two rulebooks in the store."""
    records = [r for name in ("jiuyou", "jisu") for r in simulate(name, hands=10, seed=4)]
    text = "".join(f"{line_of(record)}\n" for record in records)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert jinhua("import", "-")[0] == 0
    return jinhua


def test_hands_are_listed_page_by_page(imported):
    """What a page ends with is where the next one begins; the last one ends with nothing."""
    _, whole = imported("hands", "--json")
    pages = [imported("hands", "--limit", "7", "--json")[1]]
    while (after := pages[-1]["after"]) is not None:
        pages.append(imported("hands", "--after", str(after), "--limit", "7", "--json")[1])

    assert [7, 7, 6] == [len(page["hands"]) for page in pages]
    assert whole["hands"] == [hand for page in pages for hand in page["hands"]]
    assert whole["after"] is None


def test_hands_are_found_by_what_they_are(imported):
    """By one condition or several."""
    _, whole = imported("hands", "--json")
    row = next(hand for hand in whole["hands"] if hand["flags"] and hand["rulebook"] == "jisu")
    words = ["--player", row["players"][-1], "--winner", row["winners"][0], "--rulebook", "jisu"]
    words += ["--version", "1", "--ante", str(row["ante"]), "--state", "settled"]
    words += ["--since", "2026-01-01", "--until", "9000-01-01T00:00+08:00"]
    words += [word for flag in row["flags"] for word in ("--flag", flag)]

    _, found = imported("hands", *words, "--json")

    assert row in found["hands"]
    assert all(hand["rulebook"] == "jisu" for hand in found["hands"])
    assert "more: --after" in imported("hands", "--limit", "1")[1]
    assert [] == imported("hands", "--since", "9000-01-01", "--json")[1]["hands"]


@pytest.mark.parametrize(
    "words",
    [
        ("hands", "--since", "yesterday"),
        ("hands", "--state", "lost"),
        ("hands", "--flag", "cheated"),
        ("hands", "--limit", "-5"),
        ("house", "--since", "soon"),
        ("balances", "--as-of", "soon"),
        ("balances", "--as-of", "99999999999999999999999"),
        ("statement", "p001", "--as-of", "7"),
    ],
    ids=" ".join,
)
def test_what_is_no_condition_is_bad_input(jinhua, words):
    """Exit 2, and a line that says why."""
    status, said = jinhua(*words)

    assert status == 2
    assert said


def test_money_is_told_as_of_a_position_and_a_time(imported):
    """At the first position one player has what was brought in; at the last time all is as now."""
    _, now = imported("balances", "--json")
    _, first = imported("balances", "--as-of", "1", "--json")
    _, last = imported("balances", "--as-of", "9000-01-01T00:00:00Z", "--json")
    player = next(row["account"] for row in first["accounts"] if row["balance"] > 0)[7:]
    _, movements = imported("statement", player, "--as-of", "1", "--json")

    assert last == now != first
    assert len(first["accounts"]) == 2
    assert [1] == [movement["position"] for movement in movements["movements"]]
    assert imported("balances", "--player", player, "--as-of", "0")[0] == 0


def test_what_the_house_took_is_told_by_day_and_table(imported):
    """All rows together are the accounts of the house, now and then."""
    for then in ((), ("--as-of", "300")):
        _, accounts = imported("balances", *then, "--json")
        _, rows = imported("house", *then, "--json")
        held = {row["account"]: row["balance"] for row in accounts["accounts"]}
        for name in ("rake", "bonus"):
            assert held.get(f"house:{name}", 0) == sum(row[name] for row in rows["house"])

    assert {"jisu"} == {
        row["rulebook"] for row in imported("house", "--rulebook", "jisu", "--json")[1]["house"]
    }
    assert [] == imported("house", "--until", "2000-01-01", "--json")[1]["house"]
    assert "rounding" in imported("house", "--since", "2000-01-01")[1]
    assert imported("bonuses", "--as-of", "0", "--json")[1]["bonuses"] == []


def test_a_hand_is_shown_in_both_languages(imported):
    """Figures and players are the same, and no word of the one is left in the other."""
    hand = imported("hands", "--limit", "1", "--json")[1]["hands"][0]["hand"]

    plain, en, zh = (
        imported("show", hand, "--refusals", *lang)[1]
        for lang in ([], ["--lang", "en"], ["--lang", "zh"])
    )

    assert plain == en
    assert f"牌局 {hand}：已结算\n" in zh
    assert not re.search("[一-鿿]", en)
    assert not re.search("[a-z]{2}", re.sub(f"{hand}|jiuyou|record", "", zh))
    figures = re.compile("[0-9]+[.][0-9]{2}")
    assert figures.findall(en) == figures.findall(zh)
