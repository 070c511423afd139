"""``jinhua dispute``: what somebody holds against a hand, from its opening to the verdict."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

from cyclopts import App, Parameter

from adapters.clock import now
from adapters.commands.execution import Receipt
from adapters.console.failures import BadInputError
from adapters.console.hands import catch_up
from adapters.console.listing import PageLength
from adapters.console.moments import time_of
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say, table
from adapters.dossier.words import word
from adapters.ledger import PositionedEntry
from adapters.plain_json import plain
from adapters.views.disputes import DisputeFilter
from domain.dispute import Dispute, dispute_stream
from domain.events import DisputeNoted, DisputeOpened, DisputeRuled, EvidenceFile, Verdict
from domain.zhajinhua.wording import Language
from projections.disputes import State

Actor = Annotated[str, Parameter(help="Who gives the command.")]
CommandId = Annotated[
    str | None,
    Parameter(help="Under which it may be given again without effect; else a new one."),
]

dispute = App(
    name="dispute",
    help="Open a dispute about a hand, put notes and evidence on file, rule it, list them.",
    help_format="markdown",
    result_action="return_value",
)


@dispute.command(name="open")
def open_(  # noqa: PLR0913 - what a dispute opens with, each by name
    hand: str,
    /,
    *,
    by: str,
    claims: str,
    due: str,
    id_: Annotated[str | None, Parameter(name="--id")] = None,
    claim: int | None = None,
    actor: Actor = "operator",
    command_id: CommandId = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Open a dispute about a hand, running or over. The hand stays as it is.

    All texts are kept for ever, in clear, and no erasure reaches them: write ids, not names. Where
    a foreign system's figures are at issue, keep those as a claim of the hand, and name its event.

    For example:

        jinhua dispute open t1-0001 --by bo --claims "I folded in time" --due 2027-03-01
        jinhua dispute open t1-0001 --id d1 --by p7 --claims "2.50 short" --due 2027-03-01T18:00+08

    Parameters:
        hand: Its id.
        by: Whose dispute it is: a player of the hand, by id, or anybody else.
        claims: What is said; at most 4,000 characters.
        due: When the verdict is: a date, which is its beginning, or a time; UTC unless it says.
        id_: Of the dispute, new to this ledger; one is made up if none is given.
        claim: The number, within the hand, of the claim that it rests on: see `jinhua show HAND`.
    """
    dispute_id = id_ or f"d-{uuid4().hex[:12]}"
    with opened(where) as store:
        receipt = store.ledger.open_dispute(
            dispute_id,
            hand,
            by=by,
            claims=claims,
            due=time_of(due),
            claim=claim,
            command_id=command_id or _new_command(),
            actor=actor,
        )
    return _answered(receipt, "is open", json=json)


