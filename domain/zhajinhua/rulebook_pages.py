"""A rulebook as a page: each field, its value in words, what it means, and what it rests on.

A rulebook that was declared without grounds has a page all the same.
"""

from dataclasses import fields
from typing import Final, NamedTuple

from domain.grounds import Ground, Words, reads
from domain.rulebook import Parameter, plain
from domain.zhajinhua.meanings import HEADINGS, MEANINGS
from domain.zhajinhua.rulebooks import edition
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.wording import VOCABULARIES, Language

IDENTITY: Final = ("id", "version", "game", "name", "document")
"""The fields that tell which rulebook it is, and move no chip."""

_OWN: Final = reads("named by this ledger, for hands to pin", "账本自定，供牌局引用")
_BY_THE_TABLE: Final = Words("set by the table", "由牌桌定")
_YES_NO: Final = {True: Words("yes", "是"), False: Words("no", "否")}
_NOT_GIVEN: Final = Ground()


class Line(NamedTuple):
    """One field of a page."""

    field: str
    value: object  # as JSON has it; None too for what each table sets
    said: str  # the value in words
    means: str
    section: str  # "§3.3" of RULES.md
    sentences: tuple[str, ...]  # of the rule document, to the letter
    interpretation: str  # why so, where the document does not say; neither: not given


class Contrast(NamedTuple):
    """One field that two rulebooks do not share."""

    field: str
    means: str
    section: str
    values: tuple[object, object]  # as JSON has them
    said: tuple[str, str]


def page(rulebook: ZhajinhuaRulebook, lang: Language) -> list[Line]:
    """Return every field of a published rulebook, and the parameters that each table sets.

    Args:
        rulebook: One that is published.
        lang: Of the words; sentences stay as their document has them.
    """
    grounds = edition(rulebook.id, rulebook.version).grounds
    lines = []
    for name in _names(rulebook):
        meaning = MEANINGS[name]
        ground = grounds.get(name, _OWN if name in IDENTITY else _NOT_GIVEN)
        lines.append(
            Line(
                field=name,
                value=plain(getattr(rulebook, name, None)),
                said=_said(rulebook, name, lang),
                means=meaning.means.of(lang),
                section=meaning.section,
                sentences=ground.sentences,
                interpretation=ground.reading.of(lang) if ground.reading else "",
            )
        )
    return lines


def contrasts(left: ZhajinhuaRulebook, right: ZhajinhuaRulebook, lang: Language) -> list[Contrast]:
    """Return the rules that differ; which rulebooks they are is no difference."""
    return [
        Contrast(
            field=field.name,
            means=MEANINGS[field.name].means.of(lang),
            section=MEANINGS[field.name].section,
            values=(plain(getattr(left, field.name)), plain(getattr(right, field.name))),
            said=(_said(left, field.name, lang), _said(right, field.name, lang)),
        )
        for field in fields(ZhajinhuaRulebook)
        if field.name not in IDENTITY and getattr(left, field.name) != getattr(right, field.name)
    ]


def heading(name: str, lang: Language) -> str:
    """Return the heading that a field begins, or nothing."""
    words = HEADINGS.get(name)
    return words.of(lang) if words else ""


def said(name: str, value: object, lang: Language) -> str:
    """Return a field's value in words."""
    if isinstance(value, bool):
        return _YES_NO[value].of(lang)
    if spelled := MEANINGS[name].values.get(value):
        return spelled.of(lang)
    if isinstance(value, tuple):
        return Words(", ", "、").of(lang).join(_listed(part, lang) for part in value)
    return str(value)


def _names(rulebook: ZhajinhuaRulebook) -> list[str]:
    """Return the fields, and after those that tell which rulebook it is, the table's own."""
    names = [field.name for field in fields(rulebook)]
    known = {parameter.name for parameter in rulebook.parameters}
    tables = [name for name in MEANINGS if name in known and name not in names]
    at = names.index("parameters") + 1
    return [*names[:at], *tables, *names[at:]]


def _said(rulebook: ZhajinhuaRulebook, name: str, lang: Language) -> str:
    if not hasattr(rulebook, name):
        return _BY_THE_TABLE.of(lang)
    return said(name, getattr(rulebook, name), lang)


def _listed(part: object, lang: Language) -> str:
    """Return one item of a list in words: a category and its number, a parameter and its range."""
    if isinstance(part, Parameter):
        if part.kind == "flag":
            return part.name
        if part.maximum is None:
            return f"{part.name} >= {part.minimum}"
        return f"{part.name} {part.minimum}-{part.maximum}"
    if isinstance(part, tuple):
        category, number = part
        return f"{VOCABULARIES[lang].categories[category]} {number}"
    return str(part)
