"""The refusals: a code, the rule, and the numbers that broke it."""

from domain.errors import BadRecordError, ConflictError, NotYourTurnError, RefusalError


def test_a_refusal_keeps_its_numbers():
    """For programs; the message is for people."""
    refusal = NotYourTurnError("seat 3 acts; it is the turn of seat 2", seat=3, turn=2)

    assert str(refusal) == refusal.message == "seat 3 acts; it is the turn of seat 2"
    assert refusal.numbers == {"seat": 3, "turn": 2}
    assert (refusal.code, refusal.rule) == ("not_your_turn", "§3.1")


def test_a_bad_record_names_field_and_hand_as_far_as_it_can():
    """Without a field, the reason stands alone."""
    assert str(BadRecordError("is null", field="dealer", hand="h-1")) == "dealer: is null"
    assert str(BadRecordError("no JSON")) == "no JSON"
    assert BadRecordError("is null", hand="h-1").hand == "h-1"


def test_a_conflict_says_where_the_stream_was_thought_to_be_and_is():
    """So that whoever lost the race knows from where to read on."""
    conflict = ConflictError("hand:h-1", expected=7, actual=9)

    assert isinstance(conflict, RefusalError)
    assert str(conflict) == "hand:h-1 is at version 9, not 7"
    assert (conflict.stream, conflict.expected, conflict.actual) == ("hand:h-1", 7, 9)
    assert conflict.numbers == {"stream": "hand:h-1", "expected": 7, "actual": 9}
