"""``jinhua whatif``: a hand settled under other rules, beside what was paid."""

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from adapters.console.failures import BAD_INPUT
from adapters.console.lines import InputFile
from adapters.console.options import HERE, Where
from adapters.console.output import AsJson, complain, print_json, say, table
from adapters.console.rulebooks import named, pinned
from adapters.console.stops import as_reject, print_stop
from adapters.console.tellings import is_file, recorded, stored
from adapters.console.words import in_words
from domain.errors import RefusalError
from domain.events import Settlement
from domain.playing import Reject
from domain.rulebook import plain
from domain.whatif import WhatIf, what_if
from domain.zhajinhua.changing import Changes, read_changes
from domain.zhajinhua.rulebook_pages import said
from domain.zhajinhua.wording import Language


def whatif(
    telling: InputFile,
    /,
    *,
    rulebook: str | None = None,
    set_: Annotated[Sequence[str], Parameter(name="--set", negative=())] = (),
    lang: Language = "en",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Settle the same facts under other rules, side by side with what was paid.

    Who sat where with which cards, what they brought and what they did stays as it was. Where an
    action would not have been legal, it says at which event, why, and how far play had come; where
    the hand would have ended earlier, it is settled there.

    A rulebook that records its opener is told the seat that opened; every other finds it itself.
    What the table left to its rulebook is left to the other one. Bonuses that were drawn are known
    only where the other rulebook draws in the same way.

    For example:

        jinhua whatif 000-last-stand --rulebook platform
        jinhua whatif 000-last-stand --set rake_bp=300 --set compare_calls=1
        jinhua whatif hands.jsonl --rulebook jiuyou --json

    Parameters:
        telling: A stored hand's id; or a file of hand records, each of which is settled; or -.
        rulebook: The other one, in its newest version, or id.v1; else the hand's own.
        set_: field=value, a field of the rulebook or a parameter of the table; amounts in minor
            units. May be given several times.
        lang: Of the words.
    """
    changes = read_changes(set_)
    other = None if rulebook is None else named(rulebook)
    tellings = recorded(telling) if is_file(telling) else [stored(telling, where)]
    status = 0
    for facts in tellings:
        if isinstance(facts, Reject):
            _print_refused(facts, as_json=json)
            status = BAD_INPUT
            continue
        try:
            got = what_if(facts, other or facts.rulebook, changes)
        except RefusalError as refusal:
            _print_refused(Reject.of(refusal, hand=facts.hand, at=-1), as_json=json)
            status = BAD_INPUT
            continue
        if json:
            print_json(_as_json(got))
        else:
            _print(got, lang)
    return status


def _print_refused(reject: Reject, *, as_json: bool) -> None:
    """Answer a line that is no hand record."""
    if as_json:
        given = {"at": reject.at, "code": reject.code, "message": reject.message}
        print_json({"hand": reject.hand, "reject": given})
    else:
        complain(f"{reject.code}: {reject.message}")


def _as_json(got: WhatIf) -> dict[str, Any]:
    facts, terms = got.facts, got.terms
    return {
        "hand": facts.hand,
        "played": {
            "rulebook": facts.rulebook.id,
            "version": facts.rulebook.version,
            "table": _plain(facts.table),
        },
        "tried": {
            "rulebook": terms.rulebook.id,
            "version": terms.rulebook.version,
            "table": _plain(terms.table),
            "changes": _plain(got.changes),
        },
        "left_out": list(got.left_out),
        "seats": [seat._asdict() | {"difference": seat.difference} for seat in got.seats],
        "paid": got.paid.settlement,
        "would": got.would.settlement,
        "paid_reject": as_reject(facts, got.paid.stop),
        "reject": as_reject(facts, got.would.stop),
    }


def _plain(values: Changes) -> dict[str, Any]:
    """Return values by name, as JSON has them."""
    return {name: plain(value) for name, value in values.items()}


def _print(got: WhatIf, lang: Language) -> None:
    """Print one hand for a person."""
    facts, own, other = got.facts, pinned(got.facts.rulebook), pinned(got.terms.rulebook)
    say(in_words(lang, "hand", hand=facts.hand, own=own, other=other))
    if got.changes:
        changed = (f"{name} = {said(name, value, lang)}" for name, value in got.changes.items())
        say(in_words(lang, "changed", changes=", ".join(changed)))
    left_out = [name for name in got.left_out if name != "bonus_draws"]
    if left_out:
        say(in_words(lang, "left_out", other=other, names=", ".join(left_out)))
    if len(left_out) < len(got.left_out):
        say(in_words(lang, "not_carried", other=other))
    if got.paid.stop:
        print_stop(facts, got.paid.stop, lang)
    _print_seats(got, lang)
    if got.would.stop:
        print_stop(facts, got.would.stop, lang)


def _print_seats(got: WhatIf, lang: Language) -> None:
    """Print what each seat was paid and would have been, and the house."""
    claimed = any(seat.claimed is not None for seat in got.seats)
    columns = [in_words(lang, "seat") + "#", in_words(lang, "player")]
    columns += [f"{in_words(lang, 'claimed')}$"] if claimed else []
    columns += [f"{in_words(lang, name)}$" for name in ("paid", "would", "difference")]
    rows: list[Sequence[object]] = []
    for seat in got.seats:
        claim = (seat.claimed,) if claimed else ()
        rows.append((seat.seat, seat.player, *claim, seat.paid, seat.would, seat.difference))
    blank = (None,) if claimed else ()
    for name in ("rake", "house_bonus"):
        paid, would = (_house(outcome.settlement, name) for outcome in (got.paid, got.would))
        if paid or would:
            apart = None if paid is None or would is None else would - paid
            rows.append((None, in_words(lang, name), *blank, paid, would, apart))
    table(columns, rows)


def _house(settlement: Settlement | None, name: str) -> int | None:
    """Return what the house took or gave, minor units; None where nothing was settled."""
    return None if settlement is None else dict(settlement).get(name)  # type: ignore[return-value]
