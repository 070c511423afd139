"""Hands worked out by hand, where no vector shows a mechanism: what was done, and what it comes to.

The ante is 500 and the highest stake 10,000 minor units, carries are 100,000, and seat 1 deals,
unless a case says otherwise. The nets are written as they are worked out: what a seat wins, gets
back and is paid, less what it put in.
"""

# ruff: noqa: E501 - a case stays on one line

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tests.domain.hands import (
    ACES,
    NINES,
    NOTHING,
    PAIR,
    QUEEN,
    STRAIGHT,
    UNSUITED_235,
    record,
)

TABLE: Final = MappingProxyType({"ante": 500, "max_stake": 10_000})
A23 = "Ac2d3h"
TWO = f"1 {PAIR}, 2 {NOTHING}"
CALLS = "1 call, 2 call"


class Worked(NamedTuple):
    """One hand: what it shows, how it was played, and what each seat comes to."""

    shows: str  # a mechanism of tests.mechanisms.mechanisms
    rulebook: str
    deal: str
    done: str
    nets: Mapping[int, int]  # minor units, worked out
    table: Mapping[str, Any] = MappingProxyType({})  # beside ante and highest stake
    more: Mapping[str, Any] = MappingProxyType({})  # of the record

    @property
    def record(self) -> dict[str, Any]:
        """Return the hand as a record."""
        given = {"opener": 2} if self.rulebook == "platform" else {}
        table = {**TABLE, **self.table}
        return record(
            self.deal, self.done, rulebook=self.rulebook, table=table, **{**given, **self.more}
        )


