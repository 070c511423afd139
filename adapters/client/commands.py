"""The commands that a client of the HTTP API can give: each a request, and how its answer is read.

Whoever gives no key to a command gets a random one for it. A command that is given again after a
crash needs the key that it had: choose it, and keep it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

from adapters.http_api.bodies import Receipt

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Call(Generic[T]):
    """One request."""

    method: str
    path: str
    read: Callable[[bytes], T]
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None

    @property
    def key(self) -> str | None:
        """The command's id, where it is one."""
        return self.headers.get("Idempotency-Key")


def open_hand(  # noqa: PLR0913 - all that a hand begins with
    hand: str,
    rulebook: str,
    *,
    table: Mapping[str, Any],
    dealer: int,
    seats: Iterable[Mapping[str, Any]],
    deal: Mapping[int, str],
    opener: int | None = None,
    bonus_draws: Mapping[int, int] | None = None,
    commitment: str | None = None,
    actor: str | None = None,
    key: str | None = None,
) -> Call[Receipt]:
    """Open a hand, and reserve every seat's carry from its wallet.

    Args:
        hand: Its id.
        rulebook: The id of one; its newest version is taken.
        table: Its parameters.
        dealer: A seat.
        seats: Each ``seat``, ``player``, ``carry`` in minor units, and maybe ``protect``.
        deal: Each seat's three cards.
        opener: Who acts first, where the rulebook leaves that open.
        bonus_draws: What each seat drew as its bonus, where that is drawn.
        commitment: To the deck, hex.
        actor: Who gives the command; else the holder of the API key.
        key: The command's id.
    """
    draws = None if bonus_draws is None else {str(seat): n for seat, n in bonus_draws.items()}
    return _command(
        "/v1/hands",
        key,
        hand=hand,
        rulebook=rulebook,
        table=dict(table),
        dealer=dealer,
        seats=[dict(seat) for seat in seats],
        deal={str(seat): cards for seat, cards in deal.items()},
        opener=opener,
        bonus_draws=draws,
        commitment=commitment,
        actor=actor,
    )


def act(  # noqa: PLR0913 - what belongs to an action, its verb says
    hand: str,
    do: str,
    *,
    seat: int | None = None,
    stake: int | None = None,
    target: int | None = None,
    amount: int | None = None,
    price: int | None = None,
    expected_version: int | None = None,
    actor: str | None = None,
    key: str | None = None,
) -> Call[Receipt]:
    """Take one action; the one that ends the hand settles it and pays out.

    Args:
        hand: Its id.
        do: look, call, raise, compare, fold, timeout, all_in, top_up or fold_all.
        seat: Whose action it is.
        stake: Of a raise: the new stake, minor units.
        target: Of a compare: the seat to duel.
        amount: Of a top-up, minor units.
        price: What staying in cost the seat when it decided, minor units.
        expected_version: Of the hand, as the caller knows it.
        actor: Who gives the command; else the holder of the API key.
        key: The command's id.
    """
    more = {"stake": stake, "with": target, "amount": amount, "price": price, "actor": actor}
    address = f"{hand_path(hand)}/actions"
    return _command(address, key, expected_version, do=do, seat=seat, **more)


def act_many(
    hand: str,
    actions: Sequence[Mapping[str, Any]],
    *,
    atomic: bool = True,
    expected_version: int | None = None,
    actor: str | None = None,
    key: str | None = None,
) -> Call[Receipt]:
    """Take several actions in one transaction: all or none, or those before the first refused."""
    given = [dict(action) for action in actions]
    address = f"{hand_path(hand)}/actions:batch"
    return _command(address, key, expected_version, actions=given, atomic=atomic, actor=actor)


def void_hand(
    hand: str,
    reason: str,
    *,
    expected_version: int | None = None,
    actor: str | None = None,
    key: str | None = None,
) -> Call[Receipt]:
    """Let a running hand not count: every seat gets back all that it brought."""
    return _command(f"{hand_path(hand)}/void", key, expected_version, reason=reason, actor=actor)


def disclose_deck(
    hand: str, salt: str, deck: str, *, actor: str | None = None, key: str | None = None
) -> Call[Receipt]:
    """Disclose the deck that a hand was committed to, once it is over."""
    return _command(f"{hand_path(hand)}/deck", key, salt=salt, deck=deck, actor=actor)


def claim_settlement(
    hand: str,
    settlement: Mapping[str, Any],
    *,
    claimant: str,
    actor: str | None = None,
    key: str | None = None,
) -> Call[Receipt]:
    """Keep what another system says that a settled hand came to."""
    given = dict(settlement)
    address = f"{hand_path(hand)}/claims"
    return _command(address, key, claimant=claimant, settlement=given, actor=actor)


def deposit(
    player: str, amount: int, *, actor: str | None = None, key: str | None = None
) -> Call[Receipt]:
    """Bring chips in from the cashier, minor units."""
    return _command(f"{player_path(player)}/deposits", key, amount=amount, actor=actor)


def withdraw(
    player: str, amount: int, *, actor: str | None = None, key: str | None = None
) -> Call[Receipt]:
    """Take chips out to the cashier, minor units."""
    return _command(f"{player_path(player)}/withdrawals", key, amount=amount, actor=actor)


def _command(
    path: str,
    key: str | None,
    expected_version: int | None = None,
    /,
    **body: Any,  # noqa: ANN401
) -> Call[Receipt]:
    headers = {"Idempotency-Key": _quoted(uuid4().hex if key is None else key)}
    if expected_version is not None:
        headers["If-Match"] = f'"{expected_version}"'
    given = {name: value for name, value in body.items() if value is not None}
    read = Receipt.model_validate_json
    return Call(method="POST", path=path, read=read, headers=headers, body=given)


def _quoted(key: str) -> str:
    """Return a key as RFC 9651 writes a string."""
    return '"' + key.replace("\\", r"\\").replace('"', r"\"") + '"'


def hand_path(hand: str) -> str:
    """Return where a hand is."""
    return f"/v1/hands/{quote(hand, safe='')}"


def player_path(player: str) -> str:
    """Return where a player is."""
    return f"/v1/players/{quote(player, safe='')}"
