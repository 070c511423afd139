"""A hand's page over HTTP: who sees what, what it is found to be, and what it would have been."""

import html
import json
import re

import pytest

from adapters.evidence.checkpoints import make
from adapters.registers.api_keys import Role
from domain.deck import commit, dealt
from domain.errors import RefusalError
from domain.zhajinhua.rulebooks import find
from tests.adapters import stored
from tests.adapters.commands.test_live_privacy import DEAL, PLAYERS, leaks
from tests.adapters.desk.conftest import pages
from tests.adapters.play import CARRY, do, fund, lines, sit_down
from tests.domain.hands import record

PAGE = "/desk/hands/t1%2F1"
A_HAND = record(
    "1 7s6d2h, 2 KsKd4h, 3 QhJhTh",
    "3 raise 1000, 2 look, 2 call, 1 fold, 3 compare 2",
) | {"hand": "t1/1"}


def words(text):
    """Return what a page says, without its tags, scripts and pictures."""
    without = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", without)).split())


def section(text, name):
    """Return what one section of a page says."""
    found = re.search(rf'<section [^>]*aria-labelledby="{name}">.*?</section>', text, re.DOTALL)
    assert found, name
    return words(found[0])


@pytest.fixture
def live(ledger):
    """A running hand of three, in which seat 1 has looked, and seat 2 acted out of turn."""
    fund(ledger, *PLAYERS)
    seats = [{"seat": n, "player": p, "carry": CARRY} for n, p in enumerate(PLAYERS, 1)]
    sit_down(ledger, "t1/1", seats=seats, deal=DEAL, dealer=3)
    do(ledger, 1, "look", hand="t1/1")
    with pytest.raises(RefusalError):
        do(ledger, 1, "fold", hand="t1/1")
    return ledger


@pytest.fixture
def over(ledger):
    """A hand that is settled as its record claims."""
    assert not ledger.import_hands(lines(A_HAND)).refused
    return ledger


@pytest.mark.usefixtures("over")
def test_a_settled_hand_is_shown_at_its_end_with_its_cards_and_its_verdict(auditor):
    """Every panel of it."""
    text = auditor.get(PAGE).text

    assert "Every figure agrees" in section(text, "verdict")
    assert "Settled; won by seat 3" in section(text, "argument")
    assert "won 65.00 + bonus 10.00 - contributed 35.00 = 40.00 before rake" in words(text)
    assert "3 p3 Q♥ J♥ 10♥ straight flush blind · wins +38.50 35.00" in section(text, "seats")
    assert "3 p3 5.00 10.00 blind 20.00 blind beat 2" in section(text, "rounds")
    assert "Nothing was refused." in section(text, "refusals")
    assert "claims" not in re.findall(r'aria-labelledby="(\w+)"', text)


@pytest.mark.usefixtures("over")
def test_each_step_is_a_page(auditor):
    """Whoever has no scripts goes from one to the next by links."""
    steps = {
        1: "The hand opens",
        6: "Seat 3 (p3) raises the stake to 10.00",
        99: "Settled; won by seat 3",
    }
    for step, told in steps.items():
        text, shown = auditor.get(f"{PAGE}?step={step}").text, min(step, 12)

        assert f'data-of="told">{told}</h2>' in text
        assert re.findall(r'data-argues="(\d+)">', text) == [str(shown)]
        assert re.findall(r'data-step="(\d+)" aria-current="step"', text) == [str(shown)]
        assert f'href="?step={max(shown - 1, 1)}" title="Previous step"' in text


@pytest.mark.usefixtures("over")
def test_a_step_that_is_none_is_refused(auditor):
    """As anything else in an address."""
    assert {auditor.get(f"{PAGE}?step={step}").status_code for step in ("0", "x", "-1")} == {400}


