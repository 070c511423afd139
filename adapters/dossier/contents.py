"""All sections of a dossier together: what the template prints, every cell a text.

The same material at the same moment gives the same contents, and so the same bytes.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar

from adapters.dossier import sections
from adapters.dossier.material import Material
from adapters.dossier.rules_page import Section, cited
from adapters.dossier.sections import (
    ClaimMade,
    DisputeTold,
    Happening,
    Parameter,
    Player,
    day_and_time,
)
from adapters.dossier.words import labels, word
from adapters.evidence.notes import parse, signed_by
from adapters.hand_words import deal_told
from adapters.show import verdict_of
from domain.discrepancies import Discrepancy
from domain.errors import RefusalError, UnknownRulebookError
from domain.events import HandSettled, Settlement
from domain.money import in_chips
from domain.stream import BROKEN
from domain.zhajinhua.explanation import Step
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.wording import Language

T = TypeVar("T")

ORDER: Final = (
    *("verdict", "table", "timeline", "argument", "settlement", "refusals", "claims"),
    *("disputes", "proof", "limits", "rules"),
)
"""The sections."""

_LIMITS: Final = ("shuffle", "people", "outside", "texts", "later", "file")


class Finding(NamedTuple):
    """One line of the outcome."""

    what: str
    text: str
    tone: str  # "good", "bad" or "plain"


class Rests(NamedTuple):
    """A step of the argument, and whether its sentence was quoted before."""

    step: Step
    is_new: bool


class ProofFile(NamedTuple):
    """The proof, to be saved from the page."""

    name: str
    href: str
    download: str
    digest: str
    note: str
    size: str
    root: str
    signers: str
    printed: str
    checks: Sequence[str]


class Contents(NamedTuple):
    """Everything on the page."""

    lang: Language
    w: dict[str, str]  # all words
    numbers: dict[str, int]  # of the sections
    title: str
    made: str
    position: str
    viewer: str
    findings: Sequence[Finding]
    discrepancies: Sequence[Sequence[str]]
    players: Sequence[Player]
    rulebook: Sequence[tuple[str, str]]
    parameters: Sequence[Parameter]
    timeline: Sequence[Happening]
    is_broken: bool
    argument: Sequence[Rests]
    argument_note: str
    results: Sequence[Sequence[str]]
    house: str
    bonuses: Sequence[Sequence[str]]
    refusals: Sequence[Sequence[str]] | None
    refusals_are_own: bool
    claims: Sequence[ClaimMade]
    disputes: Sequence[DisputeTold]
    proof: ProofFile | None
    no_proof: str
    limits: Sequence[str]
    rules: Sequence[Section]


def contents(made_of: Material, *, at: datetime, lang: Language) -> Contents:
    """Return what a dossier says.

    Args:
        made_of: What was read.
        at: When it is made, a time with its zone.
        lang: Of everything but texts, quotations and the rules.
    """
    say = labels(lang)
    steps, is_broken = _followed(lambda: sections.argument(made_of, lang), [])
    happened, no_timeline = _followed(lambda: sections.happenings(made_of, lang), [])
    settlement = _settlement(made_of)
    results, no_results = _followed(lambda: sections.results(settlement) if settlement else [], [])
    return Contents(
        lang=lang,
        w=say,
        numbers={name: number for number, name in enumerate(ORDER, 1)},
        title=say["title"].format(hand=made_of.hand),
        made=day_and_time(at),
        position=str(made_of.position),
        viewer=say[made_of.viewer.role].format(player=made_of.viewer.player, seat=made_of.seat),
        findings=_findings(made_of, lang),
        discrepancies=[
            _discrepancy(parted, lang, over=made_of.over) for parted in made_of.discrepancies
        ],
        players=sections.players(made_of, lang),
        rulebook=_rulebook(made_of, lang),
        parameters=sections.parameters(made_of, lang),
        timeline=happened,
        is_broken=is_broken or no_timeline or no_results,
        argument=_quoted_once(steps),
        argument_note=say["argument_note"].format(section=ORDER.index("rules") + 1),
        results=results,
        house=_house(settlement, lang) if results else "",
        bonuses=sections.bonuses(made_of, lang),
        refusals=None if made_of.refusals is None else sections.refused(made_of.refusals),
        refusals_are_own=made_of.viewer.role == "player",
        claims=sections.claims(made_of, settlement, lang),
        disputes=sections.disputes(made_of, at, lang),
        proof=_proof(made_of, lang),
        no_proof="" if made_of.no_proof is None else say[made_of.no_proof],
        limits=[say[f"limit_{name}"] for name in _LIMITS],
        rules=cited(step.rule for step in steps),
    )


def _followed(work: Callable[[], list[T]], otherwise: list[T]) -> tuple[list[T], bool]:
    """Follow a hand's events; some that were tampered with lead nowhere."""
    try:
        return work(), False
    except (RefusalError, *BROKEN):
        return otherwise, True


