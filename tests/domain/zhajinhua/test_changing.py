"""Single rules changed, to try a hand under them: what is read, and what is refused."""

# ruff: noqa: E501 - a row stays on one line

from dataclasses import fields, replace

import pytest

from domain.errors import BadChangeError, BadRecordError
from domain.zhajinhua.changing import changed, read_changes
from domain.zhajinhua.rulebooks import find, published
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.soundness import contradictions

TABLE = {"ante": 500, "max_stake": 10_000}

# fmt: off
READ = {
    # why                         written                                  value
    "a number":                  ("rake_bp=300",                           300),
    "spaces around":             (" rake_bp = 300 ",                       300),
    "a table's own":             ("ante=1000",                             1000),
    "a truth":                   ("suits=true",                            True),
    "an untruth":                ("suits=false",                           False),
    "a choice":                  ("equal_duel=push",                       "push"),
    "the choice called none":    ("bonus=none",                            "none"),
    "no limit":                  ("blind_limit=none",                      None),
    "no bound":                  ("max_stake=none",                        None),
    "a list":                    ("multiples_pct=1600, 1000,500,400,100,30", (1600, 1000, 500, 400, 100, 30)),
    "an empty list":             ("multiples_pct=",                        ()),
    "by category":               ("bonus_antes=trips:5, straight_flush:2", (("trips", 5), ("straight_flush", 2))),
    "by no category":            ("bonus_antes=none",                      ()),
}
REFUSED = {
    # why                         written                                message
    "no value":                  (["rake_bp"],                           "'rake_bp' is no field=value"),
    "no field of that name":     (["colour=red"],                        "no field is called 'colour'"),
    "a slip of the pen":         (["rake=300"],                          "no field is called 'rake'; near it: rake_bp"),
    "another":                   (["round_limits=3"],                    "no field is called 'round_limits'; near it: round_limit"),
    "what names the rulebook":   (["id=mine"],                           "id tells which rulebook it is and cannot be set"),
    "what a table may set":      (["parameters=none"],                   "parameters tells which rulebook it is and cannot be set"),
    "twice":                     (["suits=true", "suits=true"],          "suits is given twice"),
    "a word for a number":       (["rake_bp=five"],                      "rake_bp takes an integer of 0 to 10000; 'five' is none"),
    "a fraction":                (["rake_bp=2.5"],                       "rake_bp takes an integer of 0 to 10000; '2.5' is none"),
    "other digits":              (["rake_bp=５"],                         "rake_bp takes an integer of 0 to 10000; '５' is none"),
    "below the range":           (["blind_factor=0"],                    "blind_factor takes an integer of 1 to 100; '0' is none"),
    "above the range":           (["rake_bp=10001"],                     "rake_bp takes an integer of 0 to 10000; '10001' is none"),
    "no number where one must":  (["rake_bp=none"],                      "rake_bp takes an integer of 0 to 10000; 'none' is none"),
    "no such choice":            (["equal_duel=draw"],                   "equal_duel is one of initiator_loses, impossible, push, never; 'draw' is none of them"),
    "a number for a truth":      (["suits=1"],                           "suits is one of true, false; '1' is none of them"),
    "a list with a word":        (["multiples_pct=1,two"],               "multiples_pct takes an integer of 0 to "),
    "no such category":          (["bonus_antes=quads:5"],               "bonus_antes takes numbers by category, like trips:5,flush:2; 'quads:5' is none"),
    "a category twice":          (["bonus_antes=trips:5,trips:6"],       "bonus_antes takes numbers by category"),
    "a category with no number": (["bonus_antes=trips"],                 "bonus_antes takes an integer of 0 to 1000; '' is none"),
}
# fmt: on


@pytest.mark.parametrize(("written", "value"), READ.values(), ids=READ)
def test_a_change_is_read_by_its_fields_type(written, value):
    """As a person writes it, and exactly."""
    ((name, got),) = read_changes([written]).items()

    assert written.split("=")[0].strip() == name
    assert (value, type(value)) == (got, type(got))


