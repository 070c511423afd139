"""RULES.md is what the code cites: every § that is named anywhere stands on the page, once."""

import re
from pathlib import Path

import domain
from domain import errors
from domain.errors import RefusalError
from domain.zhajinhua.rulebooks import published
from domain.zhajinhua.sources import MATTERS

PACKAGE = Path(domain.__file__).parent
PAGE = (PACKAGE / "zhajinhua" / "RULES.md").read_text(encoding="utf-8")

HEADED = re.findall(r"^## (§\d+) |^\*\*(§\d+\.\d+) ", PAGE, flags=re.MULTILINE)
SECTION = re.compile(r"§\d+(?:\.\d+)?")


def test_every_section_stands_on_the_page_once():
    """A § has one meaning."""
    headed = [chapter or section for chapter, section in HEADED]

    assert len(set(headed)) == len(headed)
    assert "§1.3" in headed


def test_every_section_that_code_cites_is_on_the_page():
    """Whoever follows a § from a docstring, a refusal or a verdict arrives somewhere."""
    headed = {chapter or section for chapter, section in HEADED}

    for file in PACKAGE.rglob("*.py"):
        cited = set(SECTION.findall(file.read_text(encoding="utf-8")))
        assert cited <= headed, (file.name, cited - headed)


def test_every_section_that_the_page_cites_is_on_the_page():
    """The page's own references lead somewhere too."""
    headed = {chapter or section for chapter, section in HEADED}

    assert set(SECTION.findall(PAGE)) <= headed


def test_every_refusal_of_the_game_is_listed_in_the_order_of_refusals():
    """No code is given that the page does not know."""
    listed = PAGE[PAGE.index("## §7 ") :]
    refusals = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, RefusalError) and kind is not RefusalError
    ]

    for kind in refusals:
        if kind.rule.startswith("§") or kind.rule == "hand-record/1":
            assert f"`{kind.code}`" in listed, kind.code


def test_every_matter_of_an_explanation_has_its_section():
    """Each step of an argument rests on a § of the page."""
    headed = {section for _, section in HEADED}

    assert {matter.section for matter in MATTERS.values()} <= headed


def test_every_column_of_the_page_is_a_published_rulebook():
    """Whatever is described can be played; what a rulebook adds, its own file says."""
    heading = next(line for line in PAGE.splitlines() if line.startswith("| | "))

    assert set(heading.strip("| ").split(" | ")) <= {rulebook.id for rulebook in published()}
