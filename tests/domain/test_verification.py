"""A verifier that cannot fail is worthless: whatever is changed in a history, it is named."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from domain import custody
from domain.cards import DECK, are_three_known, split
from domain.discrepancies import Discrepancy, Recorded
from domain.events import (
    TOPICS,
    BonusGranted,
    CardsSeen,
    CarryReleased,
    CarryReserved,
    DeckDisclosed,
    Event,
    HandFolded,
    HandsCompared,
    HandSettled,
    HandsOpened,
    PlayerErased,
    PlayerNamed,
    SettlementClaimed,
    ToppedUp,
)
from domain.hand import Hand
from domain.money import Transfer
from domain.verification import _HandCheck, verify_hand
from domain.wallet import Wallet, wallet_id
from domain.wallet_verification import verify_wallet
from tests.domain.hands import (
    ACES,
    CAUSE,
    NOTHING,
    PAIR,
    SALT,
    act,
    committed,
    deck_for,
    opened,
    outcome,
)
from tests.domain.trees import nodes, removed, replaced
from tests.domain.vectors import asked, named

# Few and short, and together every event, every way to get to it, and every kind of transfer.
CHOSEN = (
    "craft-feifan-open-tongpei-3",
    "craft-jisu-draw-100-antes",
    "craft-jiuyou-timeout4-next",
    "feifan2017-00041",
    "feifan2017-rooms-00037",
    "feifan2017-rooms-00038",
    "feifan2017-rooms-00042",
    "hole-odd-units-to-lowest-seat-1",
    "hole-suits-off-platform-1",
    "hole-timeout-in-must-stay-folds-1",
    "hole-timeout-in-must-stay-folds-2",
    "hole-timeout-stand-fold-instead-1",
    "hole-top-up-in-shove-price-x-1",
    "hole-ysz-bonus-only-if-shown-1",
    "hole-ysz-exact-zero-1",
    "jiuyou-00088",
)
LIVE = ("void", "disclosed")  # what no record tells

DEAL_ORDER = (1, 3, 2)  # counter-clockwise, from the dealer on


@cache
def _played(name: str) -> tuple[Hand, tuple[Event, ...]]:
    """Return a hand with its events; a settled one with the claim of whoever played it."""
    if name == "void":
        hand = act(opened(f"1 {ACES}, 2 {PAIR}, 3 {NOTHING}"), "3 look, 3 raise 900, 2 fold")
        hand.void("the table lost power", CAUSE)
    elif name == "disclosed":
        deal = f"1 {ACES}, 2 {PAIR}, 3 {NOTHING}"
        hand = act(committed(deal, DEAL_ORDER), "3 call, 2 fold, 1 fold")
        hand.disclose(SALT.hex(), deck_for(deal, DEAL_ORDER), CAUSE)
    else:
        played = outcome(asked(named(name)))
        assert isinstance(played, Hand), played
        hand = played
        hand.claim("operator", named(name)["settlement"], CAUSE)
    return hand, tuple(entry.event for entry in hand.collect_events())


@cache
def _wallets_of(name: str) -> tuple[tuple[str, Recorded], ...]:
    """Return what the wallets of a hand's players gave it and got back."""
    hand, _ = _played(name)
    wallets = {player: Wallet(wallet_id(player)) for player in custody.players(hand)}
    custody.deposit_missing(hand, wallets, CAUSE)
    custody.reserve(hand, wallets, CAUSE)
    custody.release(hand, wallets, CAUSE)
    entries = [e for e in custody.collect(wallets) if "carry" in e.event.TOPIC]
    return tuple(
        (entry.originator_id.removeprefix("wallet:"), Recorded(n, n, entry.event))
        for n, entry in enumerate(entries, start=1)
    )


def _rows(events: Sequence[Event | None]) -> list[Recorded]:
    return [Recorded(place, place, event) for place, event in enumerate(events, start=1)]


def _found(name: str, rows: Sequence[Recorded]) -> list[Discrepancy]:
    """Verify a hand's stream, its wallets' events as they were.

    Whatever is changed in this file, the steps alone find the same: deciding in one go hides none.
    """
    hand = _played(name)[0].hand
    steps = _HandCheck(hand, rows)
    steps._walk()
    assert verify_hand(hand, rows) == steps.found
    return verify_hand(hand, rows, _wallets_of(name))


every_hand = pytest.mark.parametrize("name", [*CHOSEN, *LIVE])


