"""The examples of both READMEs, run as they stand, and the walk through the code, looked up.

A block fenced as ``console`` is a session: a line after ``$ `` is a command for
``sh``, the lines below it are what it prints. ``…`` stands for any text within a
line; a line of nothing but ``…`` for any number of lines. The sessions of one
page share a directory, which has our scripts in it, and a database.

The walk through the code says in which file a name is: a name, then the file in
parentheses, both between backticks.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "README.zh.md")
LINES_MAX = 150


def sessions(page: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a page with the lines that it is said to print."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *printed = example.rstrip("\n").split("\n")
            if "<<'EOF'" in command:
                end = printed.index("EOF") + 1
                command = "\n".join([command, *printed[:end]])
                printed = printed[end:]
            yield command, printed


def pattern(printed: list[str]) -> str:
    """Return a regular expression for what a page says is printed."""
    parts = [
        "(?:.*\n)*" if line.strip() == "…" else re.escape(line).replace("…", ".*") + " *\n"
        for line in printed
    ]
    return "".join(parts)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_readme_print_what_it_says(page, tmp_path, database):
    """Whoever types what the page shows sees what the page shows."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "JINHUA_DSN": database, "PATH": path, "COLUMNS": "120"}
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    for command, printed in sessions(page):
        run = subprocess.run(
            ["sh", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )

        assert re.fullmatch(pattern(printed), run.stdout), f"$ {command}\n{run.stdout}"


def walked() -> list[tuple[str, str]]:
    """Return each name of the walk through the code with the file that is said to define it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    walk = text.partition("## One command through the code")[2].partition("\n## ")[0]
    return re.findall(r"`([\w.]+)`\s\(`([\w/]+\.py)`\)", walk)


def defines(body: list[ast.stmt], name: str) -> bool:
    """Tell whether a module or a class defines a function or a class, or what is within it."""
    first, _, rest = name.partition(".")
    kinds = (ast.ClassDef, ast.FunctionDef)
    found = [node for node in body if isinstance(node, kinds) and node.name == first]
    return any(not rest or defines(node.body, rest) for node in found)


@pytest.mark.parametrize(("name", "file"), walked())
def test_the_walk_through_the_code_names_what_is_there(name, file):
    """Whoever opens the file finds the name in it, defined and not imported."""
    assert defines(ast.parse((ROOT / file).read_text(encoding="utf-8")).body, name)


@pytest.mark.parametrize("page", PAGES)
def test_a_readme_has_examples_and_is_read_in_one_sitting(page):
    """A page without a session shows nothing; a long one is not read."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()

    assert list(sessions(page))
    assert walked()
    assert len(lines) <= LINES_MAX
