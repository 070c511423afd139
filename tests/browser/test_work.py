"""What an auditor does on the pages: filter, find what was tampered with, take a proof away."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.adapters.proving import SIGNER, verifier
from tests.browser.conftest import PATIENCE_MS
from tests.browser.looking import violations

WORDS = {
    "en": ("bonus", "Save the search", "More conditions"),
    "zh": ("喜钱", "保存筛选", "更多条件"),
}
WAYS = [("en", "dark", "desktop"), ("zh", "light", "phone")]


@pytest.mark.parametrize(("lang", "theme", "size"), WAYS)
def test_hands_are_filtered_as_one_chooses_and_searches_kept(opened, lang, theme, size):
    """The list changes in place, the address with it; a saved search leads back to both."""
    words = {
        "en": ("bonus", "Save the search", "More conditions"),
        "zh": ("喜钱", "保存筛选", "更多条件"),
    }
    flag, save, more = words[lang]
    with opened(lang=lang, theme=theme, size=size, path="/desk/hands") as page:
        rows = page.locator("#found tbody tr")
        expect(rows).to_have_count(50)
        page.locator("#rulebook").select_option("jiuyou")
        expect(page).to_have_url(re.compile(r"/desk/hands\?rulebook=jiuyou$"))
        expect(page.locator("#found")).not_to_contain_text("sim-tongcheng")
        page.get_by_text(more).click()
        page.get_by_label(flag, exact=True).check()
        expect(page).to_have_url(re.compile(r"rulebook=jiuyou&flag=bonus$"))
        expect(page.locator("#search")).to_be_visible()
        found = rows.count()
        assert 0 < found < 50
        page.locator("#search-name").fill(f"{flag} {size}")
        page.get_by_role("button", name=save).click()
        page.goto(page.url.partition("?")[0])
        expect(rows).to_have_count(50)
        page.get_by_role("link", name=f"{flag} {size}").click()
        expect(rows).to_have_count(found)
        assert violations(page) == []


def test_what_is_no_condition_is_told_where_the_list_would_be(opened):
    """And the form stays, to be put right."""
    with opened(path="/desk/hands?since=2026-03-01", refused=2) as page:
        page.locator("#since").fill("soon")
        page.keyboard.press("Enter")
        expect(page.locator("#found")).to_contain_text("bad_request")
        page.locator("#since").fill("2026-03-15")
        page.keyboard.press("Enter")
        expect(page.locator("#found tbody tr")).to_have_count(1)


def test_pages_and_filters_work_without_scripts(opened):
    """By their links and buttons alone."""
    with opened(path="/desk/hands", scripts=False) as page:
        page.locator("#state").select_option("running")
        page.get_by_role("button", name="Find").click()
        expect(page.locator("#found tbody tr")).to_have_count(1)
        page.get_by_role("link", name="Clear").click()
        first = page.locator("#found tbody tr th").first.inner_text()
        page.get_by_role("link", name="Older").click()
        page.get_by_role("link", name="Newer").click()
        assert page.locator("#found tbody tr th").first.inner_text() == first


@pytest.mark.parametrize(("lang", "theme", "size"), WAYS)
def test_the_tampered_hand_is_found_while_one_looks_on(opened, served, lang, theme, size):
    """With where it is, what is recorded and what the rules give; and it is told afterwards."""
    start = {"en": "Verify", "zh": "开始复核"}[lang]
    with opened(lang=lang, theme=theme, size=size, path="/desk/verification") as page:
        page.get_by_role("button", name=start, exact=True).click()
        verdict = page.locator("[data-verdict] p")
        expect(verdict).to_contain_text("201", timeout=PATIENCE_MS)
        found = page.locator("#run [data-found] tbody")
        expect(found.get_by_role("link", name=served.tampered).first).to_be_visible()
        expect(found).to_contain_text(f"{served.position:,}")
        assert violations(page) == []
        page.goto(f"{served.url}/desk/")
        expect(page.locator(".notice.bad")).to_contain_text("201")


def test_a_verification_that_is_left_makes_room_for_another(opened, served):
    """As often as one likes: nothing goes on where nobody looks."""
    with opened(path=f"/desk/verification?hand={served.tampered}") as page:
        for _ in range(4):
            page.get_by_role("button", name="Verify", exact=True).click()
            page.reload()
        page.get_by_role("button", name="Verify", exact=True).click()
        expect(page.locator("[data-verdict] .notice.bad")).to_contain_text("found in 1 hands")


@pytest.mark.parametrize(("lang", "theme", "size"), WAYS)
def test_a_proof_is_taken_away(opened, lang, theme, size):
    """One that the verifier takes, which needs nothing of this ledger."""
    words = {"en": ("Download the proof", "Check these two"), "zh": ("下载证明", "核对这两个")}
    with opened(lang=lang, theme=theme, size=size, path="/desk/checkpoints") as page:
        page.get_by_role("button", name=words[lang][1]).click()
        expect(page.locator(".notice.good")).to_be_visible()
        page.locator("#proof-hand").fill("sim-platform-8-1")
        with page.expect_download() as downloading:
            page.get_by_role("button", name=words[lang][0]).click()
        proof = json.loads(downloading.value.path().read_text(encoding="utf-8"))

    claims, faults = verifier.verify(proof, verifier.read_key(SIGNER.verifier.text))
    assert claims
    assert not faults