@every_hand
def test_a_hand_as_it_was_played_agrees(name):
    """With nothing changed there is nothing to report, at any end between two commands."""
    rows = _rows(_played(name)[1])

    assert _found(name, rows) == []
    assert verify_hand(_played(name)[0].hand, rows[:1]) != []  # not even dealt


def test_the_hands_hold_every_event_that_a_hand_can_have():
    """Each topic, and each way to get there."""
    events = [event for name in (*CHOSEN, *LIVE) for event in _played(name)[1]]

    assert {e.TOPIC for e in events} == {topic for topic in TOPICS if topic.startswith("hand.")}
    for field, kind in (("why", HandsCompared), ("why", HandsOpened), ("payer", BonusGranted)):
        choices = get_args(kind.model_fields[field].annotation)
        assert {getattr(e, field) for e in events if isinstance(e, kind)} == set(choices)


# --- one field of one event ------------------------------------------------------------

# Facts from outside that no rule gives, each with the reason why a change goes unnoticed. But for
# words, the same field is caught wherever something rests on it.
UNNOTICED = {
    r"opened\.commitment": "is held against the disclosed deck, where there is one",
    r"settlement_claimed\.claimant": "is a name",
    r"voided\.reason": "is words",
    r"last_stand_taken\.named": "is what the rule ignores",
    r"settlement_claimed\.settlement\..*": "a claim need not give every figure",
    r"(bet_called|folded|hands_compared)\.by": "whether time ran out shows in nothing else",
    r"opened\.dealer": "in platform shares odd units, and nothing else",
    r"opened\.draws\.\*": "nothing drawn and nothing recorded come to the same",
    r"opened\.seats\.\*\.protect": "counts where a timeout finds a straight or better, seen",
    r"opened\.table\..*": "a bound that nobody came near, a rule that nothing called for",
    r"cards_dealt\.cards\.\*": "a card that decided nothing: the hand folded, or won as well",
}
WORDS = (
    "claimed.claimant",
    "voided.reason",
    "taken.named",
    "claimed.settlement",
)


def _one_field_changed(event: Event) -> Iterator[tuple[str, Event]]:
    """Yield the event with one value changed, or one left out, wherever that can be stored."""
    body = event.model_dump_json()
    for path, node in nodes(json.loads(body)):
        if not path:
            continue
        texts = [replaced(body, path, other) for other in _others(node) if other != node]
        if isinstance(path[-1], str):
            texts.append(removed(body, path))
        for text in texts:
            try:
                changed = type(event).model_validate_json(text)
            except ValidationError:
                continue  # it is caught where it is read: see the unreadable event below
            if changed != event:
                yield _place(event, path), changed


def _place(event: Event, path: Sequence[str | int]) -> str:
    """Return the name of a field: ``opened.seats.*.carry``."""
    steps = ["*" if isinstance(step, int) or step.isdigit() else step for step in path]
    return ".".join([event.TOPIC.split(".")[1], *steps])


def _others(node: Any) -> list[Any]:
    """Return other values of the same type."""
    match node:
        case bool():
            return [not node]
        case int():
            return [node + 1, node - 1]
        case None:
            return [1, "x"]
        case str() if are_three_known(node):
            free = [card for card in DECK if card not in split(node)]
            return [free[0] + node[2:], free[-1] + node[2:], node[:4] + free[20], node[2:4] * 3]
        case str():
            return [*_NEIGHBOURS.get(node, ()), f"{node}x"]
        case list():
            return [node[1:], [*node, *node[-1:]], node[::-1]] if node else [[7]]
    return []


_NEIGHBOURS = {
    "choice": ("timeout",),
    "timeout": ("choice",),
    "compare": ("forced", "last_stand", "shove"),
    "forced": ("compare", "last_stand", "shove"),
    "last_stand": ("compare", "forced", "shove"),
    "shove": ("compare", "forced", "last_stand"),
    "house": ("seats",),
    "seats": ("house",),
    "all_in": ("round_limit", "short", "showdown"),
    "round_limit": ("all_in",),
    "short": ("all_in",),
    "showdown": ("all_in",),
}


@cache
def _tampered(name: str) -> dict[str, tuple[int, int]]:
    """Change one field of one event after another: by field, how often it was caught and not."""
    counts: dict[str, tuple[int, int]] = {}
    events = _played(name)[1]
    for at, event in enumerate(events):
        for place, changed in _one_field_changed(event):
            found = _found(name, _rows([*events[:at], changed, *events[at + 1 :]]))
            caught, missed = counts.get(place, (0, 0))
            counts[place] = (caught + bool(found), missed + (not found))
    return counts