@pytest.mark.parametrize(("written", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_change_is_refused_and_why(written, message):
    """The field, what it takes, and what is near a name that nobody knows."""
    with pytest.raises(BadChangeError) as refused:
        read_changes(written)

    assert refused.value.message.startswith(message)
    assert "bad_change" == refused.value.code


def test_every_rule_can_be_changed():
    """All fields but those that tell which rulebook it is: each takes the value that it has."""
    own = find("feifan2017")
    for field in fields(ZhajinhuaRulebook)[6:]:
        value = getattr(own, field.name)
        if isinstance(value, tuple):
            parts = (f"{name}:{number}" for name, number in value)
            written = ",".join(parts)
        else:
            written = str(value).lower()

        assert {field.name: value} == read_changes([f"{field.name}={written}"])


def test_what_a_table_may_set_is_set_for_the_table():
    """… within the table's own range; the rest is changed in the rulebook."""
    changes = read_changes(["chain=1", "rake_bp=7", "ante=900", "max_stake=none"])

    rulebook, table = changed(find("feifan2017"), TABLE, changes)

    assert (7, 3) == (rulebook.rake_bp, rulebook.chain)
    assert (1, 900, None) == (table["chain"], table["ante"], table["max_stake"])
    with pytest.raises(BadRecordError, match=r"table\.chain"):
        changed(find("feifan2017"), TABLE, read_changes(["chain=6"]))


def test_a_table_has_no_chain_where_it_is_told_so():
    """None lifts a parameter's own number."""
    _, table = changed(find("feifan2017"), TABLE, {"chain": None})

    assert table["chain"] is None


def test_a_parameter_that_a_rulebook_does_not_know_is_refused():
    """A showdown bounds no stake."""
    with pytest.raises(BadChangeError, match="jisu knows no max_stake"):
        changed(find("jisu"), {"ante": 500}, {"max_stake": 900})


# fmt: off
CONTRADICTIONS = {
    # why                                       of            changed                                               names
    "more seats at least than at most":        ("jiuyou",     {"seats_min": 5, "seats_max": 4},                     "seats_min 5 is above seats_max 4"),
    "a showdown without a prize":              ("platform",   {"play": "showdown", "deuce_three_five": "off"},      "multiples_pct"),
    "a showdown with equal hands":             ("jisu",       {"suits": False},                                     "suits=true"),
    "a showdown with a category more":         ("jisu",       {"invalid_ace_king_deuce": True},                     "invalid_ace_king_deuce=false"),
    "a showdown without an order":             ("jisu",       {"deuce_three_five": "aces"},                         "makes no order"),
    "forced duels that nobody initiates":      ("jiuyou",     {"forced_duels_from": "never"},                       "forced_duels_from"),
    "all-ins that nothing ends":               ("jiuyou",     {"all_in": "any_turn"},                               "opens_early"),
    "emptied stacks that nothing ends":        ("jiuyou",     {"empty_is_all_in": True},                            "opens_early"),
    "a compare for nothing":                   ("jiuyou",     {"compare_calls": 0},                                 "compare_calls"),
    "equal hands with no answer":              ("jiuyou",     {"equal_duel": "never"},                              "equal_duel"),
    "… in a compare nobody could make":        ("yingsanzhang", {"compare_from_round": 2, "compare_calls": 1},      "equal_duel"),
    "… in answer to an all-in":                ("feifan2017", {"compare_from_round": None, "equal_duel": "never"},  "equal_duel"),
    "no equal hands, yet no suits":            ("platform",   {"suits": False},                                     "suits=true"),
    "a push out of layers":                    ("feifan2017", {"pots": "side_pots"},                                "equal_duel=push"),
    "a last stand that can be equal":          ("jiuyou",     {"equal_duel": "push"},                               "short_compare=last_stand"),
    "a last stand that refunds from layers":   ("jiuyou",     {"pots": "side_pots"},                                "pots=whole"),
    "a protected seat that cannot be short":   ("jiuyou",     {"short_compare": "refused"},                         "short_compare=last_stand"),
    "a protected seat that cannot compare":    ("jiuyou",     {"compare_from_round": None},                         "short_compare=last_stand"),
    "2-3-5 at an opening of the limit":        ("jiuyou",     {"at_limit": "open"},                                 "makes no order"),
    "2-3-5 at an opening of the short":        ("jiuyou",     {"opens_when_short": True},                           "makes no order"),
    "2-3-5 at an opening of all-ins":          ("jiuyou",     {"all_in": "shove"},                                  "makes no order"),
    "2-3-5 at an early opening":               ("jiuyou",     {"opens_early": "levels_matched"},                    "makes no order"),
}
# fmt: on


@pytest.mark.parametrize(("of", "differing", "names"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_rules_that_contradict_each_other_are_refused(of, differing, names):
    """What cannot be combined is said before a hand is tried under it."""
    found = list(contradictions(replace(find(of), **differing)))

    assert any(names in fault for fault in found), found
    with pytest.raises(BadChangeError):
        changed(find(of), {"ante": 500}, differing)


@pytest.mark.parametrize("rulebook", published(), ids=lambda rulebook: rulebook.id)
def test_no_published_rulebook_contradicts_itself(rulebook):
    """Not even where a table sets all that it may."""
    flags = [p.name for p in rulebook.parameters if p.kind == "flag"]

    assert [] == list(contradictions(rulebook))
    for flag in flags:
        for value in (True, False):
            assert [] == list(contradictions(replace(rulebook, **{flag: value})))
