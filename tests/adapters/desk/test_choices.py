"""Language and theme: asked for by the browser, or chosen and kept."""

import re

import pytest

from adapters.desk.wording import WORDS, chips, signed
from domain.zhajinhua.wording import Language

FIELD = re.compile(r"\{(\w+)")
FORM = "/desk/sign-in"


ACCEPTED = {"zh-CN,zh;q=0.9,en;q=0.8": "zh-Hans", "de, en;q=0.7": "en", "fr": "en", "": "en"}


def test_a_page_is_in_the_language_that_the_browser_asks_for(stranger):
    """The first one that there is."""
    for accepted, tag in ACCEPTED.items():
        page = stranger.get(FORM, headers={"Accept-Language": accepted}).text

        assert f'<html lang="{tag}" data-theme="auto">' in page


def test_a_choice_is_kept_and_leaves_the_address_as_it_was(stranger):
    """Whatever else is in it."""
    switched = stranger.get(f"{FORM}?next=%2Fdesk%2Fhands&lang=zh&theme=dark")
    page = stranger.get(switched.headers["location"]).text

    assert switched.headers["location"] == f"{FORM}?next=%2Fdesk%2Fhands"
    assert '<html lang="zh-Hans" data-theme="dark">' in page
    assert 'value="/desk/hands"' in page
    assert "登录" in page


def test_a_choice_that_there_is_not_is_none(stranger):
    """Not in the address, not in a cookie."""
    stranger.cookies.set("lang", "xx")

    assert '<html lang="en" data-theme="auto">' in stranger.get(f"{FORM}?theme=pink").text


def test_both_languages_have_the_same_texts_with_the_same_fields():
    """Nothing is left out of one of them."""
    told: dict[Language, dict[str, set[str]]] = {
        lang: {key: {*FIELD.findall(text)} for key, text in words.items()}
        for lang, words in WORDS.items()
    }

    assert told["zh"] == told["en"]
    assert all(text.strip() for words in WORDS.values() for text in words.values())


@pytest.mark.parametrize(
    ("amount", "printed"),
    [(0, "0.00"), (5, "0.05"), (-5, "−0.05"), (123_456_789, "1,234,567.89"), (None, "")],
)
def test_amounts_are_printed_to_the_minor_unit(amount, printed):
    """Thousands apart, with a minus sign that is one."""
    assert chips(amount) == printed
    assert signed(amount) == (f"+{printed}" if (amount or 0) > 0 else printed)
