"""Where the other rulebooks part from 九游: what each refuses, and what each lets a seat do."""

from typing import Any

import pytest

from domain.hand import Hand
from tests.domain.hands import (
    ACES,
    CAUSE,
    FLUSH,
    NINES,
    NOTHING,
    PAIR,
    QUEEN,
    act,
    nets,
    opened,
    outcome,
    record,
    settled,
    verdict,
)

# Ante 500; 3 deals. In yingsanzhang 1 acts first, then 2 and 3; elsewhere 3 does.
THREE = f"1 {NOTHING}, 2 {PAIR}, 3 {FLUSH}"
ROUND_2 = "3 call, 2 call, 1 call, "
ROUND_3 = ROUND_2 * 2
SHOVE = f"{ROUND_3}3 call, 2 all_in, "  # tongcheng: 1 and then 3 answer
BLIND_SHOVE = "3 call, 1 all_in, "  # feifan2017: 2 and then 3 answer
CHAIN = "3 look, 3 call, 3 raise 600, 3 raise 700, 3 raise 800, "
BLIND_3 = "3 call, 1 fold, 2 call, 3 call, 2 call, 3 call, 2 call, "
TIES = f"1 6c6d8s 1800, 2 6h6s8d, 3 {NOTHING}"  # 1 and 2 are equal

SHORT = f"1 {ACES} 600, 2 {PAIR}, 3 {FLUSH}"  # 1 has 100 left
FOUR = f"1 {NOTHING}, 2 {PAIR}, 3 {FLUSH}, 4 {QUEEN}"

# fmt: off
REFUSED = {
    # rulebook: why                          deal   done, the last of it refused code
    "platform: no all-in":                  (THREE, "3 all_in",               "not_supported"),
    "platform: compares begin in round 2":  (THREE, "3 compare 2",            "compare_too_early"),
    "yingsanzhang: nobody compares":        (THREE, "1 compare 2",            "not_supported"),
    "yingsanzhang: nor as a last stand":    (SHORT, "1 compare 2",            "not_supported"),
    "yingsanzhang: all-in, but not short":  (THREE, "1 all_in",               "all_in_not_short"),
    "yingsanzhang: no top-up":              (SHORT, "1 top_up 1",             "not_supported"),
    "yingsanzhang: short of a call":        (SHORT, "1 call",                 "insufficient_stack"),
    "tongcheng: no look in round 1":        (THREE, "3 look",                 "look_too_early"),
    "tongcheng: no second look":            (THREE, f"{ROUND_2}3 look, 3 look", "already_seen"),
    "tongcheng: no compare in round 2":     (THREE, f"{ROUND_2}3 compare 2",  "compare_too_early"),
    "tongcheng: no all-in in round 2":      (THREE, f"{ROUND_2}3 all_in",     "all_in_too_early"),
    "tongcheng: an answer is no raise":     (THREE, f"{SHOVE}1 raise 600",    "all_in_pending"),
    "tongcheng: an answer is no compare":   (THREE, f"{SHOVE}1 compare 2",    "all_in_pending"),
    "tongcheng: an answer is no unknown verb": (THREE, f"{SHOVE}1 dance",     "all_in_pending"),
    "tongcheng: answers come in turn":      (THREE, f"{SHOVE}3 call",         "not_your_turn"),
    "tongcheng: who is all-in has no turn": (THREE, f"{SHOVE}2 call",         "not_your_turn"),
    "tongcheng: short of a compare": (
        f"1 {ACES} 2200, 2 {PAIR}, 3 {FLUSH}",
        f"{ROUND_3}3 call, 2 raise 900, 1 compare 3",
        "insufficient_stack",
    ),
    "feifan2017: three blind bets":         (THREE, f"{BLIND_3}3 call",       "blind_limit"),
    "feifan2017: a raise is one":           (THREE, f"{BLIND_3}3 raise 1",    "blind_limit"),
    "feifan2017: a compare is one":         (THREE, f"{BLIND_3}3 compare 2",  "blind_limit"),
    "feifan2017: a fourth raise of a chain": (THREE, f"{CHAIN}3 raise 1",     "raise_limit"),
    "feifan2017: a chain that was broken":  (THREE, "3 call, 1 call, 3 raise 600", "not_your_turn"),
    "feifan2017: a call after one's call":  (THREE, "3 call, 3 call",         "not_your_turn"),
    "feifan2017: a compare after one's call": (THREE, "3 call, 3 compare 1",  "not_your_turn"),
    "feifan2017: a third compare of a round": (
        FOUR,
        "3 compare 1, 3 compare 2, 3 compare 4",
        "compare_limit",
    ),
    "feifan2017: seen against seen": (THREE, "3 look, 1 look, 3 compare 1", "compare_target_seen"),
    "feifan2017: another's turn, no chain": (THREE, "1 raise 600",            "not_your_turn"),
    "feifan2017: an answer is no raise":    (THREE, f"{BLIND_SHOVE}2 raise 600", "all_in_pending"),
    "feifan2017: an answer is no all-in":   (THREE, f"{BLIND_SHOVE}2 all_in", "all_in_pending"),
    "feifan2017: no chain while answers wait": (
        THREE,
        f"{BLIND_SHOVE}3 raise 600",
        "not_your_turn",
    ),
    "feifan2017: a fold after a look":      (THREE, f"{BLIND_SHOVE}2 look, 2 fold", "must_compare"),
    "feifan2017: a top-up not needed":      (THREE, "3 top_up 1",             "top_up_not_needed"),
    "feifan2017: a top-up of an all-in seat": (
        f"1 {ACES}, 2 {PAIR} 500, 3 {FLUSH}",
        "2 top_up 1",
        "top_up_not_needed",
    ),
    "feifan2017: a top-up of nothing":      (SHORT, "1 top_up 0",             "top_up_limit"),
    "feifan2017: more than three carries":  (SHORT, "1 top_up 1801",          "top_up_limit"),
    "feifan2017: a third top-up": (SHORT, "1 top_up 1, 1 top_up 1, 1 top_up 1", "top_up_limit"),
    "feifan2017: a top-up of who is out":   (SHORT, "3 call, 1 fold, 1 top_up 1", "seat_out"),
    "feifan2017: all fold, the banker is out": (THREE, "3 fold, fold_all", "fold_all_not_allowed"),
    "feifan2017: all fold, one is all-in": (
        THREE,
        "3 look, 3 all_in, fold_all",
        "fold_all_not_allowed",
    ),
    "feifan2017: all-in with nothing left": (
        TIES,
        "3 fold, 1 compare 2, 2 call, 1 all_in",
        "insufficient_stack",
    ),
    "jisu: nobody acts":                    (THREE, "3 call",                 "hand_over"),
}
# fmt: on


