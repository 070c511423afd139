"""The end of a hand's argument: rake, prize, what each seat comes to, and what others claim."""

from collections.abc import Iterator, Mapping
from typing import cast

from domain.claims import NO_AMOUNTS, differences
from domain.events import (
    DeckDisclosed,
    HandSettled,
    HandVoided,
    SeatResult,
    Settlement,
    SettlementClaimed,
)
from domain.money import in_chips, part
from domain.zhajinhua.disclosing import other_cards
from domain.zhajinhua.explanation import pot
from domain.zhajinhua.explanation.side_payments import swept
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.pots import best
from domain.zhajinhua.settlement import BASIS_POINTS, PER_CENT, multiple, prize
from domain.zhajinhua.side_payments import sweep_payments

_TERMS = (("won", 1), ("refund", 1), ("side", 1), ("bonus", 1), ("contributed", -1))
_SEAT_TO_SEAT = "seat:"


def settled(tell: Telling, event: HandSettled) -> Iterator[Remark]:
    """Argue a settlement, in the order of RULES.md §6."""
    settlement = event.settlement
    if tell.before.rules.play == "showdown":
        yield from _showdown(tell, settlement)
    else:
        yield from pot.emptied(tell, settlement)
        yield from _sweep(tell, event)
    results = {int(number): result for number, result in settlement["seats"].items()}
    if tell.before.rules.rake_bp:
        for number, result in results.items():
            if result["rake"] or number in settlement["winners"]:
                yield _rake(tell, result)
    for number, result in results.items():
        lines = list(_net(tell, result))
        net = in_chips(result["net"])
        yield tell.remark("net", "net", lines, who=tell.seat(number), net=net)
    yield _balance(tell, settlement)


def claimed(
    tell: Telling, event: SettlementClaimed, settlement: Settlement | None
) -> Iterator[Remark]:
    """Hold a foreign system's figures against the settlement; each that differs is named."""
    parts = [
        tell.say("claim_figure", path=path, claimed=_figure(path, was), derived=_figure(path, due))
        for path, was, due in differences(event.settlement, settlement or {})
    ]
    text = "claim_differs" if parts else "claim_agrees"
    yield tell.remark("claim", text, parts, claimant=event.claimant)


def voided(tell: Telling, event: HandVoided) -> Iterator[Remark]:
    """Argue that every chip goes back."""
    sums = [tell.say.sum("returned", in_chips(move.amount)) for move in event.transfers]
    yield tell.remark("void", "voided", sums, reason=event.reason)


def disclosed(tell: Telling, event: DeckDisclosed) -> Iterator[Remark]:
    """Deal the disclosed deck again; that it is the one committed to, verification says."""
    seats = other_cards(tell.before, event.deck)
    text = "disclosed_other" if seats else "disclosed"
    dealer, who = tell.seat(tell.before.dealer), tell.seats(seats)
    yield tell.remark("deck", text, dealer=dealer, who=who)


def _showdown(tell: Telling, settlement: Settlement) -> Iterator[Remark]:
    """Argue the antes to the house, and the prize from it."""
    state, say = tell.before, tell.say
    antes = [seat.contributed for seat in state.seats.values()]
    won, (winner,) = prize(state), best(state, state.remaining)
    banked = settlement.get("house_banked", 0)
    yield tell.remark(
        "banked",
        "banked",
        [
            say.priced("antes", " + ".join(map(in_chips, antes)), sum(antes), settlement["pot"]),
            say.priced(
                "banked", f"{in_chips(sum(antes))} - {in_chips(won)}", sum(antes) - won, banked
            ),
        ],
    )
    multiples = [multiple(state, number) for number in state.seats]
    total = sum(multiples)
    terms = " + ".join(
        f"{tell.seat(number)} {in_chips(multiple(state, number))}" for number in state.seats
    )
    recorded = settlement["seats"][str(winner)]["won"]
    formula = f"{in_chips(state.ante)} x {in_chips(total)}"
    truncated = bool(state.ante * total % PER_CENT)
    yield tell.remark(
        "prize",
        "won_prize",
        [
            say.sum("multiples", in_chips(total), terms),
            say.priced("prize", formula, won, recorded, truncated=truncated),
        ],
        who=tell.seat(winner),
    )


def _sweep(tell: Telling, event: HandSettled) -> Iterator[Remark]:
    """Argue what a banker takes from the players at the end."""
    winners = event.settlement["winners"]
    payments = sweep_payments(tell.before, winners[0]) if len(winners) == 1 else ()
    recorded = [
        move
        for move in event.transfers
        if move.source.startswith(_SEAT_TO_SEAT) and move.target.startswith(_SEAT_TO_SEAT)
    ]
    yield from swept(tell, payments, recorded)


def _rake(tell: Telling, result: SeatResult) -> Remark:
    """Return the house's share of a winner's net win, worked out."""
    gain = result["won"] + result["refund"] - result["contributed"]
    rate = tell.before.rules.rake_bp
    due = part(max(gain, 0), rate, BASIS_POINTS)
    terms = f"{in_chips(result['won'])} + {in_chips(result['refund'])}"
    formula = f"({terms} - {in_chips(result['contributed'])}) x {in_chips(rate)} %"
    truncated = gain > 0 and bool(gain * rate % BASIS_POINTS)
    line = tell.say.priced("rake", formula, due, result["rake"], truncated=truncated)
    return tell.remark("rake", "rake", [line])


def _net(tell: Telling, result: SeatResult) -> Iterator[str]:
    """Yield the sum that gives a seat's net, before and after rake."""
    say, figures = tell.say, cast(Mapping[str, int], result)  # all figures of a seat are integers
    terms = [
        f"{'-' if sign < 0 else '+'} {say(f'name_{name}')} {in_chips(figures[name])}"
        for name, sign in _TERMS
        if figures[name]
    ]
    before = sum(sign * figures[name] for name, sign in _TERMS)
    line = f"{' '.join(terms).removeprefix('+ ')} = {in_chips(before)}"
    rake, net = result["rake"], result["net"]
    if rake:
        yield say("before_rake", sum=line)
        terms = [in_chips(before), "-", say("name_rake"), in_chips(rake)]
        line = f"{' '.join(terms)} = {in_chips(before - rake)}"
    yield line if before - rake == net else line + say.recorded(net)


def _balance(tell: Telling, settlement: Settlement) -> Remark:
    """Return the law that the whole hand obeys, in its own numbers."""
    say, nets = tell.say, [result["net"] for result in settlement["seats"].values()]
    bonus, rake = settlement["house_bonus"], settlement["rake"]
    banked = settlement.get("house_banked")
    terms = " + ".join(f"({in_chips(net)})" if net < 0 else in_chips(net) for net in nets)
    house = f"{in_chips(bonus)} - {say('name_rake')} {in_chips(rake)}"
    if banked is not None:
        given = f"({in_chips(banked)})" if banked < 0 else in_chips(banked)
        house = f"{in_chips(bonus)} - {say('name_banked')} {given}"
    lines = [
        say.sum("sum", in_chips(sum(nets)), terms),
        say.sum("bonus", in_chips(bonus - rake - (banked or 0)), house),
    ]
    return tell.remark("net", "balance" if banked is None else "balance_banked", lines)


def _figure(path: str, value: object) -> str:
    """Print a figure of a claim: an amount as chips, a round or the winners as they are."""
    return in_chips(value) if isinstance(value, int) and path not in NO_AMOUNTS else str(value)
