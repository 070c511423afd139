"""In with a key, in a browser, and out again; by keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from adapters.registers.api_keys import Role
from tests.browser.looking import is_too_wide, violations

WAYS = [("en", "light", "desktop"), ("zh", "dark", "phone")]


@pytest.mark.parametrize(("lang", "theme", "size"), WAYS)
def test_whoever_has_a_key_gets_in_and_out(opened, served, lang, theme, size):
    """A wrong one is told to be wrong; what was asked for is what one comes to."""
    path = "/desk/rulebooks"
    with opened(None, lang=lang, theme=theme, size=size, path=path, refused=1) as page:
        assert violations(page) == []
        expect(page.locator("#key")).to_be_focused()
        page.keyboard.type("jinhua_00000000_" + "x" * 43)
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_be_visible()
        assert violations(page) == []
        page.locator("#key").fill(served.keys[Role.AUDITOR])
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"{path}$"))
        assert page.evaluate("document.cookie") == ""
        assert not is_too_wide(page)
        assert violations(page) == []
        page.get_by_role("button", name={"en": "Sign out", "zh": "退出"}[lang]).click()
        expect(page.locator("#key")).to_be_visible()


def test_language_and_theme_are_switched_where_one_is(opened):
    """And are kept."""
    with opened(path="/desk/rulebooks/jiuyou?version=1") as page:
        page.get_by_role("link", name="中文").click()
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
        page.get_by_text("外观").click()
        page.get_by_role("link", name="深色").click()
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        expect(page).to_have_url(re.compile(r"jiuyou\?version=1$"))
        assert violations(page) == []
