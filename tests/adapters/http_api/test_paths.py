"""However a path is written, it is matched as if it were written in the one way."""

from urllib.parse import quote, unquote_to_bytes

import pytest

from adapters.http_api.paths import canonical

AS_IT_IS = "-._~:@!$&'()*+,;="
"""What RFC 3986 lets a segment hold beside letters and digits."""


@pytest.mark.parametrize("byte", range(256))
def test_every_byte_of_an_id_has_one_way_to_be_written(byte):
    """After an escape that is in that way already, and before one."""
    ways = [f"%{byte:02X}".encode(), f"%{byte:02x}".encode()]
    if byte not in b"/%":  # they end the segment, or begin an escape
        ways.append(bytes([byte]))

    found = {canonical(b"/v1/hands/a%2F" + way + b"%00/events") for way in ways}

    assert found == {f"/v1/hands/a%2F{quote(bytes([byte]), safe=AS_IT_IS)}%00/events"}


@pytest.mark.parametrize(
    "raw", [b"", b"/", b"//", b"/a%2", b"/%", b"/%zz", b"/a%2f%25%2e%", b"/%c3%a9"]
)
def test_a_path_in_the_one_way_stays_as_it_is(raw):
    """Also one that came from what was no path at all."""
    once = canonical(raw)

    assert canonical(once.encode()) == once
    assert unquote_to_bytes(once) == unquote_to_bytes(raw)
