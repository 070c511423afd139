"""``hand-record/1``: what is read, what is refused as no record, and what a record may add."""

import json
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest

from domain import record as reading
from domain.errors import BadRecordError
from domain.hand import Hand
from domain.money import MAX_AMOUNT
from domain.playing import Reject, settlement_of
from domain.record import check_action, check_name, read
from domain.zhajinhua.play import Action
from tests.domain.hands import CAUSE, outcome, settled

GOOD = (
    '{"hand": "h-1", "rulebook": "jiuyou", "table": {"ante": 500, "max_stake": 10000},'
    ' "dealer": 2, "seats": [{"seat": 1, "player": "p1", "carry": 9000},'
    ' {"seat": 2, "player": "p2", "carry": 8000}], "deal": {"1": "2c4d7h", "2": "6c6d8s"},'
    ' "actions": [{"seat": 1, "do": "raise", "stake": 700}, {"seat": 2, "do": "look"},'
    ' {"seat": 2, "do": "call"}, {"seat": 1, "do": "compare", "with": 2}]}'
)
FIELD = '"dealer": 2'  # stands for: a field of the record
CARRY = '"carry": 9000'
CALL = '"do": "call"'

# fmt: off
NO_JSON = {
    # why                            the whole line
    "nothing at all":               "",
    "no JSON":                      "炸金花",
    "an array":                     "[]",
    "a number":                     "7",
    "a text":                       '"h-1"',
    "null":                         "null",
    "half a line":                  GOOD[:90],
    "two records":                  GOOD + GOOD,
    "a byte order mark":            "\ufeff" + GOOD,
    "a single quote":               GOOD.replace('"h-1"', "'h-1'"),
    "a comma too many":             GOOD.replace('"with": 2}]}', '"with": 2}],}'),
    "brackets without end":         "[" * 100_000,
    "brackets without end, inside": GOOD.replace(FIELD, '"dealer": ' + "[" * 100_000),
}

