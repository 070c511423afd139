"""A dossier as PDF: the very same HTML, printed by a Chromium that has no network and no profile.

The pages are those of the HTML. The bytes are not the same twice: a browser writes the time into
a PDF, and what a viewer should hold on to is the HTML.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import ClassVar, Final

from adapters.errors import AdapterError

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Names by which one is looked for on PATH, in this order."""

_TIMEOUT_S: Final = 180
_REASON_MAX: Final = 300  # characters

_OPTIONS: Final = (
    *("--headless", "--no-pdf-header-footer", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--no-first-run", "--no-default-browser-check", "--disable-extensions", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-breakpad"),
    *("--metrics-recording-only", "--host-resolver-rules=MAP * ~NOTFOUND"),
    *("--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>", "--password-store=basic"),
)


class NoBrowserError(AdapterError):
    """No Chromium is on PATH, which alone prints PDF."""

    code: ClassVar[str] = "no_browser"

    def __init__(self) -> None:
        names = ", ".join(BROWSERS)
        super().__init__(
            f"a PDF is printed by a Chromium, and none of {names} is on PATH: install one, or ask"
            " for .html, which holds the same and can be printed by any browser"
        )


class PrintingFailedError(AdapterError):
    """The browser wrote no PDF."""

    code: ClassVar[str] = "printing_failed"

    def __init__(self, *, browser: str, reason: str) -> None:
        super().__init__(f"{browser} wrote no PDF: {reason}; .html holds the same")
        self.browser, self.reason = browser, reason


def find_browser() -> str:
    """Return where a browser is.

    Raises:
        NoBrowserError: There is none.
    """
    for name in BROWSERS:
        found = shutil.which(name)
        if found is not None:
            return found
    raise NoBrowserError


def print_pdf(html: str) -> bytes:
    """Return a page as PDF.

    Raises:
        NoBrowserError: No browser is there.
        PrintingFailedError: It wrote none, or took too long.
    """
    browser = find_browser()
    with tempfile.TemporaryDirectory(prefix="jinhua-dossier-") as directory:
        page, printed = Path(directory, "dossier.html"), Path(directory, "dossier.pdf")
        page.write_text(html, encoding="utf-8")
        words = [browser, *_OPTIONS, f"--user-data-dir={directory}/profile"]
        if os.geteuid() == 0:  # its sandbox is not for root
            words.append("--no-sandbox")
        words += [f"--print-to-pdf={printed}", page.as_uri()]
        reason = _run(words)
        if not printed.exists():
            raise PrintingFailedError(browser=browser, reason=reason)
        return printed.read_bytes()


def _run(words: list[str]) -> str:
    """Run a browser to its end. Return its last words."""
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"it took longer than {_TIMEOUT_S} s"
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1][:_REASON_MAX] if lines else f"exit status {done.returncode}"
