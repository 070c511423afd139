"""What every rulebook has: a digest over all its fields, and parameters that a table may set."""

import hashlib
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from domain.errors import BadRecordError
from domain.money import MAX_AMOUNT
from domain.rulebook import Parameter, Rulebook, check_table

ANTE = Parameter(name="ante", kind="integer", minimum=1)


@dataclass(frozen=True, kw_only=True)
class Sample(Rulebook):
    """A rulebook of a game that does not exist."""

    rounds: int


BOOK = Sample(
    id="sample",
    version=1,
    game="none",
    name="样本",
    document="none",
    parameters=(
        ANTE,
        Parameter(name="max_stake", kind="integer", minimum=1),
        Parameter(name="rounds", kind="integer", minimum=2, maximum=5),
        Parameter(name="open", kind="flag"),
        Parameter(name="pays", kind="list", length=2),
    ),
    rounds=4,
)


def test_the_digest_is_that_of_the_canonical_text():
    """Fields by name in order, ASCII, no spaces: whoever has the values can compute it."""
    short = replace(BOOK, parameters=(ANTE,))
    ante = '{"kind":"integer","length":0,"maximum":null,"minimum":1,"name":"ante"}'
    text = (
        f'{{"document":"none","game":"none","id":"sample","name":"\\u6837\\u672c",'
        f'"parameters":[{ante}],"rounds":4,"version":1}}'
    )

    assert short.digest == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", [field.name for field in fields(Sample)])
def test_every_field_is_in_the_digest(name):
    """Whatever changes is another rulebook."""
    value = getattr(BOOK, name)
    other: Any = value[1:] if isinstance(value, tuple) else value * 2

    assert replace(BOOK, **{name: other}).digest != BOOK.digest


@pytest.mark.parametrize(
    "change",
    [{"name": "x"}, {"kind": "flag"}, {"minimum": 2}, {"maximum": 9}, {"length": 1}],
    ids=str,
)
def test_every_field_of_a_parameter_is_in_the_digest(change):
    """What a table may set belongs to the rules."""
    changed = replace(BOOK, parameters=(replace(ANTE, **change), *BOOK.parameters[1:]))

    assert changed.digest != BOOK.digest


def test_what_a_table_does_not_set_the_rulebook_says():
    """Its own field of that name, else no bound."""
    assert check_table(BOOK, {"ante": 5}) == {
        "ante": 5,
        "max_stake": None,
        "rounds": 4,
        "open": None,
        "pays": None,
    }


def test_what_a_table_sets_is_in_force():
    """Bounds are taken inclusively; lists become tuples."""
    given = {"ante": 1, "max_stake": MAX_AMOUNT, "rounds": 5, "open": False, "pays": [0, 7]}

    assert check_table(BOOK, given) == {**given, "pays": (0, 7)}


# fmt: off
REFUSED = {
    # why                           what the table sets             the field to blame
    "no ante":                     ({},                             "table.ante"),
    "a parameter nobody knows":    ({"ante": 5, "x": 1},            "table.x"),
    "below the least":             ({"ante": 0},                    "table.ante"),
    "above the most":              ({"ante": 5, "rounds": 6},       "table.rounds"),
    "above every amount":          ({"ante": MAX_AMOUNT + 1},       "table.ante"),
    "a truth value as an integer": ({"ante": True},                 "table.ante"),
    "a text as an integer":        ({"ante": "5"},                  "table.ante"),
    "a list as an integer":        ({"ante": [5]},                  "table.ante"),
    "an empty list as an integer": ({"ante": []},                   "table.ante"),
    "a fraction as an integer":    ({"ante": 5.0},                  "table.ante"),
    "an integer as a flag":        ({"ante": 5, "open": 1},         "table.open"),
    "an integer as a list":        ({"ante": 5, "pays": 1},         "table.pays"),
    "a list too short":            ({"ante": 5, "pays": [1]},       "table.pays"),
    "a list too long":             ({"ante": 5, "pays": [1, 2, 3]}, "table.pays"),
    "a list below the least":      ({"ante": 5, "pays": [1, -1]},   "table.pays"),
    "a list with a truth value":   ({"ante": 5, "pays": [1, True]}, "table.pays"),
    "a bound below the ante":      ({"ante": 5, "max_stake": 4},    "table.max_stake"),
}
# fmt: on


@pytest.mark.parametrize(("given", "field"), REFUSED.values(), ids=REFUSED)
def test_what_a_table_may_not_set_is_refused(given, field):
    """Unknown, of the wrong type, or out of range."""
    with pytest.raises(BadRecordError) as refused:
        check_table(BOOK, given)

    assert refused.value.numbers == {"field": field}
