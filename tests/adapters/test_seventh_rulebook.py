"""A seventh rulebook that recombines what the six have is one file, and touches no other."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.simulation.hands import line_of, simulate

ROOT = Path(__file__).parents[2]
SEVENTH = '''"""A house game: 九游 with suits, at 3 % and without bonuses."""

from dataclasses import replace
from typing import Final

from domain.grounds import Edition
from domain.zhajinhua.rulebooks.jiuyou import JIUYOU_V1

HOUSE_V1: Final = replace(
    JIUYOU_V1, id="house", name="家庭版", document="900 家庭版",
    suits=True, equal_duel="impossible", rake_bp=300, bonus="none", bonus_antes=(),
)

EDITIONS: Final = (Edition(HOUSE_V1),)
'''


@pytest.fixture(scope="module")
def jinhua(tmp_path_factory):
    """Run commands of a copy of the project that has one file more."""
    copy = tmp_path_factory.mktemp("seventh")
    for package in ("domain", "projections", "adapters"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("*.pyc"))
    (copy / "domain/zhajinhua/rulebooks/house.py").write_text(SEVENTH, encoding="utf-8")

    def run(*words: str, given: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "adapters.cli", *words],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
            input=given.encode(),
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()

    return run


def test_it_is_listed_with_a_digest_of_its_own(jinhua):
    """Found by being there."""
    listed = {row["id"]: row for row in json.loads(jinhua("rulebooks", "--json"))["rulebooks"]}

    assert 7 == len(listed)
    assert listed["house"]["digest"] != listed["jiuyou"]["digest"]


def test_it_has_a_page_without_sentences(jinhua):
    """Each field has its meaning; what it rests on was not written down, and that is said."""
    text = jinhua("rulebooks", "show", "house")
    parted = json.loads(jinhua("rulebooks", "diff", "jiuyou", "house", "--json"))["fields"]

    assert "  rake_bp = 300  the house's share of a net win, basis points  §6.4" in text
    assert "      no document sentence given" in text
    assert ["equal_duel", "suits", "rake_bp", "bonus", "bonus_antes"] == [
        f["field"] for f in parted
    ]


def test_hands_are_simulated_settled_and_tried_under_it(jinhua):
    """What 九游 hands come to there: as by changing its fields one by one."""
    simulated = jinhua("simulate", "--rulebook", "house", "--hands", "20", "--seed", "3")
    answers = [json.loads(line) for line in jinhua("settle", "-", given=simulated).splitlines()]
    hands = "".join(f"{line_of(hand)}\n" for hand in simulate("jiuyou", hands=20, seed=3))
    changes = ("suits=true", "equal_duel=impossible", "rake_bp=300", "bonus=none", "bonus_antes=")
    under = jinhua("whatif", "-", "--rulebook", "house", "--json", given=hands)
    changed = jinhua("whatif", "-", *(f"--set={c}" for c in changes), "--json", given=hands)

    assert 20 == len(answers)
    assert all("settlement" in answer for answer in answers)
    for one, other in zip(under.splitlines(), changed.splitlines(), strict=True):
        assert json.loads(one)["would"] == json.loads(other)["would"]
