"""Imports whose batches overlap: what is decided ahead of the store, while others write too."""

import json
from collections.abc import Callable, Generator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.appending.batches import Outcome, Prepared
from adapters.appending.recorder import append_prepared
from adapters.clock import now
from adapters.commands import importing
from adapters.commands.history import History
from adapters.commands.imported import Line
from adapters.commands.importing import Import, Storing
from adapters.commands.rehearsing import Rehearsing
from adapters.ledger import Ledger
from adapters.shuffle import Chance
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store
from tests.adapters.commands.test_importing import dump
from tests.adapters.play import balance, fund, lines, sit_down
from tests.adapters.stored import empty
from tests.domain.hands import record

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)

WON, LOST = 2_975, 500
"""By `p1` and `p2`, in every hand: an ante less its rake, and a bonus for trips."""


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    """Let a batch be two hands."""
    monkeypatch.setattr(importing, "BATCH_HANDS", 2)


@pytest.fixture
def other(store_dsn):
    """Another ledger on the same store."""
    with Ledger(Store(store_dsn)) as ledger:
        yield ledger


def a_hand(number: int, *, carry: int = 100_000, **more: Any) -> dict[str, Any]:
    """Return a hand between `p1`, who wins, and `p2`, who folds."""
    given = record("1 AsAdAh, 2 2c4d7h", "2 fold", dealer=1) | {"hand": f"h-{number}"} | more
    for seat in given["seats"]:
        seat["carry"] = carry
    return given


def work_on(ledger: Ledger, *, deposit_missing: bool = True) -> Import:
    """Return an import into a ledger."""
    return Import(ledger.store, now, deposit_missing=deposit_missing, claimant="them")


def told(work: Import, *records: dict[str, Any]) -> list[tuple[str | None, str]]:
    """Import, and return what is told: of each line its hand, and its status or refusal."""
    return [
        (line.hand, line.reject.code if line.reject else line.status)
        for portion in work.overlapped(lines(*records))
        for line in portion
    ]


def before_append(
    monkeypatch: pytest.MonkeyPatch, number: int, do: Callable[[], object]
) -> list[list[str]]:
    """Do something before a batch is stored, counted from 1; return what is given to be stored."""
    batches: list[list[str]] = []

    def append(runner: Any, batch: Sequence[Prepared]) -> list[Outcome]:
        batches.append([prepared.append.command_id for prepared in batch])
        if len(batches) == number:
            do()
        return append_prepared(runner, batch)

    monkeypatch.setattr(importing, "append_prepared", append)
    return batches


# --- what the batch before leaves ------------------------------------------------------


def test_a_refusal_that_rests_on_what_the_batch_before_leaves(ledger):
    """What was won in it may be brought to the next hand, and what was lost may not."""
    fund(ledger, "p1", "p2", amount=100_000)

    outcomes = told(
        work_on(ledger, deposit_missing=False),
        *(a_hand(n, carry=90_000) for n in range(2)),
        a_hand(2, carry=100_000),
        a_hand(3, carry=100_000 - 2 * LOST),
    )

    assert outcomes == [
        ("h-0", "stored"),
        ("h-1", "stored"),
        ("h-2", "insufficient_funds"),
        ("h-3", "stored"),
    ]
    assert balance(ledger, "p1") == 100_000 + 3 * WON
    assert list(ledger.verify()) == []


def test_a_hand_again_in_the_batch_after_it(ledger):
    """The same is there already, another is refused; and so further on."""
    outcomes = told(
        work_on(ledger),
        *(a_hand(0), a_hand(1)),
        *(a_hand(1), a_hand(0, dealer=2)),
        *(a_hand(1), a_hand(2)),
        *(a_hand(0), a_hand(2, carry=5_000)),
    )

    assert outcomes == [
        *(("h-0", "stored"), ("h-1", "stored")),
        *(("h-1", "already"), ("h-0", "command_id_reused")),
        *(("h-1", "already"), ("h-2", "stored")),
        *(("h-0", "already"), ("h-2", "command_id_reused")),
    ]
    assert list(ledger.hands()) == ["h-0", "h-1", "h-2"]


def random_file(chance: Chance) -> list[str]:
    """Return lines with few players: hands again, other hands of the same id, and what is none."""
    strangers = iter(list(simulate("jiuyou", hands=24, seed=chance.below(1_000))))
    found: list[dict[str, Any] | str] = []
    for _ in range(24):
        given = a_hand(chance.below(20), carry=chance.pick((1_000, 5_000, 50_000)))
        given["seats"][chance.below(2)]["player"] = chance.pick(("p1", "p2", "p3"))
        kind = chance.below(10)
        if kind == 0:
            found.append(next(strangers))
        elif kind == 1:
            found.append(chance.pick(("", "nonsense", '{"hand": 3}')))
        elif kind == 2:
            found.append(given | {"dealer": 9})
        elif kind == 3:
            found.append(given | {"actions": []})
        elif kind > 5 and found:
            found.append(chance.pick(found))
        else:
            found.append(given | {"settlement": {"pot": chance.pick((1, 1_000))}})
    return [line if isinstance(line, str) else json.dumps(line) for line in found]


