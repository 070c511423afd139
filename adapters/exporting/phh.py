"""``phh``: hands as poker hand histories (TOML); our own fields begin with ``_zjh_``.

The game is none that the format knows. So the format's own fields are there to be read and looked
through, and what the hand is stands in the ``_zjh_`` fields, which are its record field by field:
from these alone it is imported again (foreign/phh.py).
"""

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any, Final

import tomli_w

from adapters.exporting.errors import UnsayableHandError
from adapters.exporting.record import record_of
from adapters.exporting.source import Export
from adapters.exporting.told import ToldHand
from adapters.hand_words import describe
from domain.events import (
    AntePosted,
    BetCalled,
    BetRaised,
    CardsDealt,
    Event,
    HandFolded,
    HandOpened,
)

VARIANT: Final = "ZJH"
PREFIX: Final = "_zjh_"
ABOUT: Final = "_zjh_about"
"""What is worth knowing and is no part of the record: an import passes it over."""


def lines(export: Export) -> Iterator[str]:
    """Yield the hands of an export: numbered tables (``.phhs``); one by its name is a ``.phh``."""
    for hand in export.hands():
        try:
            told = hand_history(hand, export.choice.claimant)
        except UnsayableHandError as refusal:
            export.refuse(refusal)
            continue
        export.wrote()
        is_one = len(export.choice.wanted.hands or ()) == 1
        yield tomli_w.dumps(told) if is_one else f"{tomli_w.dumps({str(export.done): told})}\n"


def hand_history(hand: ToldHand, claimant: str) -> dict[str, Any]:
    """Return a hand as the fields of a poker hand history.

    Raises:
        UnsayableHandError: A record cannot say it, nor then these fields.
    """
    record = record_of(hand, claimant)
    told = opening_of(record) | _course(hand)
    told |= {f"{PREFIX}{name}": value for name, value in record.items()}
    opening = hand.opening
    told[ABOUT] = {
        "rulebook_version": opening.version,
        "rulebook_digest": opening.digest,
        "opened_position": hand.row.opened_position,
        "minor_units_of_a_chip": 100,
        "settlement": hand.settlement,
    }
    return told


def opening_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the format's own fields for what a record begins with; players are by seat number."""
    seats, ante = record["seats"], record["table"]["ante"]
    return {
        "variant": VARIANT,
        "antes": [ante] * len(seats),
        "blinds_or_straddles": [0] * len(seats),
        "min_bet": ante,
        "starting_stacks": [seat["carry"] for seat in seats],
        "hand": record["hand"],
        "seats": [seat["seat"] for seat in seats],
        "players": [seat["player"] for seat in seats],
    }


def _course(hand: ToldHand) -> dict[str, Any]:
    """Return the format's own fields for what happened, and what it came to; minor units."""
    settlement = hand.settlement
    assert settlement is not None, hand.hand
    place = {seat.seat: number for number, seat in enumerate(hand.opening.seats, start=1)}
    results = [settlement["seats"][str(seat)] for seat in place]
    opened = hand.row.opened_at.astimezone(UTC)
    return {
        "actions": [line for event in hand.events for line in _action(event, place)],
        "winnings": [result["won"] + result["refund"] for result in results],
        "year": opened.year,
        "month": opened.month,
        "day": opened.day,
        "time": opened.time(),
        "time_zone": "UTC",
    }


def _action(event: Event, place: Mapping[int, int]) -> Iterator[str]:
    """Yield an event as the format writes actions; what it has no action for is a comment."""
    match event:
        case HandOpened() | AntePosted():
            return
        case CardsDealt(cards=cards):
            for seat, number in place.items():
                yield f"d dh p{number} {cards[seat]}"
        case HandFolded(seat=seat):
            yield f"p{place[seat]} f # {describe(event)}"
        case BetCalled(seat=seat):
            yield f"p{place[seat]} cc # {describe(event)}"
        case BetRaised(seat=seat):
            yield f"p{place[seat]} cbr {event.paid} # {describe(event)}"
        case _:
            acting = getattr(event, "seat", getattr(event, "challenger", None))
            who = "" if acting is None else f"p{place[acting]} "
            yield f"# {who}{describe(event)}"
