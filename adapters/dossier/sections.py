"""What stands in each section of a dossier, put into words; every cell is a text."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from adapters.dossier.material import Material, SeenDispute
from adapters.dossier.words import word
from adapters.hand_words import bonus_of
from adapters.registers.refusals import StoredRefusal
from adapters.show import timeline, verdict_of
from domain.cards import HIDDEN
from domain.claims import NO_AMOUNTS, OF_A_SEAT, differences
from domain.events import (
    BonusGranted,
    CardsDealt,
    DisputeNoted,
    DisputeOpened,
    DisputeRuled,
    HandOpened,
    HandVoided,
    Settlement,
    SettlementClaimed,
)
from domain.money import in_chips
from domain.sight import as_seen
from domain.zhajinhua.explanation import Step, explain
from domain.zhajinhua.meanings import AMOUNTS, MEANINGS
from domain.zhajinhua.rulebook_pages import said
from domain.zhajinhua.wording import VOCABULARIES, Language, faces

_APART: Final = timedelta(seconds=1)
"""From here on a time that was given, and the server's own, are worth telling apart."""


class Player(NamedTuple):
    """Who sits where."""

    seat: str
    player: str
    carry: str
    role: str
    cards: str


class Parameter(NamedTuple):
    """One parameter of the table."""

    name: str
    value: str
    means: str


class Happening(NamedTuple):
    """A line of the timeline."""

    position: str
    time: str
    recorded: str  # by the server, where that is a second away or more
    who: str
    what: str
    price: str
    stack: str
    pot: str


class ClaimMade(NamedTuple):
    """Another system's figures."""

    what: str
    rows: Sequence[Sequence[str]]  # figure, claimed, settled, difference


class DisputeStep(NamedTuple):
    """Something put on file, or the verdict."""

    when: str
    actor: str
    what: str
    text: str
    evidence: str


class DisputeTold(NamedTuple):
    """One dispute."""

    title: str
    state: str
    is_overdue: bool
    by: str  # empty where the texts are not for the viewer, as all that follows
    claims: str
    due: str
    opened: str
    claim: str
    steps: Sequence[DisputeStep]
    is_whole: bool


def clock(at: datetime) -> str:
    """Print a time, in UTC and to the millisecond."""
    return at.astimezone(UTC).isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")


def day_and_time(at: datetime) -> str:
    """Print a time, in UTC; its fraction of a second where it has one."""
    return clock(at).removesuffix(".000")


def players(made_of: Material, lang: Language) -> list[Player]:
    """Return who sits where, with the cards that the viewer may see."""
    opening = opening_of(made_of)
    events = [entry.event for _, entry in made_of.stored]
    dealt = next((event.cards for event in events if isinstance(event, CardsDealt)), {})
    told_roles = {opening.dealer: ["dealer"], opening.opener: []}
    told_roles[opening.opener].append("opener")
    return [
        Player(
            seat=str(taken.seat),
            player=taken.player,
            carry=in_chips(taken.carry),
            role=word(lang, "comma").join(
                word(lang, role) for role in told_roles.get(taken.seat, [])
            ),
            cards=_cards(dealt.get(taken.seat, HIDDEN)),
        )
        for taken in opening.seats
    ]


def _cards(held: str) -> str:
    try:
        return "—" if held == HIDDEN else faces(held)
    except (ValueError, LookupError):
        return held  # tampered with


def parameters(made_of: Material, lang: Language) -> list[Parameter]:
    """Return the parameters of the table that were in force."""
    found = []
    for name, value in opening_of(made_of).table.items():
        meaning = MEANINGS.get(name)
        means = "" if meaning is None else meaning.means.of(lang)
        means = means.removesuffix("，以分计").removesuffix(", minor units")  # they are in chips
        found.append(Parameter(name, _parameter(name, value, lang), means))
    return found


