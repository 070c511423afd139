"""When the hands still in are shown, and how a hand ends. RULES.md §3.7, §4.2-§4.4, §6.1."""

from domain.events import HandsOpened, Opening
from domain.making import decided
from domain.zhajinhua.all_in import all_in_level
from domain.zhajinhua.betting import call_price
from domain.zhajinhua.bonus import bonuses
from domain.zhajinhua.comparing import forced_duels
from domain.zhajinhua.play import Play
from domain.zhajinhua.pots import best, divide
from domain.zhajinhua.settlement import settle
from domain.zhajinhua.side_payments import opening_pairs, transfers_of
from domain.zhajinhua.state import HandState

_hands_opened = decided(HandsOpened)


def conclude(play: Play) -> None:
    """End the hand where it has come to its end: one seat left, or the cards to be shown."""
    state = play.state
    if state.is_contested:
        why = opening_due(state)
        if why is None:
            return
        if why == "round_limit" and state.rules.at_limit == "forced_duels":
            forced_duels(play)
        else:
            _open(play, why)
    division = divide(play.state)  # which no bonus changes
    winners = [number for number, amount in division.won.items() if amount]
    for bonus in list(bonuses(play.state, winners)):
        play.record(bonus)
    play.record(settle(play.state, division))


def opening_due(state: HandState) -> Opening | None:
    """Return why the hands still in are to be shown now; None while play goes on."""
    rules = state.rules
    if rules.play == "showdown":
        return "showdown"
    if state.shove is not None:
        return None if state.shove.pending else "all_in"
    if state.round > rules.round_limit:
        return "round_limit"
    if rules.opens_early != "never" and _betting_is_over(state):
        return "all_in"
    if rules.opens_when_short and state.round > state.acted_round and short_seats(state):
        return "short"
    return None


def _betting_is_over(state: HandState) -> bool:
    """Tell whether no seat can bet, or the last that can has nothing more to answer."""
    bettors = state.bettors
    if not bettors:
        return True
    if len(bettors) > 1:
        return False
    (last,) = bettors
    if state.rules.opens_early == "last_has_acted":
        return last in state.acted
    return state.seats[last].level >= all_in_level(state)


def short_seats(state: HandState) -> tuple[int, ...]:
    """Return the seats still in that cannot pay their next call."""
    return tuple(
        number
        for number in state.remaining
        if state.seats[number].stack < call_price(state, state.seats[number])
    )


def _open(play: Play, why: Opening) -> None:
    """Show every hand still in; side payments only where one of them is the best."""
    state = play.state
    winners = best(state, state.remaining)
    pairs = opening_pairs(state, winners[0]) if len(winners) == 1 else ()
    transfers = transfers_of(payment for pair in pairs for payment in pair.payments)
    play.record(_hands_opened(seats=state.remaining, why=why, transfers=transfers))
