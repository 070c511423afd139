"""Opening a hand and going on with it, unread: the same answers as if it had been read.

Two ledgers stand for two processes: each remembers what it appended itself, and nothing else.
"""

from collections.abc import Iterator

import psycopg
import pytest

from adapters.appending.batches import Tip
from adapters.commands import asking_hands, execution
from adapters.commands.history import History
from adapters.commands.standings import Memory, Standings
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from domain.errors import (
    CommandIdReusedError,
    ConflictError,
    HandExistsError,
    HandOverError,
    InsufficientFundsError,
    NotYourTurnError,
    UnknownHandError,
)
from domain.hand import Hand
from domain.zhajinhua.play import Action
from tests.adapters.play import CARRY, DEAL, balance, do, fund, sit_down


@pytest.fixture
def table(ledger) -> Ledger:
    """A ledger that remembers a hand at version 4: seat 1 is to act."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    return ledger


@pytest.fixture
def other(store_dsn, table) -> Iterator[Ledger]:
    """Another ledger on the same store, which remembers nothing of the hand."""
    assert table.hand("h-1")
    with Ledger(Store(store_dsn)) as other:
        yield other


@pytest.fixture
def reads(monkeypatch) -> list[str]:
    """The commands for which a stream was read."""
    found: list[str] = []
    real = History.before

    def before(self, command_id, stream, **more):
        found.append(command_id)
        return real(self, command_id, stream, **more)

    monkeypatch.setattr(History, "before", before)
    return found


# --- alone -----------------------------------------------------------------------------


def test_whoever_appended_last_reads_nothing(table, reads):
    """From the opening to the settlement; what is over is read again."""
    receipts = [do(table, 1, "look"), do(table, 1, "call"), do(table, 2, "call")]
    receipts.append(table.act_many("h-1", [Action("fold", 1)], command_id="m", actor="ann"))

    assert reads == []
    assert [receipt.answer["version"] for receipt in receipts] == [5, 6, 7, 10]
    with pytest.raises(HandOverError):
        do(table, 2, "call", command_id="late")
    assert reads == ["late"]
    assert list(table.verify()) == []


def test_a_refusal_is_decided_on_what_is_stored(table, reads):
    """It was read before it is refused, and is kept once."""
    with pytest.raises(NotYourTurnError):
        do(table, 2, "call", command_id="c")

    assert reads == ["c"]
    assert [kept.command_id for kept in table.refusals("h-1")] == ["c"]
    assert do(table, 1, "call").status == "applied"


def test_what_is_given_up_halfway_leaves_what_is_remembered(table, reads):
    """All or none: a look that was decided, and not stored, has changed no price."""
    with pytest.raises(NotYourTurnError):
        table.act_many("h-1", [Action("look", 1), Action("call", 2)], command_id="m", actor="ann")

    receipt = do(table, 1, "call")

    assert (reads, receipt.answer["version"]) == (["m"], 5)
    assert table.hand("h-1")[-1].entry.event.transfers[0].amount == 500
    assert list(table.verify()) == []


def test_an_old_command_gets_its_first_answer(table):
    """Though by now the rules would refuse it, or would take it a second time."""
    first = do(table, 1, "call", command_id="c-1")
    again = do(table, 1, "call", command_id="c-1")  # not its turn
    do(table, 2, "call", command_id="c-2")
    once_more = do(table, 1, "call", command_id="c-1")  # its turn again

    assert [first.status, again.status, once_more.status] == ["applied", "replayed", "replayed"]
    assert first[1:] == again[1:] == once_more[1:]
    for seat, verb in ((1, "fold"), (2, "call")):
        with pytest.raises(CommandIdReusedError):
            do(table, seat, verb, command_id="c-1")
    assert len(table.hand("h-1")) == 6
    assert do(table, 1, "call", command_id="c-3").answer["version"] == 7


# --- beside another --------------------------------------------------------------------


def test_what_was_refused_is_legal_by_now(table, other):
    """Seat 1 has called elsewhere: seat 2 may, though it may not as this ledger remembers it."""
    do(other, 1, "call")

    assert do(table, 2, "call").answer == {"hand": "h-1", "version": 6, "turn": 1, "over": False}
    assert table.refusals("h-1") == []
    assert list(table.verify()) == []


def test_what_was_legal_is_refused_by_now(table, other):
    """By the rules and not as a conflict: nobody came between reading and appending."""
    do(other, 1, "call")

    with pytest.raises(NotYourTurnError) as refused:
        do(table, 1, "call", command_id="again")

    assert refused.value.numbers == {"seat": 1, "turn": 2}
    assert [kept.code for kept in table.refusals("h-1")] == ["not_your_turn"]
    assert len(table.hand("h-1")) == 5


def test_what_is_legal_both_ways_is_decided_on_what_is_stored(table, other):
    """The price is that of a seat that has looked, though here it never did."""
    do(other, 1, "look")

    receipt = do(table, 1, "call")

    assert receipt.answer["version"] == 6
    with pytest.raises(NotYourTurnError):
        do(other, 1, "call", command_id="o")
    assert list(table.verify()) == []
    assert table.hand("h-1")[-1].entry.event.transfers[0].amount == 1_000


def test_a_command_that_was_carried_out_elsewhere(table, other):
    """It gets its first answer, refused as it would be on what is remembered, or not."""
    first = do(other, 1, "call", command_id="c-1")
    second = do(other, 2, "call", command_id="c-2")

    again = [do(table, 2, "call", command_id="c-2"), do(table, 1, "call", command_id="c-1")]

    assert [receipt.status for receipt in again] == ["replayed"] * 2
    assert [receipt[1:] for receipt in again] == [second[1:], first[1:]]
    with pytest.raises(CommandIdReusedError):
        do(table, 1, "look", command_id="c-1")


def test_a_version_that_is_expected_is_that_of_the_store(table, other):
    """Not of what is remembered, in either direction."""
    do(other, 1, "call")

    with pytest.raises(ConflictError) as conflict:
        do(table, 2, "call", version=4)
    assert (conflict.value.expected, conflict.value.actual) == (4, 5)
    assert do(table, 2, "call", version=5).answer["version"] == 6
    do(other, 1, "call", command_id="o")
    assert do(table, 2, "call", version=7).answer["version"] == 8


def test_a_void_elsewhere(table, other):
    """Every stake is back once, and the hand takes nothing more; a second void is refused."""
    other.void_hand("h-1", "misdeal", command_id="v", actor="floor")

    with pytest.raises(HandOverError):
        do(table, 1, "call")
    with pytest.raises(HandOverError):
        table.void_hand("h-1", "misdeal", command_id="v-2", actor="floor")
    assert table.void_hand("h-1", "misdeal", command_id="v", actor="floor").status == "replayed"
    assert balance(table, "ann") == balance(table, "bob") == CARRY
    assert list(table.verify()) == []


def test_whoever_is_behind_appends_in_vain_once(table, other, monkeypatch):
    """What turned out to be another hand by now is not gone on with again."""
    appended = []
    real = table.group.append

    def append(brought):
        appended.append(brought.command_id)
        return real(brought)

    monkeypatch.setattr(table.group, "append", append)
    other.void_hand("h-1", "misdeal", command_id="v", actor="floor")

    for command_id in ("c-1", "c-2"):
        with pytest.raises(HandOverError):
            do(table, 1, "call", command_id=command_id)

    assert appended == ["c-1"]


def test_a_void_of_what_moved_on_elsewhere(table, other):
    """It gives back what is staked now."""
    do(other, 1, "call")

    assert table.void_hand("h-1", "misdeal", command_id="v", actor="floor").answer["version"] == 6
    assert balance(table, "ann") == CARRY
    assert list(table.verify()) == []


def test_as_many_as_are_not_refused_on_what_is_stored(table, other):
    """Here the first alone would have been legal; as it is stored both are."""
    do(other, 1, "look")
    do(other, 1, "call")
    both = [Action("look", 2), Action("call", 2)]

    receipt = table.act_many("h-1", both, command_id="m", actor="bob", atomic=False)

    assert (receipt.answer["applied"], "refusal" in receipt.answer) == (2, False)
    assert table.refusals("h-1") == []


def test_two_take_turns_in_every_order(table, other, reads):
    """Each is behind whenever the other one acted; all of it is applied."""
    for turn, ledger in enumerate((table, other, other, table, table, other, table, other)):
        receipt = do(ledger, 1 + turn % 2, "call", command_id=f"c-{turn}")
        assert receipt.answer["version"] == 5 + turn

    assert reads == ["c-1", "c-3", "c-5", "c-6", "c-7"]
    assert list(table.verify()) == []


# --- wallets beside it -------------------------------------------------------------------


@pytest.fixture
def wallet_reads(monkeypatch) -> list[list[str]]:
    """The players whose wallets were read together."""
    found: list[list[str]] = []
    real = History.wallets

    def wallets(self, players):
        found.append(list(players))
        return real(self, players)

    monkeypatch.setattr(History, "wallets", wallets)
    return found


def test_whoever_opened_a_hand_pays_it_out_unread(table, wallet_reads):
    """Both wallets are where the opening left them; less rake, and with 喜钱 for trips."""
    do(table, 1, "fold")

    assert wallet_reads == []
    assert (balance(table, "ann"), balance(table, "bob")) == (CARRY - 500 + 2_500, CARRY + 475)
    assert list(table.verify()) == []


def test_chips_that_came_in_elsewhere_are_there_after_a_pay_out(table, other, wallet_reads):
    """What is remembered of the wallet is of no account then: it is read."""
    other.deposit("ann", 7, command_id="d")

    do(table, 1, "fold")

    assert wallet_reads == [["ann", "bob"]]
    assert balance(table, "ann") == CARRY - 500 + 2_500 + 7
    assert list(table.verify()) == []


@pytest.fixture
def short(ledger) -> Ledger:
    """A ledger on which bob, in seat 2, may top up, out of the 500 that he has left."""
    fund(ledger, "ann", "bob", amount=1_500)
    seats = [{"seat": n, "player": name, "carry": 1_000} for n, name in ((1, "ann"), (2, "bob"))]
    ledger.open_hand(
        "h-1", "feifan2017", table={"ante": 500, "max_stake": 2_000}, dealer=2, seats=seats,
        deal=DEAL, command_id="open", actor="table-1",
    )  # fmt: skip
    return ledger


def test_a_wallet_pays_what_came_in_elsewhere(short, store_dsn):
    """Here it has 500; as it is stored it has 600."""
    with Ledger(Store(store_dsn)) as other:
        other.deposit("bob", 100, command_id="d")

    do(short, 2, "top_up", amount=600)

    assert balance(short, "bob") == 0
    assert short.refusals() == []
    assert list(short.verify()) == []


def test_a_wallet_does_not_pay_what_was_taken_out_elsewhere(short, store_dsn):
    """Here it has 500; as it is stored it has 400."""
    with Ledger(Store(store_dsn)) as other:
        other.withdraw("bob", 100, command_id="w")

    with pytest.raises(InsufficientFundsError):
        do(short, 2, "top_up", amount=500)

    assert balance(short, "bob") == 400
    assert list(short.verify()) == []


# --- the opening itself ------------------------------------------------------------------


def test_those_whose_wallets_are_remembered_open_a_hand_unread(ledger, reads, wallet_reads):
    """Deposited here, opened, played and opened again: nothing is read."""
    fund(ledger, "ann", "bob")
    reads.clear()

    first = sit_down(ledger)
    do(ledger, 1, "fold")
    second = sit_down(ledger, "h-2", carry=1_000)

    assert (reads, wallet_reads) == ([], [])
    assert [first.answer["version"], second.answer["version"]] == [4, 4]
    assert balance(ledger, "bob") == CARRY + 475 - 1_000
    assert list(ledger.verify()) == []


def test_an_opening_reads_where_a_wallet_is_not_remembered(ledger, store_dsn, reads):
    """Another process brought their chips in."""
    with Ledger(Store(store_dsn)) as other:
        fund(other, "ann", "bob")
    reads.clear()

    sit_down(ledger)

    assert reads == ["open:h-1"]
    assert list(ledger.verify()) == []


def test_a_long_opening_is_read(ledger, reads, monkeypatch):
    """It would take the time of others, on an event loop."""
    monkeypatch.setattr(asking_hands, "UNREAD_CHARACTERS_MAX", 100)
    fund(ledger, "ann", "bob")
    reads.clear()

    assert sit_down(ledger).status == "applied"

    assert reads == ["open:h-1"]


def test_an_opening_pays_with_what_came_in_elsewhere(ledger, store_dsn, reads):
    """Here nobody has enough; as it is stored both have."""
    fund(ledger, "ann", "bob", amount=1)
    with Ledger(Store(store_dsn)) as other:
        for player in ("ann", "bob"):
            other.deposit(player, CARRY - 1, command_id=f"more:{player}")
    reads.clear()

    assert sit_down(ledger).status == "applied"

    assert reads == ["open:h-1"]
    assert ledger.refusals() == []
    assert (balance(ledger, "ann"), balance(ledger, "bob")) == (0, 0)
    assert list(ledger.verify()) == []


def test_an_opening_does_not_pay_with_what_was_taken_out_elsewhere(ledger, store_dsn):
    """Here both have enough; nothing is stored of the hand, nor of the other wallet."""
    fund(ledger, "ann", "bob")
    with Ledger(Store(store_dsn)) as other:
        other.withdraw("bob", 1, command_id="w")

    with pytest.raises(InsufficientFundsError):
        sit_down(ledger)

    assert [kept.code for kept in ledger.refusals()] == ["insufficient_funds"]
    assert (balance(ledger, "ann"), balance(ledger, "bob")) == (CARRY, CARRY - 1)
    with pytest.raises(UnknownHandError):
        do(ledger, 1, "look")
    assert sit_down(ledger, carry=CARRY - 1).status == "applied"  # and the id is still free
    assert list(ledger.verify()) == []


def test_a_hand_that_was_opened_elsewhere_is_not_opened_again(ledger, store_dsn):
    """Nothing moves a second time, whatever is remembered of the wallets."""
    fund(ledger, "ann", "bob")
    with Ledger(Store(store_dsn)) as other:
        first = sit_down(other, carry=1_000)

    with pytest.raises(HandExistsError):
        sit_down(ledger, carry=1_000, command_id="another")
    again = sit_down(ledger, carry=1_000)

    assert (again.status, again[1:]) == ("replayed", first[1:])
    with pytest.raises(CommandIdReusedError):
        sit_down(ledger, "h-2", command_id="open:h-1")
    assert balance(ledger, "ann") == balance(ledger, "bob") == CARRY - 1_000
    assert list(ledger.verify()) == []


def test_a_running_hand_goes_on_unread_after_an_attempt_to_open_it_again(table, reads):
    """The attempt is refused, and what is remembered of the hand stays."""
    table.deposit("ann", CARRY, command_id="more")
    table.deposit("bob", CARRY, command_id="more too")
    reads.clear()

    with pytest.raises(HandExistsError):
        sit_down(table, command_id="another")

    assert do(table, 1, "call").answer["version"] == 5
    assert reads == ["another"]


def test_two_seats_of_one_player_open_unread(ledger, reads):
    """The second carry comes out of what the first one left."""
    fund(ledger, "ann", amount=CARRY)
    reads.clear()

    sit_down(ledger, players=("ann", "ann"), carry=CARRY // 2)

    assert (reads, balance(ledger, "ann")) == ([], 0)
    assert list(ledger.verify()) == []


# --- another history under the same version ----------------------------------------------


def rewound(dsn: str) -> None:
    """Put the store back to where the hand was opened, as a restored backup does."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("DELETE FROM events WHERE position > 8")
        owner.execute("DELETE FROM receipts WHERE first_position > 8")


