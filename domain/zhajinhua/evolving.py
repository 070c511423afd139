"""``evolve``: the hand after one more event. Pure and total: it refuses and decides nothing.

Money comes from the events' transfers alone; the turn and the round follow from
who acted (RULES.md §2.3): a round ends each time the turn reaches or passes the
opener's place.

A state that is given is left as it is: what follows from the events is written into
a draft of it. A draft is changed in its place, by :func:`go_on`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

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
from domain.zhajinhua.state import Bet, Chain, HandDraft, HandState, SeatDraft, Shove, Stand


def evolve(state: HandState, *events: Event) -> HandState:
    """Return the hand after one more event, or after several."""
    hand = state.draft()
    go_on(hand, events)
    return hand.freeze()


def go_on(hand: HandDraft, events: Iterable[Event]) -> None:
    """Take events into a draft."""
    for event in events:
        if event.transfers:
            _move(hand, event.transfers)
        follow = _FOLLOW.get(type(event))
        if follow is not None:
            follow(hand, event)


# --- money -----------------------------------------------------------------------------


def _move(hand: HandDraft, transfers: Iterable[Transfer]) -> None:
    """Move the chips between the hand's seats, the pot and the house."""
    for source, target, amount, reason in transfers:
        payer, payee = _seat_of(source), _seat_of(target)
        if payer is not None and target == POT and amount > 0:
            _put_in(hand, hand.seats[payer], amount, reason)
            continue
        if payer is not None:
            _book(hand.seats[payer], -amount, target, reason)
        if payee is not None:
            _book(hand.seats[payee], amount, source, reason)


@lru_cache(maxsize=1024)
def _seat_of(name: str) -> int | None:
    """Return whose stack an account is, if it is a seat's."""
    return int(name[5:]) if name.startswith("seat:") else None


def _put_in(hand: HandDraft, seat: SeatDraft, amount: int, reason: str) -> None:
    """Take in a bet of a seat as it stands now; an ante is at factor 1, in no round."""
    rules = hand.rules
    seat.stack -= amount
    if reason == "ante":
        bet = _same_bet(amount, 1, 0)
    else:
        factor = rules.seen_factor if seat.seen else rules.blind_factor
        bet = _same_bet(amount, factor, hand.round)
    seat.bets = (*seat.bets, bet)
    if not seat.stack and rules.empty_is_all_in:
        seat.all_in = True


def _book(seat: SeatDraft, change: int, other: str, reason: str) -> None:
    """Change a seat's stack by what is no payment into the pot, and keep what it changed for."""
    seat.stack += change
    if other == POT and reason == "refund":
        seat.refund += change
    elif reason == "bonus":
        seat.bonus += change
    elif other.startswith("seat:"):
        seat.side += change


_same_bet: Final = lru_cache(maxsize=4096)(Bet)
"""One object stands for all equal bets."""


# --- looks, bets, all-ins --------------------------------------------------------------


def _dealt(hand: HandDraft, event: CardsDealt) -> None:
    """Give every seat its cards; the first seat that can bet is on turn."""
    for number, seat in hand.seats.items():
        seat.cards = event.cards.get(number, "")
    hand.turn = next(iter(hand.bettors), None)


def _looked(hand: HandDraft, event: CardsSeen) -> None:
    """Take in a look; who looks after a blind all-in must answer with a duel."""
    hand.seats[event.seat].seen = True
    if hand.shove is not None:
        hand.shove = hand.shove._replace(looked=(*hand.shove.looked, event.seat))


def _called(hand: HandDraft, event: BetCalled) -> None:
    _bet(hand, event.seat, "raise")


def _raised(hand: HandDraft, event: BetRaised) -> None:
    hand.stake = event.stake
    _bet(hand, event.seat, "raise")


def _folded(hand: HandDraft, event: HandFolded) -> None:
    hand.seats[event.seat].out = True
    _acted(hand, event.seat)


def _all_folded(hand: HandDraft, event: AllFolded) -> None:
    for number in event.seats:
        hand.seats[number].out = True
    hand.acted_round, hand.turn = hand.round, None


def _topped_up(hand: HandDraft, event: ToppedUp) -> None:
    seat = hand.seats[event.seat]
    seat.stack += event.amount
    seat.top_ups = (*seat.top_ups, event.amount)


def _bet(hand: HandDraft, number: int, verb: str) -> None:
    """Take in a call or raise, or a duel paid for; not yet who lost it."""
    seat = hand.seats[number]
    if hand.shove is not None:
        seat.all_in = seat.all_in or not seat.stack
    elif not seat.seen:
        seat.blind_bets += 1
    _acted(hand, number, verb)


def _all_in(hand: HandDraft, event: AllInTaken) -> None:
    """Take in an all-in: the others answer it, or it just waits."""
    number, seat = event.seat, hand.seats[event.seat]
    level_before = max((hand.seats[n].level for n in hand.all_ins), default=0)
    seat.all_in = True
    hand.all_ins = (*hand.all_ins, number)
    others = tuple(n for n in hand.after(number) if hand.seats[n].can_bet)
    hand.acted, hand.acted_round, hand.chain = frozenset(), hand.round, None
    if hand.rules.all_in == "shove":
        height = seat.level
        if hand.shove is not None and height <= level_before:
            _answered(hand, hand.shove, number)
        else:
            pending = tuple(n for n in others if hand.seats[n].level < height)
            _await(hand, Shove(number, event.paid, pending))
    elif hand.rules.all_in == "any_turn" and hand.rules.blind_all_in_duel and not seat.seen:
        _await(hand, Shove(number, event.paid, others))
    else:
        _pass_turn(hand, number)


