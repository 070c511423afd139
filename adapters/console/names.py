"""``jinhua name`` and ``erase``; and how every other command calls players.

Only here are names put beside ids: a table says ``name (player)``, JSON has ``name`` beside
``player``. Who never had a name is called by the id alone, and has no ``name`` in JSON.
"""

import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, NamedTuple
from uuid import uuid4

from cyclopts import Parameter

from adapters.console.failures import BadInputError
from adapters.console.lines import InputFile
from adapters.console.options import HERE, Opened, Where, opened
from adapters.console.output import AsJson, print_json, say
from adapters.registers.names import pseudonym
from domain.events import Event, HandOpened
from domain.money import player_account

Yes = Annotated[bool, Parameter(negative=(), help="Do not ask.")]

_ACCOUNT: Final = player_account("")


class Called(NamedTuple):
    """What some players are called."""

    names: Mapping[str, str]  # by player; without those who never had one

    def label(self, player: str) -> str:
        """Return how a table calls a player."""
        name = self.names.get(player)
        return player if name is None else f"{name} ({player})"

    def label_of(self, account: str) -> str:
        """Return how a table calls an account: by its player's name, where it is a player's."""
        name = self.names.get(_player_of(account) or "")
        return account if name is None else f"{name} ({account})"

    def beside(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row of JSON with the name behind its player, or behind a player's account.

        Where it has several ``players``, ``names`` follow: by player, those that have one.
        """
        told: dict[str, Any] = {}
        for field, value in row.items():
            told[field] = value
            if field == "players":
                names = {player: self.names[player] for player in value if player in self.names}
                told |= {"names": names} if names else {}
            elif field in {"player", "account"}:
                name = self.names.get(value if field == "player" else _player_of(value) or "")
                told |= {} if name is None else {"name": name}
        return told

    def in_events(self, events: Iterable[Event]) -> list[Event]:
        """Return a hand's events in which its players are called as a table calls them."""
        return [
            event.model_copy(
                update={
                    "seats": tuple(
                        taken.model_copy(update={"player": self.label(taken.player)})
                        for taken in event.seats
                    )
                }
            )
            if isinstance(event, HandOpened)
            else event
            for event in events
        ]


def called(store: Opened, players: Iterable[str | None]) -> Called:
    """Look up, at once, what players are called."""
    return Called(store.names.of(player for player in players if player is not None))


def called_in_accounts(store: Opened, accounts: Iterable[str]) -> Called:
    """Look up what the players are called whose accounts these are, among others."""
    return called(store, map(_player_of, accounts))


def name(
    player: str,
    name: InputFile,
    /,
    *,
    actor: str = "operator",
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Keep what a player is called. The name is sealed under a key of the player's own.

    It is shown beside the player's id until the player is given another, or is erased. The words
    of a command are seen by others on the same machine, and kept by shells: - reads the name from
    standard input.

    For example:

        jinhua name p001 张三
        jinhua name p001 - < name.txt

    Parameters:
        player: The id: opaque, for it stays for ever.
        name: 1 to 200 characters; - is the first line of standard input.
        actor: Who says so.
    """
    given = sys.stdin.readline().rstrip("\r\n") if name == "-" else name
    with opened(where) as store:
        receipt = store.ledger.name_player(player, given, command_id=f"name:{uuid4()}", actor=actor)
    told = {"player": player, "position": receipt.last_position}
    if json:
        print_json(told)
    else:
        say(f"{player} is named, at position {receipt.last_position}")
    return 0


def erase(
    player: str,
    /,
    *,
    why: str,
    actor: str = "operator",
    yes: Yes = False,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Destroy the key of a player's names: nobody reads them again, and a pseudonym takes over.

    The id, the chips, every event and every hash stay. What was written elsewhere stays too: in
    backups, and in the server's log of writes until it is overwritten. Where a killed process or a
    restore has left the key, the same command again destroys it.

    For example:

        jinhua erase p001 --why "asked for on 2026-03-01"
        jinhua erase p001 --why "asked for on 2026-03-01" --yes --json

    Parameters:
        player: The id.
        why: Kept for ever, in clear; it should name nobody.
        actor: Who does it.
    """
    with opened(where) as store:
        if not yes:
            _confirm(called(store, [player]).label(player))
        receipt = store.ledger.erase_player(player, why, command_id=f"erase:{uuid4()}", actor=actor)
    told = {"player": player, "name": pseudonym(player), "position": receipt.last_position}
    if json:
        print_json(told)
    else:
        say(f"{player} is erased, and called {told['name']} from position {told['position']} on")
    return 0


def _confirm(label: str) -> None:
    """Ask, on standard error, whether it is meant.

    Raises:
        BadInputError: It is not, or nobody answers.
    """
    sys.stderr.write(f"erase the names of {label} for ever? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise BadInputError("nothing was erased; y, or --yes, does it")


def _player_of(account: str) -> str | None:
    """Return whose chips an account holds, outside any hand; None where it is no player's."""
    return account.removeprefix(_ACCOUNT) if account.startswith(_ACCOUNT) else None
