"""Races in a decided order: a seed is one of them, and gives the same run again."""

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import psycopg
import pytest

from adapters.appending import recorder
from adapters.appending.batches import Append, Conflict, Prepared, Stored
from adapters.appending.fingerprints import fingerprint
from adapters.commands import importing
from adapters.commands.execution import Receipt
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from adapters.views.views import Views
from domain.events import FundsDeposited
from domain.stream import Cause, Entry
from tests.adapters.play import balance, do, fund, lines, sit_down, vectors
from tests.faults.schedule import Schedule, by_seed, holding
from tests.faults.stock import AT

SEEDS_SHORT, SEEDS_LONG = 4, 200


def codes(results: dict[str, Any]) -> Counter[str]:
    """Count statuses, refusal codes and errors."""
    return Counter(
        result if isinstance(result, str) else getattr(result, "status", type(result).__name__)
        for result in results.values()
    )


def seeds(long: bool) -> range:  # noqa: FBT001 - the option's value
    """Return the seeds to try."""
    return range(SEEDS_LONG if long else SEEDS_SHORT)


# --- one held open while others commit -------------------------------------------------


class Reader:
    """Follows the history by position, as a projection does: what it has passed, it never sees."""

    def __init__(self, dsn: str) -> None:
        self._conn = psycopg.connect(dsn, autocommit=True)
        self.seen: list[str] = []
        self.at = 0

    def __call__(self) -> None:
        """Read on from where it is."""
        query = "SELECT position, command_id FROM events WHERE position > %s ORDER BY position"
        for position, command_id in self._conn.execute(query, [self.at]):
            self.at = position
            self.seen.append(command_id)

    def close(self) -> None:
        """Give the connection up."""
        self._conn.close()


Work = Callable[[Ledger], Receipt]


def actors(count: int, work: Callable[[Ledger, int], Receipt]) -> dict[str, Work]:
    """Return so many actors, who do the same under different numbers."""
    return {f"actor-{n:02}": partial(_numbered, work, n) for n in range(count)}


def _numbered(work: Callable[[Ledger, int], Receipt], number: int, ledger: Ledger) -> Receipt:
    return work(ledger, number)


def deposits(count: int, mark: str = "d") -> dict[str, Work]:
    """Return so many actors, each with a deposit of its own."""
    return actors(count, lambda ledger, n: ledger.deposit(f"p{n}", 5, command_id=f"{mark}-{n:02}"))


def test_an_append_held_open_holds_back_those_after_it(ledger, store_dsn, projector):
    """One append held open while 11 later ones commit, then released.

    Every projection has all 12, in order.
    """
    reader = Reader(store_dsn)
    steps: list[int] = []

    def meanwhile() -> None:
        reader()
        steps.append(reader.at)
        if len(steps) % 9 == 0:
            projector.catch_up()

    results = Schedule(store_dsn, holding("actor-00", at="COMMIT"), meanwhile=meanwhile).run(
        deposits(12)
    )

    reader()
    reader.close()
    assert codes(results) == {"applied": 12}
    assert sorted(reader.seen) == [f"d-{n:02}" for n in range(12)]
    assert (reader.seen[0], reader.at) == ("d-00", 12)
    assert projector.catch_up() == dict.fromkeys(projector.positions(), 12)
    assert list(projector.compare_with_fresh_fold()) == []
    with Store(store_dsn, role="jinhua_reader") as store:
        trail = Views(store).audit_trail()
        assert [row.place.command_id for row in trail] == reader.seen
        assert {row.balance for row in Views(store).balances()} == {5, -60}
    assert list(ledger.verify()) == []


def test_without_the_lock_the_reader_passes_by(unlocked):
    """So the test above can fail: without lock and constraints an event is never seen."""
    dsn = unlocked(constraints=True)
    reader = Reader(dsn)

    results = Schedule(dsn, holding("actor-00", at="COMMIT"), meanwhile=reader).run(deposits(12))

    reader()
    reader.close()
    assert codes(results) == {"applied": 12}
    assert len(reader.seen) < 12


def test_without_the_lock_constraints_still_keep_the_order(unlocked):
    """The second line of defence: whoever comes too late fails, and nobody is passed by."""
    dsn = unlocked(constraints=False)
    reader = Reader(dsn)

    results = Schedule(dsn, holding("actor-00", at="COMMIT"), meanwhile=reader).run(deposits(12))

    reader()
    reader.close()
    stored = codes(results)["applied"]
    assert stored < 12
    assert len(reader.seen) == reader.at == stored


@pytest.mark.parametrize("by", ["reader", "subscription"])
def test_conflicts_burn_no_positions(ledger, by):
    """100 version conflicts burn sequence numbers: readers do not wait for them."""
    recorder = ledger.recorder
    recorder.append([_deposit("before", version=1)])

    outcomes = recorder.append([_deposit(f"c-{n}", version=1) for n in range(100)])
    stored = recorder.append([_deposit("after", version=2)])

    assert set(outcomes) == {Conflict("wallet:ann", expected=0, actual=1)}
    assert stored == [Stored(2, 2)]
    if by == "reader":
        assert [row.id for row in recorder.select_notifications(start=1, limit=10)] == [1, 2]
    else:
        with recorder.subscribe(gt=1) as subscription:
            assert next(subscription).id == 2


def _deposit(command_id: str, *, version: int) -> Append:
    """Return a command that writes to ann's wallet at a version."""
    event = FundsDeposited(balance=version)
    entries = [Entry("wallet:ann", version, event, Cause(command_id, "ann", AT))]
    return Append(command_id, fingerprint("test", {"id": command_id}), entries, "{}")


# --- twenty at one hand ----------------------------------------------------------------


