"""The commands on a store: exit statuses, the keys of their JSON, and what they never show."""

import io
import json
import sys
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from adapters.cli import main
from adapters.ledger import Ledger
from adapters.simulation.hands import line_of, simulate
from adapters.store.postgres import Store
from adapters.views.catalogue import READ_MODELS
from domain.errors import NotYourTurnError
from tests.adapters.play import do, fund, sit_down
from tests.adapters.stored import event_at, replace, rows

EXAMPLES = Path(__file__).parents[2] / "vectors" / "seed-examples.jsonl"
RECORDS = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
JIUYOU = [record for record in RECORDS if record["rulebook"] == "jiuyou"]
LAST_STAND = JIUYOU[0]


@pytest.fixture
def jinhua(database, capfd):
    """Run a command on a fresh store: its status, and what it printed, read as JSON if asked."""

    def run(*words, dsn=database):
        status = main([*words, *(["--dsn", dsn] if dsn else [])])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return status, json.loads(out) if out and "--json" in words else out or err

    return run


@pytest.fixture
def file(tmp_path):
    """Write records to a file."""

    def write(*records):
        path = tmp_path / "hands.jsonl"
        lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return str(path)

    return write


@contextmanager
def owner(dsn):
    """Connect as the owner, who may do what nobody should."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        yield connection


def test_importing_twice_is_importing_once(jinhua, file):
    """The second time everything is there already, and nothing is doubled."""
    first = jinhua("import", file(*JIUYOU), "--json")
    second = jinhua("import", file(*JIUYOU), "--json")

    assert first[0] == second[0] == 0
    assert list(first[1]) == ["hands", "events", "already", "refused", "mismatched"]
    assert (len(JIUYOU), 0) == (first[1]["hands"], first[1]["already"])
    assert (0, 0, len(JIUYOU)) == tuple(second[1][name] for name in ("hands", "events", "already"))


def test_importing_reads_standard_input(jinhua, monkeypatch):
    """Hands come through a pipe as well."""
    given = io.BytesIO(
        "".join(f"{line_of(r)}\n" for r in simulate("jiuyou", hands=5, seed=1)).encode()
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given))

    status, report = jinhua("import", "-", "--json")

    assert (0, 5) == (status, report["hands"])


def test_a_refused_record_is_exit_2_and_the_others_are_stored(jinhua, file):
    """What cannot be stored is named with place and code."""
    status, report = jinhua(
        "import", file(LAST_STAND, "{", LAST_STAND | {"hand": "x", "dealer": 9}), "--json"
    )

    assert status == 2
    assert report["hands"] == 1
    assert [(None, -1, "bad_record"), ("x", -1, "unknown_seat")] == [
        (row["hand"], row["at"], row["code"]) for row in report["refused"]
    ]


def test_a_claim_that_the_rules_do_not_give_is_exit_3(jinhua, file):
    """The hand is stored all the same, and each figure is named."""
    claim = json.loads(json.dumps(LAST_STAND["settlement"]))
    claim["seats"]["4"]["refund"] = 9_499

    status, report = jinhua("import", file(LAST_STAND | {"settlement": claim}), "--json")

    assert status == 3
    assert report["hands"] == 1
    assert report["mismatched"] == [
        {
            "hand": "000-last-stand",
            "differences": [{"path": "seats.4.refund", "claimed": 9_499, "derived": 9_500}],
        }
    ]


def test_missing_funds_can_be_refused(jinhua, file):
    """Without deposits a hand of players without chips is not played."""
    status, report = jinhua("import", file(LAST_STAND), "--no-deposit", "--json")

    assert status == 2
    assert ["insufficient_funds"] == [row["code"] for row in report["refused"]]


def test_what_was_imported_verifies(jinhua, file):
    """Two hundred simulated hands and everything around them agree."""
    jinhua("import", file(*map(line_of, simulate("jiuyou", hands=200, seed=3))))

    status, verdict = jinhua("verify", "--json")

    assert status == 0
    assert list(verdict) == ["hands", "events", "agree", "discrepancies"]
    assert (200, 200, []) == (verdict["hands"], verdict["agree"], verdict["discrepancies"])
    assert verdict["events"] > 4_000


def test_an_edited_event_is_named(jinhua, file, database):
    """Whatever the owner of the database does to an event, verify finds that event."""
    jinhua("import", file(*JIUYOU))
    with owner(database) as connection:
        (position,) = connection.execute(
            "UPDATE events SET body = replace(body, '10000', '9000')"
            " WHERE topic = 'hand.bet_called.v1' AND originator_id = 'hand:000-last-stand'"
            " AND originator_version = 9 RETURNING position"
        ).fetchone()

    status, verdict = jinhua("verify", "--json")

    assert status == 3
    assert verdict["agree"] == len(JIUYOU) - 1
    first = verdict["discrepancies"][0]
    assert list(first) == ["hand", "position", "what", "recorded", "derived", "rule"]
    assert ("000-last-stand", position) == (first["hand"], first["position"])
    assert (9_000, 10_000, "§3.3") == (first["recorded"], first["derived"], first["rule"])


def test_single_hands_can_be_verified(jinhua, file, database):
    """One hand's tampering is not another's."""
    jinhua("import", file(*JIUYOU))
    with owner(database) as connection:
        connection.execute(
            "UPDATE events SET body = replace(body, '\"seat\":2', '\"seat\":1')"
            " WHERE originator_id = 'hand:000-bonus' AND originator_version = 6"
        )

    assert jinhua("verify", "000-last-stand")[0] == 0
    assert jinhua("verify", "000-bonus", "000-last-stand")[0] == 3


def test_an_edited_projection_is_named(jinhua, file, database):
    """Verify folds every projection anew."""
    jinhua("import", file(LAST_STAND))
    with owner(database) as connection:
        connection.execute(
            "UPDATE projected_balances SET balance = balance + 1 WHERE account = 'player:A'"
        )

    status, verdict = jinhua("verify", "--json")

    assert status == 3
    (found,) = verdict["discrepancies"]
    assert ("projection:balances", "player:A") == (found["hand"], found["what"])
    assert jinhua("rebuild", "balances", "--json")[0] == 0
    assert jinhua("verify")[0] == 0


@pytest.mark.parametrize("command", ["show", "explain", "verify"])
def test_a_hand_nobody_played_is_exit_2(jinhua, command):
    """The hand is named."""
    status, said = jinhua(command, "h-0")

    assert status == 2
    assert "h-0" in said


def test_a_hand_is_shown_as_a_timeline(jinhua, file):
    """Every event with its position, time, seat, price, stack and pot."""
    jinhua("import", file(LAST_STAND))

    status, shown = jinhua("show", "000-last-stand", "--json")

    assert status == 0
    assert list(shown) == ["hand", "state", "events", "settlement", "deck_proof"]
    assert ("settled", LAST_STAND["settlement"]) == (shown["state"], shown["settlement"])
    assert datetime.fromisoformat(shown["events"][0]["at"]).utcoffset() == timedelta(0)
    raised = shown["events"][7]
    assert (5, "A", 10_000, 89_500, 12_500) == tuple(
        raised[name] for name in ("seat", "player", "price", "stack", "pot")
    )
    assert "K♠ K♦ 4♥" in jinhua("show", "000-last-stand")[1]


def test_what_was_refused_in_a_hand_is_shown_where_it_is_asked_for(jinhua, database):
    """Who wanted what, and why not; "nothing" where nothing was."""
    with Ledger(Store(database)) as ledger:
        fund(ledger, "ann", "bob")
        sit_down(ledger)
        assert "refused: nothing" in jinhua("show", "h-1", "--refusals")[1]
        with pytest.raises(NotYourTurnError):
            do(ledger, 2, "fold", command_id="f-1")

    status, shown = jinhua("show", "h-1", "--refusals", "--json")
    (refused,) = shown["refusals"]
    assert (status, refused["command_id"], refused["code"]) == (0, "f-1", "not_your_turn")
    assert refused["asked"] == {"hand": "h-1", "do": "fold", "seat": 2}
    assert len(refused["digest"]) == 64
    text = jinhua("show", "h-1", "--refusals")[1]
    assert "refused: 1" in text
    assert "not_your_turn" in text


def test_the_cards_of_a_running_hand_are_shown_to_nobody(jinhua, database):
    """Not by the timeline, the argument, the trail or a statement; once it is over, to all."""
    with Ledger(Store(database)) as ledger:
        fund(ledger, "ann", "bob")
        sit_down(ledger)
        do(ledger, 1, "look")
        do(ledger, 1, "call")
        running = [jinhua(*words)[1] for words in LOOKS]
        do(ledger, 2, "fold")
    over = [jinhua(*words)[1] for words in LOOKS]

    for said in running:
        assert not any(secret in said for secret in SECRETS), said
    assert "??????" in running[0]
    assert all(any(secret in said for secret in SECRETS) for said in over[:3])


SECRETS = ("As", "A♠", "2c", "2♣", "trips", "豹子")
LOOKS = (
    ("show", "h-1"),
    ("explain", "h-1", "--lang", "en"),
    ("explain", "h-1", "--lang", "zh"),
    ("audit", "--hand", "h-1"),
    ("statement", "ann"),
    ("hands",),
    ("hands", "--json"),
)


def test_a_hand_is_argued_in_both_languages(jinhua, file):
    """Each step has its arithmetic, its rule and its document."""
    jinhua("import", file(LAST_STAND))

    for lang, refund in (("en", "refund 200.00"), ("zh", "返还 200.00")):
        status, argued = jinhua("explain", "000-last-stand", "--lang", lang, "--json")

        assert status == 0
        assert list(argued["steps"][0]) == [
            "version", "text", "arithmetic", "rule", "document", "quotation",
        ]  # fmt: skip
        sums = [line for step in argued["steps"] for line in step["arithmetic"]]
        assert f"{refund} x (400.00 - 20.00) / 400.00 = 190.00" in sums


def test_a_language_nobody_wrote_is_exit_2(jinhua):
    """There are zh and en."""
    assert jinhua("explain", "h", "--lang", "fr")[0] == 2


def test_a_hand_whose_events_lead_nowhere_is_exit_3(jinhua, file, database):
    """Show and explain say that something was tampered with, and where to look."""
    jinhua("import", file(LAST_STAND))
    with owner(database) as connection:
        connection.execute("DELETE FROM events WHERE topic = 'hand.opened.v1'")

    for command in ("show", "explain"):
        status, said = jinhua(command, "000-last-stand")

        assert status == 3
        assert "jinhua verify 000-last-stand" in said


def test_an_event_that_cannot_be_read_is_exit_3(jinhua, file, database):
    """Its position and reason are named."""
    jinhua("import", file(LAST_STAND))
    with owner(database) as connection:
        connection.execute("UPDATE events SET body = '{}' WHERE topic = 'hand.opened.v1'")

    status, said = jinhua("show", "000-last-stand")

    assert status == 3
    assert "unreadable_event" in said


def test_balances_sum_to_zero(jinhua, file):
    """Every account with a chip in it, and nothing from nowhere."""
    jinhua("import", file(*JIUYOU))

    status, found = jinhua("balances", "--json")

    assert status == 0
    balances = {row["account"]: row["balance"] for row in found["accounts"]}
    assert sum(balances.values()) == 0
    assert balances["player:A"] == 100_000 - 11_500
    assert [{"account": "player:A", "balance": 88_500}] == jinhua(
        "balances", "--player", "A", "--json"
    )[1]["accounts"]


def test_a_statement_runs_from_nothing_to_the_balance(jinhua, file):
    """Every movement of a wallet, each with the balance after it."""
    jinhua("import", file(LAST_STAND))

    status, found = jinhua("statement", "D", "--json")

    assert status == 0
    movements = found["movements"]
    assert [22_500, -22_500, 120_825] == [row["amount"] for row in movements]
    assert [22_500, 0, 120_825] == [row["balance"] for row in movements]


def test_bonuses_are_counted(jinhua, file):
    """By player, category and rulebook."""
    jinhua("import", file(*JIUYOU))

    _, found = jinhua("bonuses", "--player", "you", "--json")

    assert found["bonuses"] == [
        {
            "player": "you",
            "category": "straight_flush",
            "rulebook": "jiuyou",
            "version": 1,
            "times": 1,
            "amount": 1_000,
        }
    ]


def test_the_audit_trail_is_read_in_pages(jinhua, file):
    """From after a position on, so many lines at most."""
    jinhua("import", file(*JIUYOU))

    _, page = jinhua("audit", "--after", "3", "--limit", "4", "--json")

    assert [4, 5, 6, 7] == [line["position"] for line in page["lines"]]


def test_a_rebuild_says_how_far_it_came(jinhua, file):
    """All projections, or those that are named; others are exit 2."""
    _, report = jinhua("import", file(LAST_STAND), "--json")

    assert (
        dict.fromkeys(READ_MODELS, report["events"])
        == jinhua("rebuild", "--json")[1]["projections"]
    )
    status, said = jinhua("rebuild", "wealth")
    assert status == 2
    assert "balances" in said


def test_what_was_parked_is_tried_again(jinhua, file, database):
    """While any stays parked it is exit 3, with the reason; then all is as if it never had been."""
    jinhua("import", file(LAST_STAND))
    expected = jinhua("balances", "--json")
    deposits = "SELECT min(position) FROM events WHERE topic = 'wallet.deposited.v1'"
    ((at,),) = rows(database, deposits)
    topic, body = event_at(database, at)
    replace(database, at, "wallet.deposited.v9", body)
    jinhua("rebuild")
    assert jinhua("balances", "--json") != expected
    assert f"{len(READ_MODELS)}; see `jinhua rebuild --parked`" in jinhua("doctor")[1]

    status, report = jinhua("rebuild", "--parked", "balances", "--json")
    assert status == 3
    assert report["projections"] == {"balances": {"taken_in": 0, "still_parked": 1}}
    (left,) = report["parked"]
    assert (at, "wallet.deposited.v9") == (left["position"], left["topic"])
    status, said = jinhua("rebuild", "--parked")
    assert status == 3
    assert left["reason"] in said

    replace(database, at, topic, body)
    assert jinhua("rebuild", "--parked", "balances")[0] == 0
    assert jinhua("balances", "--json") == expected
    status, report = jinhua("rebuild", "--parked", "--json")
    assert (status, report["parked"]) == (0, [])
    assert report["projections"] == {
        name: {"taken_in": int(name != "balances"), "still_parked": 0} for name in READ_MODELS
    }
    assert jinhua("rebuild", "wealth", "--parked")[0] == 2


def test_a_store_that_is_not_migrated_is_exit_2_until_it_is(jinhua, empty_database):
    """A configured store is its owner's to migrate; the message says how."""
    status, said = jinhua("balances", dsn=empty_database)
    assert status == 2
    assert "jinhua migrate" in said
    assert jinhua("doctor", "--json", dsn=empty_database)[1]["pending"]

    applied = jinhua("migrate", "--json", dsn=empty_database)
    again = jinhua("migrate", "--json", dsn=empty_database)

    assert applied[0] == again[0] == 0
    assert applied[1]["applied"]
    assert again[1]["applied"] == []
    assert jinhua("balances", dsn=empty_database)[0] == 0


