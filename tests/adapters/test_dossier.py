"""The dossier: everything is in it, nothing else is needed, and nobody sees what is not theirs."""

import base64
import html.parser
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

import pytest

from adapters.dossier.contents import contents
from adapters.dossier.material import gather
from adapters.dossier.printing import (
    BROWSERS,
    NoBrowserError,
    PrintingFailedError,
    find_browser,
    print_pdf,
)
from adapters.dossier.rendering import render
from adapters.dossier.rules_page import cited
from adapters.dossier.words import WORDS
from adapters.evidence.checkpoints import make
from adapters.exporting.viewers import Viewer
from adapters.ledger import Ledger
from domain.errors import NotYourTurnError, UnknownSeatError
from domain.events import EvidenceFile
from domain.money import in_chips
from domain.zhajinhua.explanation import explain
from domain.zhajinhua.rulebooks import published
from domain.zhajinhua.sources import MATTERS
from tests.adapters.play import do, fund, lines, sit_down, vectors
from tests.adapters.proving import KEY, SIGNER, play_hand, verifier
from tests.adapters.stored import event_at, projector, replace, views

AT = datetime(2026, 12, 1, 9, tzinfo=UTC)
AUDITOR, PUBLIC = Viewer("auditor"), Viewer("public")
HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'</style>"
FACES = re.compile(r"[2-9JQKA0][♠♥♦♣]")


class Page(html.parser.HTMLParser):
    """A page taken apart: its elements, and what a reader reads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Keep an element."""
        self.elements.append((tag, dict(attrs)))
        self._tags.append(tag)

    def handle_endtag(self, tag):
        """Leave it."""
        while self._tags and self._tags.pop() != tag:
            pass

    def handle_data(self, data):
        """Keep what is read."""
        if "style" not in self._tags:
            self.text += data


class Made(NamedTuple):
    """A dossier, as text and taken apart."""

    html: str
    page: Page


@contextmanager
def maker(ledger: Ledger, dsn: str) -> Iterator[Any]:
    """Lend what makes dossiers of a ledger."""
    with projector(dsn) as keeper, views(dsn) as read:

        def made(hand: str = "h-1", viewer: Viewer = AUDITOR, lang: Any = "en") -> Made:
            keeper.catch_up()
            text = render(contents(gather(ledger, read, hand, viewer), at=AT, lang=lang))
            return Made(text, Page(text))

        yield made


@pytest.fixture
def made(ledger: Ledger, store_dsn: str) -> Iterator[Any]:
    """What makes dossiers of the test's ledger."""
    with maker(ledger, store_dsn) as of:
        yield of


def squeezed(text: str) -> str:
    """Return a text without the spaces by which a page is laid out."""
    return " ".join(text.split())


def test_whatever_the_argument_says_is_in_it(ledger, made):
    """Each step, sum, section and sentence, and each seat's figures; under every rulebook."""
    records = [
        {**record, "hand": f"{rulebook.id}-{number}"}
        for rulebook in published()
        for number, record in enumerate(vectors(rulebook.id)[:2])
    ]
    report = ledger.import_hands(lines(*records))
    assert not report.refused

    for record in records:
        for lang in ("en", "zh"):
            text = squeezed(made(record["hand"], lang=lang).page.text)
            events = [entry.event for _, entry in ledger.hand(record["hand"])]
            for step in explain(events, lang):
                for said in (step.text, *step.arithmetic, step.rule, step.document, step.quotation):
                    assert squeezed(said) in text, (record["hand"], lang, said)
            for result in record["settlement"]["seats"].values():
                assert all(in_chips(amount) in text for amount in result.values())
            assert WORDS["agrees"]._asdict()[lang] in text


