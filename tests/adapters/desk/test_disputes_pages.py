"""What is held against hands, as the pages tell it: all of it, one, and beside the hand."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from adapters.desk import paging
from adapters.ledger import Ledger
from adapters.registers.api_keys import Role
from domain.events import EvidenceFile
from tests.adapters.desk.test_hand import section, words
from tests.adapters.play import do, fund, sit_down
from tests.adapters.stored import event_at, projector, replace

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
PASSED = THEN + timedelta(days=7)
FAR = datetime(2999, 3, 1, tzinfo=UTC)
LOG = EvidenceFile(name="table-7.log", size=1_234_567, sha256="ab" * 32)
HOSTILE = "<script>alert(1)</script>\n\N{RIGHT-TO-LEFT OVERRIDE}{claims} %s"
ROW = re.compile(r'<th scope="row" class="id"><a href="[^"]+" title="([^"]+)"')


@pytest.fixture
def disputed(ledger: Ledger, store_dsn: str) -> Ledger:
    """Two hands, at two tables, and a dispute of each kind; the clock stands still."""
    ledger.asking._clock = lambda: THEN
    fund(ledger, "ann", "bob", "cai", "dan")
    ledger.name_player("bob", "Bob", command_id="name", actor="desk")
    sit_down(ledger, "t1/1")
    do(ledger, 1, "call", hand="t1/1")
    do(ledger, 2, "fold", hand="t1/1")
    claim = ledger.claim_settlement("t1/1", {"rake": 26}, claimant="x", command_id="c", actor="x")
    sit_down(ledger, "t2/1", players=("cai", "dan"))
    held(ledger, "d/1", "t1/1", by="bob", due=PASSED, claim=claim.answer["version"])
    held(ledger, "waits", "t2/1", by="eve", due=FAR)
    held(ledger, "late", "t1/1", by="bob", due=PASSED)
    held(ledger, "done", "t1/1", by="ann", due=FAR, claims=HOSTILE)
    ledger.note_dispute("done", HOSTILE, evidence=LOG, command_id="n", actor="desk <b>")
    ledger.asking._clock = lambda: FAR - timedelta(days=1)
    ledger.rule_dispute("done", "partly_upheld", HOSTILE, command_id="r", actor="desk")
    with projector(store_dsn) as keeper:
        keeper.catch_up()
    return ledger


def held(ledger, dispute, hand, *, claims="2.50 short", **given):
    """Open a dispute."""
    ledger.open_dispute(dispute, hand, claims=claims, command_id=dispute, actor="desk", **given)


# fmt: off
SEARCHES = {
    "":                     ["done", "late", "waits", "d/1"],
    "state=open":           ["late", "waits", "d/1"],
    "state=overdue":        ["late", "d/1"],
    "state=ruled":          ["done"],
    "by=bob":               ["late", "d/1"],
    "by=bo":                [],
    "hand=t2%2F1":          ["waits"],
    "state=&by=&hand=":     ["done", "late", "waits", "d/1"],
    "state=open&by=eve&hand=t2%2F1": ["waits"],
}
# fmt: on


@pytest.mark.usefixtures("disputed")
def test_disputes_are_found_by_state_hand_and_whose_they_are(auditor):
    """The newest first; and the form shows again what was asked for."""
    pages = {query: auditor.get(f"/desk/disputes?{query}").text for query in SEARCHES}

    assert {query: ROW.findall(text) for query, text in pages.items()} == SEARCHES
    assert '<option value="overdue" selected>' in pages["state=overdue"]
    assert "There is no dispute of this kind." in pages["by=bo"]
    first = words(pages["hand=t2%2F1"].split("<tbody>")[1])
    assert first.startswith("26 waits open 2999-03-01 00:00:00 t2/1 eve 2.50 short 0 2026-03-01")
    assert auditor.get("/desk/disputes?state=odd").status_code == 400


@pytest.mark.usefixtures("disputed")
def test_pages_lead_from_the_newest_to_the_oldest_and_back(auditor, monkeypatch):
    """With what was asked for."""
    monkeypatch.setattr(paging, "LENGTH", 2)
    first = auditor.get("/desk/disputes?state=open").text
    (older,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = auditor.get(older.replace("&amp;", "&")).text
    (newer,) = re.findall(r'rel="prev" href="([^"]+)"', second)

    assert [ROW.findall(text) for text in (first, second)] == [["late", "waits"], ["d/1"]]
    assert auditor.get(newer.replace("&amp;", "&")).text.count("</tr>") == 3
    assert 'rel="next"' not in second


@pytest.mark.usefixtures("disputed")
def test_a_dispute_is_shown_with_all_that_is_on_file_and_its_verdict(auditor):
    """Every text of it, with its position; whatever is in a text, it is text."""
    text = auditor.get("/desk/disputes/done").text
    file = section(text, "file")

    assert "<script>alert" not in text
    assert "desk <b>" not in text
    assert section(text, "verdict").startswith("Ruled: partly upheld <script>alert(1)</script>")
    assert "{claims} %s" in section(text, "claimed")
    assert "By ann seat 1 of the hand" in section(text, "claimed")
    assert re.findall(r"(\w+) · Position (\d+) ·", file) == [
        *(("opened", "28"), ("dispute", "29"), ("ruled", "30")),
    ]
    assert "entered by desk <b>" in file
    assert f"Evidence table-7.log Size 1,234,567 bytes SHA-256 {'ab' * 32}" in file
    assert "Every event is what the rules" in file
    assert 'href="/desk/hands/t1%2F1"' in text
    assert 'href="/desk/hands/t1%2F1/dossier"' in text
    assert 'href="/desk/verification?hand=t1%2F1"' in text
    assert "ruled after it was due" not in text


def test_a_verdict_that_came_late_is_said_to(disputed, auditor):
    """Though the dispute is overdue no more."""
    disputed.asking._clock = lambda: PASSED + timedelta(seconds=1)
    disputed.rule_dispute("late", "upheld", "it was", command_id="l", actor="desk")
    text = auditor.get("/desk/disputes/late").text

    assert section(text, "verdict").endswith("it was 2026-03-08 12:00:01 ruled after it was due")
    assert "overdue" not in text


@pytest.mark.usefixtures("disputed")
def test_the_foreign_figures_that_a_dispute_rests_on_stand_beside_the_derived(auditor):
    """And where it rests on none, or its hand is running, nothing does."""
    resting, other, running = (
        auditor.get(f"/desk/disputes/{one}").text for one in ("d%2F1", "late", "waits")
    )

    assert "Rake 0.26 (differs)" in section(resting, "claims")
    assert 'href="/desk/hands/t1%2F1?step=' in resting
    assert "By Bob bob seat 2 of the hand" in section(resting, "claimed")
    assert section(resting, "verdict").startswith("Overdue The verdict was due at 2026-03-08 12:00")
    assert "<mark>" not in other + running
    assert "By eve sat in no seat of the hand" in section(running, "claimed")
    assert section(running, "verdict").startswith("Not ruled yet")


@pytest.mark.usefixtures("disputed")
def test_the_pages_are_in_chinese_too(auditor):
    """In the words of the dossier."""
    auditor.get("/desk/?lang=zh")
    one, several = (auditor.get(f"/desk/disputes{path}").text for path in ("/done", ""))

    assert section(one, "verdict").startswith("已裁定：部分成立")
    assert "证据 table-7.log 大小 1,234,567 字节" in section(one, "file")
    assert "d/1 逾期 2026-03-08 12:00:00 t1/1 Bob bob" in section(several, "found-title")


@pytest.mark.usefixtures("disputed")
def test_a_hand_leads_to_what_is_held_against_it(auditor, reading):
    """With how that stands; the overview counts it; no player is told."""
    page, other = (auditor.get(f"/desk/hands/{hand}").text for hand in ("t1%2F1", "t2%2F1"))
    overview = words(auditor.get("/desk/").text)
    with reading(Role.PLAYER, player="bob") as bob:
        own = bob.get("/desk/hands/t1%2F1").text

    assert section(page, "disputes").endswith(
        "d/1 overdue due 2026-03-08 12:00:00 late overdue due 2026-03-08 12:00:00"
        " done partly upheld"
    )
    assert 'href="/desk/disputes/d%2F1"' in page
    assert "waits open due 2999" in section(other, "disputes")
    assert "Disputes 3 open, 2 of them overdue" in overview
    assert "/desk/disputes" not in own


@pytest.mark.usefixtures("disputed")
def test_a_key_that_is_bound_to_tables_sees_the_disputes_of_its_tables_alone(reading):
    """Of others it is told what it is told of those that there are not."""
    with reading(Role.INVESTIGATOR, "t2", "t3") as client:
        assert ROW.findall(client.get("/desk/disputes").text) == ["waits"]
        assert ROW.findall(client.get("/desk/disputes?by=bob").text) == []
        assert client.get("/desk/disputes?hand=t1%2F1").status_code == 403
        assert "Disputes 1 open, 0 of them overdue" in words(client.get("/desk/").text)
        assert client.get("/desk/disputes/waits").status_code == 200
        foreign, none = (client.get(f"/desk/disputes/{one}") for one in ("done", "never"))
    with reading(Role.AUDITOR, "t") as client:
        assert ROW.findall(client.get("/desk/disputes").text) == []

    assert (foreign.status_code, none.status_code) == (404, 404)
    assert foreign.text.replace("done", "never") == none.text


@pytest.mark.usefixtures("disputed")
def test_a_dispute_that_was_never_opened_is_not_there(auditor):
    """And the page says so."""
    for one in ("never", "d", "%00", "<b>"):
        answer = auditor.get(f"/desk/disputes/{one}")

        assert answer.status_code == (400 if one == "%00" else 404)
        assert '<div class="gate">' in answer.text
        assert "<b>" not in answer.text


# fmt: off
REWRITTEN = {
    # what was done                   old              new              what is found
    "a word":                       ("2.50 short",    "9.50 short",    ["link"]),
    "when it is due":               ('"due":"2026',   '"due":"2025',   ["link", "opened"]),
    "the hand, which never was": ('"hand":"t1/1"', '"hand":"t1/9"', ["link", "opened.hand"]),
}
# fmt: on


@pytest.mark.parametrize(("old", "new", "what"), REWRITTEN.values(), ids=REWRITTEN)
def test_a_dispute_that_was_rewritten_says_so(disputed, store_dsn, auditor, old, new, what):
    """And is shown all the same."""
    position = disputed.dispute("late")[0].position
    topic, body = event_at(store_dsn, position)
    assert old in body
    replace(store_dsn, position, topic, body.replace(old, new))
    text = auditor.get("/desk/disputes/late").text
    found = section(text, "checked")

    assert [one for one in what if f" {position} {one} " in found] == what
    assert 'href="/desk/disputes/late">dispute:late' in text
    assert "Every event is what the rules" not in text


UNREADABLE = {
    "no JSON": ("{", ""),
    "U+0000 in the hand": ('"hand":"t1/1"', r'"hand":"t1/1\u0000"'),
    "U+0000 in whose it is": ('"by":"bob"', r'"by":"bob\u0000"'),
    "due after the last year": ("2026-03-08T12:00:00Z", "9999-12-31T23:59:59-14:00"),
    "due before the first one": ("2026-03-08T12:00:00Z", "0001-01-01T00:00:00+14:00"),
}


@pytest.mark.parametrize(("old", "new"), UNREADABLE.values(), ids=UNREADABLE)
def test_one_that_cannot_be_read_is_named_and_spoils_no_other_page(
    disputed, store_dsn, auditor, reading, old, new
):
    """It is shown with what was found, or the event is named; others learn nothing of it."""
    position = disputed.dispute("late")[0].position
    topic, body = event_at(store_dsn, position)
    assert old in body
    replace(store_dsn, position, topic, body.replace(old, new, 1))
    with projector(store_dsn) as keeper:
        keeper.rebuild()
    one = auditor.get("/desk/disputes/late")
    others = [auditor.get(f"/desk/{at}").status_code for at in ("", "disputes", "hands/t1%2F1")]
    with reading(Role.AUDITOR, "t2") as bound:
        foreign, none = (bound.get(f"/desk/disputes/{one}") for one in ("late", "never"))

    assert one.status_code == 200 or "unreadable_event" in one.text
    assert others == [200, 200, 200]
    assert (foreign.status_code, none.status_code) == (404, 404)
