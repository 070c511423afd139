"""Where the pot goes: what comes back out of it, its layers, and who wins what. RULES.md §6."""

from collections.abc import Iterator, Mapping, Sequence

from domain.events import Settlement
from domain.money import in_chips
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.phrases import level_of, sentence_case
from domain.zhajinhua.pots import Award, awards, divide, excess, has_layers, last_stand_refunds
from domain.zhajinhua.ranking import category_name


def emptied(tell: Telling, settlement: Settlement) -> Iterator[Remark]:
    """Argue the pot, refund by refund and share by share, until nothing is left in it."""
    paid = [seat.contributed for seat in tell.before.seats.values()]
    line = tell.say.priced("pot", " + ".join(map(in_chips, paid)), sum(paid), settlement["pot"])
    yield tell.remark("pot", "pot", [line], rounds=settlement["rounds"])
    yield from _stand_refunds(tell, settlement)
    yield from _excess(tell)
    if has_layers(tell.before):
        yield from _layers(tell, settlement)
    else:
        yield from _whole(tell, settlement)


def _stand_refunds(tell: Telling, settlement: Settlement) -> Iterator[Remark]:
    """Argue what each opponent beaten in a won last stand gets back."""
    stand, state = tell.before.stand, tell.before
    for number, due in sorted(last_stand_refunds(state).items()):
        assert stand is not None
        bets = state.seats[number].put_in_round(state.acted_round)
        full, paid = in_chips(stand.due), in_chips(stand.paid)
        line = tell.say.priced(
            "refund",
            f"{in_chips(bets)} x ({full} - {paid}) / {full}",
            due,
            settlement["seats"][str(number)]["refund"],
            truncated=bool(bets * (stand.due - stand.paid) % stand.due),
        )
        yield tell.remark("refund", "refund", [line], who=tell.seat(number))


def _excess(tell: Telling) -> Iterator[Remark]:
    """Argue what an all-in seat put in beyond everyone else's level."""
    back = excess(tell.before)
    if back is None:
        return
    formula = f"{in_chips(back.contributed)} - {in_chips(back.kept)}"
    yield tell.remark(
        "excess",
        "excess",
        [
            tell.level_sum(tell.before.seats[back.seat]),
            tell.say.sum("refund", in_chips(back.amount), formula),
        ],
        who=tell.seat(back.seat),
        level=level_of(back.level),
        second=level_of(back.second),
    )


def _whole(tell: Telling, settlement: Settlement) -> Iterator[Remark]:
    """Argue one pot, less whatever comes back out of it, taken by one seat or shared."""
    division = divide(tell.before)
    back = [result["refund"] for result in settlement["seats"].values() if result["refund"]]
    terms = " - ".join(map(in_chips, [settlement["pot"], *back]))
    left, count = sum(division.won.values()), len(division.won)
    odd = left % count
    for number, amount in sorted(division.won.items()):
        formula = terms if back else ""
        text, more = "won", ""
        if count > 1:
            text, more = "won_shared", tell.say("odd", odd=in_chips(odd)) if odd else ""
            formula = _part_of(f"({terms})" if back else terms, left, amount, count)
        recorded = settlement["seats"][str(number)]["won"]
        line = tell.say.priced("won", formula, amount, recorded)
        said = tell.say.together(tell.say(text, who=tell.seat(number), count=count), more)
        matter = "won" if tell.before.stand is None else "won_stand"
        yield Remark(matter if count == 1 else "shared", said, (line,))


def _part_of(terms: str, amount: int, got: int, count: int) -> str:
    """Return how one of several comes to its part: ``100.01 / 2 + 0.01``."""
    return f"{terms} / {count}" + (" + 0.01" if got > amount // count else "")


def _layers(tell: Telling, settlement: Settlement) -> Iterator[Remark]:
    """Argue the layers from the lowest up, then what each seat has of them."""
    found = awards(tell.before)
    below, excluded = "", set[int]()
    for place, award in enumerate(found, start=1):
        level = "" if award.layer.level is None else level_of(award.layer.level)
        bounds = _bounds(tell, below, level)
        first = award.passed_over is not None and award.passed_over not in excluded
        if award.passed_over is not None:
            excluded.add(award.passed_over)
        yield Remark(
            _matter(award, first=first),
            tell.say(
                "layer",
                place=place,
                bounds=bounds,
                who=tell.seats(award.layer.contestants),
                outcome=_outcome(tell, award, first=first),
            ),
            tuple(_layer_sums(tell, award)),
        )
        below = level
    yield from _won_of_layers(tell, found, settlement)


def _bounds(tell: Telling, below: str, level: str) -> str:
    """Return between which levels a layer lies."""
    if not level:
        return tell.say("layer_above", below=below or in_chips(0))
    return tell.say("layer_between" if below else "layer_up_to", below=below, level=level)


def _matter(award: Award, *, first: bool) -> str:
    """Return what a layer's outcome rests on."""
    if not award.winners:
        return "layer_back"
    if first:
        return "tie_excluded"
    return "layer" if len(award.winners) == 1 else "layer_shared"


def _outcome(tell: Telling, award: Award, *, first: bool) -> str:
    """Return where a layer goes, in words."""
    say, layer = tell.say, award.layer
    if not award.winners:
        return sentence_case(say("layer_back", who=tell.seats(layer.contestants)))
    text = "layer_won" if len(award.winners) == 1 else "layer_shared"
    if len(layer.contestants) == 1:
        text = "layer_alone"
    cards = tell.before.seats[award.winners[0]].cards
    category = say.category(category_name(cards, tell.before.rules))
    parts = [say(text, who=tell.seats(award.winners), category=category)]
    if award.passed_over is not None:
        passed = tell.seat(award.passed_over)
        parts.append(say("layer_excluded" if first else "layer_without", who=passed))
    odd = layer.amount % len(award.winners)
    if odd:
        parts.append(say("odd", odd=in_chips(odd)))
    return say.together(*parts)


def _layer_sums(tell: Telling, award: Award) -> Iterator[str]:
    """Yield who paid how much into a layer, and what of it goes where."""
    layer, say = award.layer, tell.say
    terms = [f"{tell.seat(n)} {in_chips(amount)}" for n, amount in sorted(layer.paid.items())]
    yield say.sum("layer", in_chips(layer.amount), " + ".join(terms))
    if not award.winners:
        yield say.sum("refund", in_chips(layer.amount))
    for number, amount in award.parts.items() if len(award.parts) > 1 else ():
        formula = _part_of(in_chips(layer.amount), layer.amount, amount, len(award.parts))
        yield say.sum("won", in_chips(amount), f"{tell.seat(number)} {formula}")


def _won_of_layers(
    tell: Telling, found: Sequence[Award], settlement: Settlement
) -> Iterator[Remark]:
    """Argue what each winner has of all layers together."""
    parts: dict[int, list[int]] = {}
    for award in found:
        for number, amount in award.parts.items():
            parts.setdefault(number, []).append(amount)
    for number, amounts in sorted(_positive(parts).items()):
        formula = " + ".join(map(in_chips, amounts)) if len(amounts) > 1 else ""
        recorded = settlement["seats"][str(number)]["won"]
        line = tell.say.priced("won", formula, sum(amounts), recorded)
        yield tell.remark("layers", "won_layers", [line], who=tell.seat(number))


def _positive(parts: Mapping[int, list[int]]) -> dict[int, list[int]]:
    """Return the seats that have anything at all, and of which layers."""
    return {n: [a for a in amounts if a] for n, amounts in parts.items() if any(amounts)}
