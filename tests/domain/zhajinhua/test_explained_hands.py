"""The argument for hands of all rulebooks: approved texts, nothing left out, nothing given away."""

# ruff: noqa: E501 - a case stays on one line

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from domain.cards import DECK
from domain.events import (
    BetCalled,
    BonusGranted,
    Event,
    FundsDeposited,
    HandsCompared,
    HandSettled,
    HandsOpened,
    SettlementClaimed,
)
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.explanation import explain
from domain.zhajinhua.phrases import Phrases
from domain.zhajinhua.rulebooks import find, published
from domain.zhajinhua.settlement import void
from domain.zhajinhua.sources import _JIUYOU, _QUOTATIONS, MATTERS, source
from domain.zhajinhua.state import opened
from domain.zhajinhua.words_en import WORDS as EN
from domain.zhajinhua.words_zh import CATEGORIES
from tests.domain.hands import (
    CAUSE,
    NOTHING,
    PAIR,
    SALT,
    act,
    committed,
    deck_for,
    events_of,
    record,
)
from tests.domain.hands import opened as begun
from tests.domain.zhajinhua.printing import printed
from tests.mechanisms.arguing import unargued
from tests.mechanisms.worked_hands import WORKED

HERE = Path(__file__).parent
VECTORS = Path(__file__).parents[2] / "vectors"
RICH = {
    hand["hand"]: hand
    for hand in map(
        json.loads, (HERE / "explained" / "hands.jsonl").read_text(encoding="utf-8").splitlines()
    )
}
SETTLED = sorted(path.stem for path in VECTORS.glob("*.jsonl") if "refusals" not in path.stem)


def vectors(stem: str) -> Iterator[list[Event]]:
    """Yield the events of every vector of a file that settles."""
    for line in (VECTORS / f"{stem}.jsonl").read_text(encoding="utf-8").splitlines():
        hand = json.loads(line)
        if "reject" not in hand:
            del hand["settlement"]
            yield events_of(hand)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", RICH)
def test_a_rich_hand_is_argued_as_pinned(name, lang):
    """One hand full of a rulebook's own mechanisms reads as a person once read and approved it."""
    golden = (HERE / "explained" / f"{name}.{lang}.txt").read_text(encoding="utf-8")

    assert golden == printed(explain(events_of(RICH[name]), lang))


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("stem", SETTLED)
def test_every_hand_of_the_vectors_is_argued_to_the_last_amount(stem, lang):
    """Whatever moved is in the argument, and the argument ends with the settlement."""
    assert [] == [left for events in vectors(stem) for left in unargued(events, lang)]


def every_part(name: str) -> Iterator[list[Event]]:
    """Yield a rich hand as it stood after each of its events, as long as it was running."""
    events = events_of(RICH[name])
    for end, event in enumerate(events[1:], start=1):
        if isinstance(event, (HandsOpened, BonusGranted, HandSettled)):
            return
        yield events[:end]


@pytest.mark.parametrize("name", RICH)
def test_a_running_hand_gives_away_neither_cards_nor_what_they_are_worth(name):
    """No card, no category and no ratio that tells one, however far the hand has come."""
    for part in every_part(name):
        told = [step for step in explain(part, "zh") if step.version > 1]  # the first is 炸金花
        argument = printed(step._replace(quotation="", document="") for step in told)

        for secret in (*"♠♥♣♦", *CATEGORIES.values(), " - 1) x", "通赔"):
            assert secret not in argument, argument


@pytest.mark.parametrize("name", ["yingsanzhang", "tongcheng", "feifan2017-ties", "jisu"])
def test_a_history_cut_off_at_the_opening_shows_nothing_either(name):
    """Cards are for settled hands; what is cut off may have been cut off by somebody."""
    events = events_of(RICH[name])
    end = next(n for n, event in enumerate(events) if isinstance(event, HandsOpened))

    argument = printed(explain(events[: end + 1], "en"))

    assert not set("♠♥♣♦") & set(argument)


def test_only_what_happens_in_hands_is_argued():
    """A wallet's event in a hand's history is a fault of whoever put it there."""
    events = events_of(RICH["jisu"])

    with pytest.raises(AssertionError):
        explain([*events, FundsDeposited(balance=1)], "en")


