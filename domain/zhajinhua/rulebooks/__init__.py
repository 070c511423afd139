"""The published rulebooks of 炸金花: a file each, and whatever file is here is published.

Added to, never edited: a changed rule is a new version beside the old one. A file's ``EDITIONS``
are its rulebooks, each with what its fields rest on where somebody wrote that down.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Final

from domain.errors import UnknownRulebookError
from domain.grounds import Edition
from domain.zhajinhua.rules import ZhajinhuaRulebook


def _declared() -> Iterator[Edition[ZhajinhuaRulebook]]:
    """Yield what the files of this package publish."""
    for file in iter_modules(__path__):
        yield from import_module(f"{__name__}.{file.name}").EDITIONS


_EDITIONS: Final[Mapping[tuple[str, int], Edition[ZhajinhuaRulebook]]] = MappingProxyType(
    {
        (edition.rulebook.id, edition.rulebook.version): edition
        for edition in sorted(_declared(), key=lambda e: (e.rulebook.id, e.rulebook.version))
    }
)


_NEWEST: Final[Mapping[str, int]] = MappingProxyType(dict(_EDITIONS.keys()))  # the last one counts


def published() -> tuple[ZhajinhuaRulebook, ...]:
    """Return every rulebook in every version, by id."""
    return tuple(edition.rulebook for edition in _EDITIONS.values())


def find(rulebook_id: str, version: int | None = None) -> ZhajinhuaRulebook:
    """Return a rulebook, in its newest version unless one is asked for.

    Raises:
        UnknownRulebookError: There is none of that id or version.
    """
    return edition(rulebook_id, version).rulebook


def edition(rulebook_id: str, version: int | None = None) -> Edition[ZhajinhuaRulebook]:
    """Return a rulebook with what it rests on, in its newest version unless one is asked for.

    Raises:
        UnknownRulebookError: There is none of that id or version.
    """
    number = _NEWEST.get(rulebook_id, 0) if version is None else version
    found = _EDITIONS.get((rulebook_id, number))
    if found is None:
        known = ", ".join(sorted({name for name, _ in _EDITIONS}))
        wanted = rulebook_id if version is None else f"{rulebook_id}.v{version}"
        raise UnknownRulebookError(
            f"no rulebook {wanted!r}; known are {known}", rulebook=rulebook_id, version=version
        )
    return found
