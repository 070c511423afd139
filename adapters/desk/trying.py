"""A hand tried under other rules: the form that asks for them, and what it comes to."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

from adapters.desk.calling import Labels
from adapters.desk.replay import LEADS_NOWHERE
from adapters.desk.wording import Say, chips
from domain.errors import RefusalError
from domain.events import Event, Settlement
from domain.facts import Facts, of_events
from domain.trial import Outcome, Stop
from domain.whatif import WhatIf, what_if
from domain.zhajinhua.changing import read_changes
from domain.zhajinhua.play import Action
from domain.zhajinhua.rulebook_pages import IDENTITY, heading, page, said
from domain.zhajinhua.rulebooks import find, published
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.wording import Language

RULEBOOK: Final = "rulebook"

_KINDS: Final = get_type_hints(ZhajinhuaRulebook)
_FIXED: Final = frozenset({*IDENTITY, "parameters"})
_HOUSE: Final = ("rake", "house_bonus")
_STOPS: Final = {"hand_over": "hand.whatif_hand_over", "hand_not_over": "hand.whatif_hand_not_over"}


class Choice(NamedTuple):
    """A rulebook to try."""

    id: str
    said: str


class Field(NamedTuple):
    """One rule that can be changed."""

    name: str
    means: str
    now: str  # in the hand, in words
    given: str  # what was asked for
    choices: tuple[tuple[str, str], ...]  # value and words; none: it is written


class Group(NamedTuple):
    """Rules that belong together."""

    title: str
    fields: tuple[Field, ...]


class Form(NamedTuple):
    """What can be asked for."""

    rulebooks: tuple[Choice, ...]
    chosen: str
    groups: tuple[Group, ...]
    is_open: bool  # whether single rules were asked for


class TriedRow(NamedTuple):
    """One seat, or the house. Minor units."""

    name: str
    claimed: int | None
    paid: int | None
    would: int | None
    difference: int | None


class Tried(NamedTuple):
    """What a trial came to."""

    under: str = ""
    lines: tuple[str, ...] = ()
    rows: tuple[TriedRow, ...] = ()
    is_claimed: bool = False
    refused: str = ""  # why it could not be tried

    @property
    def is_same(self) -> bool:
        """Tell whether nobody would come to anything else."""
        return all(row.difference == 0 for row in self.rows)


def facts_of(hand: str, events: Sequence[Event]) -> Facts | None:
    """Return what can be tried: the facts of a hand that is settled, if it is one."""
    try:
        return of_events(hand, events)
    except LEADS_NOWHERE:
        return None


def form(facts: Facts, asked: Mapping[str, str], lang: Language) -> Form:
    """Return the form, with what was asked for in it.

    Args:
        facts: The hand's.
        asked: By name of the field.
        lang: Of the words.
    """
    own = facts.rulebook
    newest = {rulebook.id: rulebook for rulebook in published()} | {own.id: own}
    choices = tuple(Choice(book.id, f"{book.name} ({_pinned(book)})") for book in newest.values())
    groups: list[Group] = []
    for line in page(own, lang):
        if line.field in _FIXED:
            continue
        title = heading(line.field, lang)
        if title or not groups:
            groups.append(Group(title, ()))
        field = _field(facts, line.field, line.means, asked.get(line.field, ""), lang)
        groups[-1] = groups[-1]._replace(fields=(*groups[-1].fields, field))
    is_open = any(value for name, value in asked.items() if name != RULEBOOK)
    return Form(choices, asked.get(RULEBOOK, own.id), tuple(groups), is_open)


def tried(facts: Facts, asked: Mapping[str, str], say: Say, label: Labels, lang: Language) -> Tried:
    """Try a hand under what was asked for.

    Args:
        facts: The hand's.
        asked: The other rulebook, and changes of single rules, by name; an empty one is none.
        say: The texts of a language.
        label: What a player is called.
        lang: Of the words.
    """
    changes = [f"{name}={value}" for name, value in asked.items() if value and name != RULEBOOK]
    chosen = asked.get(RULEBOOK) or facts.rulebook.id
    try:
        other = facts.rulebook if chosen == facts.rulebook.id else find(chosen)
        got = what_if(facts, other, read_changes(changes))
    except RefusalError as refusal:
        return Tried(refused=refusal.message)
    rows = (*_seats(got, label), *_house(got, say))
    claimed = any(row.claimed is not None for row in rows)
    return Tried(
        say("hand.whatif_tried", other=_pinned(got.terms.rulebook)),
        tuple(_lines(got, say, lang)),
        rows if got.would.settlement else (),
        is_claimed=claimed,
    )


def _field(facts: Facts, name: str, means: str, given: str, lang: Language) -> Field:
    value = facts.table[name] if name in facts.table else getattr(facts.rulebook, name, None)
    kind = _KINDS.get(name)
    values: tuple[Any, ...] = ()
    if get_origin(kind) is Literal:
        values = get_args(kind)
    elif kind is bool:
        values = (True, False)
    choices = tuple((str(one).lower(), said(name, one, lang)) for one in values)
    return Field(name, means, said(name, value, lang), given, choices)


def _seats(got: WhatIf, label: Labels) -> list[TriedRow]:
    return [
        TriedRow(
            f"{seat.seat} {label(seat.player)}",
            seat.claimed,
            seat.paid,
            seat.would,
            seat.difference,
        )
        for seat in got.seats
    ]


def _house(got: WhatIf, say: Say) -> list[TriedRow]:
    """Return what the house took and gave, where it did."""
    rows = []
    for name in _HOUSE:
        paid, would = (_of_house(outcome, name) for outcome in (got.paid, got.would))
        if paid or would:
            apart = None if paid is None or would is None else would - paid
            rows.append(TriedRow(say(f"hand.figure.{name}"), None, paid, would, apart))
    return rows


def _of_house(outcome: Outcome, name: str) -> int | None:
    settlement: Settlement | None = outcome.settlement
    return None if settlement is None else dict(settlement).get(name)  # type: ignore[return-value]


def _lines(got: WhatIf, say: Say, lang: Language) -> list[str]:
    """Return what is to be said beside the figures."""
    other = _pinned(got.terms.rulebook)
    lines = []
    if got.changes:
        changed = say("hand.listed").join(
            f"{name} = {said(name, value, lang)}" for name, value in got.changes.items()
        )
        lines.append(say("hand.whatif_changed", changes=changed))
    left_out = [name for name in got.left_out if name != "bonus_draws"]
    if left_out:
        names = say("hand.listed").join(left_out)
        lines.append(say("hand.whatif_left_out", other=other, names=names))
    if len(left_out) < len(got.left_out):
        lines.append(say("hand.whatif_not_drawn", other=other))
    if got.would.stop:
        lines += _stopped(got.facts, got.would.stop, say)
    return lines


def _stopped(facts: Facts, stop: Stop, say: Say) -> list[str]:
    """Say where play could not go on, why, and how far it had come."""
    text = _STOPS.get(stop.code, "hand.whatif_illegal")
    why = f"{stop.message} [RULES {stop.rule}]"
    lines = [say(text, where=_where(facts, stop, say), why=why)]
    standing = stop.standing
    if standing is not None and stop.code != "hand_over":
        stake, pot = chips(standing.stake), chips(standing.pot)
        lines.append(say("hand.whatif_standing", round=standing.round, stake=stake, pot=pot))
    return lines


def _where(facts: Facts, stop: Stop, say: Say) -> str:
    """Say at which event of the hand."""
    event = facts.event(stop.at)
    if stop.action is None:
        return say("hand.whatif_opening") if stop.at < 0 else say("hand.whatif_settlement")
    words = f"{stop.action.seat or ''} {_verb(stop.action, say)}".strip()
    return words if event is None else f"{say('hand.event', step=event)}: {words}"


def _verb(action: Action, say: Say) -> str:
    return say.one_of("hand.verb", action.do).format(
        other=action.target,
        amount=chips(action.stake if action.stake is not None else action.amount),
    )


def _pinned(rulebook: ZhajinhuaRulebook) -> str:
    return f"{rulebook.id}.v{rulebook.version}"
