"""What is refused, with which code, and which refusal counts first; how a hand opens."""

import re
from pathlib import Path

import pytest

import domain
from domain import errors
from domain.errors import RefusalError
from domain.events import AntePosted, CardsDealt, HandOpened
from domain.zhajinhua.rulebooks import find
from tests.domain.hands import FLUSH, NOTHING, PAIR, QUEEN, RUN, act, opened, record, seats, verdict

# --- a record that is wrong in every way, put right one fault at a time ---------------

CROWD = f"1 {NOTHING} 499, 2 {NOTHING}, 3 2c4d, 4 {QUEEN}, 5 {PAIR}, 6 {FLUSH}"
ALL_WRONG = {
    **record(CROWD, "1 dance", dealer=9),
    "rulebook": "nope",
    "opener": 9,
    "colour": "red",
}
FOUR = {
    "seats": [seat for seat in ALL_WRONG["seats"] if seat["seat"] < 5],
    "deal": {"1": NOTHING, "2": NOTHING, "3": "2c4d", "4": QUEEN},
}

# fmt: off
OPENING = (
    # what is reported    then put right
    ("bad_record",        {"colour": None}),              # §7.1: the record itself
    ("unknown_rulebook",  {"rulebook": "jiuyou"}),
    ("bad_record",        {"opener": None}),              # §7.1: what its rulebook says of it
    ("seat_count",        FOUR),
    ("bad_deal",          {"deal": {"1": NOTHING, "2": NOTHING, "3": FLUSH, "4": QUEEN}}),
    ("duplicate_card",    {"deal": {"1": NOTHING, "2": PAIR, "3": FLUSH, "4": QUEEN}}),
    ("unknown_seat",      {"dealer": 1}),
    ("carry_too_small",   {"seats": seats(f"1 {RUN}, 2 {RUN}, 3 {RUN}, 4 {RUN}")}),
)
# fmt: on


@pytest.mark.parametrize("faults", range(len(OPENING)), ids=lambda n: f"{n} {OPENING[n][0]}")
def test_of_many_faults_of_an_opening_the_first_in_order_is_reported(faults):
    """With the faults before it put right, each refusal outweighs all that come after it."""
    written = dict(ALL_WRONG)
    for _, right in OPENING[:faults]:
        written |= right

    written = {name: value for name, value in written.items() if value is not None}
    assert verdict(written) == (-1, OPENING[faults][0])


def test_with_every_fault_of_the_opening_put_right_the_actions_are_taken_up():
    """The walk above ends at the first action, which is no action."""
    written = dict(ALL_WRONG)
    for _, right in OPENING:
        written |= right

    written = {name: value for name, value in written.items() if value is not None}
    assert verdict(written) == (0, "not_your_turn")


# --- actions, likewise -----------------------------------------------------------------

# Four seats, ante 500, dealer 1: 4 acts first, then 3, 2 and 1. 2 has 100 left after its ante.
DEAL = f"1 {NOTHING}, 2 {PAIR} 600, 3 {FLUSH}, 4 {QUEEN}"
OVER = "4 fold, 3 fold, 2 fold"
OUT = "4 look, 4 fold"  # 4 is out, 3 is on turn
SHORT = "4 call, 3 call"  # 2 is on turn
ROUND_2 = "4 call, 3 fold, 2 fold, 1 call"  # 4 is on turn, with 1