@dispute.command
def note(
    dispute: str,
    text: str,
    /,
    *,
    evidence: Path | None = None,
    actor: Actor = "operator",
    command_id: CommandId = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Put a note on file, and what a file of evidence is: its name, size and SHA-256.

    The file itself is not kept here. The text is, for ever and in clear: write ids, not names.

    For example:

        jinhua dispute note d1 "the table's own log of the evening" --evidence table-7.log

    Parameters:
        dispute: Its id.
        text: At most 4,000 characters.
        evidence: A file that the note is about.
    """
    described = None if evidence is None else _described(evidence)
    with opened(where) as store:
        receipt = store.ledger.note_dispute(
            dispute,
            text,
            evidence=described,
            command_id=command_id or _new_command(),
            actor=actor,
        )
    return _answered(receipt, "has a note more", json=json)


@dispute.command
def rule(
    dispute: str,
    /,
    *,
    verdict: Verdict,
    why: str,
    actor: Actor = "operator",
    command_id: CommandId = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Decide a dispute, once and for all; whoever is not content opens another one.

    It moves no chip. The reasons are kept for ever, in clear: write ids, not names.

    For example:

        jinhua dispute rule d1 --verdict rejected --why "the fold came 2 s after the time ran out"

    Parameters:
        dispute: Its id.
        verdict: Whether what is claimed holds.
        why: The reasons; at most 4,000 characters.
    """
    with opened(where) as store:
        receipt = store.ledger.rule_dispute(
            dispute, verdict, why, command_id=command_id or _new_command(), actor=actor
        )
    return _answered(receipt, f"is ruled: {verdict}", json=json)


@dispute.command
def show(
    dispute: str, /, *, lang: Language = "en", where: Where = HERE, json: AsJson = False
) -> int:
    """Show a dispute: what is claimed, by whom and due when, what is on file, and the verdict.

    For example:

        jinhua dispute show d1 --lang zh

    Parameters:
        dispute: Its id.
        lang: Of the words around the texts.
    """
    with opened(where) as store:
        stored = store.ledger.dispute(dispute)
    if json:
        print_json(_as_json(dispute, stored))
    else:
        _print(dispute, stored, lang)
    return 0


@dispute.command(name="list")
def listed(
    *,
    state: State | None = None,
    hand: str | None = None,
    overdue: str | None = None,
    after: int = 0,
    limit: PageLength = 100,
    lang: Language = "en",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """List the disputes that meet every condition, in the order in which they were opened.

    For example:

        jinhua dispute list --state open --overdue now
        jinhua dispute list --hand t1-0001 --json

    Parameters:
        state: open, or ruled.
        hand: About this one.
        overdue: Not ruled at this time, though the verdict was due before it; `now` is one too.
        after: The position to read on from: the one of the last dispute of the page before.
        limit: How many at most.
        lang: Of the words.
    """
    wanted = DisputeFilter(state, hand, None if overdue is None else _moment(overdue))
    with opened(where) as store:
        catch_up(store)
        # One more than shown tells whether there is another page.
        found = store.views.disputes(wanted, after=after, limit=limit + 1)
    page = found[:limit]
    following = page[-1].opened_position if len(found) > limit else None
    if json:
        print_json({"disputes": [plain(row) for row in page], "after": following})
        return 0
    names = ("dispute", "hand", "by", "claims", "due", "state", "verdict", "notes")
    columns = ["#", *(word(lang, name) for name in names)]
    columns[-1] += "#"
    rows = (
        (
            *(row.opened_position, row.dispute, row.hand, row.by, row.claims, _time(row.due)),
            *(word(lang, row.state), row.verdict and word(lang, row.verdict), row.notes),
        )
        for row in page
    )
    table(columns, rows)
    if following is not None:
        say(f"more: --after {following}")
    return 0


def _new_command() -> str:
    return f"dispute:{uuid4()}"


def _moment(given: str) -> datetime:
    return now() if given == "now" else time_of(given)


def _described(file: Path) -> EvidenceFile:
    """Return what a file is.

    Raises:
        BadInputError: It cannot be read.
    """
    try:
        with file.open("rb") as opened_file:
            digest = hashlib.file_digest(opened_file, "sha256").hexdigest()
            size = opened_file.tell()
    except OSError as error:
        raise BadInputError(f"{file} cannot be read: {error.strerror}") from None
    return EvidenceFile(name=file.name, size=size, sha256=digest)


def _answered(receipt: Receipt, done: str, *, json: bool) -> int:
    """Print what became of a command."""
    told = {"status": receipt.status, "position": receipt.last_position, **receipt.answer}
    if json:
        print_json(told)
    else:
        say(f"dispute {told['dispute']} {done}, at position {receipt.last_position}")
    return 0


def _as_json(dispute: str, stored: Sequence[PositionedEntry]) -> dict[str, Any]:
    """Return a dispute as it stands, and all its events."""
    found = Dispute.replay(dispute_stream(dispute), (entry.event for _, entry in stored))
    opening, ruling = found.opening, found.ruling
    fields = {} if opening is None else opening.model_dump(exclude={"transfers"})
    return {
        "dispute": dispute,
        **fields,
        "state": "open" if ruling is None else "ruled",
        "verdict": ruling and ruling.verdict,
        "why": ruling and ruling.why,
        "events": [
            {
                "position": position,
                "version": entry.originator_version,
                "at": entry.cause.at,
                "actor": entry.cause.actor,
                "command_id": entry.cause.command_id,
                "topic": entry.event.TOPIC,
                "event": entry.event.model_dump(mode="json", exclude={"transfers"}),
            }
            for position, entry in stored
        ],
    }


def _print(dispute: str, stored: Sequence[PositionedEntry], lang: Language) -> None:
    """Print a dispute for a person; texts whole, each with when it came and from whom."""
    events = [entry.event for _, entry in stored]
    state = "ruled" if any(isinstance(event, DisputeRuled) for event in events) else "open"
    say(f"{word(lang, 'dispute')} {dispute}: {word(lang, state)}")
    for position, entry in stored:
        event = entry.event
        at = f"{position:8}  {_time(entry.cause.at)}  {entry.cause.actor}"
        if isinstance(event, DisputeOpened):
            say(f"{at}  {word(lang, 'opened')}: {word(lang, 'hand')} {event.hand}")
            say(f"          {word(lang, 'by')}: {event.by}")
            say(f"          {word(lang, 'claims')}: {event.claims}")
            say(f"          {word(lang, 'due')}: {_time(event.due)}")
            if event.claim is not None:
                say(f"          {word(lang, 'claim_event')}: {event.claim}")
        elif isinstance(event, DisputeNoted):
            say(f"{at}  {word(lang, 'noted')}: {event.text}")
            if event.evidence is not None:
                file = event.evidence
                size = word(lang, "bytes").format(size=file.size)
                say(f"          {word(lang, 'evidence')}: {file.name}, {size}")
                say(f"          SHA-256 {file.sha256}")
        elif isinstance(event, DisputeRuled):
            say(f"{at}  {word(lang, 'verdict')}: {word(lang, event.verdict)}")
            say(f"          {word(lang, 'why')}: {event.why}")


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}"
