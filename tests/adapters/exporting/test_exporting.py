"""Exports of a store with hands of every kind, read by whoever reads such files."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from decimal import Decimal

import duckdb
import pandas as pd  # type: ignore[import-untyped]
import psycopg
import pytest
from beancount import loader
from beancount.core.realization import compute_balance, realize
from pokerkit.notation import HandHistory
from psycopg.conninfo import make_conninfo

from adapters.cli import main
from adapters.exporting.accounts import ledger_account
from adapters.exporting.tables import COLUMNS
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from domain.cards import HIDDEN
from domain.record import read
from tests.adapters.mixed import AWKWARD, UNSAYABLE, digests, fill, without, written
from tests.adapters.play import do, fund, sit_down
from tests.adapters.stored import execute, projector, rows, views

OF_EACH = 22
"""Hands of each rulebook's vectors, and as many simulated: together with the others about 290."""

NO_RECORD = {*UNSAYABLE, "looked"}


@pytest.fixture(scope="module")
def played(server, template):
    """The DSN of that store."""
    name = "test_exporting"
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    dsn = make_conninfo(server, dbname=name)
    with Ledger(Store(dsn)) as ledger:
        fill(ledger, of_each=OF_EACH)
    with projector(dsn) as keeper:
        keeper.catch_up()
    execute(dsn, "VACUUM ANALYZE")
    yield dsn
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def export(played, tmp_path, capfd):
    """Export to a file: its status, the file, and what was told of it."""

    def run(form, *words, dsn=played):
        capfd.readouterr()
        place = tmp_path / f"{form}-{len(list(tmp_path.iterdir()))}"
        given = ["export", "--format", form, "--out", str(place), "--json", "--dsn", dsn, *words]
        status = main(given)
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return status, place, json.loads(out) if out else err

    return run


@pytest.fixture(scope="module")
def held(played):
    """What every account holds, minor units."""
    with views(played) as read_models:
        return {row.account: row.balance for row in read_models.balances()}


# --- what comes back ------------------------------------------------------------------


def test_what_is_exported_and_imported_again_has_the_same_events(export, played, database):
    """All of them, to the byte, of every hand that is not refused by name."""
    status, file, told = export("record")
    assert status == 2
    assert {r["hand"]: r["code"] for r in told["refused"]} == UNSAYABLE | {"looked": "hand_running"}
    before = without(digests(played), NO_RECORD)
    assert len({stream for stream, *_ in before}) == told["hands"] > 250

    # A hand of the store has a claim that is wrong.
    assert 3 == main(["import", str(file), "--dsn", database])

    assert before == digests(database)


def test_hand_histories_come_back_with_the_same_events(export, played, database, capfd):
    """Of each rulebook; a rehearsal said so before, and stored nothing."""
    _, file, told = export("phh", "--flag", "claimed")
    words = ["import", str(file), "--format", "phh", "--json", "--dsn", database]
    assert 3 == main([*words, "--dry-run"])
    rehearsed = json.loads(capfd.readouterr().out)
    assert [] == digests(database)
    assert 3 == main(words)
    report = json.loads(capfd.readouterr().out)

    assert rehearsed == report | {"dry_run": True}
    assert (told["hands"], []) == (report["hands"], report["refused"])
    streams = {stream for stream, *_ in digests(database)}
    assert told["hands"] == len(streams) > 120
    assert [event for event in digests(played) if event[0] in streams] == digests(database)


def test_times_and_keys_of_actions_come_back_too(export, played, database):
    """As far as they are the actions' own: a hand that came whole has one time and one key."""
    _, file, _ = export("record", "--player", "ann", "--state", "settled")
    main(["import", str(file), "--dsn", database])
    query = """SELECT command_id, happened_at FROM events
                WHERE originator_id = 'hand:live' AND topic = 'hand.hands_compared.v1'"""

    assert rows(played, query) == rows(database, query)


def test_another_claimants_figures_are_exported_under_its_name(export):
    """And then those of `record` are refused."""
    _, file, told = export("record", "--claimant", "them", "--player", "ann")
    kept = {record.hand: record.claim for record in map(read, written(file).splitlines())}

    assert {"pot": 3} == kept["claimed-by-them"]
    codes = {refused["hand"]: refused["code"] for refused in told["refused"]}
    assert ("other_claimant", "several_claims") == (codes["claimed"], codes["claimed-twice"])


