"""``jinhua rulebooks``: which there are, field by field, and in what two differ."""

# ruff: noqa: E501 - a row stays on one line

import json
from dataclasses import fields

import pytest

from adapters.cli import main
from domain.zhajinhua.rulebooks import find, published


@pytest.fixture
def jinhua(capfd):
    """Run a command: its status, and what it printed, read as JSON if asked."""

    def run(*words):
        status = main(words)
        out, err = capfd.readouterr()
        return status, json.loads(out) if out and "--json" in words else out or err

    return run


def test_every_published_rulebook_is_listed(jinhua):
    """With its version, the digest that hands pin, and its document."""
    status, listed = jinhua("rulebooks", "--json")
    _, text = jinhua("rulebooks")

    assert 0 == status
    assert ["id", "version", "digest", "name", "document"] == list(listed["rulebooks"][0])
    assert [(r.id, r.version, r.digest) for r in published()] == [
        (row["id"], row["version"], row["digest"]) for row in listed["rulebooks"]
    ]
    for rulebook in published():
        assert rulebook.digest in text
        assert rulebook.document in text


def test_a_rulebook_is_shown_field_by_field(jinhua):
    """Every field with its value, its meaning and what it rests on, in the language asked for."""
    status, shown = jinhua("rulebooks", "show", "jiuyou", "--lang", "zh", "--json")
    rulebook = find("jiuyou")

    assert 0 == status
    assert (rulebook.digest, "zh") == (shown["digest"], shown["lang"])
    by_name = {line["field"]: line for line in shown["fields"]}
    assert {field.name for field in fields(rulebook)} | {"ante", "max_stake"} == set(by_name)
    assert {
        "field": "equal_duel",
        "value": "initiator_loses",
        "said": "主动比牌者负",
        "means": "牌相同时如何",
        "section": "§5.2",
        "sentences": ["当牌型点数大小完全相同时，主动比牌者负。"],
        "interpretation": "",
    } == by_name["equal_duel"]
    assert [["trips", 5], ["straight_flush", 2]] == by_name["bonus_antes"]["value"]


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            (
                "seats and turns",
                "  round_limit = 20  most rounds of a hand  §3.7",
                "  suits = false (no)  suits break exact ties  §1.4",
                "  blind_limit = none (no limit)  blind bets of a seat in a hand  §3.6",
                "  ante = set by the table  what every seat pays before the deal, minor units  §2.4",
                "      「第三輪開始輪到玩家時(shí)可以選擇比牌」",
                "      interpretation: the number is not named; 20, as in document 004",
            ),
        ),
        (
            "zh",
            (
                "座位与轮次",
                "  round_limit = 20  最多几轮  §3.7",
                "  suits = false (否)  点数全同时比花色  §1.4",
                "      解释：没有写数目；取 20，与 004 相同",
            ),
        ),
    ],
)
def test_a_page_is_read_by_a_person(jinhua, lang, lines):
    """Values as ``--set`` takes them, then in words; sentences in the document's own characters."""
    status, text = jinhua("rulebooks", "show", "tongcheng", "--lang", lang)

    assert 0 == status
    assert set(lines) <= set(text.splitlines())


def test_only_the_fields_that_differ_are_set_side_by_side(jinhua):
    """With what they mean; identical rulebooks differ in nothing."""
    status, found = jinhua("rulebooks", "diff", "jiuyou", "platform", "--json")
    _, text = jinhua("rulebooks", "diff", "jiuyou.v1", "platform", "--lang", "zh")
    _, alike = jinhua("rulebooks", "diff", "jiuyou", "jiuyou")

    assert 0 == status
    assert ["jiuyou", "platform"] == [rulebook["id"] for rulebook in found["rulebooks"]]
    calls = next(row for row in found["fields"] if row["field"] == "compare_calls")
    assert ([2, 1], "calls that a compare costs") == (calls["values"], calls["means"])
    assert "seats_max" not in {row["field"] for row in found["fields"]}
    assert "比牌付跟注的几倍" in text
    assert "no rule differs\n" == alike


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "nope"), "unknown_rulebook: no rulebook 'nope'; known are "),
        (("show", "jiuyou.v9"), "unknown_rulebook: no rulebook 'jiuyou.v9'; known are "),
        (("diff", "jiuyou", "nope"), "unknown_rulebook"),
        (("diff", "jiuyou"), "requires an argument"),
        (("show", "jiuyou", "--lang", "fr"), "--lang"),
        (("nope",), "nope"),
    ],
)
def test_what_is_no_rulebook_is_bad_input(jinhua, words, message):
    """Exit status 2, and the reason."""
    status, said = jinhua("rulebooks", *words)

    assert 2 == status
    assert message in said
