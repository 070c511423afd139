"""Rows and answers as JSON: objects by the names of their fields, every text readable as it is."""

import json
from datetime import datetime
from typing import Any, Final

# Legal in JSON as they are, but ends of lines to many readers of text.
_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def json_line(value: object) -> bytes:
    """Return a value as one line of UTF-8, every text readable as it is."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_text)
    try:
        return f"{text.translate(_LINE_ENDS)}\n".encode()
    except UnicodeEncodeError:  # a lone surrogate, quoted in a message
        return f"{json.dumps(value, separators=(',', ':'), default=_text)}\n".encode()


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a row holds
    """Return rows as JSON has them: those with names as objects, times as text."""
    if hasattr(value, "_asdict"):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return value


def _text(value: object) -> str:
    """Return what JSON has no form of: a time as RFC 3339 has it, anything else as it prints."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
