"""What a hand is marked with for an event of it. The flags are those of 炸金花."""

from collections.abc import Iterator, Mapping
from typing import Final

from domain.claims import differences
from domain.events import (
    AllFolded,
    AllInTaken,
    BetCalled,
    BonusGranted,
    DeckDisclosed,
    Event,
    HandFolded,
    HandsCompared,
    HandSettled,
    HandsOpened,
    HandVoided,
    LastStandTaken,
    SettlementClaimed,
    ToppedUp,
)
from projections.hands.row import Flag

OF_EVENT: Final[Mapping[type[Event], Flag]] = {
    AllFolded: "all_folded",
    AllInTaken: "all_in",
    BonusGranted: "bonus",
    DeckDisclosed: "disclosed",
    HandsOpened: "opened",
    HandVoided: "voided",
    LastStandTaken: "last_stand",
    SettlementClaimed: "claimed",
    ToppedUp: "topped_up",
}
_LOOKED_INTO: Final[frozenset[type[Event]]] = frozenset({HandsCompared, HandSettled})
_OF_DUEL: Final[Mapping[str, Flag]] = {"compare": "compared", "forced": "forced"}

FLAGGING: Final[frozenset[type[Event]]] = frozenset(
    {*OF_EVENT, BetCalled, HandFolded, HandsCompared, HandSettled}
)
"""The events that may mark a hand."""


def flags_of(event: Event) -> tuple[Flag, ...]:
    """Return what an event alone marks its hand with: most often nothing."""
    kind = type(event)
    flags: tuple[Flag, ...] = (OF_EVENT[kind],) if kind in OF_EVENT else ()
    if vars(event).get("by") == "timeout":
        flags += ("timeout",)
    return (*flags, *_looked_into(event)) if kind in _LOOKED_INTO else flags


def _looked_into(event: Event) -> Iterator[Flag]:
    """Yield what it depends on the fields of an event to mark its hand with."""
    match event:
        case HandsCompared(why=why, winner=winner):
            if why in _OF_DUEL:
                yield _OF_DUEL[why]
            if winner is None:
                yield "tied"
        case HandSettled(settlement={"winners": [_, _, *_]}):
            yield "shared"


def is_mismatch(claim: SettlementClaimed, settlement: Mapping[str, object]) -> bool:
    """Tell whether a foreign system's figures are not those of the settlement recorded."""
    return any(True for _ in differences(claim.settlement, settlement))
