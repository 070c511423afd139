"""Who takes the pot; refunds and rake. RULES.md §6."""

from domain.events import HandSettled, HandVoided, SeatResult, Settlement
from domain.money import POT, RAKE, Transfer, part, seat_account, transfer
from domain.zhajinhua.state import HandState, Seat

BASIS_POINTS = 10_000


def settle(state: HandState) -> HandSettled:
    """Empty the pot: refunds first, the rest to the seat still in, its rake to the house.

    Args:
        state: A hand with one seat left, all bonuses granted.

    Returns:
        The settlement, and transfers in minor units that leave the pot at zero.

    Source: RULES.md §6.1 (the pot), §6.3 (refunds), §6.4 (rake).
    """
    (winner,) = state.remaining
    pot = sum(seat.contributed for seat in state.seats.values())
    refunds = last_stand_refunds(state)
    won = {winner: pot - sum(refunds.values())}
    results: dict[str, SeatResult] = {}
    transfers: list[Transfer] = []
    for number in sorted(state.seats):
        seat, share = state.seats[number], won.get(number, 0)
        refund = refunds.get(number, 0)
        result = _result(seat, share, refund, state.rules.rake_bp)
        results[str(number)] = result
        transfers += transfer(POT, seat_account(number), refund, "refund")
        transfers += transfer(POT, seat_account(number), share, "won")
        transfers += transfer(seat_account(number), RAKE, result["rake"], "rake")
    rake = sum(result["rake"] for result in results.values())
    house_bonus = sum(result["bonus"] for result in results.values())
    assert sum(result["net"] for result in results.values()) == house_bonus - rake
    return HandSettled(
        settlement=Settlement(
            pot=pot,
            rounds=state.acted_round,
            winners=sorted(won),
            rake=rake,
            house_bonus=house_bonus,
            seats=results,
        ),
        transfers=tuple(transfers),
    )


def last_stand_refunds(state: HandState) -> dict[int, int]:
    """Return what each opponent beaten in a won last stand gets back, minor units.

    ``bets in this round x (due - paid) / due``, truncated. RULES.md §6.3.
    """
    if state.stand is None:
        return {}
    _, due, paid, beaten = state.stand
    return {
        number: part(state.seats[number].put_in_round(state.acted_round), due - paid, due)
        for number in beaten
    }


def _result(seat: Seat, won: int, refund: int, rake_bp: int) -> SeatResult:
    """Return one seat's line of the settlement; rake on a positive net of the pot only."""
    contributed, refund = seat.contributed, seat.refund + refund
    gain = won + refund - contributed
    rake = part(gain, rake_bp, BASIS_POINTS) if won and gain > 0 else 0
    return SeatResult(
        contributed=contributed,
        won=won,
        refund=refund,
        side=seat.side,
        bonus=seat.bonus,
        rake=rake,
        net=gain + seat.side + seat.bonus - rake,
    )


def void(state: HandState, reason: str) -> HandVoided:
    """Let a running hand not count: every stake goes back to its seat, minor units."""
    return HandVoided(
        reason=reason,
        transfers=tuple(
            move
            for number in sorted(state.seats)
            for move in transfer(POT, seat_account(number), state.seats[number].contributed, "void")
        ),
    )
