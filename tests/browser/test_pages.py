"""Every page in both languages and themes, on a phone and on a desk, for different readers."""

import pytest
from playwright.sync_api import expect

from adapters.registers.api_keys import Role
from tests.browser.looking import is_too_wide, violations

WAYS = [
    ("en", "light", "desktop"),
    ("zh", "dark", "phone"),
    ("zh", "light", "phone"),
    ("en", "dark", "desktop"),
]

# fmt: off
HEADINGS = {
    # page                          en              zh
    "/desk/":                     ("Overview",     "总览"),
    "/desk/hands":                ("Hands",        "牌局"),
    "/desk/players/p001":         ("p001",         "p001"),
    "/desk/trail":                ("Audit trail",  "审计流水"),
    "/desk/disputes":             ("Disputes",     "争议"),
    "/desk/disputes/d1":          ("Dispute d1",   "争议 d1"),
    "/desk/verification":         ("Verification", "复核"),
    "/desk/checkpoints":          ("Checkpoints",  "检查点"),
    "/desk/rulebooks":            ("Rulebooks",    "规则书"),
    "/desk/rulebooks/jiuyou":     ("jiuyou",       "jiuyou"),
}
# fmt: on


@pytest.mark.parametrize(("lang", "theme", "size"), WAYS)
def test_every_page_is_for_every_reader(opened, served, lang, theme, size):
    """Nothing stops a screen reader, nothing is too pale, and nothing scrolls sideways.

    What a screen reader meets is looked at once in each theme, as it takes longest.
    """
    is_heard = (theme == "light") == (size == "desktop")
    stumbled = {}
    with opened(lang=lang, theme=theme, size=size) as page:
        for path, headings in HEADINGS.items():
            page.goto(served.url + path)
            expect(page.locator("h1")).to_contain_text(headings[lang == "zh"])
            stumbled[path] = ["too wide"] * is_too_wide(page)
            if is_heard:
                stumbled[path] += violations(page)

    assert {path: found for path, found in stumbled.items() if found} == {}


def test_plots_are_drawn_and_their_figures_can_be_read(opened, served):
    """Each from the table below it; drawn anew in the other theme."""
    with opened(lang="zh") as page:
        expect(page.locator(".plot canvas")).to_have_count(2)
        figure = page.locator("figure", has_text="每日流水")
        figure.get_by_text("数据").click()
        expect(figure.get_by_role("table")).to_be_visible()
        assert figure.get_by_role("row").count() == 15 + 1
        page.goto(f"{served.url}/desk/players/p001?theme=dark")
        expect(page.locator(".plot canvas")).to_have_count(1)
        before = page.locator(".plot canvas").screenshot()
        page.emulate_media(color_scheme="dark")
        page.goto(f"{served.url}/desk/players/p001?theme=light")
        assert page.locator(".plot canvas").screenshot() != before


def test_whoever_uses_the_keyboard_comes_to_the_content_at_once(opened):
    """By the first link that the page has."""
    with opened(path="/desk/hands") as page:
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_be_focused()


def test_a_player_has_a_page_and_no_other_s(opened, served):
    """With the hands that the player sits in, the running one without a card."""
    with opened(Role.PLAYER, refused=1) as page:
        expect(page.locator("h1")).to_have_text("ann")
        expect(page.get_by_role("link", name="Audit trail")).to_have_count(0)
        page.get_by_role("link", name="Hands").click()
        expect(page.get_by_role("link", name="live/1")).to_be_visible()
        page.goto(f"{served.url}/desk/players/bob")
        expect(page.locator("h1")).to_have_text("Not yours to see")
