"""What it comes to, to name a player and to erase one: an event of the wallet, and a key beside it.

The key is made before the event that needs it, and destroyed after the event that says so: killed
in between, the one leaves a key that opens nothing, the other one that goes when asked again.
"""

import hmac
from collections.abc import Mapping
from typing import Final

from adapters.appending.fingerprints import Fingerprint, fingerprint
from adapters.commands.execution import Command, Decide, Decision
from adapters.commands.history import Before, History
from adapters.registers.names import pseudonym, seal_name
from adapters.registers.player_keys import find_key, last_naming, make_key
from adapters.store.postgres import Runner
from domain.errors import PlayerErasedError
from domain.events import PlayerErased
from domain.wallet import Wallet

_COMMAND: Final = b"jinhua.name.command.v1"


def naming(player: str, name: str) -> Decide:
    """Keep a name, sealed for the place that its event will have."""

    def decide(command: Command, before: Before, history: History) -> Decision:
        wallet = _wallet(player, before, history.runner)
        wallet.check_nameable()
        key = make_key(history.runner, player)
        if key is None:  # destroyed since the wallet was read
            raise PlayerErasedError(f"{player} was erased", player=player)
        sealed = seal_name(key, player, wallet.version + 1, name)
        wallet.name(sealed, command.cause)
        return Decision(wallet.collect_events(), {"player": player})

    return decide


def erasing(player: str, why: str) -> Decide:
    """Say that a player is erased; the key is destroyed once that is stored."""

    def decide(command: Command, before: Before, history: History) -> Decision:
        wallet = _wallet(player, before, history.runner)
        wallet.erase(why, command.cause)
        answer = {"player": player, "pseudonym": pseudonym(player)}
        return Decision(wallet.collect_events(), answer)

    return decide


def keyed_fingerprint(
    player: str, name: str, body: Mapping[str, object], runner: Runner
) -> Fingerprint:
    """Return what is remembered of a naming: of the name no more than the player's key can tell.

    Raises:
        PlayerErasedError: The key is destroyed, and no naming told from another any more.
    """
    key = find_key(runner, player)
    if key is None:
        if last_naming(runner, player) == PlayerErased.TOPIC:
            raise PlayerErasedError(f"{player} was erased", player=player)
        return fingerprint("name_player", body)
    code = hmac.digest(hmac.digest(key, _COMMAND, "sha256"), name.encode(), "sha256")
    return fingerprint("name_player", {**body, "name": code.hex()})


def _wallet(player: str, before: Before, runner: Runner) -> Wallet:
    """Return a wallet by its last event, and by the last that named or erased its player.

    Where others append in between, the command conflicts and is decided again.
    """
    topic = last_naming(runner, player)
    return Wallet.resume(
        player,
        version=before.version,
        balance=before.balance,
        erased=topic == PlayerErased.TOPIC,
    )
