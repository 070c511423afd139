"""``jinhua bisect``: two tellings of one hand, where they part, and what that is worth."""

from typing import Any

from adapters.console.failures import DISAGREEMENT, BadInputError
from adapters.console.lines import InputFile
from adapters.console.options import HERE, Where
from adapters.console.output import AsJson, print_json, say, table
from adapters.console.stops import as_reject, place, print_stop, said
from adapters.console.tellings import one
from adapters.console.words import in_words
from domain.parting import Parting, set_apart
from domain.zhajinhua.wording import Language


def bisect(
    first: InputFile,
    second: InputFile,
    /,
    *,
    hand: str | None = None,
    lang: Language = "en",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Name the first fact in which two tellings of one hand part, and its consequence in money.

    The facts of the opening come first (rulebook, table, dealer, opener, seats, cards), then the
    actions one by one, then the figures where both tellings give them. Each telling is settled
    under its own rules; a telling that is illegal from some action on says so. The exit status is
    0 if the tellings are equal and 3 if they part.

    For example:

        jinhua bisect 000-last-stand from-the-player.jsonl
        jinhua bisect ours.jsonl theirs.jsonl --hand h1 --json

    Parameters:
        first: A stored hand's id, a file of hand records, or - for standard input.
        second: The other telling of the hand.
        hand: Which hand is meant, in files that hold several.
        lang: Of the words.
    """
    if first == second == "-":
        raise BadInputError("standard input can be only one of the two tellings")
    found = set_apart(one(first, hand, where), one(second, hand, where))
    if json:
        print_json(_as_json(found))
    else:
        _print(found, (first, second), lang)
    return DISAGREEMENT if found.fork else 0


def _as_json(found: Parting) -> dict[str, Any]:
    fork = found.fork
    parts = None
    if fork:
        events = [facts.event(fork.at) for facts in found.tellings]
        parts = {"at": fork.at, "events": events, "what": fork.what, "says": list(fork.says)}
    return {
        "hands": [facts.hand for facts in found.tellings],
        "equal": fork is None,
        "parts": parts,
        "seats": [
            {
                "seat": seat.seat,
                "player": seat.player,
                "figures": list(seat.figures),
                "nets": list(seat.nets),
                "difference": seat.difference,
            }
            for seat in found.seats
        ],
        "settlements": [outcome.settlement for outcome in found.outcomes],
        "rejects": [
            as_reject(facts, outcome.stop)
            for facts, outcome in zip(found.tellings, found.outcomes, strict=True)
        ],
    }


def _print(found: Parting, names: tuple[str, str], lang: Language) -> None:
    """Print them for a person."""
    if found.fork is None:
        say(in_words(lang, "equal"))
    else:
        fork, facts = found.fork, found.tellings[0]
        where = fork.what
        if fork.what == "action":
            action = fork.says[0] or fork.says[1]
            where = place(facts, fork.at, action, lang)
        say(in_words(lang, "part", where=where))
        for name, fact in zip(names, fork.says, strict=True):
            say(in_words(lang, "says", name=name, said=said(fact, lang, of=fork.what)))
    for name, facts, outcome in zip(names, found.tellings, found.outcomes, strict=True):
        if outcome.stop:
            say(f"{name}:")
            print_stop(facts, outcome.stop, lang)
    _print_seats(found, names, lang)


def _print_seats(found: Parting, names: tuple[str, str], lang: Language) -> None:
    """Print what each seat comes to under each telling."""
    with_figures = found.fork is not None and found.fork.in_figures
    columns = [in_words(lang, "seat") + "#", in_words(lang, "player")]
    if with_figures:
        columns += [in_words(lang, "figures", name=name) + "$" for name in names]
    else:
        columns += [f"{name}$" for name in names]
    columns.append(in_words(lang, "difference") + "$")
    rows = (
        (seat.seat, seat.player, *(seat.figures if with_figures else seat.nets), seat.difference)
        for seat in found.seats
    )
    table(columns, rows)
