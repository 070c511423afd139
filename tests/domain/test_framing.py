"""Fields are told apart by their lengths, whatever is in them."""

from hypothesis import given
from hypothesis import strategies as st

from domain.framing import length_prefixed

FIELDS = st.lists(st.binary(max_size=5), max_size=4)


@given(fields=FIELDS, others=FIELDS, width=st.sampled_from([4, 8]))
def test_fields_are_told_apart_by_their_lengths(fields, others, width):
    """No two lists of fields come to the same bytes."""
    framed, differently = (length_prefixed(*each, width=width) for each in (fields, others))

    assert (framed == differently) == (fields == others)


def test_a_byte_that_moves_to_the_next_field_is_seen():
    """Written out, with lengths of 8 bytes and of 4."""
    assert length_prefixed(b"ab", b"c") == b"\0\0\0\0\0\0\0\2ab" + b"\0\0\0\0\0\0\0\1c"
    assert length_prefixed(b"a", b"bc", width=4) == b"\0\0\0\1a" + b"\0\0\0\2bc"
