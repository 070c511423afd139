"""The fields of a 炸金花 rulebook: every house rule that can move a chip, and in its digest."""

from dataclasses import dataclass
from typing import Final, Literal

from domain.rulebook import Parameter, Rulebook

CategoryName = Literal["trips", "straight_flush", "flush", "straight", "pair", "high_card"]
ByCategory = tuple[tuple[CategoryName, int], ...]

ANTE: Final = Parameter(name="ante", kind="integer", minimum=1)
MAX_STAKE: Final = Parameter(name="max_stake", kind="integer", minimum=1)
ROUND_LIMIT: Final = Parameter(name="round_limit", kind="integer", minimum=1)
COMMON: Final = (ANTE, MAX_STAKE, ROUND_LIMIT)
CUSTOM_ROOM: Final = (
    Parameter(name="top_ups", kind="integer", maximum=5),
    Parameter(name="chain", kind="integer", maximum=5),
    Parameter(name="blind_limit", kind="integer", minimum=1, maximum=10),
    Parameter(name="suits", kind="flag"),
    Parameter(name="a23", kind="flag"),
    Parameter(name="push_antes", kind="integer", maximum=5),
    Parameter(name="blind_all_in_duel", kind="flag"),
    Parameter(name="sweep", kind="flag"),
    Parameter(name="wangzha", kind="flag"),
)
MULTIPLES: Final = Parameter(name="multiples_pct", kind="list", length=6)


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
    play: Literal["betting", "showdown"]  # §2.5: showdown opens at once, without a turn
    round_limit: int  # §3.7
    at_limit: Literal["forced_duels", "open"]  # §3.7
    forced_duels_from: Literal["after_dealer", "turn", "never"]  # §5.4

    # prices
    blind_factor: int  # §3.3
    seen_factor: int  # §3.3
    look_from_round: int  # §3.2
    chain: int | None  # §3.5: further raises in one turn; None: a turn is one action
    blind_limit: int | None  # §3.6: blind bets a hand; None: no limit
    timeout: Literal["fold", "protected"]  # §3.8

    # short of chips
    all_in: Literal["never", "when_short", "shove", "any_turn"]  # §4.1
    all_in_from_round: int  # §4.3
    empty_is_all_in: bool  # §4.1: a stack that a bet empties is all-in
    opens_early: Literal["never", "levels_matched", "last_has_acted"]  # §4.2, §4.4
    opens_when_short: bool  # §4.3: at the end of a round, if somebody cannot pay the next call
    blind_all_in_duel: bool  # §4.4
    top_ups: int  # §4.5
    top_up_carries: int  # §4.5: all top-ups of a seat together, in carries
    fold_all: bool  # §4.6

    # duels
    compare_from_round: int | None  # §5.1; None: never
    compare_calls: int  # §5.1: the price of a duel, in calls
    compare_limit: int | None  # §5.1: duels a seat and round; None: no limit
    seen_compares_blind_only: bool  # §5.1
    equal_duel: Literal["initiator_loses", "impossible", "push", "never"]  # §5.2
    push_antes: int  # §5.2: what the initiator pays where two players are equal
    short_compare: Literal["last_stand", "refused"]  # §5.3

    # ranking
    suits: bool  # §1.4: break exact ties
    a23: bool  # §1.4: A-2-3 is a straight
    deuce_three_five: Literal["trips", "aces", "off"]  # §1.5: what an unsuited 2-3-5 beats
    invalid_ace_king_deuce: bool  # §1.6: a high-card A-K-2 loses to everything
    wangzha: bool  # §1.6: 王炸, refused wherever a table asks for it

    # who takes what
    pots: Literal["whole", "side_pots", "excess_back"]  # §6.7
    earliest_all_in_loses_tie: bool  # §6.7
    rake_bp: int  # §6.4: basis points of the net win
    bonus: Literal["antes", "drawn_for_trips", "drawn", "from_opponents", "none"]  # §6.5
    bonus_antes: ByCategory  # §6.5
    draw_antes_max: int  # §6.5: the largest bonus that anyone may draw, in antes
    multiples_pct: tuple[int, ...]  # §6.8: prize in hundredths of an ante, trips first

    # side payments between banker and players
    banker_ratios: ByCategory  # §5.6: the banker's winning hand
    player_ratios: ByCategory  # §5.6: a player's winning hand against the banker
    blind_extras: bool  # §5.6
    sweep: bool  # §5.6: 通杀 and 通赔