def test_side_payments_of_a_running_hand_are_told_without_their_reasons():
    """Who paid whom how much is no secret."""
    part = next(
        part
        for part in every_part("feifan2017")
        if isinstance(part[-1], HandsCompared) and len(part[-1].transfers) > 1
    )

    step = explain(part, "en")[-2]  # the last is whose turn it is

    assert "Payments beside the pot." == step.text
    assert ("Seat 6 (p057) pays seat 2 (p059) 0.27",) == tuple(
        line[0].upper() + line[1:] for line in step.arithmetic
    )


# fmt: off
WAITS = {
    # for                       rulebook      deal                              done                                  call
    "an ordinary turn":         ("tongcheng",  f"1 {PAIR}, 2 {NOTHING}",        "1 call",                             "call 5.00 x 1 = 5.00"),
    "an answer to an all-in":   ("tongcheng",  f"1 {PAIR} 4000, 2 {NOTHING}",   "1 call, 2 call, 1 call, 2 call, 1 all_in", "call (40.00 - 15.00) x 1 = 25.00"),
    "half a unit":              ("tongcheng",  f"1 {PAIR} 4001, 2 {NOTHING}",   "1 call, 2 call, 1 call, 2 call, 1 look, 1 all_in", "call (55.01/2 - 15.00) x 1 = 12.50 (fraction dropped)"),
    "a duel with an all-in":    ("feifan2017", f"1 {PAIR} 4000, 2 {NOTHING}",   "1 all_in",                           "call 35.00"),
}
# fmt: on


@pytest.mark.parametrize(("rulebook", "deal", "done", "call"), WAITS.values(), ids=WAITS)
def test_a_running_hand_says_what_the_next_call_costs(rulebook, deal, done, call):
    """An answer to an all-in has its own price."""
    hand = act(begun(deal, rulebook=rulebook), done)

    step = explain([entry.event for entry in hand.collect_events()], "en")[-1]

    assert (call,) == step.arithmetic


# --- what was recorded otherwise is set beside what is due --------------------------------


def tampered(events: list[Event], kind: type[Event], reason: str) -> list[Event]:
    """Return a history in which one unit more moved, the first time that it moved for this."""
    found = list(events)
    for at, event in enumerate(events):
        moves = event.transfers
        where = next((n for n, move in enumerate(moves) if move.reason == reason), None)
        if isinstance(event, kind) and where is not None:
            more = moves[where]._replace(amount=moves[where].amount + 1)
            changed = (*moves[:where], more, *moves[where + 1 :])
            found[at] = event.model_copy(update={"transfers": changed})
            return found
    raise AssertionError(reason)


TWO = f"1 {PAIR}, 2 {NOTHING}"
ANSWERED = "1 call, 2 call, 1 call, 2 call, 1 all_in, 2 call, 3 fold"
HANDS: Mapping[str, list[Event]] = {
    "an answer": events_of(
        record(f"1 {PAIR} 4000, 2 {NOTHING}", ANSWERED[:-8], rulebook="tongcheng")
    ),
    "a push": events_of(
        WORKED[next(name for name in WORKED if "equal hands; of an" in name)].record
    ),
    "a duel": events_of(RICH["feifan2017"]),
    "an opening": events_of(WORKED[next(name for name in WORKED if "通杀 at an" in name)].record),
    "a bonus": events_of(RICH["yingsanzhang"]),
}

DIFFERS = EN["side_recorded"]

# fmt: off
TAMPERED: Mapping[str, tuple[str, type[Event], str, str]] = {
    # what              of            event         moved for        said
    "an answer":        ("an answer", BetCalled,     "call",          "recorded is"),
    "a push":           ("a push",    HandsCompared, "push",          "recorded is"),
    "a duel's payment": ("a duel",    HandsCompared, "blind_winner",  DIFFERS),
    "an opening's":     ("an opening", HandsOpened,  "ratio",         DIFFERS),
    "a sweep":          ("an opening", HandSettled,  "sweep",         DIFFERS),
    "a bonus":          ("a bonus",   BonusGranted,  "bonus",         "recorded is"),
}
# fmt: on


