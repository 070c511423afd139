"""``evolve``: the hand after one more event. Pure and total: it refuses and decides nothing.

Money comes from the events' transfers alone; the turn and the round follow from
who acted (RULES.md §2.3): a round ends each time the turn reaches or passes the
opener's place.
"""

from collections.abc import Iterable

from domain.events import (
    AllFolded,
    AllInTaken,
    BetCalled,
    BetRaised,
    CardsDealt,
    CardsSeen,
    DeckDisclosed,
    Event,
    HandFolded,
    HandsCompared,
    HandSettled,
    HandsOpened,
    HandVoided,
    LastStandTaken,
    ToppedUp,
)
from domain.money import POT, Transfer
from domain.zhajinhua.state import Bet, Chain, HandState, Seat, Shove, Stand


def evolve(state: HandState, event: Event) -> HandState:  # noqa: C901, PLR0912 - one case an event
    """Return the hand after one more event."""
    state = _move(state, event.transfers)
    match event:
        case BetCalled(seat=seat):
            return _bet(state, seat, "raise")
        case BetRaised(seat=seat, stake=stake):
            return _bet(state._replace(stake=stake), seat, "raise")
        case CardsSeen(seat=seat):
            return _looked(_change(state, seat, seen=True), seat)
        case HandFolded(seat=seat):
            return _acted(_change(state, seat, out=True), seat)
        case HandsCompared():
            return _compared(state, event)
        case LastStandTaken(seat=seat, due=due):
            return state._replace(stand=Stand(seat, due, event.paid, ()))
        case AllInTaken(seat=seat):
            return _all_in(state, seat, event.paid)
        case AllFolded(seats=seats):
            for seat in seats:
                state = _change(state, seat, out=True)
            return state._replace(acted_round=state.round, turn=None)
        case ToppedUp(seat=seat, amount=amount):
            before = state.seats[seat]
            more = (*before.top_ups, amount)
            return _change(state, seat, stack=before.stack + amount, top_ups=more)
        case CardsDealt(cards=cards):
            return _dealt(state, cards)
        case HandsOpened():
            return state._replace(opened=True, turn=None)
        case HandSettled():
            return state._replace(settled=True, turn=None)
        case HandVoided():
            return state._replace(voided=True, turn=None)
        case DeckDisclosed():
            return state._replace(disclosed=True)
        case _:  # AntePosted, BonusGranted: money alone; SettlementClaimed: nothing of ours
            return state


# --- money -----------------------------------------------------------------------------


def _move(state: HandState, transfers: Iterable[Transfer]) -> HandState:
    """Return the hand after the chips moved between its seats, the pot and the house."""
    for source, target, amount, reason in transfers:
        for name, sign in ((source, -1), (target, 1)):
            if name.startswith("seat:"):
                other = target if sign < 0 else source
                state = _book(state, int(name[5:]), sign * amount, other, reason)
    return state


def _book(state: HandState, number: int, change: int, other: str, reason: str) -> HandState:
    """Return the hand after one seat's stack changed, kept under what it changed for."""
    seat = state.seats[number]
    kept: dict[str, object] = {"stack": seat.stack + change}
    if other == POT and change < 0:
        kept["bets"] = (*seat.bets, _bet_of(state, seat, -change, reason))
        kept["all_in"] = seat.all_in or (state.rules.empty_is_all_in and not kept["stack"])
    elif other == POT and reason == "refund":
        kept["refund"] = seat.refund + change
    elif reason == "bonus":
        kept["bonus"] = seat.bonus + change
    elif other.startswith("seat:"):
        kept["side"] = seat.side + change
    return _change(state, number, **kept)


def _bet_of(state: HandState, seat: Seat, amount: int, reason: str) -> Bet:
    """Return a payment into the pot as the seat stands now; an ante is at factor 1, in no round."""
    if reason == "ante":
        return Bet(amount, 1, 0)
    factor = state.rules.seen_factor if seat.seen else state.rules.blind_factor
    return Bet(amount, factor, state.round)


def _change(state: HandState, number: int, **fields: object) -> HandState:
    """Return the hand with one seat changed."""
    seat = state.seats[number]._replace(**fields)  # type: ignore[arg-type]
    return state._replace(seats={**state.seats, number: seat})


# --- bets, duels, all-ins --------------------------------------------------------------


def _dealt(state: HandState, cards: dict[int, str]) -> HandState:
    """Return the hand with its cards; the first seat that can bet is on turn."""
    seats = {n: seat._replace(cards=cards.get(n, "")) for n, seat in state.seats.items()}
    state = state._replace(seats=seats)
    return state._replace(turn=next(iter(state.bettors), None))


def _looked(state: HandState, number: int) -> HandState:
    """Return the hand after a look; who looks after a blind all-in must answer with a duel."""
    if state.shove is None:
        return state
    return state._replace(shove=state.shove._replace(looked=(*state.shove.looked, number)))


