"""Whatever receipts, positions and versions do not say as the events do is found and named."""

import json
from collections.abc import Iterator

import psycopg
import pytest

from adapters.cli import main
from adapters.copies.examination import examine
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from tests.adapters.play import do, fund, lines, sit_down


@pytest.fixture
def owner(ledger: Ledger, store_dsn: str) -> Iterator[psycopg.Connection]:
    """The owner's connection to a store with commands of every kind in it."""
    fund(ledger, "ann", "bob", amount=1_000_000)  # positions 1 and 2
    sit_down(ledger, "h-1")  # 3 to 8
    do(ledger, 1, "call", command_id="call")  # 9
    ledger.withdraw("ann", 5, command_id="w-1")  # 10
    ledger.void_hand("h-1", "a test", command_id="void", actor="floor")  # 11 to 13
    with psycopg.connect(store_dsn, autocommit=True) as conn:
        yield conn


@pytest.mark.usefixtures("owner")
def test_an_untouched_store_agrees_with_itself(ledger):
    """Played, voided, imported; with conflicts and refusals on the way."""
    ledger.import_hands(lines(*simulate("jiuyou", hands=20, seed=2)))

    assert list(examine(ledger.store)) == []


def test_an_empty_store_agrees_with_itself(ledger):
    """Nothing is there to disagree."""
    assert list(examine(ledger.store)) == []


# fmt: off
EDITS: dict[str, list[tuple[str, str, object, object]]] = {
    # what is done to the store, and all that is found
    "DELETE FROM receipts WHERE command_id = 'void'":
        [("receipt_missing", "void", None, (11, 13))],
    "UPDATE receipts SET command_id = 'viod' WHERE command_id = 'void'":
        [("receipt_missing", "void", None, (11, 13)), ("receipt_extra", "viod", (11, 13), None)],
    "UPDATE receipts SET last_position = 12 WHERE command_id = 'void'":
        [("receipt_differs", "void", (11, 12), (11, 13))],
    "UPDATE events SET command_id = 'void' WHERE position = 10":
        [("receipt_extra", "w-1", (10, 10), None), ("receipt_differs", "void", (11, 13), (10, 13))],
    "UPDATE events SET command_id = 'call' WHERE position = 1":
        [("receipt_differs", "call", (9, 9), (1, 9)), ("command_scattered", "call", 2, 9),
         ("receipt_extra", "fund:ann", (1, 1), None)],
    "DELETE FROM events WHERE position IN (1, 2)":
        [("receipt_extra", "fund:ann", (1, 1), None), ("receipt_extra", "fund:bob", (2, 2), None),
         ("positions_missing", "1 to 2", None, (1, 2)),
         ("version_out_of_order", "wallet:ann at 3", 2, 1),
         ("version_out_of_order", "wallet:bob at 4", 2, 1)],
    "UPDATE events SET position = 20 WHERE position = 13":
        [("receipt_differs", "void", (11, 13), (11, 20)), ("command_scattered", "void", 3, 10),
         ("positions_missing", "13 to 19", None, (13, 19))],
    "UPDATE events SET originator_version = 7 WHERE position = 9":
        [("version_out_of_order", "hand:h-1 at 9", 7, 5)],
}
# fmt: on


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_found(ledger, owner, edit):
    """Missing, extra and differing receipts, gaps of positions and of versions."""
    assert owner.execute(edit).rowcount > 0

    found = [tuple(finding) for finding in examine(ledger.store)]

    assert sorted(found, key=str) == sorted(EDITS[edit], key=str)


def test_an_examination_sees_one_moment(ledger, owner):
    """What is appended while it runs is left for the next time."""
    owner.execute("DELETE FROM receipts WHERE command_id IN ('void', 'w-1')")
    found = examine(ledger.store)
    first = next(found)

    ledger.deposit("ann", 5, command_id="meanwhile")
    owner.execute("DELETE FROM receipts WHERE command_id = 'meanwhile'")

    assert [first.subject, *(finding.subject for finding in found)] == ["w-1", "void"]


def test_doctor_examines_where_asked(owner, store_dsn, capfd):
    """Status 3 where the store does not agree with itself; without being asked it looks at less."""
    assert main(["doctor", "--deep", "--dsn", store_dsn, "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["findings"] == []
    owner.execute("DELETE FROM receipts WHERE command_id = 'void'")

    assert main(["doctor", "--dsn", store_dsn]) == 0
    capfd.readouterr()
    assert main(["doctor", "--deep", "--dsn", store_dsn, "--json"]) == 3
    assert json.loads(capfd.readouterr().out)["findings"] == [
        {"what": "receipt_missing", "subject": "void", "recorded": None, "derived": [11, 13]}
    ]
    assert main(["doctor", "--deep", "--dsn", store_dsn]) == 3
    assert "receipt_missing" in capfd.readouterr().out
