"""Chips of every account, in PostgreSQL."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from adapters.store.postgres import Conn
from adapters.views.generation import Difference, Fold, Generation, select
from domain.money import player_account
from projections.balances import HAND, Balance, Balances, BalancesView, is_kept

# What projections.balances.is_kept says of one account, said of many.
_POST: Final = f"""
    MERGE INTO projected_balances AS kept
    USING unnest(%s::text[], %s::numeric[]) AS changed (account, amount)
       ON kept.account = changed.account AND kept.generation = %s
     WHEN MATCHED AND kept.balance + changed.amount = 0 AND starts_with(kept.account, '{HAND}')
     THEN DELETE
     WHEN MATCHED THEN UPDATE SET balance = kept.balance + changed.amount
     WHEN NOT MATCHED THEN INSERT VALUES (%s, changed.account, changed.amount)
"""
_ROWS: Final = "SELECT account, balance FROM projected_balances WHERE generation = %s"


class PostgresBalances(Generation, BalancesView):
    """One generation of them."""

    table: ClassVar[str] = "projected_balances"

    def __init__(self, conn: Conn, generation: int) -> None:
        super().__init__(conn, generation)
        self.projection = Balances(self)

    def post(self, changes: Mapping[str, int]) -> None:
        """Add to each account what it changed by, in one statement."""
        moved = {name: change for name, change in changes.items() if is_kept(name, change)}
        values = [list(moved), list(moved.values()), self.generation, self.generation]
        self.conn.execute(_POST, values)

    def fold(self) -> "FoldedBalances":
        """Begin with no account at all."""
        return FoldedBalances(self)


class FoldedBalances(Fold, BalancesView):
    """Balances in memory, to compare with."""

    def __init__(self, rows: PostgresBalances) -> None:
        self.projection = Balances(self)
        self._rows = rows
        self._derived: dict[str, int] = {}

    def post(self, changes: Mapping[str, int]) -> None:
        """Add to each account what it changed by."""
        for name, change in changes.items():
            balance = self._derived.pop(name, 0) + change
            if is_kept(name, balance):
                self._derived[name] = balance

    def rows(self) -> list[Balance]:
        """Return them in the order of the accounts' names."""
        return [Balance(name, self._derived[name]) for name in sorted(self._derived)]

    def differences(self) -> Iterator[Difference]:
        """Yield the accounts whose balances differ."""
        recorded: dict[str, int] = dict(select(self._rows.conn, _ROWS, [self._rows.generation]))
        for name in sorted(recorded.keys() | self._derived):
            kept, derived = recorded.get(name), self._derived.get(name)
            if kept != derived:
                yield Difference(self.projection.name, name, kept, derived)


def balances(conn: Conn, player: str | None = None) -> list[Balance]:
    """Read every account, or the one of a player's chips outside any hand."""
    query, values = "SELECT account, balance FROM balances", []
    if player is not None:
        query, values = f"{query} WHERE account = %s", [player_account(player)]
    return [Balance(*row) for row in select(conn, f"{query} ORDER BY account", values)]
