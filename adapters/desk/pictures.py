"""A frame as what is written on the page: the same texts for the server and for static/replayer.js.

Every place on a page that changes from step to step has a name, and a picture says what is written
there: ``"pot"``, ``"3.stack"``. A page without scripts shows one picture; a script goes from one to
the next by writing their texts into the same places.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from adapters.desk.calling import Labels
from adapters.desk.replay import Deed, Frame, SeatFrame
from adapters.desk.wording import Say, chips, signed
from domain.cards import CARD_COUNT, HIDDEN, split
from domain.zhajinhua.phrases import sentence_case
from domain.zhajinhua.wording import faces

NAME_WIDTH: Final = 13
"""Of a name on a plate, in widths of a letter; a 汉字 has two."""

_WIDE_FROM: Final = "\u1100"  # from here on, nearly all letters are as wide as two


class Picture(NamedTuple):
    """One frame as texts."""

    step: int
    of: Mapping[str, str]  # by the name of the place
    classes: Mapping[str, str]  # of each seat, by its number
    cards: Mapping[str, Sequence[str]]  # of each seat: "Ah", "back", or nothing


def picture(frame: Frame, say: Say, label: Labels) -> Picture:
    """Return a frame as texts.

    Args:
        frame: The one.
        say: The texts of a language.
        label: What a player is called.
    """
    of = {
        "step": str(frame.step),
        "pot": chips(frame.pot),
        "round": say("hand.round", round=frame.round),
        "stake": say("hand.stake", stake=chips(frame.stake)),
        "told": told(frame, say, label),
    }
    for seat in frame.seats:
        of |= {f"{seat.seat}.{name}": text for name, text in _texts(seat, say).items()}
    return Picture(
        frame.step,
        of,
        {str(seat.seat): _classes(seat, frame) for seat in frame.seats},
        {str(seat.seat): _cards(seat.cards) for seat in frame.seats},
    )


def changes(pictures: Sequence[Picture]) -> list[dict[str, Mapping[str, object]]]:
    """Return what each picture changes of the one before it, the first of nothing."""
    found: list[dict[str, Mapping[str, object]]] = []
    before = Picture(0, {}, {}, {})
    for one in pictures:
        pairs = ((one.of, before.of), (one.classes, before.classes), (one.cards, before.cards))
        changed = [
            {name: value for name, value in now.items() if was.get(name) != value}
            for now, was in pairs
        ]
        found.append(dict(zip(("of", "classes", "cards"), changed, strict=True)))
        before = one
    return found


def told(frame: Frame, say: Say, label: Labels) -> str:
    """Return what happened as one short sentence, who did it first."""
    deed = frame.deed
    players = {seat.seat: seat.player for seat in frame.seats}
    words = deed_said(deed, say)
    if deed.seat is not None:
        who = say("hand.who", seat=deed.seat, player=label(players[deed.seat]))
        words = say("hand.does", who=who, deed=words)
    if deed.kind.startswith("hands_compared"):
        out = say("hand.out", seats=listed(deed.seats, say)) if deed.seats else say("hand.none_out")
        words = say("hand.and", first=words, then=out)
    return sentence_case(words)


def deed_said(deed: Deed, say: Say, family: str = "hand.deed") -> str:
    """Return a deed in a few words: ``raises to 10.00``.

    Args:
        deed: The one.
        say: The texts of a language.
        family: Of the words: for a plate some are shorter.
    """
    words = say.one_of(family, deed.kind)
    if words == deed.kind:
        words = say.one_of("hand.deed", deed.kind)
    said = words.format(
        other=deed.other, amount=chips(deed.amount), seats=listed(deed.seats, say), who=deed.who
    )
    return say("hand.timed_out", deed=said) if deed.timed_out else said


def listed(seats: Sequence[int], say: Say) -> str:
    """Return seats one after another."""
    return say("hand.listed").join(map(str, seats))


def short(name: str) -> str:
    """Return as much of a name as fits on a plate."""
    widths = list(accumulate(2 if letter >= _WIDE_FROM else 1 for letter in name))
    if not widths or widths[-1] <= NAME_WIDTH:
        return name
    return f"{name[: sum(width < NAME_WIDTH for width in widths)]}…"


def _texts(seat: SeatFrame, say: Say) -> dict[str, str]:
    """Return what is written about one seat."""
    last = "" if seat.last is None else deed_said(seat.last, say, "hand.plate")
    if seat.last is not None and seat.last.price is not None and seat.last.amount is None:
        last = say("hand.deed_price", deed=last, price=chips(seat.last.price))
    return {
        "stack": chips(seat.stack),
        "put_in": chips(seat.put_in),
        "how": _how(seat, say),
        "last": last if seat.net is None else signed(seat.net) or chips(0),
        "cards": _cards_said(seat, say),
    }


def _cards_said(seat: SeatFrame, say: Say) -> str:
    """Return a seat's cards and their category, or that they are not shown."""
    if seat.cards == HIDDEN:
        return say("hand.face_down")
    return say("hand.cards_are", faces=faces(seat.cards), category=seat.category).strip()


def _how(seat: SeatFrame, say: Say) -> str:
    """Return how a seat stands: blind or seen, where nobody looks what it holds; and what else."""
    words = [seat.category] if seat.category and seat.seen is None else []
    if seat.seen is not None:
        words.append(say("hand.seen") if seat.seen else say("hand.blind"))
    if seat.won:
        words.append(say("hand.won"))
    elif seat.out:
        words.append(say("hand.is_out"))
    elif seat.all_in:
        words.append(say("hand.all_in"))
    elif seat.on_turn:
        words.append(say("hand.on_turn"))
    return say("hand.dot").join(words)


def _classes(seat: SeatFrame, frame: Frame) -> str:
    """Return what a style sheet wants to know of a seat."""
    holds = {
        "seen": seat.seen is True,
        "blind": seat.seen is False,
        "bare": not seat.cards,
        "out": seat.out and not seat.won,
        "all-in": seat.all_in,
        "turn": seat.on_turn,
        "won": seat.won,
        "acts": frame.deed.seat == seat.seat,
        "done": frame.is_over or not seat.put_in,
        "up": (seat.net or 0) > 0,
        "down": (seat.net or 0) < 0,
    }
    return " ".join(name for name, does_hold in holds.items() if does_hold)


def _cards(cards: str) -> list[str]:
    """Return what is drawn of a seat's cards."""
    if not cards:
        return [""] * CARD_COUNT
    return ["back"] * CARD_COUNT if cards == HIDDEN else list(split(cards))