@pytest.mark.parametrize(("hand", "kind", "reason", "said"), TAMPERED.values(), ids=TAMPERED)
def test_a_payment_that_was_recorded_otherwise_does_not_pass(hand, kind, reason, said):
    """What the rules come to stands, and beside it what somebody wrote."""
    assert said not in printed(explain(HANDS[hand], "en"))

    assert said in printed(explain(tampered(HANDS[hand], kind, reason), "en"))


def test_a_share_that_was_recorded_otherwise_does_not_pass():
    """In a settlement too: one layer's winner with a unit less."""
    events = events_of(RICH["yingsanzhang"])
    last = events[-1]
    assert isinstance(last, HandSettled)
    settlement = json.loads(json.dumps(last.settlement))
    settlement["seats"]["4"]["won"] -= 1
    events[-1] = last.model_copy(update={"settlement": settlement})

    assert "won 2.50, recorded is 2.49" in printed(explain(events, "en"))


def test_a_settled_hand_may_be_told_without_its_bonus():
    """A history from which a bonus was taken is still told; what was due is no part of it."""
    events = [e for e in events_of(RICH["yingsanzhang"]) if not isinstance(e, BonusGranted)]

    assert "Seat 4 (p043) comes out at 2.73." in printed(explain(events, "en"))


# --- sentences, and what they rest on -------------------------------------------------------


def test_no_sentence_is_dead(monkeypatch):
    """Each is said of some hand: of a vector, of a worked example, of a tampered or running one."""
    used: set[str] = set()
    say = Phrases.__call__

    def listening(self, text, **fields):
        used.add(text)
        return say(self, text, **fields)

    monkeypatch.setattr(Phrases, "__call__", listening)
    for events in _all_kinds_of_hands():
        explain(events, "en")

    assert set() == set(EN) - used


def _all_kinds_of_hands() -> Iterator[list[Event]]:
    for stem in SETTLED:
        yield from vectors(stem)
    for case in WORKED.values():
        yield events_of(case.record)
    for name in RICH:
        yield from every_part(name)
    for hand, kind, reason, _ in TAMPERED.values():
        yield tampered(HANDS[hand], kind, reason)
    duel = HANDS["a duel"]
    at = next(n for n, event in enumerate(duel) if isinstance(event, HandsCompared))
    compared = duel[at]
    assert isinstance(compared, HandsCompared)
    wrong = {"winner": compared.challenger, "out": (compared.challenged,)}
    yield [*duel[:at], compared.model_copy(update=wrong), *duel[at + 1 :]]
    for claim in ({}, {"pot": 1}):
        yield [*duel, SettlementClaimed(claimant="site", settlement=dict(claim))]
    yield _voided(duel[:12])
    for deck in ("", "".join(DECK)):
        told = act(committed(TWO, (1, 2), deck=deck), "2 fold")
        told.disclose(SALT.hex(), deck or deck_for(TWO, (1, 2)), CAUSE)
        yield [entry.event for entry in told.collect_events()]


def _voided(events: list[Event]) -> list[Event]:
    """Return a running hand that was declared void."""
    state = opened(events[0])  # type: ignore[arg-type]
    for event in events[1:]:
        state = evolve(state, event)
    return [*events, void(state, "the table lost power")]


@pytest.mark.parametrize("rulebook", published(), ids=lambda rulebook: rulebook.id)
def test_what_a_step_quotes_is_in_the_document(rulebook):
    """Only sentences that were compared with the documents, letter by letter."""
    quoted = (HERE / "quoted" / f"{rulebook.document[:3]}.txt").read_text(encoding="utf-8")
    own = set(_JIUYOU.values()) if rulebook.id == "jiuyou" else set()

    for matter in MATTERS:
        sentence = source(matter, rulebook).quotation
        assert not sentence or sentence in own or sentence in quoted.splitlines(), matter


def test_a_rulebook_that_is_only_tried_quotes_nothing():
    """What nobody published has no document to quote."""
    tried = replace(find("tongcheng"), id="tried")

    assert ("§5.1", tried.document, "") == source("compare", tried)


def test_a_sentence_of_its_own_belongs_to_a_matter():
    """None is left behind when a matter is renamed."""
    for name, own in _QUOTATIONS.items():
        assert set(own) <= set(MATTERS), name
        assert find(name).id == name
