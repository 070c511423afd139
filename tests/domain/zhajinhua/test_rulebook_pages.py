"""A rulebook's page: no field without its meaning, no rule without what it rests on."""

import inspect
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from domain.grounds import Edition, Ground
from domain.zhajinhua import rulebook_pages, rules
from domain.zhajinhua.meanings import HEADINGS, MEANINGS
from domain.zhajinhua.rulebook_pages import IDENTITY, contrasts, heading, page, said
from domain.zhajinhua.rulebooks import edition, find, published
from domain.zhajinhua.rules import ZhajinhuaRulebook

QUOTED = Path(__file__).parent / "quoted"
FIELDS = [field.name for field in fields(ZhajinhuaRulebook)]
CHINESE = re.compile(r"[\u4e00-\u9fff]|^[A-Z0-9]+$")


def _name(rulebook):
    return f"{rulebook.id}.v{rulebook.version}"


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_has_its_meaning_in_both_languages(name):
    """A new field cannot be added without saying, in zh and en, what it is for."""
    meaning = MEANINGS[name]

    assert meaning.means.en.isascii()
    assert CHINESE.search(meaning.means.zh)


def test_every_parameter_of_a_table_has_its_meaning():
    """Those that are no fields too; nothing else has one."""
    parameters = {parameter.name for rulebook in published() for parameter in rulebook.parameters}

    assert set(MEANINGS) == {*FIELDS, *parameters}
    assert set(HEADINGS) <= set(MEANINGS)


@pytest.mark.parametrize("name", FIELDS)
def test_every_choice_of_a_field_is_said_in_words(name):
    """A new policy cannot be added without its name in zh and en; a bare None says nothing."""
    hint = get_type_hints(ZhajinhuaRulebook)[name]
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    nothing = (None,) if type(None) in get_args(hint) else ()

    for choice in (*choices, *nothing):
        assert choice in MEANINGS[name].values, choice
    for words in MEANINGS[name].values.values():
        assert words.en
        assert CHINESE.search(words.zh), words.zh


def test_a_meaning_names_the_section_that_stands_beside_its_field():
    """Whoever reads the declaration and whoever reads the page arrive at the same rule."""
    source = inspect.getsource(rules.ZhajinhuaRulebook)
    beside = dict(re.findall(r"^    (\w+): .*?  # (§\d+\.\d+)", source, flags=re.MULTILINE))

    assert {name: MEANINGS[name].section for name in beside} == beside
    assert len(beside) == len(FIELDS) - len(IDENTITY) - 1  # parameters


@pytest.mark.parametrize("rulebook", published(), ids=_name)
def test_every_field_of_a_documented_rulebook_rests_on_something(rulebook):
    """On a sentence of its document, or on an interpretation that gives its reason."""
    for lang in ("zh", "en"):
        lines = page(rulebook, lang)

        assert all(line.sentences or line.interpretation for line in lines)
        assert {line.field for line in lines} == {*FIELDS, *(p.name for p in rulebook.parameters)}


@pytest.mark.parametrize("rulebook", published(), ids=_name)
def test_a_ground_belongs_to_a_field(rulebook):
    """None is left behind when a field is renamed."""
    grounds = edition(rulebook.id, rulebook.version).grounds

    assert set(grounds) <= {*FIELDS, *(parameter.name for parameter in rulebook.parameters)}


def test_sentences_are_quoted_to_the_letter():
    """``quoted/`` holds, by document, every sentence that was compared with the document itself.

    A sentence that is not there was misquoted or never compared; one that nobody quotes is dead.
    """
    cited: dict[str, set[str]] = {}
    for rulebook in published():
        for ground in edition(rulebook.id, rulebook.version).grounds.values():
            cited.setdefault(rulebook.document[:3], set()).update(ground.sentences)
    compared = {
        file.stem: set(file.read_text(encoding="utf-8").splitlines())
        for file in QUOTED.glob("*.txt")
    }

    assert cited == compared


def test_readings_are_given_in_both_languages():
    """An interpretation that only some can read is none."""
    for rulebook in published():
        for name, ground in edition(rulebook.id, rulebook.version).grounds.items():
            if ground.reading:
                assert ground.reading.en.isascii(), (rulebook.id, name)
                assert CHINESE.search(ground.reading.zh), (rulebook.id, name)


