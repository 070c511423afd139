"""The published rulebooks of 炸金花. Added to, never edited: a changed rule is a new version."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.errors import UnknownRulebookError
from domain.zhajinhua.rules import ANTE, MAX_STAKE, ROUND_LIMIT, ZhajinhuaRulebook

JIUYOU_V1: Final = ZhajinhuaRulebook(
    id="jiuyou",
    version=1,
    game="zhajinhua",
    name="九游炸金花",
    document="000 炸金花游戏玩法",
    parameters=(ANTE, MAX_STAKE, ROUND_LIMIT),
    seats_min=2,
    seats_max=5,
    direction="counter_clockwise",
    opener="after_dealer",
    round_limit=15,
    at_limit="forced_duels",
    forced_duels_from="after_dealer",
    blind_factor=1,
    seen_factor=2,
    look_from_round=1,
    timeout="protected",
    compare_from_round=2,
    compare_calls=2,
    equal_duel="initiator_loses",
    short_compare="last_stand",
    suits=False,
    a23=True,
    deuce_three_five="trips",
    invalid_ace_king_deuce=False,
    rake_bp=500,  # 5.00 % of the net win
    bonus="antes",
    bonus_antes=(("trips", 5), ("straight_flush", 2)),
)

_PUBLISHED: Final[Mapping[tuple[str, int], ZhajinhuaRulebook]] = MappingProxyType(
    {(rulebook.id, rulebook.version): rulebook for rulebook in (JIUYOU_V1,)}
)


def published() -> tuple[ZhajinhuaRulebook, ...]:
    """Return every rulebook in every version, in the order of publication."""
    return tuple(_PUBLISHED.values())


def find(rulebook_id: str, version: int | None = None) -> ZhajinhuaRulebook:
    """Return a rulebook, in its newest version unless one is asked for.

    Raises:
        UnknownRulebookError: There is none of that id or version.
    """
    versions = [number for name, number in _PUBLISHED if name == rulebook_id]
    if version is None and versions:
        version = max(versions)
    rulebook = _PUBLISHED.get((rulebook_id, version or 0))
    if rulebook is None:
        known = ", ".join(sorted({name for name, _ in _PUBLISHED}))
        wanted = rulebook_id if version is None else f"{rulebook_id}.v{version}"
        raise UnknownRulebookError(
            f"no rulebook {wanted!r}; known are {known}", rulebook=rulebook_id, version=version
        )
    return rulebook
