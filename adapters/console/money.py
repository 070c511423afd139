"""``jinhua balances``, ``statement``, ``bonuses``, ``house`` and ``audit``: the read models."""

from datetime import date

from adapters.console.hands import catch_up
from adapters.console.moments import AsOf, moment_of
from adapters.console.names import called, called_in_accounts
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say, table
from adapters.plain_json import plain
from adapters.views.house import HouseFilter
from domain.money import in_chips


def balances(
    *,
    player: str | None = None,
    as_of: AsOf = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Print what every account holds. All accounts together hold zero.

    For example:

        jinhua balances
        jinhua balances --player p001 --json
        jinhua balances --as-of 2026-02-01T00:00Z

    Parameters:
        player: Only the chips of this player outside any hand.
        as_of: What they held then: a position, or a time in UTC unless it names its zone.
    """
    moment = moment_of(as_of)
    with opened(where) as store:
        if moment is None:
            catch_up(store)
        rows = store.views.balances(player, as_of=moment)
        known = called_in_accounts(store, (row.account for row in rows))
    if json:
        print_json({"accounts": [known.beside(plain(row)) for row in rows]})
        return 0
    table(("account", "balance$"), ((known.label_of(row.account), row.balance) for row in rows))
    if player is None:
        say(f"together {in_chips(sum(row.balance for row in rows))}")
    elif not rows:
        say(f"no chips ever moved through the wallet of {player}")
    return 0


def statement(player: str, *, as_of: AsOf = None, where: Where = HERE, json: AsJson = False) -> int:
    """Print every movement of a player's wallet, with the balance after it.

    For example:

        jinhua statement p001
        jinhua statement p001 --as-of 5000

    Parameters:
        player: Whose wallet.
        as_of: Up to then: a position, or a time in UTC unless it names its zone.
    """
    moment = moment_of(as_of)
    with opened(where) as store:
        if moment is None:
            catch_up(store)
        rows = store.views.statement(player, as_of=moment)
        known = called(store, [player])
    if json:
        print_json(known.beside({"player": player, "movements": [plain(row) for row in rows]}))
        return 0
    if player in known.names:
        say(known.label(player))
    columns = ("position#", "time", "what", "hand", "seat#", "amount$", "balance$")
    table(columns, ([row[0], f"{row[1]:%Y-%m-%d %H:%M:%S}", *row[2:]] for row in rows))
    return 0


def bonuses(
    *,
    player: str | None = None,
    as_of: AsOf = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Print the bonuses (喜钱) of every player, by category and rulebook.

    For example:

        jinhua bonuses --player p001

    Parameters:
        player: Only this player's.
        as_of: Up to then: a position, or a time in UTC unless it names its zone.
    """
    moment = moment_of(as_of)
    with opened(where) as store:
        if moment is None:
            catch_up(store)
        rows = store.views.bonuses(player, as_of=moment)
        known = called(store, (row.player for row in rows))
    if json:
        print_json({"bonuses": [known.beside(plain(row)) for row in rows]})
        return 0
    columns = ("player", "category", "rulebook", "version#", "times#", "amount$")
    table(columns, ((known.label(row.player), *row[1:]) for row in rows))
    return 0


def house(
    *,
    since: date | None = None,
    until: date | None = None,
    rulebook: str | None = None,
    as_of: AsOf = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Print what the house took and gave, by day (UTC) and kind of table.

    For example:

        jinhua house --since 2026-01-01 --until 2026-02-01
        jinhua house --rulebook jiuyou --json

    Parameters:
        since: The first day.
        until: The day after the last.
        rulebook: Only at tables of this one.
        as_of: Up to then: a position, or a time in UTC unless it names its zone.
    """
    moment = moment_of(as_of)
    with opened(where) as store:
        if moment is None:
            catch_up(store)
        rows = store.views.house(HouseFilter(since, until, rulebook), as_of=moment)
    if json:
        print_json({"house": [plain(row) for row in rows]})
        return 0
    columns = ("day", "rulebook", "version#", "ante$", "max stake$")
    table((*columns, "rake$", "bank$", "bonus$", "rounding$"), rows)
    return 0


def audit(
    *,
    hand: str | None = None,
    player: str | None = None,
    after: int = 0,
    limit: int = 100,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Print the audit trail: every event as a line, who, what, why, before and after.

    For example:

        jinhua audit --hand 000-last-stand
        jinhua audit --player p001 --after 5000 --limit 20 --json

    Parameters:
        hand: Only what happened in this hand, with its reservations and releases.
        player: Only what this player did, in a seat or to the wallet.
        after: The position to read on from.
        limit: How many lines at most.
    """
    with opened(where) as store:
        catch_up(store)
        rows = store.views.audit_trail(hand=hand, player=player, after=after, limit=limit)
        known = called(store, (row.who.player for row in rows))
    if json:
        lines = [
            {name: value for part in plain(row).values() for name, value in part.items()}
            for row in rows
        ]
        print_json({"lines": [known.beside(line) for line in lines]})
        return 0
    columns = (
        *("position#", "time", "what", "hand", "seat#", "player", "amount$"),
        *("stack before$", "after$", "pot before$", "after$", "round#", "by", "actor"),
    )
    table(
        columns,
        (
            (
                *(place.position, f"{place.happened_at:%Y-%m-%d %H:%M:%S}", place.topic),
                *(who.hand, who.seat, who.player and known.label(who.player), amounts.amount),
                *(amounts.stack_before, amounts.stack_after, amounts.pot_before, amounts.pot_after),
                *(operator.round, who.by, place.actor),
            )
            for place, who, amounts, operator in rows
        ),
    )
    return 0