PLAIN_AND_FLAG = (rules.ANTE, rules.CUSTOM_ROOM[3])

# fmt: off
SAID = {
    # why                     field          value              en                zh
    "a number is itself":    ("round_limit", 15,                "15",             "15"),
    "a policy has its name": ("at_limit",    "forced_duels",    "forced duels",   "强制比牌"),
    "yes":                   ("suits",       True,              "yes",            "是"),
    "no":                    ("suits",       False,             "no",             "否"),
    "no limit":              ("blind_limit", None,              "no limit",       "不限"),
    "nothing of the kind":   ("bonus_antes", (),                "never",          "没有"),
    "by category":           ("bonus_antes", (("pair", 1),),    "pair 1",         "对子 1"),
    "a list of numbers":     ("multiples_pct", (1600, 30),      "1600, 30",       "1600、30"),
    "parameters":            ("parameters", PLAIN_AND_FLAG, "ante >= 1, suits", "ante >= 1、suits"),
    "a bounded parameter":   ("parameters",  rules.CUSTOM_ROOM[:1], "top_ups 0-5", "top_ups 0-5"),
}
# fmt: on


@pytest.mark.parametrize(("name", "value", "en", "zh"), SAID.values(), ids=SAID)
def test_a_value_is_said_in_words(name, value, en, zh):
    """Nobody needs the source to read a page."""
    assert (en, zh) == (said(name, value, "en"), said(name, value, "zh"))


def test_what_each_table_sets_is_not_the_rulebooks():
    """The ante has its meaning and its sentence, and no value of the rulebook's own."""
    (line,) = [line for line in page(find("jiuyou"), "zh") if line.field == "ante"]

    assert (None, "由牌桌定") == (line.value, line.said)
    assert ("进入房间发牌前，所有牌桌上的人需要支付游戏底注作为锅底。",) == line.sentences


def test_a_rulebook_without_sentences_has_a_page_all_the_same(monkeypatch):
    """Meanings stand; what it rests on is not given, but for what every rulebook is told by."""
    bare = replace(find("jiuyou"), id="bare", rake_bp=300)
    monkeypatch.setattr(rulebook_pages, "edition", lambda *_: Edition(bare))

    lines = {line.field: line for line in page(bare, "en")}

    assert 300 == lines["rake_bp"].value
    assert ((), "") == (lines["rake_bp"].sentences, lines["rake_bp"].interpretation)
    assert lines["id"].interpretation
    assert Ground() == Edition(bare).grounds.get("rake_bp", Ground())


def test_two_rulebooks_differ_in_the_rules_that_differ():
    """Every one of them, and in nothing else; their names are no difference."""
    left, right = find("jiuyou"), find("platform")

    differing = {contrast.field: contrast.said for contrast in contrasts(left, right, "zh")}

    assert {
        "opener": ("庄家的下家", "由记录给出"),
        "round_limit": ("15", "20"),
        "forced_duels_from": ("庄家下家起第一个仍在局中的", "接下来轮到的"),
        "timeout": ("防超时弃牌：顺子及以上继续", "弃牌"),
        "compare_calls": ("2", "1"),
        "equal_duel": ("主动比牌者负", "比花色后不会相同"),
        "suits": ("否", "是"),
        "deuce_three_five": ("任何豹子", "AAA"),
        "bonus": ("系统，按底注倍数", "系统，随机，限豹子"),
        "bonus_antes": ("豹子 5、顺金 2", "没有"),
    } == differing


@pytest.mark.parametrize("rulebook", published(), ids=_name)
def test_a_rulebook_does_not_differ_from_itself(rulebook):
    """Nothing is made up."""
    assert [] == contrasts(rulebook, rulebook, "en")


def test_headings_part_a_page_as_the_declaration_is_parted():
    """A heading stands before the first field of its group, and nowhere else."""
    headed = [heading(line.field, "en") for line in page(find("jiuyou"), "en")]

    assert [words.en for words in HEADINGS.values()] == [words for words in headed if words]
