"""What a decided pair pays beside the pot, payment by payment. RULES.md §5.6."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from domain.money import Transfer, in_chips
from domain.zhajinhua.explanation.telling import Remark, Telling
from domain.zhajinhua.ranking import category_name
from domain.zhajinhua.side_payments import Pair, Payment, transfers_of


def pair_paid(
    tell: Telling, pairs: Sequence[Pair], recorded: Sequence[Transfer]
) -> Iterator[Remark]:
    """Argue the payments of decided pairs, and what was recorded where that is something else.

    Args:
        tell: The event that decided them.
        pairs: What the rules come to.
        recorded: What the event moved from seat to seat.
    """
    if not tell.say.shown:
        if recorded:
            yield tell.remark("side", "side_hidden", _recorded(tell, recorded))
        return
    for pair in pairs:
        yield from _pair(tell, pair)
    yield from differing(tell, [p for pair in pairs for p in pair.payments], recorded)


def differing(
    tell: Telling, payments: Sequence[Payment], recorded: Sequence[Transfer]
) -> Iterator[Remark]:
    """Yield what was recorded, where the payments come to something else."""
    if transfers_of(payments) != tuple(recorded):
        yield tell.remark("side", "side_recorded", _recorded(tell, recorded))


def swept(
    tell: Telling, payments: Sequence[Payment], recorded: Sequence[Transfer]
) -> Iterator[Remark]:
    """Argue what a banker takes who beat every player itself."""
    if payments:
        winner = tell.seat(payments[0].target)
        lines = [payment_line(tell, payment) for payment in payments]
        yield tell.remark("sweep", "sweep", lines, winner=winner)
    yield from differing(tell, payments, recorded)


def payment_line(tell: Telling, payment: Payment) -> str:
    """Return a payment as it is worked out, and cut at what the payer has left."""
    seats, base = tell.before.seats, in_chips(payment.base)
    formula = f"{payment.numerator} x {base}"
    if payment.reason == "ratio":
        formula = f"({payment.numerator + 1} - 1) x {base}"
    elif payment.denominator != 1:
        formula = f"{base} / {payment.denominator}"
    line = tell.say.sum(payment.reason, in_chips(payment.due), formula)
    if payment.base * payment.numerator % payment.denominator:
        line = tell.say("truncated", sum=line)
    source, target = seats[payment.source], seats[payment.target]
    return tell.say.paid_between(line, payment.due, payment.held, source, target)


def _pair(tell: Telling, pair: Pair) -> Iterator[Remark]:
    """Argue one pair: each kind of payment, or why there is none."""
    winner, loser = tell.seat(pair.winner), tell.seat(pair.loser)
    if pair.all_in:
        who = tell.seats(pair.all_in)
        yield tell.remark("no_side", "no_side", who=who, winner=winner, loser=loser)
    for reason, payments in groupby(pair.payments, key=lambda payment: payment.reason):
        first, *others = payments
        lines = [payment_line(tell, payment) for payment in (first, *others)]
        if reason != "ratio":
            yield tell.remark(reason, reason, lines, winner=winner, loser=loser)
            continue
        text = "banker_ratio" if pair.winner == tell.before.dealer else "player_ratio"
        cards = tell.before.seats[pair.winner].cards
        category = tell.say.category(category_name(cards, tell.before.rules))
        ratio, more = first.numerator + 1, first.numerator
        yield tell.remark(
            text, text, lines, winner=winner, category=category, ratio=ratio, more=more
        )


def _recorded(tell: Telling, recorded: Sequence[Transfer]) -> Iterator[str]:
    """Yield payments as they were recorded."""
    for source, target, amount, _ in recorded:
        who, other = (tell.seat(int(name.removeprefix("seat:"))) for name in (source, target))
        yield tell.say("paid_recorded", who=who, other=other, amount=in_chips(amount))