@pytest.mark.usefixtures("over")
def test_the_page_is_in_chinese_too(auditor):
    """The argument, the verdict, the table."""
    auditor.cookies.set("lang", "zh")
    text = auditor.get(f"{PAGE}?step=8").text

    assert "逐项复核一致" in section(text, "verdict")
    assert "2 号位 p2（已看牌）跟注。 跟注 10.00 x 2 = 20.00" in section(text, "argument")
    assert "2 p2 K♠ K♦ 4♥ 对子 已看牌 跟注 20.00 25.00" in section(text, "seats")


@pytest.mark.usefixtures("live")
@pytest.mark.parametrize("role", [Role.SERVICE, Role.AUDITOR, Role.INVESTIGATOR])
def test_no_card_of_a_running_hand_is_on_its_page(reading, role):
    """Whatever the view; a seat's own is its table's to ask for, once it has looked."""
    with reading(role) as client:
        told = {f"{view}{step}": client.get(f"{PAGE}?view={view}&step={step}").text
                for view in ("auditor", "public") for step in (1, 5, 9)}  # fmt: skip
        told |= {"seat 2": client.get(f"{PAGE}?view=seat&seat=2").text}
        own = client.get(f"{PAGE}?view=seat&seat=1")

    assert {name: leaks(text) for name, text in told.items() if leaks(text)} == {}
    assert "The hand is running" in section(told["auditor9"], "verdict")
    assert own.status_code == (200 if role is Role.SERVICE else 403)


@pytest.mark.parametrize(
    ("lang", "while_it_runs", "told"),
    [
        ("en", "once the hand is over", "no checkpoint covers the hand yet; the next one will"),
        ("zh", "本局结束后", "尚无检查点覆盖本局，下一个检查点即会覆盖"),
    ],
)
def test_a_proof_is_offered_once_a_checkpoint_covers_the_whole_hand(
    live, auditor, lang, while_it_runs, told
):
    """Where it is not, it would be refused, and the page says why."""
    auditor.get(f"/desk/?lang={lang}")
    pages = [auditor.get(PAGE).text]
    make(live.store, None)  # which covers a hand that is not over
    live.void_hand("t1/1", "misdealt", command_id="v", actor="table-1")
    pages.append(auditor.get(PAGE).text)
    refused = auditor.get(f"{PAGE}/proof").status_code
    make(live.store, None)
    pages.append(auditor.get(PAGE).text)

    assert [while_it_runs in page for page in pages] == [True, False, False]
    assert [told in page for page in pages] == [False, True, False]
    assert [f"{PAGE}/proof" in page for page in pages] == [False, False, True]
    assert (refused, auditor.get(f"{PAGE}/proof").status_code) == (404, 200)


@pytest.mark.usefixtures("live")
def test_a_player_sees_its_own_cards_and_is_at_the_bottom_of_the_table(reading):
    """And no others', and no other player's hand at all."""
    with reading(Role.PLAYER, player="ann") as ann:
        text = ann.get(PAGE).text
        assert ann.get(f"{PAGE}?view=seat&seat=2").status_code == 403
        assert ann.get(f"{PAGE}?view=auditor").status_code == 403
        assert leaks(ann.get(f"{PAGE}?view=public").text) == set()
    with reading(Role.PLAYER, player="bob") as bob:
        assert leaks(bob.get(PAGE).text) == set()  # has not looked
    with reading(Role.PLAYER, player="dan") as dan:
        assert dan.get(PAGE).status_code == 404

    assert leaks(text) & {"Jh", "Qc", "Td", "Jd", "Qh", "Kc"} == set()
    assert "J♣ Q♦ K♥" in section(text, "seats")
    assert "seen as seat 1" in words(text).lower()


@pytest.mark.usefixtures("live")
def test_what_was_refused_is_told_to_auditors_and_to_the_seat_that_it_is_about(reading):
    """With its time, beside the step after which it was."""
    with reading(Role.AUDITOR) as client:
        auditors = client.get(PAGE).text
    with reading(Role.PLAYER, player="ann") as client:
        own = client.get(PAGE).text
    with reading(Role.PLAYER, player="bob") as client:
        others = client.get(PAGE).text

    for text in (auditors, own):
        assert "Event 6 seat-1 seat 1 fold not_your_turn" in section(text, "refusals")
        assert "refused: not_your_turn" in section(text, "course")
    assert "Nothing was refused." in section(others, "refusals")
    assert "refused:" not in section(others, "course")


