"""The published rulebooks: found by id and version, pinned by digest."""

from dataclasses import fields, replace
from typing import Any

import pytest

from domain.errors import UnknownRulebookError
from domain.zhajinhua.rulebooks import find, published
from domain.zhajinhua.rules import ZhajinhuaRulebook

JIUYOU = find("jiuyou", 1)

# What old hands pinned. A line is added for a new version; none is ever edited.
DIGESTS = {
    "jiuyou.v1": "c953fb2eeb4a9444cf91bc6c48f36e9abbed104422e87384cf1c285b687acbb8",
    "platform.v1": "38c1127211d2fd4c25ef73ffa9d07d104af3157ff0008a3b5f1233e15bfbb125",
    "yingsanzhang.v1": "c854b8ef3663cf7884e7ca4d564bc704671f78a3b8e67285162ad65e59a7b947",
    "tongcheng.v1": "e72c107b634d160c49b820b0a501b884e3742cf38be212983cb02469b0e23318",
    "feifan2017.v1": "9abcc8509a73d5185b921603960d8064cfdff887207073f95102df6d260d301f",
    "jisu.v1": "563cd09b54d8528d246798774d8cd47ded16652bcecd86b6b1aa208ba4c93b7f",
}


def _name(rulebook: ZhajinhuaRulebook) -> str:
    return f"{rulebook.id}.v{rulebook.version}"


def test_a_published_rulebook_never_changes():
    """Its digest is the one that hands have pinned."""
    digests = {_name(rulebook): rulebook.digest for rulebook in published()}

    assert digests | DIGESTS == digests


def _another(value: Any) -> Any:
    """Return a value of the same kind that is not this one."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}?"
        case tuple():
            return (*value, ("trips", 1))
    return 1


@pytest.mark.parametrize("name", [field.name for field in fields(ZhajinhuaRulebook)])
def test_every_field_is_in_the_digest(name):
    """A rule that could change without its digest would change old hands unseen."""
    changed = replace(JIUYOU, **{name: _another(getattr(JIUYOU, name))})

    assert changed.digest != JIUYOU.digest


@pytest.mark.parametrize("rulebook", published(), ids=_name)
def test_a_rulebook_is_found_by_id_and_version(rulebook):
    """With its version, and as the newest without."""
    assert find(rulebook.id, rulebook.version) is rulebook
    assert find(rulebook.id).version == max(r.version for r in published() if r.id == rulebook.id)


# fmt: off
UNKNOWN = {
    # why               id        version message
    "no such id":      ("nope",   None, "no rulebook 'nope'; known are "),
    "no such version": ("jiuyou", 99,   "no rulebook 'jiuyou.v99'; known are "),
    "version nothing": ("jiuyou", 0,    "no rulebook 'jiuyou.v0'; known are "),
    "neither":         ("nope",   1,    "no rulebook 'nope.v1'; known are "),
    "an empty id":     ("",       None, "no rulebook ''; known are "),
}
# fmt: on


@pytest.mark.parametrize(("rulebook_id", "version", "message"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_rulebook_is_refused_with_those_that_are_known(rulebook_id, version, message):
    """So that a slip of the pen is seen at once."""
    with pytest.raises(UnknownRulebookError, match="jiuyou") as refused:
        find(rulebook_id, version)

    assert str(refused.value).startswith(message)


@pytest.mark.parametrize("rulebook", published(), ids=_name)
def test_a_rulebook_is_sound_in_itself(rulebook):
    """Its numbers fit together, whatever a table sets within its bounds."""
    assert 2 <= rulebook.seats_min <= rulebook.seats_max
    assert rulebook.round_limit >= 1
    assert {rulebook.blind_factor, rulebook.seen_factor} <= {1, 2}
    assert 0 <= rulebook.rake_bp < 10_000
    assert {parameter.name for parameter in rulebook.parameters} >= {"ante"}
    for parameter in rulebook.parameters:
        own = getattr(rulebook, parameter.name, None)
        assert own is None or parameter.kind != "integer" or own >= parameter.minimum