def test_nothing_else_is_needed_to_read_it(ledger, made):
    """No file, no script, no network: what it points to is in itself."""
    fund(ledger, "ann", "bob")
    play_hand(ledger, "h-1")
    make(ledger.store, SIGNER)
    page = made()

    found = {name for tag, attributes in page.page.elements for name in attributes}
    assert not {"src", "srcset", "action", "onclick", "onload"} & found
    tags = {tag for tag, _ in page.page.elements}
    assert not {"script", "link", "img", "iframe", "object", "form"} & tags
    links = [a["href"] for tag, a in page.page.elements if tag == "a"]
    assert links
    assert all(str(link).startswith(("#", "data:application/json;base64,")) for link in links)
    style = page.html[page.html.index("<style>") : page.html.index("</style>")]
    assert not re.search(r"url\(|@import|https?:", style)
    policy = next(a["content"] for _, a in page.page.elements if a.get("http-equiv"))
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    anchors = {a["id"] for _, a in page.page.elements if "id" in a}
    assert {str(link)[1:] for link in links if str(link).startswith("#")} == anchors


def test_what_anybody_wrote_is_text_and_no_markup(ledger, made):
    """Names of hands and players, claimants, reasons, notes, files: as they are, and harmless."""
    fund(ledger, HOSTILE, "bob")
    sit_down(ledger, HOSTILE, players=(HOSTILE, "bob"))
    do(ledger, 1, "call", hand=HOSTILE)
    do(ledger, 2, "fold", hand=HOSTILE)
    ledger.claim_settlement(HOSTILE, {"rake": 7}, claimant=HOSTILE, command_id="c", actor=HOSTILE)
    dispute(ledger, HOSTILE, HOSTILE, by=HOSTILE)
    make(ledger.store, None)

    for lang in ("en", "zh"):
        page = made(HOSTILE, lang=lang)
        tags = {tag for tag, _ in page.page.elements}
        assert not {"script", "img"} & tags
        assert page.html.count("</style>") == 1
        assert not any(name.startswith("on") for _, found in page.page.elements for name in found)
        assert page.page.text.count(HOSTILE) > 10
        name = next(a["download"] for _, a in page.page.elements if "download" in a)
        assert re.fullmatch(r"proof-[\w-]+\.json", str(name), re.ASCII)


def dispute(ledger: Ledger, hand: str, dispute: str = "d1", *, by: str, text: str = "") -> None:
    """Open a dispute, put something on file, and rule it."""
    said = text or dispute
    given: dict[str, Any] = {"by": by, "claims": f"claims {said}", "due": AT + timedelta(days=99)}
    ledger.open_dispute(dispute, hand, **given, command_id=f"{dispute}:1", actor="desk")
    file = EvidenceFile(name=said, size=6, sha256="ab" * 32)
    note = f"note {said}"
    ledger.note_dispute(dispute, note, evidence=file, command_id=f"{dispute}:2", actor="desk")
    why = f"why {said}"
    ledger.rule_dispute(dispute, "partly_upheld", why, command_id=f"{dispute}:3", actor="desk")


# --- the proof ---------------------------------------------------------------------------


def test_the_proof_that_it_carries_is_proven(ledger, made, tmp_path):
    """Saved from the page, by the script that knows nothing of this ledger."""
    fund(ledger, "ann", "bob")
    play_hand(ledger, "h-1")
    note = make(ledger.store, SIGNER).stored.note
    page = made()

    (link,) = [a for tag, a in page.page.elements if "download" in a]
    data = base64.b64decode(str(link["href"]).partition("base64,")[2])
    file = tmp_path / str(link["download"])
    file.write_bytes(data)

    assert verifier.main([str(file), "--key", SIGNER.verifier.text]) == 0
    assert KEY is not None
    assert json.loads(data)["checkpoint"] == note
    assert note.splitlines()[-1] in page.page.text
    assert sha256(data).hexdigest() in page.page.text
    assert "jinhua+" in page.page.text
    assert ("code", {}) in page.page.elements
    assert "<code>" not in page.page.text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_a_checkpoint_it_carries_none_and_says_so(ledger, made, lang):
    """Nor where the newest one is older than the hand."""
    fund(ledger, "ann", "bob")
    make(ledger.store, SIGNER)
    play_hand(ledger, "h-1")

    page = made(lang=lang)

    assert not [a for _, a in page.page.elements if "download" in a]
    assert WORDS["no_checkpoint"]._asdict()[lang] in page.page.text


# --- who sees what -----------------------------------------------------------------------