def _bet(state: HandState, number: int, verb: str) -> HandState:
    """Return the hand after a call or raise, or a duel paid for; not yet who lost it."""
    seat = state.seats[number]
    if state.shove is not None:
        state = _change(state, number, all_in=seat.all_in or not seat.stack)
    elif not seat.seen:
        state = _change(state, number, blind_bets=seat.blind_bets + 1)
    return _acted(state, number, verb)


def _all_in(state: HandState, number: int, amount: int) -> HandState:
    """Return the hand after an all-in: the others answer it, or it just waits."""
    seat = state.seats[number]
    level_before = max((state.seats[n].level for n in state.all_ins), default=0)
    state = _change(state, number, all_in=True)._replace(all_ins=(*state.all_ins, number))
    others = tuple(n for n in state.after(number) if state.seats[n].can_bet)
    state = state._replace(acted=frozenset(), acted_round=state.round, chain=None)
    if state.rules.all_in == "shove":
        height = state.seats[number].level
        if state.shove is not None and height <= level_before:
            return _answered(state, number)
        pending = tuple(n for n in others if state.seats[n].level < height)
        return _await(state, Shove(number, amount, pending))
    if state.rules.all_in == "any_turn" and state.rules.blind_all_in_duel and not seat.seen:
        return _await(state, Shove(number, amount, others))
    return _pass_turn(state, number)


def _await(state: HandState, shove: Shove) -> HandState:
    """Return the hand with the turn at the next seat that answers an all-in."""
    return state._replace(shove=shove, turn=next(iter(shove.pending), None))


def _answered(state: HandState, number: int) -> HandState:
    """Return the hand with one seat less to answer."""
    assert state.shove is not None
    pending = tuple(n for n in state.shove.pending if n != number)
    return _await(state, state.shove._replace(pending=pending))


def _compared(state: HandState, event: HandsCompared) -> HandState:
    """Return the hand after a duel."""
    for seat in event.out:
        beaten_by = event.winner if seat != event.winner else None
        state = _change(state, seat, out=True, beaten_by=beaten_by)
    if event.why == "compare":
        return _paid_duel(state, event)
    if event.why == "shove":
        return _answering_duel(state, event)
    if event.why == "last_stand" and state.stand is not None:
        stand = state.stand
        if event.winner != stand.seat:
            return _pass_turn(state._replace(stand=None), stand.seat)
        beaten = (*stand.beaten, event.challenged)
        return state._replace(stand=stand._replace(beaten=beaten), acted_round=state.round)
    return state


def _paid_duel(state: HandState, event: HandsCompared) -> HandState:
    """Return the hand after a duel of choice: it counts, and uses up the turn."""
    number = event.challenger
    chain = state.chain if state.turn != number else None
    in_round = chain.round if chain else state.round
    last, count = state.seats[number].compared
    count = count + 1 if last == in_round else 1
    return _bet(_change(state, number, compared=(in_round, count)), number, "compare")


def _answering_duel(state: HandState, event: HandsCompared) -> HandState:
    """Return the hand after a blind all-in was answered; where its seat is out, play goes on."""
    number = event.challenger
    state = _bet(state, number, "compare")
    assert state.shove is not None
    if state.seats[state.shove.seat].out:
        return _pass_turn(state._replace(shove=None), number)
    return state


# --- turns -------------------------------------------------------------------------------


def _acted(state: HandState, number: int, verb: str = "") -> HandState:
    """Return the hand after a turn action, or one more link of the last: who is next."""
    seat = state.seats[number]
    acted = frozenset() if seat.all_in else state.acted | {number}
    if state.shove is not None:
        return _answered(state._replace(acted=acted), number)
    if state.turn != number and state.chain is not None:
        return _linked(state._replace(acted=acted), state.chain)
    chains = verb and seat.can_bet and state.rules.chain is not None
    chain = Chain(number, verb, 0, state.round) if chains else None
    return _pass_turn(state._replace(acted=acted, chain=chain), number)


def _linked(state: HandState, chain: Chain) -> HandState:
    """Return the hand after a link of a chain; a seat on turn that it beat passes the turn on."""
    can_go_on = state.seats[chain.seat].can_bet
    on_turn = state.turn
    state = state._replace(
        chain=chain._replace(links=chain.links + 1) if can_go_on else None,
        acted_round=chain.round,
    )
    if on_turn is not None and not state.seats[on_turn].can_bet:
        return _pass_turn(state, on_turn)._replace(acted_round=chain.round)
    return state


def _pass_turn(state: HandState, seat: int) -> HandState:
    """Return the hand with the turn moved on from the seat that used it up. RULES.md §2.3."""
    at, count = state.places.index(seat), len(state.places)
    for step in range(1, count + 1):
        place = state.places[(at + step) % count]
        if state.seats[place].can_bet:
            ended = at + step >= count
            return state._replace(turn=place, round=state.round + ended, acted_round=state.round)
    return state._replace(turn=None, acted_round=state.round)
