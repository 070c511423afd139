"""What is said of a hand's events and of its deal: every event, in both languages, the same."""

# ruff: noqa: E501 - a case stays on one line

import re
from typing import get_args

import pytest

from adapters.hand_words import DEAL_REASONS, DEAL_VERDICTS, DEEDS, STATES, deal_told, describe
from adapters.show import verdict_of
from adapters.simulation.hands import simulate_with_events
from domain import events
from domain.money import Transfer
from domain.zhajinhua.disclosing import Reason, Verdict
from domain.zhajinhua.rulebooks import published

BONUS = (Transfer("house:bonus", "seat:2", 25_00, "bonus"),)


def duel(**given):
    """Return a duel of seat 1 with seat 2."""
    fields = {"winner": 1, "out": (2,), "seen": True, "why": "compare", "by": "choice"}
    return events.HandsCompared(challenger=1, challenged=2, **{**fields, **given})


# fmt: off
SAID = {
    "cards, hidden":  (events.CardsDealt(cards={1: "AhKhTh", 2: "??????"}), "cards dealt, 1: A♥ K♥ 10♥, 2: ??????", "发牌，1：A♥ K♥ 10♥；2：??????"),
    "a raise":        (events.BetRaised(seat=1, seen=True, stake=10_00), "raises the stake to 10.00", "加注，单注升到 10.00"),
    "a call, late":   (events.BetCalled(seat=1, seen=True, by="timeout"), "calls (timeout)", "跟注（超时）"),
    "a duel":         (duel(), "compares with seat 2: seat 1 wins, out: seat 2", "与 2 号位比牌：1 号位胜，2 号位出局"),
    "a tie":          (duel(winner=None, out=(), why="forced"), "is made to duel seat 2: nobody wins, nobody is out", "强制与 2 号位比牌：平，无人出局"),
    "both out, late": (duel(out=(1, 2), by="timeout"), "compares with seat 2: seat 1 wins, out: seat 1, 2 (timeout)", "与 2 号位比牌：1 号位胜，1、2 号位出局（超时）"),
    "a last stand":   (events.LastStandTaken(seat=1, named=2, seen=True, due=40_00, by="choice"), "takes a last stand, 40.00 being due", "孤注一掷，应付 40.00"),
    "a bonus":        (events.BonusGranted(seat=2, category="straight_flush", payer="house", transfers=BONUS), "bonus from the house: 25.00 for straight flush", "喜钱 25.00（顺金），由系统付"),
    "a claim":        (events.SettlementClaimed(claimant="record", settlement={}), "settlement claimed by record", "申报结算：record"),
    "a void":         (events.HandVoided(reason="power cut"), "void: power cut", "作废：power cut"),
}
# fmt: on


@pytest.mark.parametrize(("event", "en", "zh"), SAID.values(), ids=SAID)
def test_an_event_is_told(event, en, zh):
    """With its seats, amounts and cards."""
    assert (en, zh) == (describe(event, "en"), describe(event, "zh"))


def test_every_event_of_a_hand_has_words():
    """Those of a duel for each reason that there is."""
    of_hands = {
        kind.TOPIC.split(".")[1]
        for kind in vars(events).values()
        if getattr(kind, "TOPIC", "").startswith("hand.")
    }

    assert of_hands == {kind for kind in DEEDS if not kind.startswith("hands_compared_")}
    assert {"last_stand", "forced", "shove"} == {
        kind.removeprefix("hands_compared_") for kind in DEEDS
    } - of_hands


def test_simulated_hands_are_told_whole_in_both_languages():
    """Neither language strays into the other, and the figures are the same."""
    for rulebook in published():
        names = re.compile(rf"\b{rulebook.id} |[♣♦♥♠]|\b[AKQJ](?=[♣♦♥♠])")
        for made in simulate_with_events(rulebook.id, hands=10, seed=7):
            assert verdict_of(made.events)[0] in STATES
            for event in made.events:
                en, zh = (names.sub("", describe(event, lang)) for lang in ("en", "zh"))
                assert en.isascii(), en
                assert not re.search("[a-z]{2}", zh), zh
                assert sorted(re.findall(r"[0-9.]+[0-9]", en)) == sorted(
                    re.findall(r"[0-9.]+[0-9]", zh)
                )


def test_what_is_no_event_of_a_hand_is_named():
    """Somebody wrote it into the stream."""
    stray = events.FundsDeposited(balance=5_00)

    assert "wallet.deposited.v1" == describe(stray, "zh")


def test_what_is_proven_of_a_deal_is_told():
    """Whatever verdict and reason there are; whose cards differ is named."""
    differs = ("not_proven", "deal_differs", (2, 3))

    assert {*get_args(Verdict)} == {*DEAL_VERDICTS}
    assert {*get_args(Reason)} == {*DEAL_REASONS}
    assert deal_told(*differs, "en").endswith("gives other cards to seat 2, 3")
    assert "发牌未证：按承诺的牌序，2、3 号位所得应是别的牌" == deal_told(*differs, "zh")
