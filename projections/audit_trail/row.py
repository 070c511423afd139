"""A line of the audit trail, in four groups of columns, and the port that it is written through."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from domain.money import Transfer
from projections import Recorded

Result = Literal["won", "lost", "tied"]


class Place(NamedTuple):
    """Which event it is, when it happened, and which command of whom caused it."""

    position: int
    stream: str
    version: int  # within the stream
    topic: str
    happened_at: datetime  # as whoever gave the command says
    recorded_at: datetime  # as the server says
    actor: str
    command_id: str


class Who(NamedTuple):
    """Whom the event is about, as far as it is about one."""

    hand: str | None = None  # of a wallet's: that it pays into or gets from; or a dispute is about
    seat: int | None = None  # the one that acted, or that it happened to
    player: str | None = None  # in that seat, or whose wallet it is
    by: str | None = None  # "choice", "timeout" …: how the action came about


class Amounts(NamedTuple):
    """What the event moved; minor units. ``None`` where it does not apply, or is not known.

    Not known is what rests on an earlier event of the same hand that could not be read.
    """

    transfers: tuple[Transfer, ...] = ()  # under ledger-wide names
    amount: int = 0  # all of them together
    stack_before: int | None = None  # of the seat
    stack_after: int | None = None
    pot_before: int | None = None
    pot_after: int | None = None
    balance_before: int | None = None  # of the wallet
    balance_after: int | None = None


class OperatorColumns(NamedTuple):
    """What the operator of a game wants to see of an event; ``None`` as in :class:`Amounts`.

    The columns are those of 炸金花. The round of antes and deal is 0; whatever follows from the
    last action belongs to the round in which that was taken.
    """

    round: int | None = None
    amount_this_round: int | None = None  # minor units that the seat has put in during it, so far
    seen: bool | None = None  # whether the seat has looked at its cards
    compared_with: int | None = None  # seat
    result: Result | None = None  # of the duel, for the seat
    initiated: bool | None = None  # whether the seat asked for the duel, or a rule did
    folded: bool | None = None


class TrailRow(NamedTuple):
    """One event."""

    place: Place
    who: Who
    amounts: Amounts
    operator: OperatorColumns


class AuditTrailView(ABC):
    """Port. Keeps the rows."""

    @abstractmethod
    def earlier(self, versions: Mapping[str, int]) -> Iterable[Recorded]:
        """Yield what can be read of each stream before the version given, in order within it."""

    @abstractmethod
    def append(self, rows: Sequence[TrailRow]) -> None:
        """Add rows, in the order of their positions."""
