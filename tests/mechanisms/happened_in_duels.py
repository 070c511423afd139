"""What happened in duels and openings: ranking, ties, stands, and payments beside the pot."""

from collections.abc import Iterator

from domain.events import HandsCompared, HandSettled, HandsOpened, LastStandTaken
from domain.zhajinhua.comparing import push_due
from domain.zhajinhua.pots import best
from domain.zhajinhua.ranking import ACE, Category, Strength
from domain.zhajinhua.side_payments import Payment, has_side_payments, sweep_payments
from tests.mechanisms.happened_in_play import unanswered
from tests.mechanisms.moments import Moment

_235 = (5, 3, 2)
_A23 = (3, 2, 1)
_A32 = (ACE, 3, 2)


def in_duels(moment: Moment) -> Iterator[str]:
    """Yield the mechanisms of one moment in which cards met, or were about to."""
    event = moment.event
    if isinstance(event, HandsCompared):
        yield from _duel(moment, event)
        yield from _paid(moment, "in a duel")
    if isinstance(event, HandsOpened):
        yield from _showing(moment, event)
        yield from _paid(moment, "at an opening")
    if isinstance(event, LastStandTaken):
        yield from _stand(moment, event)
    if isinstance(event, HandSettled):
        yield from _swept(moment, event)


def _duel(moment: Moment, event: HandsCompared) -> Iterator[str]:
    held = (moment.held(event.challenger), moment.held(event.challenged))
    if event.winner is None:
        yield from _equal(moment, event)
    else:
        won = event.winner == event.challenger
        yield from _ranked(moment, *(held if won else held[::-1]))
        if held[0] == held[1]:
            yield f"equal hands: the initiator of a {_KIND[event.why]} loses"
    yield from _KINDS_OF_DUEL[event.why](moment, event)


_KIND = {
    "compare": "compare",
    "last_stand": "last stand",
    "forced": "forced duel",
    "shove": "blind all-in's duel",
}


def _ranked(moment: Moment, winner: Strength, loser: Strength) -> Iterator[str]:
    """Yield what other than category and ranks decided, or might have."""
    for one, other, won in ((winner, loser, True), (loser, winner, False)):
        if one.category == Category.HIGH_CARD and one.ranks == _235:
            yield from _deuce_three_five(other, won=won)
    if winner[:2] == loser[:2] and winner.suit != loser.suit:
        yield "suits decide a duel"
    if loser.category == Category.INVALID and winner.category != Category.INVALID:
        yield "an A-K-2 loses to everything"
    if loser.ranks == _A23 and winner.category == loser.category:
        yield "A-2-3 is the lowest of its kind"
    if not moment.before.rules.a23 and _A32 in {winner.ranks, loser.ranks}:
        yield "A-2-3 is no straight, since the table says so"


def _deuce_three_five(other: Strength, *, won: bool) -> Iterator[str]:
    aces = other.category == Category.TRIPS and other.ranks == (ACE,)
    if other.category != Category.TRIPS:
        if not won:
            yield "2-3-5 is a high card against anything else"
    elif aces:
        yield "2-3-5 beats three aces" if won else "2-3-5 loses to three aces"
    else:
        yield "2-3-5 beats trips" if won else "2-3-5 loses to trips"


def _equal(moment: Moment, event: HandsCompared) -> Iterator[str]:
    """Yield what a duel without a winner came to."""
    if moment.held(event.challenger).category == Category.INVALID:
        yield "two A-K-2 are equal"
    if event.out:
        yield "banker and player are equal: the player leaves whole"
        return
    if event.why == "shove":
        yield "a blind all-in and its answer are equal: both stay"
        return
    paid = sum(move.amount for move in event.transfers if move.reason == "push")
    due = push_due(moment.before)
    yield "equal players: the initiator pays antes" if paid else "equal players: nothing is paid"
    if paid < due:
        yield "the antes for equal hands are cut by the stack"


def _compare(moment: Moment, event: HandsCompared) -> Iterator[str]:
    before, after = moment.before, moment.after
    if event.by == "timeout":
        yield "a protected timeout compares"
    if event.winner is not None:
        yield "a compare is won" if event.winner == event.challenger else "a compare is lost"
    if before.rules.seen_compares_blind_only:
        ours, theirs = (
            "seen" if moment.seat(n).seen else "blind" for n in (event.challenger, event.challenged)
        )
        yield f"a {ours} seat compares with a {theirs} one"
    if before.rules.compare_limit == after.seats[event.challenger].compared[1]:
        yield "the last compare of a round"
    if before.turn != event.challenger:
        yield "a chained compare"
        if before.turn in event.out:
            yield "a chained compare beats the seat on turn"
    seat = after.seats[event.challenger]
    if seat.blind_bets == before.rules.blind_limit and not seat.seen:
        yield "the last blind bet"
    if seat.all_in and not moment.seat(event.challenger).all_in:
        yield "a compare empties a stack: all-in"
    if moment.seat(event.challenged).all_in:
        yield "an all-in seat is named in a compare"