def _written(rulebook: str, deal: str, done: str, **more: Any) -> dict[str, Any]:
    """Return a record of a rulebook, at a table that it knows."""
    table = {"ante": 500} if rulebook == "jisu" else {"ante": 500, "max_stake": 10_000}
    opener = {"opener": 3} if rulebook == "platform" else {}
    return record(deal, done, rulebook=rulebook, dealer=3, table=table, **opener, **more)


@pytest.mark.parametrize(
    ("why", "deal", "done", "code"), [(why, *row) for why, row in REFUSED.items()], ids=REFUSED
)
def test_each_rulebook_refuses_what_it_does_not_allow(why, deal, done, code):
    """The last action is the one refused; all before it are legal."""
    written = _written(why.split(":")[0], deal, done)

    assert verdict(written) == (len(written["actions"]) - 1, code)


@pytest.mark.parametrize("opener", [None, 9], ids=["missing", "nobody's seat"])
def test_platform_records_who_acts_first(opener):
    """Drawn outside, it is a fact that the record must bring."""
    written = _written("platform", THREE, "3 fold, 2 fold")
    del written["opener"]
    if opener is not None:
        written["opener"] = opener

    assert verdict(written) == (-1, "bad_record" if opener is None else "unknown_seat")


@pytest.mark.parametrize(
    "rulebook", ["platform", "yingsanzhang", "tongcheng", "feifan2017", "jisu"]
)
def test_only_jiuyou_protects_a_seat_from_the_clock(rulebook):
    """What a rulebook does not know, its records do not say."""
    written = _written(rulebook, THREE, "")
    written["seats"][0]["protect"] = True

    assert verdict(written) == (-1, "bad_record")


# fmt: off
DRAWS = {
    # why                         rulebook    the draws      refused
    "trips win what was drawn":  ("platform", {"1": 7},      None),
    "nothing may be drawn, too": ("platform", {"1": 0},      None),
    "no trips, no bonus":        ("platform", {"2": 7},      (2, "bonus_not_due")),
    "below nothing":             ("platform", {"1": -1},     (2, "bonus_not_due")),
    "for nobody":                ("platform", {"9": 7},      (2, "bonus_not_due")),
    "up to a hundred antes":     ("jisu",     {"2": 50_000}, None),
    "and no more":               ("jisu",     {"2": 50_001}, (0, "bonus_not_due")),
    "nor below nothing":         ("jisu",     {"2": -1},     (0, "bonus_not_due")),
    "nor for nobody":            ("jisu",     {"9": 1},      (0, "bonus_not_due")),
}
# fmt: on


