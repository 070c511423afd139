"""Simulated ledgers for investigators: honest ones, and ones in which two players are in league."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from adapters.investigation.observed import Observed, observe
from adapters.ledger import PositionedEntry
from adapters.shuffle import Chance
from adapters.simulation import hands as simulation
from adapters.simulation.playing import Table
from adapters.simulation.tables import PLAYERS, seats, table
from domain.errors import RefusalError
from domain.events import Event
from domain.stream import Cause, Entry
from domain.zhajinhua.game import decide
from domain.zhajinhua.play import Action, Play
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.state import HandState

START = datetime(2026, 1, 1, tzinfo=UTC)


class League(NamedTuple):
    """Two who are in league: one raises with anything and folds to the other."""

    giver: str = "p007"
    taker: str = "p042"
    meet: int = 60  # percent of the giver's hands at which the taker sits down too
    dump: int = 60  # percent of these in which the giver does it


class Simulated(NamedTuple):
    """A hand: its record, and what happened in it."""

    record: dict[str, Any]
    stored: list[PositionedEntry]


class Honest(NamedTuple):
    """Players who play for themselves: how many, and whether each has a style of its own."""

    crowd: int = len(PLAYERS)
    styles: bool = False


def ledger(
    count: int,
    seed: int,
    league: League | None = None,
    rulebook_id: str = "jiuyou",
    honest: Honest = Honest(),  # noqa: B008 - a constant
) -> Iterator[Simulated]:
    """Yield so many hands; without a league everybody plays for himself."""
    position = 0
    for number in range(1, count + 1):
        chance = Chance("investigation", rulebook_id, seed, number)
        hand = f"{rulebook_id}-{seed}-{number}"
        record, events = _play(rulebook_id, hand, chance, league, honest)
        opened = START + timedelta(minutes=2 * number)
        stored, at = [], opened
        for version, event in enumerate(events, start=1):
            at += timedelta(milliseconds=chance.between(500, 9_000))
            cause = Cause(f"{hand}:{version}", "table", at)
            stored.append(
                PositionedEntry(position + version, Entry(f"hand:{hand}", version, event, cause))
            )
        position += len(events)
        yield Simulated(record, stored)


def observed(hands: Iterable[Simulated]) -> Iterator[Observed]:
    """Yield what each hand tells."""
    for record, stored in hands:
        yield observe(record["hand"], stored)


def _play(
    rulebook_id: str, hand: str, chance: Chance, league: League | None, honest: Honest
) -> tuple[dict[str, Any], list[Event]]:
    rulebook = find(rulebook_id)
    drawn = table(rulebook, chance)
    sitting = seats(rulebook, chance, drawn["ante"])
    drawn_players = chance.sample(PLAYERS[: honest.crowd], len(sitting))
    for seat, player in zip(sitting, drawn_players, strict=True):
        seat["player"] = player
    if league is not None:
        _sit_down(sitting, league, chance)
    record = simulation._dealt(rulebook, hand, chance, drawn, sitting)
    play = simulation._open(rulebook, record)
    events, actions = list(play.events), []
    crooked = league is not None and chance.happens(league.dump)
    everybody = Table(play.state, chance)
    while not play.state.over:
        planned = _dump(play.state, league) if league is not None and crooked else None
        styled = _styled(play.state, chance) if honest.styles else None
        action, play = planned or styled or everybody.act(play.state)
        events += play.events
        actions.append(simulation._as_recorded(action))
    record["actions"] = actions
    return record, events


def _sit_down(sitting: list[dict[str, Any]], league: League, chance: Chance) -> None:
    """Let the taker sit down where the giver does, more often than chance would have it."""
    players = [seat["player"] for seat in sitting]
    if league.giver in players and league.taker not in players and chance.happens(league.meet):
        others = [seat for seat in sitting if seat["player"] != league.giver]
        chance.pick(others)["player"] = league.taker


def _dump(state: HandState, league: League) -> tuple[Action, Play] | None:
    """Drive the others out with raises, then let the giver fold to the taker, whatever it holds."""
    remaining = {state.seats[number].player: number for number in state.remaining}
    if state.turn is None or not {league.giver, league.taker} <= remaining.keys():
        return None
    if state.turn == remaining[league.taker]:
        return _tried(state, Action("call", state.turn))
    if state.turn != remaining[league.giver]:
        return None
    if len(state.seats[state.turn].bets) > 1 and len(remaining) == 2:
        return _tried(state, Action("fold", state.turn))
    raised = Action("raise", state.turn, stake=state.stake + 2 * state.ante)
    return _tried(state, raised) or _tried(state, Action("call", state.turn))


def _styled(state: HandState, chance: Chance) -> tuple[Action, Play] | None:
    """Let every third player fold half the time, and every other third raise."""
    assert state.turn is not None
    style = int(state.seats[state.turn].player[1:]) % 3
    if style == 0 or not chance.happens(50):
        return None
    if style == 1:
        return _tried(state, Action("fold", state.turn))
    return _tried(state, Action("raise", state.turn, stake=state.stake + state.ante))


def _tried(state: HandState, action: Action) -> tuple[Action, Play] | None:
    try:
        return action, decide(state, action)
    except RefusalError:
        return None