def test_a_claim_is_set_beside_what_the_rules_give(ledger, auditor):
    """Each figure that differs is marked on both sides, and the hand itself is not to blame."""
    claim = {
        "pot": 6500, "rounds": 2, "winners": [3], "rake": 200, "house_bonus": 1000,
        "seats": {"3": {"contributed": 3500, "net": 3800}},
    }  # fmt: skip
    ledger.import_hands(lines({**A_HAND, "settlement": _settlement(ledger, claim)}))
    text = auditor.get(PAGE).text
    told = section(text, "claims")

    assert "a claimed settlement does not" in section(text, "verdict")
    assert "Claimed By the rules Rule 13 claim.rake 2.00 1.50 §6.1" in section(text, "verdict")
    assert "record claims 2 figures that the rules do not give." in told
    assert "Rake 2.00 (differs)" in told
    assert "Rake 1.50 (differs)" in told
    assert text.count("<mark>") == 4


def _settlement(ledger, changed):
    """Return what the hand comes to, with changed figures in it."""
    copy = {**A_HAND, "hand": "copy"}
    ledger.import_hands(lines(copy))
    events = [entry.event for _, entry in ledger.hand("copy")]
    due = json.loads(json.dumps(next(e.settlement for e in events if hasattr(e, "settlement"))))
    due["seats"]["3"] |= changed["seats"]["3"]
    return due | {"rake": changed["rake"]}


@pytest.mark.usefixtures("over")
def test_what_was_tampered_with_is_named_with_its_step(store_dsn, auditor):
    """What is recorded, what the rules give, the rule; and the replay goes on."""
    _change(
        store_dsn, "hand.bet_called.v1", lambda event: event["transfers"][0].__setitem__(2, 100)
    )
    text = auditor.get(PAGE).text
    told = section(text, "verdict")

    assert "recorded figures are not what the rules give" in told
    assert "bet_called.transfers.0.2 1.00 20.00 §3.3" in told
    assert "8 Seat 2 (p2) calls 1.00 does not agree" in section(text, "course")
    assert "the replay ends before it" not in told


@pytest.mark.usefixtures("over")
def test_a_hand_that_leads_nowhere_still_has_a_page(store_dsn, auditor):
    """With as many steps as there are."""
    _change(store_dsn, "hand.bet_called.v1", lambda event: event.__setitem__("seat", 9))
    response = auditor.get(PAGE)

    assert response.status_code == 200
    assert "From event 8 on, what is recorded leads nowhere" in section(response.text, "verdict")
    assert 'data-steps="7"' in response.text


@pytest.mark.usefixtures("live")
def test_what_was_tampered_with_while_it_runs_is_not_told(store_dsn, auditor):
    """It may be a card."""
    _change(
        store_dsn, "hand.cards_dealt.v1", lambda event: event["cards"].__setitem__("1", DEAL[2])
    )
    text = auditor.get(PAGE).text

    assert "withheld while the hand runs" in section(text, "verdict")
    assert leaks(text) == set()


def _change(dsn, topic, change):
    """Change the first event of a topic in the store."""
    ((position,),) = stored.rows(dsn, "SELECT min(position) FROM events WHERE topic = %s", [topic])
    _, body = stored.event_at(dsn, position)
    event = json.loads(body)
    change(event)
    stored.replace(dsn, position, topic, json.dumps(event, separators=(",", ":")))


def test_a_void_hand_is_said_to_be_void(live, auditor):
    """Its cards are everybody's then."""
    live.void_hand("t1/1", "misdealt", command_id="v", actor="table-1")
    text = auditor.get(PAGE).text

    assert "The hand is void" in section(text, "verdict")
    assert "Void: misdealt" in section(text, "argument")
    assert leaks(text) >= {"J♣ Q♦ K♥"}
    assert 'aria-labelledby="whatif"' not in text


