"""What makes a replay fast changes nothing: each short way is held against the long one."""

import dataclasses
from typing import Any, ClassVar

import pytest
from pydantic import Field

from adapters.simulation.hands import simulate_with_events
from adapters.store.codec import encode
from domain.errors import HandOverError
from domain.events import BetCalled, CardsDealt, Event
from domain.hand import Hand, hand_stream
from domain.making import decided
from domain.money import POT, Transfer, seat_account
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.game import decide
from domain.zhajinhua.play import Action, action_behind
from domain.zhajinhua.rulebooks import published
from domain.zhajinhua.state import HandState, opened
from tests.domain.hands import outcome
from tests.domain.vectors import asked, vectors

RULEBOOKS = sorted({rulebook.id for rulebook in published()})


def histories() -> list[list[Event]]:
    """Return the events of every vector that is played to its end, and of simulated hands."""
    played = [outcome(asked(vector)) for _, vector in vectors()]
    return [
        [entry.event for entry in hand.collect_events()]
        for hand in played
        if isinstance(hand, Hand)
    ] + [
        simulated.events
        for rulebook in RULEBOOKS
        for simulated in simulate_with_events(rulebook, hands=40, seed=5)
    ]


@pytest.fixture(scope="module")
def all_events() -> list[list[Event]]:
    """Every history once."""
    found = histories()
    assert len(found) > 40 * len(RULEBOOKS)
    return found


def test_decided_events_are_what_validation_would_make_of_them(all_events):
    """The same types, the same fields in the same order, the same bytes in the store."""
    for event in (event for events in all_events for event in events):
        body = encode(event)
        validated = type(event).model_validate_json(body)

        assert event == validated
        assert repr(event) == repr(validated)  # tells 1 from True, and a list from a tuple
        assert encode(validated) == body


def test_a_decided_event_is_frozen_and_copied_like_any_other():
    """Pydantic finds it whole."""
    paid = (Transfer(seat_account(1), POT, 5, "call"),)
    given: dict[str, Any] = {"seat": 1, "seen": False, "by": "choice", "transfers": paid}
    event = decided(BetCalled)(**given)

    assert event == BetCalled(**given)
    assert hash(event) == hash(BetCalled(**given))
    assert event.model_copy(update={"seat": 2}) == BetCalled(**{**given, "seat": 2})
    assert event != BetCalled(**{**given, "seat": 2})
    with pytest.raises(ValueError, match="frozen"):
        setattr(event, "seat", 3)  # noqa: B010 - said to a type checker it is no attribute to set


@pytest.mark.parametrize(
    "given",
    [
        {"seen": False, "by": "choice"},
        {"seat": 1, "seen": False, "by": "choice", "pirce": 5},
    ],
    ids=["a field is missing", "a field is of no such event"],
)
def test_a_decided_event_has_all_its_fields_and_no_others(given):
    """It is not validated, so a slip of the rules would be stored for ever."""
    with pytest.raises(AssertionError, match="BetCalled"):
        decided(BetCalled)(**given)


def test_no_decided_event_shares_what_a_default_makes():
    """Its defaults are made once: one that is made anew for each event has no place there."""

    class ListKept(Event):
        TOPIC: ClassVar[str] = "hand.list_kept.v1"

        seats: list[int] = Field(default_factory=list)

    with pytest.raises(AssertionError, match="seats"):
        decided(ListKept)


def test_several_events_at_once_make_the_hand_that_they_make_one_by_one(all_events):
    """However they are cut; and the aggregate replays to the same."""
    for events in all_events:
        first, *later = events
        begun = state = opened(first)
        for at, event in enumerate(later, start=1):
            state = evolve(state, event)
            assert state == evolve(evolve(begun, *later[: at // 2]), *later[at // 2 : at])

        hand = Hand.replay(hand_stream("h-1"), events)
        assert (hand.state, hand.version) == (state, len(events))


def test_a_hand_leaves_the_one_before_as_it_was(all_events):
    """Neither the state nor a seat of it changes once something came of it."""
    for events in all_events[::7]:
        state = opened(events[0])
        for event in events[1:]:
            before, told = state, repr(state)
            state = evolve(before, event)
            assert repr(before) == told


def test_a_draft_goes_on_in_its_place_as_states_follow_one_another(all_events):
    """The same events are decided, and the same hand comes of them; states stay as they were."""
    for events in all_events[::7]:
        at = next(n for n, event in enumerate(events) if isinstance(event, CardsDealt)) + 1
        state = evolve(opened(events[0]), *events[1:at])
        draft = state.draft()
        for action in filter(None, map(action_behind, events[at:])):
            before, told = state, repr(state)
            by_state, in_place = decide(before, action), decide(draft, action)
            state = by_state.state

            assert repr(before) == told
            assert in_place.state is draft
            assert in_place.events == by_state.events
            assert type(state) is HandState
            assert state == draft.draft().freeze()


def test_a_refused_action_leaves_a_draft_as_it_was(all_events):
    """What is refused is refused before anything is recorded."""
    draft = evolve(opened(all_events[0][0]), *all_events[0][1:]).draft()
    told = repr(draft)

    with pytest.raises(HandOverError):
        decide(draft, Action("fold", draft.dealer))
    assert repr(draft) == told


def test_a_hand_and_its_seats_are_frozen(all_events):
    """Whoever sets a field is stopped; what is to be changed is a copy."""
    events = all_events[0]
    state = evolve(opened(events[0]), *events[1:])
    seat = next(iter(state.seats.values()))

    for frozen in (state, seat):
        for field in dataclasses.fields(frozen):
            with pytest.raises(TypeError, match="frozen"):
                setattr(frozen, field.name, getattr(frozen, field.name))
            with pytest.raises(TypeError, match="frozen"):
                delattr(frozen, field.name)
    assert all(type(seat).__name__ == "Seat" for seat in state.seats.values())
    assert isinstance(state, HandState)
    assert state._replace(stake=state.stake + 1) != state
