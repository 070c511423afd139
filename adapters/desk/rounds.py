"""What an operator sees of a hand: seats as rows, rounds as columns, and what each came to.

It is folded from the operator's columns of the audit trail (projections/audit_trail), so that page
and trail never tell it apart.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from domain.events import (
    AllFolded,
    CardsSeen,
    Event,
    HandOpened,
    HandsCompared,
    HandSettled,
    SeatResult,
)
from projections.audit_trail.course import OPERATORS, seat_of
from projections.audit_trail.row import OperatorColumns


class Met(NamedTuple):
    """A duel that a seat was the challenger of."""

    other: int
    result: str  # "won", "lost", "tied"
    initiated: bool  # by the seat; else a rule made it


class Cell(NamedTuple):
    """What one seat did in one round."""

    amount: int = 0  # that it put in, minor units
    seen: bool = False  # whether it had looked, the last time that it acted
    looked: bool = False  # in this round
    met: tuple[Met, ...] = ()
    folded: bool = False
    beaten: bool = False  # put out by a duel


class Row(NamedTuple):
    """One seat over the whole hand."""

    seat: int
    player: str
    cells: tuple[Cell | None, ...]  # by round, from the antes on; None: it did nothing
    result: SeatResult | None  # None while nothing is settled


class Rounds(NamedTuple):
    """All seats over all rounds."""

    rows: tuple[Row, ...]
    rounds: int  # how many, the antes left out


def rounds_of(events: Sequence[Event]) -> Rounds | None:
    """Return a hand by rounds; of a game without an operator's columns, nothing.

    Raises:
        LookupError, ValueError, TypeError, AssertionError: The events make no hand.
    """
    opening, *later = events
    assert isinstance(opening, HandOpened), "a hand begins with its opening"
    if opening.game not in OPERATORS:
        return None
    operator = OPERATORS[opening.game](opening)
    cells: dict[tuple[int, int], Cell] = {}
    for event in later:
        _take(cells, event, operator.columns(event, seat_of(event)))
    rounds = max((number for _, number in cells), default=0)
    settlement = next((e.settlement for e in events if isinstance(e, HandSettled)), None)
    results: Mapping[str, SeatResult] = settlement["seats"] if settlement else {}
    rows = [
        Row(
            taken.seat,
            taken.player,
            tuple(cells.get((taken.seat, number)) for number in range(rounds + 1)),
            results.get(str(taken.seat)),
        )
        for taken in sorted(opening.seats, key=lambda taken: taken.seat)
    ]
    return Rounds(tuple(rows), rounds)


def _take(cells: dict[tuple[int, int], Cell], event: Event, columns: OperatorColumns) -> None:
    """Write into the cells of a round what an event changes of them."""
    number, seat = columns.round or 0, seat_of(event)

    def change(seat: int, **changes: Any) -> None:  # noqa: ANN401 - fields of a cell
        cells[seat, number] = cells.get((seat, number), Cell())._replace(**changes)

    match event:
        case AllFolded(seats=seats):
            for other in seats:
                change(other, folded=True)
        case HandsCompared(out=out):
            assert seat is not None, event
            assert columns.result is not None, event
            met = Met(event.challenged, columns.result, bool(columns.initiated))
            before = cells.get((seat, number), Cell()).met
            change(seat, amount=columns.amount_this_round, seen=columns.seen, met=(*before, met))
            for other in out:
                change(other, beaten=True)
        case CardsSeen():
            change(event.seat, seen=True, looked=True)
        case _ if seat is not None and (columns.amount_this_round or columns.folded):
            folded = cells.get((seat, number), Cell()).folded or bool(columns.folded)
            change(seat, amount=columns.amount_this_round, seen=columns.seen, folded=folded)
        case _:
            pass
