"""Hands written small, for tables: who holds what, with how much, and what was done.

A deal is one text, a seat a comma: ``"1 AsKd2c, 2 3s4d6c 22500, 3 7s7d7h unprotected"`` (seat,
cards, and where it matters the carry and the lifted protection). What was done is another:
``"3 raise 1000, 2 look, 2 call, 1 compare 3"``.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from domain.cards import CARD_COUNT, DECK, split
from domain.deck import commit
from domain.errors import BadRecordError
from domain.events import Event, HandSettled, SeatTaken, Settlement
from domain.hand import Hand, hand_stream
from domain.playing import Reject, play
from domain.record import read
from domain.rulebook import check_table
from domain.stream import Cause
from domain.zhajinhua.play import Action
from domain.zhajinhua.rulebooks import find

CAUSE = Cause(command_id="command-1", actor="tests", at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
CARRY = 100_000  # minor units, where a deal names no other
TABLE: Mapping[str, Any] = {"ante": 500, "max_stake": 10_000}

# Nine hands that share no card, the weakest first, but for the 2-3-5. RUN is a straight flush.
NOTHING, QUEEN, PAIR, STRAIGHT, FLUSH, RUN, NINES, ACES = (
    "2c4d7h",
    "QsJd3c",
    "6c6d8s",
    "3d4h5s",
    "2h8hKh",
    "TcJcQc",
    "9s9d9h",
    "AsAdAh",
)
UNSUITED_235 = "2s3h5d"

_OPERAND = {"raise": "stake", "compare": "with", "top_up": "amount"}


def actions(done: str) -> list[dict[str, Any]]:
    """Read what was done: seat, verb, and what the verb takes."""
    return [_action(words.split()) for words in done.split(",") if words.strip()]


def _action(words: list[str]) -> dict[str, Any]:
    """Read one action; one of the table itself names no seat."""
    if words[0] == "fold_all":
        return {"do": "fold_all"}
    seat, do, *operands = words
    action = {"seat": int(seat), "do": do}
    return action | {_OPERAND[do]: int(operands[0])} if operands else action


def seats(deal: str) -> list[dict[str, Any]]:
    """Read who sits where: player ``p3`` in seat 3."""
    return [_seat(words.split()) for words in deal.split(",")]


def _seat(words: list[str]) -> dict[str, Any]:
    """Read one seat."""
    number, _, *more = words
    carry = next((int(word) for word in more if word.isdigit()), CARRY)
    seat = {"seat": int(number), "player": f"p{number}", "carry": carry}
    return seat | ({"protect": False} if "unprotected" in more else {})


def cards(deal: str) -> dict[str, str]:
    """Read who holds what."""
    return {words.split()[0]: words.split()[1] for words in deal.split(",")}


def record(
    deal: str,
    done: str = "",
    *,
    dealer: int = 1,
    rulebook: str = "jiuyou",
    table: Mapping[str, Any] = TABLE,
    **more: Any,
) -> dict[str, Any]:
    """Return a hand record of 九游, unless another rulebook is named."""
    return {
        "hand": "h-1",
        "rulebook": rulebook,
        "table": dict(table),
        "dealer": dealer,
        "seats": seats(deal),
        "deal": cards(deal),
        "actions": actions(done),
        **more,
    }


def outcome(written: str | Mapping[str, Any]) -> Hand | Reject:
    """Read and play a record; a malformed one is a reject like any other."""
    line = written if isinstance(written, str) else json.dumps(written)
    try:
        return play(read(line), CAUSE)
    except BadRecordError as error:
        return Reject.of(error, hand=error.hand, at=-1)


def verdict(written: str | Mapping[str, Any]) -> tuple[int, str] | None:
    """Return where and with which code a record is refused, or None where it settles."""
    got = outcome(written)
    return (got.at, got.code) if isinstance(got, Reject) else None


def events_of(written: str | Mapping[str, Any]) -> list[Event]:
    """Return the events of a record that settles."""
    got = outcome(written)
    assert isinstance(got, Hand), got
    return [entry.event for entry in got.collect_events()]


def settled(written: str | Mapping[str, Any]) -> Settlement:
    """Return the settlement of a record that settles."""
    (settlement,) = (e.settlement for e in events_of(written) if isinstance(e, HandSettled))
    return settlement


def nets(written: str | Mapping[str, Any]) -> dict[int, int]:
    """Return what each seat won or lost, minor units."""
    return {int(seat): result["net"] for seat, result in settled(written)["seats"].items()}


def opened(
    deal: str,
    *,
    dealer: int = 1,
    rulebook: str = "jiuyou",
    table: Mapping[str, Any] = TABLE,
    commitment: str | None = None,
) -> Hand:
    """Return a hand just opened, with its antes and cards."""
    rules, hand = find(rulebook), Hand(hand_stream("h-1"))
    hand.open(
        rules,
        table=check_table(rules, table),
        dealer=dealer,
        opener=None,
        seats=[SeatTaken(**seat) for seat in seats(deal)],
        deal={int(seat): held for seat, held in cards(deal).items()},
        draws={},
        cause=CAUSE,
        commitment=commitment,
    )
    return hand


SALT = bytes(range(32))


def deck_for(deal: str, order: Sequence[int]) -> str:
    """Return a deck that gives this deal to the seats in this order, one card at a time."""
    held = {int(seat): split(three) for seat, three in cards(deal).items()}
    first = [held[seat][turn] for turn in range(CARD_COUNT) for seat in order]
    return "".join([*first, *(card for card in DECK if card not in first)])


def committed(deal: str, order: Sequence[int], *, deck: str = "", dealer: int = 1) -> Hand:
    """Return a hand of 九游 just opened that is committed to the deck of its deal, or another."""
    deck = deck or deck_for(deal, order)
    commitment = commit("h-1", find("jiuyou").digest, deck, SALT)
    return opened(deal, dealer=dealer, commitment=commitment)


def act(hand: Hand, done: str) -> Hand:
    """Return the hand after more was done."""
    for action in actions(done):
        asked = {("target" if name == "with" else name): value for name, value in action.items()}
        hand.act(Action(**asked), CAUSE)
    return hand
