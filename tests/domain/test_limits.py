"""How much is taken at once: to the byte and to the action, and not one more."""

import pytest

from domain.errors import TooLargeError
from domain.limits import ACTIONS_MAX, RECORD_BYTES_MAX, check_count, check_size

MOST = {
    # of what                what is repeated      so often at most
    "bytes":                (b" ",                 RECORD_BYTES_MAX),
    "text, by its bytes":   ("张",                 RECORD_BYTES_MAX // 3),
    "what is no text":      ("\ud800",             RECORD_BYTES_MAX // 3),
}  # fmt: skip


@pytest.mark.parametrize(("part", "most"), MOST.values(), ids=MOST)
def test_a_record_has_a_size(part, most):
    """In bytes, as it would be sent; the refusal says how many there are."""
    check_size(part * most)

    with pytest.raises(TooLargeError, match=f"at most {RECORD_BYTES_MAX}"):
        check_size(part * (most + 1))


def test_a_command_has_so_many_actions():
    """The refusal names the field."""
    check_count(ACTIONS_MAX)

    with pytest.raises(TooLargeError, match=str(ACTIONS_MAX + 1)) as raised:
        check_count(ACTIONS_MAX + 1)
    assert raised.value.numbers["field"] == "actions"