def test_a_hand_that_the_rules_do_not_give_is_no_record(export, database):
    """Its record would come back as another hand."""
    with Ledger(Store(database)) as ledger:
        fill(ledger, of_each=0)
    change = "UPDATE events SET body = replace(body, '\"stake\":1000', '\"stake\":1001') WHERE %s"
    execute(database, change % "originator_id = 'hand:live'")

    _, _, told = export("record", dsn=database)

    (found,) = (refused for refused in told["refused"] if refused["hand"] == "live")
    assert "not_as_played" == found["code"]


def test_strict_writes_nothing_at_the_first_refusal(export):
    """Neither a file nor what would have become one."""
    status, file, told = export("phh", "--strict")

    assert 2 == status
    assert "hands_refused" in told
    assert [] == list(file.parent.iterdir())


# --- tables ---------------------------------------------------------------------------


def cells(file):
    """Return a table's rows by column, apostrophes before formulas taken away again."""
    found = list(csv.DictReader(io.StringIO(written(file), newline="")))
    return [{name: cell.removeprefix("'") for name, cell in row.items()} for row in found]


@pytest.mark.parametrize("table", COLUMNS)
def test_a_table_has_its_columns_and_no_formula(table, export):
    """Whatever a name begins with; numbers may begin with a minus."""
    status, file, told = export("csv", "--table", table)
    raw = list(csv.reader(io.StringIO(written(file), newline="")))

    assert (0, []) == (status, told["refused"])
    assert list(COLUMNS[table]) == raw[0]
    assert not [c for row in raw for c in row if re.match(r"[=+@\t\r\n]|-(?!\d+$)", c)]


def test_the_tables_are_what_the_ledger_holds(export, played, held):
    """Every hand with its figures, every player as it is called, every transfer."""
    _, hands, _ = export("csv")
    _, seats, _ = export("csv", "--table", "seats")
    _, transfers, _ = export("csv", "--table", "transfers")
    with views(played) as read_models:
        listed = read_models.hands()

    assert [row.hand for row in listed] == [row["hand"] for row in cells(hands)]
    pots = ["" if row.pot is None else str(row.pot) for row in listed]
    assert pots == [row["pot"] for row in cells(hands)]
    assert {player for row in listed for player in row.players} == {
        row["player"] for row in cells(seats)
    }
    assert {*AWKWARD[1:-1]} <= {row["player"] for row in cells(seats)}
    totals = Counter[str]()
    for row in cells(transfers):
        totals[row["source"]] -= int(row["amount"])
        totals[row["target"]] += int(row["amount"])
    assert held == {name: total for name, total in totals.items() if name in held or total}


def test_duckdb_and_pandas_read_the_data_sets(export, held):
    """With their types, and the day as a column; the sums are those of the accounts."""
    status, lake, told = export("parquet")
    db = duckdb.connect()
    query = f"FROM read_parquet('{lake}/{{}}/**/*.parquet', hive_partitioning = true)"
    sums = db.sql(f"""
        WITH moved AS ({query.format("transfers")}),
             ends AS (SELECT source AS account, -amount AS amount FROM moved
                       UNION ALL SELECT target, amount FROM moved)
        SELECT account, sum(amount)::BIGINT FROM ends GROUP BY account""").fetchall()  # noqa: S608
    seats = pd.read_parquet(lake / "seats")
    hands = pd.read_parquet(lake / "hands")

    assert (0, told["hands"]) == (status, len(hands))
    assert held == {name: total for name, total in sums if name in held or total}
    assert {"int64"} == {str(seats[name].dtype) for name in ("carry", "seat", "topped_up")}
    assert "datetime64[us, UTC]" == str(hands["opened_at"].dtype)
    assert (hands["opened_at"].dt.strftime("%Y-%m-%d") == hands["day"].astype(str)).all()
    assert seats["net"].sum() == (hands["house_bonus"] - hands["rake"]).sum() - int(
        hands["house_banked"].sum()
    )
    nested = db.sql(query.format("hands")).project("players, flags").fetchall()
    assert {len(players) for players, _ in nested} >= {2, 3}