# Each row breaks its own rule and, as far as they can be broken together, those of the rows
# below it.
# fmt: off
WALKS = (
    # code                 before   refused
    ("hand_over",          OVER,    "9 look"),
    ("unknown_seat",       OUT,     "9 look"),
    ("seat_out",           OUT,     "4 look"),
    ("already_seen",       "1 look", "1 look"),

    ("hand_over",          OVER,    "9 top_up 0"),
    ("unknown_seat",       OUT,     "9 top_up 0"),
    ("seat_out",           OUT,     "4 top_up 0"),
    ("not_supported",      OUT,     "1 top_up 0"),

    ("hand_over",          OVER,    "fold_all"),
    ("not_supported",      OUT,     "fold_all"),

    ("hand_over",          OVER,    "9 dance"),
    ("unknown_seat",       OUT,     "9 dance"),
    ("seat_out",           OUT,     "4 dance"),
    ("not_your_turn",      OUT,     "1 dance"),
    ("unknown_action",     OUT,     "3 dance"),

    ("hand_over",          OVER,    "9 call"),
    ("unknown_seat",       OUT,     "9 call"),
    ("seat_out",           OUT,     "4 call"),
    ("not_your_turn",      OUT,     "2 call"),
    ("insufficient_stack", SHORT,   "2 call"),

    ("hand_over",          OVER,    "9 raise 10001"),
    ("unknown_seat",       OUT,     "9 raise 10001"),
    ("seat_out",           OUT,     "4 raise 10001"),
    ("not_your_turn",      OUT,     "2 raise 10001"),
    ("raise_too_low",      SHORT,   "2 raise 500"),
    ("raise_too_high",     SHORT,   "2 raise 10001"),
    ("insufficient_stack", SHORT,   "2 raise 501"),

    ("hand_over",          OVER,    "9 all_in"),
    ("unknown_seat",       OUT,     "9 all_in"),
    ("seat_out",           OUT,     "4 all_in"),
    ("not_your_turn",      OUT,     "2 all_in"),
    ("not_supported",      SHORT,   "2 all_in"),

    ("hand_over",          OVER,    "9 fold"),
    ("unknown_seat",       OUT,     "9 fold"),
    ("seat_out",           OUT,     "4 fold"),
    ("not_your_turn",      OUT,     "2 fold"),

    ("hand_over",          OVER,    "9 timeout"),
    ("unknown_seat",       OUT,     "9 timeout"),
    ("seat_out",           OUT,     "4 timeout"),
    ("not_your_turn",      OUT,     "2 timeout"),

    ("hand_over",          OVER,    "9 compare 9"),
    ("unknown_seat",       OUT,     "9 compare 9"),
    ("seat_out",           OUT,     "4 compare 4"),
    ("not_your_turn",      OUT,     "1 compare 1"),
    ("compare_too_early",  "",      "4 compare 9"),
    ("unknown_seat",       ROUND_2, "4 compare 9"),
    ("compare_self",       ROUND_2, "4 compare 4"),
    ("compare_target_out", ROUND_2, "4 compare 3"),
)
# fmt: on


@pytest.mark.parametrize(
    ("code", "before", "refused"), WALKS, ids=[f"{row[1]}; {row[2]}: {row[0]}" for row in WALKS]
)
def test_of_many_faults_of_an_action_the_first_in_order_is_reported(code, before, refused):
    """Down each verb's rows, one fault fewer at a time."""
    written = record(DEAL, f"{before}, {refused}" if before else refused)

    assert verdict(written) == (len(written["actions"]) - 1, code)


LOST = "4 call, 3 call, 2 fold, 1 call, 4 compare 3"  # 4 is out, 3 is on turn, with 1
# fmt: off
MORE = {
    # why                                before            refused          code
    "a second raise in the same turn":  ("4 raise 600",    "4 raise 700",   "not_your_turn"),
    "a raise to the present stake":     ("4 raise 600",    "3 raise 600",   "raise_too_low"),
    "a raise below the stake":          ("4 raise 600",    "3 raise 599",   "raise_too_low"),
    "a raise to nothing":               ("",               "4 raise 0",     "raise_too_low"),
    "a raise to less than nothing":     ("",               "4 raise -600",  "raise_too_low"),
    "a raise above the table's bound":  ("",               "4 raise 10001", "raise_too_high"),
    "a turn after losing a duel":       (LOST,             "4 call",        "seat_out"),
    "a look after losing a duel":       (LOST,             "4 look",        "seat_out"),
    "being dueled after losing a duel": (LOST,             "3 compare 4",   "compare_target_out"),
    "a look after the end":             (OVER,             "1 look",        "hand_over"),
    "a look after looking and calling": ("4 look, 4 call", "4 look",        "already_seen"),
    "a seat below zero":                ("",               "-4 call",       "unknown_seat"),
}
# fmt: on


@pytest.mark.parametrize(("before", "refused", "code"), MORE.values(), ids=MORE)
def test_an_action_against_the_rules_is_refused(before, refused, code):
    """The code says which rule; the place says which action."""
    written = record(DEAL, f"{before}, {refused}" if before else refused)

    assert verdict(written) == (len(written["actions"]) - 1, code)


@pytest.mark.parametrize("done", ["", "4 call", ROUND_2])
def test_a_record_that_ends_too_soon_is_refused_after_its_last_action(done):
    """A hand that is not over is not settled."""
    written = record(DEAL, done)

    assert verdict(written) == (len(written["actions"]), "hand_not_over")


def test_every_refusal_that_the_game_can_give_is_in_the_walks():
    """Of the game's refusals, only those of other rulebooks and of the deck are missing."""
    elsewhere = {
        *("look_too_early", "top_up_limit", "top_up_not_needed", "raise_limit", "all_in_pending"),
        *("blind_limit", "all_in_too_early", "all_in_not_short", "must_compare", "compare_limit"),
        *("compare_target_seen", "fold_all_not_allowed", "bonus_not_due"),
        *("commitment_required", "hand_running", "no_commitment", "already_disclosed"),
        "commitment_mismatch",
    }
    walked = {code for code, *_ in (*OPENING, *WALKS)} | {"hand_not_over"}

    assert {refusal.code for refusal in _refusals() if _of_the_game(refusal)} - elsewhere == walked


