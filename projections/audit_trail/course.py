"""One event -> its row: who, how much, before and after, whatever the game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from domain.events import (
    CarryReleased,
    CarryReserved,
    DisputeEvent,
    Event,
    HandOpened,
    ToppedUp,
    WalletEvent,
)
from domain.hand import hand_of
from domain.money import POT, Transfer, account, player_account, seat_account
from domain.wallet import player_of
from projections import IMPOSSIBLE, Recorded
from projections.audit_trail.row import Amounts, OperatorColumns, Place, TrailRow, Who
from projections.audit_trail.zhajinhua import GAME, ZhajinhuaOperator


class Operator(Protocol):
    """Follows one hand of a game."""

    def columns(self, event: Event, seat: int | None) -> OperatorColumns:
        """Take in the hand's next event, and say what the operator wants to see of it."""
        ...


Moved = tuple[int | None, int | None, int | None, int | None]
"""What a seat had and has left, and what was and is in the pot, minor units; ``None`` where it is
not known."""

_UNKNOWN: Final[Moved] = (None, None, None, None)
_NO_COLUMNS: Final = OperatorColumns()

OPERATORS: Final[Mapping[str, Callable[[HandOpened], Operator]]] = {GAME: ZhajinhuaOperator}
"""By game. A hand of any other game has its rows without these columns."""


class HandCourse:
    """How a hand stands between two events: who sits where, the stacks, the pot."""

    def __init__(self, stream: str) -> None:
        """Start before the first event."""
        self._hand = hand_of(stream)
        self._version = 0
        self._known = True  # False: something happened that cannot be read
        self._players: dict[int | None, str] = {}  # by seat
        self._money: dict[str, int] = {}  # minor units by local account
        self._names: dict[str, str] = {}  # ledger-wide, by local account
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
        event, version = recorded.entry.event, recorded.entry.originator_version
        seat = seat_of(event)
        if version != self._version + 1:
            self._known = False
        self._version = version
        if type(event) is HandOpened:
            self._open(event)
        moved, columns = _UNKNOWN, _NO_COLUMNS
        if self._known:
            moved, columns = self._move(event, seat), self._follow(event, seat)
        transfers, amount = self._ledger_wide(event.transfers)
        return TrailRow._make(
            (
                _place(recorded),
                Who._make((self._hand, seat, self._players.get(seat), vars(event).get("by"))),
                Amounts._make((transfers, amount, *moved, None, None)),
                columns,
            )
        )

    def _open(self, opening: HandOpened) -> None:
        """Seat the players."""
        self._players = {taken.seat: taken.player for taken in opening.seats}
        self._money = {seat_account(taken.seat): taken.carry for taken in opening.seats}
        self._money[POT] = 0
        operator = OPERATORS.get(opening.game)
        self._operator = operator(opening) if operator else None

    def _move(self, event: Event, seat: int | None) -> Moved:
        """Move the event's chips; return the seat's stack and the pot before and after."""
        money = self._money
        stack = None if seat is None else seat_account(seat)
        stack_before, pot_before = None if stack is None else money[stack], money[POT]
        for source, target, amount, _ in event.transfers:
            if source in money or account(source, self._hand) != source:
                money[source] -= amount
            if target in money or account(target, self._hand) != target:
                money[target] += amount
        if type(event) is ToppedUp:  # which is paid for by the wallet
            money[seat_account(event.seat)] += event.amount
        stack_after = None if stack is None else money[stack]
        return stack_before, stack_after, pot_before, money[POT]

    def _follow(self, event: Event, seat: int | None) -> OperatorColumns:
        """Return what the operator of the game wants to see."""
        if self._operator is None or type(event) is HandOpened:
            return _NO_COLUMNS
        return self._operator.columns(event, seat)

    def _ledger_wide(self, transfers: Sequence[Transfer]) -> tuple[tuple[Transfer, ...], int]:
        """Return transfers under the names that hold across all hands, and their sum."""
        if not transfers:
            return (), 0
        named, total, names = [], 0, self._names
        for source, target, amount, reason in transfers:
            payer = names.get(source) or self._name(source)
            payee = names.get(target) or self._name(target)
            named.append(Transfer._make((payer, payee, amount, reason)))
            total += amount
        return tuple(named), total

    def _name(self, local: str) -> str:
        """Return the ledger-wide name of an account, and keep it."""
        name = self._names[local] = account(local, self._hand)
        return name


def wallet_row(recorded: Recorded) -> TrailRow:
    """Return the row of an event of a wallet: what it held before and after."""
    event, player = recorded.entry.event, player_of(recorded.entry.originator_id)
    assert isinstance(event, WalletEvent), event
    hand = seat = None
    if type(event) is CarryReserved or type(event) is CarryReleased:
        hand, seat = event.hand, event.seat
    own, amount, change = player_account(player), 0, 0
    for source, target, moved, _ in event.transfers:
        amount += moved
        change += moved * ((target == own) - (source == own))
    before, after = event.balance - change, event.balance
    return TrailRow._make(
        (
            _place(recorded),
            Who._make((hand, seat, player, None)),
            Amounts._make((event.transfers, amount, *_UNKNOWN, before, after)),
            _NO_COLUMNS,
        )
    )


def dispute_row(recorded: Recorded) -> TrailRow:
    """Return the row of a step of a dispute: which hand it is about. Its texts are in no row."""
    event = recorded.entry.event
    assert isinstance(event, DisputeEvent), event
    return TrailRow(_place(recorded), Who(event.hand), Amounts(), _NO_COLUMNS)


def seat_of(event: Event) -> int | None:
    """Return the seat that an event is about. Whatever the game, the field's name tells it."""
    fields = vars(event)
    seat: int | None = fields.get("seat")
    return fields.get("challenger") if seat is None else seat


def _place(recorded: Recorded) -> Place:
    """Return which event it is. Rows are made by the million: ``_make`` takes half as long."""
    position, entry, recorded_at = recorded
    cause = entry.cause
    return Place._make(
        (
            position,
            entry.originator_id,
            entry.originator_version,
            entry.event.TOPIC,
            cause.at,
            recorded_at,
            cause.actor,
            cause.command_id,
        )
    )
