"""What every page has to hold, and where pictures of pages go."""

import json

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

SERIOUS = {"serious", "critical"}


def violations(page: Page) -> list[str]:
    """Return what a reader with a screen reader or weak eyes would stumble over on a page."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {json.dumps([node['html'] for node in one['nodes'][:3]])}"
        for one in found
        if one["impact"] in SERIOUS
    ]


def is_too_wide(page: Page) -> bool:
    """Tell whether a page scrolls sideways; its tables may, each in a region of its own."""
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    return bool(page.evaluate(wide))