def _stood(_: Moment, event: HandsCompared) -> Iterator[str]:
    won = event.winner == event.challenger
    yield "a last stand beats an opponent" if won else "a last stand is lost"


def _forced(moment: Moment, event: HandsCompared) -> Iterator[str]:
    yield "a forced duel"
    if event.winner == event.challenged and len(moment.after.remaining) > 1:
        yield "the champion of forced duels changes"


def _answered(moment: Moment, event: HandsCompared) -> Iterator[str]:
    shove = moment.before.shove
    assert shove is not None
    yield "a blind all-in is answered by a duel"
    if event.by == "timeout":
        yield "a timeout duels where a fold is forbidden"
    if event.winner is not None:
        held = event.winner == shove.seat
        yield "a blind all-in survives an answer" if held else "a blind all-in is beaten"
    if moment.seat(event.challenger).stack < shove.amount:
        yield "a blind all-in is answered with too little"
    if unanswered(moment):
        yield "a blind all-in is out and the rest need not answer"
    if moment.after.shove is None and moment.after.round > moment.before.round:
        yield "an answer to a blind all-in ends the round"


_KINDS_OF_DUEL = {
    "compare": _compare,
    "last_stand": _stood,
    "forced": _forced,
    "shove": _answered,
}


def _stand(moment: Moment, event: LastStandTaken) -> Iterator[str]:
    before, seat = moment.before, moment.seat(event.seat)
    first = before.rules.compare_from_round
    if event.by == "timeout":
        yield "a protected timeout takes the last stand"
    if first is not None and before.round < first:
        yield "a last stand before the first compare"
    if not seat.stack:
        yield "a last stand with nothing"
    if len(before.remaining) > 2:
        yield "a last stand against several"


def _showing(moment: Moment, event: HandsOpened) -> Iterator[str]:
    """Yield what decided between the hands that were shown."""
    before = moment.before
    held = {number: moment.held(number) for number in event.seats}
    (winner, *others) = best(before, event.seats)
    if others:
        yield "the best hands shown are equal"
    top = held[winner]
    rest = [one for number, one in held.items() if number not in {winner, *others}]
    if any(one[:2] == top[:2] for one in rest):
        yield "suits decide an opening"
    if top.category != Category.INVALID and Category.INVALID in {one.category for one in rest}:
        yield "an A-K-2 loses to everything"
    if not before.rules.a23 and _A32 in {one.ranks for one in held.values()}:
        yield "A-2-3 is no straight, since the table says so"


def _paid(moment: Moment, where: str) -> Iterator[str]:
    """Yield the side payments of the pairs that a moment decided."""
    dealer = moment.before.dealer
    for pair in moment.pairs:
        if pair.all_in:
            yield f"no side payment {where}, since one of the two is all-in"
        category = moment.held(pair.winner).category.name.lower()
        for payment in pair.payments:
            if payment.reason == "ratio":
                role = "the banker" if pair.winner == dealer else "a player"
                yield f"{role} wins by ratio: {category}"
                name = "a ratio"
            else:
                name = _PAYMENTS[payment.reason]
                yield f"{name} {where}"
            if payment.amount < payment.due:
                yield f"{name} is cut by the stack"
        yield from _all_paid(moment, pair.payments, pair.winner)
        swept = pair.loser == dealer and category == "trips" and not pair.all_in
        if swept and has_side_payments(moment.before.rules) and not moment.before.rules.sweep:
            yield "the table knows no 通赔 and no 通杀"


_PAYMENTS = {
    "blind_winner": "a blind winner's half",
    "blind_loser": "a blind loser's double",
    "banker_pays": "通赔",
}


def _all_paid(moment: Moment, payments: tuple[Payment, ...], winner: int) -> Iterator[str]:
    """Yield what 通赔 came to for third seats."""
    to_all = [payment for payment in payments if payment.reason == "banker_pays"]
    if not to_all:
        return
    others = [p for p in to_all if p.target != winner]
    if others:
        yield "通赔: other seats get an ante"
    still_in = set(moment.before.remaining) - {winner, payments[0].source}
    if any(moment.seat(number).all_in for number in still_in):
        yield "通赔 leaves out who is all-in"


def _swept(moment: Moment, event: HandSettled) -> Iterator[str]:
    before, winners = moment.before, event.settlement["winners"]
    payments = sweep_payments(before, winners[0]) if len(winners) == 1 else ()
    if not payments:
        return
    yield "通杀 at an opening" if before.opened else "通杀 by duels alone"
    if any(payment.amount < payment.due for payment in payments):
        yield "通杀 is cut by the stack"
    if len(payments) < len(before.seats) - 1:
        yield "通杀 leaves out who is all-in"