@pytest.mark.parametrize(("rulebook", "draws", "refused"), DRAWS.values(), ids=DRAWS)
def test_a_drawn_bonus_is_granted_where_it_is_due_and_refused_elsewhere(rulebook, draws, refused):
    """What was drawn is a fact; for whom, and up to what, is a rule."""
    done = "" if rulebook == "jisu" else "3 fold, 2 fold"
    written = _written(rulebook, f"1 {ACES}, 2 {PAIR}, 3 {FLUSH}", done, bonus_draws=draws)

    assert verdict(written) == refused
    if refused is None:
        assert settled(written)["house_bonus"] == sum(draws.values())


def test_the_timeout_of_a_seat_that_must_answer_with_a_duel_is_its_duel():
    """Whoever looked after a blind all-in cannot leave by letting time pass."""
    deal = f"1 {ACES} 3000, 2 {PAIR}, 3 {FLUSH}"
    hand = act(opened(deal, dealer=3, rulebook="feifan2017"), f"{BLIND_SHOVE}2 look")
    hand.collect_events()

    act(hand, "2 timeout")

    first = hand.collect_events()[0].event.model_dump()
    assert (first["challenger"], first["challenged"], first["by"]) == (2, 1, "timeout")
    assert first["winner"] == 1


def test_a_bluff_unseen_may_be_left_alone():
    """Who has not looked since, folds like anybody."""
    hand = act(opened(THREE, dealer=3, rulebook="feifan2017"), f"{BLIND_SHOVE}2 fold, 3 timeout")

    assert hand.state.settled
    assert hand.state.remaining == (1,)


# fmt: off
VOIDED = {
    # why                                            deal, and what was done before the void
    "a decided duel with its side payments": (f"1 {PAIR}, 2 {QUEEN}, 3 {NINES}", "3 compare 1"),
    "two of them":                                  (f"1 {PAIR}, 2 {QUEEN}, 3 {NINES}, 4 {NOTHING}",
                                                     "3 compare 1, 3 compare 4"),
    "a banker who paid everyone":                   (f"1 {ACES}, 2 {QUEEN}, 3 {NOTHING}, 4 {PAIR}",
                                                     "3 compare 1"),
    "a push between players":             (TIES,                             "3 call, 1 compare 2"),
    "a player who left the banker whole": (f"1 6c6d8s, 2 {QUEEN}, 3 6h6s8d", "3 compare 1"),
    "top-ups":                                      (f"1 {ACES} 600, 2 {PAIR}, 3 {FLUSH}",
                                                     "3 call, 1 top_up 900, 1 call"),
}
# fmt: on


@pytest.mark.parametrize(("deal", "done"), VOIDED.values(), ids=VOIDED)
def test_a_void_hand_takes_back_side_payments_too(deal, done):
    """Every seat has what it brought; no chip is left in the pot, and none is missing."""
    hand = act(opened(deal, dealer=3, rulebook="feifan2017"), done)
    assert not hand.state.over

    hand.void("the table lost power", CAUSE)

    for seat in hand.state.seats.values():
        assert seat.stack == seat.carry + sum(seat.top_ups)


def test_a_fold_of_everyone_is_the_banker_s_pot():
    """Without a duel, and without side payments."""
    written = _written("feifan2017", THREE, "3 call, 1 call, fold_all")

    assert settled(written)["winners"] == [3]
    assert nets(written) == {1: -1_500, 2: -500, 3: 2_000}


def test_a_room_may_not_play_with_four_of_a_kind():
    """王炸 cannot be dealt with three cards; false is what it is anyway."""
    written = _written("feifan2017", THREE, "3 call, fold_all")

    assert verdict({**written, "table": {"ante": 500, "wangzha": True}}) == (-1, "not_supported")
    assert verdict({**written, "table": {"ante": 500, "wangzha": False}}) is None


def test_what_is_played_and_what_is_asked_are_the_same():
    """A record through the reader and the same actions by hand come to the same."""
    written = _written("feifan2017", THREE, "3 call, 1 raise 600, 1 raise 700, 2 fold, 3 fold")
    got = outcome(written)
    hand = opened(THREE, dealer=3, rulebook="feifan2017")

    act(hand, "3 call, 1 raise 600, 1 raise 700, 2 fold, 3 fold")

    assert isinstance(got, Hand)
    assert hand.state == got.state