NO_RECORD = {
    # why                        in place of            stands
    "no hand":                  ('"hand": "h-1", ',     ""),
    "no rulebook":              ('"rulebook": "jiuyou", ', ""),
    "no dealer":                ('"dealer": 2, ',       ""),
    "no actions":               ('"actions"',           '"aktions"'),
    "no ante":                  ('"ante": 500, ',       ""),
    "no player":                ('"player": "p1", ',    ""),
    "no carry":                 (f", {CARRY}",          ""),
    "an action without a seat": (f'"seat": 2, {CALL}',  CALL),
    "an action without a verb": (f", {CALL}",           ""),
    "a raise without a stake":  (', "stake": 700',      ""),
    "a compare without whom":   (', "with": 2',         ""),
    "a top-up without an amount": (CALL,                '"do": "top_up"'),

    "an unknown field":         (FIELD,                 f'{FIELD}, "colour": 1'),
    "a refusal vector's answer": (FIELD,                f'{FIELD}, "reject": {{}}'),
    "an unknown field of a seat": (CARRY,               f'{CARRY}, "age": 7'),
    "an unknown field of an action": (CALL,             f'{CALL}, "age": 7'),
    "an unknown parameter":     ('"ante": 500',         '"ante": 500, "rake": 1'),
    "a parameter of another rulebook": ('"ante": 500',  '"ante": 500, "sweep": true'),
    "a field by its inner name": ('"with": 2',          '"target": 2'),
    "the stake of a call":      (CALL,                  f'{CALL}, "stake": 700'),
    "the target of a call":     (CALL,                  f'{CALL}, "with": 1'),
    "the amount of a call":     (CALL,                  f'{CALL}, "amount": 1'),
    "the stake of a verb nobody knows": (CALL,          '"do": "bet", "stake": 7'),
    "the seat of an action of the table": (CALL,        '"do": "fold_all"'),
    "an opener where none is recorded": (FIELD,         f'{FIELD}, "opener": 1'),
    "drawn bonuses where none is drawn": (FIELD,        f'{FIELD}, "bonus_draws": {{}}'),

    "a truth value as a dealer": (FIELD,                '"dealer": true'),
    "a truth value as an ante": ('"ante": 500',         '"ante": true'),
    "a truth value as a carry": (CARRY,                 '"carry": true'),
    "a truth value as a stake": ('"stake": 700',        '"stake": true'),
    "a number as a truth value": (CARRY,                f'{CARRY}, "protect": 1'),
    "a text as a truth value":  (CARRY,                 f'{CARRY}, "protect": "no"'),
    "a fraction as a carry":    (CARRY,                 '"carry": 9000.5'),
    "a whole number with a point": (CARRY,              '"carry": 9000.0'),
    "a power of ten":           (CARRY,                 '"carry": 9e3'),
    "NaN":                      (CARRY,                 '"carry": NaN'),
    "Infinity":                 (CARRY,                 '"carry": Infinity'),
    "-Infinity":                (CARRY,                 '"carry": -Infinity'),
    "2^63":                     (CARRY,                 f'"carry": {2**63}'),
    "-2^63":                    (FIELD,                 f'"dealer": {-2**63}'),
    "5,000 digits":             (CARRY,                 f'"carry": {"9" * 5_000}'),
    "a text as a carry":        (CARRY,                 '"carry": "9000"'),
    "a list as a carry":        (CARRY,                 '"carry": [9000]'),
    "null as a carry":          (CARRY,                 '"carry": null'),
    "a leading zero":           (CARRY,                 '"carry": 09000'),
    "a leading plus":           (CARRY,                 '"carry": +9000'),
    "a hexadecimal":            (CARRY,                 '"carry": 0x9000'),
    "null where nothing need stand": (CARRY,            f'{CARRY}, "protect": null'),
    "null as a settlement":     (FIELD,                 f'{FIELD}, "settlement": null'),
    "null as a parameter":      ('"max_stake": 10000',  '"max_stake": null'),
    "null as an action":        (f'{{"seat": 2, {CALL}}}', "null"),
    "a number as a hand":       ('"h-1"',               "1"),
    "a number as a player":     ('"p1"',                "1"),
    "a number as a verb":       ('"call"',              "1"),
    "a number as cards":        ('"2c4d7h"',            "247"),
    "a list as cards":          ('"2c4d7h"',            '["2c", "4d", "7h"]'),
    "a text as the actions":    ('"actions": [',        '"actions": "", "x": ['),
    "a list as the table":      ('{"ante": 500, "max_stake": 10000}', "[500, 10000]"),
    "a nameless hand":          ('"h-1"',               '""'),
    "a nameless player":        ('"p1"',                '""'),
    "a name of 201 characters": ('"p1"',                f'"{"x" * 201}"'),

    "a field twice":            (FIELD,                 f"{FIELD}, {FIELD}"),
    "a field of a seat twice":  (CARRY,                 f"{CARRY}, {CARRY}"),
    "a seat's cards twice":     ('"1": "2c4d7h"',       '"1": "2c4d7h", "1": "2c4d7h"'),
    "a lone high surrogate":    ('"p1"',                '"p\\ud800"'),
    "a lone low surrogate":     ('"p1"',                '"\\udc00"'),
    "surrogates the wrong way round": ('"p1"',          '"\\udc00\\ud800"'),
    "a lone surrogate in a field's name": (FIELD,       f'{FIELD}, "\\ud800": 1'),
    "U+0000":                   ('"p1"',                '"p\\u0000"'),
    "U+0000 in a field's name": (FIELD,                 f'{FIELD}, "\\u0000": 1'),
    "a bare control character": ('"p1"',                '"p\t1"'),

    "a seat number twice":      ('"seat": 2, "player"', '"seat": 1, "player"'),
    "cards for a seat too few": (', "2": "6c6d8s"',     ""),
    "cards for a seat too many": ('"2": "6c6d8s"',      '"2": "6c6d8s", "3": "9s9d9h"'),
    "cards for another seat":   ('"2": "6c6d8s"',       '"3": "6c6d8s"'),
    "a seat's key with a leading zero": ('"1": "2c4d7h"', '"01": "2c4d7h"'),
    "a seat's key with a plus": ('"1": "2c4d7h"',       '"+1": "2c4d7h"'),
    "a seat's key with a space": ('"1": "2c4d7h"',      '" 1": "2c4d7h"'),
    "a seat's key in other digits": ('"1": "2c4d7h"',   '"１": "2c4d7h"'),
    "a seat's key in words":    ('"1": "2c4d7h"',       '"one": "2c4d7h"'),

    "an ante of nothing":       ('"ante": 500',         '"ante": 0'),
    "an ante below nothing":    ('"ante": 500',         '"ante": -500'),
    "a bound of nothing":       ('"max_stake": 10000',  '"max_stake": 0'),
    "a bound below the ante":   ('"max_stake": 10000',  '"max_stake": 499'),
    "a limit of no rounds":     ('"max_stake": 10000',  '"round_limit": 0'),

    "a time without a zone":    (CALL,                  f'{CALL}, "at": "2026-01-02T03:04:05"'),
    "a time of another zone": (CALL, f'{CALL}, "at": "2026-01-02T03:04:05+08:00"'),
    "a time without seconds":   (CALL,                  f'{CALL}, "at": "2026-01-02T03:04Z"'),
    "a time without a T":       (CALL,                  f'{CALL}, "at": "2026-01-02 03:04:05Z"'),
    "a time without marks":     (CALL,                  f'{CALL}, "at": "20260102T030405Z"'),
    "a day of a week":          (CALL,                  f'{CALL}, "at": "2026-W01-5T03:04:05Z"'),
    "a day that no month has":  (CALL,                  f'{CALL}, "at": "2026-02-30T03:04:05Z"'),
    "a second that no minute has": (CALL,               f'{CALL}, "at": "2026-01-02T03:04:60Z"'),
    "a time in other digits":  (CALL,  f'{CALL}, "at": "２０２６-01-02T03:04:05Z"'),
    "an empty time":            (CALL,                  f'{CALL}, "at": ""'),
    "a number as a time":       (CALL,                  f'{CALL}, "at": 1767323045'),
    "an empty key":             (CALL,                  f'{CALL}, "id": ""'),
    "a number as a key":        (CALL,                  f'{CALL}, "id": 7'),

    "an unknown figure":        (FIELD,                 f'{FIELD}, "settlement": {{"pots": 1}}'),
    "an unknown figure of a seat": (
        FIELD,
        f'{FIELD}, "settlement": {{"seats": {{"1": {{"x": 1}}}}}}',
    ),
    "a fraction as a figure":   (FIELD,                 f'{FIELD}, "settlement": {{"pot": 1.5}}'),
    "a truth value as a figure": (FIELD,                f'{FIELD}, "settlement": {{"rake": true}}'),
    "a text as the winners": (FIELD, f'{FIELD}, "settlement": {{"winners": "1"}}'),
}
# fmt: on


