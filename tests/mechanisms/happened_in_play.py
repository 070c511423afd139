"""What happened while a hand was played: looks, bets, all-ins, top-ups, and why it was opened."""

from collections.abc import Iterator

from domain.events import (
    AllFolded,
    AllInTaken,
    AntePosted,
    BetCalled,
    BetRaised,
    CardsSeen,
    HandFolded,
    HandsCompared,
    HandsOpened,
    ToppedUp,
)
from domain.zhajinhua.all_in import match_price
from domain.zhajinhua.betting import call_price, factor, top_up_bounds
from tests.mechanisms.moments import Moment


def in_play(moment: Moment) -> Iterator[str]:
    """Yield the mechanisms of one moment that are no duel."""
    match moment.event:
        case AntePosted(seat=seat) if moment.after.seats[seat].all_in:
            yield "the ante empties a stack: all-in"
        case CardsSeen(seat=seat):
            yield from _looked(moment, seat)
        case BetCalled():
            yield from _called(moment, moment.event)
        case BetRaised():
            yield from _raised(moment, moment.event)
        case HandFolded():
            yield from _folded(moment, moment.event)
        case AllFolded():
            yield "everyone folds at once, for the banker"
        case ToppedUp():
            yield from _topped_up(moment, moment.event)
        case AllInTaken():
            yield from _all_in(moment, moment.event.seat)
        case HandsOpened():
            yield from _opened(moment, moment.event)


def _looked(moment: Moment, seat: int) -> Iterator[str]:
    yield "a look" if moment.before.turn == seat else "a look out of turn"
    shove = moment.before.shove
    if shove is None:
        return
    if moment.before.rules.all_in == "shove":
        yield "a look while an all-in waits for answers"
    elif seat in shove.pending:
        yield "a look after a blind all-in: it must duel"


def _called(moment: Moment, event: BetCalled) -> Iterator[str]:
    seat = moment.seat(event.seat)
    if moment.before.shove is not None:
        yield from _answered(moment, event)
        return
    if event.by == "timeout":
        yield "a protected timeout calls"
    yield "a seen call" if seat.seen else "a blind call"
    if moment.after.seats[event.seat].all_in:
        yield "a call empties a stack: all-in"
    yield from _counted(moment, event.seat)


def _answered(moment: Moment, event: BetCalled) -> Iterator[str]:
    seat, before = moment.seat(event.seat), moment.before
    due = match_price(before, seat)
    exact = (max(before.seats[n].level for n in before.all_ins) - seat.level) * factor(before, seat)
    yield "an all-in is answered by a call"
    if due > seat.stack:
        yield "an all-in is answered by a call with too little"
    if exact.denominator > 1:
        yield "an answer to an all-in is truncated"
    if moment.after.seats[event.seat].all_in:
        yield "an answer empties a stack: all-in"


def _raised(moment: Moment, event: BetRaised) -> Iterator[str]:
    chain = moment.before.chain
    if chain is not None and moment.before.turn != event.seat:
        yield (
            f"a chain of raises: link {chain.links + 1}"
            if chain.links < 3
            else ("a chain of raises: more than 3 links")
        )
        if chain.round < moment.before.round:
            yield "a chain goes on after the round has turned"
    else:
        yield "a raise"
    if event.stake == moment.before.max_stake:
        yield "a raise to the highest stake"
    if moment.after.seats[event.seat].all_in:
        yield "a raise empties a stack: all-in"
    yield from _counted(moment, event.seat)


def _counted(moment: Moment, seat: int) -> Iterator[str]:
    limit = moment.before.rules.blind_limit
    if limit is not None and moment.after.seats[seat].blind_bets == limit:
        yield "the last blind bet"


def _folded(moment: Moment, event: HandFolded) -> Iterator[str]:
    yield "a timeout folds" if event.by == "timeout" else "a fold"
    if moment.before.shove is not None:
        yield "an all-in is answered by a fold"
    if len(moment.after.remaining) == 1:
        yield "all others fold"


def _topped_up(moment: Moment, event: ToppedUp) -> Iterator[str]:
    seat, before = moment.seat(event.seat), moment.before
    bounds = top_up_bounds(before, seat)
    yield "a top-up" if not seat.top_ups else "a further top-up"
    if before.turn != event.seat:
        yield "a top-up out of turn"
    if before.shove is not None:
        yield "a top-up while an all-in waits for answers"
    if event.amount == bounds.by_carry:
        yield "a top-up up to three carries"
    if event.amount == bounds.by_max_stake:
        yield "a top-up up to a raise to the highest stake"


def _all_in(moment: Moment, number: int) -> Iterator[str]:
    before, seat, rules = moment.before, moment.seat(number), moment.before.rules
    if seat.stack < call_price(before, seat) and before.shove is None:
        yield "an all-in by a seat that cannot call"
        if rules.all_in == "shove" and before.round < rules.all_in_from_round:
            yield "an all-in before its round, by a seat that cannot call"
    else:
        yield "an all-in by choice"
    if not seat.stack:
        yield "an all-in with nothing"
    if rules.all_in == "any_turn":
        if not seat.seen and seat.blind_bets == rules.blind_limit:
            yield "a blind all-in after the last blind bet"
        yield "a seen all-in" if seat.seen else "a blind all-in"
        if not rules.blind_all_in_duel and not seat.seen:
            yield "a blind all-in that waits, since the table lets it"
    if rules.all_in != "shove":
        return
    shove = moment.after.shove
    assert shove is not None
    if before.shove is not None:
        higher = shove.seat == number
        yield "an all-in is topped" if higher else "an all-in is answered by no higher one"
    others = [n for n in moment.after.bettors if n != number]
    if shove.seat == number and len(shove.pending) < len(others):
        yield "a seat at the level already has nothing to answer"


def _opened(moment: Moment, event: HandsOpened) -> Iterator[str]:
    before = moment.before
    match event.why:
        case "round_limit":
            yield "opened at the round limit"
        case "short":
            yield "opened since somebody cannot pay the next call"
        case "showdown":
            yield "opened without a turn"
        case "all_in" if before.shove is not None:
            yield "opened since the all-in is answered"
        case "all_in" if not before.bettors:
            yield "opened since nobody can bet"
        case "all_in":
            matched = before.rules.opens_early == "levels_matched"
            last = "has matched every all-in" if matched else "has acted since the last all-in"
            yield f"opened since the last that can bet {last}"


def unanswered(moment: Moment) -> bool:
    """Tell whether a blind all-in has just lost its seat with others left to answer."""
    event, shove = moment.event, moment.before.shove
    return (
        isinstance(event, HandsCompared)
        and event.why == "shove"
        and moment.after.shove is None
        and shove is not None
        and len(shove.pending) > 1
    )
