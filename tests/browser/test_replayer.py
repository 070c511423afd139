"""A hand replayed in a browser: by keyboard, by hand, by itself; and found to be tampered with."""

import re

import pytest
from playwright.sync_api import expect

from adapters.registers.api_keys import Role
from tests.browser.conftest import RUNNING
from tests.browser.looking import is_too_wide, violations

HAND = "/desk/hands/sim-jiuyou-8-3"
WAYS = [("en", "light", "desktop"), ("zh", "dark", "phone")]

_DRAWN = """
async (step) => {
  const parts = [
    "svg.wide", "svg.narrow", "table.seats", "#argument", ".steps:not([hidden])", "[data-course]",
  ];
  const told = (root) => parts.map((part) => root.querySelector(part).outerHTML
    .replace(/ class="([^"]*)"/g, (_, names) => ` class="${names.trim()}"`)
    .replace(/ hidden=""/g, ""));
  const answer = await fetch(`?step=${step}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [here, there] = [told(document), told(page)];
  return parts.filter((_, at) => here[at] !== there[at]);
}
"""
"""Which parts of a page that a script stepped to are not what the server writes at that step."""


@pytest.mark.parametrize(("lang", "theme", "size"), WAYS)
def test_a_hand_is_replayed_to_its_end_by_keyboard_alone(opened, lang, theme, size):
    """Step by step, by jumps, and from the first step to the last; nothing is lost on the way."""
    with opened(lang=lang, theme=theme, size=size, path=HAND) as page:
        assert violations(page) == []
        assert not is_too_wide(page)
        replayer, stage = page.locator("#replayer"), page.locator(".stage")
        steps = int(replayer.get_attribute("data-steps") or 0)
        page.locator("#content").focus()
        while not stage.evaluate("stage => stage === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.press("Home")
        for step in range(1, steps + 1):
            expect(page.locator("[data-course] [aria-current]")).to_have_attribute(
                "data-step", str(step)
            )
            if step % 4 == 1:
                assert page.evaluate(_DRAWN, step) == []
            page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(rf"\?step={steps}$"))
        told = page.locator("[data-live]").inner_text()
        assert told == page.locator("#argument").inner_text() != ""
        page.keyboard.type("7")
        page.keyboard.press("Enter")
        expect(page.locator("#step")).to_have_value("7")
        page.keyboard.press("ArrowLeft")
        expect(page).to_have_url(re.compile(r"\?step=6$"))
        expect(page.locator(".choices > a")).to_have_attribute("href", re.compile(r"step=6"))
        page.keyboard.press("End")
        expect(page.locator("#step")).to_have_value(str(steps))
        assert violations(page) == []


def test_a_hand_plays_by_itself_and_stops_at_its_end(opened):
    """And where it is told to; the space bar is enough for both. The clock is the test's own."""
    with opened(path=f"{HAND}?step=1") as page:
        page.clock.install(time=0)
        page.reload()
        page.clock.pause_at(60_000)
        button, step = page.locator("[data-play]"), page.locator("#step")
        page.locator("[data-pace]").select_option("0.25")
        page.locator(".stage").focus()
        page.keyboard.press("Space")
        expect(button).to_have_accessible_name("Pause")
        page.clock.run_for(750)
        expect(step).to_have_value("4")
        page.keyboard.press("Space")
        expect(button).to_have_accessible_name("Play")
        page.clock.run_for(10_000)
        expect(step).to_have_value("4")
        button.click()
        page.clock.run_for(10_000)
        expect(step).to_have_value(page.locator("#replayer").get_attribute("data-steps") or "")
        expect(button).to_have_accessible_name("Play")


def test_who_wants_no_motion_gets_none(opened):
    """Whose turn it is does not breathe then."""
    with opened(path=f"{HAND}?step=8") as page:
        glow = ".table.wide .turn .glow"
        named = "seat => getComputedStyle(seat).animationName"
        assert page.locator(glow).evaluate(named) == "breathe"
        page.emulate_media(reduced_motion="reduce")
        assert page.locator(glow).evaluate(named) == "none"


def test_the_hand_that_was_tampered_with_says_where(opened, served):
    """Its banner names the event, and leads to it."""
    with opened(path=f"/desk/hands/{served.tampered}") as page:
        banner = page.get_by_role("region", name=re.compile("not what the rules give")).first
        expect(banner).to_contain_text("settled.transfers")
        assert violations(page) == []
        link = banner.get_by_role("link").first
        step = link.inner_text()
        page.locator("[data-go=first]").click()
        link.click()
        expect(page.locator("#step")).to_have_value(step)
        expect(page.locator(".stage")).to_be_focused()


@pytest.mark.parametrize("role", [Role.PLAYER, Role.AUDITOR])
def test_a_running_hand_shows_a_seat_its_own_cards_alone(opened, role):
    """Ann has looked; an auditor sees none."""
    with opened(role, path=f"/desk/hands/{RUNNING.replace('/', '%2F')}") as page:
        drawn = page.locator(".table.wide [data-card]").evaluate_all(
            "cards => cards.map((card) => card.getAttribute('href'))"
        )
        own = {"#card-As", "#card-Ad", "#card-Ah"} if role is Role.PLAYER else set()
        assert {*drawn} - {"#card-back"} == own
        assert drawn.count("#card-back") == 6 - len(own)
        assert violations(page) == []


def test_other_rules_are_tried_without_leaving_the_page(opened):
    """And what the hand comes to is seat by seat beside what was paid."""
    with opened(path=f"{HAND}?step=5") as page:
        page.get_by_text("Change single rules").click()
        page.locator("#f-rake_bp").fill("0")
        page.get_by_role("button", name="Try it").first.click()
        tried = page.locator("#tried")
        expect(tried).to_contain_text("Changed: rake_bp = 0")
        expect(tried.locator("tbody tr").first).to_be_visible()
        expect(page.locator("#step")).to_have_value("5")
        assert violations(page) == []
        page.locator("#f-rake_bp").fill("lots")
        page.keyboard.press("Enter")
        expect(tried).to_contain_text("This cannot be tried")
