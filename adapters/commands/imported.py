"""What comes in by an import, hand by hand, and what became of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from adapters.appending.batches import Append, Conflict, Outcome, Replayed, Reused, Stored
from adapters.appending.fingerprints import Fingerprint
from adapters.commands.execution import reused
from domain.hand import hand_stream
from domain.playing import Reject
from domain.record import HandRecord


class Mismatch(NamedTuple):
    """A hand whose record claims other figures than the rules give."""

    hand: str
    differences: list[dict[str, Any]]  # path, claimed, derived


class Line(NamedTuple):
    """What became of one line of an import."""

    hand: str | None  # None where not even that could be read
    status: Literal["stored", "already", "refused"]
    events: int = 0  # stored now, those of wallets included
    differences: Sequence[dict[str, Any]] = ()  # path, claimed, derived: of a claim, if any
    reject: Reject | None = None  # why it is refused


@dataclass
class ImportReport:
    """What became of the lines of an import."""

    hands: int = 0  # stored now
    events: int = 0  # stored now, those of wallets included
    already: int = 0  # hands that were stored before, just so
    refused: list[Reject] = field(default_factory=list)
    mismatched: list[Mismatch] = field(default_factory=list)  # among those stored, now or before

    def take(self, line: Line) -> None:
        """Take in what became of a line."""
        if line.reject is not None:
            self.refused.append(line.reject)
            return
        assert line.hand is not None, line
        if line.status == "stored":
            self.hands += 1
            self.events += line.events
        else:
            self.already += 1
        if line.differences:
            self.mismatched.append(Mismatch(line.hand, list(line.differences)))


class Incoming(NamedTuple):
    """A record that was read."""

    hand: str
    record: HandRecord
    fingerprint: Fingerprint

    @property
    def stream(self) -> str:
        """The hand's."""
        return hand_stream(self.hand)

    @property
    def command_id(self) -> str:
        """The one that its import is carried out under."""
        return command_id_of(self.hand)


class Imported(NamedTuple):
    """A hand that is stored; ``events`` is 0 where it was before."""

    events: int
    answer: str


class Batch:
    """Lines that are stored together, and what became of those that are done with."""

    def __init__(self, lines: Sequence[Incoming | Reject]) -> None:
        """Take them in their order."""
        self._lines = lines
        self.start_over()

    def start_over(self) -> None:
        """Know of each line what was read, and nothing of what became of it."""
        self.waiting: dict[int, Incoming] = {}  # by place
        self._results: dict[int, Imported | Reject] = {}
        for place, line in enumerate(self._lines):
            if isinstance(line, Reject):
                self._results[place] = line
            else:
                self.waiting[place] = line

    def settle(self, place: int, result: Imported | Reject) -> None:
        """Be done with a line."""
        del self.waiting[place]
        self._results[place] = result

    def take(self, appends: Mapping[int, Append], outcomes: Sequence[Outcome]) -> None:
        """Take in what became of appends; what conflicts goes on waiting."""
        for place, outcome in zip(appends, outcomes, strict=True):
            match outcome:
                case Stored(first, last):
                    self.settle(place, Imported(last - first + 1, appends[place].answer))
                case Replayed() | Reused():
                    self.settle(place, answered(self.waiting[place], outcome))
                case Conflict():
                    pass

    def told(self) -> list[Line]:
        """Return what became of each line."""
        assert not self.waiting, self.waiting
        return [_told(line, self._results[place]) for place, line in enumerate(self._lines)]


def command_id_of(hand: str) -> str:
    """Return the id of the command that an import of a hand is."""
    return f"import:{hand}"


def answered(given: Incoming, outcome: Replayed | Reused) -> Imported | Reject:
    """Return what became of a hand whose import was carried out before."""
    if isinstance(outcome, Replayed):
        return Imported(0, outcome.answer)
    refusal = reused(given.command_id, outcome.field)
    return Reject.of(refusal, hand=given.hand, at=-1)


def _told(given: Incoming | Reject, result: Imported | Reject) -> Line:
    """Return what became of a line."""
    if isinstance(result, Reject):
        return Line(result.hand or given.hand, "refused", reject=result)
    answer = json.loads(result.answer)
    status: Literal["stored", "already"] = "stored" if result.events else "already"
    return Line(answer["hand"], status, result.events, answer["differences"])
