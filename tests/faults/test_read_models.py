"""Read models while everything around them goes on, stops, comes twice or cannot be read."""

import threading
from collections.abc import Sequence

import psycopg
import pytest

from adapters.commands import history
from adapters.commands.history import History
from adapters.ledger import Ledger
from adapters.shuffle import Chance
from adapters.simulation.hands import PLAYERS, simulate
from adapters.store.codec import Codec
from adapters.store.postgres import Conn
from adapters.views import hand_list, tracking
from adapters.views import projector as keeping
from adapters.views.catalogue import READ_MODELS
from adapters.views.hand_list import HandFilter
from adapters.views.projector import Projector
from adapters.views.tracking import Tracked, tracked
from domain.wallet import Wallet, wallet_id
from tests.adapters.play import fund, lines, sit_down
from tests.adapters.stored import agrees, execute, told, views
from tests.adapters.views import test_hand_list as filters
from tests.faults.schedule import PATIENCE_S

stored = filters.stored


def fill(ledger: Ledger, hands: int, *, seed: int = 8) -> None:
    """Store finished hands, and one that is under way."""
    for rulebook in ("jiuyou", "tongcheng"):
        ledger.import_hands(lines(*simulate(rulebook, hands=hands // 2, seed=seed)))
    fund(ledger, "ann", "bob", amount=1_000_000)
    sit_down(ledger, f"h-{seed}", command_id=f"open:{seed}")


def test_a_rebuild_while_live(ledger, store_dsn, projector, long):
    """Rebuild while live, replay of a window twice: no second effect."""
    fill(ledger, 20)
    projector.catch_up()
    finished = threading.Event()

    def write() -> None:
        for number in range(200 if long else 10):
            ledger.import_hands(lines(*simulate("jisu", hands=3, seed=1, first=3 * number)))
        finished.set()

    writer = threading.Thread(target=write)
    writer.start()
    rebuilds = 0
    while not finished.is_set() or not rebuilds:
        projector.rebuild()
        rebuilds += 1
    writer.join(PATIENCE_S)
    projector.catch_up()
    before = told(store_dsn)

    projector.catch_up()
    projector.catch_up()
    projector.rebuild()

    assert told(store_dsn) == before
    assert agrees(store_dsn)


def test_a_window_that_is_replayed(ledger, store_dsn, projector):
    """A second projector that thinks it is behind waits for the first, and finds nothing to do."""
    fill(ledger, 20)
    projector.catch_up()
    before = told(store_dsn)

    threads = [threading.Thread(target=projector.catch_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)

    assert told(store_dsn) == before


def test_without_the_lock_of_its_row_a_window_counts_twice(ledger, projector, monkeypatch):
    """So the test above can fail: two who find the same position take in the same events."""
    fill(ledger, 4)
    both = threading.Barrier(2)

    def lock(conn: Conn, name: str) -> Tracked:
        at = tracked(conn)[name]
        both.wait(PATIENCE_S)
        return at

    monkeypatch.setattr(keeping, "lock", lock)
    threads = [threading.Thread(target=projector.catch_up, args=[["balances"]]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)

    assert list(projector.compare_with_fresh_fold(["balances"])) != []


def rebuilt_beside_another(
    ledger: Ledger, projector: Projector, monkeypatch, *, strip: bool
) -> int:
    """Rebuild while another takes in an event before the switch; return how far it goes back."""
    fill(ledger, 4)
    real, reached = tracking.lock, []

    def lock(conn: Conn, name: str) -> Tracked:
        found = tracked(conn)[name]
        monkeypatch.setattr(keeping, "lock", real)
        ledger.deposit("cai", 5, command_id="meanwhile")
        reached.append(projector.catch_up([name])[name])
        return found if strip else real(conn, name)

    projector.catch_up()
    monkeypatch.setattr(keeping, "lock", lock)
    projector.rebuild(["balances"])
    return reached[0] - projector.positions()["balances"]


def test_a_rebuild_waits_for_whoever_is_at_it(ledger, store_dsn, projector, monkeypatch):
    """It takes in what another took in since, and then switches."""
    assert rebuilt_beside_another(ledger, projector, monkeypatch, strip=False) == 0
    with views(store_dsn) as read:
        assert [row.balance for row in read.balances("cai")] == [5]


def test_a_rebuild_that_does_not_wait_for_the_others_goes_back(
    ledger, store_dsn, projector, monkeypatch
):
    """So the test above can fail: chips that a reader has seen are gone again."""
    assert rebuilt_beside_another(ledger, projector, monkeypatch, strip=True) > 0
    with views(store_dsn) as read:
        assert read.balances("cai") == []


@pytest.mark.parametrize("batch", [7, 5_000])
def test_an_event_of_an_unknown_type(ledger, store_dsn, projector, batch):
    """An event of an unknown type in the middle: parked; others go on."""
    fill(ledger, 20)
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute(
            "UPDATE events SET topic = 'wallet.gifted.v9' WHERE position = ("
            " SELECT max(position) - 3 FROM events WHERE topic = 'wallet.deposited.v1')"
        )
        ((position,),) = owner.execute(
            "SELECT position FROM events WHERE topic = 'wallet.gifted.v9'"
        ).fetchall()
    last = ledger.recorder.max_notification_id()
    small = Projector(projector._store, batch=batch)

    assert small.catch_up() == dict.fromkeys(READ_MODELS, last)
    parked = small.parked()
    assert {event.position for event in parked} == {position}
    assert {event.projection for event in parked} == set(READ_MODELS)
    assert {event.topic for event in parked} == {"wallet.gifted.v9"}
    with views(store_dsn) as read:
        assert len(read.audit_trail()) == last - 1
    ledger.deposit("cai", 5, command_id="later")
    small.catch_up()
    with views(store_dsn) as read:
        assert [row.balance for row in read.balances("cai")] == [5]
    assert position in {discrepancy.position for discrepancy in ledger.verify()}


def test_without_parking_nobody_goes_on(ledger, store_dsn, projector, monkeypatch):
    """So the test above can fail: whoever stops at what it cannot read lacks all that follows."""

    def stop(_conn: Conn, _name: str, _generation: int, left_out: Sequence[object]) -> None:
        if left_out:
            raise ArithmeticError

    monkeypatch.setattr(tracking, "park", stop)
    fund(ledger, "ann")
    execute(store_dsn, "UPDATE events SET topic = 'wallet.gifted.v9'")
    ledger.deposit("cai", 5, command_id="later")

    with pytest.raises(ArithmeticError):
        projector.catch_up()
    with views(store_dsn) as read:
        assert read.balances("cai") == []


# --- from wherever one begins ----------------------------------------------------------


def test_the_same_postings_from_any_position(ledger, store_dsn, projector, long):
    """A replay with snapshots, without, from any position: same postings."""
    fill(ledger, 30)
    last = ledger.recorder.max_notification_id() or 0
    projector.catch_up()
    whole, chance = told(store_dsn), Chance("positions")

    for _ in range(30 if long else 3):
        with psycopg.connect(store_dsn, autocommit=True) as owner:
            owner.execute("UPDATE projections SET position = 0, generation = generation + 1")
        while any(projector.lag().values()):
            step = Projector(projector._store, batch=chance.between(1, last))
            step.catch_up([chance.pick(list(READ_MODELS))])
        assert told(store_dsn) == whole


def test_a_moment_is_the_fold_up_to_there(ledger, store_dsn, projector, long):
    """As of a position, rows are those of a store in which nothing happened afterwards."""
    fill(ledger, 20)
    last = ledger.recorder.max_notification_id() or 0
    chance = Chance("moments")
    for position in sorted({chance.below(last + 1) for _ in range(40 if long else 5)} | {last}):
        with views(store_dsn) as read:
            balances = read.balances(as_of=position)
            bonuses = read.bonuses(as_of=position)
        with psycopg.connect(store_dsn) as owner:
            ((in_wallets,),) = owner.execute(
                "SELECT coalesce(sum((body::json->>'balance')::numeric), 0) FROM ("
                " SELECT DISTINCT ON (originator_id) body FROM events"
                " WHERE position <= %s AND originator_id LIKE 'wallet:%%'"
                " ORDER BY originator_id, originator_version DESC) AS latest",
                [position],
            ).fetchall()
        assert sum(row.balance for row in balances) == 0
        players = (row.balance for row in balances if row.account.startswith("player:"))
        assert sum(players) == in_wallets
        assert sum(row.amount for row in bonuses) >= 0
    projector.catch_up()
    with views(store_dsn) as read:
        assert read.balances(as_of=last) == read.balances()
        assert read.bonuses(as_of=last) == read.bonuses()


def test_a_wallet_from_its_last_event_is_the_wallet_from_its_first(ledger):
    """The one snapshot that there is: each event of a wallet holds all of it."""
    fill(ledger, 30)

    resumed = History(ledger.store).wallets(PLAYERS)

    for player, wallet in resumed.items():
        rows = ledger.recorder.select_events(wallet_id(player))
        events = [Codec().to_domain_event(row).event for row in rows]
        replayed = Wallet.replay(wallet_id(player), events)
        assert (wallet.version, wallet.balance) == (replayed.version, replayed.balance)


def test_a_wallet_from_another_event_would_be_another(ledger, monkeypatch):
    """So the test above can fail: it is the last one that counts."""
    monkeypatch.setattr(history, "_LATEST", history._LATEST.replace("DESC", "ASC"))

    with pytest.raises(AssertionError):
        test_a_wallet_from_its_last_event_is_the_wallet_from_its_first(ledger)


def test_any_filter(stored, long):
    """Filters on player + table + time + outcome: equal to a brute-force scan on 10^4 of them."""
    chance = Chance("any filter")
    with views(stored) as read:
        hands = read.hands()
        for _ in range(10_000 if long else 100):
            wanted = filters.any_filter(chance, hands)
            expected = [row for row in hands if filters.admits(wanted, row)]

            assert read.hands(wanted) == expected, wanted


@pytest.mark.parametrize("condition", HandFilter._fields)
def test_without_one_of_its_conditions_a_filter_finds_others(stored, monkeypatch, condition):
    """So the test above can fail: a hundred filters notice that one is not asked for."""
    monkeypatch.setitem(hand_list._CONDITIONS, condition, " AND %s::text IS NOT NULL")

    with pytest.raises(AssertionError):
        test_any_filter(stored, long=False)
