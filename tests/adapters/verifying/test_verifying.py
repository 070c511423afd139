"""Verification over the store: an untouched history agrees, and tampering is named."""

from collections.abc import Iterator

import psycopg
import pytest

from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.codec import encode
from adapters.verifying import streams
from domain.events import CarryReleased
from domain.money import Transfer
from tests.adapters.play import do, fund, lines, sit_down


@pytest.fixture
def owner(ledger: Ledger, store_dsn: str) -> Iterator[psycopg.Connection]:
    """The owner's connection to a store with a hand played to its end and one under way."""
    fund(ledger, "ann", "bob", amount=1_000_000)
    sit_down(ledger, "h-1")
    do(ledger, 1, "call")
    do(ledger, 2, "fold")
    sit_down(ledger, "h-2")
    with psycopg.connect(store_dsn, autocommit=True) as conn:
        yield conn


def found(ledger: Ledger, hands: list[str] | None = None) -> list[tuple[str, str]]:
    """Return what is wrong where."""
    return [(discrepancy.hand, discrepancy.what) for discrepancy in ledger.verify(hands)]


@pytest.mark.usefixtures("owner")
def test_an_untouched_history_agrees(ledger):
    """Finished hands, running ones, and the wallets between them."""
    assert found(ledger) == []
    assert found(ledger, ["h-2", "h-1"]) == []


@pytest.mark.usefixtures("owner")
def test_progress_is_told_in_hands_and_events(ledger):
    """The last word is the number of all of them."""
    told: list[tuple[int, int]] = []

    assert list(ledger.verify(progress=lambda *done: told.append(done))) == []

    assert told[-1] == (2, ledger.recorder.max_notification_id())
    list(ledger.verify(["h-2"], lambda *done: told.append(done)))
    assert told[-1] == (1, 4)


def test_simulated_hands_agree(ledger):
    """Over several fetches, wallets of many hands among them."""
    ledger.import_hands(lines(*simulate("jiuyou", hands=120, seed=11)))

    assert found(ledger) == []


SETTLED, FOLDED = "topic = 'hand.settled.v1'", "topic = 'hand.folded.v1'"
RELEASED = "originator_id = 'wallet:ann' AND topic = 'wallet.carry_released.v1'"
SWAPPED = "originator_id = 'hand:h-1' AND originator_version IN (5, 6)"
CARRY, CARRY_2 = "carry_released.ann.seat:1", "carry_reserved.ann.seat:1"
# fmt: off
EDITS: dict[str, tuple[str, str, set[tuple[str, str]]]] = {
    # what                  how, where, and what is found
    "a settlement":         (r"""body = replace(body, '"net":-500', '"net":-400')""", SETTLED,
                             {("h-1", "settled.settlement.seats.2.net")}),
    "no JSON in a hand":    ("body = 'x'", FOLDED,                 {("h-1", "event")}),
    "a topic of tomorrow":  ("topic = 'hand.shouted.v1'", FOLDED,  {("h-1", "event")}),
    "no JSON in a wallet":  ("body = 'x'", RELEASED,
                             {("wallet:ann", "event"), ("h-1", CARRY)}),
    "another hand's chips": ("body = replace(body, 'h-1', 'h-2')", RELEASED,
                             {("h-1", CARRY), ("h-2", CARRY)}),
    "no hand's chips":      ("body = replace(body, 'h-1', 'h-3')", RELEASED,
                             {("h-1", CARRY), ("wallet:ann", "hand")}),
    "a balance":            (r"""body = replace(body, '"balance":', '"balance":1')""", RELEASED,
                             {("wallet:ann", "carry_released.balance"),
                              ("wallet:ann", "carry_reserved.balance")}),
    "the order":            ("originator_version = 100 - originator_version", SWAPPED,
                             {("h-1", "version")}),
    "a stream of no kind":  ("originator_id = 'purse:ann'", "originator_id = 'wallet:ann'",
                             {("ledger", "stream"), ("h-1", CARRY), ("h-1", CARRY_2),
                              ("h-2", CARRY_2)}),
}
DELETIONS: dict[str, tuple[str, set[tuple[str, str]]]] = {
    # what                  where, and what is found
    "an event of a hand":   ("originator_id = 'hand:h-2' AND originator_version = 3",
                             {("ledger", "position"), ("h-2", "version")}),
    "a hand":               ("originator_id = 'hand:h-1'",
                             {("ledger", "position"), ("wallet:ann", "hand"),
                              ("wallet:bob", "hand")}),
    "the first event":      ("position = 1", {("ledger", "position"), ("wallet:ann", "version")}),
}
# fmt: on


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_found_and_named(ledger, owner, edit):
    """Whoever owns the store may edit it; nobody may do so unnoticed."""
    change, where, expected = EDITS[edit]
    assert owner.execute(f"UPDATE events SET {change} WHERE {where}").rowcount > 0  # noqa: S608

    assert expected <= set(found(ledger))


