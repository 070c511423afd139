"""The end of a hand: what each seat comes to, and the transfers that empty the pot. RULES.md §6."""

from collections.abc import Iterable
from typing import Any, cast

from domain.events import HandSettled, HandVoided, SeatResult, Settlement
from domain.making import decided
from domain.money import BANK, POT, RAKE, Transfer, part, seat_account, transfer
from domain.zhajinhua.pots import Division, best
from domain.zhajinhua.ranking import Category, strength
from domain.zhajinhua.side_payments import sweep_payments, transfers_of
from domain.zhajinhua.state import HandState, Seat

_settled = decided(HandSettled)

BASIS_POINTS = 10_000
PER_CENT = 100


def settle(state: HandState, division: Division) -> HandSettled:
    """Empty the pot: refunds, shares, rake, and the last side payments.

    Args:
        state: A hand that was opened or has one seat left, all bonuses granted.
        division: Its :func:`~domain.zhajinhua.pots.divide`.

    Returns:
        The settlement, and transfers in minor units that leave the pot at zero.

    Source: RULES.md §6.1-§6.4; §5.6 (通杀).
    """
    if state.rules.play == "showdown":
        return _settle_showdown(state)
    winners = sorted(number for number, amount in division.won.items() if amount)
    sweep = transfers_of(sweep_payments(state, winners[0])) if len(winners) == 1 else ()
    rakes = {n: _rake(state, state.seats[n], division) for n in winners}
    moves: list[Transfer] = []
    for number in sorted({*division.refunds, *division.won}):
        mine = seat_account(number)
        moves += transfer(POT, mine, division.refunds.get(number, 0), "refund")
        moves += transfer(POT, mine, division.won.get(number, 0), "won")
        moves += transfer(mine, RAKE, rakes.get(number, 0), "rake")
    results = {
        str(number): _result(seat, division, rakes.get(number, 0), sweep)
        for number, seat in sorted(state.seats.items())
    }
    settlement = _settlement(state, winners, results)
    assert sum(r["net"] for r in results.values()) == settlement["house_bonus"] - settlement["rake"]
    return _settled(settlement=settlement, transfers=(*moves, *sweep))


def void(state: HandState, reason: str) -> HandVoided:
    """Let a running hand not count: every chip goes back to the seat that it came from."""
    moves: list[Transfer] = []
    for number, seat in sorted(state.seats.items()):
        moves += transfer(POT, seat_account(number), seat.contributed - seat.refund, "void")
    return HandVoided(reason=reason, transfers=(*moves, *_sides_back(state)))


def prize(state: HandState) -> int:
    """Return what the house pays the best hand of a showdown, minor units. RULES.md §6.8.

    ``ante x sum of every seat's multiple``, truncated.
    """
    return part(state.ante, sum(multiple(state, n) for n in state.seats), PER_CENT)


def multiple(state: HandState, number: int) -> int:
    """Return what a seat's cards add to the prize, in hundredths of an ante."""
    category = strength(state.seats[number].cards, state.rules).category
    return state.rules.multiples_pct[Category.TRIPS - category]


def _settle_showdown(state: HandState) -> HandSettled:
    """Settle against the house: the antes to it, the prize from it."""
    (winner,) = best(state, state.remaining)
    won = prize(state)
    division = Division({winner: won}, {})
    antes = sum(seat.contributed for seat in state.seats.values())
    results = {str(n): _result(seat, division, 0, ()) for n, seat in sorted(state.seats.items())}
    settlement = _settlement(state, [winner], results, banked=antes - won)
    moves = (
        *transfer(POT, BANK, antes, "antes"),
        *transfer(BANK, seat_account(winner), won, "prize"),
    )
    return _settled(settlement=settlement, transfers=moves)


def _settlement(
    state: HandState,
    winners: list[int],
    results: dict[str, SeatResult],
    banked: int | None = None,
) -> Settlement:
    """Return the hand's own line of the settlement, in the order in which it is stored."""
    settlement: dict[str, Any] = {
        "pot": sum(result["contributed"] for result in results.values()),
        "rounds": state.acted_round,
        "winners": winners,
        "rake": sum(result["rake"] for result in results.values()),
        "house_bonus": sum(result["bonus"] for result in results.values()),
    }
    if banked is not None:
        settlement["house_banked"] = banked
    settlement["seats"] = results
    return cast("Settlement", settlement)


def _rake(state: HandState, seat: Seat, division: Division) -> int:
    """Return the house's share of a winner's net win, rounded down. RULES.md §6.4."""
    back = division.won[seat.number] + division.refunds.get(seat.number, 0) + seat.refund
    return part(max(back - seat.contributed, 0), state.rules.rake_bp, BASIS_POINTS)


def _result(seat: Seat, division: Division, rake: int, sweep: Iterable[Transfer]) -> SeatResult:
    """Return one seat's line of the settlement."""
    won = division.won.get(seat.number, 0)
    refund = seat.refund + division.refunds.get(seat.number, 0)
    mine, side, contributed = seat_account(seat.number), seat.side, seat.contributed
    for move in sweep:
        if mine in (move.source, move.target):
            side += move.amount if move.target == mine else -move.amount
    return SeatResult(
        contributed=contributed,
        won=won,
        refund=refund,
        side=side,
        bonus=seat.bonus,
        rake=rake,
        net=won + refund + side + seat.bonus - rake - contributed,
    )


def _sides_back(state: HandState) -> Iterable[Transfer]:
    """Return transfers that undo all side payments: whoever gained gives back, in seat order."""
    gained = {n: seat.side for n, seat in sorted(state.seats.items()) if seat.side > 0}
    for number, seat in sorted(state.seats.items()):
        lost = max(-seat.side, 0)
        for giver, held in gained.items():
            back = min(lost, held)
            gained[giver] = held - back
            lost -= back
            yield from transfer(seat_account(giver), seat_account(number), back, "void")
