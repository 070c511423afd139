"""The fields of a 炸金花 rulebook: every house rule that can move a chip, and in its digest."""

from dataclasses import dataclass
from typing import Literal

from domain.rulebook import Parameter, Rulebook

Category = Literal["trips", "straight_flush", "flush", "straight", "pair", "high_card"]

ANTE = Parameter(name="ante", kind="integer", minimum=1)
MAX_STAKE = Parameter(name="max_stake", kind="integer", minimum=1)
ROUND_LIMIT = Parameter(name="round_limit", kind="integer", minimum=1)


@dataclass(frozen=True, kw_only=True)
class ZhajinhuaRulebook(Rulebook):
    """One rulebook of 炸金花. A table may replace the fields named in ``parameters``.

    RULES.md gives the meaning of each field under the § at its right.
    """

    # seats and turns
    seats_min: int  # §2.1
    seats_max: int  # §2.1
    direction: Literal["clockwise", "counter_clockwise"]  # §2.3
    opener: Literal["after_dealer", "dealer", "recorded"]  # §2.3
    round_limit: int  # §3.7
    at_limit: Literal["forced_duels", "open"]  # §3.7
    forced_duels_from: Literal["after_dealer", "turn", "never"]  # §5.4

    # prices
    blind_factor: int  # §3.3
    seen_factor: int  # §3.3
    look_from_round: int  # §3.2
    timeout: Literal["fold", "protected"]  # §3.8

    # duels
    compare_from_round: int | None  # §5.1; None: never
    compare_calls: int  # §5.1: the price of a duel, in calls
    equal_duel: Literal["initiator_loses", "impossible", "never"]  # §5.2
    short_compare: Literal["last_stand", "refused"]  # §5.3

    # ranking
    suits: bool  # §1.4: break exact ties
    a23: bool  # §1.4: A-2-3 is a straight
    deuce_three_five: Literal["trips", "aces", "off"]  # §1.5: what an unsuited 2-3-5 beats
    invalid_ace_king_deuce: bool  # §1.6: a high-card A-K-2 loses to everything

    # the house
    rake_bp: int  # §6.4: basis points of the net win
    bonus: Literal["antes", "drawn_for_trips", "none"]  # §6.5
    bonus_antes: tuple[tuple[Category, int], ...]  # §6.5