def _await(hand: HandDraft, shove: Shove) -> None:
    """Give the turn to the next seat that answers an all-in."""
    hand.shove, hand.turn = shove, next(iter(shove.pending), None)


def _answered(hand: HandDraft, shove: Shove, number: int) -> None:
    """Leave one seat less to answer."""
    _await(hand, shove._replace(pending=tuple(n for n in shove.pending if n != number)))


# --- duels, and the end ----------------------------------------------------------------


def _took_last_stand(hand: HandDraft, event: LastStandTaken) -> None:
    hand.stand = Stand(event.seat, event.due, event.paid, ())


def _compared(hand: HandDraft, event: HandsCompared) -> None:
    """Take in a duel."""
    for number in event.out:
        loser = hand.seats[number]
        loser.out = True
        loser.beaten_by = event.winner if number != event.winner else None
    if event.why == "compare":
        _paid_duel(hand, event.challenger)
    elif event.why == "shove":
        _answering_duel(hand, event.challenger)
    elif event.why == "last_stand" and hand.stand is not None:
        _stood(hand, hand.stand, event)


def _paid_duel(hand: HandDraft, number: int) -> None:
    """Take in a duel of choice: it counts, and uses up the turn."""
    chain = hand.chain if hand.turn != number else None
    in_round = chain.round if chain else hand.round
    seat = hand.seats[number]
    last, count = seat.compared
    seat.compared = (in_round, count + 1 if last == in_round else 1)
    _bet(hand, number, "compare")


def _answering_duel(hand: HandDraft, number: int) -> None:
    """Take in the answer to a blind all-in; where its seat is out, play goes on."""
    _bet(hand, number, "compare")
    assert hand.shove is not None
    if hand.seats[hand.shove.seat].out:
        hand.shove = None
        _pass_turn(hand, number)


def _stood(hand: HandDraft, stand: Stand, event: HandsCompared) -> None:
    """Take in one duel of a last stand: one more beaten, or the end of it."""
    if event.winner != stand.seat:
        hand.stand = None
        _pass_turn(hand, stand.seat)
    else:
        hand.stand = stand._replace(beaten=(*stand.beaten, event.challenged))
        hand.acted_round = hand.round


def _opened(hand: HandDraft, _: HandsOpened) -> None:
    hand.opened, hand.turn = True, None


def _settled(hand: HandDraft, _: HandSettled) -> None:
    hand.settled, hand.turn = True, None


def _voided(hand: HandDraft, _: HandVoided) -> None:
    hand.voided, hand.turn = True, None


def _disclosed(hand: HandDraft, _: DeckDisclosed) -> None:
    hand.disclosed = True


# --- turns -----------------------------------------------------------------------------


def _acted(hand: HandDraft, number: int, verb: str = "") -> None:
    """Take in a turn action, or one more link of the last: who is next."""
    seat = hand.seats[number]
    if seat.all_in:
        hand.acted = frozenset()
    elif number not in hand.acted:
        hand.acted |= {number}
    if hand.shove is not None:
        _answered(hand, hand.shove, number)
    elif hand.turn != number and hand.chain is not None:
        _linked(hand, hand.chain)
    else:
        chains = verb and hand.rules.chain is not None and seat.can_bet
        hand.chain = Chain(number, verb, 0, hand.round) if chains else None
        _pass_turn(hand, number)


def _linked(hand: HandDraft, chain: Chain) -> None:
    """Take in a link of a chain; a seat on turn that it beat passes the turn on."""
    can_go_on = hand.seats[chain.seat].can_bet
    hand.chain = chain._replace(links=chain.links + 1) if can_go_on else None
    if hand.turn is not None and not hand.seats[hand.turn].can_bet:
        _pass_turn(hand, hand.turn)
    hand.acted_round = chain.round


def _pass_turn(hand: HandDraft, number: int) -> None:
    """Move the turn on from the seat that used it up. RULES.md §2.3."""
    hand.acted_round = hand.round
    seats, places = hand.seats, hand.places
    after = places.index(number) + 1
    for place in places[after:]:
        if seats[place].can_bet:
            hand.turn = place
            return
    for place in places[:after]:
        if seats[place].can_bet:
            hand.turn = place
            hand.round += 1
            return
    hand.turn = None


_FOLLOW: Final[Mapping[type[Event], Callable[[HandDraft, Any], None]]] = MappingProxyType(
    {
        CardsDealt: _dealt,
        CardsSeen: _looked,
        BetCalled: _called,
        BetRaised: _raised,
        HandFolded: _folded,
        HandsCompared: _compared,
        LastStandTaken: _took_last_stand,
        AllInTaken: _all_in,
        AllFolded: _all_folded,
        ToppedUp: _topped_up,
        HandsOpened: _opened,
        HandSettled: _settled,
        HandVoided: _voided,
        DeckDisclosed: _disclosed,
    }
)
"""What follows from each event beside its transfers; from the others, nothing of ours."""
