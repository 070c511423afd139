from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from adapters.errors import PositionUnknownError
from adapters.shuffle import Chance
from adapters.views.house import HouseFilter
from tests.adapters.stored import HANDS, execute, insert, projector, rows, views

PLAYERS = ("p1", "p3", "nobody")


def told(read, moment=None):
    """Return what the read models tell of money, now or then."""
    return [
        read.balances(as_of=moment),
        read.bonuses(as_of=moment),
        read.house(as_of=moment),
        read.house(HouseFilter(rulebook="jiuyou"), as_of=moment),
        *(read.balances(player, as_of=moment) for player in PLAYERS),
        *(read.bonuses(player, as_of=moment) for player in PLAYERS),
        *(read.statement(player, as_of=moment) for player in PLAYERS),
    ]


@pytest.mark.parametrize("cut", [0, 1, 500, len(HANDS)])
def test_as_of_a_position_is_as_a_ledger_that_ended_there(database, cut):
    """Balances, statements, bonuses and the house, equal to what was told when that was all."""
    with projector(database) as keeper, views(database) as read:
        insert(database, HANDS[:cut])
        keeper.catch_up()
        then = told(read)

        insert(database, HANDS[cut:], after=cut)
        keeper.catch_up()

        assert then == told(read, cut)
        assert (then == told(read)) == (cut == len(HANDS))


def test_as_of_does_not_wait_for_a_projector(database):
    """It rests on the events alone."""
    insert(database, HANDS)
    with projector(database) as keeper, views(database) as read:
        before = told(read, len(HANDS))
        keeper.catch_up()

        assert before == told(read)


def test_a_time_is_the_last_position_recorded_by_then(database):
    """To the microsecond, whatever the zone, and whenever it is said to have happened."""
    insert(database, HANDS[:300])
    start, chance = datetime(2026, 5, 1, tzinfo=UTC), Chance("times")
    execute(
        database, "UPDATE events SET recorded_at = %s + position * interval '1 second'", [start]
    )
    with views(database) as read:
        for _ in range(5):
            position = chance.below(301)
            at = start + timedelta(seconds=position)

            assert told(read, position) == told(read, at)
            assert told(read, position) == told(read, at + timedelta(microseconds=999_999))
        assert told(read, 0) == told(read, start + timedelta(microseconds=999_999))
        assert told(read, 300) == told(read, datetime(9000, 1, 1, tzinfo=UTC))


def test_a_wallet_s_last_balance_is_what_was_held(database):
    """At every cut a statement ends with the balance."""
    last = insert(database, HANDS)
    with views(database) as read:
        for cut in range(0, last, 97):
            movements = read.statement("p1", as_of=cut)
            assert [m.balance for m in movements[-1:]] == [
                row.balance for row in read.balances("p1", as_of=cut)
            ]
            assert all(a.balance + b.amount == b.balance for a, b in pairwise(movements))


@pytest.mark.parametrize("position", [-1, 301, 2**63 - 1])
def test_a_position_not_reached_yet_is_refused(database, position):
    """The answer of today would not be that of tomorrow."""
    insert(database, HANDS[:300])
    with views(database) as read, pytest.raises(PositionUnknownError):
        read.balances(as_of=position)


def test_what_a_projector_parks_is_not_in_it(database):
    """An event that cannot be read moves nothing, then as now."""
    insert(database, HANDS)
    execute(database, "UPDATE events SET topic = topic || 'x' WHERE position %% 50 = 7")
    with projector(database) as keeper, views(database) as read:
        keeper.catch_up()

        assert read.balances() == read.balances(as_of=len(HANDS))
        assert rows(database, "SELECT 1 FROM parked LIMIT 1")
