"""Where a trial stopped: for a person, and as JSON."""

from typing import Any, Final

from adapters.console.output import say, table
from adapters.console.words import in_words
from adapters.plain_json import plain
from domain import claims
from domain.cards import are_three_known
from domain.facts import Facts
from domain.money import in_chips
from domain.parting import written
from domain.trial import SeatStanding, Standing, Stop
from domain.zhajinhua import meanings
from domain.zhajinhua.wording import Language, faces

_MONEY: Final = claims.AMOUNTS | meanings.AMOUNTS | {"stake", "amount", "carry", "bonus_draws"}
"""Facts and figures that are minor units."""


def as_reject(facts: Facts, stop: Stop | None) -> dict[str, Any] | None:
    """Return a stop as JSON has it, with the event of the stored hand that it is at."""
    if stop is None:
        return None
    return {
        "at": stop.at,
        "event": facts.event(stop.at),
        "code": stop.code,
        "message": stop.message,
        "rule": stop.rule,
        "action": written(stop.action),
        "standing": None if stop.standing is None else plain(stop.standing),
    }


def print_stop(facts: Facts, stop: Stop, lang: Language) -> None:
    """Say where play could not go on, why, and how far it had come."""
    text = "illegal"
    if stop.code == "hand_over":
        text = "ended_early"
    elif stop.code == "hand_not_over":
        text = "went_on"
    why = f"{stop.code}: {stop.message} [RULES.md {stop.rule}]"
    say(in_words(lang, text, where=place(facts, stop.at, written(stop.action), lang), why=why))
    if stop.standing is not None and text != "ended_early":
        _print_standing(stop.standing, lang)


def place(facts: Facts, at: int, action: object, lang: Language) -> str:
    """Say which action, and which event of a stored hand."""
    if at < 0:
        where = in_words(lang, "opening")
    elif at >= len(facts.actions) and action is None:
        where = in_words(lang, "settlement")
    else:
        where = in_words(lang, "action", at=at, action=said(action, lang))
    event = facts.event(at)
    return where if event is None else in_words(lang, "event", where=where, event=event)


def said(fact: object, lang: Language, of: str = "action") -> str:
    """Say a fact shortly: an action as ``seat 3 raise 7.00``.

    Args:
        fact: What a telling says.
        lang: Of the words.
        of: What it is said of, as a fork names it: ``"seats.3.carry"``.
    """
    names = of.split(".")
    if fact is None:
        return in_words(lang, "nothing")
    if names[0] == "deal":
        return faces(str(fact)) if are_three_known(str(fact)) else str(fact)
    if isinstance(fact, int) and (names[0] in _MONEY or names[-1] in _MONEY):
        return in_chips(fact)
    if not isinstance(fact, dict):
        return str(fact)
    who = f"seat {fact['seat']}" if "seat" in fact else ""
    operands = (
        in_chips(value) if name in _MONEY else str(value)
        for name, value in fact.items()
        if name not in {"seat", "do"}
    )
    return " ".join(filter(None, (who, str(fact["do"]), *operands)))


def _print_standing(standing: Standing, lang: Language) -> None:
    """Say how far play had come."""
    turn = in_words(lang, "nobodys_turn")
    if standing.turn is not None:
        turn = in_words(lang, "turn", seat=standing.turn)
    stake, pot = in_chips(standing.stake), in_chips(standing.pot)
    say(in_words(lang, "standing", round=standing.round, stake=stake, pot=pot, turn=turn))
    names = ("seat", "player", "contributed", "stack", "state")
    columns = [
        in_words(lang, name) + sign
        for name, sign in zip(names, ("#", "", "$", "$", ""), strict=True)
    ]
    rows = (
        (seat.seat, seat.player, seat.contributed, seat.stack, ", ".join(_state(seat, lang)))
        for seat in standing.seats
    )
    table(columns, rows)


def _state(seat: SeatStanding, lang: Language) -> list[str]:
    """Return what holds of a seat: looked or not, out, all-in."""
    holds = (
        "seen" if seat.seen else "blind",
        "out" if seat.out else "",
        "all_in" if seat.all_in else "",
    )
    return [in_words(lang, name) for name in holds if name]