def test_the_good_record_settles():
    """What the tables below change is sound before they do."""
    assert settled(GOOD)["winners"] == [2]


def _assert_bad(line: str) -> None:
    got = outcome(line)
    assert isinstance(got, Reject), got
    assert (got.at, got.code, got.rule) == (-1, "bad_record", "hand-record/1")
    got.message.encode()  # the reason can be printed and stored


@pytest.mark.parametrize("line", NO_JSON.values(), ids=NO_JSON)
def test_a_line_that_is_no_json_object_is_refused(line):
    """Whatever a line holds, it is a refusal and never a crash."""
    _assert_bad(line)


@pytest.mark.parametrize(("old", "new"), NO_RECORD.values(), ids=NO_RECORD)
def test_a_record_with_one_fault_is_refused_before_anything_is_played(old, new):
    """One change to a good record, and its code is bad_record, before the first action."""
    assert GOOD.count(old) == 1

    _assert_bad(GOOD.replace(old, new))


@pytest.mark.parametrize(
    "line",
    [b"\xff" + GOOD.encode(), GOOD.encode("utf-16"), GOOD.replace("p1", "p\xff").encode("latin1")],
    ids=["a byte that begins nothing", "UTF-16", "Latin-1"],
)
def test_bytes_that_are_no_utf_8_are_refused(line):
    """A record is UTF-8 and nothing else."""
    with pytest.raises(BadRecordError):
        read(line)


def test_however_a_text_is_written_it_is_read_alike():
    """An escape makes no other record, and lets nothing in that is kept out without it."""
    escaped = GOOD.replace('"p1"', '"p\\u0031"')

    assert escaped != GOOD
    assert read(escaped) == read(GOOD)
    _assert_bad(escaped.replace(CARRY, '"carry": null'))


def test_bytes_are_read_like_text():
    """A file may be read either way."""
    assert read(GOOD.encode()) == read(GOOD)


