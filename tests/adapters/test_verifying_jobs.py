"""Verification shared among processes: what one finds, in the order in which one finds it."""

import psycopg
import pytest

from adapters import verifying
from adapters.simulation import simulate
from adapters.verifying_jobs import in_order
from tests.adapters.play import lines


@pytest.fixture
def shared(ledger, monkeypatch):
    """A ledger of a few hands whose verification is cut into small portions."""
    ledger.import_hands(lines(*simulate("feifan2017", hands=12, seed=3)))
    monkeypatch.setattr(verifying, "BULK_HANDS", 3)
    monkeypatch.setattr(verifying, "PORTIONS_WORTH_A_PROCESS", 1)
    return ledger


def test_processes_find_what_one_finds_in_the_same_order(shared, store_dsn):
    """Edits in the first hand, in the last, and in a wallet."""
    assert list(shared.verify(jobs=2)) == []
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("""
            UPDATE events SET body = replace(body, '"by":"choice"', '"by":"timeout"')
             WHERE topic IN ('hand.bet_called.v1', 'hand.folded.v1')""")
        owner.execute("""
            UPDATE events SET body = replace(body, '"balance":', '"balance":1')
             WHERE topic = 'wallet.deposited.v1'""")
    alone, told, told_alone = [], [], []

    alone = list(shared.verify(progress=lambda *done: told_alone.append(done)))
    together = list(shared.verify(progress=lambda *done: told.append(done), jobs=2))

    assert len({found.hand for found in alone}) > 4
    assert together == alone
    assert told == told_alone
    assert told[-1] == (12, shared.recorder.max_notification_id())


def test_processes_see_one_moment(shared, store_dsn, monkeypatch):
    """What is edited before they have started was not so when the verification began."""

    def edited_before(*given):
        with psycopg.connect(store_dsn, autocommit=True) as owner:
            owner.execute("UPDATE events SET body = 'x'")
        return in_order(*given)

    monkeypatch.setattr(verifying, "in_order", edited_before)

    assert list(shared.verify(jobs=2)) == []
    assert list(shared.verify(jobs=2)) != []


def test_no_stream_falls_between_portions(shared, store_dsn):
    """Not even one without a first event, before all others or after them."""
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("""
            UPDATE events SET originator_version = originator_version + 100
             WHERE originator_id IN (SELECT min(originator_id) FROM events
                                      WHERE originator_id >= 'hand:' AND originator_id < 'hand;')
                OR originator_id IN (SELECT max(originator_id) FROM events
                                      WHERE originator_id >= 'wallet:'
                                        AND originator_id < 'wallet;')""")
        ((first, last),) = owner.execute("""
            SELECT min(originator_id), max(originator_id) FROM events
             WHERE originator_version > 100""").fetchall()

    versions = {found.hand for found in shared.verify(jobs=2) if found.what == "version"}

    assert versions == {first.removeprefix("hand:"), last}
