"""``jinhua hands``: hands found by who played, where, when, and how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from cyclopts import Parameter, validators

from adapters.console.hands import catch_up
from adapters.console.moments import time_of
from adapters.console.names import Called, called
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say, table
from adapters.plain_json import plain
from adapters.views.hand_list import HandFilter
from projections.hands.row import Flag, HandRow, State

PageLength = Annotated[int, Parameter(validator=validators.Number(gte=1, lte=1_000_000))]

_COLUMNS: Final = (
    *("position#", "hand", "rulebook", "version#", "ante$", "players", "opened", "state"),
    *("winners", "pot$", "rounds#", "rake$", "flags"),
)


@Parameter(name="*", group="Conditions")
@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Which hands: those that meet all that are given."""

    player: Annotated[str | None, Parameter(help="Who sat in it.")] = None
    winner: Annotated[str | None, Parameter(help="Who won something of the pot.")] = None
    rulebook: Annotated[str | None, Parameter(help="Its id.")] = None
    version: Annotated[int | None, Parameter(help="Of the rulebook.")] = None
    ante: Annotated[int | None, Parameter(help="Minor units.")] = None
    max_stake: Annotated[int | None, Parameter(help="Minor units.")] = None
    since: Annotated[
        str | None, Parameter(help="Opened then or later; UTC unless it names its zone.")
    ] = None
    until: Annotated[str | None, Parameter(help="Opened before.")] = None
    state: Annotated[State | None, Parameter(help="What has become of it.")] = None
    flag: Annotated[
        tuple[Flag, ...], Parameter(help="What happened in it; of several, all.", negative=())
    ] = ()

    @property
    def wanted(self) -> HandFilter:
        """Return them as a filter.

        Raises:
            BadInputError: A time is none.
        """
        return HandFilter(
            player=self.player,
            winner=self.winner,
            rulebook=self.rulebook,
            version=self.version,
            ante=self.ante,
            max_stake=self.max_stake,
            since=None if self.since is None else time_of(self.since),
            until=None if self.until is None else time_of(self.until),
            state=self.state,
            flags=self.flag or None,
        )


EVERY: Final = Conditions()


def hands(
    *,
    conditions: Conditions = EVERY,
    after: int = 0,
    limit: PageLength = 100,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """List the hands that meet every condition, in the order in which they were opened.

    For example:

        jinhua hands --player p001 --winner p002 --flag last_stand
        jinhua hands --rulebook jiuyou --ante 500 --since 2026-01-01 --until 2026-02-01 --json
        jinhua hands --state running --after 5000 --limit 20

    Parameters:
        after: The position to read on from: the one of the last hand of the page before.
        limit: How many hands at most.
    """
    wanted = conditions.wanted
    with opened(where) as store:
        catch_up(store)
        # One more than shown tells whether there is another page.
        found = store.views.hands(wanted, after=after, limit=limit + 1)
        known = called(store, (player for row in found for player in row.players))
    page = found[:limit]
    following = page[-1].opened_position if len(found) > limit else None
    if json:
        print_json({"hands": [known.beside(plain(row)) for row in page], "after": following})
        return 0
    table(_COLUMNS, (_cells(row, known) for row in page))
    if following is not None:
        say(f"more: --after {following}")
    return 0


def _cells(row: HandRow, known: Called) -> tuple[object, ...]:
    """Return what a table shows of a hand."""
    return (
        *(row.opened_position, row.hand, row.rulebook, row.version, row.ante),
        *(_listed(row.players, known), f"{row.opened_at:%Y-%m-%d %H:%M:%S}", row.state),
        *(_listed(row.winners or (), known), row.pot, row.rounds, row.rake, " ".join(row.flags)),
    )


def _listed(players: Sequence[str], known: Called) -> str:
    return " ".join(map(known.label, players))