@pytest.mark.parametrize("seed", range(6))
def test_overlapped_one_by_one_and_rehearsed_it_is_the_same(store_dsn, monkeypatch, seed):
    """Line by line, and in what is stored, whatever is in the file and was in the store."""
    chance = Chance("overlapped", seed)
    monkeypatch.setattr(importing, "BATCH_HANDS", chance.between(1, 5))
    file = random_file(chance)
    funds, missing = chance.pick((30_000, 150_000)), bool(seed % 2)
    runs: list[tuple[list[Line], list[Any]]] = []
    before: list[Any] = []

    for keeper, way in (
        (Storing(), "portions"),
        (Storing(), "overlapped"),
        (Rehearsing(), "overlapped"),
    ):
        empty(store_dsn)
        with Ledger(Store(store_dsn), clock=lambda: NOON) as ledger:
            fund(ledger, "p1", "p2", amount=funds)
            fund(ledger, "ann", "bob")
            sit_down(ledger, "h-3")
            ledger.import_hands(file[:4], claimant="them")
            work = Import(
                ledger.store,
                lambda: NOON,
                deposit_missing=missing,
                claimant="them",
                keeper=keeper,
            )
            before = dump(store_dsn)
            found = [line for portion in getattr(work, way)(file) for line in portion]
            runs.append((found, dump(store_dsn)))

    one_by_one, overlapped, rehearsed = runs
    assert overlapped == one_by_one
    assert rehearsed == (one_by_one[0], before)
    assert {line.status for line in one_by_one[0]} >= {"stored", "refused"}


# --- others at work --------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_batch_in_front_that_conflicts(ledger, other, monkeypatch, number):
    """Somebody deposits meanwhile: it is decided again, and so is the one that rested on it."""
    batches = before_append(
        monkeypatch, number, lambda: other.deposit("p1", 7, command_id="meanwhile")
    )

    outcomes = told(work_on(ledger), *(a_hand(n) for n in range(6)))

    assert outcomes == [(f"h-{n}", "stored") for n in range(6)]
    names = [[f"import:h-{2 * n}", f"import:h-{2 * n + 1}"] for n in range(3)]
    assert batches == [*names[:number], *names[number - 1 :]]
    assert list(ledger.verify()) == []


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_batch_in_front_that_another_import_has_stored(ledger, other, monkeypatch, number):
    """It is told as there already; what rested on it is decided on what the other has left."""
    before_append(
        monkeypatch, number, lambda: other.import_hands(lines(a_hand(2 * number - 1), a_hand(9)))
    )

    outcomes = told(work_on(ledger), *(a_hand(n) for n in range(6)))

    expected = [(f"h-{n}", "stored") for n in range(6)]
    expected[2 * number - 1] = (f"h-{2 * number - 1}", "already")
    assert outcomes == expected
    assert len(list(ledger.hands())) == 7
    assert list(ledger.verify()) == []


def test_what_was_foreseen_and_did_not_come(ledger, other, monkeypatch):
    """A refusal, or a hand that would be there already, is forgotten with what it rested on."""
    fund(ledger, "p1", "p2", amount=100_000)

    def meanwhile() -> None:
        other.withdraw("p1", 5_000, command_id="out")  # now the first hand is too dear
        other.deposit("p2", 10_000, command_id="in")  # and the last one is not

    before_append(monkeypatch, 1, meanwhile)
    last = a_hand(2, carry=1_000)
    last["seats"][1]["carry"] = 105_000

    outcomes = told(
        work_on(ledger, deposit_missing=False),
        *(a_hand(0, carry=98_000), a_hand(1, carry=1_000)),
        *(a_hand(0, carry=98_000), last),
    )

    assert outcomes == [
        *(("h-0", "insufficient_funds"), ("h-1", "stored")),
        *(("h-0", "insufficient_funds"), ("h-2", "stored")),
    ]


@pytest.mark.parametrize("reading", ["wallets", "existing", "receipts"])
def test_a_hand_that_another_import_stores_while_it_is_decided_on(
    ledger, other, monkeypatch, reading
):
    """It is not refused for the chips that it has itself taken."""
    fund(ledger, "p1", "p2", amount=100_000)
    read = getattr(History, reading)
    reads: list[Sequence[str]] = []

    def late(self: History, asked: Sequence[str]) -> Any:
        if self.runner is ledger.store and not reads:
            reads.append(asked)
            other.import_hands(lines(a_hand(0)), deposit_missing=False)
        return read(self, asked)

    monkeypatch.setattr(History, reading, late)

    assert told(work_on(ledger, deposit_missing=False), a_hand(0)) == [("h-0", "already")]
    assert balance(ledger, "p2") == 100_000 - LOST


def test_whoever_wants_no_more_has_been_told_of_all_that_is_stored(ledger):
    """However many batches there are still to come."""
    portions = work_on(ledger).overlapped(lines(*(a_hand(n) for n in range(10))))
    assert isinstance(portions, Generator)

    seen = [line.hand for portion in (next(portions), next(portions)) for line in portion]
    portions.close()

    assert list(ledger.hands()) == seen == ["h-0", "h-1", "h-2", "h-3"]
