"""Refusals worked out by hand, where no vector shows them: who does what, and what is wrong with it.

The cards hardly matter here. The ante is 500 and the highest stake 10,000 minor units, carries are
100,000, and seat 1 deals, unless a case says otherwise.
"""

# ruff: noqa: E501 - a case stays on one line

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tests.domain.hands import NINES, NOTHING, PAIR, QUEEN, record

TWO = f"1 {PAIR}, 2 {NOTHING}"
THREE = f"1 {PAIR}, 2 {NOTHING}, 3 {NINES}"
EQUAL = "1 6c6d8s, 2 KcQd9h, 3 KdQc9s"  # seats 2 and 3 hold the same ranks
SHORT = f"1 {PAIR}, 2 {NOTHING} 1400"  # 900 after the ante
TABLE: Final = MappingProxyType({"ante": 500, "max_stake": 10_000})


class Refused(NamedTuple):
    """One refusal: the hand, which action of it is refused (-1: the opening), and with which code."""

    rulebook: str
    deal: str
    done: str
    at: int
    code: str
    more: Mapping[str, Any] = MappingProxyType({})  # of the record
    table: Mapping[str, Any] = MappingProxyType({})  # beside ante and highest stake

    @property
    def record(self) -> dict[str, Any]:
        """Return the hand as a record."""
        given = {"opener": 1} if self.rulebook == "platform" else {}
        table = {**TABLE, **self.table} if self.rulebook != "jisu" else {"ante": 500, **self.table}
        made = record(
            self.deal,
            self.done,
            rulebook=self.rulebook,
            table=table,
            **{**given, **self.more},
        )
        return {name: value for name, value in made.items() if value is not None}


def _more(**fields: Any) -> Mapping[str, Any]:
    return fields


ROUND = {  # everybody calls, in turn order
    "jiuyou": "2 call, 1 call",
    "platform": "1 call, 3 call, 2 call",
    "tongcheng": "1 call, 3 call, 2 call",
}

