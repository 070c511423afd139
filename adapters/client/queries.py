"""The queries that a client of the HTTP API can make: each a request, and how its answer is read.

``min_position`` waits until what was written up to there can be read: a receipt's
``last_position``. ``as_of`` is an earlier moment: a position, or a time as RFC 3339 has it.
"""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

import pydantic_core

from adapters.client.commands import Call, hand_path, player_path
from adapters.http_api import shapes
from adapters.http_api.bodies import Balance, HandPage, HandState

T = TypeVar("T")

# --- a hand --------------------------------------------------------------------------


def hand(hand: str, *, view: str | None = None, seat: int | None = None) -> Call[HandState]:
    """Ask how a hand stands, with whose eyes: auditor, seat or public."""
    return _query(hand_path(hand), HandState.model_validate_json, view=view, seat=seat)


def hand_events(
    hand: str, *, view: str | None = None, seat: int | None = None
) -> Call[shapes.HandEvents]:
    """Ask for the events of a hand, with those eyes."""
    address, read = f"{hand_path(hand)}/events", shapes.HandEvents.model_validate_json
    return _query(address, read, view=view, seat=seat)


def hand_timeline(
    hand: str, *, view: str | None = None, seat: int | None = None, lang: str = "en"
) -> Call[shapes.Timeline]:
    """Ask what happened in a hand, moment by moment, with those eyes, in en or zh."""
    address, read = f"{hand_path(hand)}/timeline", shapes.Timeline.model_validate_json
    return _query(address, read, view=view, seat=seat, lang=lang)


def hand_explanation(hand: str, *, lang: str = "en") -> Call[shapes.Explanation]:
    """Ask why a hand came to what it did, in en or zh."""
    address, read = f"{hand_path(hand)}/explanation", shapes.Explanation.model_validate_json
    return _query(address, read, lang=lang)


def hand_verification(hand: str) -> Call[shapes.Verification]:
    """Let a hand be replayed and decided afresh, and ask where it differs."""
    address, read = f"{hand_path(hand)}/verification", shapes.Verification.model_validate_json
    return _query(address, read)


def hand_proof(hand: str, *, size: int | None = None) -> Call[dict[str, Any]]:
    """Ask for the proof that a hand is under a checkpoint, the newest or the one of a size."""
    return _query(f"{hand_path(hand)}/proof", pydantic_core.from_json, size=size)


# --- hands, players and the house ---------------------------------------------------


def hands(*, after: int = 0, limit: int = 100, **conditions: Any) -> Call[HandPage]:  # noqa: ANN401
    """Ask for hands in the order in which they were opened, a page at a time.

    Args:
        after: The ``after`` of the page before.
        limit: Hands of a page.
        conditions: ``player``, ``winner``, ``rulebook``, ``since``, ``until``, ``state``,
            ``flag``, ``min_position``.
    """
    read = HandPage.model_validate_json
    return _query("/v1/hands", read, after=after, limit=limit, **conditions)


def balance(
    player: str, *, as_of: int | str | None = None, min_position: int | None = None
) -> Call[Balance]:
    """Ask what a player has outside any hand, minor units, now or at an earlier moment."""
    address, read = f"{player_path(player)}/balance", Balance.model_validate_json
    return _query(address, read, as_of=as_of, min_position=min_position)


def statement(
    player: str,
    *,
    as_of: int | str | None = None,
    after: int = 0,
    limit: int = 100,
    min_position: int | None = None,
) -> Call[shapes.Statement]:
    """Ask for what came into a player's wallet and went out of it, a page at a time."""
    return _query(
        f"{player_path(player)}/statement",
        shapes.Statement.model_validate_json,
        as_of=as_of,
        after=after,
        limit=limit,
        min_position=min_position,
    )


def bonuses(
    player: str | None = None,
    *,
    as_of: int | str | None = None,
    min_position: int | None = None,
) -> Call[shapes.BonusList]:
    """Ask for the bonuses of a player, or of all."""
    address = "/v1/bonuses" if player is None else f"{player_path(player)}/bonuses"
    read = shapes.BonusList.model_validate_json
    return _query(address, read, as_of=as_of, min_position=min_position)


def house(**conditions: Any) -> Call[shapes.HouseList]:  # noqa: ANN401
    """Ask what the house got and gave, day by day.

    Args:
        conditions: ``as_of``, ``since``, ``until`` (days), ``rulebook``, ``min_position``.
    """
    return _query("/v1/house", shapes.HouseList.model_validate_json, **conditions)


# --- the history ---------------------------------------------------------------------


def event_page(after: int = 0, *, limit: int = 100, wait: float = 0) -> Call[shapes.EventPage]:
    """Ask for what happened after a position; wait for something, so many seconds."""
    read = shapes.EventPage.model_validate_json
    return _query("/v1/events", read, after=after, limit=limit, wait=wait)


def audit_trail(*, after: int = 0, limit: int = 100, **conditions: Any) -> Call[shapes.TrailPage]:  # noqa: ANN401
    """Ask for the trail of everything, a page at a time.

    Args:
        after: The ``after`` of the page before.
        limit: Lines of a page.
        conditions: ``hand``, ``player``, ``min_position``.
    """
    read = shapes.TrailPage.model_validate_json
    return _query("/v1/audit-trail", read, after=after, limit=limit, **conditions)


def checkpoints(*, after: int = 0, limit: int = 100) -> Call[shapes.CheckpointPage]:
    """Ask for the checkpoints that were made: keep them elsewhere."""
    read = shapes.CheckpointPage.model_validate_json
    return _query("/v1/checkpoints", read, after=after, limit=limit)


def checkpoint(size: int) -> Call[shapes.StoredCheckpoint]:
    """Ask for the checkpoint of a size."""
    return _query(f"/v1/checkpoints/{size}", shapes.StoredCheckpoint.model_validate_json)


def rulebooks() -> Call[shapes.RulebookList]:
    """Ask for every rulebook that was published."""
    return _query("/v1/rulebooks", shapes.RulebookList.model_validate_json)


def rulebook(
    rulebook: str, *, version: int | None = None, lang: str = "en"
) -> Call[shapes.RulebookPage]:
    """Ask for a rulebook field by field, its newest version or another, in en or zh."""
    address, read = (
        f"/v1/rulebooks/{quote(rulebook, safe='')}",
        shapes.RulebookPage.model_validate_json,
    )
    return _query(address, read, version=version, lang=lang)


def get(path: str, **query: Any) -> Call[Any]:  # noqa: ANN401 - whatever is there
    """Ask for whatever is at an address; its JSON is returned as it is."""
    return _query(path, pydantic_core.from_json, **query)


def _query(path: str, read: Callable[[bytes], T], **query: Any) -> Call[T]:  # noqa: ANN401
    given = {name: value for name, value in query.items() if value is not None}
    return Call(method="GET", path=path, read=read, query=given)
