"""The row of a hand, and the port that it is written through."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple, get_args

from domain.events import Settlement

State = Literal["running", "settled", "void"]

Flag = Literal[
    "all_folded",  # everyone but the banker gave up at once
    "all_in",  # a seat put in all it had left
    "bonus",  # a seat got its 喜钱
    "claim_mismatch",  # a foreign system's figures are not those recorded
    "claimed",  # a foreign system's figures are kept beside the hand's own
    "compared",  # two hands met as a seat asked for it
    "disclosed",  # the deck that it was committed to is known
    "forced",  # … as the rule demanded it
    "last_stand",  # a seat short of the price put in all it had
    "opened",  # every hand still in was shown
    "shared",  # more than one seat won of the pot
    "tied",  # two hands met and were equal
    "timeout",  # a seat let its time pass
    "topped_up",  # a seat brought in more chips
    "voided",  # the hand does not count
]
FLAGS: Final[tuple[Flag, ...]] = get_args(Flag)


class HandRow(NamedTuple):
    """One hand. What it came to is ``None`` until it is settled, and for good where it is void."""

    hand: str
    game: str
    rulebook: str
    version: int  # of the rulebook
    ante: int | None  # minor units; None where the game has none
    max_stake: int | None  # minor units; None where nothing bounds it
    seats: tuple[int, ...]  # in ascending order
    players: tuple[str, ...]  # in these seats
    opened_at: datetime  # as whoever gave the command says, as all times here
    opened_position: int  # no two hands have the same; hands are listed in this order
    state: State = "running"
    ended_at: datetime | None = None  # settled or voided
    ended_position: int | None = None
    winners: tuple[str, ...] | None = None  # players, by seat number
    pot: int | None = None  # minor units, everything that was put in
    rounds: int | None = None
    rake: int | None = None  # minor units
    house_bonus: int | None = None  # minor units, that the house paid
    flags: tuple[Flag, ...] = ()  # in the order of the alphabet


class HandsView(ABC):
    """Port. Keeps the rows."""

    @abstractmethod
    def rows(self, hands: Collection[str]) -> Mapping[str, HandRow]:
        """Return the rows of those hands that have one, by hand."""

    @abstractmethod
    def settlements(self, hands: Collection[str]) -> Mapping[str, Settlement]:
        """Return the settlements recorded in the history of those hands that have one, by hand."""

    @abstractmethod
    def put(self, rows: Sequence[HandRow]) -> None:
        """Keep rows, each instead of the one of the same hand if there is one."""
