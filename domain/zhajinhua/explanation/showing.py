"""Why the hands still in are shown now, and which is best. RULES.md §3.7, §4.2-§4.4, §5.5."""

from collections.abc import Iterator

from domain.events import HandsOpened
from domain.money import in_chips
from domain.zhajinhua.all_in import all_in_level
from domain.zhajinhua.betting import call_price
from domain.zhajinhua.explanation.side_payments import pair_paid
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.opening import short_seats
from domain.zhajinhua.phrases import level_of
from domain.zhajinhua.pots import best
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.side_payments import opening_pairs


def opened(tell: Telling, event: HandsOpened) -> Iterator[Remark]:
    """Argue that the hands are opened, and what is paid between them."""
    why = _why(tell, event)
    winners = best(tell.before, tell.before.remaining)
    yield why._replace(text=tell.say.together(why.text, _best(tell, winners)))
    pairs = opening_pairs(tell.before, winners[0]) if len(winners) == 1 else ()
    yield from pair_paid(tell, pairs, event.transfers)


def _why(tell: Telling, event: HandsOpened) -> Remark:
    """Return the reason."""
    match event.why:
        case "round_limit":
            return tell.remark("open_limit", "open_limit", limit=tell.before.rules.round_limit)
        case "short":
            return _short(tell)
        case "showdown":
            return tell.remark("showdown", "open_showdown")
        case _:
            return _after_all_ins(tell)


def _short(tell: Telling) -> Remark:
    """Return who cannot pay the next call."""
    state, say = tell.before, tell.say
    short = short_seats(state)
    lines = []
    for seat in (state.seats[number] for number in short):
        call = say.sum("call", in_chips(call_price(state, seat)), tell.stake_formula(state, seat))
        lines.append(say("join").join((call, say.sum("stack", in_chips(seat.stack)))))
    return tell.remark("open_short", "open_short", lines, who=tell.seats(short))


def _after_all_ins(tell: Telling) -> Remark:
    """Return why nothing is left to wait for once somebody is all-in."""
    state = tell.before
    if state.shove is not None:
        matter = "open_answered" if state.rules.all_in == "shove" else "open_duelled"
        return tell.remark(matter, "open_answered")
    matter = f"open_{state.rules.opens_early}"
    if not state.bettors:
        return tell.remark(matter, "open_nobody")
    last = state.bettors[0]
    if state.rules.opens_early == "last_has_acted":
        return tell.remark(matter, "open_acted", who=tell.seat(last))
    level, height = state.seats[last].level, all_in_level(state)
    sums = [tell.level_sum(state.seats[last])]
    who = tell.seat(last)
    fields = {"who": who, "level": level_of(level), "height": level_of(height)}
    return tell.remark(matter, "open_matched", sums, **fields)


def _best(tell: Telling, winners: tuple[int, ...]) -> str:
    """Return which of the hands shown is best."""
    if not tell.say.shown:
        return ""
    cards = tell.before.seats[winners[0]].cards
    category = tell.say.category(category_name(cards, tell.before.rules))
    if len(winners) > 1:
        return tell.say("best_equal", who=tell.seats(winners), category=category)
    faces = tell.say.faces(cards)
    return tell.say("best", who=tell.seat(winners[0]), faces=faces, category=category)
