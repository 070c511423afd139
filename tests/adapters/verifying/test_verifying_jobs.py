"""Verification shared among processes: what one finds, in the order in which one finds it."""

import os
import time
from multiprocessing import active_children

import psycopg
import pytest

from adapters.errors import CardKeyMissingError, ProcessLostError
from adapters.jobs import shared_among_processes
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.postgres import Store, snapshot
from adapters.store.sealing import CardKeys
from adapters.verifying import runs
from tests.adapters.play import lines
from tests.adapters.stored import edit_all_along


@pytest.fixture
def shared(ledger, monkeypatch):
    """A ledger of a few hands whose verification is cut into small portions."""
    ledger.import_hands(lines(*simulate("feifan2017", hands=12, seed=3)))
    monkeypatch.setattr(runs, "PORTIONS", (("dispute", 5), ("hand", 3), ("wallet", 50)))
    monkeypatch.setattr(runs, "PORTIONS_WORTH_A_PROCESS", 1)
    return ledger


def test_processes_find_what_one_finds_in_the_same_order(shared, store_dsn):
    """Edits in the first hand, in the last, and in a wallet."""
    assert list(shared.verify(jobs=2)) == []
    edit_all_along(store_dsn)
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
        return shared_among_processes(*given)

    monkeypatch.setattr(runs, "shared_among_processes", edited_before)

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


def test_processes_hold_the_keys_that_the_store_holds(store_dsn, monkeypatch):
    """And where one is missing, that is said as one process says it."""
    monkeypatch.setattr(runs, "PORTIONS", (("dispute", 5), ("hand", 1), ("wallet", 50)))
    monkeypatch.setattr(runs, "PORTIONS_WORTH_A_PROCESS", 1)
    with Ledger(Store(store_dsn, cards=CardKeys([bytes(32)]))) as sealing:
        sealing.import_hands(lines(*simulate("jiuyou", hands=3, seed=3)))
        assert list(sealing.verify(jobs=2)) == []
    with Ledger(Store(store_dsn)) as keyless:
        with pytest.raises(CardKeyMissingError) as alone:
            list(keyless.verify())
        with pytest.raises(CardKeyMissingError) as together:
            list(keyless.verify(jobs=2))

    assert str(together.value) == str(alone.value)
    assert together.value.key_id == alone.value.key_id


def test_a_process_that_is_lost_is_told(shared):
    """Nothing is said to agree that nobody checked, and nobody waits for ever."""
    with pytest.raises(ProcessLostError):
        list(answers(shared.store, end_the_process, [1, 2, 3]))


def test_no_process_outlives_a_verification_that_is_given_up(shared):
    """It would hold its snapshot, and whoever waits for a table it has read would wait for it."""
    with pytest.raises(ZeroDivisionError):
        list(answers(shared.store, fail_at_once_or_take_long, [0, 1]))

    assert active_children() == []


def answers(store, check, portions):
    """Yield what two processes answer."""
    with (
        store.connection() as conn,
        snapshot(conn),
        shared_among_processes(store.exported(conn), check, 2) as checking,
    ):
        yield from checking(portions)


def fail_at_once_or_take_long(_conn, portion):
    """Fail at the first portion; be busy with another when somebody else fails."""
    assert 1 / portion
    time.sleep(2)


def end_the_process(_conn, _portion):
    """Go without a word, as one that is killed."""
    os._exit(1)
