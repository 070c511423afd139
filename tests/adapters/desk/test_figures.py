"""What the pages tell of players, the house, events and checkpoints is what the ledger holds."""

import re

import pytest

from adapters.desk.wording import chips
from adapters.evidence.checkpoints import make
from adapters.ledger import Ledger
from adapters.registers.api_keys import Role
from adapters.store.postgres import Store
from adapters.views import players as players_module
from adapters.views.players import Opponent, curve_of
from tests.adapters.desk.conftest import FROM_HERE
from tests.adapters.play import CARRY, fund, sit_down
from tests.adapters.proving import SIGNER, play_hand, verifier
from tests.adapters.stored import HANDS, execute, insert, projector, rows, views


@pytest.fixture
def played(store_dsn):
    """Two hands of Ann and Bob that are over, and one that runs; a checkpoint before and after."""
    with Ledger(Store(store_dsn)) as ledger:
        fund(ledger, "ann", "bob", amount=10 * CARRY)
        play_hand(ledger, "h-1")
        make(ledger.store, SIGNER)
        play_hand(ledger, "h-2")
        make(ledger.store, SIGNER)
        sit_down(ledger, "h-3")
    with projector(store_dsn) as keeper:
        keeper.catch_up()


@pytest.mark.parametrize("points", [400, 5])
def test_a_curve_counts_what_is_in_hands_and_ends_where_the_statement_does(
    store_dsn, monkeypatch, points
):
    """Read by the store, or made of the movements: the same; however many points there may be."""
    monkeypatch.setattr(players_module, "POINTS", points)
    insert(store_dsn, HANDS)
    with projector(store_dsn) as keeper:
        keeper.catch_up()
    with views(store_dsn) as read:
        accounts = [row.account for row in read.balances() if row.account.startswith("player:")]
        for player in (account.removeprefix("player:") for account in accounts[:20]):
            movements = read.statement(player)
            curve = read.curve(player)
            assert curve == curve_of(movements)
            assert len(curve) <= points + 1
            in_hands = {m.hand for m in movements if m.amount < 0 and m.hand} - {
                m.hand for m in movements if m.topic.startswith("wallet.carry_released")
            }
            if not in_hands:
                assert curve[-1].balance == movements[-1].balance


@pytest.mark.usefixtures("played")
def test_an_opponent_is_told_with_the_player_s_own_result(store_dsn):
    """Of the hands that are over; the other's is the opposite, but for rake and bonuses."""
    with views(store_dsn) as read:
        (bob,) = read.opponents("ann", limit=9)
        (ann,) = read.opponents("bob", limit=9)
        balance = read.statement("ann")[-1].balance

    assert (bob.player, bob.hands, ann.player, ann.hands) == ("bob", 2, "ann", 2)
    assert bob.net == balance + CARRY - 10 * CARRY
    assert ann == Opponent("ann", 2, ann.net)
    assert ann.net < 0 < bob.net


@pytest.mark.usefixtures("played")
def test_a_player_sees_what_the_ledger_holds(reading):
    """Now, and as of an earlier moment."""
    with reading(Role.PLAYER, player="ann") as ann:
        assert ann.get("/desk/").headers["location"] == "/desk/players/ann"
        now, earlier = ann.get("/desk/players/ann").text, ann.get("/desk/players/ann?as_of=2").text

    assert "5,000.00" in earlier
    assert now.count("/desk/hands/h-2") == 2
    assert "/desk/hands/h-2" not in earlier
    assert "/desk/players/bob" not in now
    assert "bob" in now


@pytest.mark.usefixtures("played")
def test_a_player_who_was_never_here_is_no_player_with_nothing(auditor, reading):
    """A mistyped id is told as such, at any moment; whoever holds a key has a page of its own."""
    for query in ("", "?as_of=3", "?as_of=2000-01-01"):
        answer = auditor.get(f"/desk/players/Ann{query}")
        assert answer.status_code == 404
        assert "unknown_player" in answer.text
        assert "Ann never had a wallet here" in answer.text
        assert auditor.get(f"/desk/players/ann{query}").status_code == 200
    with reading(Role.PLAYER, player="dan") as dan:
        assert dan.get("/desk/players/dan").status_code == 200


