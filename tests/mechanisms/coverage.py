"""What shows each mechanism, and each refusal, under each rulebook: vectors, worked examples."""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from domain.hand import Hand
from domain.playing import Reject
from tests.domain.hands import events_of, outcome
from tests.mechanisms.examination import Examined
from tests.mechanisms.mechanisms import LETTERS, POSSIBLE, occurring
from tests.mechanisms.refusals import NOWHERE, REFUSALS, refusal
from tests.mechanisms.worked_hands import WORKED
from tests.mechanisms.worked_refusals import REFUSED

VECTORS: Final = Path(__file__).parents[1] / "vectors"
LETTER_OF: Final = {rulebook: letter for letter, rulebook in LETTERS.items()}

Shown = Mapping[str, set[str]]
"""By mechanism or refusal: the letters of the rulebooks under which it was shown."""


def by_vectors() -> tuple[Shown, Shown]:
    """Return which mechanisms and which refusals the vectors show."""
    mechanisms: dict[str, set[str]] = {}
    refusals: dict[str, set[str]] = {}
    for path in sorted(VECTORS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            answers = {record.pop(name, None) and name for name in ("settlement", "reject")}
            letter = LETTER_OF.get(record["rulebook"], NOWHERE)
            got = outcome(record)
            if isinstance(got, Hand):
                assert "settlement" in answers, record
                for name in occurring([entry.event for entry in got.collect_events()]):
                    mechanisms.setdefault(name, set()).add(letter)
            else:
                _add(refusals, record, got, letter)
    return mechanisms, refusals


def by_worked_examples() -> tuple[Shown, Shown]:
    """Return which mechanisms and which refusals the worked examples show."""
    mechanisms: dict[str, set[str]] = {}
    refusals: dict[str, set[str]] = {}
    for case in WORKED.values():
        for name in occurring(events_of(case.record)):
            mechanisms.setdefault(name, set()).add(LETTER_OF[case.rulebook])
    for refused in REFUSED.values():
        letter = LETTER_OF.get(refused.rulebook, NOWHERE)
        name = refusal(refused.record, refused.at, refused.code)
        refusals.setdefault(name, set()).add(letter)
    return mechanisms, refusals


def _add(
    refusals: dict[str, set[str]], record: dict[str, object], got: Reject, letter: str
) -> None:
    refusals.setdefault(refusal(record, got.at, got.code), set()).add(letter)


def unshown(possible: Mapping[str, str], *shown: Shown) -> list[tuple[str, str]]:
    """Return every possible pair of name and rulebook's letter that nothing shows."""
    return [
        (name, letter)
        for name, letters in possible.items()
        for letter in letters
        if not any(letter in one.get(name, ()) for one in shown)
    ]


def impossible(possible: Mapping[str, str], shown: Shown) -> list[tuple[str, str]]:
    """Return every pair that was shown and is not on the list."""
    return [
        (name, letter)
        for name, letters in shown.items()
        for letter in sorted(letters)
        if letter not in possible.get(name, "")
    ]


def table(examined: Mapping[str, Examined]) -> list[str]:
    """Return the tables of mechanisms and of refusals, line by line.

    In a cell: ``v`` where a vector shows it, ``w`` where a worked example does, and in how many
    simulated hands it came up; a dash where the rulebook knows no such thing.
    """
    vectors, worked = by_vectors(), by_worked_examples()
    occurred = {LETTER_OF[name]: found.occurred for name, found in examined.items()}
    hands = max((found.hands for found in examined.values()), default=0)
    lines = [_heading(f"mechanism (v vector, w worked, of {hands} simulated hands)")]
    for name, letters in POSSIBLE.items():
        cells = (
            _cell(name, letter, letters, vectors[0], worked[0])
            + (f"{occurred[letter][name]:>6}" if letter in letters else "")
            for letter in LETTERS
        )
        lines.append(_row(name, cells))
    lines += ["", _heading("refusal (v vector, w worked)", "unpublished")]
    for name, letters in REFUSALS.items():
        cells = (
            _cell(name, letter, letters, vectors[1], worked[1]) for letter in (*LETTERS, NOWHERE)
        )
        lines.append(_row(name, cells))
    return lines


def _heading(title: str, *more: str) -> str:
    return _row(title, (*LETTERS.values(), *more))


def _row(name: str, cells: Iterable[str]) -> str:
    wide = sum(1 for character in name if ord(character) > 0x2E80)  # printed as wide as two
    return f"{name:<{66 - wide}}" + "".join(f"{cell:<13}" for cell in cells).rstrip()


def _cell(name: str, letter: str, letters: Collection[str], vectors: Shown, worked: Shown) -> str:
    if letter not in letters:
        return "-"
    mark = "v" if letter in vectors.get(name, ()) else "."
    return mark + ("w" if letter in worked.get(name, ()) else ".")
