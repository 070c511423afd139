"""The sections of RULES.md, by their numbers, as paragraphs of plain text."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import domain.zhajinhua

_HEADED: Final = re.compile(r"^\*\*(§\d+\.\d+) (.+?)\.\*\*\s*", re.MULTILINE)
_NEXT_CHAPTER: Final = re.compile(r"^## ", re.MULTILINE)
_ITEM: Final = re.compile(r"\n(?=- )")
_EMPHASIS: Final = re.compile(r"\*([^*\n]+)\*")


class Section(NamedTuple):
    """One section."""

    number: str  # "§3.3"
    title: str
    paragraphs: tuple[str, ...]


def cited(numbers: Iterable[str]) -> list[Section]:
    """Return sections in the order of the page, each once."""
    wanted = set(numbers)
    return [section for section in _sections() if section.number in wanted]


@cache
def _sections() -> tuple[Section, ...]:
    """Return every section of the page."""
    page = Path(domain.zhajinhua.__file__).with_name("RULES.md").read_text(encoding="utf-8")
    headed = list(_HEADED.finditer(page))
    found = []
    for at, head in enumerate(headed):
        end = headed[at + 1].start() if at + 1 < len(headed) else len(page)
        text = _NEXT_CHAPTER.split(page[head.end() : end])[0]
        found.append(Section(head[1], head[2], tuple(_paragraphs(text))))
    return tuple(found)


def _paragraphs(text: str) -> Iterable[str]:
    """Yield paragraphs, and items of lists, each on one line and without marks."""
    for block in text.strip().split("\n\n"):
        for item in _ITEM.split(block):
            line = " ".join(item.split())
            yield _EMPHASIS.sub(r"\1", line).replace("`", "").replace("- ", "• ", item[:2] == "- ")
