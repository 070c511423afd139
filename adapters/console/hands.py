"""``jinhua show`` and ``explain``: what happened in a hand, and why."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from adapters.console.deck_proofs import proof_of, told_proof
from adapters.console.failures import (
    UnexplainableHandError,
)
from adapters.console.names import Called, called
from adapters.console.options import HERE, Opened, Where, opened
from adapters.console.output import AsJson, print_json, progress, say, table
from adapters.console.words import in_words
from adapters.dossier.words import word
from adapters.hand_words import STATES
from adapters.plain_json import plain
from adapters.registers.refusals import StoredRefusal
from adapters.show import Moment, timeline, verdict_of
from domain.events import HandOpened
from domain.stream import BROKEN
from domain.zhajinhua.explanation import Step
from domain.zhajinhua.explanation import explain as argued
from domain.zhajinhua.wording import Language

T = TypeVar("T")

_SHOWN_MAX: Final = 50  # rows of a table of findings; JSON has them all


def show(
    hand: str,
    *,
    seat: int | None = None,
    refusals: bool = False,
    lang: Language = "en",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Show a hand as a timeline: who did what when, the price, the stack and the pot after it.

    Cards of a hand that is still running are shown to nobody, but its own to a seat that has
    looked at them. A hand that has ended, settled or void, shows them all.

    For example:

        jinhua show 000-last-stand
        jinhua show 000-last-stand --refusals
        jinhua show t1-0007 --seat 2 --lang zh

    Parameters:
        hand: Its id.
        seat: Show what this seat may see.
        refusals: Show too what was asked for in it and refused, when, and why.
        lang: Of the words; those of a refusal are English in any case.
    """
    with opened(where) as store:
        stored = store.ledger.shown(hand, seat)
        refused = store.ledger.refusals(hand) if refusals else []
        moments = _followed(hand, lambda: timeline(stored, lang))
        known = called(store, (moment.player for moment in moments))
    happened = [entry.event for _, entry in stored]
    state, settlement = verdict_of(happened)
    proof = proof_of(hand, happened)
    if json:
        events = [known.beside(plain(moment)) for moment in moments]
        told: dict[str, Any] = {"hand": hand, "state": state, "events": events}
        told |= {"settlement": settlement, "deck_proof": proof}
        if refusals:
            told["refusals"] = [
                plain({**row._asdict(), "digest": row.digest.hex()}) for row in refused
            ]
        print_json(told)
    else:
        say(in_words(lang, "shown", hand=hand, state=STATES[state].of(lang)))
        _print_timeline(moments, known, lang)
        say(told_proof(proof, lang))
        if refusals:
            _print_refusals(refused, lang)
    return 0


def explain(hand: str, *, lang: Language = "en", where: Where = HERE, json: AsJson = False) -> int:
    """Argue a hand as a person would: each step, its arithmetic, its rule and its document.

    For example:

        jinhua explain 000-last-stand --lang zh

    Parameters:
        hand: Its id.
        lang: Of the sentences; quotations of the documents are Chinese in any case.
    """
    with opened(where) as store:
        stored = store.ledger.shown(hand)
        events = [entry.event for _, entry in stored]
        openings = (event for event in events if isinstance(event, HandOpened))
        seats = [seat for opening in openings for seat in opening.seats]
        known = called(store, (seat.player for seat in seats))
    steps = _followed(hand, lambda: argued(known.in_events(events), lang))
    if json:
        players = [known.beside({"seat": seat.seat, "player": seat.player}) for seat in seats]
        told = {"hand": hand, "lang": lang, "players": players}
        print_json({**told, "steps": [plain(step) for step in steps]})
    else:
        print_argument(steps)
    return 0


def catch_up(store: Opened) -> None:
    """Let the projections take in everything, with progress where somebody watches."""
    with progress("events projected") as told:
        store.projector.catch_up(progress=lambda _name, reached, upto: told(reached, upto))


def print_argument(steps: Sequence[Step]) -> None:
    """Print an argument; a sentence of a document is quoted where it is first rested on."""
    quoted: set[str] = set()
    for step in steps:
        say(f"{step.version:3}  {step.text}")
        for line in step.arithmetic:
            say(f"       {line}")
        rests_on = f"RULES.md {step.rule}; {step.document}"
        if step.quotation and step.quotation not in quoted:
            quoted.add(step.quotation)
            rests_on += f"：“{step.quotation}”"
        say(f"       [{rests_on}]")


def _followed(hand: str, work: Callable[[], T]) -> T:
    """Follow a hand's events; some that were tampered with lead nowhere.

    Raises:
        UnexplainableHandError: These do not.
    """
    try:
        return work()
    except BROKEN:
        raise UnexplainableHandError(hand) from None


def _print_timeline(moments: Sequence[Moment], known: Called, lang: Language) -> None:
    columns = ("position#", "#", "time", "who", "what", "price$", "stack$", "pot$")
    rows = (
        (
            moment.position,
            moment.version,
            f"{moment.at:%Y-%m-%d %H:%M:%S}",
            f"{moment.seat} {known.label(moment.player or '')}"
            if moment.seat is not None
            else None,
            moment.what,
            moment.price,
            moment.stack,
            moment.pot,
        )
        for moment in moments
    )
    table(_headings(lang, *columns), rows)


def _print_refusals(refused: Sequence[StoredRefusal], lang: Language) -> None:
    say(in_words(lang, "refused", count=len(refused) or in_words(lang, "nothing")))
    if refused:
        rows = (
            (f"{row.recorded_at:%Y-%m-%d %H:%M:%S}", row.actor, row.kind, row.code, row.message)
            for row in refused
        )
        table(_headings(lang, "time", "who", "what", "code", "message"), rows)


def _headings(lang: Language, *names: str) -> list[str]:
    """Return the columns of a dossier's tables in a language, each with its mark."""
    texts = [name.rstrip("#$") for name in names]
    marks = (name[len(text) :] for name, text in zip(names, texts, strict=True))
    return [f"{text and word(lang, text)}{mark}" for text, mark in zip(texts, marks, strict=True)]