EVERYTHING = (
    ("import", str(EXAMPLES)),
    ("verify",),
    ("show", "h"),
    ("explain", "h"),
    ("balances",),
    ("statement", "p"),
    ("bonuses",),
    ("audit",),
    ("rebuild",),
    ("migrate",),
    ("doctor",),
    ("demo",),
)


@pytest.mark.parametrize("words", EVERYTHING, ids=lambda words: words[0])
def test_a_store_that_cannot_be_reached_is_exit_4(jinhua, words):
    """One line says which, without its password."""
    status, said = jinhua(*words, dsn="postgresql://u:secret@127.0.0.1:9/nowhere")

    assert status == 4
    assert "store_unreachable" in said
    assert "secret" not in said


def test_what_is_no_dsn_is_exit_2_and_not_repeated(jinhua):
    """It may hold a password."""
    status, said = jinhua("balances", dsn="secret")

    assert status == 2
    assert "secret" not in said


def test_two_stores_at_once_are_exit_2(jinhua, database, tmp_path):
    """Either option names a store."""
    status, said = jinhua("balances", "--data-dir", str(tmp_path), dsn=database)

    assert status == 2
    assert "--data-dir" in said


def test_the_dsn_is_a_uri_and_nothing_else(jinhua, database):
    """What psql takes, on a line of its own, however the store was named."""
    status, said = jinhua("dsn")

    assert status == 0
    assert said.count("\n") == 1
    with psycopg.connect(said.strip()) as connection:
        assert connection.info.dbname == conninfo_to_dict(database)["dbname"]
    uri = urlsplit(jinhua("dsn", dsn="host=/a/b dbname='the db' user=me")[1].strip())
    assert (uri.scheme, parse_qs(uri.query)) == (
        "postgresql",
        {"host": ["/a/b"], "dbname": ["the db"], "user": ["me"]},
    )


