"""A foreign system's figures against the derived settlement: each number that differs."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from domain.events import SeatResult, Settlement

OF_A_SEAT: Final = tuple(SeatResult.__annotations__)
"""The figures of one seat in a settlement, in their order; all of them minor units."""

NO_AMOUNTS: Final = frozenset({"rounds", "winners"})
"""The figures of a settlement that are no minor units."""

AMOUNTS: Final = frozenset({*OF_A_SEAT, *Settlement.__annotations__}) - {*NO_AMOUNTS, "seats"}
"""Those that are."""


class Difference(NamedTuple):
    """One figure that two accounts of a hand do not share."""

    path: str  # "seats.3.rake"
    claimed: object
    derived: object  # None: the settlement has no such figure


def differences(
    claim: Mapping[str, object], settlement: Mapping[str, object], path: str = ""
) -> Iterator[Difference]:
    """Yield where a claim differs from a settlement, of the figures that the claim gives."""
    for name, claimed in claim.items():
        derived = settlement.get(name)
        at = f"{path}{name}"
        if isinstance(claimed, Mapping) and isinstance(derived, Mapping):
            yield from differences(claimed, derived, f"{at}.")
        elif claimed != derived:
            yield Difference(at, claimed, derived)
