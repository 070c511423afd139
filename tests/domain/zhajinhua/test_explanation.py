"""The argument for a hand: complete, worked out in chips, and silent on hidden cards."""

import json
from pathlib import Path

import pytest

from domain.cards import split
from domain.events import (
    BetCalled,
    HandOpened,
    HandsCompared,
    HandSettled,
    HandVoided,
    SettlementClaimed,
)
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.explanation import explain
from domain.zhajinhua.settlement import void
from domain.zhajinhua.state import opened
from domain.zhajinhua.words_en import WORDS as EN
from domain.zhajinhua.words_zh import WORDS as ZH
from tests.domain.hands import NINES, NOTHING, PAIR, STRAIGHT, UNSUITED_235, events_of, record
from tests.domain.zhajinhua.printing import printed

HERE = Path(__file__).parent
EXAMPLES = Path(__file__).parents[2] / "vectors" / "seed-examples.jsonl"


def example(hand):
    """Return the events of a worked example of the documents."""
    lines = EXAMPLES.read_text(encoding="utf-8").splitlines()
    (found,) = (line for line in lines if json.loads(line)["hand"] == hand)
    return events_of(found)


def sums(events, lang="en"):
    """Return all arithmetic of an argument."""
    return [line for step in explain(events, lang) for line in step.arithmetic]


def texts(events, lang="en"):
    """Return all sentences of an argument."""
    return [step.text for step in explain(events, lang)]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_last_stand_of_document_000_is_argued_as_pinned(lang):
    """The worked example reads as a person once read and approved it. Source: document 000, III."""
    golden = (HERE / "explained" / f"000-last-stand.{lang}.txt").read_text(encoding="utf-8")

    assert golden == printed(explain(example("000-last-stand"), lang))


def test_the_refunds_of_document_000_are_worked_out():
    """190 and 95, in the document's own formula."""
    worked = sums(example("000-last-stand"))

    assert "refund 200.00 x (400.00 - 20.00) / 400.00 = 190.00" in worked
    assert "refund 100.00 x (400.00 - 20.00) / 400.00 = 95.00" in worked


def test_the_results_of_document_000_before_rake_are_worked_out():
    """-115, -110, -605, -205 and +1035."""
    worked = "\n".join(sums(example("000-last-stand")))

    for result in ("= -115.00", "= -110.00", "= -605.00", "= -205.00", "= 1035.00 before rake"):
        assert result in worked


def test_the_bonus_of_document_000_is_worked_out():
    """A straight flush at an ante of 5, 50 lost: -40."""
    worked = sums(example("000-bonus"))

    assert "bonus 2 x 5.00 = 10.00" in worked
    assert "bonus 10.00 - contributed 50.00 = -40.00" in worked


def test_both_languages_say_the_same_things():
    """A sentence of one language has its partner in the other, with the same fields."""
    assert set(ZH) == set(EN)
    for key, sentence in ZH.items():
        fields = {part.split("}")[0] for part in sentence.split("{")[1:]}
        assert fields == {part.split("}")[0] for part in EN[key].split("{")[1:]}, key


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_card_of_a_running_hand_is_shown(lang):
    """However far a hand has come, its argument names no card until it is over."""
    events = example("000-last-stand")
    cards = [
        face for e in events if hasattr(e, "cards") for c in e.cards.values() for face in split(c)
    ]

    for end in range(1, len(events)):
        argument = printed(explain(events[:end], lang))
        for suit in "♠♥♣♦":
            assert suit not in argument
        for card in cards:
            assert card not in argument


def test_a_running_hand_says_whose_turn_it_is_and_what_a_call_costs():
    """The argument for an unfinished hand ends with what it waits for."""
    events = events_of(record(f"1 {PAIR}, 2 {NOTHING}", "2 look, 2 call, 1 fold"))

    step = explain(events[:-2], "en")[-1]

    assert (
        step.text
        == "The hand is running, in round 1: it is the turn of seat 1 (p1), blind, who has 995.00."
    )
    assert step.arithmetic == ("call 5.00 x 1 = 5.00",)


BOTH_IN = "2 call, 1 call"