def test_a_configured_server_is_not_stopped(jinhua):
    """Only the embedded one is ours."""
    assert jinhua("stop")[0] == 2


def test_the_doctor_says_what_is_running(jinhua, file):
    """Versions, positions and lag."""
    _, report = jinhua("import", file(LAST_STAND), "--json")

    status, found = jinhua("doctor", "--json")

    assert status == 0
    assert found["store"] == "configured"
    assert report["events"] == found["position"]
    assert {(0, 0)} == {(at["lag"], at["lag_seconds"]) for at in found["projections"].values()}
    assert {"python", "jinhua", "eventsourcing", "psycopg", "pydantic", "postgresql"} == set(
        found["versions"]
    )


def test_the_demo_goes_as_expected_twice(jinhua, database):
    """The document's figures come out, the tampering is found, and nothing is left behind."""
    first, told = jinhua("demo", "--json")
    second, said = jinhua("demo", "--lang", "zh")

    assert first == second == 0
    assert told["as_expected"] is True
    assert {"hands": 202, "already": 0} == told["imported"]
    assert told["tampered"]["verify"]["discrepancies"]
    assert "202 were there already" in said
    for figure in ("-115.00", "-110.00", "-605.00", "-205.00", "+1035.00", "190.00", "95.00"):
        assert figure in said
    assert "The original was not touched" in said
    with owner(database) as connection:
        left = connection.execute("SELECT FROM pg_database WHERE datname ~ 'jinhua_scratch'")
        assert left.rowcount == 0


def test_the_demo_is_exit_3_where_the_ledger_disagrees(jinhua, file, database):
    """A demonstration that cannot fail shows nothing."""
    jinhua("import", file(LAST_STAND))
    with owner(database) as connection:
        connection.execute(
            "UPDATE events SET body = replace(body, '10000', '9000')"
            " WHERE originator_id = 'hand:000-last-stand' AND originator_version = 9"
        )

    status, told = jinhua("demo", "--json")

    assert status == 3
    assert told["as_expected"] is False