@every_hand
def test_a_changed_field_is_reported(name):
    """Every field of every event, but for the few facts that nothing rests on."""
    missed = {place for place, (_, missed) in _tampered(name).items() if missed}

    assert {p for p in missed if not any(re.fullmatch(field, p) for field in UNNOTICED)} == set()


def test_each_unnoticed_field_is_caught_where_something_rests_on_it():
    """The exceptions above are no blind spots: somewhere a change of each comes to light."""
    totals: dict[str, int] = {}
    for name in (*CHOSEN, *LIVE):
        for place, (caught, _) in _tampered(name).items():
            totals[place] = totals.get(place, 0) + caught

    for field in UNNOTICED:
        places = [place for place in totals if re.fullmatch(field, place)]
        assert places, field
        if not any(word in places[0] for word in WORDS):
            assert sum(totals[place] for place in places), field


def test_what_was_changed_is_named_with_what_the_rule_gives():
    """A discrepancy says where, what was recorded, what is due, and by which rule."""
    name = "jiuyou-00088"
    events = list(_played(name)[1])
    at = next(n for n, event in enumerate(events) if event.TOPIC == "hand.bet_called.v1")
    move = events[at].transfers[0]
    events[at] = events[at].model_copy(
        update={"transfers": (move._replace(amount=move.amount - 1),)}
    )

    first = _found(name, _rows(events))[0]

    assert first == Discrepancy(
        hand=name,
        position=at + 1,
        what="bet_called.transfers.0.2",
        recorded=move.amount - 1,
        derived=move.amount,
        rule="§3.3",
    )


def _without_the_settlement(events: Sequence[Event]) -> list[Event | None]:
    return [event for event in events if not isinstance(event, HandSettled)]


def _settled_twice(events: Sequence[Event]) -> list[Event | None]:
    return [*events[:-1], *events[-2:]]


def _first_call_unreadable(events: Sequence[Event]) -> list[Event | None]:
    return [None if n == 6 else event for n, event in enumerate(events)]


def _look_instead_of_an_ante(events: Sequence[Event]) -> list[Event | None]:
    return [*events[:1], CardsSeen(seat=4), *events[2:]]


# fmt: off
REPORTED = {
    # why              what is done              position, recorded, derived, rule
    "something that ought to follow": (
        _without_the_settlement,
        (18, None, "hand.settled.v1", "§6.1"),
    ),
    "something that ought not": (_settled_twice, (20, "hand.settled.v1", None, "§6.1")),
    "something that nobody can read": (_first_call_unreadable, (7, "unreadable", None, "§7.3")),
    "something else": (
        _look_instead_of_an_ante,
        (2, "hand.cards_seen.v1", "hand.ante_posted.v1", "§2.4"),
    ),
}
# fmt: on


@pytest.mark.parametrize(("tamper", "expected"), REPORTED.values(), ids=REPORTED)
def test_an_event_in_the_wrong_place_is_named_by_its_topic(tamper, expected):
    """What stands there, what ought to, and the rule for it."""
    position, recorded, derived, rule = expected
    name = "jiuyou-00088"

    first = _found(name, _rows(tamper(_played(name)[1])))[0]

    assert first == Discrepancy(name, position, "event", recorded, derived, rule)


# --- whole events ----------------------------------------------------------------------


@every_hand
def test_an_unreadable_event_is_reported(name):
    """Whatever its bytes were, it is where something else ought to be."""
    events = _played(name)[1]

    for at in range(len(events)):
        assert _found(name, _rows([*events[:at], None, *events[at + 1 :]])), at


@every_hand
def test_a_missing_event_is_reported(name):
    """A gap in the versions, whatever the event was; but the end of a stream may be to come."""
    rows = _rows(_played(name)[1])

    for at in range(len(rows) - 1):
        assert _found(name, [*rows[:at], *rows[at + 1 :]]), at


@every_hand
def test_two_events_in_each_other_s_place_are_reported(name):
    """Any two."""
    rows = _rows(_played(name)[1])

    for first in range(len(rows)):
        for second in range(first + 1, len(rows)):
            swapped = list(rows)
            swapped[first], swapped[second] = rows[second], rows[first]
            assert verify_hand(name, swapped), (first, second)


@every_hand
def test_an_event_that_is_there_twice_is_reported(name):
    """With the version that it has, and with one of its own."""
    events = _played(name)[1]
    rows = _rows(events)

    for at, event in enumerate(events):
        assert verify_hand(name, [*rows[: at + 1], *rows[at:]]), at
        if not isinstance(event, SettlementClaimed):  # two may claim the same
            assert verify_hand(name, _rows([*events[: at + 1], *events[at:]])), at


