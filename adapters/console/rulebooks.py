"""``jinhua rulebooks``: which there are, what each field of one means, in what two differ."""

import re
from typing import Any, Final

from cyclopts import App

from adapters.console.output import AsJson, print_json, say, table
from adapters.plain_json import plain
from domain.grounds import Words
from domain.zhajinhua.rulebook_pages import Line, contrasts, heading, page
from domain.zhajinhua.rulebooks import find, published
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.wording import Language

_VERSIONED: Final = re.compile(r"(.+)\.v([0-9]{1,9})")
_INTERPRETATION: Final = Words("interpretation: {}", "解释：{}")
_NOT_GIVEN: Final = Words("no document sentence given", "未给出文档原句")
_ALIKE: Final = Words("no rule differs", "规则没有不同")

rulebooks = App(
    name="rulebooks",
    help="List the rulebooks, show one field by field, or set two side by side.",
    help_format="markdown",
    result_action="return_value",
)


@rulebooks.default
def listed(*, json: AsJson = False) -> int:
    """List every published rulebook: its version, its digest, its document.

    For example:

        jinhua rulebooks
        jinhua rulebooks show jiuyou --lang zh
        jinhua rulebooks diff jiuyou platform
    """
    names = ("id", "version", "digest", "name", "document")
    rows = [{name: getattr(rulebook, name) for name in names} for rulebook in published()]
    if json:
        print_json({"rulebooks": rows})
    else:
        columns = ("id", "version#", "digest", "name", "document")
        table(columns, (list(row.values()) for row in rows))
    return 0


@rulebooks.command
def show(rulebook: str, /, *, lang: Language = "en", json: AsJson = False) -> int:
    """Show every field of a rulebook: its value, what it means, and what that rests on.

    That is the sentence of the rule document, to the letter, or an interpretation with its reason
    where the document is silent or contradicts itself, or both.

    For example:

        jinhua rulebooks show feifan2017 --lang zh

    Parameters:
        rulebook: Its id, in its newest version; or id.v1 for that one.
        lang: Of the words; sentences of the documents are Chinese in any case.
    """
    chosen = named(rulebook)
    lines = page(chosen, lang)
    if json:
        print_json(identity(chosen) | {"lang": lang, "fields": [plain(line) for line in lines]})
        return 0
    say(f"{pinned(chosen)}  {chosen.digest}")
    for line in lines:
        if title := heading(line.field, lang):
            say("", title)
        _print_line(chosen, line, lang)
    return 0


@rulebooks.command
def diff(left: str, right: str, /, *, lang: Language = "en", json: AsJson = False) -> int:
    """Show the fields in which two rulebooks differ, and no others.

    For example:

        jinhua rulebooks diff jiuyou platform

    Parameters:
        left: A rulebook's id, or id.v1.
        right: Another's.
        lang: Of the words.
    """
    one, other = named(left), named(right)
    found = contrasts(one, other, lang)
    if json:
        fields = [plain(contrast) for contrast in found]
        print_json({"rulebooks": [identity(one), identity(other)], "fields": fields})
    elif not found:
        say(_ALIKE.of(lang))
    else:
        columns = ("", pinned(one), pinned(other), "", "")
        table(columns, ((c.field, *c.said, c.means, c.section) for c in found))
    return 0


def named(text: str) -> ZhajinhuaRulebook:
    """Return the rulebook that a person names: ``jiuyou``, or ``jiuyou.v1``.

    Raises:
        UnknownRulebookError: There is none.
    """
    versioned = _VERSIONED.fullmatch(text)
    return find(versioned[1], int(versioned[2])) if versioned else find(text)


def pinned(rulebook: ZhajinhuaRulebook) -> str:
    """Return the id and version, as a person names them."""
    return f"{rulebook.id}.v{rulebook.version}"


def identity(rulebook: ZhajinhuaRulebook) -> dict[str, Any]:
    """Return which rulebook it is, as JSON has it."""
    names = ("id", "version", "digest", "name", "document")
    return {name: getattr(rulebook, name) for name in names}


def _print_line(rulebook: ZhajinhuaRulebook, line: Line, lang: Language) -> None:
    """Print one field: value and meaning, then what it rests on."""
    say(f"  {line.field} = {_value(rulebook, line)}  {line.means}  {line.section}")
    for sentence in line.sentences:
        say(f"      「{sentence}」")
    if line.interpretation:
        say(f"      {_INTERPRETATION.of(lang).format(line.interpretation)}")
    elif not line.sentences:
        say(f"      {_NOT_GIVEN.of(lang)}")


def _value(rulebook: ZhajinhuaRulebook, line: Line) -> str:
    """Return a value as ``--set`` takes it, and in words where those say more."""
    if isinstance(line.value, list) or not hasattr(rulebook, line.field):
        return line.said
    own = str(line.value).lower() if line.value in (None, True, False) else str(line.value)
    return own if own == line.said else f"{own} ({line.said})"
