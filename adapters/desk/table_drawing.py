"""Where things are on a drawn table: seats around an oval, and their chips.

The oval is two half circles and the straight pieces between them, so that seats stand equally far
apart along it. It is drawn twice, lying down for wide screens and standing up for narrow ones, and
grows with the seats: none of them ever covers another.
"""

from collections.abc import Sequence
from math import ceil, cos, pi, sin
from typing import Final, NamedTuple


class Point(NamedTuple):
    """A place in a drawing, in its own units."""

    x: int
    y: int


class PlaceAtTable(NamedTuple):
    """Where one seat is, and what lies before it."""

    seat: int
    at: Point  # the middle of its plate
    chips: Point


class Drawing(NamedTuple):
    """A table with so many seats. All in the drawing's own units."""

    name: str  # "wide" or "narrow"
    width: int
    height: int
    felt: Point  # the oval: its half width and half height
    places: tuple[PlaceAtTable, ...]  # in the order of seats

    @property
    def middle(self) -> Point:
        """Return where the pot is."""
        return Point(self.width // 2, self.height // 2)


class _Shape(NamedTuple):
    """One way to draw the oval that the seats stand on."""

    name: str
    radius: int  # of the half circles, for few seats
    straight: int  # half of a straight piece, for few seats
    apart: int  # how far seats are apart at least, along the oval
    margin: Point  # from the oval to the edge of the drawing
    inset: Point  # from the oval to the edge of the felt
    chips: Point  # how far chips are from the middle, in hundredths of the way to their seat
    lies: bool


PLATE: Final = Point(124, 114)
"""How large a seat is: its cards, and below them the plate with its name."""

_WIDE: Final = _Shape("wide", 176, 128, 172, Point(70, 66), Point(26, 22), Point(59, 50), lies=True)
_NARROW: Final = _Shape(
    "narrow", 126, 96, 184, Point(66, 66), Point(26, 26), Point(26, 66), lies=False
)

_CLEAR: Final = 60  # how far chips stay above or below the pot, on a table that stands


def drawings(seats: Sequence[int], *, first: int | None = None) -> tuple[Drawing, Drawing]:
    """Return the table lying down and standing up.

    Args:
        seats: The numbers of the seats, clockwise.
        first: The one to draw at the bottom; else the lowest.
    """
    at = seats.index(first) if first is not None else 0
    order = [*seats[at:], *seats[:at]]
    return _drawn(_WIDE, order), _drawn(_NARROW, order)


def _drawn(shape: _Shape, order: Sequence[int]) -> Drawing:
    """Place seats clockwise, the first of them at the bottom."""
    radius, straight = _grown(shape, len(order))
    around = 4 * straight + 2 * pi * radius
    half = (straight + radius, radius) if shape.lies else (radius, straight + radius)
    width, height = (2 * (round(h) + m) for h, m in zip(half, shape.margin, strict=True))
    middle = Point(width // 2, height // 2)
    places = []
    for number, seat in enumerate(order):
        along = around * number / len(order)
        x, y = _lying(along, radius, straight) if shape.lies else _standing(along, radius, straight)
        places.append(_place(shape, seat, middle, x, y))
    felt = Point(round(half[0]) - shape.inset.x, round(half[1]) - shape.inset.y)
    return Drawing(shape.name, width, height, felt, tuple(sorted(places)))


def _grown(shape: _Shape, count: int) -> tuple[float, float]:
    """Return radius and half a straight piece, so that so many seats have room."""
    around = 4 * shape.straight + 2 * pi * shape.radius
    grown = max(1.0, count * shape.apart / around)
    if shape.lies:
        return shape.radius * grown, shape.straight * grown
    # What stands up grows in height alone: a telephone is no wider for more seats.
    missing = max(0, count * shape.apart - around)
    return shape.radius, shape.straight + ceil(missing / 4)


def _place(shape: _Shape, seat: int, middle: Point, x: float, y: float) -> PlaceAtTable:
    away_x, away_y = x * shape.chips.x / 100, y * shape.chips.y / 100
    if not shape.lies and abs(x) > 1 and abs(away_y) < _CLEAR:
        away_y = _CLEAR if away_y >= 0 else -_CLEAR
    return PlaceAtTable(
        seat,
        Point(round(middle.x + x), round(middle.y + y)),
        Point(round(middle.x + away_x), round(middle.y + away_y)),
    )


def _lying(along: float, radius: float, straight: float) -> tuple[float, float]:
    """Return the point so far clockwise from the bottom, of an oval that lies."""
    arc, piece = pi * radius, 2 * straight
    if along < straight:
        return -along, radius
    along -= straight
    if along < arc:
        angle = pi / 2 + along / radius
        return -straight + radius * cos(angle), radius * sin(angle)
    along -= arc
    if along < piece:
        return -straight + along, -radius
    along -= piece
    if along < arc:
        angle = 3 * pi / 2 + along / radius
        return straight + radius * cos(angle), radius * sin(angle)
    return straight - (along - arc), radius


def _standing(along: float, radius: float, straight: float) -> tuple[float, float]:
    """Return the point so far clockwise from the bottom, of an oval that stands."""
    quarter, piece = pi * radius / 2, 2 * straight
    if along < quarter:
        angle = pi / 2 + along / radius
        return radius * cos(angle), straight + radius * sin(angle)
    along -= quarter
    if along < piece:
        return -radius, straight - along
    along -= piece
    if along < 2 * quarter:
        angle = pi + along / radius
        return radius * cos(angle), -straight + radius * sin(angle)
    along -= 2 * quarter
    if along < piece:
        return radius, -straight + along
    angle = (along - piece) / radius
    return radius * cos(angle), straight + radius * sin(angle)
