"""Who may see which cards, and what a verdict on a running hand withholds of them."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain import verification
from domain.cards import HIDDEN
from domain.discrepancies import Discrepancy, Recorded
from domain.events import CardsDealt, Event
from domain.hand import Hand
from domain.money import Transfer
from domain.sight import as_seen, is_over
from domain.verification import verify_hand
from domain.zhajinhua import game
from domain.zhajinhua.play import Play
from tests.domain.hands import CAUSE, NOTHING, PAIR, RUN, act, opened

THREE = f"1 {NOTHING}, 2 {PAIR}, 3 {RUN}"
DEALT = {1: NOTHING, 2: PAIR, 3: RUN}
LOOKED = "3 look, 3 call, 2 call"
FOLDED = f"{LOOKED}, 1 fold, 3 fold"


def _events(done: str, *, void: bool = False) -> list[Event]:
    hand = act(opened(THREE), done)
    if void:
        hand.void("misdeal", CAUSE)
    return [entry.event for entry in hand.collect_events()]


def _cards(events: Sequence[Event]) -> dict[int, str]:
    return next(event.cards for event in events if isinstance(event, CardsDealt))


ALL_HIDDEN = dict.fromkeys(DEALT, HIDDEN)
# fmt: off
VIEWS: dict[str, tuple[str, bool, int | None, dict[int, str]]] = {
    # why                               done    void   seat  sees
    "nobody's, while it runs":         (LOOKED, False, None, ALL_HIDDEN),
    "a seat that looked: its own":     (LOOKED, False, 3,    ALL_HIDDEN | {3: RUN}),
    "a blind seat: none":              (LOOKED, False, 2,    ALL_HIDDEN),
    "a seat that is nobody's: none":   (LOOKED, False, 9,    ALL_HIDDEN),
    "settled: all, to nobody's":       (FOLDED, False, None, DEALT),
    "settled: all, to a blind seat":   (FOLDED, False, 2,    DEALT),
    "void: all":                       (LOOKED, True,  None, DEALT),
}
# fmt: on


@pytest.mark.parametrize(("done", "void", "seat", "sees"), VIEWS.values(), ids=VIEWS)
def test_a_hand_is_seen_by_its_state_and_by_who_looks(done, void, seat, sees):
    """All but the cards is there for everybody, and the events themselves stay as they were."""
    events = _events(done, void=void)

    seen = as_seen(events, seat)

    assert sees == _cards(seen)
    assert _cards(events) == DEALT
    assert [e for e in seen if not e.SECRET] == [e for e in events if not e.SECRET]


def test_a_hand_is_over_once_it_is_settled_or_void():
    """An event that cannot be read ends nothing."""
    assert not is_over([None, *_events(LOOKED)])
    assert is_over(_events(FOLDED))
    assert is_over(_events(LOOKED, void=True))


def _rows(events: Sequence[Event]) -> list[Recorded]:
    return [Recorded(at, at, event) for at, event in enumerate(events, 1)]


def _other_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rules deal other cards than were recorded, as no rulebook does today."""
    real = game.open_hand

    def open_hand(*args: Any, **named: Any) -> Play:
        play = real(*args, **named)
        moved = (Transfer("pot", "seat:1", 5, "bonus"),)
        play.events[:] = [
            CardsDealt(cards={**e.cards, 2: "KcKdKs"}, transfers=moved)
            if isinstance(e, CardsDealt)
            else e
            for e in play.events
        ]
        return play

    monkeypatch.setattr(verification, "open_hand", open_hand)


def _dealt(found: Sequence[Discrepancy]) -> dict[str, tuple[object, object]]:
    return {d.what: (d.recorded, d.derived) for d in found if d.what.startswith("cards_dealt")}


def test_a_verdict_on_a_running_hand_shows_no_card(monkeypatch):
    """Where they part it says which seat's, and the chips; once it is over, which cards too."""
    _other_deal(monkeypatch)

    running = _dealt(verify_hand("h-1", _rows(_events(LOOKED))))
    over = _dealt(verify_hand("h-1", _rows(_events(FOLDED))))

    assert running["cards_dealt.cards.2"] == (HIDDEN, HIDDEN)
    assert over["cards_dealt.cards.2"] == (PAIR, "KcKdKs")
    moved = next(what for what in running if what.startswith("cards_dealt.transfers"))
    assert running[moved] == over[moved]


@pytest.mark.parametrize(("done", "told"), [(LOOKED, False), (FOLDED, True)])
def test_what_the_rules_stumble_over_is_told_once_the_hand_is_over(monkeypatch, done, told):
    """The words of an error may be cards."""

    def take(*_: object) -> Play:
        raise KeyError(PAIR)

    monkeypatch.setattr(verification, "take", take)

    found = verify_hand("h-1", _rows(_events(done)))

    undecidable = [str(d.derived) for d in found if "undecidable" in str(d.derived)]
    assert undecidable
    assert all("KeyError" in words for words in undecidable)
    assert {PAIR in words for words in undecidable} == {told}


def test_a_hand_replayed_from_a_view_stands_as_it_does():
    """Nothing but the cards depends on them before the end."""
    events = _events(LOOKED)
    real, seen = (Hand.replay("hand:h-1", told).state for told in (events, as_seen(events)))

    assert real.turn == seen.turn
    assert {n: s._replace(cards="") for n, s in real.seats.items()} == {
        n: s._replace(cards="") for n, s in seen.seats.items()
    }
