"""``ohh``: hands in the Open Hand History format: JSON objects, a blank line between two.

The format lists no three-card game. Of its types ``Stud`` comes nearest: antes, own cards only,
no board, no draw; ``_zjh_game`` says what it is. Duels, looks and payments between seats have no
action in it, so each hand carries its whole record in ``_zjh_record``: nothing is lost.

Source: hh-specs.handhistory.org, version 1.4.7.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any, Final

from adapters.exporting.errors import AmountTooLargeError, UnsayableHandError
from adapters.exporting.record import record_of
from adapters.exporting.source import Export
from adapters.exporting.told import ToldHand
from domain.cards import split
from domain.events import (
    AllFolded,
    AllInTaken,
    AntePosted,
    BetCalled,
    BetRaised,
    CardsDealt,
    Event,
    HandFolded,
    HandsCompared,
    HandsOpened,
    LastStandTaken,
    ToppedUp,
)
from domain.money import POT, seat_account

SPEC_VERSION: Final = "1.4.7"
INTERNAL_VERSION: Final = "1.0.0"
GAME_TYPE: Final = "Stud"

EXACT_MAX: Final = 2**53
"""Minor units: up to here a number of JSON, read as most programs read it, is the amount itself."""

Action = dict[str, Any]


def lines(export: Export) -> Iterator[str]:
    """Yield the hands of an export, each on a line of its own with a blank one before the next."""
    for hand in export.hands():
        try:
            told = hand_history(hand, export.choice.claimant, export.choice.viewer.player)
        except UnsayableHandError as refusal:
            export.refuse(refusal)
            continue
        between = "\n" if export.done else ""
        export.wrote()
        yield f"{between}{json.dumps(told, ensure_ascii=False)}\n"


def hand_history(hand: ToldHand, claimant: str, hero: str | None = None) -> dict[str, Any]:
    """Return a hand as an Open Hand History object.

    Args:
        hand: As its viewer may see it.
        claimant: Whose claimed settlement its record holds.
        hero: The player with whose eyes it is seen, if it is one's.

    Raises:
        UnsayableHandError: A record cannot say it, or an amount is too large for the format.
    """
    record = record_of(hand, claimant)
    settlement = hand.settlement
    assert settlement is not None, hand.hand
    if any(told.event.paid > EXACT_MAX for told in hand.told) or settlement["pot"] > EXACT_MAX:
        raise AmountTooLargeError(hand=hand.hand)
    row, opening = hand.row, hand.opening
    numbers = {taken.seat: number for number, taken in enumerate(opening.seats)}
    told: dict[str, Any] = {
        "spec_version": SPEC_VERSION,
        "site_name": "jinhua",
        "network_name": "jinhua",
        "internal_version": INTERNAL_VERSION,
        "tournament": False,
        "game_number": hand.hand,
        "start_date_utc": row.opened_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "table_name": hand.hand.partition("/")[0],
        "game_type": GAME_TYPE,
        "bet_limit": {"bet_type": "NL", "bet_cap": _chips(row.max_stake or 0)},
        "table_size": len(opening.seats),
        "currency": "CHIP",
        "dealer_seat": opening.dealer,
        "small_blind_amount": 0,
        "big_blind_amount": 0,
        "ante_amount": _chips(row.ante or 0),
        "flags": ["Observed"] if hero is None else [],
        "players": [
            {
                "id": numbers[taken.seat],
                "seat": taken.seat,
                "name": taken.player,
                "starting_stack": _chips(taken.carry),
            }
            for taken in opening.seats
        ],
        "rounds": list(_rounds(hand, numbers)),
        "pots": [_pot(settlement, numbers)],
        "_zjh_game": "zhajinhua",
        "_zjh_record": record,
    }
    if hero is not None:
        told["hero_player_id"] = numbers[row.seats[row.players.index(hero)]]
    return {"ohh": told}


def _rounds(hand: ToldHand, numbers: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    """Yield the one round of betting, and the showdown where all hands still in were shown."""
    betting: list[Action] = []
    shown: list[Action] = []
    for event in hand.events:
        for action in _actions(event, numbers):
            (shown if action["action"] == "Shows Cards" else betting).append(action)
    for action in shown:
        action["cards"] = _listed(hand.cards, numbers, action["player_id"])
    for identity, (street, actions) in enumerate((("Preflop", betting), ("Showdown", shown))):
        if actions or street == "Preflop":
            for number, action in enumerate(actions, start=1):
                action["action_number"] = number
            yield {"id": identity, "street": street, "actions": actions}


def _actions(  # noqa: C901, PLR0912 - one case an event
    event: Event, numbers: Mapping[int, int]
) -> Iterator[Action]:
    """Yield an event as the format names actions; what has no name in it has none here."""
    match event:
        case CardsDealt(cards=cards):
            for seat, held in cards.items():
                yield {**_action(seat, "Dealt Cards", numbers), "cards": split(held)}
        case AntePosted(seat=seat):
            yield _action(seat, "Post Ante", numbers, event.paid)
        case BetCalled(seat=seat):
            yield _action(seat, "Call", numbers, _put_in(event, seat))
        case BetRaised(seat=seat):
            yield _action(seat, "Raise", numbers, _put_in(event, seat))
        case AllInTaken(seat=seat) | LastStandTaken(seat=seat):
            yield _action(seat, "Raise", numbers, _put_in(event, seat), all_in=True)
        case HandsCompared(challenger=seat, out=out):
            if paid := _put_in(event, seat):
                yield _action(seat, "Call", numbers, paid)
            for loser in out:
                yield _action(loser, "Mucks Cards", numbers)
        case HandFolded(seat=seat):
            yield _action(seat, "Fold", numbers)
        case AllFolded(seats=seats):
            for seat in seats:
                yield _action(seat, "Fold", numbers)
        case ToppedUp(seat=seat, amount=amount):
            yield _action(seat, "Added Chips", numbers, amount)
        case HandsOpened(seats=seats):
            for seat in seats:
                yield _action(seat, "Shows Cards", numbers)


def _action(
    seat: int, name: str, numbers: Mapping[int, int], amount: int = 0, *, all_in: bool = False
) -> Action:
    return {
        "action_number": 0,
        "player_id": numbers[seat],
        "action": name,
        "amount": _chips(amount),
        "is_allin": all_in,
    }


def _pot(settlement: Mapping[str, Any], numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return the pot, rake included, and what each seat had of it and beside it."""
    results = {seat: settlement["seats"][str(seat)] for seat in numbers}
    return {
        "number": 0,
        "amount": _chips(settlement["pot"]),
        "rake": _chips(settlement["rake"]),
        "player_wins": [
            {
                "player_id": numbers[seat],
                "win_amount": _chips(result["won"] + result["refund"] - result["rake"]),
                "contributed_rake": _chips(result["rake"]),
                "bonus_amount": _chips(result["bonus"]),
            }
            for seat, result in results.items()
            if result["won"] or result["refund"] or result["bonus"]
        ],
    }


def _put_in(event: Event, seat: int) -> int:
    """Return what a seat put into the pot, minor units."""
    paid = (m.amount for m in event.transfers if (m.source, m.target) == (seat_account(seat), POT))
    return sum(paid)


def _listed(cards: Mapping[int, str], numbers: Mapping[int, int], number: int) -> tuple[str, ...]:
    seat = next(seat for seat, its_number in numbers.items() if its_number == number)
    return split(cards[seat])


def _chips(amount: int) -> float:
    """Return minor units as the format's decimal of chips."""
    return amount / 100
