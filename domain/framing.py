"""Bytes told apart before they are hashed or sealed: each field after its length."""


def length_prefixed(*fields: bytes, width: int = 8) -> bytes:
    """Return fields one after another, each after its length, most significant byte first.

    No other fields come to the same bytes, so a hash over them is one over the fields.

    Args:
        fields: Each shorter than so many bytes can say.
        width: Of a length, in bytes.
    """
    return b"".join(len(field).to_bytes(width, "big") + field for field in fields)
