"""Finished hands into the store: whole or not at all, twice as once, killed and taken up again."""

import json
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from adapters.appending.recorder import append_prepared
from adapters.clock import now
from adapters.commands import importing
from adapters.commands.execution import ATTEMPTS_BESIDE_OTHERS
from adapters.commands.imported import ImportReport, Line, Mismatch
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from domain.events import SettlementClaimed
from tests.adapters.play import balance, fund, lines, sit_down, vectors
from tests.domain.hands import record

CLAIM = {"pot": 1_000, "seats": {"1": {"net": 2_975}}}


def a_record(hand: str = "h-1", **more: Any) -> dict[str, Any]:
    """Return a hand of two: `p2` folds, `p1` wins an ante and a bonus for its trips."""
    return record("1 AsAdAh, 2 2c4d7h", "2 fold", dealer=1) | {"hand": hand} | more


def dump(dsn: str) -> list[Any]:
    """Return every row that an import writes, but for when it was written."""
    with psycopg.connect(dsn) as conn:
        return [
            sorted(conn.execute(query))
            for query in (
                "SELECT position, originator_id, originator_version, topic, body FROM events",
                "SELECT position, command_id, actor FROM events",
                "SELECT first_position, last_position, command_id, digest, answer FROM receipts",
            )
        ]


def refusals(report: ImportReport) -> list[tuple[str | None, int, str]]:
    """Return hand, place and code of each refusal."""
    return [(reject.hand, reject.at, reject.code) for reject in report.refused]


# --- line by line ----------------------------------------------------------------------