def _parameter(name: str, value: object, lang: Language) -> str:
    if name in AMOUNTS and isinstance(value, int):
        return in_chips(value)
    return said(name, value, lang) if name in MEANINGS else str(value)


def happenings(made_of: Material, lang: Language) -> list[Happening]:
    """Return the timeline."""
    found = []
    for moment in timeline(made_of.stored, lang):
        at, recorded = moment.at, made_of.recorded_at[moment.position]
        who = "" if moment.seat is None else f"{moment.seat} {moment.player or ''}"
        amounts = (moment.price, moment.stack, moment.pot)
        cells = ("" if amount is None else in_chips(amount) for amount in amounts)
        later = _later(at, recorded)
        found.append(Happening(str(moment.position), clock(at), later, who, moment.what, *cells))
    return found


def _later(at: datetime, recorded: datetime) -> str:
    """Return when something was recorded, where that is not when it happened."""
    return "" if abs(recorded - at) < _APART else clock(recorded)


def argument(made_of: Material, lang: Language) -> list[Step]:
    """Return the argument; of a running hand without anybody's cards."""
    return explain(as_seen([entry.event for _, entry in made_of.stored]), lang)


def results(settlement: Settlement) -> list[list[str]]:
    """Return what each seat came to, and all together."""
    seats = {seat: dict(result) for seat, result in settlement["seats"].items()}
    rows = [[seat, *(_chips(of[name]) for name in OF_A_SEAT)] for seat, of in seats.items()]
    sums = (sum(_number(of[name]) for of in seats.values()) for name in OF_A_SEAT)
    return [*rows, ["", *map(in_chips, sums)]]


def bonuses(made_of: Material, lang: Language) -> list[list[str]]:
    """Return each 喜钱: whose, for what, from whom, how much."""
    categories = VOCABULARIES[lang].categories
    seated = {taken.seat: taken.player for taken in opening_of(made_of).seats}
    found = []
    for _, entry in made_of.stored:
        event = entry.event
        if isinstance(event, BonusGranted):
            payers = (
                f"{move.source.removeprefix('seat:')}: {in_chips(move.amount)}"
                for move in event.transfers
            )
            payer = word(lang, "payer_house") if event.payer == "house" else ", ".join(payers)
            name = categories.get(event.category, event.category)
            who = f"{event.seat} {seated.get(event.seat, '')}"
            found.append([who, name, payer, in_chips(bonus_of(event))])
    return found


def refused(refusals: Iterable[StoredRefusal]) -> list[list[str]]:
    """Return what was asked for and refused."""
    return [
        [
            clock(row.happened_at),
            _later(row.happened_at, row.recorded_at),
            row.actor,
            _asked(row),
            row.code,
            f"{row.message} [{row.rule}]",
        ]
        for row in refusals
    ]


def _asked(row: StoredRefusal) -> str:
    """Say what was asked for: what is done and by which seat, where that is told."""
    asked = row.asked or {}
    acts = asked.get("actions", [asked])
    done = [f"{act['do']} ({act.get('seat')})" for act in acts if "do" in act]
    return f"{row.kind}: {', '.join(done)}" if done else row.kind


def claims(made_of: Material, settlement: Settlement | None, lang: Language) -> list[ClaimMade]:
    """Return other systems' figures, each where it differs from the settlement."""
    found = []
    for position, entry in made_of.stored:
        event = entry.event
        if isinstance(event, SettlementClaimed):
            parted = differences(event.settlement, dict(settlement or {}))
            what = word(lang, "claim_is").format(
                claimant=event.claimant, position=position, event=entry.originator_version
            )
            rows = [_compared(one.path, one.claimed, one.derived) for one in parted]
            found.append(ClaimMade(what, rows))
    return found


def _compared(path: str, claimed: object, derived: object) -> list[str]:
    """Return two figures; amounts as chips."""
    if path not in NO_AMOUNTS and type(claimed) is int and type(derived) is int:
        return [path, in_chips(claimed), in_chips(derived), in_chips(claimed - derived)]
    return [path, str(claimed), "—" if derived is None else str(derived), ""]