@every_hand
def test_an_event_after_the_end_is_reported(name):
    """A hand that is over takes nothing more, but claims."""
    events = _played(name)[1]

    for event in events:
        if not isinstance(event, SettlementClaimed):
            assert verify_hand(name, _rows([*events, event])), event


@every_hand
def test_an_event_left_out_without_a_trace_is_reported(name):
    """With the versions closed up: only a look that priced nothing, or the last claim, can go."""
    events = _played(name)[1]
    may_go = (
        CardsSeen,
        {"void": HandFolded, "disclosed": DeckDisclosed}.get(name, SettlementClaimed),
    )

    for at, event in enumerate(events):
        found = _found(name, _rows([*events[:at], *events[at + 1 :]]))
        assert found or isinstance(event, may_go), at


@every_hand
def test_neighbours_that_changed_places_without_a_trace_are_reported(name):
    """With the versions closed up: only looks and top-ups, which need no turn, may move."""
    events = _played(name)[1]
    may_move = (CardsSeen, ToppedUp)

    for at, (first, second) in enumerate(pairwise(events)):
        swapped = [*events[:at], second, first, *events[at + 2 :]]
        found = _found(name, _rows(swapped))
        assert found or isinstance(first, may_move) or isinstance(second, may_move), at


def test_the_events_of_another_hand_are_no_answer():
    """Each hand's stream, offered as another's, is not what its wallets paid for."""
    for name, other in pairwise(CHOSEN):
        rows = _rows(_played(other)[1])
        assert verify_hand(name, rows) == [], name
        assert verify_hand(name, rows, _wallets_of(name)), name


def test_positions_that_do_not_ascend_are_reported():
    """A later event of a stream never stands at an earlier position."""
    name = "jiuyou-00088"
    rows = _rows(_played(name)[1])
    rows[3] = rows[3]._replace(position=rows[2].position)

    (found,) = _found(name, rows)

    assert found == Discrepancy(name, 3, "position", 3, "> 3", "§7.3")


def test_a_stream_without_events_has_nothing_to_report():
    """There is no hand to speak of."""
    assert verify_hand("h-1", [], []) == []


every_event = st.sampled_from([event for name in CHOSEN for event in _played(name)[1]])


@settings(deadline=None)
@given(events=st.lists(every_event, min_size=1, max_size=12), head=st.booleans())
def test_no_stream_whatever_makes_the_verifier_fail(events, head):
    """Events of any hands in any order: discrepancies, never an exception."""
    stream = [*_played(CHOSEN[0])[1][:6], *events] if head else events

    assert isinstance(verify_hand("h-1", _rows(stream), ()), list)


# --- wallets ---------------------------------------------------------------------------


@cache
def _wallet() -> tuple[Event, ...]:
    """Return the events of a wallet that has seen everything."""
    wallet = Wallet(wallet_id("p1"))
    wallet.deposit(9_000, CAUSE)
    wallet.reserve("h-1", 3, 4_000, CAUSE)
    wallet.release("h-1", 3, 5_500, CAUSE)
    wallet.withdraw(1_000, CAUSE)
    wallet.reserve("h-2", 1, 9_500, CAUSE)
    wallet.release("h-2", 1, 0, CAUSE)
    wallet.deposit(1, CAUSE)
    wallet.name("c2VhbGVk", CAUSE)
    wallet.deposit(1, CAUSE)
    wallet.erase("asked for", CAUSE)
    wallet.deposit(1, CAUSE)
    return tuple(entry.event for entry in wallet.collect_events())


def test_a_wallet_as_it_was_agrees():
    """And so does every beginning of it."""
    rows = _rows(_wallet())

    for end in range(len(rows) + 1):
        assert list(verify_wallet("p1", rows[:end])) == []


def test_a_wallet_s_positions_ascend():
    """Two events that changed places are found, though their versions are in order."""
    first, second, *rest = _rows(_wallet())
    swapped = [
        first._replace(position=second.position), second._replace(position=first.position), *rest
    ]  # fmt: skip

    (parted,) = verify_wallet("p1", swapped)

    assert (parted.what, parted.recorded) == ("position", first.position)
    assert parted.derived == f"> {second.position}"


