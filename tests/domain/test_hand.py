"""The aggregate of one hand: opened once, acted on, claimed, voided, replayed."""

import pytest

from domain.errors import HandExistsError, HandNotOverError, HandOverError, NotYourTurnError
from domain.events import HandOpened, HandSettled, HandVoided, SeatTaken, SettlementClaimed
from domain.hand import Hand, hand_stream
from domain.rulebook import check_table
from domain.stream import Cause
from domain.zhajinhua import game
from domain.zhajinhua.play import Action
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.state import HandState
from tests.domain.hands import ACES, CAUSE, FLUSH, NOTHING, PAIR, act, opened

THREE = f"1 {NOTHING}, 2 {PAIR}, 3 {FLUSH}"


def test_a_hand_is_named_by_its_stream():
    """Whatever its name holds, a colon too."""
    assert hand_stream("h:1") == "hand:h:1"
    assert Hand("hand:h:1").hand == "h:1"
    assert Hand("hand:hand:1").hand == "hand:1"


def test_a_hand_is_opened_once():
    """The second opening is refused, and changes nothing."""
    hand = opened(THREE)
    version = hand.version

    with pytest.raises(HandExistsError):
        _open(hand)

    assert hand.version == version


def test_a_hand_not_yet_opened_knows_nothing():
    """It has no state to read, and says so."""
    hand = Hand("hand:h-1")

    assert not hand.is_open
    with pytest.raises(AssertionError):
        _ = hand.state


def test_what_opens_a_hand_may_be_in_any_order():
    """Seats, cards and draws are recorded by seat number."""
    first, second = Hand("hand:h-1"), Hand("hand:h-1")

    _open(first)
    _open(second, backwards=True)

    assert first.collect_events() == second.collect_events()


def _open(hand: Hand, *, backwards: bool = False) -> None:
    seats = [SeatTaken(seat=n, player=f"p{n}", carry=9_000) for n in (1, 2)]
    deal = {1: PAIR, 2: NOTHING}
    hand.open(
        find("jiuyou"),
        table=check_table(find("jiuyou"), {"ante": 500}),
        dealer=1,
        opener=None,
        seats=seats[::-1] if backwards else seats,
        deal=dict(reversed(deal.items())) if backwards else deal,
        draws={},
        cause=CAUSE,
    )


def test_actions_taken_together_are_those_taken_one_by_one():
    """Each with its own cause; up to the one that is refused, and no further."""
    later = Cause("command-2", "ann", CAUSE.at)
    steps = [
        (Action("look", 3), CAUSE),
        (Action("raise", 3, stake=900), later),
        (Action("call", 3), CAUSE),  # not on turn
        (Action("fold", 2), CAUSE),
    ]
    by_one, at_once, untouched = opened(THREE), opened(THREE), opened(THREE)
    for action, cause in steps[:2]:
        by_one.act(action, cause)

    with pytest.raises(NotYourTurnError):
        at_once.act_all(steps)
    untouched.act_all([])

    assert (at_once.state, at_once.version) == (by_one.state, by_one.version)
    assert type(at_once.state) is HandState
    assert at_once.collect_events() == by_one.collect_events()
    assert untouched.state == opened(THREE).state


def test_a_game_that_records_and_then_refuses_is_no_refusal(monkeypatch):
    """No game does it, so one is made to: the hand stands as its entries have it."""
    hand, before = opened(THREE), opened(THREE)
    rightly = game.take

    def take_too_early(play, action):
        rightly(play, action)
        if action.do == "fold":
            raise NotYourTurnError("seat 3 acted already", seat=3, turn=2)

    monkeypatch.setattr(game, "take", take_too_early)
    with pytest.raises(AssertionError, match="records nothing"):
        hand.act_all([(Action("fold", 3), CAUSE)])

    assert (hand.state, hand.version) == (before.state, before.version)
    assert hand.collect_events() == before.collect_events()


