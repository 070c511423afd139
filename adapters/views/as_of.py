"""What the read models told at an earlier moment: a fold of the events up to there, in memory.

Every moment is a position. One given as a time is the last position that was recorded at it or
before, by the server's own clock; what happened and was told of later is not in it.
"""

from collections import deque
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Final

from adapters.errors import PositionUnknownError
from adapters.garbage import without_collector
from adapters.store.postgres import Conn
from adapters.views.audit_trail import Movement, PostgresAuditTrail, movement
from adapters.views.balances import PostgresBalances
from adapters.views.bonuses import PostgresBonuses
from adapters.views.feed import Versions, head, read, read_streams
from adapters.views.generation import Fold, select, take_in
from adapters.views.house import HouseFilter, PostgresHouse
from domain.money import player_account
from domain.wallet import wallet_id
from projections import Recorded
from projections.balances import Balance
from projections.bonuses import BonusRow
from projections.house import HouseRow

Moment = int | datetime
"""A position, or a time with its zone."""

_POSITION_MAX: Final = 2**63 - 1

_BATCH: Final = 5_000  # positions in memory at once
_NO_GENERATION: Final = 0
_RECORDED: Final = "SELECT coalesce(max(position), 0) FROM events WHERE recorded_at <= %s"


def moment_of(text: str) -> Moment:
    """Return the moment that a text names: the digits of a position, or a time.

    Raises:
        ValueError: It names neither.
    """
    if text.isascii() and text.isdigit():
        return min(int(text[:20]), _POSITION_MAX)
    return time_of(text)


def time_of(text: str) -> datetime:
    """Return a time as RFC 3339 writes it, in UTC where it names no zone.

    Raises:
        ValueError: It is none, or none that can be told in UTC.
    """
    try:
        time = datetime.fromisoformat(text)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(*error.args) from error


def position_of(conn: Conn, moment: Moment) -> int:
    """Return the position of a moment; 0 is before the first event.

    Raises:
        PositionUnknownError: It is not reached yet, or below zero.
    """
    if isinstance(moment, datetime):
        assert moment.tzinfo is not None, moment
        ((position,),) = select(conn, _RECORDED, [moment])
        return int(position)
    last = head(conn)
    if not 0 <= moment <= last:
        raise PositionUnknownError(position=moment, last=last)
    return moment


def balances_as_of(conn: Conn, moment: Moment, player: str | None = None) -> list[Balance]:
    """Return what every account held, or the one of a player's chips outside any hand."""
    fold = PostgresBalances(conn, _NO_GENERATION).fold()
    upto = position_of(conn, moment)
    if player is None:
        _fold(conn, fold, upto)
        return fold.rows()
    _fold_wallet(conn, fold, player, upto)
    return [row for row in fold.rows() if row.account == player_account(player)]


def bonuses_as_of(conn: Conn, moment: Moment, player: str | None = None) -> list[BonusRow]:
    """Return the 喜钱 that everybody had had, or a player."""
    fold = PostgresBonuses(conn, _NO_GENERATION).fold()
    _fold(conn, fold, position_of(conn, moment))
    return [row for row in fold.rows() if player in (None, row.player)]


def house_as_of(conn: Conn, moment: Moment, wanted: HouseFilter) -> list[HouseRow]:
    """Return what the house had taken and given."""
    fold = PostgresHouse(conn, _NO_GENERATION).fold()
    _fold(conn, fold, position_of(conn, moment))
    return [row for row in fold.rows() if wanted.admits(row)]


def statement_as_of(conn: Conn, moment: Moment, player: str) -> list[Movement]:
    """Return the movements of a player's wallet up to then."""
    fold = PostgresAuditTrail(conn, _NO_GENERATION).fold()
    _fold_wallet(conn, fold, player, position_of(conn, moment))
    return [movement(row) for row in fold.rows()]


def _fold(conn: Conn, fold: Fold, upto: int) -> None:
    """Take in the events up to a position, all but those that a projector would park."""
    for after in range(0, upto, _BATCH):
        with without_collector():
            batch = read(conn, after, min(after + _BATCH, upto), fold.projection.topics)
            _take_in(fold, batch.recorded)


def _fold_wallet(conn: Conn, fold: Fold, player: str, upto: int) -> None:
    """Take in a wallet's events up to a position: no others move chips of its player."""
    found = read_streams(conn, {wallet_id(player): Versions()}).recorded
    _take_in(fold, [recorded for recorded in found if recorded.position <= upto])


def _take_in(fold: Fold, batch: Sequence[Recorded]) -> None:
    deque(take_in(fold.projection, batch, nullcontext), maxlen=0)