def test_events_as_they_are_stored_are_for_an_auditor_once_no_hand_runs(export, database):
    """Every event is in them then, beside the tables."""
    with Ledger(Store(database)) as ledger:
        sit_down_twice(ledger)
        refused = export("parquet", "--raw", dsn=database)
        others = export("parquet", "--raw", "--viewer", "public", dsn=database)
        assert not refused[1].exists()
        ledger.void_hand("h-1", "over", command_id="void", actor="tests")
    status, lake, _ = export("parquet", "--raw", dsn=database)
    found = pd.read_parquet(lake / "events")
    ((count,),) = rows(database, "SELECT count(*) FROM events")

    assert (2, 2) == (refused[0], others[0])
    assert "not_for_eyes: hand h-1 is running" in refused[2]
    assert "not_for_eyes: events as they are stored" in others[2]
    assert (0, count) == (status, len(found))
    assert {"hands", "seats", "transfers", "events"} == {path.name for path in lake.iterdir()}


def sit_down_twice(ledger):
    """Open a hand that goes on, and play one to its end."""
    fund(ledger, "ann", "bob", amount=1_000_000)
    sit_down(ledger, "h-0")
    do(ledger, 1, "fold", hand="h-0")
    sit_down(ledger, "h-1")


def test_a_data_set_without_rows_has_its_columns(export):
    """A filter that finds nothing is no error."""
    _, lake, _ = export("parquet", "--player", "nobody")

    assert [*COLUMNS["seats"]] == list(pd.read_parquet(lake / "seats").columns)


def test_a_directory_with_something_in_it_is_left_alone(export, tmp_path):
    """It is not replaced all at once, and so not at all."""
    (tmp_path / "parquet-1").mkdir()
    (tmp_path / "parquet-1" / "mine").touch()

    status, lake, told = export("parquet")

    assert (2, ["mine"]) == (status, [path.name for path in lake.iterdir()])
    assert "place_taken" in told


# --- journals -------------------------------------------------------------------------


def in_journal(balances):
    """Return balances in minor units as chips, without the accounts that hold nothing."""
    return {name: Decimal(amount) / 100 for name, amount in balances.items() if amount}


UTF_8 = {"LC_ALL": "C.UTF-8"}
"""What both programs need to read the names of players."""


@pytest.mark.skipif(not shutil.which("hledger"), reason="there is no hledger here")
def test_hledger_checks_the_journal_and_gives_our_balances(export, held):
    """Strictly: every account and commodity declared, every assertion met."""
    status, file, _ = export("hledger")
    hledger(file, "check", "--strict")
    table = hledger(file, "balance", "--flat", "-O", "csv", "-N", "--layout=bare")
    found = {row[0]: Decimal(row[2]) for row in list(csv.reader(io.StringIO(table)))[1:]}

    assert 0 == status
    assert in_journal(held) == {ledger_account(name): amount for name, amount in found.items()}


def hledger(file, *words):
    """Run a command of the program on a journal."""
    call = [shutil.which("hledger"), "-f", str(file), *words]
    done = subprocess.run(call, check=True, env=UTF_8, capture_output=True, encoding="utf-8")
    return done.stdout


def of_beancount(file):
    """Return what the accounts of a ledger hold, by our names, and what is wrong with it."""
    entries, errors, _ = loader.load_file(str(file))
    tree = realize(entries)
    found = {}
    stack = [tree]
    while stack:
        node = stack.pop()
        stack += node.values()
        for amount in (position.units for position in node.balance):
            found[ledger_account(node.account)] = amount.number
    return found, errors, compute_balance(tree)


def test_beancount_checks_the_journal_and_gives_our_balances(export, held):
    """What `bean-check` runs finds nothing, and together it is nothing."""
    status, file, _ = export("beancount")
    found, errors, together = of_beancount(file)

    assert (0, []) == (status, errors)
    assert in_journal(held) == found
    assert together.is_empty()
    subprocess.run(
        [sys.executable, "-m", "beancount.scripts.check", str(file)], check=True, env=UTF_8
    )


