"""Look, call, raise, fold, top up: the price, and what it counts towards. RULES.md §3, §4.5."""

from collections.abc import Iterator

from domain.events import AllFolded, BetCalled, BetRaised, CardsSeen, HandFolded, ToppedUp
from domain.money import in_chips
from domain.zhajinhua.all_in import all_in_level, match_price
from domain.zhajinhua.betting import call_price, factor, top_up_bounds
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.phrases import level_of
from domain.zhajinhua.state import Seat


def looked(tell: Telling, event: CardsSeen) -> Iterator[Remark]:
    """Argue a look; after a blind all-in it takes the fold away."""
    shove = tell.before.shove
    if shove is not None and tell.before.rules.all_in != "shove" and event.seat in shove.pending:
        yield tell.remark("shove_duel", "looked_must_duel", who=tell.seat(event.seat))
        return
    price = factor(tell.after, tell.after.seats[event.seat])
    yield tell.remark("look", "looked", who=tell.seat(event.seat), factor=price)


def called(tell: Telling, event: BetCalled) -> Iterator[Remark]:
    """Argue a call; where an all-in waits for answers, it is one."""
    if tell.before.shove is not None:
        yield from _answered(tell, event)
        return
    seat = tell.before.seats[event.seat]
    formula = tell.stake_formula(tell.before, seat)
    line = tell.say.priced("call", formula, call_price(tell.before, seat), event.paid)
    matter = "call_seen" if seat.seen else "call_blind"
    who, how, text = tell.seat(event.seat), tell.how(event.seat), "called"
    if event.by == "timeout":
        matter, text = "timeout_call", "called_by_timeout"
    said = tell.say.together(tell.say(text, who=who, how=how), *counted(tell, event.seat))
    yield Remark(matter, said, (line,))
    yield from tell.emptied(event.seat)


def price_line(tell: Telling, seat: Seat) -> str:
    """Return what the next call of a seat would cost, an answer to an all-in where one waits."""
    before, say = tell.before, tell.say
    if before.shove is None:
        return say.sum("call", in_chips(call_price(before, seat)), tell.stake_formula(before, seat))
    if before.rules.all_in != "shove":
        return say.sum("call", in_chips(before.shove.amount))
    due = match_price(before, seat)
    return say.priced("call", _match_formula(tell, seat), due, due, truncated=_is_cut(tell, seat))


def _match_formula(tell: Telling, seat: Seat) -> str:
    """Return how the answer to an all-in is worked out: what the level lacks, times the factor."""
    height, level = level_of(all_in_level(tell.before)), level_of(seat.level)
    return f"({height} - {level}) x {factor(tell.before, seat)}"


def _is_cut(tell: Telling, seat: Seat) -> bool:
    """Tell whether the answer to an all-in drops a fraction of a unit."""
    exact = (all_in_level(tell.before) - seat.level) * factor(tell.before, seat)
    return exact.denominator != 1


def _answered(tell: Telling, event: BetCalled) -> Iterator[Remark]:
    """Argue the answer to an all-in: what lifts the seat to its level, or all it has."""
    before, say = tell.before, tell.say
    seat, height = before.seats[event.seat], all_in_level(before)
    due, formula, cut = match_price(before, seat), _match_formula(tell, seat), _is_cut(tell, seat)
    fields = {"who": tell.seat(event.seat), "how": tell.how(event.seat)}
    fields |= {"height": level_of(height), "stack": in_chips(seat.stack)}
    lines = [tell.level_sum(seat)]
    if due > seat.stack:
        lines.append(say.priced("due", formula, due, due, truncated=cut))
        lines.append(say.priced("paid", "", seat.stack, event.paid))
    else:
        lines.append(say.priced("call", formula, due, event.paid, truncated=cut))
    text = "answered_short" if due > seat.stack else "answered"
    yield tell.remark("shove_answer", text, lines, **fields)
    yield from tell.emptied(event.seat)


def raised(tell: Telling, event: BetRaised) -> Iterator[Remark]:
    """Argue a raise, and which link of a chain it is."""
    seat, raised = tell.before.seats[event.seat], tell.before._replace(stake=event.stake)
    formula = tell.stake_formula(raised, seat)
    line = tell.say.priced("raise", formula, call_price(raised, seat), event.paid)
    said = tell.say(
        "raised",
        who=tell.seat(event.seat),
        how=tell.how(event.seat),
        old=in_chips(tell.before.stake),
        new=in_chips(event.stake),
    )
    chain = tell.before.chain
    link, matter = "", "raise"
    if chain is not None and tell.before.turn != event.seat:
        link = tell.say("link", link=chain.links + 1, limit=tell.before.rules.chain)
        matter = "chain"
    yield Remark(matter, tell.say.together(said, link, *counted(tell, event.seat)), (line,))
    yield from tell.emptied(event.seat)


def counted(tell: Telling, number: int) -> Iterator[str]:
    """Yield which blind bet of how many this is, where blind bets are limited."""
    seat, limit = tell.before.seats[number], tell.before.rules.blind_limit
    if limit is not None and not seat.seen and tell.before.shove is None:
        yield tell.say("blind_count", count=seat.blind_bets + 1, limit=limit)


def folded(tell: Telling, event: HandFolded) -> Iterator[Remark]:
    """Argue a fold, by choice or by a timeout."""
    text = "folded" if event.by == "choice" else f"folded_by_{event.by}"
    matter = "timeout" if event.by == "timeout" else "fold"
    put_in = in_chips(tell.after.seats[event.seat].contributed)
    yield tell.remark(matter, text, who=tell.seat(event.seat), contributed=put_in)


def everyone_folded(tell: Telling, event: AllFolded) -> Iterator[Remark]:
    """Argue a fold of everyone at once."""
    banker = tell.seat(tell.before.dealer)
    yield tell.remark("fold_all", "folded_by_everyone", who=banker, others=tell.seats(event.seats))


def topped_up(tell: Telling, event: ToppedUp) -> Iterator[Remark]:
    """Argue a top-up: why it was allowed, how many of them, and how much at most."""
    before, say = tell.before, tell.say
    seat, rules = before.seats[event.seat], before.rules
    bounds, had = top_up_bounds(before, seat), sum(seat.top_ups)
    carry = f"{rules.top_up_carries} x {in_chips(seat.carry)} - {in_chips(had)}"
    call = in_chips(call_price(before, seat))
    lines = [
        say.sum("call", call, tell.stake_formula(before, seat)),
        say.sum("by_carry", in_chips(bounds.by_carry), carry),
    ]
    if bounds.by_max_stake is not None and before.max_stake is not None:
        highest = f"{in_chips(before.max_stake)} x {factor(before, seat)}"
        formula = f"{highest} - {in_chips(seat.stack)}"
        lines.append(say.sum("by_max_stake", in_chips(bounds.by_max_stake), formula))
    after = in_chips(seat.stack + event.amount)
    lines.append(say.sum("stack", after, f"{in_chips(seat.stack)} + {in_chips(event.amount)}"))
    yield tell.remark(
        "top_up",
        "topped_up",
        lines,
        who=tell.seat(event.seat),
        how=tell.how(event.seat),
        stack=in_chips(seat.stack),
        amount=in_chips(event.amount),
        count=len(seat.top_ups) + 1,
        limit=rules.top_ups,
    )
