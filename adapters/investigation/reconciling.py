"""Balances of players told in several ways, and where they differ.

- ``read_model``  what the read model has; only now, since it knows no past
- ``wallet``      what the last event of the player's wallet says that it holds
- ``fold``        the sum of all transfers, event by event
- ``foreign``     what another system says, where it does

All are of one position of the history, read in one snapshot, in batches: memory grows with the
accounts, not with the events. A player who is nowhere in one of them has nothing there.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from adapters.garbage import without_collector
from adapters.store.postgres import Conn
from adapters.views.as_of import Moment, position_of
from adapters.views.feed import read
from adapters.views.tracking import tracked
from domain.events import TOPICS, WalletEvent
from domain.money import player_account
from domain.wallet import player_of
from projections import Recorded
from projections.balances import changes, is_kept

_BATCH: Final = 5_000  # positions in memory at once
_KEPT: Final = "SELECT account, balance FROM balances"
_PARKED: Final = "SELECT count(*) FROM parked WHERE projection = 'balances'"
_PLAYER: Final = player_account("")


class Difference(NamedTuple):
    """A player whose chips are not told alike. Minor units; None where nothing is told."""

    player: str
    read_model: int | None
    wallet: int | None
    fold: int | None
    foreign: int | None
    last_position: int | None  # the last event that moved chips of the player


class Reconciliation(NamedTuple):
    """What a comparison came to."""

    position: int  # up to which everything is told
    players: int
    differences: list[Difference]
    totals: Mapping[str, int]  # of all players, as each tells it
    house: Mapping[str, tuple[int | None, int | None]]  # accounts of nobody: read model and fold
    together: int  # of all accounts as folded: zero, or an event is missing
    parked: int  # events that the read model could not take in
    unreadable: int  # events that nobody could


class _Folded:
    """What the events come to."""

    def __init__(self) -> None:
        self.accounts: dict[str, int] = {}
        self.wallets: dict[str, int] = {}
        self.last: dict[str, int] = {}
        self.unreadable = 0

    def take_in(self, batch: list[Recorded]) -> None:
        """Add a batch of events."""
        for name, change in changes(recorded.entry for recorded in batch).items():
            balance = self.accounts.pop(name, 0) + change
            if is_kept(name, balance):
                self.accounts[name] = balance
        for position, entry, _ in batch:
            if isinstance(entry.event, WalletEvent):
                player = player_of(entry.originator_id)
                self.wallets[player] = entry.event.balance
                if entry.event.transfers:
                    self.last[player] = position


def reconcile(
    conn: Conn,
    *,
    as_of: Moment | None,
    foreign: Mapping[str, int] | None,
    progress: Callable[[int, int], None],
) -> Reconciliation:
    """Compare what each tells of every player.

    Args:
        conn: In one snapshot, in a role that reads events and read models.
        as_of: When; None is as far as the read model has come.
        foreign: What another system says, minor units by player.
        progress: Told the position reached, and the last one.

    Raises:
        PositionUnknownError: The history has not come to ``as_of``.
        CardKeyMissingError: Cards are sealed under a key that is not held.
    """
    is_now = as_of is None
    upto = tracked(conn)["balances"].position if as_of is None else position_of(conn, as_of)
    folded = _Folded()
    for after in range(0, upto, _BATCH):
        with without_collector():
            batch = read(conn, after, min(after + _BATCH, upto), TOPICS)
            folded.take_in(batch.recorded)
        folded.unreadable += len(batch.unreadable)
        progress(min(after + _BATCH, upto), upto)
    kept = {str(name): int(balance) for name, balance in conn.execute(_KEPT)} if is_now else {}
    ((parked,),) = conn.execute(_PARKED).fetchall() if is_now else [(0,)]
    sides: dict[str, Mapping[str, int]] = {
        **({"read_model": _of_players(kept)} if is_now else {}),
        "wallet": folded.wallets,
        "fold": _of_players(folded.accounts),
        **({} if foreign is None else {"foreign": foreign}),
    }
    players = sorted({player for told in sides.values() for player in told})
    return Reconciliation(
        position=upto,
        players=len(players),
        differences=[d for player in players if (d := _compared(player, sides, folded.last))],
        totals={name: sum(told.values()) for name, told in sides.items()},
        house=_of_nobody(kept if is_now else None, folded.accounts),
        together=sum(folded.accounts.values()),
        parked=int(parked),
        unreadable=folded.unreadable,
    )


def _compared(
    player: str, sides: Mapping[str, Mapping[str, int]], last: Mapping[str, int]
) -> Difference | None:
    """Return a player's figures if they are not the same everywhere."""
    told = {name: balances.get(player) for name, balances in sides.items()}
    if len({balance or 0 for balance in told.values()}) == 1:
        return None
    return Difference(
        player,
        told.get("read_model"),
        told.get("wallet"),
        told.get("fold"),
        told.get("foreign"),
        last.get(player),
    )


def _of_players(accounts: Mapping[str, int]) -> dict[str, int]:
    return {
        name.removeprefix(_PLAYER): balance
        for name, balance in accounts.items()
        if name.startswith(_PLAYER)
    }


def _of_nobody(
    kept: Mapping[str, int] | None, folded: Mapping[str, int]
) -> dict[str, tuple[int | None, int | None]]:
    """Return the accounts that are no player's, where read model and fold differ."""
    if kept is None:
        return {}
    names = {name for name in kept.keys() | folded if not name.startswith(_PLAYER)}
    both = {name: (kept.get(name), folded.get(name)) for name in sorted(names)}
    return {name: pair for name, pair in both.items() if pair[0] != pair[1]}