# fmt: off
REFUSED: Final[Mapping[str, Refused]] = MappingProxyType({
    # why                                                     rulebook        deal   done                                       at  code
    # the record
    "no such rulebook":                             Refused("nowhere",      TWO,   "",                                        -1, "unknown_rulebook"),
    "赢三张 knows no chain":                          Refused("yingsanzhang", TWO,   "",                                        -1, "bad_record", table=_more(chain=2)),
    "同城游 knows no protection":                     Refused("tongcheng",    TWO + " unprotected", "",                         -1, "bad_record"),
    "极速 has no highest stake":                     Refused("jisu",         TWO,   "",                                        -1, "bad_record", table=_more(max_stake=500)),
    "非凡 draws no bonus":                           Refused("feifan2017",   TWO,   "",                                        -1, "bad_record", _more(bonus_draws={"1": 5})),
    "the platform must record its opener":          Refused("platform",     TWO,   "",                                        -1, "bad_record", _more(opener=None)),
    "赢三张 does not record an opener":               Refused("yingsanzhang", TWO,   "",                                        -1, "bad_record", _more(opener=2)),
    "six multiples, not five":                      Refused("jisu",         TWO,   "",                                        -1, "bad_record", table=_more(multiples_pct=[5, 4, 3, 2, 1])),
    # the opening
    "there is no 1 of clubs":                       Refused("platform",     "1 1c2c3c, 2 4c5c6c", "",                         -1, "bad_deal"),
    "two cards are no hand":                        Refused("jisu",         "1 2c3c, 2 4c5c6c", "",                           -1, "bad_deal"),
    "one king of spades":                           Refused("yingsanzhang", "1 KsKd2c, 2 KsQd9h", "",                         -1, "duplicate_card"),
    "a carry of 499 cannot pay an ante of 500":     Refused("platform",     f"1 {PAIR}, 2 {NOTHING} 499", "",                 -1, "carry_too_small"),
    "nobody sits in the dealer's chair": Refused("jiuyou", TWO, "", -1, "unknown_seat", _more(dealer=3)),
    "seven seats are one too many":                     Refused("feifan2017",   "1 2c2d2h, 2 3c3d3h, 3 4c4d4h, 4 5c5d5h, 5 6c6d6h, 6 7c7d7h, 7 8c8d8h", "", -1, "seat_count"),
    # any action
    "极速 is over as soon as it is dealt":            Refused("jisu",         TWO,   "1 look",                                   0, "hand_over"),
    "the hand is over once all others folded":      Refused("yingsanzhang", TWO,   "2 fold, 1 look",                           1, "hand_over"),
    "nobody sits there":                            Refused("tongcheng",    TWO,   "1 call, 3 call",                           1, "unknown_seat"),
    "who has lost a duel does not look":            Refused("feifan2017",   THREE, "1 compare 2, 2 look",                      1, "seat_out"),
    "not before the one on turn":                   Refused("platform",     THREE, "3 call",                                   0, "not_your_turn"),
    "nobody knows that verb":                       Refused("tongcheng",    TWO,   "1 dance",                                  0, "unknown_action"),
    "who has looked has looked":                    Refused("tongcheng",    TWO,   "1 call, 2 call, 1 look, 1 look",           3, "already_seen"),
    # betting
    "900 do not pay 1 x 1000":                      Refused("yingsanzhang", f"1 {PAIR} 1400, 2 {NOTHING}", "2 raise 1000, 1 call", 1, "insufficient_stack"),
    "900 do not pay 1 x 1001":                      Refused("tongcheng",    f"1 {PAIR} 1400, 2 {NOTHING}", "1 raise 1001",     0, "insufficient_stack"),
    "one blind bet and no more: no raise":          Refused("feifan2017",   TWO,   "1 call, 1 raise 1000",                     1, "blind_limit", table=_more(blind_limit=1)),
    "one blind bet and no more: no call":           Refused("feifan2017",   TWO,   "1 call, 2 call, 1 call",                   2, "blind_limit", table=_more(blind_limit=1)),
    "one blind bet and no more: no compare":        Refused("feifan2017",   TWO,   "1 call, 2 call, 1 compare 2",              2, "blind_limit", table=_more(blind_limit=1)),
    "a chain of one link has no second":            Refused("feifan2017",   TWO,   "1 look, 1 call, 1 raise 600, 1 raise 700", 3, "raise_limit", table=_more(chain=1)),
    "a raise lifts the stake":                      Refused("tongcheng",    TWO,   "1 raise 500",                              0, "raise_too_low"),
    # all-in
    "what equal hands took to the last unit is no all-in": Refused(
        "feifan2017", EQUAL.replace("9h", "9h 1700"), "1 call, 2 compare 3, 3 call, 1 call, 2 all_in",                          4, "insufficient_stack"),
    "who looked after a blind all-in cannot fold":  Refused("feifan2017",   TWO,   "1 all_in, 2 look, 2 fold",                 2, "must_compare"),
    "an all-in is answered, not compared":          Refused("tongcheng",    TWO,   "1 call, 2 call, 1 call, 2 call, 1 all_in, 2 compare 1", 5, "all_in_pending"),
    "900 pay 1 x 500: no all-in yet":               Refused("tongcheng",    f"1 {PAIR} 1400, 2 {NOTHING}", "1 all_in",         0, "all_in_too_early"),
    # top-ups
    "no third top-up":                              Refused("feifan2017",   SHORT, "1 look, 1 raise 9000, 2 top_up 1, 2 top_up 1, 2 top_up 1", 4, "top_up_limit"),
    "three carries of 1400 are 4200":               Refused("feifan2017",   SHORT, "1 look, 1 raise 9000, 2 top_up 4201",      2, "top_up_limit"),
    "a raise to 10000 costs a blind seat 20000":    Refused("feifan2017",   f"1 {PAIR}, 2 {NOTHING} 7000", "1 look, 1 raise 9000, 2 top_up 13501", 2, "top_up_limit"),
    "900 pay 1 x 500: no top-up":                   Refused("feifan2017",   SHORT, "2 look, 2 top_up 100",                     1, "top_up_not_needed"),
    "who is all-in tops up no more":                Refused("feifan2017",   f"1 {PAIR}, 2 {NOTHING}, 3 {NINES} 500", "1 look, 1 call, 3 top_up 500", 2, "top_up_not_needed"),
    # duels
    "the platform's folder is no target":           Refused("platform",     THREE, f"{ROUND['platform']}, 1 fold, 3 compare 1", 4, "compare_target_out"),
    "同城游's folder is no target":                   Refused("tongcheng",    THREE, f"{ROUND['tongcheng']}, {ROUND['tongcheng']}, 1 fold, 3 compare 1", 7, "compare_target_out"),
    "no duel with an empty chair":                  Refused("jiuyou",       TWO,   f"{ROUND['jiuyou']}, 2 compare 7",          2, "unknown_seat"),
    "no duel with oneself":                         Refused("tongcheng",    TWO,   "1 call, 2 call, 1 call, 2 call, 1 compare 1", 4, "compare_self"),
    "no third duel in a round":                     Refused("feifan2017",   f"{THREE}, 4 {QUEEN}", "3 look, 1 compare 2, 1 compare 4, 1 compare 3", 3, "compare_limit"),
    # the whole table
    "nobody folds together while one is all-in":    Refused("feifan2017",   f"1 {PAIR}, 2 {NOTHING}, 3 {NINES} 500", "fold_all", 0, "fold_all_not_allowed"),
    "nobody folds together for a banker who is out": Refused("feifan2017",  THREE, "1 fold, fold_all",                         1, "fold_all_not_allowed"),
    # the settlement
    "赢三张 waits for seat 2":                        Refused("yingsanzhang", TWO,   "",                                         0, "hand_not_over"),
    "同城游 waits for seat 2":                        Refused("tongcheng",    TWO,   "1 call",                                   1, "hand_not_over"),
    "非凡 waits for the answer to an all-in":         Refused("feifan2017",   TWO,   "1 all_in",                                 1, "hand_not_over"),
    "a pair has no bonus coming":                   Refused("platform",     TWO,   "1 fold",                                   1, "bonus_not_due", _more(bonus_draws={"1": 5})),
    "a bonus is not taken away":                    Refused("platform",     THREE, "1 fold, 3 fold",                           2, "bonus_not_due", _more(bonus_draws={"3": -1})),
    "an empty chair has no bonus coming":           Refused("platform",     TWO,   "1 fold",                                   1, "bonus_not_due", _more(bonus_draws={"9": 0})),
})
# fmt: on