def test_a_refused_action_leaves_nothing_behind():
    """The hand is where it was, and nothing waits to be stored."""
    hand = act(opened(DEAL), "4 call")
    hand.collect_events()
    before, version = hand.state, hand.version

    with pytest.raises(errors.NotYourTurnError):
        act(hand, "1 call")

    assert (hand.state, hand.version) == (before, version)
    assert hand.collect_events() == []


def test_a_refusal_says_in_words_and_numbers_what_broke_the_rule():
    """The message is for people; the numbers are for programs."""
    with pytest.raises(errors.InsufficientStackError) as refused:
        act(opened(DEAL), f"{SHORT}, 2 raise 501")

    assert str(refused.value) == "seat 2 has 100; 501 is due"
    assert refused.value.numbers == {"seat": 2, "stack": 100, "due": 501}


def _refusals() -> list[type[RefusalError]]:
    return [kind for kind in RefusalError.__subclasses__() if kind.__module__ == errors.__name__]


def _of_the_game(refusal: type[RefusalError]) -> bool:
    return refusal.rule.startswith(("§", "hand-record"))


def test_every_refusal_has_a_code_of_its_own_and_cites_a_rule_that_exists():
    """Codes are stable names; a § is one of RULES.md, in whose §7 the code stands."""
    rules = (Path(domain.__file__).parent / "zhajinhua" / "RULES.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"\*\*(§[0-9]+\.[0-9]+)", rules))
    ours = [refusal for refusal in _refusals() if _of_the_game(refusal)]

    codes = [refusal.code for refusal in _refusals()]
    assert len(set(codes)) == len(codes)
    assert {refusal.rule for refusal in ours} <= sections | {"hand-record/1"}
    assert {refusal.code for refusal in ours} <= set(re.findall(r"`([a-z_]+)`", rules))


# --- the opening -----------------------------------------------------------------------


def test_a_hand_opens_with_its_pinned_rulebook_its_antes_and_its_cards():
    """The first event pins what it is settled under; antes follow in turn order, then the deal."""
    hand = opened(f"5 {PAIR}, 2 {NOTHING} 700 unprotected, 9 {QUEEN}", dealer=5)

    first, *antes, deal = [entry.event for entry in hand.collect_events()]

    assert isinstance(first, HandOpened)
    assert (first.game, first.rulebook, first.version) == ("zhajinhua", "jiuyou", 1)
    assert first.digest == find("jiuyou", 1).digest
    assert first.table == {"ante": 500, "max_stake": 10_000, "round_limit": 15}
    assert (first.dealer, first.opener) == (5, 2)
    assert [(s.seat, s.player, s.carry, s.protect) for s in first.seats] == [
        (2, "p2", 700, False),
        (5, "p5", 100_000, True),
        (9, "p9", 100_000, True),
    ]
    assert all(isinstance(ante, AntePosted) for ante in antes)
    assert [tuple(ante.transfers[0]) for ante in antes] == [
        (f"seat:{number}", "pot", 500, "ante") for number in (2, 9, 5)
    ]
    assert isinstance(deal, CardsDealt)
    assert deal.cards == {2: NOTHING, 5: PAIR, 9: QUEEN}


def test_what_a_table_leaves_out_the_rulebook_says_and_the_hand_records():
    """No bound for the stake, and 15 rounds."""
    hand = opened(f"1 {PAIR}, 2 {NOTHING}", table={"ante": 7})

    first = hand.collect_events()[0].event

    assert isinstance(first, HandOpened)
    assert first.table == {"ante": 7, "max_stake": None, "round_limit": 15}


# fmt: off
OPENERS = {
    # why                                 seats       dealer acts first
    "the next lower number":             ((1, 2, 3),  3,  2),
    "around the table":                  ((1, 2, 3),  1,  3),
    "over gaps":                         ((3, 7, 12), 12, 7),
    "over gaps, around the table":       ((3, 7, 12), 3,  12),
    "of two, the one who is not dealer": ((4, 6),     4,  6),
}
# fmt: on


@pytest.mark.parametrize(("numbers", "dealer", "opener"), OPENERS.values(), ids=OPENERS)
def test_the_seat_after_the_dealer_acts_first(numbers, dealer, opener):
    """Counter-clockwise is to the next lower occupied number."""
    held = dict(zip(numbers, (NOTHING, PAIR, QUEEN), strict=False))
    hand = opened(", ".join(f"{seat} {cards}" for seat, cards in held.items()), dealer=dealer)

    assert (hand.state.turn, hand.state.places[0]) == (opener, opener)