def test_a_deal_is_proven_where_its_deck_was_committed_to(ledger, auditor):
    """Once it is disclosed."""
    deck, salt = _deck(), "ab" * 32
    digest = find("jiuyou").digest
    seats = (2, 1)  # the dealer first
    fund(ledger, "ann", "bob")
    deal = dealt(deck, seats)
    commitment = commit("t1/1", digest, deck, bytes.fromhex(salt))
    sit_down(ledger, "t1/1", deal=deal, commitment=commitment)
    before = auditor.get(PAGE).text
    do(ledger, 1, "fold", hand="t1/1")
    ledger.disclose_deck("t1/1", salt, deck, command_id="d", actor="table-1")
    after = auditor.get(PAGE).text

    assert "Deal not proven The deck that the hand is committed to" in section(before, "verdict")
    assert "Deal proven The disclosed deck is the one committed to" in section(after, "verdict")
    assert commitment in section(after, "evidence")


def _deck():
    return "".join(rank + suit for suit in "shdc" for rank in "A23456789TJQK")


@pytest.mark.usefixtures("over")
def test_another_rulebook_is_tried_as_a_part_of_the_page_and_as_a_page(auditor):
    """With scripts and without."""
    asked = f"{PAGE}/what-if?rulebook=jiuyou&rake_bp=0&compare_calls="
    part = auditor.get(asked, headers={"HX-Request": "true"}).text
    whole = auditor.get(asked).text

    assert "<html" not in part
    assert "Tried under jiuyou.v1 Changed: rake_bp = 0" in words(part)
    assert "3 p3 38.50 40.00 +1.50" in words(part)
    assert words(part) in words(whole)
    assert 'name="rake_bp" value="0"' in whole
    assert "<details open>" in whole


@pytest.mark.usefixtures("over")
def test_what_cannot_be_tried_says_why(auditor):
    """And what comes to an end elsewhere, where."""
    for asked, told in TRIED.items():
        response = auditor.get(f"{PAGE}/what-if?{asked}", headers={"HX-Request": "true"})

        assert response.status_code == 200
        assert told in words(response.text), asked


TRIED = {
    "rulebook=tongcheng": "Not legal at Event 6: 3 raise to 10.00: seat 3 acts",
    "rulebook=platform": "3 p3 38.50 28.50 −10.00",
    "rulebook=poker": "no rulebook 'poker'",
    "rake_bp=lots": "rake_bp takes an integer",
    "colour=red": "no field is called 'colour'",
    "compare_from_round=3": "Not legal at Event 10: 3 compare with 2",
    "rulebook=jisu": "jisu.v1 knows nothing of: max_stake",
}


@pytest.mark.usefixtures("over")
def test_a_key_that_is_bound_to_other_tables_sees_nothing(reading):
    """As over the API."""
    with reading(Role.AUDITOR, "t2") as client:
        assert client.get(PAGE).status_code == 403
        assert client.get(f"{PAGE}/what-if").status_code == 403


def test_a_hand_that_was_never_opened_is_not_there(auditor, store_dsn):
    """And whoever has not signed in is led to where one does."""
    assert auditor.get("/desk/hands/none").status_code == 404
    with pages(store_dsn) as client:
        assert client.get(PAGE).headers["location"].startswith("/desk/sign-in?next=")


def test_names_are_told_to_auditors_alone(ledger, reading):
    """Beside the ids; a player knows the others by these alone."""
    fund(ledger, "ann", "bob")
    ledger.name_player("ann", "Ann Example", command_id="n", actor="desk")
    sit_down(ledger, "t1/1")
    with reading(Role.AUDITOR) as client:
        assert "Ann Example (ann)" in client.get(PAGE).text
    with reading(Role.PLAYER, player="bob") as client:
        assert "Ann Example" not in client.get(PAGE).text