@pytest.mark.parametrize("deletion", DELETIONS)
def test_a_deletion_is_found_and_named(ledger, owner, deletion):
    """Even of a whole hand: its positions are missing, and its wallets still name it."""
    where, expected = DELETIONS[deletion]
    assert owner.execute(f"DELETE FROM events WHERE {where}").rowcount > 0  # noqa: S608

    assert expected <= set(found(ledger))


def test_chips_planted_in_a_stranger_s_wallet_are_found_with_the_hand(ledger, owner):
    """A release that adds up by itself is held against the hand that it names."""
    fund(ledger, "eve")
    planted = CarryReleased(
        balance=50_007,
        hand="h-1",
        seat=3,
        transfers=(Transfer("hand:h-1:seat:3", "player:eve", 7, "release"),),
    )
    owner.execute(
        "INSERT INTO events (position, originator_id, originator_version, topic, body,"
        " command_id, actor, happened_at, link)"
        " SELECT max(position) + 1, 'wallet:eve', 2, %s, %s, 'c', 'eve', now(), sha256('')"
        "   FROM events",
        [planted.TOPIC, encode(planted)],
    )

    assert found(ledger, ["h-1"]) == [("h-1", "carry_released.eve.seat:3")]
    assert found(ledger) == [("h-1", "carry_released.eve.seat:3"), ("wallet:eve", "link")]


def test_ids_that_json_escapes_find_their_wallets(ledger):
    """A hand is found by its id as the body spells it."""
    for hand in ('"quoted"', "back\\slash", "tab\tnew\nline", "张三🀄\u2028", "a:b'c", "\x7f"):
        fund(ledger, *(f"{hand}-{seat}" for seat in (1, 2)))
        sit_down(ledger, hand, players=(f"{hand}-1", f"{hand}-2"))

    assert found(ledger) == []


@pytest.mark.usefixtures("owner")
def test_verification_sees_one_moment(ledger):
    """What is appended while it runs is left for the next time."""
    before = ledger.recorder.max_notification_id()
    checked: list[int] = []

    def meanwhile(_hands: int, events: int) -> None:
        ledger.deposit("ann", 1, command_id=f"d-{len(checked)}")
        checked.append(events)

    assert list(ledger.verify(progress=meanwhile)) == []
    assert checked[-1] == before
    assert ledger.recorder.max_notification_id() == before + len(checked)


def test_lookups_use_their_indexes(owner):
    """That of custody is found by the expression that verification asks with."""
    owner.execute("SET enable_seqscan = off")

    custody, hands = (
        "".join(line for (line,) in owner.execute(f"EXPLAIN {query}", [["h-1"]]))
        for query in (streams._CUSTODY, streams._HANDS.format("originator_id = ANY(%s)"))
    )

    assert "Index Cond" in custody
    assert "events_by_custody" in custody
    assert "events_originator_id_originator_version_key" in hands