def test_each_entry_names_its_place_and_its_cause():
    """Versions count from 1 within the stream; the cause is that of the command."""
    hand = opened(THREE)
    again = Cause("command-2", "somebody", CAUSE.at)

    hand.act(Action("fold", 3), again)
    entries = hand.collect_events()

    assert [entry.originator_version for entry in entries] == [1, 2, 3, 4, 5, 6]
    assert {entry.originator_id for entry in entries} == {"hand:h-1"}
    assert [entry.cause for entry in entries] == [CAUSE] * 5 + [again]


def test_collected_events_are_collected_once():
    """What was handed over to be stored is forgotten; the version stays."""
    hand = opened(THREE)

    assert len(hand.collect_events()) == 5
    assert hand.collect_events() == []
    assert hand.version == 5


def test_the_action_that_ends_a_hand_settles_it_in_the_same_breath():
    """Its event, the bonuses and the settlement have one cause."""
    hand = act(opened(f"1 {ACES}, 2 {PAIR}"), "")
    hand.collect_events()

    act(hand, "2 fold")

    topics = [entry.event.TOPIC for entry in hand.collect_events()]
    assert topics == ["hand.folded.v1", "hand.bonus_granted.v1", "hand.settled.v1"]


def test_a_replayed_hand_is_the_hand_that_was_played():
    """The events hold all of it."""
    hand = act(opened(THREE), "3 look, 3 raise 900, 2 fold, 1 call, 3 compare 1")
    events = [entry.event for entry in hand.collect_events()]

    again = Hand.replay(hand.id, events)

    assert (again.state, again.version) == (hand.state, hand.version)
    assert again.collect_events() == []


def test_a_claim_is_kept_beside_the_hand_s_own_figures():
    """The state does not change by what somebody else says."""
    hand = act(opened(THREE), "3 fold, 2 fold")
    hand.collect_events()
    before = hand.state

    hand.claim("operator", {"pot": 7}, CAUSE)

    (claim,) = [entry.event for entry in hand.collect_events()]
    assert claim == SettlementClaimed(claimant="operator", settlement={"pot": 7})
    assert hand.state == before


def test_a_hand_still_running_takes_no_claim():
    """There is nothing yet to hold it against."""
    with pytest.raises(HandNotOverError):
        opened(THREE).claim("operator", {}, CAUSE)


def test_a_void_hand_takes_no_claim():
    """It came to nothing."""
    hand = opened(THREE)
    hand.void("the table lost power", CAUSE)

    with pytest.raises(HandNotOverError, match="is not settled"):
        hand.claim("operator", {}, CAUSE)


@pytest.mark.parametrize("end", ["settled", "void"])
def test_what_is_over_stays_over(end):
    """It takes no more actions, and is never void, or void again."""
    hand = opened(THREE)
    if end == "settled":
        act(hand, "3 fold, 2 fold")
    else:
        hand.void("the table lost power", CAUSE)

    with pytest.raises(HandOverError):
        hand.act(Action("look", 1), CAUSE)
    with pytest.raises(HandOverError):
        hand.void("again", CAUSE)


def test_a_void_hand_is_recorded_with_its_reason():
    """And with what it gave back."""
    hand = act(opened(THREE), "3 raise 900")
    hand.void("the table lost power", CAUSE)

    last = hand.collect_events()[-1].event

    assert isinstance(last, HandVoided)
    assert last.reason == "the table lost power"
    assert [tuple(move) for move in last.transfers] == [
        ("pot", "seat:1", 500, "void"),
        ("pot", "seat:2", 500, "void"),
        ("pot", "seat:3", 1_400, "void"),
    ]


def test_a_refused_action_records_nothing():
    """Not even the part of it that would have been legal."""
    hand = opened(THREE)
    hand.collect_events()

    with pytest.raises(NotYourTurnError):
        hand.act(Action("fold", 1), CAUSE)

    assert hand.collect_events() == []


def test_a_hand_opens_and_settles_exactly_once():
    """One opening first, one settlement last."""
    hand = act(opened(THREE), "3 fold, 2 fold")
    events = [entry.event for entry in hand.collect_events()]

    assert [isinstance(event, HandOpened) for event in events] == [True] + [False] * 7
    assert [isinstance(event, HandSettled) for event in events] == [False] * 7 + [True]