def test_a_version_says_how_many_and_not_which(table, other, store_dsn):
    """Restored behind its back, a hand comes to the version that is remembered by another way."""
    do(table, 1, "look")
    rewound(store_dsn)
    do(other, 1, "call")

    with pytest.raises(NotYourTurnError):
        do(table, 1, "call", command_id="c")
    assert do(table, 2, "call", command_id="c").answer["version"] == 6
    assert list(table.verify()) == []


def test_so_does_that_of_a_wallet(table, other, store_dsn):
    """A deposit that the restored store never had is paid out to nobody."""
    table.deposit("ann", 100, command_id="d-1")
    rewound(store_dsn)
    other.deposit("ann", 7, command_id="d-2")

    do(table, 1, "fold")

    assert balance(table, "ann") == CARRY - 500 + 2_500 + 7
    assert list(table.verify()) == []


def test_what_is_gone_is_not_gone_on_with(table, store_dsn):
    """A hand that the restored store never had is unknown."""
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("DELETE FROM events WHERE originator_id = 'hand:h-1'")
        owner.execute("DELETE FROM receipts WHERE command_id = 'open:h-1'")

    with pytest.raises(UnknownHandError):
        do(table, 1, "call")


# --- the protections, removed ----------------------------------------------------------


class NothingError(Exception):
    """Is never raised."""


