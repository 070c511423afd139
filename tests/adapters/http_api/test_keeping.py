"""The read models are kept up while the service runs, by one process of all."""

import time

import pytest

from adapters.errors import StoreUnreachableError
from adapters.http_api.keeping import Keeper
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector

PATIENCE_S = 60


@pytest.fixture
def store(store_dsn):
    """A store in the role of a projector."""
    with Store(store_dsn, role=ROLE) as store:
        yield store


def rounds(monkeypatch) -> list[Projector]:
    """Count who catches up."""
    seen: list[Projector] = []
    catch_up = Projector.catch_up

    def counted(self, *args, **kwargs):
        seen.append(self)
        return catch_up(self, *args, **kwargs)

    monkeypatch.setattr(Projector, "catch_up", counted)
    return seen


def until(condition) -> bool:
    """Wait for something to come true."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(condition())


def test_what_is_appended_is_soon_read(store, ledger):
    """Nobody has to ask for it."""
    keeper = Keeper(store)
    keeper.start()
    try:
        for n in range(3):
            position = ledger.deposit("ann", 1, command_id=f"d-{n}").last_position
            ledger.wait_for(position, timeout=PATIENCE_S)
    finally:
        keeper.stop()

    assert set(Projector(store).positions().values()) == {3}


def test_one_keeps_and_another_steps_in_when_it_is_gone(store, ledger, monkeypatch):
    """Two at once would do everything twice."""
    seen = rounds(monkeypatch)
    first, second = Keeper(store), Keeper(store)
    first.start()
    assert until(lambda: seen)
    second.start()
    ledger.wait_for(ledger.deposit("ann", 1, command_id="d-1").last_position, timeout=PATIENCE_S)
    before = {*seen}
    first.stop()
    ledger.wait_for(ledger.deposit("ann", 1, command_id="d-2").last_position, timeout=PATIENCE_S)
    second.stop()

    assert before == {first._projector}
    assert {*seen} == {first._projector, second._projector}


def test_it_goes_on_after_the_store_was_away(store, ledger, monkeypatch):
    """Whatever went wrong, the next round is another one."""
    failures = [StoreUnreachableError(where="x", reason="x"), ValueError("x")]
    catch_up = Projector.catch_up

    def failing(self, *args, **kwargs):
        if failures:
            raise failures.pop()
        return catch_up(self, *args, **kwargs)

    monkeypatch.setattr(Projector, "catch_up", failing)
    keeper = Keeper(store)
    keeper.start()
    try:
        position = ledger.deposit("ann", 1, command_id="d").last_position
        ledger.wait_for(position, timeout=PATIENCE_S)
    finally:
        keeper.stop()

    assert failures == []