def test_what_became_of_each_line_is_told_as_it_is_committed(ledger):
    """In their order, a transaction at a time; who may not write a hand is refused it."""
    bad = a_record("t1/bad") | {"dealer": 9}
    given: list[Any] = [
        a_record("t1/1"),
        bad,
        a_record("t2/1"),
        "{",
        a_record("t1/2", settlement={"pot": 1}),
    ]
    text = [line if isinstance(line, str) else lines(line)[0] for line in given]
    work = importing.Import(
        ledger.store,
        now,
        deposit_missing=True,
        claimant="them",
        admits=lambda hand: hand.startswith("t1/"),
    )

    told = [line for portion in work.portions(text) for line in portion]
    again = [line.status for portion in work.portions(text) for line in portion]

    refused = {n: line.reject.code for n, line in enumerate(told) if line.reject}
    assert refused == {1: "unknown_seat", 2: "not_allowed", 3: "bad_record"}
    assert [line.hand for line in told] == ["t1/1", "t1/bad", "t2/1", None, "t1/2"]
    assert [line.status for line in told] == ["stored", *["refused"] * 3, "stored"]
    assert [d["path"] for d in told[4].differences] == ["pot"]
    assert again == ["already", *["refused"] * 3, "already"]
    assert list(ledger.hands()) == ["t1/1", "t1/2"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_what_was_stored_is_told_also_where_the_lines_break_off(ledger, monkeypatch, error):
    """Each transaction but the one that was not full yet: of that, nothing is stored."""
    monkeypatch.setattr(importing, "BATCH_HANDS", 2)
    work = importing.Import(ledger.store, now, deposit_missing=True, claimant="them")

    def breaking_off():
        yield from lines(*(a_record(f"h-{number}") for number in range(5)))
        raise error

    told: list[list[Line]] = []
    with pytest.raises(error):
        told.extend(portion for portion in work.overlapped(breaking_off()))
    assert [[line.hand for line in portion] for portion in told] == [["h-0", "h-1"], ["h-2", "h-3"]]
    assert list(ledger.hands()) == ["h-0", "h-1", "h-2", "h-3"]


def test_whoever_wants_no_more_leaves_nothing_running(ledger, monkeypatch):
    """What was read and not begun to be stored is not stored; the thread has ended."""
    monkeypatch.setattr(importing, "BATCH_HANDS", 1)
    work = importing.Import(ledger.store, now, deposit_missing=True, claimant="them")
    given = lines(*(a_record(f"h-{number}") for number in range(5)))

    with closing(work.overlapped(given)) as portions:  # type: ignore[type-var]
        (line,) = next(portions)

    assert line.hand == "h-0"
    assert list(ledger.hands()) == ["h-0"]
    assert not [t for t in threading.enumerate() if t.name.startswith("jinhua-import")]


# --- what is stored --------------------------------------------------------------------


def test_a_hand_is_stored_with_its_wallets(ledger):
    """Deposits of what is missing, reservations, the hand, its claim, releases; in that order."""
    ledger.deposit("p1", 30_000, command_id="d")

    report = ledger.import_hands(lines(a_record(settlement=CLAIM)))

    topics = [row.topic for row in ledger.recorder.select_notifications(2, 100)]
    assert topics == [
        *("wallet.deposited.v1", "wallet.carry_reserved.v1"),
        *("wallet.deposited.v1", "wallet.carry_reserved.v1"),
        *("hand.opened.v1", "hand.ante_posted.v1", "hand.ante_posted.v1", "hand.cards_dealt.v1"),
        *("hand.folded.v1", "hand.bonus_granted.v1", "hand.settled.v1"),
        "hand.settlement_claimed.v1",
        *("wallet.carry_released.v1", "wallet.carry_released.v1"),
    ]
    assert report == ImportReport(hands=1, events=14)
    # Seat 1 won an ante of 500 less 5 % and a bonus of 5 antes; 70,000 were missing.
    assert (balance(ledger, "p1"), balance(ledger, "p2")) == (102_975, 99_500)
    deposited = ledger.recorder.select_notifications(2, 1)[0]
    assert json.loads(deposited.state)["transfers"] == [["cashier", "player:p1", 70_000, "deposit"]]


def test_a_record_keeps_its_own_times_and_keys(ledger):
    """Whatever it does not date or key happened in the import."""
    given = a_record()
    given["actions"][0] |= {"at": "2026-01-02T03:04:05.678Z", "id": "fold-7"}

    ledger.import_hands(lines(given))

    causes = [entry.cause for _, entry in ledger.hand("h-1")]
    assert {cause.command_id for cause in causes[:4]} == {"import:h-1"}
    assert {cause.actor for cause in causes} == {"import"}
    assert [cause.command_id for cause in causes[4:]] == ["fold-7"] * 3
    assert causes[4].at.isoformat() == "2026-01-02T03:04:05.678000+00:00"


@pytest.mark.parametrize("book", ["jiuyou", "corner-cases", "seed-examples"])
def test_every_vector_imports_as_it_was_computed(ledger, book):
    """What an independent program computed is what the ledger derives and stores, or refuses."""
    given = vectors(book)
    asked = [{name: vector[name] for name in vector if name != "reject"} for vector in given]

    report = ledger.import_hands(lines(*asked))

    assert report.mismatched == []
    rejects = {vector["hand"]: vector["reject"] for vector in given if "reject" in vector}
    assert {hand: {"at": at, "code": code} for hand, at, code in refusals(report)} == rejects
    assert report.hands == len(given) - len(rejects)
    assert list(ledger.verify()) == []


def test_an_empty_file_is_no_error(ledger):
    """There is nothing to store and nothing to say."""
    assert ledger.import_hands([]) == ImportReport()
    assert ledger.import_hands(["", b"\n"]) == ImportReport()


# --- twice is as once ------------------------------------------------------------------


def test_importing_a_file_twice_changes_nothing(ledger, store_dsn):
    """Every hand is there already, and is said to be; formatting does not matter."""
    hands = list(simulate("jiuyou", hands=60, seed=1))
    first = ledger.import_hands(lines(*hands))
    before = dump(store_dsn)

    again = ledger.import_hands(
        json.dumps(dict(reversed(hand.items())), indent=None, separators=(" ,", " : ")).encode()
        for hand in hands
    )

    assert (first.hands, first.already) == (60, 0)
    assert again == ImportReport(already=60)
    assert dump(store_dsn) == before


def test_what_was_claimed_wrongly_is_said_again(ledger):
    """The answer to an import is stored with it, like any other."""
    wrong = a_record(
        settlement={"pot": 999, "winners": [1], "seats": {"2": {"net": -499, "won": 0}}}
    )
    expected = [
        Mismatch(
            "h-1",
            [
                {"path": "pot", "claimed": 999, "derived": 1_000},
                {"path": "seats.2.net", "claimed": -499, "derived": -500},
            ],
        )
    ]

    first = ledger.import_hands(lines(wrong), claimant="a platform")
    again = ledger.import_hands(lines(wrong), claimant="a platform")

    assert (first.hands, first.mismatched) == (1, expected)
    assert (again.already, again.mismatched) == (1, expected)
    (claim,) = (
        entry.event for _, entry in ledger.hand("h-1") if isinstance(entry.event, SettlementClaimed)
    )
    assert (claim.claimant, claim.settlement) == ("a platform", wrong["settlement"])


STRANGER = {"seat": 1, "player": "x", "carry": 100_000}
# fmt: off
CHANGED: dict[str, tuple[dict[str, Any], str]] = {
    # what is changed    the record                                         the field named
    "who sits there":   ({"seats": [STRANGER, *a_record()["seats"][1:]]},   "seats.0"),
    "a card":           ({"deal": {"1": "AsAdAc", "2": "2c4d7h"}},          "deal.1"),
    "the ante":         ({"table": {"ante": 501, "max_stake": 10_000}},     "table.ante"),
    "a parameter less": ({"table": {"ante": 500}},                          "table.max_stake"),
    "what was done":    ({"actions": [{"seat": 2, "do": "timeout"}]},       "actions.0"),
    "a claim more":     ({"settlement": {"pot": 1_000}},                    "settlement.pot"),
}
# fmt: on


@pytest.mark.parametrize("change", CHANGED)
def test_another_hand_of_the_same_id_is_refused(ledger, store_dsn, change):
    """It names the field that differs; what was stored stays as it was."""
    ledger.import_hands(lines(a_record()))
    before = dump(store_dsn)
    differs, field = CHANGED[change]

    report = ledger.import_hands(lines(a_record(**differs)))

    assert refusals(report) == [("h-1", -1, "command_id_reused")]
    assert report.refused[0].message.endswith(f"with another {field}")
    assert dump(store_dsn) == before


def test_a_hand_played_live_is_not_imported_over(ledger):
    """It was not recorded from this record, whatever it holds."""
    fund(ledger, "p1", "p2", amount=100_000)
    sit_down(ledger, "h-1", players=("p1", "p2"))

    report = ledger.import_hands(lines(a_record(), a_record("h-2")))

    assert refusals(report) == [("h-1", -1, "hand_exists")]
    assert report.hands == 1


def test_a_hand_twice_in_one_file(ledger):
    """The same is there already, another is refused; a refused one leaves its place to the next."""
    ante = {"table": {"ante": 501}}
    given = lines(
        a_record("h-1"),
        a_record("h-1"),
        a_record("h-1", **ante),
        a_record("h-2", dealer=7),
        a_record("h-2"),
    )

    report = ledger.import_hands(given)

    assert (report.hands, report.already) == (2, 1)
    assert refusals(report) == [
        ("h-1", -1, "command_id_reused"),
        ("h-2", -1, "unknown_seat"),
    ]


# --- refusals --------------------------------------------------------------------------


def test_a_line_that_is_no_record_does_not_hold_the_others_up(ledger):
    """It is refused in its place; blank lines are no lines."""
    given = [
        *lines(a_record("h-1")),
        "nonsense",
        b"\xff\xfe",
        "",
        json.dumps(a_record("h-2")) + "\r\n",
        json.dumps(a_record("h-3", surprise=1)),
        json.dumps(a_record("h\0")),
        json.dumps(a_record("h-\ud800")),
        json.dumps(a_record("h-4", actions=[])),
        *lines(a_record("h-5")),
    ]

    report = ledger.import_hands(given)

    assert report.hands == 3
    assert refusals(report) == [
        (None, -1, "bad_record"),
        (None, -1, "bad_record"),
        ("h-3", -1, "bad_record"),
        (None, -1, "bad_record"),
        (None, -1, "bad_record"),
        ("h-4", 0, "hand_not_over"),
    ]
    assert list(ledger.hands()) == ["h-1", "h-2", "h-5"]


def test_funds_that_are_missing_are_refused_where_asked(ledger):
    """A refused hand takes nothing from the wallets of the hands after it."""
    fund(ledger, "p1", amount=150_000)
    fund(ledger, "p2", amount=99_999)
    fund(ledger, "p3", "p4", amount=100_000)
    other = record("3 AsAdAh, 4 2c4d7h", "4 fold", dealer=3) | {"hand": "h-2"}

    report = ledger.import_hands(lines(a_record("h-1"), other), deposit_missing=False)

    assert refusals(report) == [("h-1", -1, "insufficient_funds")]
    assert report.hands == 1
    assert balance(ledger, "p1") == 150_000
    assert balance(ledger, "p3") == 102_975


def test_a_player_in_two_seats_is_one_wallet(ledger):
    """Both carries come out of it."""
    given = a_record()
    for seat in given["seats"]:
        seat["player"] = "p1"

    report = ledger.import_hands(lines(given))

    assert report.hands == 1
    assert balance(ledger, "p1") == 200_000 + 2_500 - 25
    assert list(ledger.verify()) == []


def test_more_than_a_wallet_holds_is_refused(ledger):
    """Before anything of the hand is stored."""
    ledger.deposit("p1", 2**63 - 1, command_id="d")

    report = ledger.import_hands(lines(a_record()))

    assert refusals(report) == [("h-1", 1, "amount_out_of_range")]
    assert ledger.recorder.max_notification_id() == 1


# --- others at work --------------------------------------------------------------------


def test_a_batch_of_which_one_conflicts(ledger, store_dsn, monkeypatch):
    """Somebody deposits meanwhile: the hands of that wallet are decided again, the others stand."""
    batches: list[list[str]] = []

    def append_late(runner, batch):
        if not batches:
            with Ledger(Store(store_dsn)) as other:
                other.deposit("p3", 7, command_id="late")
        batches.append([prepared.append.command_id for prepared in batch])
        return append_prepared(runner, batch)

    monkeypatch.setattr(importing, "append_prepared", append_late)
    third = record("3 AsAdAh, 4 2c4d7h", "4 fold", dealer=3)
    after = a_record("h-3")
    after["seats"][1]["player"] = "p4"

    report = ledger.import_hands(lines(a_record("h-1"), third | {"hand": "h-2"}, after))

    # The third hand rested on what the second had left in the wallet of p4.
    assert batches == [["import:h-1", "import:h-2", "import:h-3"], ["import:h-2", "import:h-3"]]
    assert report == ImportReport(hands=3, events=report.events)
    assert balance(ledger, "p3") == 102_975
    assert list(ledger.verify()) == []


def test_an_import_that_is_always_too_late_gets_its_turn(ledger, store_dsn, monkeypatch):
    """After a few attempts the others wait."""
    deposits: list[object] = []

    def append_late(runner, batch):
        if len(deposits) < ATTEMPTS_BESIDE_OTHERS:
            with Ledger(Store(store_dsn)) as other:
                deposits.append(other.deposit("p1", 7, command_id=f"late-{len(deposits)}"))
        return append_prepared(runner, batch)

    monkeypatch.setattr(importing, "append_prepared", append_late)

    report = ledger.import_hands(lines(a_record()))

    assert report.hands == 1
    assert len(deposits) == ATTEMPTS_BESIDE_OTHERS
    assert list(ledger.verify()) == []


def test_two_imports_of_one_file_at_once(ledger, store_dsn, tmp_path):
    """Each hand is stored by one of them and found by the other."""
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(lines(*simulate("jiuyou", hands=120, seed=3))))

    runs = [start_import(path, store_dsn) for _ in range(2)]
    reports = [json.loads(run.communicate(timeout=120)[0].splitlines()[-1]) for run in runs]

    assert sum(report["hands"] for report in reports) == 120
    assert sum(report["already"] for report in reports) == 120
    assert len(list(ledger.hands())) == 120
    assert list(ledger.verify()) == []