def test_a_changed_field_of_a_wallet_is_reported():
    """Every field of every event, but for which hand a transfer of nothing came from, and words.

    What is sealed is held against its key where the keys are: tests/adapters/registers.
    """
    words = {"player_named.sealed", "player_erased.why"}
    events = _wallet()
    for at, event in enumerate(events):
        for place, changed in _one_field_changed(event):
            rows = _rows([*events[:at], changed, *events[at + 1 :]])
            nothing = not event.transfers and place in {
                "carry_released.hand",
                "carry_released.seat",
            }
            assert nothing or place in words or list(verify_wallet("p1", rows)), (at, place)


def test_a_missing_doubled_displaced_or_foreign_event_of_a_wallet_is_reported():
    """With the versions as they are, and closed up."""
    events = _wallet()
    rows = _rows(events)
    for at in range(len(events) - 1):
        assert list(verify_wallet("p1", [*rows[:at], *rows[at + 1 :]])), at
        assert list(verify_wallet("p1", [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]])), at
        assert list(verify_wallet("p1", [*rows[: at + 1], *rows[at:]])), at
        swapped = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
        assert list(verify_wallet("p1", _rows(swapped))), at
        assert list(verify_wallet("p1", _rows([*events[:at], None, *events[at + 1 :]]))), at
    assert list(verify_wallet("p2", rows))
    assert list(verify_wallet("p1", _rows([HandFolded(seat=1, by="choice")])))


@pytest.mark.parametrize("amount", [-1, 0, 2**63, 2**70], ids=str)
def test_an_amount_that_no_wallet_takes_is_reported(amount):
    """Whatever was written there, it is a discrepancy and not an accident."""
    events = _wallet()
    for at, event in enumerate(events):
        for move in event.transfers:
            forged = event.model_copy(update={"transfers": (move._replace(amount=amount),)})
            rows = _rows([*events[:at], forged, *events[at + 1 :]])
            assert list(verify_wallet("p1", rows)), (at, event)


def test_a_wallet_below_zero_is_reported():
    """However its balance was made to look."""
    wallet = _rows([CarryReserved(hand="h-1", seat=3, balance=0, transfers=(_OUT,))])

    (found,) = verify_wallet("p1", wallet)

    assert (found.derived, found.rule) == ("insufficient_funds", "wallet")


def test_a_name_that_changed_a_balance_is_reported():
    """And so are a name after the player was erased, and an erasure that begins a wallet."""
    named, erased = PlayerNamed(sealed="x", balance=0), PlayerErased(why="x", balance=0)

    (richer,) = verify_wallet("p1", _rows([named.model_copy(update={"balance": 7})]))
    (again,) = verify_wallet("p1", _rows([named, erased, named]))
    (twice,) = verify_wallet("p1", _rows([named, erased, erased]))
    (never,) = verify_wallet("p1", _rows([erased]))

    assert (richer.what, richer.recorded, richer.derived) == ("player_named.balance", 7, 0)
    assert [again.derived, twice.derived, never.derived] == [
        "player_erased",
        "already_erased",
        "unknown_player",
    ]


_OUT = Transfer("player:p1", "hand:h-1:seat:3", 700, "reserve")


def test_what_a_wallet_gave_and_what_the_hand_took_must_be_the_same():
    """A carry, a top-up or a stack of one unit more or less is named, with its player and seat."""
    name = "hole-top-up-in-shove-price-x-1"
    hand, events = _played(name)
    for at, (player, row) in enumerate(_wallets_of(name)):
        assert isinstance(row.event, (CarryReserved, CarryReleased))
        for change in (1, -1):
            if not row.event.transfers:
                continue
            move = row.event.transfers[0]
            more = (move._replace(amount=move.amount + change),)
            changed = row._replace(event=row.event.model_copy(update={"transfers": more}))
            wallets = [*_wallets_of(name)[:at], (player, changed), *_wallets_of(name)[at + 1 :]]

            (found,) = verify_hand(hand.hand, _rows(events), wallets)

            assert found.what.endswith(f".{player}.seat:{row.event.seat}")
            assert isinstance(found.recorded, int)
            assert isinstance(found.derived, int)
            assert found.recorded - found.derived == change


def test_a_running_hand_holds_the_carries_and_has_given_nothing_back():
    """Chips released before the end are chips in two places."""
    name = "jiuyou-00088"
    rows, wallets = _rows(_played(name)[1][:8]), _wallets_of(name)
    reserved = [(player, row) for player, row in wallets if isinstance(row.event, CarryReserved)]

    deposit = Recorded(99, 1, _wallet()[0])  # concerns no hand

    assert verify_hand(name, rows, [*reserved, ("p1", deposit)]) == []
    assert verify_hand(name, rows, wallets) != []