def running(ledger: Ledger) -> None:
    """Begin a hand in which seat 1 has looked at three aces, and seat 2 asked too early."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    do(ledger, 1, "look")
    with pytest.raises(NotYourTurnError):
        do(ledger, 2, "fold", command_id="early")
    dispute(ledger, "h-1", "d1", by="ann", text="of-ann")
    dispute(ledger, "h-1", "d2", by="bob", text="of-bob")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_running_hand_shows_no_card_but_its_own_to_who_has_looked(ledger, made, lang):
    """Nobody else sees any, an auditor neither; and there is no proof with cards in it."""
    running(ledger)
    make(ledger.store, SIGNER)

    for viewer in (AUDITOR, PUBLIC, Viewer("player", "bob")):
        page = made("h-1", viewer, lang)
        assert not FACES.search(page.page.text), viewer
        assert "AsAdAh" not in page.html
        assert WORDS["proof_running"]._asdict()[lang] in page.page.text
    own = made("h-1", Viewer("player", "ann"), lang).page.text
    assert "A♠ A♦ A♥" in own
    assert "2♣" not in own


def test_a_hand_that_is_over_shows_its_cards_to_all(ledger, made):
    """As the table did."""
    fund(ledger, "ann", "bob")
    play_hand(ledger, "h-1")

    for viewer in (AUDITOR, PUBLIC, Viewer("player", "bob")):
        text = made("h-1", viewer).page.text
        assert "A♠ A♦ A♥" in text
        assert "2♣ 4♦ 7♥" in text


def test_texts_of_disputes_are_for_whose_they_are(ledger, made):
    """And for the auditor; that there is one, and its verdict, is for everybody."""
    running(ledger)
    seen = {
        AUDITOR: {"of-ann", "of-bob"},
        PUBLIC: set[str](),
        Viewer("player", "ann"): {"of-ann"},
        Viewer("player", "bob"): {"of-bob"},
    }
    for viewer, texts in seen.items():
        text = made("h-1", viewer).page.text
        assert {one for one in ("of-ann", "of-bob") if one in text} == texts
        assert text.count("partly upheld") >= 2
        for one in texts:
            assert all(f"{part} {one}" in text for part in ("claims", "note", "why"))
            assert f"Evidence: {one}, 6 bytes, SHA-256 {'ab' * 32}" in text


def test_refusals_are_for_the_auditor_and_for_whose_seat_they_are_of(ledger, made):
    """The public sees none."""
    running(ledger)

    seen = [v for v in (AUDITOR, PUBLIC, *(Viewer("player", p) for p in ("ann", "bob")))
            if "not_your_turn" in made("h-1", v).page.text]  # fmt: skip

    assert seen == [AUDITOR, Viewer("player", "bob")]


def test_a_player_who_sits_nowhere_gets_none(ledger, made):
    """Not even the name of who does."""
    running(ledger)
    with pytest.raises(UnknownSeatError):
        made("h-1", Viewer("player", "cai"))


@pytest.mark.parametrize("text", ["", "me", "player", "player:", "auditor:x", "public:", "Auditor"])
def test_nobody_else_is_a_viewer(text):
    """A mistyped word is no auditor."""
    with pytest.raises(ValueError, match="none of"):
        Viewer.parse(text)


def test_a_viewer_may_have_any_name():
    """With colons in it too."""
    assert Viewer.parse("player:a:b") == Viewer("player", "a:b")
    assert (Viewer.parse("auditor"), Viewer.parse("public")) == (AUDITOR, PUBLIC)


# --- what went wrong ---------------------------------------------------------------------


def test_a_claim_that_differs_is_set_beside_the_settlement(ledger, made):
    """Each figure, in chips, and by how much."""
    fund(ledger, "ann", "bob")
    play_hand(ledger, "h-1")
    claim = {"rake": 7, "rounds": 9, "seats": {"1": {"net": 12_345}}, "winners": [2]}
    ledger.claim_settlement("h-1", claim, claimant="casino", command_id="c", actor="casino")
    settled = ledger.hand("h-1")[-2].entry.event.model_dump()["settlement"]

    text = made().page.text

    assert "casino, at position" in text
    net = settled["seats"]["1"]["net"]
    for said in ("seats.1.net", "123.45", in_chips(net), in_chips(12_345 - net), "0.07"):
        assert said in text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_hand_that_was_rewritten_says_so_first(ledger, store_dsn, made, lang):
    """With every discrepancy, and the argument as far as there is one."""
    fund(ledger, "ann", "bob")
    play_hand(ledger, "h-1")
    position = ledger.hand("h-1")[-1].position
    topic, body = event_at(store_dsn, position)
    replace(store_dsn, position, topic, re.sub(r'"rake":(\d+)', '"rake":7', body))

    page = made(lang=lang)

    assert ("div", {"class": "finding bad"}) in page.page.elements
    assert "settled.settlement.rake" in page.page.text
    assert WORDS["agrees"]._asdict()[lang] not in page.page.text


def test_a_hand_whose_events_lead_nowhere_has_no_argument(ledger, store_dsn, made):
    """It says so, and shows what was found all the same."""
    fund(ledger, "ann", "bob")
    play_hand(ledger, "h-1")
    ante = ledger.hand("h-1")[1].position
    topic, body = event_at(store_dsn, ante)
    replace(store_dsn, ante, topic, re.sub(r'(seat"?:)\d', r"\g<1>9", body))

    text = made().page.text

    assert WORDS["unexplainable"].en in text
    assert WORDS["discrepancies"].en in text


def test_a_void_hand_has_no_settlement(ledger, made):
    """It says why it is void."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    ledger.void_hand("h-1", "the table lost power", command_id="v", actor="floor")

    for lang in ("en", "zh"):
        text = made(lang=lang).page.text
        assert "the table lost power" in text
        assert WORDS["not_settled"]._asdict()[lang] in text