# fmt: off
SAID = {
    # why                   deal                            done
    "is an unsuited 2-3-5": (f"1 {NINES}, 2 {UNSUITED_235}", f"{BOTH_IN}, 2 compare 1"),
    "initiated the duel":   ("1 KsKd2c, 2 KhKc2d",           f"{BOTH_IN}, 2 compare 1"),
    "runs out: a fold":     (f"1 {PAIR}, 2 {NOTHING}",       "2 timeout"),
    "protection plays on":  (f"1 {PAIR}, 2 {STRAIGHT}",      "2 look, 2 timeout, 1 fold"),
    "forced duel":          (f"1 {PAIR}, 2 {NOTHING}",       ", ".join([BOTH_IN] * 15)),
    "a last stand":         (f"1 {PAIR}, 2 {NOTHING} 1200",  f"{BOTH_IN}, 2 compare 1"),
}
# fmt: on


@pytest.mark.parametrize("said", SAID)
def test_what_happened_is_said(said):
    """Each turn of play has its own sentence."""
    deal, done = SAID[said]

    argument = "\n".join(texts(events_of(record(deal, done))))

    assert said in argument


def test_a_truncated_division_says_so():
    """Where a fraction of a unit was dropped, the line says it."""
    events = events_of(record(f"1 {PAIR}, 2 {NOTHING}", "2 raise 511, 1 fold", table={"ante": 501}))

    assert "rake (10.12 + 0.00 - 10.12) x 5.00 %" not in "\n".join(sums(events))
    assert any(
        line.startswith("rake ") and line.endswith("= 0.25 (fraction dropped)")
        for line in sums(events)
    )


def test_a_price_that_was_recorded_otherwise_is_set_beside_the_due_one():
    """A tampered amount does not pass as the rule's."""
    events = events_of(record(f"1 {PAIR}, 2 {NOTHING}", "2 call, 1 fold"))
    at = next(n for n, e in enumerate(events) if isinstance(e, BetCalled))
    (move,) = events[at].transfers
    events[at] = events[at].model_copy(update={"transfers": (move._replace(amount=400),)})

    assert "call 5.00 x 1 = 5.00, recorded is 4.00" in sums(events)


def test_a_duel_that_was_recorded_otherwise_is_named():
    """A tampered winner does not pass as the rule's."""
    events = events_of(record(f"1 {PAIR}, 2 {NOTHING}", "2 call, 1 call, 2 compare 1"))
    at = next(n for n, e in enumerate(events) if isinstance(e, HandsCompared))
    events[at] = events[at].model_copy(update={"winner": 2, "out": (1,)})

    assert any("by the rules seat 1 (p1) wins" in text for text in texts(events))


def test_a_net_that_was_recorded_otherwise_is_set_beside_the_due_one():
    """A tampered settlement does not pass as the rule's."""
    events = events_of(record(f"1 {PAIR}, 2 {NOTHING}", "2 call, 1 fold"))
    settled = events[-1]
    assert isinstance(settled, HandSettled)
    settlement = json.loads(json.dumps(settled.settlement))
    settlement["seats"]["1"]["net"] -= 1
    events[-1] = settled.model_copy(update={"settlement": settlement})

    assert "- contributed 5.00 = -5.00, recorded is -5.01" in sums(events)


def test_a_claim_is_held_against_the_settlement():
    """Each figure that a foreign system sees otherwise is named."""
    events = events_of(record(f"1 {PAIR}, 2 {NOTHING}", "2 call, 1 fold"))
    settled = events[-1]
    assert isinstance(settled, HandSettled)
    settlement = settled.settlement
    agreeing = SettlementClaimed(claimant="site", settlement=dict(settlement))
    differing = SettlementClaimed(claimant="site", settlement={"pot": 1600, "rounds": 3})

    assert texts([*events, agreeing])[-1] == "The settlement that site claims agrees with this."
    assert explain([*events, differing], "en")[-1].arithmetic == (
        "pot: claimed 16.00, derived 15.00",
        "rounds: claimed 3, derived 1",
    )


def test_a_void_hand_gives_everything_back():
    """The argument for a void hand ends with what each seat got back."""
    events = events_of(record(f"1 {PAIR}, 2 {NOTHING}", "2 call, 1 fold"))[:-2]
    first, *others = events
    assert isinstance(first, HandOpened)
    state = opened(first)
    for event in others:
        state = evolve(state, event)
    voided = void(state, "server down")
    assert isinstance(voided, HandVoided)

    step = explain([*events, voided], "en")[-1]

    assert (
        step.text
        == "The hand is void (server down); every chip goes back to the seat it came from."
    )
    assert step.arithmetic == ("returned 5.00", "returned 10.00")