@pytest.mark.usefixtures("played")
def test_the_overview_adds_up(auditor, store_dsn):
    """Hands, pots and what the house took, all together and by day."""
    with views(store_dsn) as read:
        pots = sum(row.pot or 0 for row in read.hands())
        rake = sum(row.rake for row in read.house())
        bonuses = sum(row.amount for row in read.bonuses())
    page = auditor.get("/desk/").text

    volumes, rakes = (
        [int(v) for v in re.findall(r'data-value="(-?\d+)"', part)]
        for part in page.split('data-plot="bars"')[1:]
    )
    assert sum(volumes) == pots > 0
    assert sum(rakes[::2]) == rake > 0
    assert f"<dd>{chips(bonuses)}<" in page
    assert "1 running, 0 void" in page
    assert "all read models are up to date" in page
    assert "Not everything was verified yet" in page


@pytest.mark.usefixtures("played")
def test_the_trail_ends_at_the_moment_that_is_asked_for(auditor):
    """A position, or a time; a moment that is not yet is told."""
    positions = re.compile(r'<tr>\s*<td class="n">([\d,]+)</td>')
    upto = positions.findall(auditor.get("/desk/trail?as_of=7").text)
    never = positions.findall(auditor.get("/desk/trail?as_of=2000-01-01").text)
    of_hand = positions.findall(auditor.get("/desk/trail?hand=h-1&as_of=9").text)

    assert upto == [str(n) for n in range(7, 0, -1)]
    assert never == []
    assert of_hand == [str(n) for n in range(9, 2, -1)]
    assert auditor.get("/desk/trail?as_of=99999").status_code == 404
    assert auditor.get("/desk/trail?as_of=soon").status_code == 400


@pytest.mark.usefixtures("played")
def test_a_proof_is_given_away_that_proves(auditor):
    """By the script that needs nothing of ours; its address is found by the hand's id."""
    led = auditor.get("/desk/proof", params={"hand": "h-1"})
    answer = auditor.get(led.headers["location"])

    assert answer.headers["content-disposition"] == 'attachment; filename="proof.json"'
    claims, faults = verifier.verify(answer.json(), verifier.read_key(SIGNER.verifier.text))
    assert claims
    assert not faults
    assert auditor.get("/desk/hands/h-3/proof").status_code != 200


@pytest.mark.usefixtures("played")
def test_a_dossier_is_given_away_in_the_language_of_the_page(auditor):
    """To be kept: it is the file of `jinhua dossier`, and brings all that it needs."""
    answer = auditor.get("/desk/hands/h-1/dossier")
    auditor.get("/desk/", params={"lang": "zh"})
    chinese = auditor.get("/desk/hands/h-1/dossier")

    assert answer.headers["content-disposition"] == 'attachment; filename="dossier.html"'
    assert "<title>Dossier" in answer.text
    assert "h-1" in answer.text
    assert '<html lang="zh' in chinese.text


@pytest.mark.usefixtures("played")
def test_notes_are_given_away_and_held_against_the_history(auditor, store_dsn):
    """One that was kept holds, until the history is rewritten."""
    (small, note), (great, _) = rows(store_dsn, "SELECT size, note FROM checkpoints ORDER BY size")
    given = auditor.get(f"/desk/checkpoints/{small}")
    kept = {"data": {"note": given.text.replace("\n", "\r\n")}, "headers": FROM_HERE}

    assert given.text == note
    assert given.headers["content-disposition"].endswith(f'"checkpoint-{small}.note"')
    assert "It holds" in auditor.get(f"/desk/checkpoints?old={small}&new={great}").text
    assert "It holds" in auditor.post("/desk/checkpoints", **kept).text
    execute(store_dsn, "UPDATE events SET link = sha256('x') WHERE position = 4")
    assert "It does not hold" in auditor.post("/desk/checkpoints", **kept).text
    assert "It does not hold" in auditor.get(f"/desk/checkpoints?old={small}&new={great}").text


def test_what_is_no_note_is_told(auditor, store_dsn):
    """And one that was changed in the store does not keep the others from being shown."""
    answer = auditor.post("/desk/checkpoints", data={"note": "jinhua\nx"}, headers=FROM_HERE)
    execute(store_dsn, "INSERT INTO checkpoints (size, note) VALUES (3, 'rewritten')")

    assert answer.status_code == 400
    assert auditor.get("/desk/checkpoints").status_code == 200
