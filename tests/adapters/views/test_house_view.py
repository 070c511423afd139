from collections import Counter
from datetime import UTC, date, timedelta

import pytest

from adapters.views.house import HouseFilter
from domain.events import HandOpened
from domain.stream import Entry
from tests.adapters.stored import agrees, execute, insert, projector, views
from tests.projections.histories import history, shuffled


@pytest.fixture
def stored(database):
    """A database with sixty hands, taken in in batches that end in the middle of hands."""
    insert(database, shuffled(history(60), 5))
    with projector(database) as keeper:
        keeper.catch_up()
    return database


def test_the_house_is_what_every_transfer_comes_to(stored):
    """Day by day and table by table, equal to a count of each transfer of each hand."""
    openings = {e.originator_id: e.event for e in history(60) if isinstance(e.event, HandOpened)}
    counted: Counter[tuple[object, ...]] = Counter()
    for entry in history(60):
        for source, target, amount, _ in entry.event.transfers:
            for name, change in ((source, -amount), (target, amount)):
                if name.startswith("house:"):
                    opening = openings[entry.originator_id]
                    table = (opening.table["ante"], opening.table.get("max_stake"))
                    key = (entry.cause.at.date(), opening.rulebook, opening.version, *table)
                    counted[(*key, name)] += change

    with views(stored) as read:
        got = read.house()

    assert {key for key in counted if key[-1] != "cashier"}
    assert {
        (*row.key, f"house:{name}"): getattr(row, name)
        for row in got
        for name in ("rake", "bank", "bonus", "rounding")
        if getattr(row, name)
    } == {key: amount for key, amount in counted.items() if amount}


def test_the_rows_of_the_house_sum_to_its_accounts(stored):
    """No chip of the house is without a day and a table."""
    with views(stored) as read:
        accounts = dict(read.balances())
        got = read.house()

    for name in ("rake", "bank", "bonus", "rounding"):
        assert accounts.get(f"house:{name}", 0) == sum(getattr(row, name) for row in got)


def test_the_house_is_read_by_days_and_rulebook(database):
    """The first day is included, the one after the last is not."""
    entries = [
        Entry(
            e.originator_id,
            e.originator_version,
            e.event,
            type(e.cause)("c", "tests", e.cause.at.astimezone(UTC) + timedelta(days=n // 300)),
        )
        for n, e in enumerate(history(60))
    ]
    insert(database, entries)
    with projector(database) as keeper, views(database) as read:
        keeper.catch_up()
        whole = read.house()
        for wanted in (
            HouseFilter(since=date(2026, 1, 3)),
            HouseFilter(until=date(2026, 1, 3)),
            HouseFilter(date(2026, 1, 3), date(2026, 1, 4), whole[0].rulebook),
        ):
            some = read.house(wanted)

            assert some == [row for row in whole if wanted.admits(row)]
            assert 0 < len(some) < len(whole)


def test_a_house_tampered_with_differs_from_a_fresh_fold(stored):
    """The row is named by its day and table."""
    assert agrees(stored)
    execute(stored, "UPDATE projected_house SET rake = rake + 1 WHERE rulebook = 'jiuyou'")
    with projector(stored) as keeper:
        found = list(keeper.compare_with_fresh_fold(["house"]))

    assert found
    assert all(one.key.startswith("2026-01-02/jiuyou/1/") for one in found)
