"""What is remembered of a command: that it is the same again, or the field that is not."""

import json
from typing import Any

import pytest

from adapters.appending.fingerprints import changed_field, fingerprint

BODY: dict[str, Any] = {
    "hand": "h-1",
    "table": {"ante": 500, "suits": True},
    "actions": [{"do": "call", "seat": 1}, {"do": "raise", "seat": 2, "stake": 5}],
}


def test_the_order_of_fields_does_not_matter():
    """Neither at the top nor further down; that of a list does."""
    turned = {
        "actions": [dict(reversed(action.items())) for action in BODY["actions"]],
        "table": {"suits": True, "ante": 500},
        "hand": "h-1",
    }

    assert fingerprint("x", BODY).digest == fingerprint("x", turned).digest
    swapped = BODY | {"actions": BODY["actions"][::-1]}
    assert fingerprint("x", BODY).digest != fingerprint("x", swapped).digest


# fmt: off
OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    # the field named  the other command
    "command":         ("y", BODY),
    "hand":            ("x", BODY | {"hand": "h-2"}),
    "table.ante":      ("x", BODY | {"table": {"ante": "500", "suits": True}}),
    "table.suits":     ("x", BODY | {"table": {"ante": 500, "suits": 1}}),
    "actions.1":       ("x", BODY | {"actions": [BODY["actions"][0], {"do": "fold"}]}),
    "actions.2":       ("x", BODY | {"actions": [*BODY["actions"], {}]}),
    "actions":         ("x", BODY | {"actions": []}),
    "draws.1":         ("x", BODY | {"draws": {"1": 5}}),
}
# fmt: on


@pytest.mark.parametrize("field", OTHERS)
def test_the_field_that_differs_is_named(field):
    """By its path, as far as fields are told apart."""
    kind, body = OTHERS[field]
    first, other = fingerprint("x", BODY), fingerprint(kind, body)

    assert first.digest != other.digest
    assert changed_field(first.fields, other.fields) == field


def test_a_field_that_is_gone_is_named_too():
    """By its name in the first command."""
    less = {name: value for name, value in BODY.items() if name != "hand"}

    assert changed_field(fingerprint("x", BODY).fields, fingerprint("x", less).fields) == "hand"
    assert changed_field("{}", "{}") == "body"


def test_nothing_of_a_body_is_kept():
    """The checksums tell names of fields, and no card or amount."""
    kept = fingerprint("x", {"deal": {"1": "AsAdAh"}, "amount": 123_456}).fields

    assert "As" not in kept
    assert "123456" not in kept


def test_what_was_stored_once_is_told_again():
    """The digest and the checksums of a body are the same in every release: receipts are kept."""
    found = fingerprint("x", BODY | {"none": None, "empty": [], "名": "张三", "price": 1_000})

    assert found.digest.hex() == "c74e01306cfa68a5ff5dacf3738d3945e0c7545360308e1c5599e87d35321209"
    assert json.loads(found.fields) == {
        "command": 2363233923,
        "hand": 2686044016,
        "table.ante": 612300854,
        "table.suits": 4261170317,
        "actions.0": 427955456,
        "actions.1": 3139840036,
        "none": 634125391,
        "empty": 223132457,
        "名": 3404380820,
        "price": 3022496535,
    }