# fmt: off
HANDS = {
    # why                      the line                                  hand
    "a fault elsewhere":      (GOOD.replace(FIELD, '"dealer": true'),    "h-1"),
    "a fault of its table":   (GOOD.replace("500", "0"),                 "h-1"),
    "a field twice":          (GOOD.replace(FIELD, f"{FIELD}, {FIELD}"), "h-1"),
    "NaN elsewhere":          (GOOD.replace("9000", "NaN"),              "h-1"),
    "no JSON":                (GOOD[:-1],                                None),
    "no object":              ('["h-1"]',                                None),
    "no hand":                (GOOD.replace('"hand": "h-1", ', ""),      None),
    "a hand that is no text": (GOOD.replace('"h-1"', "7"),               None),
    "an empty hand":          (GOOD.replace('"h-1"', '""'),              None),
    "a hand with a lone surrogate": (GOOD.replace("h-1", "\\ud800"),     None),
    "a hand with U+0000":     (GOOD.replace("h-1", "\\u0000"),           None),
    "brackets without end":   ("[" * 100_000,                            None),
}
# fmt: on


@pytest.mark.parametrize(("line", "hand"), HANDS.values(), ids=HANDS)
def test_a_refused_line_names_its_hand_as_far_as_it_can_be_read(line, hand):
    """Its hand if it has one that can be stored, else nobody's."""
    got = outcome(line)

    assert isinstance(got, Reject)
    assert got.hand == hand


def test_the_message_names_the_field_to_blame():
    """Where a field is to blame, the refusal says which."""
    with pytest.raises(BadRecordError) as refused:
        read(GOOD.replace(CARRY, '"carry": true'))

    assert str(refused.value) == "seats.0.carry: Input should be a valid integer"
    assert refused.value.numbers == {"field": "seats.0.carry"}


BACKWARDS = json.dumps(dict(reversed(json.loads(GOOD).items())))

# fmt: off
ACCEPTED = {
    # why                        in place of    stands
    "a protection lifted":      (CARRY,         f'{CARRY}, "protect": false'),
    "a protection set":         (CARRY,         f'{CARRY}, "protect": true'),
    "another limit":            ('"ante": 500', '"ante": 500, "round_limit": 2'),
    "no bound":                 (', "max_stake": 10000', ""),
    "the lowest bound that lets it be": ('"max_stake": 10000', '"max_stake": 700'),
    "a time":                   (CALL,          f'{CALL}, "at": "2026-01-02T03:04:05Z"'),
    "a time in parts of a second": (CALL,       f'{CALL}, "at": "2026-01-02T03:04:05.678Z"'),
    "a time with an offset of nothing": (CALL,  f'{CALL}, "at": "2026-01-02T03:04:05+00:00"'),
    "a key":                    (CALL,          f'{CALL}, "id": "key-7"'),
    "an escaped pair of surrogates": ('"p1"',   '"\\ud83c\\udc04"'),
    "a Chinese name with a tile": ('"p1"',      '"张三🀄"'),
    "a name of 200 characters": ('"p1"',        f'"{"张" * 200}"'),
    "a name with a line separator": ('"p1"',    '"p\u2028"'),
    "fields in any order":      (GOOD,          BACKWARDS),
    "spaces anywhere":          (GOOD,          json.dumps(json.loads(GOOD), indent=4)),
    "no settlement to speak of": (FIELD,        f'{FIELD}, "settlement": {{}}'),
    "part of a settlement":     (FIELD,         f'{FIELD}, "settlement": {{"pot": 5}}'),
}
# fmt: on


@pytest.mark.parametrize(("old", "new"), ACCEPTED.values(), ids=ACCEPTED)
def test_what_a_record_may_say_is_taken(old, new):
    """None of this changes what the hand comes to."""
    assert GOOD.count(old) == 1

    assert settled(GOOD.replace(old, new)) == settled(GOOD)


def test_text_is_kept_exactly_as_it_came():
    """Combining marks and both normal forms stay what they are."""
    for name in ("é", "e\u0301", "张三🀄", "p\u2028x"):
        line = GOOD.replace('"p1"', json.dumps(name))

        assert read(line).seats[0].player == name