# fmt: off
WORKED: Final[Mapping[str, Worked]] = MappingProxyType({
    # why, then: what it shows, rulebook
    #   deal
    #   done
    #   nets
    "platform: the winner of 500 from a raise to the highest stake pays 5 % of that": Worked(
        "a raise to the highest stake", "platform",
        TWO,
        "2 raise 10000, 1 fold",
        {1: -500, 2: 500 - 25}),
    "yingsanzhang: the highest stake bounds the stake, not the 20000 that a seen seat pays": Worked(
        "a raise to the highest stake", "yingsanzhang",
        TWO,
        "2 look, 2 raise 10000, 1 fold",
        {1: -500, 2: (500 + 500 + 20_000) - (500 + 20_000)}),
    "tongcheng: a raise to the highest stake, which nobody follows": Worked(
        "a raise to the highest stake", "tongcheng",
        TWO,
        "1 raise 10000, 2 fold",
        {1: (500 + 500 + 10_000) - (500 + 10_000), 2: -500}),
    "feifan2017: a room with chains of five: one raise, four more, each at its own stake": Worked(
        "a chain of raises: more than 3 links", "feifan2017",
        TWO,
        "1 look, 1 raise 600, 1 raise 700, 1 raise 800, 1 raise 900, 1 raise 1000, 2 fold",
        {1: (500 + 500 + 4_000) - (500 + 600 + 700 + 800 + 900 + 1_000), 2: -500},
        {"chain": 5}),
    "feifan2017: a carry of 1000 tops up 3 x 1000, less than the 10000 - 500 of a raise": Worked(
        "a top-up up to three carries", "feifan2017",
        f"1 {PAIR}, 2 {NOTHING} 1000",
        "1 look, 1 raise 2000, 2 look, 2 top_up 3000, 2 call, 1 fold",
        {1: -(500 + 2_000), 2: (500 + 500 + 2_000 + 2_000) - (500 + 2_000)}),
    "yingsanzhang: spades in a row win; the last call leaves the other 100 of the 500 that it owes": Worked(
        "a bonus from opponents is cut by the stack", "yingsanzhang",
        f"1 {NOTHING} 1100, 2 4s5s6s",
        "2 call, 1 call",
        {1: -(500 + 500) - 100, 2: (2 * 500 + 2 * 500) - (500 + 500) + 100},
        {"round_limit": 1}),
    "tongcheng: the ante took all, so it is all-in with nothing, for the antes alone": Worked(
        "an all-in with nothing", "tongcheng",
        f"1 {PAIR}, 2 {ACES} 500, 3 {NOTHING}",
        "1 call, 3 call, 2 all_in",
        {1: (500 + 500) - (500 + 500), 2: 3 * 500 - 500, 3: -(500 + 500)}),
    "feifan2017: equal hands; of an ante of 500 the initiator has 200 left after 500 + 2 x 500": Worked(
        "the antes for equal hands are cut by the stack", "feifan2017",
        f"1 {NOTHING}, 2 KcQd9h 1700, 3 KdQc9s",
        "1 look, 1 call, 2 compare 3, 3 fold, 1 fold",
        {1: -(500 + 500), 2: (3 * 500 + 500 + 1_000) - (500 + 1_000) - 200, 3: -500 + 200}),
    "jiuyou: 2500 cannot call 5000, so it stands in round 1: back comes 5000 x (10000 - 2500) / 10000": Worked(
        "a last stand before the first compare", "jiuyou",
        f"1 {NOTHING}, 2 {ACES} 3000, 3 {PAIR}",
        "3 raise 5000, 2 compare 3",
        {1: -500,  # it bet nothing in the round, so nothing comes back
         2: (500 + 3_000 + 5_500 - 3_750) - 3_000 - 112 + 5 * 500,  # rake: 5 % of 2250; trips: 5 antes
         3: -5_500 + 3_750}),
    "tongcheng: a 2-3-5 is a high card, and loses to trips": Worked(
        "2-3-5 loses to trips", "tongcheng",
        f"1 {UNSUITED_235}, 2 {NINES}",
        f"{CALLS}, {CALLS}, 1 compare 2",
        {1: -(500 + 2 * 500 + 500), 2: 500 + 2 * 500 + 500}),
    "tongcheng: … and to three aces": Worked(
        "2-3-5 loses to three aces", "tongcheng",
        f"1 {UNSUITED_235}, 2 {ACES}",
        f"{CALLS}, {CALLS}, 1 compare 2",
        {1: -(500 + 2 * 500 + 500), 2: 500 + 2 * 500 + 500}),
    "feifan2017: 3-4-5 beats A-2-3; the blind loser pays its 500 once more": Worked(
        "A-2-3 is the lowest of its kind", "feifan2017",
        f"1 {NOTHING}, 2 {STRAIGHT}, 3 {A23}",
        "1 fold, 2 look, 2 compare 3",
        {1: -500, 2: (3 * 500 + 500) - (500 + 500) + 500, 3: -500 - 500}),
    "feifan2017: where the room says so, A-2-3 is a high card and loses to a pair, half of 1000 on top": Worked(
        "A-2-3 is no straight, since the table says so", "feifan2017",
        f"1 {NOTHING}, 2 {A23}, 3 {PAIR}",
        "1 fold, 2 look, 2 compare 3",
        {1: -500, 2: -(500 + 500) - 1_000 // 2, 3: (3 * 500 + 500) - 500 + 1_000 // 2},
        {"a23": False}),
    "feifan2017: 通赔 for three nines: the seat in play gets an ante, the one that is all-in does not": Worked(
        "通赔 leaves out who is all-in", "feifan2017",
        f"1 {PAIR}, 2 {NINES}, 3 {NOTHING} 500, 4 {QUEEN}",
        "1 call, 2 look, 2 compare 1, 4 fold",
        {1: -(500 + 2 * 500) - (4 - 1) * 1_500 - 1_500 - 2 * 500 - 500,  # ratio, blind, twice 2's bet, an ante
         2: (4 * 500 + 1_000 + 500) - (500 + 500) + (4 - 1) * 1_500 + 1_500 + 2 * 500,
         3: -500,
         4: -500 + 500}),
    "feifan2017: 通杀 at an opening: five to one on 1000 from each, and two antes from each": Worked(
        "通杀 at an opening", "feifan2017",
        f"1 {NINES}, 2 {PAIR}, 3 {NOTHING}",
        "1 look, 1 call, 2 look, 2 call, 3 look, 3 call",
        {1: (3 * 1_000) - 1_000 + 2 * (5 - 1) * 1_000 + 2 * 2 * 500,
         2: -1_000 - (5 - 1) * 1_000 - 2 * 500,
         3: -1_000 - (5 - 1) * 1_000 - 2 * 500},
        {"round_limit": 1}),
    "feifan2017: the antes took all of both, so nobody can bet; an all-in pair pays no side payment": Worked(
        "opened by the antes alone", "feifan2017",
        f"1 {NOTHING} 500, 2 {PAIR} 500",
        "",
        {1: -500, 2: 500}),
    "tongcheng: 1 is the first all-in of two equal best hands: out of the first layer, and of the second": Worked(
        "an excluded seat stays excluded", "tongcheng",
        f"1 KcQd9h 4000, 2 KdQc9s 3000, 3 {NOTHING}",
        "1 call, 3 call, 2 call, 1 call, 3 call, 2 call, 1 all_in, 3 call, 2 call",
        {1: -4_000,
         2: 3 * 3_000 - 3_000,  # up to level 3000
         3: 2 * 1_000 - 4_000}),  # from 3000 to 4000, where 1 would be better
})
# fmt: on
