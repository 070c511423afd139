"""What a writer has asked for and what it was told, on disk: it outlives the writer's process."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """A command, and its answer where one came."""

    id: str
    do: str
    body: dict[str, Any]
    answer: dict[str, Any] | None  # status, first, last, text; or the code of its refusal


class Journal:
    """A line before each command is given, and another once it is answered."""

    def __init__(self, path: Path) -> None:
        """Go on with a journal, less what was being written as its writer was killed."""
        whole = path.read_bytes() if path.exists() else b""
        kept = whole[: whole.rfind(b"\n") + 1]
        path.write_bytes(kept)
        self._file = path.open("ab")

    def ask(self, command_id: str, do: str, body: dict[str, Any]) -> None:
        """Write down a command that is about to be given."""
        self._write({"id": command_id, "do": do, "body": body})

    def told(self, answer: dict[str, Any]) -> None:
        """Write down the answer to it."""
        self._write({"answer": answer})

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()


def read(path: Path) -> Iterator[Asked]:
    """Yield the commands of a journal; only the last may be without an answer."""
    open_: Asked | None = None
    whole = path.read_bytes() if path.exists() else b""
    for line in whole[: whole.rfind(b"\n") + 1].splitlines():
        entry = json.loads(line)
        if "answer" in entry:
            assert open_ is not None, line
            yield open_._replace(answer=entry["answer"])
            open_ = None
        else:
            assert open_ is None, line
            open_ = Asked(entry["id"], entry["do"], entry["body"], None)
    if open_ is not None:
        yield open_
