"""The queries, for whoever reads."""

from collections.abc import Collection
from datetime import datetime

from adapters.store.postgres import Store
from adapters.views.as_of import (
    Moment,
    balances_as_of,
    bonuses_as_of,
    house_as_of,
    position_of,
    statement_as_of,
)
from adapters.views.audit_trail import Movement, audit_trail, statement
from adapters.views.balances import balances
from adapters.views.bonuses import bonus_total, bonuses
from adapters.views.disputes import (
    EVERY_DISPUTE,
    DisputeFilter,
    OpenDisputes,
    disputes,
    open_disputes,
)
from adapters.views.hand_counts import HandCount, hand_counts
from adapters.views.hand_list import EVERY_HAND, HandFilter, hand_list
from adapters.views.house import EVERY_DAY, HouseFilter, house
from adapters.views.players import Opponent, Point, curve, opponents
from projections.audit_trail.row import TrailRow
from projections.balances import Balance
from projections.bonuses import BonusRow
from projections.disputes import DisputeRow
from projections.hands.row import HandRow
from projections.house import HouseRow


class Views:
    """Reads the read models as far as they have come. Each query sees one state of one of them.

    As of an earlier moment they are folded from the events up to there, however far they have come.
    """

    def __init__(self, store: Store, history: Store | None = None) -> None:
        """Read from a store, in a role that may read views.

        ``history`` is the same store in a role that may read events, which a reader may
        not: what was told as of an earlier moment is folded from them.
        """
        self._store = store
        self._history = history or store

    def balances(self, player: str | None = None, *, as_of: Moment | None = None) -> list[Balance]:
        """Read every account, or the one of a player's chips outside any hand; by name."""
        if as_of is not None:
            return self._history.run(lambda conn: balances_as_of(conn, as_of, player))
        return self._store.run(lambda conn: balances(conn, player))

    def statement(
        self,
        player: str,
        *,
        as_of: Moment | None = None,
        after: int = 0,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Movement]:
        """Read the movements of a player's wallet after a position, with the balance after each.

        From ``before`` they are read backwards.
        """
        if as_of is None:
            return self._store.run(
                lambda conn: statement(conn, player, after=after, before=before, limit=limit)
            )
        found = self._history.run(lambda conn: statement_as_of(conn, as_of, player))
        if before is not None:
            found = [movement for movement in reversed(found) if movement.position < before]
        return [movement for movement in found if movement.position > after][:limit]

    def bonuses(self, player: str | None = None, *, as_of: Moment | None = None) -> list[BonusRow]:
        """Read the 喜钱 of everybody, or of a player."""
        if as_of is not None:
            return self._history.run(lambda conn: bonuses_as_of(conn, as_of, player))
        return self._store.run(lambda conn: bonuses(conn, player))

    def bonus_total(self) -> int:
        """Return the 喜钱 of everybody together, minor units."""
        return self._store.run(bonus_total)

    def house(
        self, wanted: HouseFilter = EVERY_DAY, *, as_of: Moment | None = None
    ) -> list[HouseRow]:
        """Read what the house took and gave on some days at some tables, in the order of days."""
        if as_of is not None:
            return self._history.run(lambda conn: house_as_of(conn, as_of, wanted))
        return self._store.run(lambda conn: house(conn, wanted))

    def hands(
        self,
        wanted: HandFilter = EVERY_HAND,
        *,
        after: int = 0,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[HandRow]:
        """Read hands in the order in which they were opened, or backwards from a position.

        Args:
            wanted: Which.
            after: The position of an opening to read on from.
            before: The position of an opening to read backwards from; None is not backwards.
            limit: The number of hands at most.
        """
        return self._store.run(
            lambda conn: hand_list(conn, wanted, after=after, before=before, limit=limit)
        )

    def hand_counts(self, tables: Collection[str] | None = None) -> list[HandCount]:
        """Count hands and add their pots up, by day, rulebook and state."""
        return self._store.run(lambda conn: hand_counts(conn, tables))

    def curve(self, player: str) -> list[Point]:
        """Read some of a player's balances in their order, the last one among them."""
        return self._store.run(lambda conn: curve(conn, player))

    def opponents(self, player: str, *, limit: int) -> list[Opponent]:
        """Read with whom a player sat most often, and what the player came out with."""
        return self._store.run(lambda conn: opponents(conn, player, limit=limit))

    def position_of(self, moment: Moment) -> int:
        """Return the position of a moment; 0 is before the first event.

        Raises:
            PositionUnknownError: It is not reached yet, or below zero.
        """
        return self._history.run(lambda conn: position_of(conn, moment))

    def disputes(
        self,
        wanted: DisputeFilter = EVERY_DISPUTE,
        *,
        after: int = 0,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[DisputeRow]:
        """Read disputes in the order in which they were opened, or backwards from a position.

        Args:
            wanted: Which.
            after: The position of an opening to read on from.
            before: The position of an opening to read backwards from; None is not backwards.
            limit: The number of disputes at most.
        """
        return self._store.run(
            lambda conn: disputes(conn, wanted, after=after, before=before, limit=limit)
        )

    def open_disputes(self, at: datetime, tables: Collection[str] | None = None) -> OpenDisputes:
        """Count the disputes that wait for their verdict, and those that are overdue then."""
        return self._store.run(lambda conn: open_disputes(conn, at, tables))

    def audit_trail(
        self,
        *,
        hand: str | None = None,
        player: str | None = None,
        tables: Collection[str] | None = None,
        after: int = 0,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[TrailRow]:
        """Read the trail, in the order of positions, from after one on, or backwards.

        Args:
            hand: Only what happened in this hand, its reservations and releases included.
            player: Only what this player did, in a seat or to the wallet.
            tables: Only what happened in hands of these tables; nothing that a wallet tells.
            after: The position to read on from.
            before: The position to read backwards from; None is not backwards.
            limit: The number of rows at most.
        """
        return self._store.run(
            lambda conn: audit_trail(
                conn,
                hand=hand,
                player=player,
                tables=tables,
                after=after,
                before=before,
                limit=limit,
            )
        )
