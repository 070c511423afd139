"""The service with some hundred hands in it, one of them tampered with, and Chromium to look at it.

``served`` is a service that runs, with a key of each role; ``browser`` the Chromium of the system;
``opened(…)`` a page of it, signed in, in a language, a theme and a size. Where there is no Chromium
the tests are skipped, and say so.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from psycopg.conninfo import make_conninfo

from adapters.evidence.checkpoints import make
from adapters.ledger import Ledger
from adapters.registers.api_keys import Role, make_key
from adapters.simulation.hands import line_of, simulate
from adapters.store.postgres import Store
from domain.events import EvidenceFile
from tests.adapters import stored
from tests.adapters.http_api.test_serve import serving
from tests.adapters.play import do, fund, sit_down
from tests.adapters.proving import SIGNER
from tests.conftest import _new_database

FIRST_DAY: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
RULEBOOKS: Final = {"jiuyou": 80, "platform": 60, "tongcheng": 60}
A_DAY: Final = 15
"""Hands of a day."""

RUNNING: Final = "live/1"
"""A hand that is not over: Ann has looked at her cards."""

SIZES: Final = {"phone": (390, 844), "desktop": (1280, 900)}

PATIENCE_MS: Final = 60_000
expect.set_options(timeout=PATIENCE_MS)


class Served(NamedTuple):
    """A service that runs."""

    url: str
    keys: dict[Role, str]  # Ann's is the player's
    tampered: str  # the hand that was
    position: int  # of the event in it


_SOME_WIN: Final = """
    SELECT position, originator_id FROM events
     WHERE topic = 'hand.settled.v1' AND position(%s IN body) > 0
     ORDER BY position OFFSET 60 LIMIT 1
"""

Opened = Callable[..., AbstractContextManager[Page]]


@pytest.fixture(scope="session")
def served(server: str, template: str) -> Iterator[Served]:
    """A service on a ledger of its own, which tests read and do not change."""
    with _new_database(server, template) as name:
        dsn = make_conninfo(server, dbname=name)
        keys = _filled(dsn)
        hand, position = _tampered(dsn)
        with serving(dsn) as (_, address):
            yield Served(f"http://{address}", keys, hand, position)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium of the system. It goes with its file: while it is there, an event loop runs."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("there is no chromium on this machine: the pages are not looked at")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Browser, served: Served) -> Opened:
    """What opens a page of the service for whoever signs in with the key of a role."""

    @contextmanager
    def open_page(
        role: Role | None = Role.AUDITOR,
        *,
        lang: str = "en",
        theme: str = "light",
        size: str = "desktop",
        path: str = "/desk/",
        refused: int = 0,
        scripts: bool = True,
    ) -> Iterator[Page]:
        width, height = SIZES[size]
        context = browser.new_context(
            locale={"zh": "zh-CN", "en": "en-GB"}[lang],
            color_scheme="dark" if theme == "dark" else "light",
            viewport={"width": width, "height": height},
            has_touch=size == "phone",
            java_script_enabled=scripts,
        )
        context.set_default_timeout(PATIENCE_MS)
        if role is not None:
            url = f"{served.url}/desk"
            context.add_cookies([{"name": "jinhua_key", "value": served.keys[role], "url": url}])
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda told: faults.extend([told.text] * (told.type == "error")))
        page.goto(served.url + path)
        yield page
        assert len(faults) == refused, faults  # Chromium tells of an answer that is a refusal
        context.close()

    return open_page


def _filled(dsn: str) -> dict[Role, str]:
    """Play, day by day; sign a checkpoint; leave a hand running. Return the keys."""
    hands = [
        line_of(record)
        for rulebook, number in RULEBOOKS.items()
        for record in simulate(rulebook, hands=number, seed=8)
    ]
    now = FIRST_DAY
    with Ledger(Store(dsn), clock=lambda: now) as ledger:
        for start in range(0, len(hands), A_DAY):
            assert not ledger.import_hands(hands[start : start + A_DAY]).refused
            now += timedelta(days=1)
        make(ledger.store, SIGNER)
        fund(ledger, "ann", "bob")
        sit_down(ledger, RUNNING)
        do(ledger, 1, "look", hand=RUNNING)
        _disputed(ledger)
        make(ledger.store, SIGNER)
        keys = {
            role: make_key(ledger.store, role, player="ann" if role is Role.PLAYER else None)
            for role in Role
        }
    with stored.projector(dsn, batch=5_000) as keeper:
        keeper.catch_up()
    return keys


def _disputed(ledger: Ledger) -> None:
    """Hold something against a hand: one dispute with all that there can be, and an overdue one."""
    hand, said = "sim-jiuyou-8-1", "2.50 short\n" + "每一笔都少付了，见附件。" * 9
    figures = {"rake": 26, "pot": 100, "seats": {"1": {"net": -1}}}
    claim = ledger.claim_settlement(hand, figures, claimant="bank", command_id="c", actor="bank")
    given: dict[str, Any] = {
        "by": "p013",
        "claims": said,
        "due": FIRST_DAY + timedelta(days=60),
        "actor": "desk",
    }
    version = claim.answer["version"]
    ledger.open_dispute("d1", hand, **given, claim=version, command_id="d1")
    ledger.open_dispute("d2", RUNNING, **given, command_id="d2")
    log = EvidenceFile(name="table-7-2026-03-01.log", size=7_340_032, sha256="ab" * 32)
    ledger.note_dispute("d1", said, evidence=log, command_id="n", actor="desk")
    ledger.rule_dispute("d1", "partly_upheld", said, command_id="r", actor="desk")


def _tampered(dsn: str) -> tuple[str, int]:
    """Let the house take a chip more of what a winner got. Return the hand and the position."""
    ((position, stream),) = stored.rows(dsn, _SOME_WIN, ['"won"'])
    topic, body = stored.event_at(dsn, position)
    event = json.loads(body)
    won = next(moved for moved in event["transfers"] if moved[3] == "won")
    won[2] -= 100
    stored.replace(dsn, position, topic, json.dumps(event, separators=(",", ":")))
    return stream.removeprefix("hand:"), position
