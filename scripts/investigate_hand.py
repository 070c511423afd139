"""Everything about one hand: what happened, why, whether it is right, and what each seat knew.

    .venv/bin/python scripts/investigate_hand.py t1-0001
    .venv/bin/python scripts/investigate_hand.py t1-0001 --lang zh --json

Exit status: 0 all agrees, 2 bad input, 3 something does not.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cyclopts import App

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from adapters.cli import main
from adapters.console.deck_proofs import told_proof
from adapters.console.failures import DISAGREEMENT
from adapters.console.hands import print_argument
from adapters.console.names import Called, called
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say, table
from adapters.console.rulebooks import pinned
from adapters.investigation.choices import Choice
from adapters.investigation.headings import heading, headings, verb
from adapters.investigation.one_hand import OneHand, look_into
from adapters.investigation.words import in_words
from adapters.plain_json import plain
from domain.whatif import WhatIf
from domain.zhajinhua.wording import Language, faces

app = App(
    name="investigate_hand.py",
    help_format="markdown",
    result_action="return_value",
    version_flags=(),
)

_A_PERCENT: Final = 100  # basis points


@app.default
def investigate_hand(
    hand: str, /, *, lang: Language = "en", where: Where = HERE, json: AsJson = False
) -> int:
    """Tell everything about a hand: timeline, argument, choices, refusals, claims, proofs.

    Of each choice it says whether the seat had looked, what staying in cost and had to win, and,
    once the hand is over, whether its cards were the best of those still in. The hand is verified;
    what other systems claim is compared; what every other rulebook would have given stands beside.
    Of a hand that still runs no card is shown. Nothing is changed.

    For example:

        .venv/bin/python scripts/investigate_hand.py t1-0001
        .venv/bin/python scripts/investigate_hand.py t1-0001 --lang zh
        .venv/bin/python scripts/investigate_hand.py t1-0001 --json

    Parameters:
        hand: Its id.
        lang: Of the words; quotations of the documents are Chinese in any case.
    """
    with opened(where) as store:
        found = look_into(store.ledger, hand, lang)
        known = called(store, (moment.player for moment in found.moments or ()))
    if json:
        print_json(_as_json(found, known))
    else:
        _print(found, known, lang)
    return DISAGREEMENT if found.disagrees else 0


def _as_json(found: OneHand, known: Called) -> dict[str, Any]:
    refusals = (plain({**row._asdict(), "digest": row.digest.hex()}) for row in found.refusals)
    return {
        "hand": found.hand,
        "state": found.state,
        "agrees": not found.disagrees,
        "settlement": found.settlement,
        "events": None
        if found.moments is None
        else [known.beside(plain(moment)) for moment in found.moments],
        "steps": plain(found.steps),
        "choices": None
        if found.choices is None
        else [{**plain(one), "share_needed_bp": one.share_needed_bp} for one in found.choices],
        "discrepancies": plain(found.discrepancies),
        "refusals": list(refusals),
        "claims": plain(found.claims),
        "deck_proof": plain(found.proof),
        "checkpoint": found.checkpoint,
        "elsewhere": [_beside(got) for got in found.elsewhere],
    }


def _beside(got: WhatIf) -> dict[str, Any]:
    """Return what a hand would come to under another rulebook."""
    stop = got.would.stop
    return {
        "rulebook": pinned(got.terms.rulebook),
        "seats": [{"seat": s.seat, "paid": s.paid, "would": s.would} for s in got.seats],
        "stop": None if stop is None else {"at": stop.at, "code": stop.code},
    }


def _print(found: OneHand, known: Called, lang: Language) -> None:
    """Print it for a person."""
    say(f"{found.hand}: {heading(lang, found.state)}", "")
    if found.moments is not None:
        columns = ("position#", "#", "time", "actor", "seat#", "player", "what", "price$", "pot$")
        table(
            headings(lang, *columns),
            (
                (
                    m.position,
                    m.version,
                    f"{m.at:%Y-%m-%d %H:%M:%S.%f}"[:-3],
                    m.actor,
                    m.seat,
                    m.player and known.label(m.player),
                    m.what,
                    m.price,
                    m.pot,
                )
                for m in found.moments
            ),
        )
    if found.steps is not None:
        say("")
        print_argument(found.steps)
    if found.choices:
        say("", in_words(lang, "choices"))
        _print_choices(found.choices, known, lang)
    _print_refusals(found, lang)
    _print_verdicts(found, lang)
    if found.elsewhere:
        say("", in_words(lang, "whatifs"))
        _print_elsewhere(found.elsewhere, lang)


def _print_choices(made: Sequence[Choice], known: Called, lang: Language) -> None:
    columns = ("#", "seat#", "player", "round#", "cards", "knew", "do", "price$", "paid$", "pot$")
    rows = (
        (
            one.version,
            one.seat,
            known.label(one.player),
            one.round,
            one.cards and f"{faces(one.cards)} {one.category}",
            heading(lang, "seen" if one.seen else "blind"),
            verb(lang, one.do),
            one.price,
            one.paid,
            one.pot,
            one.others_in,
            f"{one.share_needed_bp / _A_PERCENT:.1f} %",
            _yes(one.was_best, lang),
        )
        for one in made
    )
    more = ("others in#", "has to win#", "best of those in")
    table(headings(lang, *columns, *more), rows)


def _yes(value: bool | None, lang: Language) -> str:  # noqa: FBT001 - what is said
    return heading(lang, "" if value is None else ("yes" if value else "no"))


def _print_refusals(found: OneHand, lang: Language) -> None:
    say("", in_words(lang, "refused", count=len(found.refusals)))
    if found.refusals:
        rows = (
            (
                f"{row.happened_at:%Y-%m-%d %H:%M:%S.%f}"[:-3],
                row.actor,
                row.kind,
                row.code,
                row.message,
                row.rule,
            )
            for row in found.refusals
        )
        table(headings(lang, "time", "who", "what", "code", "why", "rule"), rows)


def _print_verdicts(found: OneHand, lang: Language) -> None:
    """Say what verification, claims and proofs come to."""
    if found.discrepancies:
        say(in_words(lang, "discrepancies", count=len(found.discrepancies)))
        columns = ("hand", "position#", "what", "recorded", "derived", "rule")
        table(headings(lang, *columns), found.discrepancies)
    else:
        say(in_words(lang, "verified"))
    for claim in found.claims:
        text = "claim_differs" if claim.differences else "claim_agrees"
        say(in_words(lang, text, claimant=claim.claimant))
        if claim.differences:
            table(headings(lang, "figure", "claimed", "settled"), claim.differences)
    if not found.claims:
        say(in_words(lang, "no_claim"))
    say(told_proof(found.proof._asdict(), lang))
    if found.checkpoint is not None:
        say(in_words(lang, "proof_at", size=found.checkpoint))
    else:
        say(in_words(lang, "no_proof"))


def _print_elsewhere(elsewhere: Sequence[WhatIf], lang: Language) -> None:
    seats = [seat.seat for seat in elsewhere[0].seats]
    rows: list[Sequence[object]] = [
        (heading(lang, "paid"), *(seat.paid for seat in elsewhere[0].seats), "")
    ]
    for got in elsewhere:
        stop = got.would.stop
        why = "" if stop is None else in_words(lang, "stops", code=stop.code)
        rows.append((pinned(got.terms.rulebook), *(seat.would for seat in got.seats), why))
    columns = (f"{heading(lang, 'seat')} {number}$" for number in seats)
    table((heading(lang, "rulebook"), *columns, ""), rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], app))
