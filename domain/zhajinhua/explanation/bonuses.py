"""喜钱: what was due to a seat, and from whom. RULES.md §6.5."""

from collections.abc import Iterator

from domain.events import BonusGranted
from domain.money import in_chips, seat_account
from domain.zhajinhua.bonus import bonuses
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.pots import divide


def granted(tell: Telling, event: BonusGranted) -> Iterator[Remark]:
    """Argue one seat's bonus."""
    rules, say, who = tell.before.rules, tell.say, tell.seat(event.seat)
    category = say.category(event.category)
    if event.payer == "seats":
        yield from _from_seats(tell, event)
    elif rules.bonus == "antes":
        antes = dict[str, int](rules.bonus_antes).get(event.category, 0)
        formula = f"{antes} x {in_chips(tell.before.ante)}"
        line = say.priced("bonus", formula, antes * tell.before.ante, event.paid)
        yield tell.remark("bonus", "bonus", [line], who=who, category=category)
    else:
        text = "bonus_lucky" if rules.bonus == "drawn" else "bonus_drawn"
        line = say.priced("bonus", "", tell.before.draws.get(event.seat, 0), event.paid)
        yield tell.remark("bonus", text, [line], who=who, category=category)


def _from_seats(tell: Telling, event: BonusGranted) -> Iterator[Remark]:
    """Argue what each other seat pays, as far as its stack reaches."""
    played, say = tell.played, tell.say
    antes = dict[str, int](played.rules.bonus_antes).get(event.category, 0)
    winners = [number for number, amount in divide(played).won.items() if amount]
    granted_by_rule = {bonus.seat: bonus.transfers for bonus in bonuses(played, winners)}
    derived = {move.source: move.amount for move in granted_by_rule.get(event.seat, ())}
    recorded = {move.source: move.amount for move in event.transfers}
    due, formula = antes * played.ante, f"{antes} x {in_chips(played.ante)}"
    lines = []
    for payer in played.from_after_dealer():
        if payer == event.seat:
            continue
        name = seat_account(payer)
        amount = derived.get(name, 0)
        line = say.sum("bonus", in_chips(due), formula)
        source, target = played.seats[payer], played.seats[event.seat]
        line = say.paid_between(line, due, amount, source, target)
        if amount != recorded.get(name, 0):
            line += say.recorded(recorded.get(name, 0))
        lines.append(line)
    yield tell.remark("bonus", f"bonus_{event.category}", lines, who=tell.seat(event.seat))