def test_a_journal_that_was_changed_by_one_minor_unit_is_found_out(export):
    """Its last assertion does not hold: the program's own tolerance is switched off."""
    _, file, _ = export("beancount")
    text = written(file)
    *_, last = re.findall(r"(?<= balance Assets:House:Rake )[0-9.]+", text)
    one_more = str(Decimal(last) + Decimal("0.01"))
    file.write_text(text.replace(f"Rake {last} ~", f"Rake {one_more} ~"), encoding="utf-8")

    _, errors, _ = of_beancount(file)

    assert 1 == len(errors)


def test_a_journal_of_what_is_not_held_is_not_written(export, database):
    """A transfer that was taken away from the events is missing in the accounts."""
    with Ledger(Store(database)) as ledger:
        fill(ledger, of_each=0)
    with projector(database) as keeper:
        keeper.catch_up()
    change = "UPDATE projected_balances SET balance = balance - 1 WHERE account = 'house:rake'"
    execute(database, change)

    status, file, told = export("hledger", dsn=database)

    assert 3 == status
    assert "journal_disagrees: house:rake" in told
    assert not file.exists()


def test_a_players_journal_asserts_the_players_own_account(export, held):
    """Of the others it has what they brought to the same hands and took from them."""
    _, file, _ = export("beancount", "--viewer", "player:ann")
    found, errors, _ = of_beancount(file)

    assert [] == errors
    assert held["player:ann"] == found["player:ann"] * 100
    assert 1 == written(file).count(" balance ")


@pytest.mark.parametrize("words", [["--viewer", "public"], ["--state", "settled"]])
def test_a_journal_of_some_movements_asserts_nothing(words, export):
    """Nor has it deposits; it checks all the same."""
    _, file, _ = export("beancount", *words)
    _, errors, _ = of_beancount(file)

    assert [] == errors
    assert not re.search(r" balance |\"deposit\"", written(file))


# --- hand histories -------------------------------------------------------------------


def test_pokerkit_loads_the_hand_histories(export, played):
    """With the format's own fields for the opening, and ours beside them."""
    _, file, told = export("phh")
    with file.open("rb") as source:
        loaded = list(HandHistory.load_all(source))
    with views(played) as read_models:
        listed = {row.hand: row for row in read_models.hands()}

    assert told["hands"] == len(loaded)
    for history in loaded:
        row = listed[str(history.hand)]
        assert list(row.players) == history.players
        assert list(row.seats) == history.seats
        assert all(name.startswith("_zjh_") for name in history.user_defined_fields)
        assert len(history.players) == sum(a.startswith("d dh ") for a in history.actions)


def test_one_hand_is_a_hand_history_of_its_own(export, capfd, played, database):
    """A file as the format has it for one; it is imported too."""
    _, file, _ = export("phh", "live")
    with file.open("rb") as source:
        history = HandHistory.load(source)

    assert ("ZJH", "live", ["ann", "bob"]) == (history.variant, history.hand, history.players)
    assert 0 == main(["import", str(file), "--format", "phh", "--dsn", database]), (
        capfd.readouterr()
    )
    assert digests(database) == [event for event in digests(played) if event[0] == "hand:live"]


def test_hands_are_named_one_by_one(export):
    """Whoever names one that there is not is told so."""
    _, file, told = export("record", "live", "claimed")
    status, _, refused = export("record", "live", "nothing")

    assert ["live", "claimed"] == [read(line).hand for line in written(file).splitlines()]
    assert 2 == told["hands"]
    assert 2 == status
    assert "unknown_hand: no hand nothing" in refused


OHH_ACTIONS = {
    *("Dealt Cards", "Mucks Cards", "Shows Cards", "Post Ante", "Fold", "Raise", "Call"),
    "Added Chips",
}
OHH_FIELDS = {
    "spec_version": str, "site_name": str, "network_name": str, "internal_version": str,
    "tournament": bool, "game_number": str, "start_date_utc": str, "table_name": str,
    "game_type": str, "bet_limit": dict, "table_size": int, "currency": str, "dealer_seat": int,
    "small_blind_amount": int, "big_blind_amount": int, "ante_amount": float, "flags": list,
    "players": list, "rounds": list, "pots": list,
}  # fmt: skip
"""The fields that the specification requires, and what each is."""