def disputes(made_of: Material, at: datetime, lang: Language) -> list[DisputeTold]:
    """Return every dispute about the hand, as far as the viewer may see."""
    seated = {taken.player: taken.seat for taken in opening_of(made_of).seats}
    return [_dispute(seen, seated, at, lang) for seen in made_of.disputes]


def _dispute(
    seen: SeenDispute, seated: Mapping[str, int], at: datetime, lang: Language
) -> DisputeTold:
    opening, ruling = _ends(seen)
    state = word(lang, "open") if ruling is None else word(lang, ruling.verdict)
    seat = seated.get(opening.by)
    by = word(lang, "is_outside" if seat is None else "sits").format(by=opening.by, seat=seat)
    steps = [
        _step(stored.entry.event, clock(stored.entry.cause.at), stored.entry.cause.actor, lang)
        for stored in seen.stored[1:]
    ]
    return DisputeTold(
        title=word(lang, "dispute_is").format(dispute=seen.dispute),
        state=state,
        is_overdue=ruling is None and opening.due < at,
        by=by if seen.is_whole else "",
        claims=opening.claims if seen.is_whole else "",
        due=day_and_time(opening.due),
        opened=clock(seen.stored[0].entry.cause.at),
        claim="" if opening.claim is None else str(opening.claim),
        steps=steps if seen.is_whole else [],
        is_whole=seen.is_whole,
    )


def dispute_line(seen: SeenDispute, lang: Language) -> str:
    """Return how a dispute stands, in a line."""
    opening, ruling = _ends(seen)
    if ruling is None:
        due = day_and_time(opening.due)
        return word(lang, "dispute_open").format(dispute=seen.dispute, due=due)
    verdict = word(lang, ruling.verdict)
    return word(lang, "dispute_ruled").format(dispute=seen.dispute, verdict=verdict)


def _ends(seen: SeenDispute) -> tuple[DisputeOpened, DisputeRuled | None]:
    first, last = seen.stored[0].entry.event, seen.stored[-1].entry.event
    assert isinstance(first, DisputeOpened), first
    return first, last if isinstance(last, DisputeRuled) else None


def _step(event: object, when: str, actor: str, lang: Language) -> DisputeStep:
    if isinstance(event, DisputeRuled):
        what = f"{word(lang, 'verdict')}{word(lang, 'colon')}{word(lang, event.verdict)}"
        return DisputeStep(when, actor, what, event.why, "")
    assert isinstance(event, DisputeNoted), event
    file = event.evidence
    evidence = "" if file is None else word(lang, "evidence_is").format(**file.model_dump())
    return DisputeStep(when, actor, word(lang, "noted"), event.text, evidence)


def outcome(made_of: Material, lang: Language) -> str:
    """Say what has become of the hand."""
    events = [entry.event for _, entry in made_of.stored]
    state, settlement = verdict_of(events)
    if settlement is not None:
        seated = {taken.seat: taken.player for taken in opening_of(made_of).seats}
        called = word(lang, "seat_player")
        won = [called.format(seat=n, player=seated.get(n, "")) for n in settlement["winners"]]
        listed = word(lang, "comma").join(won)
        fields = {"pot": in_chips(settlement["pot"]), "winners": listed}
        return word(lang, "settled").format(**fields)
    if state == "void":
        reason = next(event.reason for event in events if isinstance(event, HandVoided))
        return word(lang, "void").format(reason=reason)
    return word(lang, "running" if made_of.seat is None else "running_seat")


def opening_of(made_of: Material) -> HandOpened:
    """Return the opening of the hand."""
    opening = made_of.stored[0].entry.event
    assert isinstance(opening, HandOpened), "a hand begins with its opening"
    return opening


def _chips(value: object) -> str:
    return in_chips(_number(value))


def _number(value: object) -> int:
    assert type(value) is int, value
    return value