def test_a_dispute_that_nobody_ruled_in_time_is_marked(ledger, made):
    """As of the moment at which the dossier is made."""
    fund(ledger, "ann", "bob")
    play_hand(ledger, "h-1")
    ledger.asking._clock = lambda: AT - timedelta(days=9)
    for number, due in enumerate((AT - timedelta(days=1), AT + timedelta(days=1)), 1):
        given: dict[str, Any] = {"by": "ann", "claims": "x", "due": due}
        ledger.open_dispute(f"d{number}", "h-1", **given, command_id=f"{number}", actor="desk")

    assert made().page.text.count(WORDS["overdue_at"].en) == 1


def test_every_section_that_a_step_can_cite_is_quoted():
    """Whole: none is empty."""
    wanted = {matter.section for matter in MATTERS.values()}
    found = {section.number: section for section in cited(wanted)}

    assert found.keys() == wanted
    assert all(section.title and all(section.paragraphs) for section in found.values())
    assert "`" not in str(found)


def test_every_word_is_said_in_both_languages():
    """With the same fields to fill in."""
    for name, words in WORDS.items():
        fields = [sorted(re.findall(r"{\w+}", said)) for said in words]
        assert fields[0] == fields[1], name
        assert all(words), name


# --- as PDF ------------------------------------------------------------------------------


def test_it_is_printed_by_the_browser_that_is_there(ledger, made):
    """Page after page, from the very same HTML; without a browser there is nothing to try."""
    if not any(map(shutil.which, BROWSERS)):
        pytest.skip(f"none of {', '.join(BROWSERS)} is on PATH")
    fund(ledger, "ann", "bob")
    play_hand(ledger, "h-1")

    printed = print_pdf(made(lang="zh").html)

    assert printed.startswith(b"%PDF-")
    assert printed.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) > 2


def test_without_a_browser_it_says_what_to_do(tmp_path, monkeypatch):
    """Install one, or take the HTML."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NoBrowserError, match=r"install one, or ask for \.html"):
        find_browser()
    with pytest.raises(NoBrowserError):
        print_pdf("<p>")


def test_a_browser_that_prints_nothing_is_named(tmp_path, monkeypatch):
    """With its last words."""
    browser = tmp_path / BROWSERS[0]
    browser.write_text("#!/bin/sh\necho first >&2; echo no display >&2; exit 1\n")
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    with pytest.raises(PrintingFailedError, match="wrote no PDF: no display"):
        print_pdf("<p>")
