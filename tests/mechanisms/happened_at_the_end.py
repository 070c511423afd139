"""What happened at the end of a hand: refunds, layers, shares, bonuses, rake, the house."""

from collections.abc import Iterator

from domain.events import BonusGranted, HandOpened, HandsOpened
from domain.zhajinhua.pots import (
    Award,
    awards,
    divide,
    excess,
    has_layers,
    last_stand_refunds,
)
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.settlement import BASIS_POINTS, PER_CENT, multiple
from tests.mechanisms.moments import Taken

_LAYERS = {1: "layers: one", 2: "layers: two", 3: "layers: three"}


def at_the_end(taken: Taken) -> Iterator[str]:
    """Yield the mechanisms of a settlement."""
    rules = taken.played.rules
    if rules.play == "showdown":
        yield from _prize(taken)
    else:
        yield from _refunds(taken)
        yield from _layers(taken) if has_layers(taken.played) else _whole(taken)
        yield from _rake(taken)
    for moment in taken.moments:
        if isinstance(moment.event, BonusGranted):
            yield from _bonus(taken, moment.event)
    yield from _table(taken)


def _refunds(taken: Taken) -> Iterator[str]:
    state, stand = taken.played, taken.played.stand
    if stand is not None:
        yield "a last stand is won"
        refunds = last_stand_refunds(state)
        if any(refunds.values()):
            yield "a last stand refunds whom it beat"
        if len(refunds) < len(state.seats) - 1:
            yield "a last stand refunds nobody else"
        bets = (state.seats[n].put_in_round(state.acted_round) for n in refunds)
        if any(amount * (stand.due - stand.paid) % stand.due for amount in bets):
            yield "a refund is truncated"
    back = excess(state)
    if back is not None:
        won = back.seat in divide(state).won
        yield f"an all-in's excess comes back to a {'winner' if won else 'loser'}"
        if len(state.remaining) == 1:
            yield "an all-in's excess comes back though nobody was left to call it"


def _whole(taken: Taken) -> Iterator[str]:
    state = taken.played
    won = divide(state).won
    if len(won) > 1:
        yield "the whole pot is shared"
        if len(set(won.values())) > 1:
            yield "odd units of the whole pot"


def _layers(taken: Taken) -> Iterator[str]:
    state = taken.played
    found = awards(state)
    yield _LAYERS.get(len(found), "layers: four or more")
    excluded: set[int] = set()
    for award in found:
        yield from _layer(taken, award, excluded)
    highest = max(state.seats[n].level for n in state.remaining)
    if not state.bettors and any(seat.level > highest for seat in state.seats.values()):
        yield "money above every level still in"
    if all(seat.out or seat.all_in for seat in state.seats.values()):
        yield "layers with nobody but all-in seats"
    levels = {state.seats[n].level for n in state.remaining if state.seats[n].all_in}
    if any(level.denominator > 1 for level in levels):
        yield "a level of half a unit"
    if any(_is_split(taken, award) for award in found):
        yield "a bet is split by a level"


def _layer(taken: Taken, award: Award, excluded: set[int]) -> Iterator[str]:
    """Yield what one layer came to."""
    if not award.winners:
        yield "a layer goes back to its only payer"
        return
    if len(award.layer.contestants) == 1:
        yield "a layer with one contestant and other payers"
        if award.winners[0] in excluded:
            yield "an excluded seat takes a layer that nobody else contests"
    if len(award.winners) > 1:
        yield "a layer is shared"
    if len(set(award.parts.values())) > 1:
        yield "odd units of a layer"
    if award.passed_over is not None:
        again = award.passed_over in excluded
        yield "an excluded seat stays excluded" if again else "the earliest all-in loses a tie"
        excluded.add(award.passed_over)
    if set(award.winners).isdisjoint(taken.played.all_ins) and award.layer.level is not None:
        yield "a seat that is not all-in wins a layer"


def _is_split(taken: Taken, award: Award) -> bool:
    """Tell whether the upper level of a layer lies within some bet."""
    if award.layer.level is None:
        return False
    for seat in taken.played.seats.values():
        reached = 0
        sums = [reached]
        for bet in seat.bets:
            reached += bet.amount
            sums.append(reached)
        if seat.put_in_up_to(award.layer.level) not in sums:
            return True
    return False


def _rake(taken: Taken) -> Iterator[str]:
    rate = taken.played.rules.rake_bp
    if not rate:
        return
    for number in taken.settlement["winners"]:
        result = taken.settlement["seats"][str(number)]
        gain = result["won"] + result["refund"] - result["contributed"]
        assert gain > 0, taken.settlement  # whoever wins a pot gains the others' antes
        yield "rake on the net win"
        if gain * rate % BASIS_POINTS:
            yield "rake is rounded down"


def _bonus(taken: Taken, event: BonusGranted) -> Iterator[str]:
    state, seat = taken.played, taken.played.seats[event.seat]
    kind = state.rules.bonus
    wins = event.seat in taken.settlement["winners"]
    match kind:
        case "antes":
            yield f"a bonus for {event.category}"
            yield "a bonus for a winner" if wins else "a bonus for a loser"
        case "drawn_for_trips":
            yield "a drawn bonus for trips"
            yield "a bonus for a winner" if wins else "a bonus for a loser"
        case "drawn":
            yield "a lucky draw"
            if event.paid == state.rules.draw_antes_max * state.ante:
                yield "a lucky draw of the most there is"
            return
        case "from_opponents":
            yield from _from_opponents(taken, event)
    if seat.out and not wins and seat.beaten_by is None:
        yield "a bonus for a seat that folded"


def _from_opponents(taken: Taken, event: BonusGranted) -> Iterator[str]:
    state = taken.played
    aces = event.category == "trips"
    yield (
        "a bonus from opponents for three aces"
        if aces
        else ("a bonus from opponents for spades in a row")
    )
    if sum(move.amount for move in event.transfers) < state.ante * (len(state.seats) - 1):
        yield "a bonus from opponents is cut by the stack"
    if len(state.remaining) == 1:
        yield "a bonus from opponents for a hand never shown"
    if len(taken.settlement["winners"]) > 1:
        yield "a bonus from opponents for a part of the pot"


def _prize(taken: Taken) -> Iterator[str]:
    state = taken.played
    banked = taken.settlement["house_banked"]
    yield "the house banks antes" if banked > 0 else "the house pays more than the antes"
    if state.ante * sum(multiple(state, number) for number in state.seats) % PER_CENT:
        yield "a prize is truncated"


def _table(taken: Taken) -> Iterator[str]:
    """Yield what a table sets otherwise than its rulebook, where it mattered or might have."""
    head = taken.moments[0].event
    assert isinstance(head, HandOpened)
    set_by_table = {"chain", "blind_limit", "top_ups", "push_antes", "multiples_pct", "round_limit"}
    rulebook = find(head.rulebook, head.version)
    for name in set_by_table & set(head.table):
        if head.table[name] != getattr(rulebook, name):
            yield f"the table sets {name}"
    if isinstance(taken.moments[len(head.seats) + 2].event, HandsOpened) and rulebook.play != (
        "showdown"
    ):
        yield "opened by the antes alone"
