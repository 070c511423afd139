"""Every refusal of the rules, by what is refused, and under which rulebooks it can be given."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

NOWHERE: Final = "N"  # the letter of a rulebook that there is not

# fmt: off
REFUSALS: Final[Mapping[str, str]] = MappingProxyType({
    # code                        under which rulebooks
    "bad_record":                   "JPYTFS" + NOWHERE,
    "unknown_rulebook":             NOWHERE,
    "seat_count":                   "JPYTFS",
    "bad_deal":                     "JPYTFS",
    "duplicate_card":               "JPYTFS",
    "unknown_seat: opening":        "JPYTFS",
    "not_supported: opening":       "F",
    "carry_too_small":              "JPYTFS",
    "hand_over":                    "JPYTFS",
    "not_supported: fold_all":      "JPYT",
    "fold_all_not_allowed":         "F",
    "unknown_seat":                 "JPYTF",
    "seat_out":                     "JPYTF",
    "already_seen":                 "JPYTF",
    "look_too_early":               "T",
    "not_supported: top_up":        "JPYT",
    "top_up_limit":                 "F",
    "top_up_not_needed":            "F",
    "raise_limit":                  "F",
    "not_your_turn":                "JPYTF",
    "all_in_pending":               "TF",
    "unknown_action":               "JPYTF",
    "blind_limit: call":            "F",
    "insufficient_stack: call":     "JPYTF",
    "blind_limit: raise":           "F",
    "raise_too_low":                "JPYTF",
    "raise_too_high":               "JPYTF",
    "insufficient_stack: raise":    "JPYTF",
    "not_supported: all_in":        "JP",
    "all_in_too_early":             "T",
    "all_in_not_short":             "Y",
    "insufficient_stack: all_in":   "F",
    "must_compare":                 "F",
    "not_supported: compare":       "Y",
    "compare_too_early":            "JPT",
    "unknown_seat: compare":        "JPTF",
    "compare_self":                 "JPTF",
    "compare_target_out":           "JPTF",
    "compare_limit":                "F",
    "compare_target_seen":          "F",
    "blind_limit: compare":         "F",
    "insufficient_stack: compare":  "TF",
    "hand_not_over":                "JPYTF",
    "bonus_not_due":                "PS",
})
# fmt: on
"""By code, and by what was asked where the rules look for it in several places."""


def refusal(record: Mapping[str, Any], at: int, code: str) -> str:
    """Return which refusal of the list this one is."""
    asked = "opening" if at < 0 else ""
    if 0 <= at < len(record["actions"]):
        action = record["actions"][at]
        asked = action["do"]
        if code == "unknown_seat" and action.get("seat") not in _seats(record):
            asked = ""
    named = f"{code}: {asked}"
    return named if named in REFUSALS else code


def _seats(record: Mapping[str, Any]) -> set[int]:
    return {seat["seat"] for seat in record["seats"]}
