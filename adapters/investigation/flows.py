"""Who won from whom: a settled hand's result as flows of chips from loser to winner.

What a seat won or lost against the other seats is its ``net``, without the rake and
without a bonus that the house paid: over all seats that is zero. Each loser's loss goes
to the winners in proportion to what they won, ``loss x won / all that was won``, truncated.
The units that truncation leaves over are given out loser by loser and winner by winner in
the order of their seats, each as much as loser and winner still lack. So every loser's flows
are its loss and every winner's its win, to the minor unit.

Where the house keeps the bank (``house_banked``) nobody wins from another seat.
"""

from collections.abc import Mapping

from domain.events import Settlement
from domain.money import part


def flows(settlement: Settlement) -> dict[tuple[int, int], int]:
    """Return how much each loser lost to each winner: by their seats, minor units, > 0."""
    between = between_seats(settlement)
    losses = {seat: -result for seat, result in between.items() if result < 0}
    wins = {seat: result for seat, result in between.items() if result > 0}
    total = sum(wins.values())
    flowed = {
        (loser, winner): part(loss, won, total)
        for loser, loss in losses.items()
        for winner, won in wins.items()
    }
    for loser, loss in losses.items():
        for winner, won in wins.items():
            left = loss - sum(flowed[loser, other] for other in wins)
            lacks = won - sum(flowed[other, winner] for other in losses)
            flowed[loser, winner] += min(left, lacks)
    return {pair: amount for pair, amount in flowed.items() if amount}


def between_seats(settlement: Settlement) -> Mapping[int, int]:
    """Return what each seat won or lost against the other seats, minor units; the sum is zero."""
    results = {int(seat): result for seat, result in settlement["seats"].items()}
    if "house_banked" in settlement:
        return dict.fromkeys(sorted(results), 0)
    # A bonus from the other seats comes to nothing over all of them; one from the house does not.
    by_house = settlement["house_bonus"] != 0
    return {
        seat: result["net"] + result["rake"] - (result["bonus"] if by_house else 0)
        for seat, result in sorted(results.items())
    }
