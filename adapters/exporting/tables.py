"""The tables of ``csv`` and ``parquet``: what one row of each is, its columns and their types.

Amounts are integers of minor units, times are in UTC. What a hand came to is empty where it did not
come to it: while it runs, and for good where it is void.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, Literal

from adapters.exporting.source import Export
from adapters.exporting.told import Told, ToldHand
from adapters.store.codec import encode
from domain.cards import HIDDEN
from domain.claims import OF_A_SEAT
from domain.events import CardsSeen, HandVoided, ToppedUp
from domain.money import account

Kind = Literal["text", "integer", "amount", "time", "flag", "texts", "integers"]
Table = Literal["hands", "seats", "transfers", "events"]
Value = str | int | bool | datetime | tuple[str, ...] | tuple[int, ...] | None


@dataclass(frozen=True)
class Row:
    """One row, and the day that it is of."""

    day: date
    values: tuple[Value, ...]


COLUMNS: Final[Mapping[Table, Mapping[str, Kind]]] = {
    "hands": {
        "hand": "text",
        "opened_position": "integer",
        "opened_at": "time",
        "ended_position": "integer",
        "ended_at": "time",
        "state": "text",  # running, settled, void
        "void_reason": "text",
        "game": "text",
        "rulebook": "text",
        "version": "integer",
        "digest": "text",  # of the rulebook
        "table": "text",  # every parameter in force, JSON
        "ante": "amount",
        "max_stake": "amount",
        "dealer": "integer",
        "opener": "integer",
        "players": "texts",  # by seat number
        "winners": "texts",
        "pot": "amount",
        "rounds": "integer",
        "rake": "amount",
        "house_bonus": "amount",
        "house_banked": "amount",
        "flags": "texts",
        "commitment": "text",
    },
    "seats": {
        "hand": "text",
        "opened_position": "integer",
        "opened_at": "time",
        "seat": "integer",
        "player": "text",
        "carry": "amount",
        "protect": "flag",
        "cards": "text",  # empty where the viewer may not see them
        "looked": "flag",
        "topped_up": "amount",
        "contributed": "amount",
        "won": "amount",
        "refund": "amount",
        "side": "amount",
        "bonus": "amount",
        "rake": "amount",
        "net": "amount",
    },
    "transfers": {
        "position": "integer",
        "number": "integer",  # within its event, from 0 on
        "stream": "text",
        "version": "integer",
        "topic": "text",
        "hand": "text",  # empty where it has to do with none
        "source": "text",
        "target": "text",
        "amount": "amount",
        "reason": "text",
        "happened_at": "time",
        "recorded_at": "time",
    },
    "events": {
        "position": "integer",
        "stream": "text",
        "version": "integer",
        "topic": "text",
        "hand": "text",
        "body": "text",  # JSON, as stored; cards that the viewer may not see are "??????"
        "command_id": "text",
        "actor": "text",
        "happened_at": "time",
        "recorded_at": "time",
    },
}


def rows(export: Export, table: Table) -> Iterator[Row]:
    """Yield one table's rows, hand by hand; movements of wallets alone come last."""
    for hand in export.hands():
        yield from rows_of(hand, table)
        export.wrote()
    yield from rows_of_wallets(export, table)


def rows_of(hand: ToldHand, table: Table) -> Iterator[Row]:
    """Yield the rows of one hand."""
    match table:
        case "hands":
            yield _hand(hand)
        case "seats":
            yield from _seats(hand)
        case "transfers":
            both = sorted((*hand.told, *hand.custody), key=lambda told: told.position)
            for told in both:
                yield from _transfers(told, hand.hand)
        case "events":
            for told in hand.told:
                yield _event(told, hand.hand)


def rows_of_wallets(export: Export, table: Table) -> Iterator[Row]:
    """Yield the rows of what wallets were given and gave outside hands."""
    if table == "transfers":
        for told in export.wallets_alone():
            yield from _transfers(told, None)


def _hand(hand: ToldHand) -> Row:
    opening, row = hand.opening, hand.row
    settlement = hand.settlement
    reason = next((e.reason for e in hand.events if isinstance(e, HandVoided)), None)
    figures = ("pot", "rounds", "rake", "house_bonus", "house_banked")
    came_to = tuple(None if settlement is None else settlement.get(name) for name in figures)
    values = (
        *(row.hand, row.opened_position, _utc(row.opened_at), row.ended_position),
        *(None if row.ended_at is None else _utc(row.ended_at), row.state, reason),
        *(opening.game, opening.rulebook, opening.version, opening.digest),
        *(json.dumps(opening.table), row.ante, row.max_stake, opening.dealer, opening.opener),
        *(row.players, row.winners, *came_to, row.flags, opening.commitment),
    )
    return Row(_day(row.opened_at), values)  # type: ignore[arg-type] # a settlement's figures


def _seats(hand: ToldHand) -> Iterator[Row]:
    row, settlement, cards = hand.row, hand.settlement, hand.cards
    looked = {event.seat for event in hand.events if isinstance(event, CardsSeen)}
    for taken in hand.opening.seats:
        topped_up = [
            event.amount
            for event in hand.events
            if isinstance(event, ToppedUp) and event.seat == taken.seat
        ]
        result = settlement["seats"].get(str(taken.seat)) if settlement else None
        held = cards.get(taken.seat)
        values = (
            *(row.hand, row.opened_position, _utc(row.opened_at)),
            *(taken.seat, taken.player, taken.carry, taken.protect),
            *(None if held == HIDDEN else held, taken.seat in looked, sum(topped_up)),
            *(None if result is None else result[name] for name in OF_A_SEAT),  # type: ignore[literal-required]
        )
        yield Row(_day(row.opened_at), values)


def _transfers(told: Told, hand: str | None) -> Iterator[Row]:
    entry = told.entry
    in_hand = entry.originator_id.startswith("hand:")
    for number, move in enumerate(told.event.transfers):
        ends = (account(end, hand or "") if in_hand else end for end in (move.source, move.target))
        values = (
            *(told.position, number, entry.originator_id, entry.originator_version),
            *(told.event.TOPIC, hand, *ends, move.amount, move.reason),
            *(_utc(told.happened_at), _utc(told.recorded_at)),
        )
        yield Row(_day(told.happened_at), values)


def _event(told: Told, hand: str) -> Row:
    entry = told.entry
    values = (
        *(told.position, entry.originator_id, entry.originator_version, told.event.TOPIC, hand),
        *(encode(told.event), entry.cause.command_id, entry.cause.actor),
        *(_utc(told.happened_at), _utc(told.recorded_at)),
    )
    return Row(_day(told.happened_at), values)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _day(moment: datetime) -> date:
    return _utc(moment).date()
