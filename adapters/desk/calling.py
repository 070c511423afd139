"""What players are called, beside their ids: for whoever may read of all of them."""

from collections.abc import Iterable, Mapping
from functools import partial

from adapters.http_api.callers import Caller
from adapters.http_api.service import Service
from adapters.registers.api_keys import Role


async def called(
    service: Service, caller: Caller, players: Iterable[str | None]
) -> Mapping[str, str]:
    """Look up, at once, what players are called; of others a player knows the ids alone."""
    wanted = {player for player in players if player is not None}
    if caller.role is Role.PLAYER:
        wanted &= {caller.player or ""}
    return await service.read(partial(service.names.of, wanted))