def test_open_hand_histories_have_what_the_specification_asks_for(export):
    """Objects with a blank line between two; the pot is what the actions put into it."""
    _, file, told = export("ohh")
    texts = written(file).split("\n\n")
    histories = [json.loads(text)["ohh"] for text in texts]

    assert told["hands"] == len(histories)
    for history in histories:
        assert OHH_FIELDS == {name: type(history[name]) for name in OHH_FIELDS}
        ids = {player["id"] for player in history["players"]}
        actions = [action for part in history["rounds"] for action in part["actions"]]
        assert {action["action"] for action in actions} <= OHH_ACTIONS
        assert {action["player_id"] for action in actions} <= ids
        put_in = sum(
            Decimal(str(action["amount"]))
            for action in actions
            if action["action"] != "Added Chips"
        )
        (pot,) = history["pots"]
        assert Decimal(str(pot["amount"])) == put_in, history["game_number"]
        assert read(json.dumps(history["_zjh_record"])).hand == history["game_number"]


# --- who sees what --------------------------------------------------------------------


def cards_of(file, hand):
    """Return the cards of a hand's seats as a table of seats has them."""
    return [row["cards"] for row in cells(file) if row["hand"] == hand]


@pytest.mark.parametrize(
    ("viewer", "looked", "running"),
    [
        ("auditor", ["", ""], ["", ""]),
        ("public", ["", ""], ["", ""]),
        ("player:ann", ["AsAdAh", ""], ["", ""]),
        ("player:bob", ["", ""], ["", "2c4d7h"]),
    ],
)
def test_cards_of_a_running_hand_are_its_own_players_alone(viewer, looked, running, export):
    """Once that one has looked. Everybody sees those of a hand that has ended."""
    _, seats, _ = export("csv", "--table", "seats", "--viewer", viewer)
    _, events, _ = export("csv", "--table", "events", "--viewer", viewer)
    bodies = {r["body"] for r in cells(events) if r["topic"] == "hand.cards_dealt.v1"}

    assert looked == cards_of(seats, "looked")
    assert running == cards_of(seats, "running")
    assert "" not in cards_of(seats, "live")
    assert any(HIDDEN in body for body in bodies)


def test_a_player_sees_the_hands_it_sat_in_and_its_own_wallet(export):
    """Whatever else is asked for; the public sees no wallet outside hands."""
    _, hands, _ = export("csv", "--viewer", "player:bob")
    _, both, _ = export("csv", "--viewer", "player:bob", "--player", "张三")
    _, own, _ = export("csv", "--table", "transfers", "--viewer", "player:bob")
    _, public, _ = export("csv", "--table", "transfers", "--viewer", "public")
    deposits = [row["target"] for row in cells(own) if row["reason"] == "deposit"]

    assert all("bob" in json.loads(row["players"]) for row in cells(hands))
    assert [] == cells(both)
    assert ["player:bob"] == deposits
    assert "deposit" not in {row["reason"] for row in cells(public)}


# --- the command ----------------------------------------------------------------------


def test_an_export_is_printed_where_no_file_is_named(played, capfd):
    """And what was refused is told beside it."""
    status = main(["export", "--format", "record", "--player", "ann", "--dsn", played])
    out, err = capfd.readouterr()

    assert 2 == status
    assert {"live", "claimed"} == {read(line).hand for line in out.splitlines()}
    assert "hand void: hand_void: the hand is void" in err


BAD = {
    "a directory without a place": ["--format", "parquet"],
    "no such format": ["--format", "pdf"],
    "raw tables": ["--format", "csv", "--raw"],
    "no such viewer": ["--format", "csv", "--viewer", "boss"],
    "a viewer without a name": ["--format", "csv", "--viewer", "player:"],
    "no such time": ["--format", "csv", "--since", "yesterday"],
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_what_cannot_be_used_is_bad_input(words, played, capfd):
    """Said in a line."""
    assert 2 == main(["export", *words, "--dsn", played])
    assert "Traceback" not in capfd.readouterr().err


def test_a_file_takes_its_place_only_when_it_is_complete(played, tmp_path):
    """What ends an export before leaves the file that was there."""
    file = tmp_path / "kept"
    file.write_text("before")
    words = ["export", "--format", "record", "--out", str(file), "--dsn", played]

    assert 2 == main([*words, "--strict"])
    assert "before" == file.read_text()
    assert 2 == main([*words, "--player", "ann"])
    assert {"live", "claimed"} == {read(line).hand for line in written(file).splitlines()}