def twenty_calls(hand: str) -> dict[str, Work]:
    """Return twenty actors who call for seat 1, all of whom have seen version 4."""
    return actors(
        20,
        lambda ledger, n: do(ledger, 1, "call", hand=hand, command_id=f"{hand}:{n}", version=4),
    )


def test_twenty_at_one_version(ledger, store_dsn, long):
    """20 parallel appends on the same hand version.

    One success, 19 conflicts, stored equals reported; in every order.
    """
    fund(ledger, "ann", "bob", amount=50_000 * SEEDS_LONG)
    for seed in seeds(long):
        hand = f"h-{seed}"
        sit_down(ledger, hand)

        results = Schedule(store_dsn, by_seed(seed)).run(twenty_calls(hand))

        assert codes(results) == {"applied": 1, "conflict": 19}, seed
        (applied,) = (result for result in results.values() if isinstance(result, Receipt))
        *_, last = ledger.hand(hand)
        assert last.entry.cause.command_id == applied.command_id
        assert (last.position, last.entry.originator_version) == (applied.last_position, 5)
    assert list(ledger.verify()) == []


def test_without_lock_and_constraints_several_succeed(unlocked):
    """So the test above can fail: more than one is told that it was applied."""
    dsn = unlocked(constraints=True)
    with Ledger(Store(dsn)) as ledger:
        fund(ledger, "ann", "bob")
        sit_down(ledger)

        results = Schedule(dsn, holding("actor-00", at="COMMIT")).run(twenty_calls("h-1"))

        assert codes(results)["applied"] > 1
        assert list(ledger.verify()) != []


def test_the_same_seed_is_the_same_run(store_dsn):
    """Statement by statement: what a seed has shown, it shows again."""
    traces = []
    for number in range(2):
        schedule = Schedule(store_dsn, by_seed(7))
        schedule.run(deposits(8, mark=f"d-{number}"))
        traces.append(schedule.trace)

    assert traces[0] == traces[1]
    assert len(traces[0]) > 30


# --- on what was not stored ------------------------------------------------------------


def imported_beside_deposits(ledger: Ledger, dsn: str, monkeypatch, *, strip: bool) -> None:
    """Import two hands of ann's; in between she is given chips, so that the first is left out.

    Two deposits bring her wallet to the very version at which the second hand expects it.
    """
    real = recorder.append_prepared
    fund(ledger, "ann", "bob", "cai", amount=1_000_000)
    hands = [json.loads(json.dumps(vectors("seed-examples")[0])) for _ in range(2)]
    for hand, other in zip(hands, ("bob", "cai"), strict=True):
        hand |= {"hand": f"h-{other}", "dealer": 1, "actions": [{"seat": 2, "do": "fold"}]}
        hand["deal"] = {"1": "AsAdAh", "2": "2c4d7h"}
        hand["seats"] = [
            {"seat": seat, "player": player, "carry": 50_000}
            for seat, player in ((1, "ann"), (2, other))
        ]
        del hand["settlement"]
    batches: list[int] = []

    def append(runner, batch):
        if not batches:
            with Ledger(Store(dsn)) as beside:
                for number in (1, 2):
                    beside.deposit("ann", 7, command_id=f"beside-{number}")
        batches.append(len(batch))
        return real(runner, [stripped(prepared) if strip else prepared for prepared in batch])

    def stripped(prepared: Prepared) -> Prepared:
        return prepared._replace(append=prepared.append._replace(rests_on=frozenset()))

    monkeypatch.setattr(importing, "append_prepared", append)
    report = ledger.import_hands(lines(*hands))
    assert (report.hands, report.refused, batches[0]) == (2, [], 2)


def test_a_hand_that_rests_on_one_left_out(ledger, store_dsn, monkeypatch):
    """A version alone does not say what a wallet holds.

    Whatever rests on what was not stored is decided again, though the wallet came to the version
    that it expects by others' events.
    """
    imported_beside_deposits(ledger, store_dsn, monkeypatch, strip=False)

    assert list(ledger.verify()) == []


def test_without_naming_what_it_rests_on_chips_appear(ledger, store_dsn, monkeypatch):
    """So the test above can fail: the second hand goes on from a balance that never was."""
    imported_beside_deposits(ledger, store_dsn, monkeypatch, strip=True)

    assert {d.hand for d in ledger.verify()} == {"wallet:ann"}


# --- three times -----------------------------------------------------------------------


def test_void_three_times(ledger, store_dsn, long):
    """Void three times: one effect, three equal answers; one after another and at once."""
    fund(ledger, "ann", "bob", amount=50_000 * (SEEDS_LONG + 1))
    for seed in seeds(long):
        hand = f"h-{seed}"
        sit_down(ledger, hand)
        before = balance(ledger, "ann")

        def void(ledger: Ledger, hand: str = hand) -> Receipt:
            return ledger.void_hand(hand, "a misdeal", command_id=f"v:{hand}", actor="floor")

        results = Schedule(store_dsn, by_seed(seed)).run(dict.fromkeys("abc", void))

        assert codes(results) == {"applied": 1, "replayed": 2}
        answers = {result[1:] for result in [*results.values(), void(ledger)]}
        assert len(answers) == 1
        assert balance(ledger, "ann") == before + 50_000
    assert list(ledger.verify()) == []


def test_without_receipts_the_second_void_is_refused(ledger, store_dsn):
    """So the test above can fail: it is the receipt that gives the first answer."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    ledger.void_hand("h-1", "a misdeal", command_id="v", actor="floor")
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("TRUNCATE receipts")

    results = Schedule(store_dsn, by_seed(0)).run(
        {"a": lambda own: own.void_hand("h-1", "a misdeal", command_id="v", actor="floor")}
    )

    assert json.dumps(results) == '{"a": "hand_over"}'
