"""All-in: why a seat may, its level, and who has to answer. RULES.md §4."""

from collections.abc import Iterator

from domain.events import AllInTaken
from domain.zhajinhua.betting import call_price
from domain.zhajinhua.explanation.telling import Remark, Telling


def all_in_taken(tell: Telling, event: AllInTaken) -> Iterator[Remark]:
    """Argue an all-in."""
    before, say = tell.before, tell.say
    seat, price = before.seats[event.seat], call_price(before, before.seats[event.seat])
    lines: list[str] = []
    parts = [say("all_in", who=tell.seat(event.seat), how=tell.how(event.seat))]
    matter = f"all_in_{before.rules.all_in}"
    if _only_since_short(tell) and seat.stack < price:
        if before.rules.all_in == "shove":
            matter = "all_in_early"
        parts.append(say("all_in_short"))
        lines.append(say.priced("call", tell.stake_formula(before, seat), price, price))
    lines.append(say.priced("all_in", "", seat.stack, event.paid))
    lines.append(tell.level_sum(tell.after.seats[event.seat]))
    said = say.together(*parts, _sequel(tell, event.seat))
    yield Remark(matter, said, tuple(lines))


def _only_since_short(tell: Telling) -> bool:
    """Tell whether a seat that could call would not have been allowed to."""
    rules = tell.before.rules
    too_early = tell.before.shove is None and tell.before.round < rules.all_in_from_round
    return rules.all_in == "when_short" or (rules.all_in == "shove" and too_early)


def _sequel(tell: Telling, number: int) -> str:
    """Return what follows from an all-in, in words."""
    shove = tell.after.shove
    if shove is None:
        return tell.say("all_in_waits")
    if shove.seat != number:
        return tell.say("all_in_tops_nobody")
    if not shove.pending:
        return tell.say("all_in_unanswered")
    duels = tell.after.rules.all_in != "shove"
    text = "all_in_duelled" if duels else "all_in_answered"
    return tell.say(text, others=tell.seats(shove.pending))