def test_an_action_keeps_its_own_time_and_key():
    """What an action dates and keys itself is the cause of its events; the rest is the reader's."""
    dated = ', "at": "2025-12-31t23:59:59.5z", "id": "key-7"'
    got = outcome(
        GOOD.replace('"stake": 700', f'"stake": 700{dated}').replace(CALL, f'{CALL}, "id": "key-8"')
    )
    assert isinstance(got, Hand)

    causes = {entry.event.TOPIC: entry.cause for entry in got.collect_events()}

    raised, called = causes["hand.bet_raised.v1"], causes["hand.bet_called.v1"]
    assert raised.at == datetime(2025, 12, 31, 23, 59, 59, 500_000, tzinfo=UTC)
    assert (raised.command_id, raised.actor) == ("key-7", CAUSE.actor)
    assert (called.command_id, called.at) == ("key-8", CAUSE.at)
    assert causes["hand.opened.v1"] == CAUSE


def test_a_claim_is_kept_as_the_record_gave_it():
    """Only the figures that it gives, and exactly those."""
    claim: dict[str, Any] = {
        "pot": 2_400,
        "winners": [1],
        "seats": {"1": {"net": 7}, "2": {"rake": -1}},
    }
    record = read(GOOD.replace(FIELD, f'{FIELD}, "settlement": {json.dumps(claim)}'))

    assert record.claim == claim
    assert read(GOOD).claim is None


def test_the_settlement_of_a_played_record_is_its_last_word():
    """What a hand just played came to, without a store."""
    hand = outcome(GOOD)

    assert isinstance(hand, Hand)
    assert settlement_of(hand) == settled(GOOD)


@pytest.mark.parametrize(
    "name", ["", "x" * 201, "\0", "\ud800", 7, None, True], ids=lambda name: repr(name)[:12]
)
def test_a_name_is_text_of_1_to_200_characters_that_can_be_stored(name):
    """So for hands, players, commands and actors alike."""
    with pytest.raises(BadRecordError, match="command_id"):
        check_name(name, "command_id")


def test_a_name_may_be_in_any_script():
    """Every character but U+0000 and lone surrogates."""
    check_name("张三🀄" * 50, "player")


# fmt: off
BAD_ACTIONS = {
    # why                                action
    "a call with a stake":              Action("call", 1, stake=700),
    "a raise without one":              Action("raise", 1),
    "a compare without whom":           Action("compare", 1),
    "a look without a seat":            Action("look"),
    "a fold of everyone with a seat":   Action("fold_all", 1),
    "a truth value as a seat":          Action("call", True),  # noqa: FBT003
    "a list as a verb":                 Action(["call"], 1),  # type: ignore[arg-type]
    "a list as a seat":                 Action("call", [1]),  # type: ignore[arg-type]
    "a number with a point as a seat":  Action("call", 1.0),  # type: ignore[arg-type]
    "a stake beyond every amount":      Action("raise", 1, stake=MAX_AMOUNT + 1),
    "a verb that cannot be stored":     Action("\0", 1),
}
# fmt: on


@pytest.mark.parametrize("action", BAD_ACTIONS.values(), ids=BAD_ACTIONS)
def test_an_action_that_no_record_could_hold_is_refused(action):
    """An action that comes alone is checked as if it stood in a record, whatever came before."""
    check_action(Action("call", 1))
    with pytest.raises(BadRecordError):
        check_action(action)


@pytest.mark.parametrize(
    "action",
    [
        Action("raise", 1, stake=700),
        Action("compare", 1, target=2),
        Action("fold_all"),
        Action("dance", 1),
    ],
    ids=lambda action: action.do,
)
def test_an_action_that_a_record_could_hold_is_left_to_the_rules(action):
    """Verbs that nobody knows too: to refuse those is the game's."""
    check_action(action)


@pytest.mark.parametrize("verb", [*reading._NUMBERS_OF_VERB, "dance", ""])
def test_an_action_is_judged_at_a_glance_as_it_is_by_the_model(verb, monkeypatch):
    """Over every choice of fields, inside and outside their range."""

    def is_refused(action: Action) -> bool:
        try:
            check_action(action)
        except BadRecordError:
            return True
        return False

    values = (None, 1, -MAX_AMOUNT, MAX_AMOUNT + 1, False)
    actions = [Action(verb, *numbers) for numbers in product(values, repeat=4)]
    at_a_glance = list(map(is_refused, actions))
    monkeypatch.setattr(reading, "_is_plain", lambda _: False)

    assert at_a_glance == list(map(is_refused, actions))
    assert True in at_a_glance
