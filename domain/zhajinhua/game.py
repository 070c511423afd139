"""One command -> its events: how a hand opens, the order of refusals, and how it ends."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from domain.cards import CARD_COUNT, are_three_known, split
from domain.deck import check_commitment
from domain.errors import (
    BadDealError,
    CarryTooSmallError,
    DuplicateCardError,
    HandOverError,
    NotSupportedError,
    NotYourTurnError,
    PriceChangedError,
    RaiseLimitError,
    SeatCountError,
    SeatOutError,
    UnknownActionError,
    UnknownSeatError,
)
from domain.events import AntePosted, CardsDealt, HandOpened, SeatTaken
from domain.making import decided, recurring
from domain.rulebook import Parameters
from domain.zhajinhua.all_in import all_in, answer, staying_price
from domain.zhajinhua.betting import (
    call,
    call_price,
    fold,
    fold_all,
    look,
    pay,
    raise_to,
    top_up,
)
from domain.zhajinhua.comparing import compare, is_last_stand, last_stand
from domain.zhajinhua.opening import conclude
from domain.zhajinhua.play import Action, Play
from domain.zhajinhua.ranking import Category, strength
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import Chain, HandState, Seat, begun, rules_at_table, turn_order

_ante_posted, _dealt = recurring(AntePosted), decided(CardsDealt)

PROTECTED_CALL_ROUNDS = 3  # §3.8: a protected timeout calls up to here, and compares afterwards


def open_hand(
    rulebook: ZhajinhuaRulebook,
    *,
    table: Parameters,
    dealer: int,
    opener: int | None,
    seats: Sequence[SeatTaken],
    deal: Mapping[int, str],
    draws: Mapping[int, int],
    commitment: str | None = None,
) -> Play:
    """Open a hand: who sits where, the antes, the cards.

    Args:
        rulebook: The one that the hand will be settled under for ever; or one that is
            not published, for a hand that is only tried and never recorded.
        table: Every parameter in force, checked against the rulebook.
        dealer: A seat.
        opener: A seat where the rulebook records it, else None.
        seats: Who sits down, in any order; seat numbers differ.
        deal: Three cards of every seat, ``"AhKhQh"``.
        draws: Bonuses drawn outside, minor units by seat.
        commitment: To the order of the deck, if one was made.

    Returns:
        The play, which can go on.

    Raises:
        BadRecordError: What is given as a commitment cannot be one.
        SeatCountError, BadDealError, DuplicateCardError, UnknownSeatError,
        NotSupportedError, CarryTooSmallError: In this order. RULES.md §7.2.
    """
    if commitment is not None:
        check_commitment(commitment)
    numbers = [taken.seat for taken in seats]
    rules = rules_at_table(rulebook, table)
    _check_opening(rules, table, dealer, opener, seats, deal)
    if opener is None:
        order = turn_order(numbers, dealer, rules)
        opener = order[1] if rules.opener == "after_dealer" else dealer
    event = HandOpened(
        game=rulebook.game,
        rulebook=rulebook.id,
        version=rulebook.version,
        digest=rulebook.digest,
        table=dict(table),
        dealer=dealer,
        opener=opener,
        seats=tuple(sorted(seats, key=lambda taken: taken.seat)),
        draws=dict(sorted(draws.items())),
        commitment=commitment,
    )
    play = Play(begun(event, rules))
    play.events.append(event)
    state = play.state
    antes = [
        _ante_posted(seat=number, transfers=pay(number, state.ante, "ante"))
        for number in state.places
    ]
    play.record(*antes, _dealt(cards={number: deal[number] for number in sorted(numbers)}))
    conclude(play)
    return play


def _check_opening(
    rules: ZhajinhuaRulebook,
    table: Parameters,
    dealer: int,
    opener: int | None,
    seats: Sequence[SeatTaken],
    deal: Mapping[int, str],
) -> None:
    """Refuse an opening, in the order of RULES.md §7.2."""
    numbers = {taken.seat for taken in seats}
    assert len(numbers) == len(seats), "a seat number twice"
    if not rules.seats_min <= len(numbers) <= rules.seats_max:
        raise SeatCountError(
            f"{len(numbers)} seats; {rules.id} takes {rules.seats_min} to {rules.seats_max}",
            seats=len(numbers),
            minimum=rules.seats_min,
            maximum=rules.seats_max,
        )
    _check_deal(deal, numbers)
    for role, place in (("dealer", dealer), ("opener", opener)):
        if place is not None and place not in numbers:
            raise UnknownSeatError(f"nobody sits in the {role}'s seat {place}", seat=place)
    if rules.wangzha:
        raise NotSupportedError("王炸 needs four cards of a rank; three are dealt")
    ante = table["ante"]
    assert isinstance(ante, int), ante
    short = [taken for taken in seats if taken.carry < ante]
    if short:
        taken = min(short, key=lambda taken: taken.seat)
        raise CarryTooSmallError(
            f"seat {taken.seat} brings {taken.carry}; the ante is {ante}",
            seat=taken.seat,
            carry=taken.carry,
            ante=ante,
        )


def _check_deal(deal: Mapping[int, str], numbers: AbstractSet[int]) -> None:
    """Refuse a deal that is not three cards for each seat, all different."""
    if set(deal) != numbers:
        raise BadDealError("the deal is not for exactly the seats", seats=sorted(numbers))
    if not all(map(are_three_known, deal.values())):
        number = min(number for number, cards in deal.items() if not are_three_known(cards))
        raise BadDealError(
            f"seat {number} was dealt {deal[number]!r}, not {CARD_COUNT} cards", seat=number
        )
    dealt = split("".join(deal.values()))
    if len(set(dealt)) < len(dealt):
        twice = sorted(card for card, count in Counter(dealt).items() if count > 1)
        raise DuplicateCardError(f"{', '.join(twice)} dealt more than once", cards=twice)


def decide(state: HandState, action: Action) -> Play:
    """Decide one action: its event, and all that follows from it up to the settlement.

    Args:
        state: The hand as it stands. A state is left as it is; a draft goes on itself.
        action: What is done.

    Returns:
        The play, with at least one event.

    Raises:
        RefusalError: The first that applies, in the order of RULES.md §7.2.
    """
    play = Play(state)
    take(play, action)
    return play if play.state is state else play.freeze()


def take(play: Play, action: Action) -> None:
    """Let a play go on with one action, as :func:`decide` does with a state.

    Raises:
        RefusalError: As there.
    """
    state = play.state
    if state.over:
        raise HandOverError("the hand is over", seat=action.seat)
    if action.do == "fold_all":
        fold_all(play)
        conclude(play)
        return
    number = _acting_seat(state, action).number
    if action.do == "look":
        look(play, number)
    elif action.do == "top_up":
        assert action.amount is not None
        top_up(play, number, action.amount)
    else:
        if number != state.turn:
            _require_link(state, _own_chain(state, number, action.do))
        _act_on_turn(play, number, action)
        conclude(play)


def check_price(state: HandState, action: Action, price: int) -> None:
    """Refuse a bet that was decided on another price than there is now.

    Args:
        state: The hand as it stands.
        action: The bet. Whether it is in order otherwise, :func:`decide` says.
        price: What staying in cost the seat when it decided, minor units: a call, or
            its answer to an all-in.

    Raises:
        PriceChangedError: It costs something else by now.
    """
    number = action.seat
    on_turn = number == state.turn or (state.chain is not None and number == state.chain.seat)
    if state.over or number is None or not on_turn:
        return
    now = staying_price(state, state.seats[number])
    if price != now:
        raise PriceChangedError(
            f"seat {number} decided on a price of {price}; it is {now}",
            seat=number,
            price=price,
            now=now,
        )


def _acting_seat(state: HandState, action: Action) -> Seat:
    """Return the seat that acts, one that is still in."""
    seat = None if action.seat is None else state.seats.get(action.seat)
    if seat is None:
        raise UnknownSeatError(f"nobody sits in seat {action.seat}", seat=action.seat)
    if seat.out:
        raise SeatOutError(f"seat {action.seat} is out", seat=action.seat)
    return seat


def _own_chain(state: HandState, number: int, do: str) -> Chain:
    """Return the chain that a seat adds to which is not on turn. RULES.md §3.1, §3.5."""
    chain = state.chain
    if chain is None or state.shove is not None or (chain.seat, chain.verb) != (number, do):
        raise NotYourTurnError(
            f"seat {number} acts; it is the turn of seat {state.turn}",
            seat=number,
            turn=state.turn,
        )
    return chain


def _require_link(state: HandState, chain: Chain) -> None:
    """Refuse one more raise than may be in a chain. RULES.md §3.5."""
    limit = state.rules.chain
    if chain.verb == "raise" and limit is not None and chain.links >= limit:
        raise RaiseLimitError(
            f"seat {chain.seat} has raised {chain.links} times more of {limit}",
            seat=chain.seat,
            limit=limit,
        )


def _act_on_turn(play: Play, number: int, action: Action) -> None:
    """Decide an action that uses up a turn, or adds to one."""
    if play.state.shove is not None:
        answer(play, number, action.do)
        return
    match action.do:
        case "call":
            call(play, number)
        case "raise":
            assert action.stake is not None
            raise_to(play, number, action.stake)
        case "compare":
            assert action.target is not None
            compare(play, number, action.target)
        case "all_in":
            all_in(play, number)
        case "fold":
            fold(play, number)
        case "timeout":
            _time_out(play, number)
        case _:
            raise UnknownActionError(
                f"no action is called {action.do!r}", seat=number, do=action.do
            )


def _time_out(play: Play, number: int) -> None:
    """Act for a seat whose time ran out. RULES.md §3.8 (防超时弃牌)."""
    state, seat = play.state, play.seat(number)
    plays_on = (
        state.rules.timeout == "protected"
        and seat.protect
        and seat.seen
        and strength(seat.cards, state.rules).category >= Category.STRAIGHT
    )
    following = next(place for place in state.after(number) if not state.seats[place].out)
    if not plays_on:
        fold(play, number, "timeout")
    elif state.round > PROTECTED_CALL_ROUNDS:
        compare(play, number, following, "timeout")
    elif seat.stack >= call_price(state, seat):
        call(play, number, "timeout")
    else:
        assert is_last_stand(state, seat)
        last_stand(play, number, named=None, by="timeout")
