"""Duels: the price, the cards, who is out, and what a tie comes to. RULES.md §5.1-§5.4, §4.4."""

from collections.abc import Iterator

from domain.events import HandsCompared, LastStandTaken
from domain.money import POT, in_chips
from domain.zhajinhua.betting import factor
from domain.zhajinhua.comparing import compare_price, push_due
from domain.zhajinhua.explanation.bets import counted
from domain.zhajinhua.explanation.side_payments import pair_paid
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.ranking import Category, category_name, duel, strength
from domain.zhajinhua.side_payments import duel_pair
from domain.zhajinhua.state import Seat

_MATTERS = {
    "compare": "compare",
    "forced": "forced_duel",
    "last_stand": "last_stand_duel",
    "shove": "shove_duel",
}


def last_stand(tell: Telling, event: LastStandTaken) -> Iterator[Remark]:
    """Argue that a seat puts in all it has: what was due, what it paid."""
    seat = tell.before.seats[event.seat]
    due = compare_price(tell.before, seat)
    sums = [
        tell.say.priced("due", _formula(tell, seat), due, event.due),
        tell.say.priced("paid", "", seat.stack, event.paid),
    ]
    text = "last_stand_by_timeout" if event.by == "timeout" else "last_stand"
    who, how, stack = tell.seat(event.seat), tell.how(event.seat), in_chips(seat.stack)
    yield tell.remark("last_stand", text, sums, who=who, how=how, stack=stack)


def compared(tell: Telling, event: HandsCompared) -> Iterator[Remark]:
    """Argue a duel, and whatever else it moves."""
    matter, result = _result(tell, event)
    text = f"{event.why}_duel"
    if event.why == "compare":
        text = "compared_by_timeout" if event.by == "timeout" else "compared"
        if event.by == "timeout" and matter == "compare":
            matter = "timeout_compare"
    said = tell.say(
        text,
        who=tell.seat(event.challenger),
        other=tell.seat(event.challenged),
        how=tell.how(event.challenger),
        result=result,
    )
    yield Remark(matter, tell.say.together(said, *_asides(tell, event)), _sums(tell, event))
    yield from tell.emptied(event.challenger)
    if event.winner is not None and event.out:
        paid = event.transfers[:1] if event.why in {"compare", "shove"} else ()
        paid = tuple(move for move in paid if move.target == POT)
        pair = duel_pair(tell.before, event.winner, event.out[0], paid)
        yield from pair_paid(tell, [pair], event.transfers[len(paid) :])


def _formula(tell: Telling, seat: Seat) -> str:
    """Return the price of a duel as it is worked out: calls times stake times factor."""
    before = tell.before
    return f"{before.rules.compare_calls} x {in_chips(before.stake)} x {factor(before, seat)}"


def _asides(tell: Telling, event: HandsCompared) -> Iterator[str]:
    """Yield what else a duel is: one of so many in this round, a blind bet, not to be refused."""
    if event.why == "shove" and event.by == "timeout":
        yield tell.say("must_duel")
    if event.why == "compare":
        limit = tell.before.rules.compare_limit
        if limit is not None:
            count = tell.after.seats[event.challenger].compared[1]
            yield tell.say("compare_count", count=count, limit=limit)
        yield from counted(tell, event.challenger)


def _sums(tell: Telling, event: HandsCompared) -> tuple[str, ...]:
    """Return what a duel costs its challenger, and what an equal one moves."""
    say, before = tell.say, tell.before
    seat, shove = before.seats[event.challenger], before.shove
    lines: list[str] = []
    if event.why == "compare":
        price = compare_price(before, seat)
        lines.append(say.priced("compare", _formula(tell, seat), price, event.paid))
    elif event.why == "shove" and shove is not None:
        if seat.stack < shove.amount:
            lines.append(say.priced("due", "", shove.amount, shove.amount))
        price = min(shove.amount, seat.stack)
        lines.append(say.priced("call", "", price, event.paid))
    for move in event.transfers:
        if move.reason == "push":
            lines.append(_push(tell, event, move.amount))
        elif move.reason == "refund":
            after = tell.after.seats[event.out[0]]
            lines.append(say.priced("refund", "", after.contributed, move.amount))
    return tuple(lines)


def _push(tell: Telling, event: HandsCompared, recorded: int) -> str:
    """Return what the initiator of an equal duel pays the other player, as far as it reaches."""
    say, before = tell.say, tell.before
    source, target = before.seats[event.challenger], before.seats[event.challenged]
    due, held = push_due(before), source.stack - event.paid
    line = say.sum("push", in_chips(due), f"{before.rules.push_antes} x {in_chips(before.ante)}")
    line = say.paid_between(line, due, held, source, target)
    return line if recorded == min(due, held) else line + say.recorded(recorded)


def _result(tell: Telling, event: HandsCompared) -> tuple[str, str]:
    """Return what a duel's outcome rests on, and the outcome in words."""
    matter, say, rules = _MATTERS[event.why], tell.say, tell.before.rules
    if event.winner is None:
        return _equal(tell, event)
    challenger, challenged = (tell.after.seats[n] for n in (event.challenger, event.challenged))
    winner, loser = challenger, challenged
    if event.winner != event.challenger:
        winner, loser = challenged, challenger
    fields = say.duel_fields(winner, loser, rules)
    if not say.shown:
        return matter, say("beats", **fields)
    order = duel(challenger.cards, challenged.cards, rules)
    rightful = challenger if order > 0 else challenged
    if rightful != winner:
        return matter, say("wrongly", rightful=say.seat(rightful), **fields)
    if order == 0:
        return "equal", say("equal_shown", **fields)
    special = _special(tell, winner, loser)
    if special is not None:
        return special[0], say(special[1], **fields)
    if event.why == "last_stand" and winner == challenged:
        matter = "last_stand_lost"
    return matter, say("beats_shown", **fields)


def _special(tell: Telling, winner: Seat, loser: Seat) -> tuple[str, str] | None:
    """Return the matter and sentence of a duel that more than category and ranks decide."""
    ours, theirs = (strength(seat.cards, tell.before.rules) for seat in (winner, loser))
    if ours < theirs:
        return "deuce_three_five", "beats_235"
    if theirs.category == Category.INVALID and ours.category != Category.INVALID:
        return "invalid_ace_king_deuce", "beats_invalid"
    if ours[:2] == theirs[:2]:
        return "suits", "beats_by_suit"
    return None


def _equal(tell: Telling, event: HandsCompared) -> tuple[str, str]:
    """Return what a duel without a winner rests on, and what it comes to."""
    say, rules = tell.say, tell.before.rules
    cards, others = (tell.before.seats[n].cards for n in (event.challenger, event.challenged))
    same = say("same")
    if say.shown:
        category = say.category(category_name(cards, rules))
        faces, other_faces = say.faces(cards), say.faces(others)
        same = say("same_shown", faces=faces, other_faces=other_faces, category=category)
    if event.out:
        sequel = say("left_whole", who=tell.seat(event.out[0]))
        return "equal_banker", say.together(same, sequel)
    who, other = tell.seat(event.challenger), tell.seat(event.challenged)
    pays = event.why == "compare" and push_due(tell.before)
    sequel = say("pushed", who=who, other=other) if pays else say("nobody_out")
    return "equal", say.together(same, sequel)