def _settlement(made_of: Material) -> Settlement | None:
    events = (entry.event for _, entry in made_of.stored)
    return next((event.settlement for event in events if isinstance(event, HandSettled)), None)


def _findings(made_of: Material, lang: Language) -> list[Finding]:
    """Return the outcome: hand, verification, deal, disputes, proof."""
    say = labels(lang)
    state, _ = verdict_of([entry.event for _, entry in made_of.stored])
    count = len(made_of.discrepancies)
    agrees = say["agrees"]
    if count:
        agrees = say["parts_one" if count == 1 else "parts"].format(count=count)
    is_forged = made_of.deal.reason in {"deal_differs", "commitment_mismatch", "unreadable"}
    tone = "good" if made_of.deal.verdict == "proven" else "bad" if is_forged else "plain"
    stand = [sections.dispute_line(seen, lang) for seen in made_of.disputes]
    if made_of.proof is None:
        proof = say["proof_missing"].format(section=ORDER.index("proof") + 1)
    else:
        proof = say["proof_there"].format(size=parse(made_of.proof["checkpoint"]).size)
    return [
        Finding(
            say["hand_state"],
            sections.outcome(made_of, lang),
            "plain" if state == "settled" else "bad",
        ),
        Finding(say["verification"], agrees, "bad" if count else "good"),
        Finding(say["deal"], deal_told(*made_of.deal, lang), tone),
        Finding(
            say["disputes_section"], say["semicolon"].join(stand) or say["no_disputes"], "plain"
        ),
        Finding(say["proof"], proof, "plain"),
    ]


def _discrepancy(parted: Discrepancy, lang: Language, *, over: bool) -> list[str]:
    withheld = word(lang, "withheld")
    shown = [str(parted.recorded), str(parted.derived)] if over else [withheld, withheld]
    return [str(parted.position or "—"), parted.what, *shown, parted.rule]


def _rulebook(made_of: Material, lang: Language) -> list[tuple[str, str]]:
    """Return which rulebook the hand pins."""
    opening = sections.opening_of(made_of)
    say = labels(lang)
    try:
        rulebook = find(opening.rulebook, opening.version)
    except UnknownRulebookError:  # tampered with; the verification says so
        return [(say["rulebook"], f"{opening.rulebook} v{opening.version}")]
    name, document = rulebook.name, rulebook.document
    fields = {"id": opening.rulebook, "version": opening.version, "name": name}
    found = [
        (say["rulebook"], say["rulebook_is"].format(**fields)),
        (say["document"], document),
        (say["digest"], opening.digest),
    ]
    return [*found, (say["commitment"], opening.commitment)] if opening.commitment else found


def _quoted_once(steps: Sequence[Step]) -> list[Rests]:
    """Mark where each sentence of a document is first rested on."""
    quoted: set[str] = set()
    found = []
    for step in steps:
        found.append(Rests(step, bool(step.quotation) and step.quotation not in quoted))
        quoted.add(step.quotation)
    return found


def _house(settlement: Settlement | None, lang: Language) -> str:
    """Say what the house took and gave, and that the nets come to the same."""
    if settlement is None:
        return ""
    net = sum(result["net"] for result in settlement["seats"].values())
    told = word(lang, "house").format(
        rake=in_chips(settlement["rake"]),
        bonus=in_chips(settlement["house_bonus"]),
        net=in_chips(net),
    )
    banked = settlement.get("house_banked")
    return (
        told if banked is None else f"{told} {word(lang, 'banked').format(banked=in_chips(banked))}"
    )


def _proof(made_of: Material, lang: Language) -> ProofFile | None:
    """Return the proof as a file, the same bytes that `jinhua proof` writes."""
    if made_of.proof is None:
        return None
    say = labels(lang)
    text = json.dumps(made_of.proof, ensure_ascii=False, indent=1) + "\n"
    data = text.encode()
    name = _file_name(made_of.hand)
    note = made_of.proof["checkpoint"]
    checkpoint = parse(note)
    fields = {"name": name, "events": len(made_of.proof["events"]), "bytes": len(data)}
    return ProofFile(
        name=name,
        href=f"data:application/json;base64,{b64encode(data).decode()}",
        download=say["download"].format(**fields),
        digest=sha256(data).hexdigest(),
        note=note,
        size=str(checkpoint.size),
        root=checkpoint.root.hex(),
        signers=", ".join(signed_by(note)) or say["unsigned"],
        printed=say["printed"].format(hand=made_of.hand, name=name),
        checks=[say[f"check_{number}"].format(name=name) for number in range(1, 5)],
    )


def _file_name(hand: str) -> str:
    """Return a name that every file system takes."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in hand)
    return f"proof-{safe[:80]}.json"