def test_without_reading_again_what_is_legal_is_refused(table, other, monkeypatch):
    """So the tests above can fail: on what is remembered alone, seat 2 may not call."""
    do(other, 1, "call")
    monkeypatch.setattr(execution, "RefusalError", NothingError)

    with pytest.raises(NotYourTurnError):
        do(table, 2, "call")


def test_without_the_link_a_seat_calls_twice(table, other, store_dsn, monkeypatch):
    """So the test above can fail: by its version alone the other history is taken for this one."""
    real = table.group.append
    monkeypatch.setattr(table.group, "append", lambda brought: real(brought._replace(links={})))
    do(table, 1, "look")
    rewound(store_dsn)
    do(other, 1, "call")

    assert do(table, 1, "call", command_id="c").status == "applied"
    assert {found.hand for found in table.verify()} == {"h-1"}


# --- what is remembered ----------------------------------------------------------------


def test_no_more_is_remembered_than_may_be():
    """What was quiet for longest goes."""
    standings: Standings[int] = Standings(streams_max=2)
    tip = Tip(4, bytes(32))
    for stream in ("a", "b"):
        standings.keep(stream, tip, 1)
    standings.get("a")
    standings.keep("c", tip, 2)

    assert [standings.get(stream) for stream in "abc"] == [(tip, 1), None, (tip, 2)]
    standings.forget("a")
    standings.forget("never")
    assert standings.get("a") is None


def test_a_hand_that_is_over_is_forgotten(table):
    """Nobody goes on from it; its players' wallets are remembered."""
    state = Hand.replay("hand:h-1", [row.entry.event for row in table.hand("h-1")]).state
    memory = Memory()
    memory.learn("hand:h-1", state, [], {"hand:h-1": Tip(4)})
    assert memory.hands.get("hand:h-1") == (Tip(4), state)
    memory.learn("hand:h-1", state._replace(settled=True), [], {"hand:h-1": Tip(5)})

    assert memory.hands.get("hand:h-1") is None
