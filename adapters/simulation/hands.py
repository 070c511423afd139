"""Random legal hands as ``hand-record/1``, the same for the same seed.

A hand depends on the rulebook, the seed and its number alone: the hundredth is the same hand
whether a hundred are asked for or a million. Cards, purses and tempers are drawn so that rare
turns of play (a last stand won, a tie, forced duels, a side pot of three levels) come up all the
time.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from adapters.shuffle import Chance
from adapters.simulation.deals import deal
from adapters.simulation.playing import Table
from adapters.simulation.tables import PLAYERS, bonus_draws, seats, table
from domain.events import Event, HandSettled, SeatTaken
from domain.rulebook import Parameters, check_table
from domain.zhajinhua.game import open_hand
from domain.zhajinhua.play import Action, Play
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook

__all__ = ["PLAYERS", "Simulated", "line_of", "simulate", "simulate_with_events"]


class Simulated(NamedTuple):
    """One simulated hand: its record, settlement included, and what happened in it."""

    record: dict[str, Any]
    events: list[Event]


def simulate(
    rulebook_id: str, *, hands: int, seed: int, first: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield random legal hands, each a whole record with its settlement.

    Args:
        rulebook_id: A published rulebook.
        hands: How many.
        seed: What decides them.
        first: The number of the first hand.

    Raises:
        UnknownRulebookError: There is no such rulebook.
    """
    for simulated in simulate_with_events(rulebook_id, hands=hands, seed=seed, first=first):
        yield simulated.record


def simulate_with_events(
    rulebook_id: str, *, hands: int, seed: int, first: int = 1
) -> Iterator[Simulated]:
    """Yield the hands of :func:`simulate`, each with its events.

    Raises:
        UnknownRulebookError: There is no such rulebook.
    """
    rulebook = find(rulebook_id)
    for number in range(first, first + hands):
        yield _simulate_hand(
            rulebook, f"sim-{rulebook_id}-{seed}-{number}", Chance(rulebook_id, seed, number)
        )


def line_of(record: Mapping[str, Any]) -> str:
    """Return a record as one line of JSON, names readable as they are."""
    return json.dumps(record, ensure_ascii=False)


def _dealt(
    rulebook: ZhajinhuaRulebook,
    hand: str,
    chance: Chance,
    drawn: dict[str, Any],
    sitting: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the record of a hand at a table, dealt and without an action yet."""
    numbers = [seat["seat"] for seat in sitting]
    dealer = chance.pick(numbers)
    dealt = deal(chance, numbers, rulebook.id, dealer)
    record: dict[str, Any] = {
        "hand": hand,
        "rulebook": rulebook.id,
        "table": drawn,
        "dealer": dealer,
        "seats": sitting,
        "deal": {str(number): cards for number, cards in sorted(dealt.items())},
    }
    if rulebook.opener == "recorded":
        record["opener"] = chance.pick(numbers)
    draws = bonus_draws(rulebook, chance, record)
    if draws:
        record["bonus_draws"] = draws
    return record


def _simulate_hand(rulebook: ZhajinhuaRulebook, hand: str, chance: Chance) -> Simulated:
    """Draw a table, deal, and play the hand to its end."""
    drawn = table(rulebook, chance)
    record = _dealt(rulebook, hand, chance, drawn, seats(rulebook, chance, drawn["ante"]))
    play = _open(rulebook, record)
    events = play.events
    record["actions"] = list(_play(play, events, chance))
    (settled,) = (event for event in events if isinstance(event, HandSettled))
    record["settlement"] = settled.settlement
    return Simulated(record, events)


def _open(rulebook: ZhajinhuaRulebook, record: Mapping[str, Any]) -> Play:
    """Open the hand of a record."""
    parameters: Parameters = check_table(rulebook, record["table"])
    return open_hand(
        rulebook,
        table=parameters,
        dealer=record["dealer"],
        opener=record.get("opener"),
        seats=[SeatTaken(**seat) for seat in record["seats"]],
        deal={int(number): cards for number, cards in record["deal"].items()},
        draws={int(number): amount for number, amount in record.get("bonus_draws", {}).items()},
    ).freeze()


def _play(play: Play, events: list[Event], chance: Chance) -> Iterator[dict[str, Any]]:
    """Let the seats act until the hand is over; yield what they did, and add what it led to."""
    seats_at_table = Table(play.state, chance)
    while not play.state.over:
        action, play = seats_at_table.act(play.state)
        events += play.events
        yield _as_recorded(action)


def _as_recorded(action: Action) -> dict[str, Any]:
    """Return an action as a record holds it."""
    given: Sequence[tuple[str, Any]] = (
        ("seat", action.seat),
        ("do", action.do),
        ("stake", action.stake),
        ("with", action.target),
        ("amount", action.amount),
    )
    return {name: value for name, value in given if value is not None}
