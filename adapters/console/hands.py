"""``jinhua verify``, ``show``, ``explain``: hands, and their proof."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from cyclopts import Parameter, validators
from psutil import cpu_count

from adapters.console.deck_proofs import proof_of, proofs_of, told_proof
from adapters.console.failures import (
    DISAGREEMENT,
    BadInputError,
    UnexplainableHandError,
)
from adapters.console.key_files import read_note, verifier_text
from adapters.console.names import Called, called
from adapters.console.options import HERE, Opened, Where, opened
from adapters.console.output import AsJson, print_json, progress, say, table
from adapters.plain_json import plain
from adapters.refusals import StoredRefusal
from adapters.show import Moment, timeline, verdict_of
from domain.discrepancies import Discrepancy
from domain.events import HandOpened
from domain.zhajinhua.explanation import Step
from domain.zhajinhua.explanation import explain as argued
from domain.zhajinhua.wording import Language

T = TypeVar("T")

Jobs = Annotated[int | None, Parameter(validator=validators.Number(gte=1))]

_NO_HANDS: Final = ("wallet:", "projection:")
"""What else than a hand a discrepancy may be about."""

_SHOWN_MAX: Final = 50  # rows of a table of findings; JSON has them all


def verify(
    *hands: str,
    key: Path | None = None,
    checkpoint: Annotated[Sequence[Path], Parameter(negative=())] = (),
    jobs: Jobs = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Decide every hand again from its events alone, and name whatever parts.

    Every event is checked: turn, price, legality, duels, refunds, bonuses, settlement, any claim,
    and a disclosed deck. Without a HAND the whole ledger is: all hands, all wallets, the order of
    the history, every stored checkpoint, and each projection against a fresh fold of the events.
    `agree` counts the hands in which nothing parts. The exit status is 3 if anything does. Of each
    HAND that is named it is said too whether its deal is proven, not proven or absent; that alone
    is no disagreement.

    For example:

        jinhua verify
        jinhua verify 000-last-stand --json
        jinhua verify --key jinhua.key.pub --checkpoint kept-on-monday.note

    Parameters:
        hands: Ids of hands; all of them if none is given.
        key: The file of the verifier's key that every checkpoint should be signed with.
        checkpoint: A file with a checkpoint that was kept elsewhere; may be given again.
        jobs: Processes that share the work on a large ledger; as many as there are processors,
            unless it is said.
    """
    if hands and (key or checkpoint):
        raise BadInputError("checkpoints are of the whole ledger; name no hands with them")
    notes = [read_note(file) for file in checkpoint]
    verifier = None if key is None else verifier_text(key)
    with opened(where) as store:
        result = verification(store, hands or None, notes, verifier, jobs=jobs or cpu_count() or 1)
    if json:
        print_json(result)
    else:
        print_verdict(result)
        for hand, proof in result.get("deck_proofs", {}).items():
            say(f"hand {hand}: {told_proof(proof)}")
    return DISAGREEMENT if result["discrepancies"] else 0


def verification(
    store: Opened,
    hands: Sequence[str] | None,
    notes: Sequence[str] = (),
    key: str | None = None,
    *,
    jobs: int = 1,
) -> dict[str, Any]:
    """Return what a verification of hands, or of everything and of checkpoints, comes to."""
    counted = (0, 0)
    with progress("events verified") as told:

        def count(hands_done: int, events_done: int) -> None:
            nonlocal counted
            counted = (hands_done, events_done)
            told(events_done, None)

        chosen = None if hands is None else list(dict.fromkeys(hands))
        found = list(store.ledger.verify(chosen, count, notes=notes, key=key, jobs=jobs))
    if hands is None:
        found += _projections(store)
    wrong = {d.hand for d in found if d.hand != "ledger" and not d.hand.startswith(_NO_HANDS)}
    result = {
        "hands": counted[0],
        "events": counted[1],
        "agree": counted[0] - len(wrong),
        "discrepancies": [plain(discrepancy) for discrepancy in found],
    }
    if chosen is not None:
        result["deck_proofs"] = proofs_of(store, chosen)
    return result


def show(
    hand: str,
    *,
    seat: int | None = None,
    refusals: bool = False,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Show a hand as a timeline: who did what when, the price, the stack and the pot after it.

    Cards of a hand that is still running are shown to nobody, but its own to a seat that has
    looked at them. A hand that has ended, settled or void, shows them all.

    For example:

        jinhua show 000-last-stand
        jinhua show 000-last-stand --refusals
        jinhua show t1-0007 --seat 2

    Parameters:
        hand: Its id.
        seat: Show what this seat may see.
        refusals: Show too what was asked for in it and refused, when, and why.
    """
    with opened(where) as store:
        stored = store.ledger.shown(hand, seat)
        refused = store.ledger.refusals(hand) if refusals else []
        moments = _followed(hand, lambda: timeline(stored))
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
        say(f"hand {hand}: {state}")
        _print_timeline(moments, known)
        say(told_proof(proof))
        if refusals:
            _print_refusals(refused)
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


def print_verdict(result: Mapping[str, Any]) -> None:
    """Print what a verification found."""
    found = result["discrepancies"]
    if found:
        columns = ("hand", "position#", "what", "recorded", "derived", "rule")
        names = [name.rstrip("#") for name in columns]
        table(columns, ([row[name] for name in names] for row in found[:_SHOWN_MAX]))
    if len(found) > _SHOWN_MAX:
        say(f"… and {len(found) - _SHOWN_MAX} more; --json has them all")
    checked = f"hands {result['hands']}, events {result['events']}, agree {result['agree']}"
    say(f"{checked}: {len(found) or 'no'} discrepanc{'y' if len(found) == 1 else 'ies'}")


def _projections(store: Opened) -> list[Discrepancy]:
    """Return where a projection, as far as it has come, is not what the events give."""
    with progress("events folded") as told:
        return [
            Discrepancy(f"projection:{name}", None, key, *_parted(recorded, derived), "fold")
            for name, key, recorded, derived in store.projector.compare_with_fresh_fold(
                progress=lambda _name, reached, upto: told(reached, upto)
            )
        ]


def _parted(recorded: object, derived: object) -> tuple[Any, Any]:
    """Return two rows of a projection, or no more than the columns in which they differ."""
    kept, due = plain(recorded), plain(derived)
    if not isinstance(kept, dict) or not isinstance(due, dict):
        return kept, due
    names = [name for name in due if kept.get(name) != due[name]]
    return {name: kept.get(name) for name in names}, {name: due[name] for name in names}


def _followed(hand: str, work: Callable[[], T]) -> T:
    """Follow a hand's events; some that were tampered with lead nowhere.

    Raises:
        UnexplainableHandError: These do not.
    """
    try:
        return work()
    except (LookupError, ValueError, TypeError, AssertionError):
        raise UnexplainableHandError(hand) from None


def _print_timeline(moments: Sequence[Moment], known: Called) -> None:
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
    table(columns, rows)


def _print_refusals(refused: Sequence[StoredRefusal]) -> None:
    say(f"refused: {len(refused) or 'nothing'}")
    if refused:
        rows = (
            (f"{row.recorded_at:%Y-%m-%d %H:%M:%S}", row.actor, row.kind, row.code, row.message)
            for row in refused
        )
        table(("time", "who", "what", "code", "why"), rows)
