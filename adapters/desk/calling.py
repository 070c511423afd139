"""What players are called, beside their ids: for whoever may read of all of them."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from adapters.http_api.callers import Caller
from adapters.http_api.service import Service
from adapters.registers.api_keys import Role

Labels = Callable[[str], str]
"""What a player is called, by id."""


async def called(
    service: Service, caller: Caller, players: Iterable[str | None]
) -> Mapping[str, str]:
    """Look up, at once, what players are called; of others a player knows the ids alone."""
    wanted = {player for player in players if player is not None}
    if caller.role is Role.PLAYER:
        wanted &= {caller.player or ""}
    return await service.read(partial(service.names.of, wanted))


def labels(names: Mapping[str, str]) -> Labels:
    """Return what calls a player by name and id, or by id alone."""
    return lambda player: f"{names[player]} ({player})" if player in names else player
