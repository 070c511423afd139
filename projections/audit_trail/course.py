"""One event -> its row: who, how much, before and after, whatever the game."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from domain.events import CarryReleased, CarryReserved, Event, HandOpened, WalletEvent
from domain.money import POT, Transfer, account, player_account, seat_account
from projections import IMPOSSIBLE, Recorded
from projections.audit_trail.row import Amounts, OperatorColumns, Place, TrailRow, Who
from projections.audit_trail.zhajinhua import GAME, ZhajinhuaOperator


class Operator(Protocol):
    """Follows one hand of a game."""

    def columns(self, event: Event, seat: int | None) -> OperatorColumns:
        """Take in the hand's next event, and say what the operator wants to see of it."""
        ...


OPERATORS: Final[Mapping[str, Callable[[HandOpened], Operator]]] = {GAME: ZhajinhuaOperator}
"""By game. A hand of any other game has its rows without these columns."""


class HandCourse:
    """How a hand stands between two events: who sits where, the stacks, the pot."""

    def __init__(self, stream: str) -> None:
        """Start before the first event."""
        self._hand = stream.removeprefix("hand:")
        self._version = 0
        self._known = True  # False: something happened that cannot be read
        self._players: dict[int | None, str] = {}  # by seat
        self._money: dict[str, int] = {}  # minor units by local account
        self._operator: Operator | None = None

    def recall(self, recorded: Recorded) -> None:
        """Take in an event that has its row already, or cannot have one."""
        try:
            self.take(recorded)
        except IMPOSSIBLE:
            self._known = False

    def take(self, recorded: Recorded) -> TrailRow:
        """Take in the hand's next event, and return its row.

        Raises:
            IMPOSSIBLE: The event says what cannot be.
        """
        entry = recorded.entry
        event, seat = entry.event, seat_of(entry.event)
        self._known &= entry.originator_version == self._version + 1
        self._version = entry.originator_version
        if isinstance(event, HandOpened):
            self._open(event)
        stack_before, pot_before = self._stack(seat), self._pot()
        columns = self._follow(event, seat)
        return TrailRow(
            _place(recorded),
            Who(self._hand, seat, self._players.get(seat), getattr(event, "by", None)),
            Amounts(
                _ledger_wide(event.transfers, self._hand),
                sum(t.amount for t in event.transfers),
                stack_before,
                self._stack(seat),
                pot_before,
                self._pot(),
            ),
            columns,
        )

    def _open(self, opening: HandOpened) -> None:
        """Seat the players."""
        self._players = {taken.seat: taken.player for taken in opening.seats}
        self._money = {seat_account(taken.seat): taken.carry for taken in opening.seats}
        self._money[POT] = 0
        operator = OPERATORS.get(opening.game)
        self._operator = operator(opening) if operator else None

    def _stack(self, seat: int | None) -> int | None:
        """Return what a seat has left, minor units, where there is one and it is known."""
        return self._money[seat_account(seat)] if self._known and seat is not None else None

    def _pot(self) -> int | None:
        """Return what is in the pot, minor units, where that is known."""
        return self._money[POT] if self._known else None

    def _follow(self, event: Event, seat: int | None) -> OperatorColumns:
        """Move an event's chips, and return what the game's operator wants to see of it."""
        if not self._known:
            return OperatorColumns()
        for source, target, amount, _ in event.transfers:
            for name, change in ((source, -amount), (target, amount)):
                if account(name, self._hand) != name:  # else it is the house's
                    self._money[name] += change
        if self._operator is None or isinstance(event, HandOpened):
            return OperatorColumns()
        return self._operator.columns(event, seat)


def wallet_row(recorded: Recorded) -> TrailRow:
    """Return the row of an event of a wallet: what it held before and after."""
    event, player = recorded.entry.event, recorded.entry.originator_id.removeprefix("wallet:")
    assert isinstance(event, WalletEvent), event
    who = Who(player=player)
    if isinstance(event, (CarryReserved, CarryReleased)):
        who = Who(event.hand, event.seat, player)
    own = player_account(player)
    came = sum(t.amount for t in event.transfers if t.target == own)
    went = sum(t.amount for t in event.transfers if t.source == own)
    amounts = Amounts(
        event.transfers,
        sum(t.amount for t in event.transfers),
        balance_before=event.balance - came + went,
        balance_after=event.balance,
    )
    return TrailRow(_place(recorded), who, amounts, OperatorColumns())


def seat_of(event: Event) -> int | None:
    """Return the seat that an event is about. Whatever the game, the field's name tells it."""
    seat: int | None = getattr(event, "seat", None)
    return getattr(event, "challenger", None) if seat is None else seat


def _place(recorded: Recorded) -> Place:
    """Return which event it is."""
    position, entry, recorded_at = recorded
    cause = entry.cause
    return Place(
        position,
        entry.originator_id,
        entry.originator_version,
        entry.event.TOPIC,
        cause.at,
        recorded_at,
        cause.actor,
        cause.command_id,
    )


def _ledger_wide(transfers: Iterable[Transfer], hand: str) -> tuple[Transfer, ...]:
    """Return the transfers of a hand under the names that hold across all hands."""
    return tuple(
        Transfer(account(source, hand), account(target, hand), amount, reason)
        for source, target, amount, reason in transfers
    )