IMPORT = """
import dataclasses, json, sys
from adapters.commands import importing
from adapters import logs
from adapters.ledger import Ledger
from adapters.store.postgres import Store

logs.configure()
importing.BATCH_HANDS = 5
path, dsn = sys.argv[1:]
with Ledger(Store(dsn)) as ledger, open(path, "rb") as lines:
    report = ledger.import_hands(lines, progress=lambda done: print(done, flush=True))
print(json.dumps(dataclasses.asdict(report)))
"""


def start_import(path: Path, dsn: str) -> "subprocess.Popen[str]":
    """Start an import in a process of its own, which tells its progress."""
    return subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(path), dsn],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        text=True,
    )


SERVED = "SELECT FROM pg_stat_activity WHERE application_name = 'killed'"


def test_a_killed_import_is_taken_up_again(ledger, store_dsn, tmp_path):
    """Killed at some moment, again and again: no hand is half there, none is lost or doubled."""
    hands = list(simulate("jiuyou", hands=100, seed=5))
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(lines(*hands)))

    for pause_s in (0.0, 0.01, 0.03):
        with start_import(path, make_conninfo(store_dsn, application_name="killed")) as run:
            assert run.stdout is not None
            run.stdout.readline()  # the first batch is stored, or was before
            time.sleep(pause_s)
            run.kill()
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        while owner.execute(SERVED).rowcount:  # what it had sent is stored even now
            time.sleep(0.01)
    there = set(ledger.hands())
    assert list(ledger.verify()) == []
    report = ledger.import_hands(lines(*hands))

    assert 0 < len(there) < 100, "no run was killed on its way"
    assert (report.hands, report.already) == (100 - len(there), len(there))
    killed = dump(store_dsn)
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("TRUNCATE events, receipts, refusals, player_keys")
    ledger.import_hands(lines(*hands))
    assert dump(store_dsn) == killed


def test_memory_does_not_grow_with_the_file(ledger, monkeypatch):
    """At no time are more records held than two batches have: one is read, the other stored."""
    monkeypatch.setattr(importing, "BATCH_HANDS", 5)
    drawn: list[int] = []
    stored: list[int] = []

    def file():
        for number in range(50):
            assert number - (stored[-1] if stored else 0) <= 11
            drawn.append(number)
            yield json.dumps(a_record(f"h-{number}"))

    report = ledger.import_hands(file(), progress=stored.append)

    assert report.hands == len(drawn) == 50
    assert stored == list(range(5, 51, 5))
