"""How far a verification has come, in a file: one that was interrupted goes on from there.

Streams are verified in the order of their ids' bytes, so what is done is all streams before one, as
of one position of the history. With it stands what was found in them; and the link of the event at
that position, by which another history is told from this one. The file is written as portions are
done, each time whole or not at all, with a digest of what it says: what somebody has edited would
leave streams out. It is removed by whoever has told the result.
"""

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar, Final, NamedTuple, NoReturn

from adapters.errors import AdapterError
from adapters.plain_json import json_line, plain
from adapters.whole_files import replacing
from domain.discrepancies import Discrepancy

FORMAT: Final = "jinhua-bookmark/1"

_SHARE_OF_TIME: Final = 20
"""Writing takes a twentieth of the time at most, however much was found."""


class BookmarkUnusableError(AdapterError):
    """A file does not say how far this verification has come."""

    code: ClassVar[str] = "bookmark_unusable"

    def __init__(self, *, file: Path, reason: str) -> None:
        super().__init__(f"{file} is no bookmark of this verification: {reason}")
        self.file, self.reason = file, reason


class Found(NamedTuple):
    """A discrepancy, and the stream in which it was found."""

    stream: str
    discrepancy: Discrepancy


@dataclass
class Verified:
    """What is verified: every stream before one, in the order of bytes, as of a position."""

    of: str
    """What the history is read from: ``store`` or ``export``."""

    position: int
    link: str
    """Of the event at that position, hexadecimal."""

    upto: str = ""
    hands: int = 0
    events: int = 0
    found: list[Found] = field(default_factory=list)


class Bookmark:
    """The file, and what it says."""

    def __init__(self, file: Path) -> None:
        """Read it, if it is there.

        Raises:
            BookmarkUnusableError: It is there, and is no bookmark of this program.
            OSError: It cannot be read.
        """
        self.file = file
        self.taken = self._read()
        """What an earlier run had verified; None where there is no file."""

        self.again = 0
        """How many of the streams in that are verified again, as they have grown since."""

        self._now: Verified | None = None
        self._not_before = 0.0

    @property
    def told(self) -> dict[str, int] | None:
        """What was taken over, in numbers; None where nothing was."""
        taken = self.taken
        if taken is None:
            return None
        found = {"discrepancies": len(taken.found), "again": self.again}
        return {
            "position": taken.position,
            "hands": taken.hands,
            "events": taken.events,
            **found,
        }

    def begin(self, verified: Verified) -> None:
        """Go on from there; that much is verified now, and from here on the file says so."""
        self._now = verified
        self.write()

    def advance(self, upto: str, found: Iterable[Found], hands: int, events: int) -> None:
        """Remember that all streams before one are verified, and what was found in the last."""
        assert self._now is not None
        self._now.upto = upto
        self._now.found.extend(found)
        self._now.hands, self._now.events = hands, events
        started = time.monotonic()
        if started >= self._not_before:
            self.write()
            took = time.monotonic() - started
            self._not_before = started + _SHARE_OF_TIME * took

    def write(self) -> None:
        """Write the file anew, whole or not at all."""
        assert self._now is not None
        said = {
            "format": FORMAT,
            "program": version("jinhua"),
            **asdict(self._now),
            "found": plain(self._now.found),
        }
        said["digest"] = _digest(said)
        with replacing(self.file, private=True) as beside:
            beside.write_bytes(json_line(said))

    def remove(self) -> None:
        """Everything is verified, and was told: there is nothing to go on from."""
        self.file.unlink(missing_ok=True)

    def refuse_other(self, of: str, link: str | None) -> None:
        """Refuse to go on with what was taken over, if it was of another history.

        Args:
            of: What the history is read from now.
            link: Of the event at the position that was taken over, if there is one.

        Raises:
            BookmarkUnusableError: It was.
        """
        assert self.taken is not None
        if of != self.taken.of:
            self._refuse(f"it is of what was read from a {self.taken.of}, not from a {of}")
        if link != self.taken.link:
            self._refuse(f"at position {self.taken.position} its history has another event")

    def _read(self) -> Verified | None:
        try:
            said = json.loads(self.file.read_bytes())
            if said.pop("digest") != _digest(said):
                self._refuse("it is not as it was written")
            named, program = said.pop("format"), said.pop("program")
            rows = [(row["stream"], Discrepancy(**row["discrepancy"])) for row in said.pop("found")]
            taken = Verified(**said, found=[Found(*row) for row in rows])
        except FileNotFoundError:
            return None
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            self._refuse("it is not as it was written")
        if (named, program) != (FORMAT, version("jinhua")):
            self._refuse(f"{program} wrote it, and this is {version('jinhua')}")
        return taken

    def _refuse(self, reason: str) -> NoReturn:
        raise BookmarkUnusableError(file=self.file, reason=reason)


def _digest(said: dict[str, object]) -> str:
    """Return a digest of all that a file says beside it."""
    return sha256(json_line({name: said[name] for name in sorted(said)})).hexdigest()
